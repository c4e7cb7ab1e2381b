package runparams

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// Limits of a schema.
const (
	MaxSchema     = 32 << 10 // bytes
	MaxLevels     = 5        // steps from the top to a value: a property, or an element of a list
	MaxProperties = 200      // of all its objects
	maxPattern    = 1000     // characters
	maxName       = 100      // characters
)

// Parse parses a schema. Unknown keywords are errors with the path, because a rule that we don't
// check is worse than none.
func Parse(data []byte) (*Schema, error) {
	s, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("parameter schema: %w", err)
	}
	return s, nil
}

func parse(data []byte) (*Schema, error) {
	if len(data) > MaxSchema {
		return nil, fmt.Errorf("%d bytes; at most %d are allowed", len(data), MaxSchema)
	}
	root, found, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("invalid JSON: %w", err)
	}
	if len(found.list) > 0 {
		return nil, fmt.Errorf("%s %s", found.list[0].Path, found.list[0].Text)
	}
	var p parser
	s, err := p.schema(root, "", 0)
	switch {
	case err != nil:
		return nil, err
	case s.Type != Object:
		return nil, errors.New(`type: want "object" at the top`)
	case s.Default != nil:
		return nil, errors.New("default: only a property has one")
	}
	return s, nil
}

type parser struct{ properties int }

// wrongAt adds the place in a schema to an error.
func wrongAt(at string, err error) error {
	if at == "" {
		return err
	}
	return fmt.Errorf("%s: %w", at, err)
}

