package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// configKey is one key of a job's configuration as the REST interface has it:
// ElasticJob's JobSettings for a job of 2.1.x, its JobConfigurationPOJO for one
// of 3.x.
type configKey struct {
	key string
	// read is the value for the answer.
	read func(*jobconfig.Config) any
	// write takes the value over, or says what it wants.
	write func(*jobconfig.Config, json.RawMessage) error
}

// The keys of the two generations, in the order of their documentation.
var (
	configKeys3x = []configKey{
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
		executorKey("jobExecutorServiceHandlerType", jobconfig.Dialect304),
		executorKey("jobExecutorThreadPoolSizeProviderType", jobconfig.Dialect305),
		textKey("jobErrorHandlerType", func(c *jobconfig.Config) *string { return &c.ErrorHandlerType }),
		{
			key:  "jobListenerTypes",
			read: func(c *jobconfig.Config) any { return append([]string{}, c.ListenerTypes...) },
			write: func(c *jobconfig.Config, v json.RawMessage) error {
				var names []string
				if json.Unmarshal(v, &names) != nil {
					return errors.New("a list of texts")
				}
				c.ListenerTypes = names
				return nil
			},
		},
		{
			// Blocks of other programs, with Java class names as tags. They are
			// neither shown nor taken, as in ElasticJob's own console, and stay
			// in the tree as they are.
			key:   "jobExtraConfigurations",
			read:  func(*jobconfig.Config) any { return nil },
			write: func(*jobconfig.Config, json.RawMessage) error { return nil },
		},
		textKey("description", func(c *jobconfig.Config) *string { return &c.Description }),
		{
			key: "props",
			read: func(c *jobconfig.Config) any {
				if c.Props == nil {
					return map[string]string{}
				}
				return c.Props
			},
			write: func(c *jobconfig.Config, v json.RawMessage) error {
				var props map[string]string
				if json.Unmarshal(v, &props) != nil {
					return errors.New("an object with texts")
				}
				c.Props = props
				return nil
			},
		},
		flagKey("disabled", func(c *jobconfig.Config) *bool { return &c.Disabled }),
		flagKey("overwrite", func(c *jobconfig.Config) *bool { return &c.Overwrite }),
		textKey("label", func(c *jobconfig.Config) *string { return &c.Label }),
		flagKey("staticSharding", func(c *jobconfig.Config) *bool { return &c.StaticSharding }),
	}

	configKeys2x = slices.Concat(pick2x(), []configKey{
		fixedKey("jobType", func(c *jobconfig.Config) any { return c.JobType }),
		fixedKey("jobClass", func(c *jobconfig.Config) any { return c.JobClass }),
		textKey("jobShardingStrategyClass", func(c *jobconfig.Config) *string { return &c.StrategyType }),
		{
			key: "jobProperties",
			read: func(c *jobconfig.Config) any {
				return map[string]string{"executor_service_handler": c.ExecutorType, "job_exception_handler": c.ErrorHandlerType}
			},
			write: writeHandlers,
		},
		{
			key:  "streamingProcess",
			read: func(c *jobconfig.Config) any { return c.Props[jobconfig.PropStreaming] == "true" },
			write: func(c *jobconfig.Config, v json.RawMessage) error {
				on, err := flagOf(v)
				if err == nil {
					setProp(c, jobconfig.PropStreaming, strconv.FormatBool(on), on)
				}
				return err
			},
		},
		{
			key:  "scriptCommandLine",
			read: func(c *jobconfig.Config) any { return c.Props[jobconfig.PropCommandLine] },
			write: func(c *jobconfig.Config, v json.RawMessage) error {
				line, err := textOf(v)
				if err == nil {
					setProp(c, jobconfig.PropCommandLine, line, line != "")
				}
				return err
			},
		},
	})
)

// pick2x are the keys that 2.1.x calls by the same names.
func pick2x() []configKey {
	shared := []string{
		"jobName", "cron", "shardingTotalCount", "shardingItemParameters", "jobParameter", "monitorExecution", "failover",
		"misfire", "maxTimeDiffSeconds", "reconcileIntervalMinutes", "description", "disabled", "overwrite",
	}
	return slices.DeleteFunc(slices.Clone(configKeys3x), func(s configKey) bool { return !slices.Contains(shared, s.key) })
}

// setProp sets a prop, or, where none was, leaves it away if it says nothing.
func setProp(c *jobconfig.Config, key, value string, says bool) {
	if _, stored := c.Props[key]; !stored && !says {
		return
	}
	if c.Props == nil {
		c.Props = make(map[string]string)
	}
	c.Props[key] = value
}

func writeHandlers(c *jobconfig.Config, v json.RawMessage) error {
	var handlers map[string]string
	if json.Unmarshal(v, &handlers) != nil {
		return errors.New("an object with texts")
	}
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
	return nil
}

func configKeysOf(c *jobconfig.Config) []configKey {
	if c.Generation == jobconfig.Generation2x {
		return configKeys2x
	}
	return configKeys3x
}

func textKey(key string, at func(*jobconfig.Config) *string) configKey {
	return configKey{key,
		func(c *jobconfig.Config) any { return *at(c) },
		func(c *jobconfig.Config, v json.RawMessage) error {
			s, err := textOf(v)
			if err == nil {
				*at(c) = s
			}
			return err
		},
	}
}

