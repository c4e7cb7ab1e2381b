package jobconfig

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// Generation is the ElasticJob generation that wrote a configuration.
type Generation int

const (
	// Generation3x is the YAML document of ElasticJob 3.0.x, the zero value.
	Generation3x Generation = iota
	// Generation2x is the JSON document of ElasticJob 2.1.x. Agents of the two generations can
	// never share a job.
	Generation2x
)

// String returns "3.x" or "2.x".
func (g Generation) String() string {
	if g == Generation2x {
		return "2.x"
	}
	return "3.x"
}

// Dialect selects the key of ExecutorType. Agents of one release fail on the other release's key,
// so a decoded Config keeps its dialect. Without an ExecutorType a Config works with both.
type Dialect int

const (
	// Dialect304 stores jobExecutorServiceHandlerType (ElasticJob up to 3.0.4).
	Dialect304 Dialect = iota
	// Dialect305 stores jobExecutorThreadPoolSizeProviderType (from 3.0.5).
	Dialect305
)

// Config is a job's configuration as stored in the tree. If ElasticJob distinguishes null from
// empty text, the empty string means null and the key isn't written.
//
// A decoded Config remembers its original text, so that Encode can keep the unchanged parts. It may
// be copied (see Clone for deep copies) and its exported fields may be changed. It isn't safe for
// concurrent use during a change.
type Config struct {
	// Name is the job name, the same as its node's name. Required.
	Name string
	// Cron is the Quartz expression; empty means a one-off job.
	Cron string
	// TimeZone is the zone of Cron, such as GMT+8:00; empty means the agent's own zone.
	TimeZone string
	// Description is free text for people.
	Description string
	// Parameter is passed to every shard.
	Parameter string
	// ItemParameters is "0=a,1=b", see ParseItemParameters.
	ItemParameters string
	// Shards is the number of shards. Required, 1 to MaxShards.
	Shards int
	// Failover lets survivors run the shards of a crashed instance at once. It only works together
	// with MonitorExecution.
	Failover bool
	// Misfire makes up a fire time that came during the previous run.
	Misfire bool
	// MonitorExecution marks running shards in the tree.
	MonitorExecution bool
	// Disabled makes agents register their server as disabled when they start.
	Disabled bool
	// Overwrite lets an agent's local settings replace the stored ones at start.
	Overwrite bool
	// StaticSharding keeps the assignment when servers come and go.
	StaticSharding bool
	// ReconcileMinutes is the interval of the reconciler, at most MaxReconcileMinutes. Zero or less
	// turns it off.
	ReconcileMinutes int
	// MaxTimeDiffSeconds is the tolerated clock difference between agent and ZooKeeper, at most
	// MaxTimeDiffSeconds; -1 turns the check off.
	MaxTimeDiffSeconds int
	// StrategyType is the name of the sharding strategy; empty means AVG_ALLOCATION. In a 2.x
	// configuration it's a Java class name.
	StrategyType string
	// ExecutorType is the name of the thread pool type; empty means CPU. In a 2.x configuration
	// it's a Java class name.
	ExecutorType string
	// ErrorHandlerType is the name of the error handler; empty means LOG. In a 2.x configuration
	// it's a Java class name.
	ErrorHandlerType string
	// Label is read by an optional component of ElasticJob up to 3.0.4.
	Label string
	// ListenerTypes are the names of job listeners. Every agent of the job must know all of them.
	ListenerTypes []string
	// Props are the settings of executors and error handlers. In a 2.x configuration,
	// streaming.process and script.command.line are the keys streamingProcess and
	// scriptCommandLine.
	Props map[string]string

	// Generation is the stored format, which Encode keeps.
	Generation Generation
	// Dialect determines the key of ExecutorType.
	Dialect Dialect
	// JobClass and JobType are keys of a 2.x configuration that 3.x keeps in the job node. They're
	// empty in Generation3x and read-only: Encode ignores them.
	JobClass, JobType string

	origin *origin
}

// New returns a configuration with the defaults of ElasticJob's builder: misfire and
// monitorExecution on, a reconcile interval of 10 minutes, the clock check off. For missing keys in
// a stored document, Decode uses other defaults.
func New(name string, shards int) *Config {
	return &Config{
		Name:               name,
		Shards:             shards,
		Misfire:            true,
		MonitorExecution:   true,
		ReconcileMinutes:   10,
		MaxTimeDiffSeconds: -1,
	}
}

// OneOff reports whether the job has no schedule and only runs when triggered.
func (c *Config) OneOff() bool { return c.Cron == "" }

