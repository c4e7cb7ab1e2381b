package runparams

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/rawjson"
)

// Type is the JSON type of a value, empty for any.
type Type string

const (
	Anything Type = ""
	Object   Type = "object"
	Array    Type = "array"
	String   Type = "string"
	Integer  Type = "integer"
	Number   Type = "number"
	Boolean  Type = "boolean"
)

const (
	FormatDate     = "date"
	FormatDateTime = "date-time"
	FormatEmail    = "email"
	FormatURI      = "uri"
)

// Schema describes parameters, or a value of them. [Parse] or [Of] create it. It's immutable and
// safe for concurrent use. A nil one accepts any object. Its text has the fields in this order.
type Schema struct {
	Type        Type   `json:"type,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`

	// For a text.
	Format    string         `json:"format,omitempty"`
	Pattern   *regexp.Regexp `json:"pattern,omitempty"`
	MinLength *int           `json:"minLength,omitempty"`
	MaxLength *int           `json:"maxLength,omitempty"`

	// For a number; empty for no limit.
	Minimum json.Number `json:"minimum,omitempty"`
	Maximum json.Number `json:"maximum,omitempty"`

	// For a list.
	MinItems *int `json:"minItems,omitempty"`
	MaxItems *int `json:"maxItems,omitempty"`

	// For a text or a number.
	Enum []json.RawMessage `json:"enum,omitempty"`

	Default   json.RawMessage `json:"default,omitempty"`
	Secret    bool            `json:"secret,omitempty"`
	Multiline bool            `json:"multiline,omitempty"`
	Items     *Schema         `json:"items,omitempty"` // nil for anything

	// For an object.
	Properties Properties `json:"properties,omitempty"`
	Required   []string   `json:"required,omitempty"`
	Closed     Closed     `json:"additionalProperties,omitempty"`

	index    map[string]*Schema
	required map[string]bool
	choices  map[string]bool // keys of Enum
	named    bool            // it has the name of a secret
	tagged   bool            // itself or something below is tagged as secret
	hides    bool            // itself or something below is secret, by its tag or its name
}

// Properties are the parameters of an object, in the order of the text.
type Properties []Property

type Property struct {
	Name   string
	Schema *Schema
}

func (p Properties) MarshalJSON() ([]byte, error) {
	var members rawjson.Object
	for _, one := range p {
		members = append(members, rawjson.Member{Key: one.Name, Value: one.Schema.Text()})
	}
	return members.Encode(), nil
}

// Closed means that an object has no other properties.
type Closed bool

func (c Closed) MarshalJSON() ([]byte, error) { return strconv.AppendBool(nil, !bool(c)), nil }

func (s *Schema) Property(name string) *Schema { return s.index[name] }

func (s *Schema) Requires(name string) bool { return s.required[name] }

// IsSecret reports whether the value is secret, by its tag or its name.
func (s *Schema) IsSecret() bool { return s.Secret || s.named }

// HasSecrets reports whether the value, or something in it, is secret.
func (s *Schema) HasSecrets() bool { return s.hides }

// WithoutSecrets returns the text of a schema without the defaults of secrets, or nil if it can't be read.
func WithoutSecrets(data []byte) []byte {
	s, err := Parse(data)
	if err != nil {
		return nil
	}
	s.forget()
	return s.Text()
}

func (s *Schema) forget() {
	if s.Default != nil && s.hides {
		n, _, _ := read(s.Default) // It was read before.
		if string(s.masked(n)) != string(s.Default) {
			s.Default = nil
		}
	}
	if s.Items != nil {
		s.Items.forget()
	}
	for _, p := range s.Properties {
		p.Schema.forget()
	}
}

// Text returns the schema as JSON, always the same for the same schema.
func (s *Schema) Text() []byte { return encoded(s) }

// complete checks the schema of one value, with complete parts, and prepares it for checks.
func (s *Schema) complete() error {
	for _, step := range []func() error{s.checkFit, s.checkBounds, s.checkProperties, s.checkEnum} {
		if err := step(); err != nil {
			return err
		}
	}
	s.tagged = s.Secret || s.Items != nil && s.Items.tagged ||
		slices.ContainsFunc(s.Properties, func(p Property) bool { return p.Schema.tagged })
	s.hides = s.tagged || s.Items != nil && s.Items.hides ||
		slices.ContainsFunc(s.Properties, func(p Property) bool { return p.Schema.hides })
	return s.checkDefault()
}

