package editor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Key is one key of a job's configuration as the REST interface and the form of the pages have it:
// from ElasticJob's JobSettings for a job of 2.1.x, and from its JobConfigurationPOJO for 3.x.
type Key struct {
	Name string
	Kind Kind
	// Read is the value for an answer.
	Read func(*jobconfig.Config) any
	// write stores a value, or returns the wanted one as an error.
	write func(*jobconfig.Config, json.RawMessage) error
}

// Kind is the kind of a key's value.
type Kind uint8

// The kinds.
const (
	// Other has no field in a form.
	Other Kind = iota
	Text
	Number
	Flag
	List  // of names
	Props // keys with texts
)

// The keys of the two generations, in the order of their documentation.
var (
	keys3x = []Key{
		textKey("jobName", func(c *jobconfig.Config) *string { return &c.Name }),
		textKey("cron", func(c *jobconfig.Config) *string { return &c.Cron }),
		textKey("timeZone", func(c *jobconfig.Config) *string { return &c.TimeZone }),
		numberKey("shardingTotalCount", func(c *jobconfig.Config) *int { return &c.Shards }),
		textKey("shardingItemParameters", func(c *jobconfig.Config) *string { return &c.ItemParameters }),
		textKey("jobParameter", func(c *jobconfig.Config) *string { return &c.Parameter }),
		flagKey("monitorExecution", func(c *jobconfig.Config) *bool { return &c.MonitorExecution }),
		flagKey("failover", func(c *jobconfig.Config) *bool { return &c.Failover }),
		flagKey("misfire", func(c *jobconfig.Config) *bool { return &c.Misfire }),
		numberKey("maxTimeDiffSeconds", func(c *jobconfig.Config) *int { return &c.MaxTimeDiffSeconds }),
		numberKey("reconcileIntervalMinutes", func(c *jobconfig.Config) *int { return &c.ReconcileMinutes }),
		textKey("jobShardingStrategyType", func(c *jobconfig.Config) *string { return &c.StrategyType }),
		executorKey(jobconfig.Dialect304),
		executorKey(jobconfig.Dialect305),
		textKey("jobErrorHandlerType", func(c *jobconfig.Config) *string { return &c.ErrorHandlerType }),
		keyOf("jobListenerTypes", List, func(c *jobconfig.Config) *[]string { return &c.ListenerTypes }, jsonOf[[]string]("a list of texts")),
		// Blocks of other programs, with Java class names as tags. As in ElasticJob's own console
		// they're neither shown nor taken, and stay in the tree as they are.
		{
			Name: "jobExtraConfigurations", Read: func(*jobconfig.Config) any { return nil },
			write: func(*jobconfig.Config, json.RawMessage) error { return nil },
		},
		textKey("description", func(c *jobconfig.Config) *string { return &c.Description }),
		keyOf("props", Props, func(c *jobconfig.Config) *map[string]string { return &c.Props }, texts),
		flagKey("disabled", func(c *jobconfig.Config) *bool { return &c.Disabled }),
		flagKey("overwrite", func(c *jobconfig.Config) *bool { return &c.Overwrite }),
		textKey("label", func(c *jobconfig.Config) *string { return &c.Label }),
		flagKey("staticSharding", func(c *jobconfig.Config) *bool { return &c.StaticSharding }),
	}

	keys2x = slices.Concat(pick2x(), []Key{
		fixedKey("jobType", func(c *jobconfig.Config) any { return c.JobType }),
		fixedKey("jobClass", func(c *jobconfig.Config) any { return c.JobClass }),
		textKey("jobShardingStrategyClass", func(c *jobconfig.Config) *string { return &c.StrategyType }),
		{
			Name: "jobProperties",
			Read: func(c *jobconfig.Config) any {
				return map[string]string{"executor_service_handler": c.ExecutorType, "job_exception_handler": c.ErrorHandlerType}
			},
			write: writeHandlers,
		},
		{
			Name: "streamingProcess", Kind: Flag,
			Read: func(c *jobconfig.Config) any { return c.Props[jobconfig.PropStreaming] == "true" },
			write: func(c *jobconfig.Config, v json.RawMessage) error {
				on, err := flagOf(v)
				return setProp(c, jobconfig.PropStreaming, strconv.FormatBool(on), on, err)
			},
		},
		{
			Name: "scriptCommandLine", Kind: Text,
			Read: func(c *jobconfig.Config) any { return c.Props[jobconfig.PropCommandLine] },
			write: func(c *jobconfig.Config, v json.RawMessage) error {
				line, err := TextOf(v)
				return setProp(c, jobconfig.PropCommandLine, line, line != "", err)
			},
		},
	})
)

