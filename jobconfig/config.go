package jobconfig

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// Generation tells which ElasticJob wrote a configuration.
type Generation int

const (
	// Generation3x is the YAML document of ElasticJob 3.0.x, the zero value.
	Generation3x Generation = iota
	// Generation2x is the JSON document of ElasticJob 2.1.x. Agents of the two
	// generations can never share a job.
	Generation2x
)

// String returns "3.x" or "2.x".
func (g Generation) String() string {
	if g == Generation2x {
		return "2.x"
	}
	return "3.x"
}

// Dialect selects the key under which ExecutorType is stored. Agents of one
// release fail on the key of the other, so a decoded Config keeps the stored
// dialect, and a Config without an ExecutorType suits both.
type Dialect int

const (
	// Dialect304 stores jobExecutorServiceHandlerType (ElasticJob up to 3.0.4).
	Dialect304 Dialect = iota
	// Dialect305 stores jobExecutorThreadPoolSizeProviderType (from 3.0.5).
	Dialect305
)

// Config is a job's configuration as stored in the tree. Where ElasticJob
// distinguishes null from empty text, the empty string means null: the key is
// not written.
//
// A decoded Config remembers the text it came from, so that Encode can leave
// alone what did not change. It may be copied (see Clone for deep copies) and
// its exported fields may be changed freely; it is not safe for concurrent use
// while somebody does.
type Config struct {
	// Name is the job name, equal to the name of its node. Required.
	Name string
	// Cron is the Quartz expression; empty means a one-off job.
	Cron string
	// TimeZone of Cron, such as GMT+8:00; empty means the agent's own zone.
	TimeZone string
	// Description is free text for people.
	Description string
	// Parameter is handed to every shard.
	Parameter string
	// ItemParameters is "0=a,1=b"; see ParseItemParameters.
	ItemParameters string
	// Shards is the number of shards. Required, 1 to MaxShards.
	Shards int
	// Failover lets survivors run the shards of a crashed instance at once. It
	// works only together with MonitorExecution.
	Failover bool
	// Misfire re-runs a fire that came while the previous run was busy.
	Misfire bool
	// MonitorExecution marks running shards in the tree.
	MonitorExecution bool
	// Disabled makes agents register their server as disabled when they start.
	Disabled bool
	// Overwrite lets an agent's local settings replace the stored ones at start.
	Overwrite bool
	// StaticSharding keeps the assignment when servers come and go.
	StaticSharding bool
	// ReconcileMinutes is the interval of the reconciler, at most
	// MaxReconcileMinutes; zero or less is off.
	ReconcileMinutes int
	// MaxTimeDiffSeconds is the tolerated clock difference between agent and
	// ZooKeeper, at most MaxTimeDiffSeconds; -1 is off.
	MaxTimeDiffSeconds int
	// StrategyType names the sharding strategy; empty means AVG_ALLOCATION. In
	// a 2.x configuration it is a Java class name.
	StrategyType string
	// ExecutorType names the thread pool type; empty means CPU. In a 2.x
	// configuration it is a Java class name.
	ExecutorType string
	// ErrorHandlerType names the error handler; empty means LOG. In a 2.x
	// configuration it is a Java class name.
	ErrorHandlerType string
	// Label is read by an optional component of ElasticJob up to 3.0.4.
	Label string
	// ListenerTypes names job listeners. Every agent of the job must know all.
	ListenerTypes []string
	// Props are the settings of executors and error handlers. In a 2.x
	// configuration streaming.process and script.command.line stand for the
	// keys streamingProcess and scriptCommandLine.
	Props map[string]string

	// Generation tells the stored format. Encode keeps it.
	Generation Generation
	// Dialect tells the key of ExecutorType.
	Dialect Dialect
	// JobClass and JobType are the keys of a 2.x configuration that 3.x keeps
	// in the job node; empty in Generation3x. Read only: Encode ignores them.
	JobClass, JobType string

	origin *origin
}

// New returns a configuration with the defaults of ElasticJob's builder:
// misfire and monitorExecution on, a reconcile interval of 10 minutes, the
// clock check off. These are not the values of missing keys in a stored
// document; Decode applies those.
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

// OneOff reports whether the job has no schedule and runs only when triggered.
func (c *Config) OneOff() bool { return c.Cron == "" }

// Clone returns a deep copy.
func (c *Config) Clone() *Config {
	clone := *c
	clone.ListenerTypes = slices.Clone(c.ListenerTypes)
	clone.Props = maps.Clone(c.Props)
	return &clone
}

// Onto returns a copy of c that is to take stored's place: Encode keeps stored's
// bytes of what c does not change, of unknown keys and of the tagged blocks of
// others, and the dialect of its keys. A Label that c does not have stays.
// Documents of different generations have nothing to keep of each other.
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

// Equal reports whether both configurations mean the same. The text they came
// from, and keys unknown to this package, do not count; a nil and an empty
// list or map are equal, as they are in the stored document.
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

// ErrUnusable is what Usable's errors wrap.
var ErrUnusable = errors.New("unusable job configuration")

// Usable makes the two checks ElasticJob makes at every load of a
// configuration, with its messages: a name and at least one shard. A
// third one is ours: at most MaxShards of them, because an agent allocates
// memory by their number. An agent that gets an error must not run the job. It
// is weaker than Validate, because ElasticJob accepts much that an operator
// would not want to write.
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
	Field string // the key in the document, such as shardingTotalCount
	Value string // the refused value
	Want  string // what is allowed

	// Text is the whole error where the usual words do not fit; may be empty.
	Text string
}

// Error names the field, the value and what is allowed.
func (e *FieldError) Error() string {
	if e.Text != "" {
		return e.Text
	}
	return fmt.Sprintf("%s: %q is not allowed; want %s", e.Field, e.Value, e.Want)
}

// Validate reports everything that would make agents refuse the configuration
// or fail at every trigger, joined, and every number outside its bounds; each
// problem is a *FieldError. Cron and
// time zone are only checked for line breaks here, their grammar belongs to the
// cron package.
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
			// The value may be a secret, and is no text anyway.
			refuse("props."+key, fmt.Sprintf("%d bytes", len(c.Props[key])), "a key that is not empty, and valid UTF-8")
		}
	}
	return errors.Join(problems...)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
