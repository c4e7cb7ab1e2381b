package runparams

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// apply applies a tag, and returns whether it makes the field required.
func (s *Schema) apply(tag string) (required bool, err error) {
	var seen []string
	for _, entry := range splitEscaped(tag, ';') {
		name, value, valued := strings.Cut(entry, "=")
		if name = strings.TrimSpace(name); name == "" && !valued {
			continue
		}
		if slices.Contains(seen, name) {
			return false, fmt.Errorf("%s is given twice", name)
		}
		seen = append(seen, name)
		flag, entries := map[string]*bool{"required": &required, "secret": &s.Secret, "multiline": &s.Multiline}[name], tagEntries[name]
		switch {
		case flag != nil && valued:
			return false, fmt.Errorf("%s takes no value", name)
		case flag != nil:
			*flag = true
		case entries == nil:
			return false, fmt.Errorf("unknown entry %q", name)
		case !valued:
			return false, fmt.Errorf("%s needs a value", name)
		default:
			if err := entries(s, value); err != nil {
				return false, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if s.Items != nil && len(seen) > 0 { // Its limits may be new.
		return required, s.Items.complete()
	}
	return required, nil
}

// one returns the schema for limits of texts and numbers: a list's elements, or the value itself.
func (s *Schema) one() *Schema {
	if s.Type == Array && s.Items != nil {
		return s.Items
	}
	return s
}

// tagEntries are the entries of a tag with a value.
var tagEntries = map[string]func(s *Schema, value string) error{
	"title":       func(s *Schema, value string) error { s.Title = value; return nil },
	"description": func(s *Schema, value string) error { s.Description = value; return nil },
	"pattern":     func(s *Schema, value string) error { return s.one().setPattern(value) },
	"minLength":   func(s *Schema, value string) error { return tagCount(value, &s.one().MinLength) },
	"maxLength":   func(s *Schema, value string) error { return tagCount(value, &s.one().MaxLength) },
	"minItems":    func(s *Schema, value string) error { return tagCount(value, &s.MinItems) },
	"maxItems":    func(s *Schema, value string) error { return tagCount(value, &s.MaxItems) },
	"min":         func(s *Schema, value string) error { return s.one().tagBound(value, &s.one().Minimum) },
	"max":         func(s *Schema, value string) error { return s.one().tagBound(value, &s.one().Maximum) },
	"format": func(s *Schema, value string) error {
		if of := s.one(); of.Format == "" || of.Format == value {
			return of.setFormat(value)
		}
		return fmt.Errorf("a time.Time has the format %s", s.one().Format)
	},
	"enum": func(s *Schema, value string) error {
		for _, choice := range splitEscaped(value, '|') {
			s.one().Enum = append(s.one().Enum, s.one().literal(choice))
		}
		return nil
	},
	"default": func(s *Schema, value string) error {
		var b bytes.Buffer
		if err := json.Compact(&b, s.literal(value)); err != nil {
			return fmt.Errorf("%s is not valid JSON", strconv.Quote(value))
		}
		if s.Default = b.Bytes(); b.String() == "null" {
			return errors.New("null has no effect; leave it out")
		}
		return nil
	},
}

// literal returns a tag's value as JSON.
func (s *Schema) literal(value string) json.RawMessage {
	if s.Type == String {
		return encoded(value)
	}
	return json.RawMessage(value)
}

func tagCount(value string, to **int) error {
	return readCount(node{kind: number, text: value}, to)
}

// tagBound sets a limit of a number, which must fit the field's type.
func (s *Schema) tagBound(value string, to *json.Number) error {
	low, high, want := string(s.Minimum), string(s.Maximum), s.phrase()
	if s.Type == Integer {
		low, high = s.wholeBounds()
		want = "a whole number from " + low + " to " + high
	}
	if !json.Valid([]byte(value)) || low != "" && less(value, low) || high != "" && less(high, value) {
		return fmt.Errorf("%s is not allowed; want %s", value, want)
	}
	return readNumber(node{kind: number, text: value}, to)
}

// splitEscaped splits a text at separators without a backslash before them.
func splitEscaped(s string, separator byte) []string {
	var parts []string
	var part []byte
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == separator:
			part = append(part, separator)
			i++
		case s[i] == separator:
			parts, part = append(parts, string(part)), nil
		default:
			part = append(part, s[i])
		}
	}
	return append(parts, string(part))
}
