package zktest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Node is one node of a collected tree.
type Node struct {
	Path  string
	Data  []byte
	Owner int64 // the protocol's ephemeralOwner
}

// Fetch reads one node. found is false, without an error, if it doesn't exist.
type Fetch func(ctx context.Context, path string) (node Node, children []string, found bool, err error)

// Collect reads the tree at and below root. It leaves out nodes that disappear during the call.
func Collect(ctx context.Context, root string, fetch Fetch) ([]Node, error) {
	node, children, found, err := fetch(ctx, root)
	if err != nil {
		return nil, fmt.Errorf("zktest: collect %s: %w", root, err)
	}
	if !found {
		return nil, nil
	}
	nodes := []Node{node}
	for _, name := range children {
		below, err := Collect(ctx, strings.TrimSuffix(root, "/")+"/"+name, fetch)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, below...)
	}
	return nodes, nil
}

// Formatter prints trees. The zero value is ready to use. Use one formatter for all trees of a
// scenario, because it remembers the owners' names.
type Formatter struct {
	// Data renders the data of a node. By default text is printed as it is, anything else quoted.
	Data func(path string, data []byte) string
	// Name renders the last element of a path. The default is [MaskName].
	Name func(name string) string

	owners map[int64]string
}

// kind renders the owner; it's empty for persistent nodes.
func (f *Formatter) kind(owner int64) string {
	if owner == 0 {
		return ""
	}
	if f.owners == nil {
		f.owners = make(map[int64]string)
	}
	name, ok := f.owners[owner]
	if !ok {
		name = fmt.Sprintf("a%d", len(f.owners)+1)
		f.owners[owner] = name
	}
	return " [" + name + "]"
}

var (
	sequence = regexp.MustCompile(`\d{10}$`)
	uniqueID = regexp.MustCompile(`[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}`)
)

// MaskName masks sequence numbers and unique ids. It's the default of [Formatter.Name].
func MaskName(name string) string {
	return sequence.ReplaceAllString(uniqueID.ReplaceAllString(name, "<id>"), "<seq>")
}

// Format prints nodes, parents before children, siblings by masked name and sequence number. The
// first line is the full path of the topmost node. Each further line has a name, an ephemeral
// node's owner as a1, a2 and so on in order of appearance, and the data after an equals sign. Data
// with several lines follows as an indented block.
func (f *Formatter) Format(nodes []Node) string {
	mask := f.Name
	if mask == nil {
		mask = MaskName
	}
	type entry struct {
		Node
		key []string
	}
	entries := make([]entry, len(nodes))
	for i, n := range nodes {
		parts := strings.Split(strings.TrimPrefix(n.Path, "/"), "/")
		key := make([]string, 0, len(parts))
		for _, part := range parts {
			// Only the sequence number orders equal masked names, because the rest is random.
			key = append(key, mask(part)+"\x00"+sequence.FindString(part)+"\x00"+part)
		}
		entries[i] = entry{n, key}
	}
	slices.SortFunc(entries, func(a, b entry) int { return slices.Compare(a.key, b.key) })

	var b strings.Builder
	for _, e := range entries {
		depth := len(e.key) - len(entries[0].key)
		indent := strings.Repeat("  ", depth)
		name := e.Path
		if depth > 0 {
			name = mask(e.Path[strings.LastIndexByte(e.Path, '/')+1:])
		}
		fmt.Fprintf(&b, "%s%s%s", indent, name, f.kind(e.Owner))
		switch data := f.data(e.Node); {
		case data == "":
			b.WriteString("\n")
		case strings.Contains(data, "\n"):
			b.WriteString(" =\n")
			for line := range strings.Lines(data) {
				fmt.Fprintf(&b, "%s    | %s\n", indent, strings.TrimSuffix(line, "\n"))
			}
		default:
			fmt.Fprintf(&b, " = %s\n", data)
		}
	}
	return b.String()
}

func (f *Formatter) data(n Node) string {
	if f.Data != nil {
		return f.Data(n.Path, n.Data)
	}
	if utf8.Valid(n.Data) {
		return string(n.Data)
	}
	return fmt.Sprintf("%q", n.Data)
}
