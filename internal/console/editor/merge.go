package editor

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Conflict is a key that two editors have changed differently. The values are as a form shows them;
// an absent property is empty.
type Conflict struct {
	Key                string
	Base, Mine, Theirs string
}

// errorHandler2x names the error handler of a job of 2.1.x, which is a part of a key.
const errorHandler2x = "jobProperties.job_exception_handler"

// units names the parts of configurations that a merge takes as a whole: keys, and properties.
func units(configs ...*jobconfig.Config) []string {
	names := []string{configs[len(configs)-1].Dialect.ExecutorKey()}
	for _, k := range KeysOf(configs[0]) {
		if k.Kind != Other && k.Kind != Props && k.Name != "jobName" && !isExecutor(k.Name) {
			names = append(names, k.Name)
		}
	}
	if configs[0].Generation == jobconfig.Generation2x {
		return append(names, errorHandler2x)
	}
	props := make(map[string]string)
	for _, c := range configs {
		for key := range c.Props {
			props[key] = ""
		}
	}
	for _, key := range keysOfBoth(props, nil) {
		names = append(names, PropField+key)
	}
	return names
}

func isExecutor(name string) bool {
	return name == jobconfig.Dialect304.ExecutorKey() || name == jobconfig.Dialect305.ExecutorKey()
}

// valueOf is the value of a unit; nil if a configuration doesn't have it.
func valueOf(c *jobconfig.Config, name string) any {
	prop, isProp := strings.CutPrefix(name, PropField)
	switch {
	case isExecutor(name):
		return c.ExecutorType
	case name == errorHandler2x:
		return c.ErrorHandlerType
	case isProp:
		if value, ok := c.Props[prop]; ok {
			return value
		}
		return nil
	}
	return keyNamed(c, name).Read(c)
}

// take copies the value of a unit.
func take(to, from *jobconfig.Config, name string) error {
	prop, isProp := strings.CutPrefix(name, PropField)
	switch {
	case isExecutor(name):
		if to.ExecutorType == "" {
			to.Dialect = from.Dialect
		}
		to.ExecutorType = from.ExecutorType
		return nil
	case name == errorHandler2x:
		to.ErrorHandlerType = from.ErrorHandlerType
		return nil
	case isProp:
		value, ok := from.Props[prop]
		if !ok {
			delete(to.Props, prop)
			return nil
		}
		return setProp(to, prop, value, true, nil)
	}
	k := keyNamed(from, name)
	text, err := json.Marshal(k.Read(from))
	if err != nil {
		return err
	}
	return k.write(to, text)
}

// Merge is theirs with the changes from base to mine. Keys that both have changed differently are
// conflicts, and get my value unless pick has true for them. If the configuration can't have one of
// my values, Merge returns an error.
func Merge(base, mine, theirs *jobconfig.Config, pick map[string]bool) (merged *jobconfig.Config, conflicts []Conflict, err error) {
	merged = theirs.Clone()
	for _, name := range units(base, mine, theirs) {
		was, ours, others := valueOf(base, name), valueOf(mine, name), valueOf(theirs, name)
		switch {
		case reflect.DeepEqual(was, ours) || reflect.DeepEqual(ours, others):
			continue
		case !reflect.DeepEqual(was, others):
			conflicts = append(conflicts, Conflict{name, readable(was), readable(ours), readable(others)})
			if pick[name] {
				continue
			}
		}
		if err := take(merged, mine, name); err != nil {
			return nil, nil, fmt.Errorf("merge %s: %w", name, err)
		}
	}
	return merged, conflicts, nil
}

// Changed names the differences between two configurations, each property separately.
func Changed(before, after *jobconfig.Config) (names []string) {
	for _, name := range units(before, after) {
		if !reflect.DeepEqual(valueOf(before, name), valueOf(after, name)) {
			names = append(names, name)
		}
	}
	return names
}

// Change is a key that changed, with its values as a form shows them; an absent property is empty.
type Change struct{ Key, Before, After string }

// Changes are the differences between two configurations with the values of the configurations that
// shown returns, which may be masked.
func Changes(before, after *jobconfig.Config, shown func(*jobconfig.Config) *jobconfig.Config) (list []Change) {
	was, is := shown(before), shown(after)
	for _, name := range Changed(before, after) {
		list = append(list, Change{name, readable(valueOf(was, name)), readable(valueOf(is, name))})
	}
	return list
}

// readable is a value as a form shows it.
func readable(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	}
	text, _ := json.Marshal(value) // numbers, flags and lists
	return string(text)
}
