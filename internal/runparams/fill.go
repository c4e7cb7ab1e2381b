package runparams

import (
	"bytes"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// maxFilled is the maximum size of parameters with defaults, in bytes.
const maxFilled = 1 << 20

// Defaults returns the parameters with defaults for missing values, also within objects and lists.
// If they can't be read, or would exceed a megabyte, it returns them unchanged.
func (s *Schema) Defaults(params []byte) []byte {
	source := params
	if len(source) == 0 {
		source = []byte("{}")
	}
	if s == nil {
		return params
	}
	root, _, err := readParams(source)
	if err != nil {
		return params
	}
	f := filler{left: maxFilled}
	f.value(s, root)
	if f.left < 0 || !f.filled {
		return params
	}
	return f.out.Bytes()
}

type filler struct {
	out    bytes.Buffer
	left   int // bytes
	filled bool
}

func (f *filler) write(raw []byte) {
	if f.left -= len(raw); f.left >= 0 {
		f.out.Write(raw)
	}
}

func (f *filler) value(s *Schema, n node) {
	switch {
	case f.left < 0:
	case s != nil && s.Type == Object && n.kind == object:
		f.object(s, n)
	case s != nil && s.Type == Array && n.kind == list && s.Items != nil:
		f.write([]byte("["))
		for i, value := range n.list {
			if i > 0 {
				f.write([]byte(","))
			}
			f.value(s.Items, value)
		}
		f.write([]byte("]"))
	default:
		f.write(n.raw)
	}
}

func (f *filler) object(s *Schema, n node) {
	separator := "{"
	name := func(name string) {
		f.write([]byte(separator))
		separator = ","
		f.write(quoted(name))
		f.write([]byte(":"))
	}
	given := make(map[string]bool, len(n.members))
	for _, m := range n.members {
		p := s.index[m.name]
		if p != nil && p.Default != nil && m.value.kind == null {
			continue // it counts as missing
		}
		given[m.name] = true
		name(m.name)
		f.value(p, m.value)
	}
	for _, p := range s.Properties {
		if p.Schema.Default == nil || given[p.Name] || f.left < 0 {
			continue
		}
		f.filled = true
		name(p.Name)
		if value, _, err := read(p.Schema.Default); err == nil { // It was read before.
			f.value(p.Schema, value)
		}
	}
	if separator == "{" {
		f.write([]byte("{"))
	}
	f.write([]byte("}"))
}

// Mask returns the parameters with *** instead of secrets, which are known by their tag, their name
// or their form. If the schema lists all parameters, unknown ones are hidden too, because an earlier
// schema may have tagged them. Without a schema, or if they can't be read, it hides everything.
func (s *Schema) Mask(params []byte) []byte {
	if len(params) == 0 {
		return params
	}
	root, _, err := read(params)
	if err != nil || s == nil {
		return quoted(mask.Hidden)
	}
	return s.mask(root)
}

// anything is the schema of values without one.
var anything = new(Schema)

func (s *Schema) mask(n node) []byte {
	switch {
	case s.IsSecret():
	case n.kind == object && (s.Type == Object || s.Type == Anything):
		return s.maskObject(n)
	case n.kind == list && (s.Type == Array || s.Type == Anything):
		return s.maskList(n)
	case s.hides && n.kind != null:
	case n.kind == object:
		return anything.maskObject(n)
	case n.kind == list:
		return anything.maskList(n)
	case n.kind == text && mask.Text(n.text) != n.text:
		return quoted(mask.Text(n.text))
	default:
		return n.raw
	}
	return quoted(mask.Hidden) // It's secret, or in the place of a secret.
}

func (s *Schema) maskList(n node) []byte {
	items := s.Items
	if items == nil {
		items = anything
	}
	var b bytes.Buffer
	b.WriteByte('[')
	for i, value := range n.list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(items.mask(value))
	}
	b.WriteByte(']')
	return b.Bytes()
}

func (s *Schema) maskObject(n node) []byte {
	var b bytes.Buffer
	w := objectWriter{b: &b}
	for _, m := range n.members {
		w.name(m.name)
		switch p := s.likely(m.name); {
		case p != nil:
			b.Write(p.mask(m.value))
		case s.Closed, mask.Key(m.name) && m.value.kind != truth:
			b.Write(quoted(mask.Hidden))
		default:
			b.Write(anything.mask(m.value))
		}
	}
	w.end()
	return b.Bytes()
}

// likely returns the property with a name, or with the name in another case, because Go's decoder ignores case.
func (s *Schema) likely(name string) *Schema {
	if p := s.index[name]; p != nil {
		return p
	}
	for _, p := range s.Properties {
		if p.Schema.hides && strings.EqualFold(p.Name, name) {
			return p.Schema
		}
	}
	return nil
}
