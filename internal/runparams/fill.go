package runparams

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// maxFilled is the maximum size of parameters with defaults, in bytes.
const maxFilled = 1 << 20

// Defaults returns the parameters with defaults for missing values, also within objects and lists.
// If they can't be read, or would exceed a megabyte, it returns them unchanged.
func (s *Schema) Defaults(params []byte) []byte {
	if s == nil {
		return params
	}
	source := params
	if len(source) == 0 {
		source = []byte("{}")
	}
	root, _, err := readParams(source)
	if err != nil {
		return params
	}
	room := maxFilled - len(source)
	left := room
	if s.fill(&root, &left); left < 0 || left == room {
		return params
	}
	return root.json()
}

// fill adds the defaults to a value. left is the remaining room in bytes, negative if it was too
// small.
func (s *Schema) fill(n *node, left *int) {
	switch {
	case s == nil || *left < 0:
	case s.Type == Array && n.kind == list && s.Items != nil:
		n.raw = nil
		for i := range n.list {
			s.Items.fill(&n.list[i], left)
		}
	case s.Type == Object && n.kind == object:
		n.raw = nil
		n.members = slices.DeleteFunc(n.members, func(m member) bool {
			p := s.index[m.name]
			return p != nil && p.Default != nil && m.value.kind == null // It counts as missing.
		})
		given := make(map[string]bool, len(n.members))
		for i, m := range n.members {
			given[m.name] = true
			s.index[m.name].fill(&n.members[i].value, left)
		}
		for _, p := range s.Properties {
			if p.Schema.Default == nil || given[p.Name] || *left < 0 {
				continue
			}
			*left -= len(p.Name) + len(p.Schema.Default) + len(`"":,`)
			value, _, _ := read(p.Schema.Default) // It was read before.
			p.Schema.fill(&value, left)
			n.members = append(n.members, member{p.Name, value})
		}
	}
}

// Mask returns the parameters with *** instead of secrets, which are known by their tag, their name or their form.
// If the schema lists all parameters, unknown ones are hidden too, because an earlier schema may have tagged them.
// Without a schema, or if they can't be read, we can't recognize secrets, so it hides everything.
func (s *Schema) Mask(params []byte) []byte {
	if len(params) == 0 {
		return params
	}
	root, _, err := read(params)
	if err != nil || s == nil {
		return encoded(mask.Hidden)
	}
	return s.masked(root)
}

func (s *Schema) masked(n node) []byte {
	s.mask(&n)
	return n.json()
}

var (
	anything = new(Schema) // for values without a schema
	hidden   = node{kind: text, raw: encoded(mask.Hidden)}
)

func (s *Schema) mask(n *node) {
	fits := s.Type == Anything || s.Type == Object && n.kind == object || s.Type == Array && n.kind == list
	switch {
	case s.IsSecret(), s.hides && !fits && n.kind != null: // It's secret, or in the place of a secret.
		*n = hidden
		return
	case !fits:
		s = anything
	}
	switch n.kind {
	case object:
		n.raw = nil
		for i := range n.members {
			s.maskMember(&n.members[i])
		}
	case list:
		n.raw = nil
		items := cmp.Or(s.Items, anything)
		for i := range n.list {
			items.mask(&n.list[i])
		}
	case text:
		if shown := mask.Text(n.text); shown != n.text {
			n.raw = encoded(shown)
		}
	case null, truth, number:
	}
}

func (s *Schema) maskMember(m *member) {
	switch p := s.likely(m.name); {
	case p != nil:
		p.mask(&m.value)
	case bool(s.Closed), mask.Key(m.name) && m.value.kind != truth:
		m.value = hidden
	default:
		anything.mask(&m.value)
	}
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

// Canonical returns parameters in the form in which they are stored and compared: without blanks, with sorted
// keys, and with each character written in the same way. Unreadable parameters are returned unchanged.
func Canonical(params []byte) []byte {
	if CheckJSON(params) != nil {
		return params
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(params))
	decoder.UseNumber() // as written
	if decoder.Decode(&value) != nil {
		return params
	}
	return encoded(value)
}