// pick2x are the keys with the same names in 2.1.x.
func pick2x() []Key {
	shared := []string{
		"jobName", "cron", "shardingTotalCount", "shardingItemParameters", "jobParameter", "monitorExecution", "failover",
		"misfire", "maxTimeDiffSeconds", "reconcileIntervalMinutes", "description", "disabled", "overwrite",
	}
	return slices.DeleteFunc(slices.Clone(keys3x), func(s Key) bool { return !slices.Contains(shared, s.Name) })
}

// setProp sets a property, unless there's an error. An absent one stays so if the value isn't set.
func setProp(c *jobconfig.Config, key, value string, set bool, err error) error {
	if _, stored := c.Props[key]; err != nil || !stored && !set {
		return err
	}
	if c.Props == nil {
		c.Props = make(map[string]string)
	}
	c.Props[key] = value
	return nil
}

func writeHandlers(c *jobconfig.Config, v json.RawMessage) error {
	handlers, err := texts(v)
	for key, value := range handlers {
		switch key {
		case "executor_service_handler":
			c.ExecutorType = value
		case "job_exception_handler":
			c.ErrorHandlerType = value
		default:
			return errors.New("the keys executor_service_handler and job_exception_handler")
		}
	}
	return err
}

// KeysOf are the keys of a configuration's generation, in the order of their
// documentation.
func KeysOf(c *jobconfig.Config) []Key {
	if c.Generation == jobconfig.Generation2x {
		return keys2x
	}
	return keys3x
}

// keyOf is a key that reads and writes a field of the configuration.
func keyOf[V any](name string, kind Kind, at func(*jobconfig.Config) *V, parse func(json.RawMessage) (V, error)) Key {
	read := func(c *jobconfig.Config) any {
		switch v := any(*at(c)).(type) {
		case []string:
			return append([]string{}, v...)
		case map[string]string:
			if v == nil {
				return map[string]string{}
			}
		}
		return *at(c)
	}
	return Key{name, kind, read, func(c *jobconfig.Config, v json.RawMessage) error {
		if string(v) == "null" && (kind == Number || kind == Flag) {
			return nil // not set
		}
		value, err := parse(v)
		if err == nil {
			*at(c) = value
		}
		return err
	}}
}

func textKey(name string, at func(*jobconfig.Config) *string) Key {
	return keyOf(name, Text, at, TextOf)
}

func flagKey(name string, at func(*jobconfig.Config) *bool) Key { return keyOf(name, Flag, at, flagOf) }

func numberKey(name string, at func(*jobconfig.Config) *int) Key {
	bounds, _ := jobconfig.NumberBounds(name)
	return keyOf(name, Number, at, func(v json.RawMessage) (int, error) {
		// ElasticJob's 2.x console sends the texts of its input fields. A number that a node can have is
		// checked with the rest, because it may be the stored one.
		n, err := strconv.ParseInt(strings.Trim(string(v), `"`), 10, 32)
		if err != nil {
			return 0, errors.New(bounds.String())
		}
		return int(n), nil
	})
}

// executorKey is the thread pool under the key of one dialect. A document has one of the two keys.
// The other one isn't shown, and without a value it's no change.
func executorKey(dialect jobconfig.Dialect) Key {
	return Key{dialect.ExecutorKey(), Text,
		func(c *jobconfig.Config) any {
			if c.Dialect != dialect {
				return nil
			}
			return c.ExecutorType
		},
		func(c *jobconfig.Config, v json.RawMessage) error {
			s, err := TextOf(v)
			if err != nil || s == "" && c.Dialect != dialect {
				return err
			}
			if s != "" && c.ExecutorType == "" {
				c.Dialect = dialect // the stored document doesn't show which one the agents read
			}
			c.ExecutorType = s
			return nil
		},
	}
}

// fixedKey is shown and can come back, but not change.
func fixedKey(key string, read func(*jobconfig.Config) any) Key {
	return Key{key, Other, read, func(c *jobconfig.Config, v json.RawMessage) error {
		now, err := json.Marshal(read(c))
		if string(v) != "null" && (err != nil || !bytes.Equal(v, now)) {
			return fmt.Errorf("%s, which cannot be changed here", now)
		}
		return nil
	}}
}