// checkFit: a keyword without a meaning for its type is an error.
func (s *Schema) checkFit() error {
	for _, k := range []struct {
		keyword string
		there   bool
		types   []Type
	}{
		{"properties", len(s.Properties) > 0, []Type{Object}},
		{"required", len(s.Required) > 0, []Type{Object}},
		{"additionalProperties", bool(s.Closed), []Type{Object}},
		{"items", s.Items != nil, []Type{Array}},
		{"minItems", s.MinItems != nil, []Type{Array}},
		{"maxItems", s.MaxItems != nil, []Type{Array}},
		{"enum", s.Enum != nil, []Type{String, Integer, Number}},
		{"minimum", s.Minimum != "", []Type{Integer, Number}},
		{"maximum", s.Maximum != "", []Type{Integer, Number}},
		{"minLength", s.MinLength != nil, []Type{String}},
		{"maxLength", s.MaxLength != nil, []Type{String}},
		{"pattern", s.Pattern != nil, []Type{String}},
		{"format", s.Format != "", []Type{String}},
		{"multiline", s.Multiline, []Type{String}},
	} {
		if k.there && !slices.Contains(k.types, s.Type) {
			if s.Type == Anything {
				return fmt.Errorf("%s: needs a type", k.keyword)
			}
			return fmt.Errorf("%s: does not fit the type %s", k.keyword, s.Type)
		}
	}
	return nil
}

func (s *Schema) checkBounds() error {
	for _, b := range []struct {
		low, high   *int
		least, most string
	}{{s.MinLength, s.MaxLength, "minLength", "maxLength"}, {s.MinItems, s.MaxItems, "minItems", "maxItems"}} {
		if b.low != nil && b.high != nil && *b.low > *b.high {
			return fmt.Errorf("%s: %d is more than %s, %d", b.least, *b.low, b.most, *b.high)
		}
	}
	low, high := string(s.Minimum), string(s.Maximum)
	if s.Type == Integer {
		for i, bound := range []string{low, high} {
			keyword := []string{"minimum", "maximum"}[i]
			if bound != "" && (!whole(bound) || less(bound, leastWhole) || less("18446744073709551615", bound)) {
				return fmt.Errorf("%s: %s is not allowed; want a whole number of 64 bits", keyword, bound)
			}
		}
		low, high = s.wholeBounds()
	}
	if low != "" && high != "" && less(high, low) {
		return fmt.Errorf("minimum: %s is more than maximum, %s", low, high)
	}
	return nil
}

// wholeBounds returns the limits of a whole number, which always exist.
func (s *Schema) wholeBounds() (low, high string) {
	low, high = leastWhole, mostWhole
	if s.Minimum != "" {
		low = string(s.Minimum)
	}
	if s.Maximum != "" {
		high = string(s.Maximum)
	}
	return low, high
}

func (s *Schema) checkProperties() error {
	s.index, s.required = make(map[string]*Schema), make(map[string]bool)
	for _, p := range s.Properties {
		s.index[p.Name] = p.Schema
	}
	for _, name := range s.Required {
		if s.index[name] == nil {
			return fmt.Errorf("required: unknown property %q", shorten(name, maxShown))
		}
		if s.required[name] {
			return fmt.Errorf("required: %q is given twice", name)
		}
		s.required[name] = true
	}
	return nil
}

func (s *Schema) checkEnum() error {
	if s.Enum == nil {
		return nil
	}
	plain := *s // Each choice must be allowed without the list of choices.
	plain.Enum = nil
	s.choices = make(map[string]bool)
	for _, raw := range s.Enum {
		n, _, err := read(raw)
		if err != nil {
			return fmt.Errorf("enum: %w", err)
		}
		var found problems
		if plain.value(n, nil, &found); len(found.list) > 0 {
			return fmt.Errorf("enum: %s", found.list[0].Text)
		}
		key, _ := n.key()
		if s.choices[key] {
			return fmt.Errorf("enum: %s is given twice", n.shown())
		}
		s.choices[key] = true
	}
	return nil
}

// key is the same for equal texts, and for equal numbers.
func (n node) key() (string, bool) {
	if n.kind == number {
		value, ok := exact(n.text)
		if !ok {
			return "", false
		}
		return value.RatString(), true
	}
	return `"` + n.text, n.kind == text
}

func (s *Schema) checkDefault() error {
	if s.Default == nil {
		return nil
	}
	n, found, err := read(s.Default)
	if err != nil {
		return fmt.Errorf("default: %w", err)
	}
	s.value(n, nil, found)
	if len(found.list) > 0 {
		p := found.list[0]
		return fmt.Errorf("default: %s", strings.TrimPrefix(p.Path+": "+p.Text, ": "))
	}
	if s.tagged && string(s.masked(n)) != string(s.Default) {
		return errors.New("default: not allowed for a secret, because all users may read the schema")
	}
	return nil
}
