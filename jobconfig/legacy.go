package jobconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
	"github.com/elasticjob-go/elasticjob/internal/rawjson"
)

// legacyOnly are keys of a 2.1.x configuration that 3.x never had. They distinguish the JSON of
// 2.1.x from a 3.x document in JSON style.
var legacyOnly = []string{
	"jobType", "jobClass", "jobProperties", "monitorPort", "jobShardingStrategyClass",
	"streamingProcess", "scriptCommandLine",
}

// legacyMembers returns the members of data if it is a 2.1.x document.
func legacyMembers(data []byte) (rawjson.Object, bool) {
	trimmed := bytes.TrimSpace(data)
	if len(trimmed) == 0 || trimmed[0] != '{' {
		return nil, false
	}
	members, err := rawjson.Parse(trimmed)
	if err != nil {
		return nil, false
	}
	return members, slices.ContainsFunc(members, func(m rawjson.Member) bool { return slices.Contains(legacyOnly, m.Key) })
}

// The members of jobProperties.
const (
	legacyProperties   = "jobProperties"
	legacyErrorHandler = "job_exception_handler"
	legacyExecutor     = "executor_service_handler"
)

// legacyField connects a member of the 2.1.x document with a part of Config.
type legacyField struct {
	key   string
	read  func(c *Config, value json.RawMessage) error
	value func(c *Config) any // the value to write; nil removes the member
}

var legacyFields = []legacyField{
	legacyValue("jobName", jsonText, func(c *Config) *string { return &c.Name }),
	{"jobClass", func(c *Config, v json.RawMessage) (err error) { c.JobClass, err = jsonText(v); return err }, nil},
	{"jobType", func(c *Config, v json.RawMessage) (err error) { c.JobType, err = jsonText(v); return err }, nil},
	legacyValue("cron", jsonText, func(c *Config) *string { return &c.Cron }),
	legacyValue("shardingTotalCount", jsonInt, func(c *Config) *int { return &c.Shards }),
	legacyValue("shardingItemParameters", jsonText, func(c *Config) *string { return &c.ItemParameters }),
	legacyValue("jobParameter", jsonText, func(c *Config) *string { return &c.Parameter }),
	legacyValue("failover", jsonBool, func(c *Config) *bool { return &c.Failover }),
	legacyValue("misfire", jsonBool, func(c *Config) *bool { return &c.Misfire }),
	legacyValue("description", jsonText, func(c *Config) *string { return &c.Description }),
	{
		key:  "streamingProcess",
		read: func(c *Config, v json.RawMessage) error { return c.setLegacyProp(PropStreaming, v) },
		value: func(c *Config) any {
			s, ok := c.Props[PropStreaming]
			if !ok {
				return nil
			}
			if b, err := strconv.ParseBool(s); err == nil {
				return b
			}
			return s
		},
	},
	{
		key:  "scriptCommandLine",
		read: func(c *Config, v json.RawMessage) error { return c.setLegacyProp(PropCommandLine, v) },
		value: func(c *Config) any {
			if s, ok := c.Props[PropCommandLine]; ok {
				return s
			}
			return nil
		},
	},
	legacyValue("monitorExecution", jsonBool, func(c *Config) *bool { return &c.MonitorExecution }),
	legacyValue("maxTimeDiffSeconds", jsonInt, func(c *Config) *int { return &c.MaxTimeDiffSeconds }),
	legacyValue("jobShardingStrategyClass", jsonText, func(c *Config) *string { return &c.StrategyType }),
	legacyValue("reconcileIntervalMinutes", jsonInt, func(c *Config) *int { return &c.ReconcileMinutes }),
	legacyValue("disabled", jsonBool, func(c *Config) *bool { return &c.Disabled }),
	legacyValue("overwrite", jsonBool, func(c *Config) *bool { return &c.Overwrite }),
}

func legacyValue[T any](key string, read func(json.RawMessage) (T, error), at func(*Config) *T) legacyField {
	return legacyField{key,
		func(c *Config, v json.RawMessage) (err error) { *at(c), err = read(v); return err },
		func(c *Config) any { return *at(c) }}
}

func (c *Config) setLegacyProp(key string, v json.RawMessage) error {
	s, err := jsonText(v)
	if err != nil {
		return err
	}
	if c.Props == nil {
		c.Props = make(map[string]string)
	}
	c.Props[key] = s
	return nil
}

// jsonText reads a string, or the text of a number or boolean. Null is empty.
func jsonText(v json.RawMessage) (string, error) {
	switch {
	case string(v) == "null":
		return "", nil
	case v[0] == '{' || v[0] == '[':
		return "", fmt.Errorf("is %s, want text", v)
	case v[0] != '"':
		return string(v), nil
	}
	var s string
	err := json.Unmarshal(v, &s)
	return s, err
}

func jsonBool(v json.RawMessage) (bool, error) {
	s, err := jsonText(v)
	if err == nil {
		switch strings.ToLower(s) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
	}
	return false, fmt.Errorf("is %s, want true or false", v)
}

func jsonInt(v json.RawMessage) (int, error) {
	if s, err := jsonText(v); err == nil {
		if n, err := strconv.ParseInt(s, 10, 32); err == nil {
			return int(n), nil
		}
	}
	return 0, fmt.Errorf("is %s, want a whole number", v)
}

