package params

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/rawjson"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
)

// Build makes parameters of the values of the fields. Empty fields are left out. A number that can't be
// read becomes a text, which the check refuses. Fields for JSON without valid JSON are broken.
func (f *Form) Build(typed url.Values) (params json.RawMessage, broken []*Field) {
	b := builder{typed: typed, fresh: f.Fresh}
	raw, _ := b.object(f.Fields)
	return raw, b.broken
}

type builder struct {
	typed, fresh url.Values
	broken       []*Field
}

// object returns the object of some fields, and whether one of them was changed.
func (b *builder) object(fields []*Field) (raw json.RawMessage, touched bool) {
	var members rawjson.Object
	for _, f := range fields {
		value, changed := b.value(f)
		touched = touched || changed
		if value != nil {
			members = append(members, rawjson.Member{Key: f.Property, Value: value})
		}
	}
	return members.Encode(), touched
}

// value returns the value of a field, nil if it is left out. An optional object is left out unless one
// of its fields was changed.
func (b *builder) value(f *Field) (value json.RawMessage, touched bool) {
	if f.Kind == Group {
		value, touched = b.object(f.Below)
		if !touched && !f.Required {
			value = nil
		}
		return value, touched
	}
	text := b.typed.Get(f.Name)
	sent := f.Kind == Check || f.Chips() || b.typed.Has(f.Name)
	touched = sent && text != b.fresh.Get(f.Name)
	if f.Kind == Check {
		switch {
		case text != "":
			return json.RawMessage("true"), touched
		case f.Required || string(f.Schema.Default) == "true":
			return json.RawMessage("false"), touched
		}
		return nil, touched
	}
	value, ok := f.one(text)
	if !ok {
		b.broken = append(b.broken, f)
		return nil, touched
	}
	return value, touched
}

// one is the value of a text; nil for none.
func (f *Field) one(text string) (value json.RawMessage, ok bool) {
	switch f.Kind {
	case JSON:
		if text = strings.TrimSpace(text); text == "" {
			return nil, true
		}
		return Compact(text), json.Valid([]byte(text))
	case Lines:
		if f.Chips() && text == "" && f.Schema.Default != nil {
			return json.RawMessage("[]"), true // if left out, it would have the default
		}
		return f.lines(text), true
	case Input, Number:
		if f.Kind == Number || f.Schema.Format != "" {
			text = strings.TrimSpace(text)
		}
		if f.InUTC() {
			text = withZone(text)
		}
	}
	if text == "" {
		return nil, true
	}
	return valueOf(f.Schema, text), true
}

func (f *Field) lines(text string) json.RawMessage {
	var out bytes.Buffer
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		out.WriteByte("[,"[min(out.Len(), 1)])
		out.Write(valueOf(f.Schema.Items, line))
	}
	if out.Len() == 0 {
		return nil
	}
	out.WriteByte(']')
	return out.Bytes()
}

// valueOf is the value of a text by the schema.
func valueOf(s *runparams.Schema, text string) json.RawMessage {
	if s.Type != runparams.String {
		if number := strings.TrimSpace(text); isNumber(number) {
			return json.RawMessage(number)
		}
	}
	value, _ := rawjson.Marshal(text) // A text can always be encoded.
	return value
}

func isNumber(text string) bool {
	return text != "" && strings.IndexByte("-0123456789", text[0]) >= 0 && json.Valid([]byte(text))
}

// withZone is a date and a time of a browser in the form of JSON. Another text stays as it is, so that
// it is refused.
func withZone(text string) string {
	for _, form := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} { // and fractions of a second
		if t, err := time.Parse(form, text); err == nil {
			return t.Format(time.RFC3339Nano)
		}
	}
	return text
}
