package runparams

import (
	"bytes"
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
	var b bytes.Buffer
	root.write(&b)
	return b.Bytes()
}

func (n node) write(b *bytes.Buffer) {
	switch n.kind {
	case text:
		b.Write(quoted(n.text))
	case list:
		b.WriteByte('[')
		for i, value := range n.list {
			if i > 0 {
				b.WriteByte(',')
			}
			value.write(b)
		}
		b.WriteByte(']')
	case object:
		members := slices.Clone(n.members)
		slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
		w := objectWriter{b: b}
		for _, m := range members {
			w.name(m.name)
			m.value.write(b)
		}
		w.end()
	case null, truth, number:
		b.Write(n.raw)
	}
}