func (p *parser) schema(n node, at string, depth int) (*Schema, error) {
	if depth > MaxLevels {
		return nil, wrongAt(at, fmt.Errorf("more than %d levels", MaxLevels))
	}
	if n.kind != object {
		return nil, wrongAt(at, fmt.Errorf("want an object, not %s", n.kind))
	}
	s := new(Schema)
	for _, m := range n.members {
		var err error
		switch m.name {
		case "properties":
			err = p.children(s, m.value, at, depth)
		case "items":
			if s.Items, err = p.schema(m.value, at+"[]", depth+1); err == nil && s.Items.Default != nil {
				err = wrongAt(at+"[]", errors.New("default: only a property has one"))
			}
		default:
			read, known := keywords[m.name]
			if !known {
				return nil, wrongAt(at, fmt.Errorf("unknown keyword %s", strconv.Quote(shorten(m.name, maxSegment))))
			}
			if err = read(s, m.value); err != nil {
				err = wrongAt(at, fmt.Errorf("%s: %w", m.name, err))
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if err := s.complete(); err != nil {
		return nil, wrongAt(at, err)
	}
	return s, nil
}

func (p *parser) children(s *Schema, n node, at string, depth int) error {
	if n.kind != object {
		return wrongAt(at, fmt.Errorf("properties: want an object, not %s", n.kind))
	}
	for _, m := range n.members {
		if p.properties++; p.properties > MaxProperties {
			return fmt.Errorf("more than %d properties", MaxProperties)
		}
		if m.name == "" || utf8.RuneCountInString(m.name) > maxName || segment(m.name) != m.name {
			return wrongAt(at, fmt.Errorf("properties: %q is not a name; want 1 to %d characters that can be printed", shorten(m.name, maxShown), maxName))
		}
		below := m.name
		if at != "" {
			below = at + "." + m.name
		}
		child, err := p.schema(m.value, below, depth+1)
		if err != nil {
			return err
		}
		if mask.Key(m.name) && child.Type != Boolean {
			child.named, child.hides = true, true
		}
		s.Properties = append(s.Properties, Property{Name: m.name, Schema: child})
	}
	return nil
}

// keywords parse the keywords without nested schemas.
var keywords = map[string]func(*Schema, node) error{
	"type":        func(s *Schema, n node) error { return readType(n, &s.Type) },
	"title":       func(s *Schema, n node) error { return readText(n, &s.Title) },
	"description": func(s *Schema, n node) error { return readText(n, &s.Description) },
	"pattern":     func(s *Schema, n node) error { return cmp.Or(want(n, text), s.setPattern(n.text)) },
	"format":      func(s *Schema, n node) error { return cmp.Or(want(n, text), s.setFormat(n.text)) },
	"secret":      func(s *Schema, n node) error { return readTruth(n, &s.Secret) },
	"multiline":   func(s *Schema, n node) error { return readTruth(n, &s.Multiline) },
	"minLength":   func(s *Schema, n node) error { return readCount(n, &s.MinLength) },
	"maxLength":   func(s *Schema, n node) error { return readCount(n, &s.MaxLength) },
	"minItems":    func(s *Schema, n node) error { return readCount(n, &s.MinItems) },
	"maxItems":    func(s *Schema, n node) error { return readCount(n, &s.MaxItems) },
	"minimum":     func(s *Schema, n node) error { return readNumber(n, &s.Minimum) },
	"maximum":     func(s *Schema, n node) error { return readNumber(n, &s.Maximum) },
	"required": func(s *Schema, n node) error {
		for _, value := range n.list {
			if value.kind != text {
				return fmt.Errorf("want a list of names, not of %s", value.shown())
			}
			s.Required = append(s.Required, value.text)
		}
		return want(n, list)
	},
	"additionalProperties": func(s *Schema, n node) error {
		s.Closed = true
		if n.kind != truth || n.text != "false" {
			return errors.New("want false, or leave it out")
		}
		return nil
	},
	"enum": func(s *Schema, n node) error {
		for _, value := range n.list {
			raw := json.RawMessage(value.raw)
			if value.kind == text {
				raw = encoded(value.text)
			}
			s.Enum = append(s.Enum, raw)
		}
		if n.kind == list && len(n.list) == 0 {
			return errors.New("want a value at least")
		}
		return want(n, list)
	},
	"default": func(s *Schema, n node) error {
		if n.kind == null {
			return errors.New("null has no effect; leave it out")
		}
		var b bytes.Buffer
		err := json.Compact(&b, n.raw)
		s.Default = b.Bytes()
		return err
	},
}

func want(n node, k kind) error {
	if n.kind != k {
		return fmt.Errorf("want %s, not %s", k, n.shown())
	}
	return nil
}

func readType(n node, to *Type) error {
	switch t := Type(n.text); t {
	case Object, Array, String, Integer, Number, Boolean:
		*to = t
		return want(n, text)
	case Anything:
	}
	return fmt.Errorf("%s is not allowed; want object, array, string, integer, number or boolean", n.shown())
}

func readText(n node, to *string) error {
	*to = n.text
	return want(n, text)
}

func (s *Schema) setPattern(pattern string) (err error) {
	if n := utf8.RuneCountInString(pattern); n > maxPattern {
		return fmt.Errorf("%d characters; at most %d", n, maxPattern)
	}
	if pattern != "" {
		s.Pattern, err = regexp.Compile(pattern)
	}
	return err
}

func (s *Schema) setFormat(format string) error {
	switch format {
	case "", FormatDate, FormatDateTime, FormatEmail, FormatURI:
		s.Format = format
		return nil
	}
	return fmt.Errorf("%q is not allowed; want date, date-time, email or uri", shorten(format, maxShown))
}

func readTruth(n node, to *bool) error {
	*to = n.text == "true"
	return want(n, truth)
}

func readCount(n node, to **int) error {
	count, err := strconv.Atoi(n.text)
	if err != nil || n.kind != number || !whole(n.text) || count < 0 || count > MaxParams {
		return fmt.Errorf("%s is not allowed; want a whole number from 0 to %d", n.shown(), MaxParams)
	}
	*to = &count
	return nil
}

func readNumber(n node, to *json.Number) error {
	if _, ok := exact(n.text); n.kind != number || !ok || !finite(n.text) {
		return fmt.Errorf("%s is not allowed; want a number", n.shown())
	}
	*to = json.Number(n.text)
	return nil
}
