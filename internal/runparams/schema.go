package runparams

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
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
// safe for concurrent use. A nil one accepts any object.
type Schema struct {
	Type               Type
	Title, Description string

	// For an object.
	Properties []Property // in the order of the text
	Required   []string
	Closed     bool // `additionalProperties: false`

	// For a list.
	Items              *Schema // nil for anything
	MinItems, MaxItems *int

	// For a text or a number.
	Enum []json.RawMessage

	// For a number; empty for no limit.
	Minimum, Maximum json.Number

	// For a text.
	MinLength, MaxLength *int
	Pattern              *regexp.Regexp
	Format               string
	Multiline            bool

	Default json.RawMessage
	Secret  bool

	pattern  string // the source of Pattern
	index    map[string]*Schema
	required map[string]bool
	choices  map[string]bool // keys of Enum
	named    bool            // it has the name of a secret
	tagged   bool            // itself or something below is tagged as secret
	hides    bool            // itself or something below is secret, by its tag or its name
}

// Property is a parameter of an object.
type Property struct {
	Name   string
	Schema *Schema
}

// Property returns the schema of a property, or nil.
func (s *Schema) Property(name string) *Schema { return s.index[name] }

// Requires reports whether an object must have a property.
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
		if string(s.mask(n)) != string(s.Default) {
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
func (s *Schema) Text() []byte {
	var b bytes.Buffer
	s.write(&b)
	return b.Bytes()
}

func (s *Schema) write(b *bytes.Buffer) {
	w := objectWriter{b: b}
	w.text("type", string(s.Type))
	w.text("title", s.Title)
	w.text("description", s.Description)
	w.text("format", s.Format)
	w.text("pattern", s.pattern)
	w.count("minLength", s.MinLength)
	w.count("maxLength", s.MaxLength)
	w.raw("minimum", []byte(s.Minimum))
	w.raw("maximum", []byte(s.Maximum))
	w.count("minItems", s.MinItems)
	w.count("maxItems", s.MaxItems)
	if len(s.Enum) > 0 {
		w.name("enum")
		b.WriteByte('[')
		for i, value := range s.Enum {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(value)
		}
		b.WriteByte(']')
	}
	w.raw("default", s.Default)
	w.truth("secret", s.Secret)
	w.truth("multiline", s.Multiline)
	if s.Items != nil {
		w.name("items")
		s.Items.write(b)
	}
	if len(s.Properties) > 0 {
		w.name("properties")
		properties := objectWriter{b: b}
		for _, p := range s.Properties {
			properties.name(p.Name)
			p.Schema.write(b)
		}
		properties.end()
	}
	if len(s.Required) > 0 {
		w.name("required")
		for i, name := range s.Required {
			b.WriteByte("[,"[min(i, 1)])
			b.Write(quoted(name))
		}
		b.WriteByte(']')
	}
	if s.Closed {
		w.raw("additionalProperties", []byte("false"))
	}
	w.end()
}

// objectWriter writes a JSON object without missing values.
type objectWriter struct {
	b     *bytes.Buffer
	begun bool
}

func (w *objectWriter) name(name string) {
	separator := byte('{')
	if w.begun {
		separator = ','
	}
	w.begun = true
	w.b.WriteByte(separator)
	w.b.Write(quoted(name))
	w.b.WriteByte(':')
}

func (w *objectWriter) raw(name string, value []byte) {
	if len(value) > 0 {
		w.name(name)
		w.b.Write(value)
	}
}

func (w *objectWriter) text(name, value string) {
	if value != "" {
		w.raw(name, quoted(value))
	}
}

func (w *objectWriter) count(name string, n *int) {
	if n != nil {
		w.raw(name, []byte(strconv.Itoa(*n)))
	}
}

func (w *objectWriter) truth(name string, is bool) {
	if is {
		w.raw(name, []byte("true"))
	}
}

func (w *objectWriter) end() {
	if !w.begun {
		w.b.WriteByte('{')
	}
	w.b.WriteByte('}')
}
