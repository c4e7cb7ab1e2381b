package pages

import (
	"bytes"
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/runparams"
)

// checked is what a box sends that is checked.
const checked = "true"

// fill returns what stands in the fields for parameters, none at all for a new run. The
// defaults stand in those that are left out. It fits if the fields make the same
// parameters again: they cannot have everything that JSON can.
func (f *paramForm) fill(params json.RawMessage) (typed url.Values, fits bool) {
	typed, fits = url.Values{}, true
	object, err := membersOf(params)
	fillParams(f.fields, object, typed, &fits)
	if len(params) == 0 {
		return typed, fits
	}
	if err != nil || !fits {
		return typed, false
	}
	again, broken := f.build(typed)
	return typed, len(broken) == 0 && sameParams(f.schema, params, again)
}

func membersOf(object json.RawMessage) (members map[string]json.RawMessage, err error) {
	if len(object) > 0 {
		err = json.Unmarshal(object, &members)
	}
	return members, err
}

func fillParams(fields []*paramField, object map[string]json.RawMessage, typed url.Values, fits *bool) {
	for _, f := range fields {
		value := object[f.property]
		if len(value) == 0 || string(value) == "null" { // a null counts as left out
			value = f.schema.Default
		}
		if f.kind == paramGroup {
			inner, err := membersOf(value)
			*fits = *fits && err == nil
			fillParams(f.below, inner, typed, fits)
			continue
		}
		if len(value) == 0 {
			continue
		}
		text, ok := f.text(value)
		*fits = *fits && ok
		if ok && text != "" {
			typed.Set(f.name, text)
		}
	}
}

// text is what stands in a field for a value.
func (f *paramField) text(value json.RawMessage) (text string, ok bool) {
	switch f.kind {
	case paramJSON:
		return shownParams(value), true
	case paramCheck:
		switch string(value) {
		case "true":
			return checked, true
		case "false":
			return "", true
		}
		return "", false
	case paramLines:
		return f.textOfLines(value)
	}
	if text, ok = paramText(f.schema, value); !ok {
		return "", false
	}
	if f.kind == paramInput || f.kind == paramHidden {
		ok = !strings.ContainsAny(text, "\r\n") // a browser takes them out
	}
	switch {
	case f.kind == paramSelect:
		ok = false
		for _, choice := range f.schema.Enum {
			known, _ := paramText(f.schema, choice)
			ok = ok || known == text
		}
	case f.kind != paramInput:
	case f.schema.Format == runparams.FormatDate:
		_, err := time.Parse(time.DateOnly, text)
		ok = ok && err == nil
	case f.inUTC():
		t, err := time.Parse(time.RFC3339, text)
		return t.UTC().Format("2006-01-02T15:04:05.999"), ok && err == nil
	}
	return text, ok
}

func (f *paramField) textOfLines(value json.RawMessage) (text string, ok bool) {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		return "", false
	}
	lines := make([]string, len(list))
	for i, value := range list {
		if lines[i], ok = paramText(f.schema.Items, value); !ok {
			return "", false
		}
	}
	return strings.Join(lines, "\n"), !f.chips() || f.inOrder(lines)
}

// inOrder reports whether boxes say these values: each once, in the order of the choices.
func (f *paramField) inOrder(values []string) bool {
	for _, choice := range f.schema.Items.Enum {
		if text, _ := paramText(f.schema.Items, choice); len(values) > 0 && text == values[0] {
			values = values[1:]
		}
	}
	return len(values) == 0
}

// paramText is a text, or a number as it stands there.
func paramText(s *runparams.Schema, value json.RawMessage) (text string, ok bool) {
	if s.Type == runparams.String {
		ok = bytes.HasPrefix(value, []byte(`"`)) && json.Unmarshal(value, &text) == nil
		return text, ok
	}
	return string(value), isNumber(string(value))
}

// sameParams reports whether a handler cannot tell two objects apart.
func sameParams(s *runparams.Schema, a, b json.RawMessage) bool {
	plain := func(params json.RawMessage) any {
		d := json.NewDecoder(bytes.NewReader(s.Defaults(params)))
		d.UseNumber()
		var value any
		if d.Decode(&value) != nil {
			return nil
		}
		return plainParam(s, value)
	}
	return reflect.DeepEqual(plain(a), plain(b))
}

// plainParam leaves out what says as much as nothing, and has all times in UTC.
func plainParam(s *runparams.Schema, value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			p := s.Property(name)
			if p == nil {
				continue // the fields do not have it
			}
			inner = plainParam(p, inner)
			if value[name] = inner; inner == nil || !s.Requires(name) && p.Default == nil && isEmpty(inner) {
				delete(value, name)
			}
		}
	case string:
		if t, err := time.Parse(time.RFC3339, value); err == nil && s.Format == runparams.FormatDateTime {
			return t.UTC().Format(time.RFC3339Nano)
		}
	}
	return value
}

// isEmpty reports whether Go's decoder makes the same of a value as of none.
func isEmpty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case bool:
		return !value
	case string:
		return value == ""
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}
