package runparams

import (
	"slices"
	"strings"
)

// Canonical returns parameters in the form in which they are stored and compared: without blanks, with sorted
// keys, and with each character written in the same way. Unreadable parameters are returned unchanged.
func Canonical(params []byte) []byte {
	root, found, err := readParams(params)
	if err != nil || len(found.list) > 0 {
		return params
	}
	root.normalize()
	return root.json()
}

func (n *node) normalize() {
	switch n.kind {
	case text:
		n.raw = encoded(n.text)
	case list, object:
		n.raw = nil
	case null, truth, number:
	}
	for i := range n.list {
		n.list[i].normalize()
	}
	for i := range n.members {
		n.members[i].value.normalize()
	}
	slices.SortFunc(n.members, func(a, b member) int { return strings.Compare(a.name, b.name) })
}
