package editor

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Conflict is a key that two people have changed, each in another way. The values
// are as a form shows them; an absent property is empty.
type Conflict struct {
	Key                string
	Base, Mine, Theirs string
}

// unit is what a merge takes as a whole: a key, or one property.
type unit struct {
	name string
	// value is nil if there is none.
	value func(*jobconfig.Config) []byte
	// take makes the value in to that of from.
	take func(to, from *jobconfig.Config) error
}

// Merge is theirs with the changes that lead from base to mine. Keys that both
// have changed in different ways are conflicts, and have the value that pick names
// for the key: mine, unless theirs[key]. A value of mine that the configuration cannot
// take is an error, and nothing is merged.
func Merge(base, mine, theirs *jobconfig.Config, pick map[string]bool) (merged *jobconfig.Config, conflicts []Conflict, err error) {
	merged = theirs.Clone()
	for _, u := range units(base, mine, theirs) {
		was, ours, others := u.value(base), u.value(mine), u.value(theirs)
		switch {
		case bytes.Equal(was, ours) || bytes.Equal(ours, others):
			continue
		case !bytes.Equal(was, others):
			conflicts = append(conflicts, Conflict{u.name, readable(was), readable(ours), readable(others)})
			if pick[u.name] {
				continue
			}
		}
		if err := u.take(merged, mine); err != nil {
			return nil, nil, fmt.Errorf("merge %s: %w", u.name, err)
		}
	}
	return merged, conflicts, nil
}

// Changed names what differs between two configurations, each property by itself.
func Changed(before, after *jobconfig.Config) []string {
	var names []string
	for _, u := range units(before, after, after) {
		if !bytes.Equal(u.value(before), u.value(after)) {
			names = append(names, u.name)
		}
	}
	return names
}

// Change is a key that changed, with its values as a form shows them; an absent
// property is empty.
type Change struct{ Key, Before, After string }

// Changes are what differs between two configurations, each property by itself, with
// the values that shown leaves of them: it may mask some.
func Changes(before, after *jobconfig.Config, shown func(*jobconfig.Config) *jobconfig.Config) []Change {
	var list []Change
	was, is := shown(before), shown(after)
	for _, u := range units(before, after, after) {
		if !bytes.Equal(u.value(before), u.value(after)) {
			list = append(list, Change{u.name, readable(u.value(was)), readable(u.value(is))})
		}
	}
	return list
}

func units(configs ...*jobconfig.Config) []unit {
	list := []unit{{
		name: configs[len(configs)-1].Dialect.ExecutorKey(),
		value: func(c *jobconfig.Config) []byte {
			text, _ := json.Marshal(c.ExecutorType)
			return text
		},
		take: func(to, from *jobconfig.Config) error {
			if to.ExecutorType == "" {
				to.Dialect = from.Dialect
			}
			to.ExecutorType = from.ExecutorType
			return nil
		},
	}}
	for _, k := range KeysOf(configs[0]) {
		if k.Kind != Other && k.Kind != Props && k.Name != "jobName" && k.Name != jobconfig.Dialect304.ExecutorKey() && k.Name != jobconfig.Dialect305.ExecutorKey() {
			list = append(list, unit{k.Name, func(c *jobconfig.Config) []byte {
				text, _ := json.Marshal(k.Read(c)) // texts, numbers, flags and lists
				return text
			}, func(to, from *jobconfig.Config) error {
				text, err := json.Marshal(k.Read(from))
				if err != nil {
					return err
				}
				return k.write(to, text)
			}})
		}
	}
	if configs[0].Generation == jobconfig.Generation2x {
		list = append(list, handler2x("jobProperties.job_exception_handler"))
	}
	props := make(map[string]string)
	for _, c := range configs {
		for key := range c.Props {
			props[key] = ""
		}
	}
	for _, key := range keysOfBoth(props, nil) {
		if configs[0].Generation == jobconfig.Generation3x {
			list = append(list, property(key))
		}
	}
	return list
}

// handler2x is the error handler of a job of 2.1.x, which has no key of its own.
func handler2x(name string) unit {
	return unit{name, func(c *jobconfig.Config) []byte {
		text, _ := json.Marshal(c.ErrorHandlerType)
		return text
	}, func(to, from *jobconfig.Config) error {
		to.ErrorHandlerType = from.ErrorHandlerType
		return nil
	}}
}

func property(key string) unit {
	return unit{"props." + key, func(c *jobconfig.Config) []byte {
		value, ok := c.Props[key]
		if !ok {
			return nil
		}
		text, _ := json.Marshal(value)
		return text
	}, func(to, from *jobconfig.Config) error {
		value, ok := from.Props[key]
		if !ok {
			delete(to.Props, key)
			return nil
		}
		if to.Props == nil {
			to.Props = make(map[string]string)
		}
		to.Props[key] = value
		return nil
	}}
}

// readable is a value as a form shows it.
func readable(value []byte) string {
	var text string
	if value == nil || json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
