package runparams

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

var (
	timeType   = reflect.TypeFor[time.Time]()
	rawType    = reflect.TypeFor[json.RawMessage]()
	marshalers = []reflect.Type{
		reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](),
		reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
	}
)

// Of returns the schema of a struct and its text, always the same for the same type. The fields'
// JSON names are the properties, and tags add rules:
//
//	Month string `json:"month" param:"required;pattern=^\\d{4}-\\d\\d$;title=Month"`
//
// The entries of a tag are separated by semicolons; \; is a semicolon in a value. They are required,
// secret and multiline; title, description, default and format; pattern, minLength and maxLength;
// min and max; minItems and maxItems; and enum, with values separated by |. For a list, rules for
// texts and numbers apply to its elements. A default is JSON unless it's a text or a time.
//
// Fields can be booleans, numbers, texts, [time.Time], structs, slices, maps with text keys,
// [json.RawMessage] for anything, and pointers to them. They may be left out unless they are
// required. With omitempty, Go leaves out the zero value, so it means the default.
func Of(t reflect.Type) (*Schema, []byte, error) {
	if t == nil || t.Kind() != reflect.Struct || t == timeType {
		return nil, nil, fmt.Errorf("%v is not a struct", t)
	}
	if marshalsItself(t) {
		return nil, nil, fmt.Errorf("%v cannot be parameters: it marshals itself", t)
	}
	s, err := schemaOf(t, "", 0)
	if err != nil {
		return nil, nil, err
	}
	data := s.Text()
	if s, err = parse(data); err != nil {
		return nil, nil, err
	}
	return s, data, nil
}

var errKind = errors.New("cannot be a parameter")

// fieldError is an error that already names its field.
type fieldError struct{ error }

func fieldErrorf(format string, args ...any) error { return fieldError{fmt.Errorf(format, args...)} }

// schemaOf returns the schema of a type, which tags may still extend. at is the path of its field
// with a dot, or "".
func schemaOf(t reflect.Type, at string, depth int) (*Schema, error) {
	switch {
	case depth > MaxLevels:
		return nil, fmt.Errorf("more than %d levels", MaxLevels)
	case t == rawType:
		return new(Schema), nil
	case t == timeType:
		return &Schema{Type: String, Format: FormatDateTime}, nil
	case t.Kind() == reflect.Pointer:
		return schemaOf(t.Elem(), at, depth)
	case marshalsItself(t):
		return nil, fmt.Errorf("%w: it marshals itself", errKind)
	}
	switch t.Kind() {
	case reflect.Bool:
		return &Schema{Type: Boolean}, nil
	case reflect.String:
		if t == reflect.TypeFor[json.Number]() {
			return nil, errKind
		}
		return &Schema{Type: String}, nil
	case reflect.Float32, reflect.Float64:
		return &Schema{Type: Number}, nil
	case reflect.Struct:
		s := &Schema{Type: Object, Closed: true}
		return s, structFields(s, t, at, depth, nil)
	case reflect.Slice:
		return sliceOf(t, at, depth)
	case reflect.Map:
		if t.Key().Kind() != reflect.String || marshalsItself(t.Key()) {
			return nil, errKind
		}
		_, err := schemaOf(t.Elem(), at, depth+1) // The schema doesn't contain its elements.
		return &Schema{Type: Object}, err
	default:
		if bounds, ok := intBounds[t.Kind()]; ok {
			return &Schema{Type: Integer, Minimum: bounds[0], Maximum: bounds[1]}, nil
		}
		return nil, errKind
	}
}

func sliceOf(t reflect.Type, at string, depth int) (*Schema, error) {
	elem := t.Elem()
	if elem.Kind() == reflect.Uint8 { // JSON encodes it as a text.
		return nil, errKind
	}
	items, err := schemaOf(elem, at, depth+1)
	if err == nil && elem.Kind() == reflect.Pointer && items.Type != Object && items.Type != Array && items.Type != Anything {
		err = errKind // A nil would be a null among texts or numbers.
	}
	if err == nil {
		err = items.complete()
	}
	return &Schema{Type: Array, Items: items}, err
}

var intBounds = map[reflect.Kind][2]json.Number{
	reflect.Int: {}, reflect.Int64: {}, reflect.Int8: {"-128", "127"}, reflect.Int16: {"-32768", "32767"},
	reflect.Int32: {"-2147483648", "2147483647"}, reflect.Uint: {"0", "18446744073709551615"}, reflect.Uint64: {"0", "18446744073709551615"},
	reflect.Uint8: {"0", "255"}, reflect.Uint16: {"0", "65535"}, reflect.Uint32: {"0", "4294967295"},
}

func marshalsItself(t reflect.Type) bool {
	return slices.ContainsFunc(marshalers, func(m reflect.Type) bool {
		return t.Implements(m) || reflect.PointerTo(t).Implements(m)
	})
}

// structFields adds a struct's properties in JSON. within are the structs that embed it.
func structFields(s *Schema, t reflect.Type, at string, depth int, within []reflect.Type) error {
	for f := range t.Fields() {
		full := at + f.Name
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		tag, tagged := f.Tag.Lookup("param")
		embedded := f.Anonymous && !named(name) && structOf(f.Type) != nil
		switch {
		case f.Tag.Get("json") == "-" || !embedded && !f.IsExported():
			if tagged {
				return fieldErrorf("field %s has a param tag, but JSON leaves it out", full)
			}
			continue
		case embedded:
			inner := structOf(f.Type)
			if tagged || slices.Contains(within, inner) || !f.IsExported() && f.Type.Kind() == reflect.Pointer {
				return fieldErrorf("field %s %v %w: it is embedded", full, f.Type, errKind)
			}
			if err := structFields(s, inner, at, depth, append(slices.Clone(within), t, inner)); err != nil {
				return err
			}
			continue
		}
		if !named(name) {
			name = f.Name
		}
		if slices.Contains(strings.Split(options, ","), "string") {
			return fieldErrorf("field %s: the option string of its json tag is not allowed", full)
		}
		if slices.ContainsFunc(s.Properties, func(p Property) bool { return p.Name == name }) {
			return fieldErrorf("field %s: there are two fields with the name %s", full, name)
		}
		property, required, err := fieldOf(f, full, tag, depth)
		if err != nil {
			return err
		}
		s.Properties = append(s.Properties, Property{Name: name, Schema: property})
		if required {
			s.Required = append(s.Required, name)
		}
	}
	return nil
}

// structOf returns the struct of an embedded field, or nil.
func structOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

// named reports whether encoding/json uses a tag's name instead of the field's.
func named(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

func fieldOf(f reflect.StructField, full, tag string, depth int) (s *Schema, required bool, err error) {
	s, err = schemaOf(f.Type, full+".", depth+1)
	if err == nil {
		required, err = s.apply(tag)
	}
	if err == nil {
		err = s.complete()
	}
	_, named := errors.AsType[fieldError](err)
	switch {
	case named:
		return nil, false, err
	case errors.Is(err, errKind):
		return nil, false, fieldErrorf("field %s %v %w", full, f.Type, err)
	case err != nil:
		return nil, false, fieldErrorf("field %s: %w", full, err)
	}
	// A struct with only optional fields, of which some have a default, is never nil.
	if s.Default == nil && f.Type.Kind() == reflect.Struct && s.Type == Object && len(s.Required) == 0 &&
		slices.ContainsFunc(s.Properties, func(p Property) bool { return p.Schema.Default != nil }) {
		s.Default = json.RawMessage("{}")
	}
	return s, required, nil
}

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
