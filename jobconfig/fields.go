package jobconfig

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
)

// field connects one key of the stored document with a part of Config. The table below is the only
// list of the keys.
type field struct {
	key  string
	read func(c *Config, key string, n *yaml.Node) error
	// write writes the key, or nothing if ElasticJob omits it.
	write func(w *javayaml.Writer, c *Config)
	same  func(a, b *Config) bool
	// text returns a pointer to a text field's value. It's nil for other kinds.
	text func(c *Config) *string
	// oneLine means that line breaks in the text are invalid.
	oneLine bool
}

// The two names of the thread-pool key.
const (
	executorKey304 = "jobExecutorServiceHandlerType"
	executorKey305 = "jobExecutorThreadPoolSizeProviderType"
)

// ExecutorKey returns the key of the thread pool in a dialect.
func (d Dialect) ExecutorKey() string {
	if d == Dialect305 {
		return executorKey305
	}
	return executorKey304
}

// KnownKey reports whether a key of a 3.x document is one of [Config]'s fields.
func KnownKey(key string) bool { return fieldsByKey[key] != nil }

// fields lists the keys in ElasticJob's order.
var fields = []field{
	typeName("cron", func(c *Config) *string { return &c.Cron }),
	text("description", func(c *Config) *string { return &c.Description }),
	boolean("disabled", func(c *Config) *bool { return &c.Disabled }),
	boolean("failover", func(c *Config) *bool { return &c.Failover }),
	typeName("jobErrorHandlerType", func(c *Config) *string { return &c.ErrorHandlerType }),
	executor(executorKey304, Dialect304),
	executor(executorKey305, Dialect305),
	{
		key:   "jobListenerTypes",
		read:  readListeners,
		write: func(w *javayaml.Writer, c *Config) { w.List("jobListenerTypes", c.ListenerTypes) },
		same:  func(a, b *Config) bool { return slices.Equal(a.ListenerTypes, b.ListenerTypes) },
	},
	oneLine(text("jobName", func(c *Config) *string { return &c.Name })),
	text("jobParameter", func(c *Config) *string { return &c.Parameter }),
	typeName("jobShardingStrategyType", func(c *Config) *string { return &c.StrategyType }),
	typeName("label", func(c *Config) *string { return &c.Label }),
	integer("maxTimeDiffSeconds", func(c *Config) *int { return &c.MaxTimeDiffSeconds }),
	boolean("misfire", func(c *Config) *bool { return &c.Misfire }),
	boolean("monitorExecution", func(c *Config) *bool { return &c.MonitorExecution }),
	boolean("overwrite", func(c *Config) *bool { return &c.Overwrite }),
	{
		key:   "props",
		read:  readProps,
		write: func(w *javayaml.Writer, c *Config) { w.Mapping("props", c.propsOrder(), c.Props) },
		same:  func(a, b *Config) bool { return maps.Equal(a.Props, b.Props) },
	},
	integer("reconcileIntervalMinutes", func(c *Config) *int { return &c.ReconcileMinutes }),
	text("shardingItemParameters", func(c *Config) *string { return &c.ItemParameters }),
	integer("shardingTotalCount", func(c *Config) *int { return &c.Shards }),
	boolean("staticSharding", func(c *Config) *bool { return &c.StaticSharding }),
	typeName("timeZone", func(c *Config) *string { return &c.TimeZone }),
}

var fieldsByKey = func() map[string]*field {
	byKey := make(map[string]*field, len(fields))
	for i := range fields {
		byKey[fields[i].key] = &fields[i]
	}
	return byKey
}()

// text returns a field that ElasticJob writes even if it's empty.
func text(key string, at func(*Config) *string) field {
	read := func(key string, n *yaml.Node) (string, error) {
		s, _, err := javayaml.Text(key, n)
		return s, err
	}
	f := value(key, at, read, (*javayaml.Writer).Entry)
	f.text = at
	return f
}