// jsonOf parses JSON of a type; want describes it in the error.
func jsonOf[V any](want string) func(json.RawMessage) (V, error) {
	return func(v json.RawMessage) (value V, err error) {
		if json.Unmarshal(v, &value) != nil {
			var none V
			return none, errors.New(want)
		}
		return value, nil
	}
}

var texts = jsonOf[map[string]string]("an object with texts")

// TextOf reads a text of a request's body; null is the empty text.
func TextOf(v json.RawMessage) (string, error) { return jsonOf[string]("text")(v) }

func flagOf(v json.RawMessage) (bool, error) {
	switch strings.Trim(string(v), `"`) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, errors.New("true or false")
}

// keyNamed is the key with a name; nil if there is none.
func keyNamed(c *jobconfig.Config, name string) *Key {
	keys := KeysOf(c)
	if i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name }); i >= 0 {
		return &keys[i]
	}
	return nil
}

// Generations are the keys of every generation, the newest first.
func Generations() [][]Key { return [][]Key{keys3x, keys2x} }

// Body is a configuration in an answer: values by key.
type Body map[string]any

// BodyOf is a configuration for an answer, or for a request.
func BodyOf(c *jobconfig.Config) Body {
	body := make(Body)
	for _, s := range KeysOf(c) {
		if strings.HasPrefix(s.Name, "jobExecutor") && s.Read(c) == nil {
			continue
		}
		body[s.Name] = s.Read(c)
	}
	return body
}

// Unmask puts the stored values back where a configuration that was edited has
// what a guest was shown of them. A value that has *** in it and is not just that
// is refused: it would overwrite a secret with a piece of its mask.
func Unmask(stored, edited *jobconfig.Config) error {
	var problems []error
	restore := func(field, name, before string, now *string) {
		meant, ok := mask.Kept(name, before, *now)
		if !ok {
			problems = append(problems, &jobconfig.FieldError{Field: field, Want: "the whole value: " + mask.Hidden + " stands for a secret that was not shown"})
			return
		}
		*now = meant
	}
	before := FreeTexts(stored)
	for field, now := range FreeTexts(edited) {
		restore(field, field, *before[field], now)
	}
	for _, key := range view.SortedKeys(edited.Props) {
		value := edited.Props[key]
		restore("props."+view.Clip(key, 100), key, stored.Props[key], &value)
		edited.Props[key] = value
	}
	return errors.Join(problems...)
}

// FreeTexts are the texts of a configuration in which anything may stand.
func FreeTexts(c *jobconfig.Config) map[string]*string {
	return map[string]*string{"jobParameter": &c.Parameter, "shardingItemParameters": &c.ItemParameters, "description": &c.Description, "label": &c.Label}
}

// Apply changes a configuration as a request's body says. Keys that are
// not in the body keep their values. All problems are returned, each a
// *jobconfig.FieldError.
func Apply(c *jobconfig.Config, body map[string]json.RawMessage) error {
	var problems []error
	known := KeysOf(c)
	for _, s := range known {
		v, ok := body[s.Name]
		if !ok {
			continue
		}
		if err := s.write(c, v); err != nil {
			problems = append(problems, &jobconfig.FieldError{Field: s.Name, Value: view.Clip(string(v), 100), Want: err.Error()})
		}
	}
	for _, key := range view.SortedKeys(body) {
		if keyNamed(c, key) == nil {
			problems = append(problems, &jobconfig.FieldError{Field: view.Clip(key, 100), Value: view.Clip(string(body[key]), 100),
				Want: "no such key: jobs of ElasticJob " + c.Generation.String() + " do not have it"})
		}
	}
	return errors.Join(problems...)
}

// ChangedKeys names the keys in which two configurations differ, and each of the properties.
func ChangedKeys(before, after *jobconfig.Config) []string {
	changed := []string{}
	for _, k := range KeysOf(after) {
		if reflect.DeepEqual(k.Read(before), k.Read(after)) {
			continue
		}
		changed = append(changed, k.Name)
		if k.Kind == Props {
			for _, key := range changedProps(before, after) {
				changed = append(changed, PropField+view.Clip(key, 100))
			}
		}
	}
	return changed
}