// decodeLegacy reads the JSON of ElasticJob 2.1.x. Missing keys get its reader's defaults:
// monitorExecution on, no clock check, 10 minutes between reconciliations, everything else off or
// empty.
func decodeLegacy(data []byte, members rawjson.Object) (*Config, error) {
	c := &Config{
		Generation:         Generation2x,
		MonitorExecution:   true,
		MaxTimeDiffSeconds: -1,
		ReconcileMinutes:   10,
	}
	fail := func(field string, err error) error {
		line := 0
		if at := bytes.Index(data, []byte(strconv.Quote(field))); at >= 0 {
			line = 1 + bytes.Count(data[:at], []byte("\n"))
		}
		return fmt.Errorf("decode configuration: %w", &javayaml.SyntaxError{Line: line, Field: field, Reason: err.Error()})
	}
	for _, m := range members {
		if m.Key == legacyProperties {
			if err := c.readLegacyProperties(m.Value); err != nil {
				return nil, fail(m.Key, err)
			}
			continue
		}
		for _, f := range legacyFields {
			if f.key != m.Key {
				continue
			}
			if err := f.read(c, m.Value); err != nil {
				return nil, fail(m.Key, err)
			}
		}
	}
	c.origin = &origin{raw: bytes.Clone(data), json: members}
	c.origin.base = *c.Clone()
	c.origin.base.origin = nil
	return c, nil
}

func (c *Config) readLegacyProperties(value json.RawMessage) error {
	if string(value) == "null" {
		return nil
	}
	properties, err := rawjson.Parse(value)
	if err != nil {
		return fmt.Errorf("is %s, want keys with values", value)
	}
	for _, p := range properties {
		switch p.Key {
		case legacyErrorHandler:
			c.ErrorHandlerType, err = jsonText(p.Value)
		case legacyExecutor:
			c.ExecutorType, err = jsonText(p.Value)
		}
		if err != nil {
			return fmt.Errorf("%s %w", p.Key, err)
		}
	}
	return nil
}

// encodeLegacy writes the JSON of 2.1.x: the stored members in order with changed values, then new
// members.
func (c *Config) encodeLegacy() ([]byte, error) {
	if c.origin == nil || c.origin.json == nil {
		return nil, errors.New("encode configuration: creating ElasticJob 2.1.x configurations is not supported; existing ones can be read and edited")
	}
	base := &c.origin.base
	if c.Equal(base) {
		return bytes.Clone(c.origin.raw), nil
	}
	if err := c.checkLegacy(); err != nil {
		return nil, err
	}
	members := c.origin.json
	for _, f := range legacyFields {
		if f.value == nil || f.value(c) == f.value(base) {
			continue
		}
		var err error
		if members, err = setMember(members, f.key, f.value(c)); err != nil {
			return nil, err
		}
	}
	if c.ErrorHandlerType != base.ErrorHandlerType || c.ExecutorType != base.ExecutorType {
		properties, err := c.legacyProperties(members)
		if err != nil {
			return nil, err
		}
		if members, err = setMember(members, legacyProperties, properties); err != nil {
			return nil, err
		}
	}
	return members.Encode(), nil
}

// legacyProperties returns the jobProperties object with c's handlers.
func (c *Config) legacyProperties(members rawjson.Object) (json.RawMessage, error) {
	var properties rawjson.Object
	if value, found := members.Get(legacyProperties); found && string(value) != "null" {
		var err error
		if properties, err = rawjson.Parse(value); err != nil {
			return nil, fmt.Errorf("encode configuration: %s: %w", legacyProperties, err)
		}
	}
	for _, p := range []struct{ key, now, before string }{
		{legacyErrorHandler, c.ErrorHandlerType, c.origin.base.ErrorHandlerType},
		{legacyExecutor, c.ExecutorType, c.origin.base.ExecutorType},
	} {
		if p.now == p.before {
			continue
		}
		var value any
		if p.now != "" {
			value = p.now // an empty name would be looked up as a class
		}
		var err error
		if properties, err = setMember(properties, p.key, value); err != nil {
			return nil, err
		}
	}
	return properties.Encode(), nil
}

// checkLegacy refuses values without a key in 2.1.x.
func (c *Config) checkLegacy() error {
	var problems []error
	refuse := func(set bool, field string) {
		if set {
			problems = append(problems, fmt.Errorf("encode configuration: ElasticJob 2.1.x has no %s", field))
		}
	}
	refuse(c.TimeZone != "", "timeZone")
	refuse(c.Label != "", "label")
	refuse(c.StaticSharding, "staticSharding")
	refuse(len(c.ListenerTypes) > 0, "jobListenerTypes")
	refuse(c.Cron == "", "one-off jobs; cron is required")
	for key := range c.Props {
		refuse(key != PropStreaming && key != PropCommandLine, "props."+key)
	}
	return errors.Join(problems...)
}

// setMember replaces or appends the value of key. Nil removes it.
func setMember(members rawjson.Object, key string, value any) (rawjson.Object, error) {
	if value == nil {
		return members.Without(key), nil
	}
	text, err := rawjson.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("encode configuration: %s: %w", key, err)
	}
	return members.With(key, text), nil
}
