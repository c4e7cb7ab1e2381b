package runparams

import (
	"encoding/json"
	"regexp"
	"strconv"

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