func numberKey(key string, at func(*jobconfig.Config) *int) configKey {
	bounds, _ := jobconfig.NumberBounds(key)
	return configKey{key,
		func(c *jobconfig.Config) any { return *at(c) },
		func(c *jobconfig.Config, v json.RawMessage) error {
			if string(v) == "null" {
				return nil // says nothing
			}
			// ElasticJob's 2.x console sends what stands in its input fields. A
			// number that a node can hold is judged with the rest, since it may be
			// there already.
			n, err := strconv.ParseInt(strings.Trim(string(v), `"`), 10, 32)
			if err != nil {
				return errors.New(bounds.String())
			}
			*at(c) = int(n)
			return nil
		},
	}
}

func flagKey(key string, at func(*jobconfig.Config) *bool) configKey {
	return configKey{key,
		func(c *jobconfig.Config) any { return *at(c) },
		func(c *jobconfig.Config, v json.RawMessage) error {
			if string(v) == "null" {
				return nil
			}
			b, err := flagOf(v)
			if err == nil {
				*at(c) = b
			}
			return err
		},
	}
}

// executorKey is the thread pool under the key of one dialect. A document
// has one of the two keys; the other one is neither shown nor, if it comes
// without a value, a change.
func executorKey(key string, dialect jobconfig.Dialect) configKey {
	return configKey{key,
		func(c *jobconfig.Config) any {
			if c.Dialect != dialect {
				return nil
			}
			return c.ExecutorType
		},
		func(c *jobconfig.Config, v json.RawMessage) error {
			s, err := textOf(v)
			switch {
			case err != nil:
				return err
			case s == "" && c.Dialect != dialect:
				return nil
			case s != "" && c.ExecutorType == "":
				c.Dialect = dialect // nothing stored tells what the agents read
			}
			c.ExecutorType = s
			return nil
		},
	}
}

// fixedKey is shown and can come back, but not change.
func fixedKey(key string, read func(*jobconfig.Config) any) configKey {
	return configKey{key, read, func(c *jobconfig.Config, v json.RawMessage) error {
		now, err := json.Marshal(read(c))
		if string(v) != "null" && (err != nil || !bytes.Equal(v, now)) {
			return fmt.Errorf("%s, which cannot be changed here", now)
		}
		return nil
	}}
}

func textOf(v json.RawMessage) (string, error) {
	var s string // null is the empty text
	if json.Unmarshal(v, &s) != nil {
		return "", errors.New("text")
	}
	return s, nil
}

func flagOf(v json.RawMessage) (bool, error) {
	switch strings.Trim(string(v), `"`) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, errors.New("true or false")
}

// configBody is a configuration in an answer: values by key.
type configBody map[string]any

// configJSON is a configuration for an answer.
func configJSON(c *jobconfig.Config, operates bool) configBody {
	if !operates {
		c = console.MaskedConfig(c)
	}
	body := make(configBody)
	for _, s := range configKeysOf(c) {
		if strings.HasPrefix(s.key, "jobExecutor") && s.read(c) == nil {
			continue
		}
		body[s.key] = s.read(c)
	}
	return body
}

// unmask puts the stored values back where a configuration that was edited has
// what a guest was shown of them. A value that has *** in it and is not just that
// is refused: it would overwrite a secret with a piece of its mask.
func unmask(stored, edited *jobconfig.Config) error {
	var problems []error
	restore := func(field, name, before string, now *string) {
		meant, ok := mask.Kept(name, before, *now)
		if !ok {
			problems = append(problems, &jobconfig.FieldError{Field: field, Want: "the whole value: " + mask.Hidden + " stands for a secret that was not shown"})
			return
		}
		*now = meant
	}
	before := console.FreeTexts(stored)
	for field, now := range console.FreeTexts(edited) {
		restore(field, field, *before[field], now)
	}
	for _, key := range view.SortedKeys(edited.Props) {
		value := edited.Props[key]
		restore("props."+view.Clip(key, 100), key, stored.Props[key], &value)
		edited.Props[key] = value
	}
	return errors.Join(problems...)
}

// applyConfig changes a configuration as a request's body says. Keys that are
// not in the body keep their values. All problems are returned, each a
// *jobconfig.FieldError.
func applyConfig(c *jobconfig.Config, body map[string]json.RawMessage) error {
	var problems []error
	known := configKeysOf(c)
	for _, s := range known {
		v, ok := body[s.key]
		if !ok {
			continue
		}
		if err := s.write(c, v); err != nil {
			problems = append(problems, &jobconfig.FieldError{Field: s.key, Value: view.Clip(string(v), 100), Want: err.Error()})
		}
	}
	for _, key := range view.SortedKeys(body) {
		if !slices.ContainsFunc(known, func(s configKey) bool { return s.key == key }) {
			problems = append(problems, &jobconfig.FieldError{Field: view.Clip(key, 100), Value: view.Clip(string(body[key]), 100),
				Want: "no such key: jobs of ElasticJob " + c.Generation.String() + " do not have it"})
		}
	}
	return errors.Join(problems...)
}

// changedKeys names the keys in which two configurations differ, and of the
// props each one.
func changedKeys(before, after *jobconfig.Config) []string {
	changed := []string{}
	for _, s := range configKeysOf(after) {
		a, errA := json.Marshal(s.read(before))
		b, errB := json.Marshal(s.read(after))
		if errA == nil && errB == nil && bytes.Equal(a, b) {
			continue
		}
		changed = append(changed, s.key)
		if s.key == "props" {
			for _, key := range changedProps(before, after) {
				changed = append(changed, "props."+view.Clip(key, 100))
			}
		}
	}
	return changed
}
