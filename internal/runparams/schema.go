package runparams

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
)

// Type is what a value must be; empty for anything.
type Type string

// The types.
const (
	Anything Type = ""
	Object   Type = "object"
	Array    Type = "array"
	String   Type = "string"
	Integer  Type = "integer"
	Number   Type = "number"
	Boolean  Type = "boolean"
)

// The formats.
const (
	FormatDate     = "date"
	FormatDateTime = "date-time"
	FormatEmail    = "email"
	FormatURI      = "uri"
)

// Schema says what parameters, or a value of them, must be. It is made by [Parse] or [Of],
// is not changed after that, and is safe for concurrent use. A nil one takes any object.
type Schema struct {
	Type               Type
	Title, Description string

	// Of an object.
	Properties []Property // in the order of the text
	Required   []string
	Closed     bool // `additionalProperties: false`

	// Of a list.
	Items              *Schema // nil for anything
	MinItems, MaxItems *int

	// Of a text or a number.
	Enum []json.RawMessage

	// Of a number; empty for no bound.
	Minimum, Maximum json.Number

	// Of a text.
	MinLength, MaxLength *int
	Pattern              *regexp.Regexp
	Format               string
	Multiline            bool

	Default json.RawMessage
	Secret  bool

	pattern  string // of which Pattern is made
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

// WithoutSecrets returns the text of a schema without the defaults of secrets. A schema that
// can't be read has no text.
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

// Text returns the schema as JSON text: always the same for the same schema.
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

// objectWriter writes a JSON object, and leaves out what is not there.
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
