package javayaml

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// ErrMalformed is what every error about the text of a stored document wraps.
var ErrMalformed = errors.New("malformed document")

// SyntaxError tells where a stored document cannot be read. It wraps
// ErrMalformed.
type SyntaxError struct {
	Line   int    // counted from one; zero if unknown
	Field  string // the key concerned; empty if the text as a whole is broken
	Reason string
}

// Error names line, field and reason.
func (e *SyntaxError) Error() string {
	var b strings.Builder
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	if e.Field != "" {
		b.WriteString(e.Field + " ")
	}
	b.WriteString(e.Reason)
	return b.String()
}

// Unwrap makes errors.Is(err, ErrMalformed) true.
func (e *SyntaxError) Unwrap() error { return ErrMalformed }

var lineInError = regexp.MustCompile(`\bline (\d+): `)

// syntaxError turns an error of the YAML library about data into ours.
func syntaxError(err error, data []byte) *SyntaxError {
	reason := strings.TrimPrefix(err.Error(), "yaml: ")
	e := &SyntaxError{Reason: reason}
	if m := lineInError.FindStringSubmatchIndex(reason); m != nil {
		e.Line, _ = strconv.Atoi(reason[m[2]:m[3]])
		e.Reason = reason[:m[0]] + reason[m[1]:]
		return e
	}
	// The library names no line for the first one, nor for characters that no
	// document may hold.
	e.Line = 1
	for i, line := range bytes.Split(data, []byte("\n")) {
		if !utf8.Valid(line) || bytes.ContainsFunc(line, func(r rune) bool { return !printable(r) && !readable(r) }) {
			e.Line = i + 1
			break
		}
	}
	return e
}

// readable reports whether r may stand unescaped in a text that is read, in
// addition to what is printable.
func readable(r rune) bool {
	return r == '\t' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff
}

// Parse returns the root of the only document in data, nil if there is
// none or it is empty.
func Parse(data []byte) (root *yaml.Node, err error) {
	// The tree is open to everybody who reaches ZooKeeper, so the text may be
	// anything. A fault of the parser on it must not take an agent down.
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, &SyntaxError{Reason: fmt.Sprint("the parser failed: ", p)}
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, syntaxError(err, data)
	}
	var second yaml.Node
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, syntaxError(err, data)
		}
		return nil, &SyntaxError{Line: second.Line, Reason: "a second document follows, want a single one"}
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 {
		return nil, nil
	}
	root = Resolve(doc.Content[0])
	if IsNull(root) {
		return nil, nil
	}
	return root, nil
}

// Entry is one key of a mapping with its value, aliases resolved.
type Entry struct {
	Key   string
	Value *yaml.Node
}

// maxMerges bounds merge keys that refer to mappings with merge keys: a few
// lines can stand for a huge mapping, and with anchors for an endless one.
const maxMerges = 256

// Flatten lists the entries of a mapping, those of merge keys first, so that of
// several entries with one key the last is the one that counts. Keys that are
// not scalars are left out: no field has one.
func Flatten(m *yaml.Node) ([]Entry, error) {
	budget := maxMerges
	return flattenTo(nil, m, &budget)
}

func flattenTo(entries []Entry, m *yaml.Node, budget *int) ([]Entry, error) {
	if *budget--; *budget < 0 {
		return nil, &SyntaxError{Line: m.Line, Reason: "merge keys (<<) stand for too many mappings"}
	}
	var err error
	for i := 0; i+1 < len(m.Content); i += 2 {
		if key := m.Content[i]; key.ShortTag() != "!!merge" {
			continue
		}
		sources := []*yaml.Node{Resolve(m.Content[i+1])}
		if sources[0].Kind == yaml.SequenceNode {
			// The first of several merged mappings wins.
			list := sources[0].Content
			sources = nil
			for j := len(list) - 1; j >= 0; j-- {
				sources = append(sources, Resolve(list[j]))
			}
		}
		for _, source := range sources {
			if source.Kind != yaml.MappingNode {
				return nil, &SyntaxError{Line: source.Line, Reason: "a merge key (<<) wants a mapping"}
			}
			if entries, err = flattenTo(entries, source, budget); err != nil {
				return nil, err
			}
		}
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		key := Resolve(m.Content[i])
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" {
			continue
		}
		entries = append(entries, Entry{Key: key.Value, Value: Resolve(m.Content[i+1])})
	}
	return entries, nil
}

// Resolve follows an alias to its anchor.
func Resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

// IsNull reports whether a node stands for nothing.
func IsNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// KindName names what a node is, for messages.
func KindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		return fmt.Sprintf("%q", n.Value)
	default:
		return "not a value"
	}
}

// Text reads a scalar as text, whatever YAML takes it for: ElasticJob's
// fields have types, so yes, 1:30 and 0x1F are text where text is wanted. Null
// reads as empty text.
func Text(field string, n *yaml.Node) (value string, null bool, err error) {
	if n.Kind != yaml.ScalarNode {
		return "", false, &SyntaxError{Line: n.Line, Field: field, Reason: "is " + KindName(n) + ", want text"}
	}
	switch n.ShortTag() {
	case "!!null":
		return "", true, nil
	case "!!binary":
		data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
		if err != nil {
			return "", false, &SyntaxError{Line: n.Line, Field: field, Reason: "is marked as binary but is not base64"}
		}
		return string(data), false, nil
	}
	return n.Value, false, nil
}

// Bool reads a boolean in any spelling of YAML 1.1.
func Bool(field string, n *yaml.Node) (bool, error) {
	if n.Kind == yaml.ScalarNode {
		switch strings.ToLower(n.Value) {
		case "true", "yes", "on":
			return true, nil
		case "false", "no", "off":
			return false, nil
		}
	}
	return false, &SyntaxError{Line: n.Line, Field: field, Reason: "is " + KindName(n) + ", want true or false"}
}

// Int reads a whole number in any spelling of YAML 1.1 that fits Java's
// int: decimal with underscores, 0b, 0x, a leading zero for octal, base 60.
func Int(field string, n *yaml.Node) (int, error) {
	if n.Kind == yaml.ScalarNode {
		if v, ok := parseInt11(n.Value); ok {
			return v, nil
		}
	}
	return 0, &SyntaxError{Line: n.Line, Field: field, Reason: "is " + KindName(n) + ", want a whole number"}
}

func parseInt11(s string) (int, bool) {
	s = strings.ReplaceAll(s, "_", "")
	sign := int64(1)
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, s = -1, rest
	} else {
		s = strings.TrimPrefix(s, "+")
	}
	base := 10
	switch {
	case s == "" || s[0] == '+' || s[0] == '-':
		return 0, false
	case s == "0":
	case strings.HasPrefix(s, "0b"):
		base, s = 2, s[2:]
	case strings.HasPrefix(s, "0x"):
		base, s = 16, s[2:]
	case s[0] == '0':
		base, s = 8, s[1:]
	case strings.Contains(s, ":"):
		return parseBase60(sign, s)
	}
	v, err := strconv.ParseInt(s, base, 64)
	return javaInt(sign*v, err == nil)
}

func parseBase60(sign int64, s string) (int, bool) {
	var total int64
	for _, part := range strings.Split(s, ":") {
		v, err := strconv.ParseInt(part, 10, 32)
		if err != nil || v < 0 || total > 1<<32 {
			return 0, false
		}
		total = total*60 + v
	}
	return javaInt(sign*total, true)
}

func javaInt(v int64, ok bool) (int, bool) {
	if !ok || v < -1<<31 || v > 1<<31-1 {
		return 0, false
	}
	return int(v), true
}
