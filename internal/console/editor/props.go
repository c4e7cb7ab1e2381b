package editor

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// PropField begins the name of a field that is one property alone; its key follows. Such
// a field that is sent empty takes the property away.
const PropField = "props."

// OwnProps are the properties that have such a field: those that the pages know, so that
// nobody needs to remember their keys. All others are keys with values.
var OwnProps = []string{
	quartz.ZoneProp, quartz.FromProp, quartz.UntilProp, quartz.ExcludeProp, quartz.JitterProp, quartz.ClockChangeProp,
	runs.PropAssign, runs.PropOverlap, runs.PropRetries, runs.PropBackoff, runs.PropMost, runs.PropTimeout,
	runs.PropLost, runs.PropExpiry, runs.PropKeep, runs.PropPause, runs.PropLog,
}

// PropKey is a property as a key of a form.
func PropKey(prop string) Key {
	return Key{Name: PropField + prop, Kind: Text, Read: func(c *jobconfig.Config) any { return c.Props[prop] }}
}

// mostProps bounds the properties of a form.
const mostProps = 500

// hasProps reports whether a form says anything of properties.
func hasProps(form url.Values) bool {
	return form.Has(PropKeyField) || slices.ContainsFunc(OwnProps, func(key string) bool { return form.Has(PropField + key) })
}

// propsOf are the properties that a form says. One with a field of its own that the form
// does not have stays as it is stored, as do all that have none if it has no rows.
func propsOf(stored *jobconfig.Config, form url.Values, seen func(string) string) (map[string]string, error) {
	props := make(map[string]string)
	for key, value := range stored.Props {
		if !form.Has(PropKeyField) || slices.Contains(OwnProps, key) {
			props[key] = value
		}
	}
	rows, err := propRows(stored, form, seen)
	if err != nil {
		return nil, err
	}
	for _, key := range OwnProps {
		value, before := form.Get(PropField+key), stored.Props[key]
		row, typed := rows[key]
		_, known := stored.Props[key]
		switch {
		case typed && strings.TrimSpace(value) != "":
			return nil, refuseProp(key, "each key once: it has a field of its own")
		case typed:
			props[key] = row
			continue
		case !form.Has(PropField + key):
			continue
		}
		if value = kept(before, value, seen); value != before {
			value = strings.TrimSpace(value)
		}
		if props[key] = value; value == "" && !(known && before == "") {
			delete(props, key)
		}
	}
	for key, value := range rows {
		props[key] = value
	}
	return props, nil
}

// propRows are the keys with their values.
func propRows(stored *jobconfig.Config, form url.Values, seen func(string) string) (map[string]string, error) {
	keys, values := form[PropKeyField], form[PropValueField]
	if len(keys) > mostProps || len(keys) != len(values) {
		return nil, refuseProp(strconv.Itoa(len(keys)), "at most "+strconv.Itoa(mostProps)+" properties, each a key with a value")
	}
	props, shown := make(map[string]string), make(map[string]string) // shown: what the reader sees of a stored key -> the key
	for key := range stored.Props {
		shown[seen(key)] = key
	}
	for i, key := range keys {
		if key = strings.TrimSpace(key); key == "" {
			if values[i] != "" {
				return nil, refuseProp("", "a key for each value")
			}
			continue
		}
		if real, ok := shown[key]; ok {
			key = real
		}
		if _, twice := props[key]; twice {
			return nil, refuseProp(key, "each key once")
		}
		props[key] = kept(stored.Props[key], values[i], seen)
	}
	return props, nil
}

func refuseProp(key, want string) error {
	return &jobconfig.FieldError{Field: "props", Value: key, Want: want}
}