// Clone returns a deep copy.
func (c *Config) Clone() *Config {
	clone := *c
	clone.ListenerTypes = slices.Clone(c.ListenerTypes)
	clone.Props = maps.Clone(c.Props)
	return &clone
}

// Onto returns a copy of c that replaces stored. Encode then keeps the bytes of unchanged keys,
// unknown keys and foreign tagged blocks, and the dialect. If c doesn't have a Label, the stored
// one stays. Nothing is kept across generations.
func (c *Config) Onto(stored *Config) *Config {
	onto := c.Clone()
	if stored.Generation != c.Generation {
		return onto
	}
	onto.origin = stored.origin
	if stored.ExecutorType != "" {
		onto.Dialect = stored.Dialect
	}
	if onto.Label == "" {
		onto.Label = stored.Label
	}
	return onto
}

// Equal reports whether both configurations have the same meaning. It ignores the original texts
// and unknown keys. Nil and empty lists or maps are equal, as in the stored document.
func (c *Config) Equal(other *Config) bool {
	if c == nil || other == nil {
		return c == other
	}
	for _, f := range fields {
		if !f.same(c, other) {
			return false
		}
	}
	return c.Generation == other.Generation && c.JobClass == other.JobClass && c.JobType == other.JobType
}

// ErrUnusable is wrapped by Usable's errors.
var ErrUnusable = errors.New("unusable job configuration")

// Usable makes the two checks of ElasticJob's loader, with the same messages: there's a name and at
// least one shard. The third check is ours: there are at most MaxShards, because an agent allocates
// memory per shard. After an error an agent must not run the job. Usable is weaker than Validate,
// because ElasticJob accepts many values that an operator should not write.
func (c *Config) Usable() error {
	if c.Name == "" {
		//lint:ignore ST1005 the message is ElasticJob's own
		return fmt.Errorf("%w: jobName can not be empty.", ErrUnusable)
	}
	if c.Shards <= 0 {
		//lint:ignore ST1005 the message is ElasticJob's own
		return fmt.Errorf("%w: shardingTotalCount should larger than zero.", ErrUnusable)
	}
	if c.Shards > MaxShards {
		return fmt.Errorf("%w: shardingTotalCount is %d, and at most %d can be served", ErrUnusable, c.Shards, MaxShards)
	}
	return nil
}

// FieldError is one problem found by Validate.
type FieldError struct {
	Field string // key in the document, such as shardingTotalCount
	Value string // the refused value
	Want  string // allowed values

	// Text replaces the standard error text if it isn't empty.
	Text string
}

// Error names the field, the value and the allowed values.
func (e *FieldError) Error() string {
	if e.Text != "" {
		return e.Text
	}
	return fmt.Sprintf("%s: %q is not allowed; want %s", e.Field, e.Value, e.Want)
}

// Validate returns everything that would make agents refuse the configuration or fail at every
// trigger, and every number outside its bounds. The problems are joined, and each is a *FieldError.
// It checks Cron and time zone only for line breaks; package quartz checks their grammar.
func (c *Config) Validate() error {
	var problems []error
	refuse := func(field, value, want string) {
		problems = append(problems, &FieldError{Field: field, Value: value, Want: want})
	}
	if err := ValidateName(c.Name); err != nil {
		refuse("jobName", c.Name, "a ZooKeeper node name without \"/\" and \"@-@\" ("+err.Error()+")")
	}
	for _, problem := range c.outside() {
		problems = append(problems, problem)
	}
	if _, err := ParseItemParameters(c.ItemParameters); err != nil {
		refuse("shardingItemParameters", c.ItemParameters, "item=value pairs separated by commas ("+err.Error()+")")
	}
	for _, f := range fields {
		if f.text == nil {
			continue
		}
		value := *f.text(c)
		if !utf8.ValidString(value) {
			refuse(f.key, value, "valid UTF-8")
		}
		if f.oneLine && slices.ContainsFunc([]rune(value), isControl) {
			refuse(f.key, value, "one line of text")
		}
	}
	for i, listener := range c.ListenerTypes {
		if listener == "" || slices.ContainsFunc([]rune(listener), isControl) {
			refuse(fmt.Sprintf("jobListenerTypes[%d]", i), listener, "the name of a listener")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.Props)) {
		if key == "" || !utf8.ValidString(key) || !utf8.ValidString(c.Props[key]) {
			// Don't quote the value: it may be a secret, and isn't text anyway.
			refuse("props."+key, fmt.Sprintf("%d bytes", len(c.Props[key])), "a key that is not empty, and valid UTF-8")
		}
	}
	return errors.Join(problems...)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