// typeName returns a one-line text field. Empty means null, so it's omitted.
func typeName(key string, at func(*Config) *string) field {
	f := oneLine(text(key, at))
	always := f.write
	f.write = func(w *javayaml.Writer, c *Config) {
		if *at(c) != "" {
			always(w, c)
		}
	}
	return f
}

func oneLine(f field) field {
	f.oneLine = true
	return f
}

// executor returns the thread-pool type's field under the key of one dialect. It's empty in
// configurations of the other dialect, so switching the dialect drops one key and writes the other.
func executor(key string, dialect Dialect) field {
	value := func(c *Config) string {
		if c.Dialect != dialect {
			return ""
		}
		return c.ExecutorType
	}
	f := typeName(key, func(c *Config) *string { return &c.ExecutorType })
	f.read = func(c *Config, key string, n *yaml.Node) error {
		s, _, err := javayaml.Text(key, n)
		if err != nil {
			return err
		}
		// Only we can read a document with both keys. The older name wins in any order, and the
		// other one stays untouched.
		if dialect == Dialect305 && c.ExecutorType != "" && c.Dialect == Dialect304 {
			return nil
		}
		c.ExecutorType, c.Dialect = s, dialect
		return nil
	}
	f.write = func(w *javayaml.Writer, c *Config) {
		if s := value(c); s != "" {
			w.Entry(key, s)
		}
	}
	f.same = func(a, b *Config) bool { return value(a) == value(b) }
	return f
}

func boolean(key string, at func(*Config) *bool) field {
	return value(key, at, javayaml.Bool, (*javayaml.Writer).Boolean)
}

func integer(key string, at func(*Config) *int) field {
	return value(key, at, javayaml.Int, (*javayaml.Writer).Integer)
}

func value[T comparable](
	key string, at func(*Config) *T,
	read func(string, *yaml.Node) (T, error), write func(*javayaml.Writer, string, T),
) field {
	return field{
		key: key,
		read: func(c *Config, key string, n *yaml.Node) (err error) {
			*at(c), err = read(key, n)
			return err
		},
		write: func(w *javayaml.Writer, c *Config) { write(w, key, *at(c)) },
		same:  func(a, b *Config) bool { return *at(a) == *at(b) },
	}
}

func readListeners(c *Config, key string, n *yaml.Node) error {
	c.ListenerTypes = nil
	if javayaml.IsNull(n) {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		return &javayaml.SyntaxError{Line: n.Line, Field: key, Reason: "is " + javayaml.KindName(n) + ", want a list of names"}
	}
	for _, item := range n.Content {
		s, _, err := javayaml.Text(key, javayaml.Resolve(item))
		if err != nil {
			return err
		}
		c.ListenerTypes = append(c.ListenerTypes, s)
	}
	return nil
}

func readProps(c *Config, key string, n *yaml.Node) error {
	c.Props = nil
	if javayaml.IsNull(n) {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return &javayaml.SyntaxError{Line: n.Line, Field: key, Reason: "is " + javayaml.KindName(n) + ", want keys with values"}
	}
	entries, err := javayaml.Flatten(n)
	if err != nil {
		return err
	}
	c.Props = make(map[string]string, len(entries))
	for _, e := range entries {
		if c.Props[e.Key], _, err = javayaml.Text(key+"."+e.Key, e.Value); err != nil {
			return err
		}
	}
	return nil
}

// propsOrder returns the order for writing Props: the stored order, then new keys sorted. We don't
// imitate Java's order, because it comes from a hash table and has no meaning.
func (c *Config) propsOrder() []string {
	order := make([]string, 0, len(c.Props))
	if c.origin != nil {
		for _, key := range c.origin.propsOrder {
			if _, ok := c.Props[key]; ok && !slices.Contains(order, key) {
				order = append(order, key)
			}
		}
	}
	stored := len(order)
	for _, key := range slices.Sorted(maps.Keys(c.Props)) {
		if !slices.Contains(order[:stored], key) {
			order = append(order, key)
		}
	}
	return order
}
