package params

import (
	"bytes"
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/runparams"
)

// checked is the value of a checked box.
const checked = "true"

// Fill returns the values of the fields for parameters, nil for a new run. Absent parameters have
// their defaults. The parameters fit if the fields make the same ones again, because the fields
// can't express everything in JSON.
func (f *Form) Fill(params json.RawMessage) (typed url.Values, fits bool) {
	typed, fits = url.Values{}, true
	object, err := membersOf(params)
	fillFields(f.Fields, object, typed, &fits)
	if len(params) == 0 {
		return typed, fits
	}
	if err != nil || !fits {
		return typed, false
	}
	again, broken := f.Build(typed)
	return typed, len(broken) == 0 && same(f.Schema, params, again)
}

func membersOf(object json.RawMessage) (members map[string]json.RawMessage, err error) {
	if len(object) > 0 {
		err = json.Unmarshal(object, &members)
	}
	return members, err
}

func fillFields(fields []*Field, object map[string]json.RawMessage, typed url.Values, fits *bool) {
	for _, f := range fields {
		value := object[f.Property]
		if len(value) == 0 || string(value) == "null" { // a null counts as left out
			value = f.Schema.Default
		}
		if f.Kind == Group {
			inner, err := membersOf(value)
			*fits = *fits && err == nil
			fillFields(f.Below, inner, typed, fits)
			continue
		}
		if len(value) == 0 {
			continue
		}
		text, ok := f.text(value)
		*fits = *fits && ok
		if ok && text != "" {
			typed.Set(f.Name, text)
		}
	}
}

// text is the text of a field for a value.
func (f *Field) text(value json.RawMessage) (text string, ok bool) {
	switch f.Kind {
	case JSON:
		return Pretty(value), true
	case Check:
		switch string(value) {
		case "true":
			return checked, true
		case "false":
			return "", true
		}
		return "", false
	case Lines:
		return f.textOfLines(value)
	}
	if text, ok = textOf(f.Schema, value); !ok {
		return "", false
	}
	if f.Kind == Input || f.Kind == Hidden {
		ok = !strings.ContainsAny(text, "\r\n") // a browser takes them out
	}
	switch {
	case f.Kind == Select:
		ok = false
		for _, choice := range f.Schema.Enum {
			known, _ := textOf(f.Schema, choice)
			ok = ok || known == text
		}
	case f.Kind != Input:
	case f.Schema.Format == runparams.FormatDate:
		_, err := time.Parse(time.DateOnly, text)
		ok = ok && err == nil
	case f.InUTC():
		t, err := time.Parse(time.RFC3339, text)
		return t.UTC().Format("2006-01-02T15:04:05.999"), ok && err == nil
	}
	return text, ok
}

func (f *Field) textOfLines(value json.RawMessage) (text string, ok bool) {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		return "", false
	}
	lines := make([]string, len(list))
	for i, value := range list {
		if lines[i], ok = textOf(f.Schema.Items, value); !ok {
			return "", false
		}
	}
	return strings.Join(lines, "\n"), !f.Chips() || f.inOrder(lines)
}

// inOrder reports whether boxes can have these values: each once, in the order of the choices.
func (f *Field) inOrder(values []string) bool {
	for _, choice := range f.Schema.Items.Enum {
		if text, _ := textOf(f.Schema.Items, choice); len(values) > 0 && text == values[0] {
			values = values[1:]
		}
	}
	return len(values) == 0
}

// textOf is the text of a value: a text, or a number as it is written.
func textOf(s *runparams.Schema, value json.RawMessage) (text string, ok bool) {
	if s.Type == runparams.String {
		ok = bytes.HasPrefix(value, []byte(`"`)) && json.Unmarshal(value, &text) == nil
		return text, ok
	}
	return string(value), isNumber(string(value))
}

// same reports whether two objects are the same for a handler.
func same(s *runparams.Schema, a, b json.RawMessage) bool {
	plain := func(params json.RawMessage) any {
		d := json.NewDecoder(bytes.NewReader(s.Defaults(params)))
		d.UseNumber()
		var value any
		if d.Decode(&value) != nil {
			return nil
		}
		return plain(s, value)
	}
	return reflect.DeepEqual(plain(a), plain(b))
}

// plain leaves out values that mean as much as absent ones, and turns times to UTC.
func plain(s *runparams.Schema, value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			p := s.Property(name)
			if p == nil {
				continue // the fields do not have it
			}
			inner = plain(p, inner)
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

// isEmpty reports whether Go's decoder makes the same of a value as of an absent one.
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

// Compact is JSON without the white space between its values. Other text stays as it is, so that it
// is refused.
func Compact(text string) json.RawMessage {
	text = strings.TrimSpace(text)
	var short bytes.Buffer
	if text == "" || json.Compact(&short, []byte(text)) != nil {
		return json.RawMessage(text)
	}
	return short.Bytes()
}

// Pretty is JSON with line breaks, and without the escapes that the registry stores.
func Pretty(params json.RawMessage) string {
	if len(params) == 0 {
		return ""
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, params, "", "  ") != nil {
		return string(params)
	}
	return Unescaped(pretty.String())
}

// Unescaped undoes the escapes of encoding/json for texts within HTML.
func Unescaped(text string) string { return unescaper.Replace(text) }

var unescaper = strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\u2028`, "\u2028", `\u2029`, "\u2029")
