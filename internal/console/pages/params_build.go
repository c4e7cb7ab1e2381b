package pages

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/rawjson"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
)

// build makes parameters of what was typed. What is left empty is left out; a number
// that is none is a text, for the check to refuse. The fields for JSON in which there is
// none are broken.
func (f *paramForm) build(typed url.Values) (params json.RawMessage, broken []*paramField) {
	b := paramBuilder{typed: typed, fresh: f.fresh}
	raw, _ := b.object(f.fields)
	return raw, b.broken
}

type paramBuilder struct {
	typed, fresh url.Values
	broken       []*paramField
}

// object returns the object of some fields, and whether somebody typed into one.
func (b *paramBuilder) object(fields []*paramField) (raw json.RawMessage, touched bool) {
	var members rawjson.Object
	for _, f := range fields {
		value, changed := b.value(f)
		touched = touched || changed
		if value != nil {
			members = append(members, rawjson.Member{Key: f.property, Value: value})
		}
	}
	return members.Encode(), touched
}

// value returns the value of a field, nil if it is left out. An object that may be left
// out is, unless somebody typed into it.
func (b *paramBuilder) value(f *paramField) (value json.RawMessage, touched bool) {
	if f.kind == paramGroup {
		value, touched = b.object(f.below)
		if !touched && !f.required {
			value = nil
		}
		return value, touched
	}
	text := b.typed.Get(f.name)
	sent := f.kind == paramCheck || f.chips() || b.typed.Has(f.name)
	touched = sent && text != b.fresh.Get(f.name)
	if f.kind == paramCheck {
		switch {
		case text != "":
			return json.RawMessage("true"), touched
		case f.required || string(f.schema.Default) == "true":
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
func (f *paramField) one(text string) (value json.RawMessage, ok bool) {
	switch f.kind {
	case paramJSON:
		if text = strings.TrimSpace(text); text == "" {
			return nil, true
		}
		return compact(text), json.Valid([]byte(text))
	case paramLines:
		if f.chips() && text == "" && f.schema.Default != nil {
			return json.RawMessage("[]"), true // left out, the default would stand for it
		}
		return f.lines(text), true
	case paramInput, paramNumber:
		if f.kind == paramNumber || f.schema.Format != "" {
			text = strings.TrimSpace(text)
		}
		if f.inUTC() {
			text = withZone(text)
		}
	}
	if text == "" {
		return nil, true
	}
	return paramValue(f.schema, text), true
}

func (f *paramField) lines(text string) json.RawMessage {
	var out bytes.Buffer
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		out.WriteByte("[,"[min(out.Len(), 1)])
		out.Write(paramValue(f.schema.Items, line))
	}
	if out.Len() == 0 {
		return nil
	}
	out.WriteByte(']')
	return out.Bytes()
}

// paramValue is a text as the schema has it.
func paramValue(s *runparams.Schema, text string) json.RawMessage {
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

// withZone is a date and a time of a browser as JSON has them; what is none stays as it
// is, to be refused.
func withZone(text string) string {
	for _, form := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} { // and fractions of a second
		if t, err := time.Parse(form, text); err == nil {
			return t.Format(time.RFC3339Nano)
		}
	}
	return text
}
