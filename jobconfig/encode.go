package jobconfig

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
)

// Encode returns the document to store. A new Config is written with ElasticJob's keys, order and
// quoting. A decoded one keeps its text: only changed keys are written again, in their place.
// Everything else, including unknown keys, tagged blocks and comments, stays byte for byte. An
// unchanged Config returns exactly its original bytes.
//
// It's an error if a text isn't valid UTF-8, or if a 2.x Config has a value without a place in that
// format. Encode doesn't Validate.
func (c *Config) Encode() ([]byte, error) {
	if c.Generation == Generation2x {
		return c.encodeLegacy()
	}
	if c.origin == nil {
		return c.render()
	}
	if c.Equal(&c.origin.base) {
		return bytes.Clone(c.origin.raw), nil
	}
	root, err := javayaml.Parse(c.origin.raw)
	if err != nil {
		return nil, fmt.Errorf("encode configuration: read the stored document again: %w", err)
	}
	if data, ok, err := c.patch(root); err != nil {
		return nil, err
	} else if ok {
		return data, nil
	}
	return c.rewrite(root)
}

// render writes a new document.
func (c *Config) render() ([]byte, error) {
	var w javayaml.Writer
	for _, f := range fields {
		f.write(&w, c)
	}
	return w.Bytes(), w.Err()
}

// piece is one key's part of a block document: its lines and the comments below them.
type piece struct {
	key  string
	text []byte
}

// patch replaces the changed keys in the stored text. It returns false if the text isn't a plain
// block mapping, or if the result wouldn't have c's meaning (for example, if a changed key defines
// an anchor).
func (c *Config) patch(root *yaml.Node) ([]byte, bool, error) {
	head, pieces, ok := cut(c.origin.raw, root)
	if !ok {
		return nil, false, nil
	}
	for _, f := range fields {
		if f.same(&c.origin.base, c) {
			continue
		}
		var w javayaml.Writer
		f.write(&w, c)
		if w.Err() != nil {
			return nil, false, w.Err()
		}
		pieces = replacePiece(pieces, f.key, w.Bytes())
	}
	out := bytes.Clone(head)
	for _, p := range pieces {
		if n := len(out); n > 0 && out[n-1] != '\n' {
			out = append(out, '\n')
		}
		out = append(out, p.text...)
	}
	again, err := Decode(out)
	if err != nil || !again.Equal(c) {
		return nil, false, nil
	}
	rootAgain, err := javayaml.Parse(out)
	if err != nil || !slices.Equal(unknownKeys(rootAgain), unknownKeys(root)) {
		return nil, false, nil
	}
	return out, true, nil
}

// replacePiece replaces the last piece of key, which is the effective one, and drops earlier ones.
// A new key goes to its alphabetical place. An empty text removes the key.
func replacePiece(pieces []piece, key string, text []byte) []piece {
	out := make([]piece, 0, len(pieces)+1)
	last := -1
	for i, p := range pieces {
		if p.key == key {
			last = i
		}
	}
	placed := last >= 0
	for i, p := range pieces {
		switch {
		case p.key == key && i == last:
			out = append(out, piece{key, append(bytes.Clone(text), trailer(p.text)...)})
		case p.key == key:
			out = append(out, piece{"", trailer(p.text)})
		case !placed && p.key > key:
			out = append(out, piece{key, text}, p)
			placed = true
		default:
			out = append(out, p)
		}
	}
	if !placed {
		out = append(out, piece{key, text})
	}
	return out
}

// trailer returns the comments and blank lines at the end of a key's lines.
func trailer(text []byte) []byte {
	end := len(text)
	for end > 0 {
		start := bytes.LastIndexByte(text[:end-1], '\n') + 1
		line := bytes.TrimSpace(text[start:end])
		if start == 0 || len(line) > 0 && text[start] != '#' {
			break
		}
		end = start
	}
	return text[end:]
}

// cut splits the stored text at its keys. It returns false unless every key of the root starts its
// own line.
func cut(raw []byte, root *yaml.Node) (head []byte, pieces []piece, ok bool) {
	if root.Style&yaml.FlowStyle != 0 || root.Anchor != "" || len(root.Content) == 0 {
		return nil, nil, false
	}
	// The parser also ends lines at other characters.
	if bytes.ContainsAny(raw, "\r\u0085\u2028\u2029\ufeff") {
		return nil, nil, false
	}
	lines := bytes.SplitAfter(raw, []byte("\n"))
	starts := make([]int, 0, len(root.Content)/2+1)
	for i := 0; i < len(root.Content); i += 2 {
		key := root.Content[i]
		at := key.Line - 1
		if key.Kind != yaml.ScalarNode || key.Column != 1 || at < 0 || at >= len(lines) {
			return nil, nil, false
		}
		if len(starts) > 0 && at <= starts[len(starts)-1] {
			return nil, nil, false
		}
		line := strings.TrimLeft(string(lines[at]), `"'`)
		if !strings.HasPrefix(line, key.Value) {
			return nil, nil, false
		}
		starts = append(starts, at)
		pieces = append(pieces, piece{key: key.Value})
	}
	for _, line := range lines[starts[0]:] {
		if bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("...")) {
			return nil, nil, false
		}
	}
	starts = append(starts, len(lines))
	for i := range pieces {
		pieces[i].text = bytes.Join(lines[starts[i]:starts[i+1]], nil)
	}
	return bytes.Join(lines[:starts[0]], nil), pieces, true
}

// rewrite writes the whole document again, for texts that patch can't split: all keys in
// alphabetical order, and unknown keys as the YAML library renders them, with their tags.
func (c *Config) rewrite(root *yaml.Node) ([]byte, error) {
	entries, err := javayaml.Flatten(root)
	if err != nil {
		return nil, fmt.Errorf("encode configuration: %w", err)
	}
	texts := make(map[string][]byte)
	for _, e := range entries {
		if f := fieldsByKey[e.Key]; f != nil {
			texts[e.Key] = nil
			continue
		}
		if texts[e.Key], err = renderNode(e); err != nil {
			return nil, err
		}
	}
	for _, f := range fields {
		if _, stored := texts[f.key]; !stored && f.same(&c.origin.base, c) {
			continue
		}
		var w javayaml.Writer
		f.write(&w, c)
		if w.Err() != nil {
			return nil, w.Err()
		}
		texts[f.key] = w.Bytes()
	}
	var out []byte
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		out = append(out, texts[key]...)
	}
	again, err := Decode(out)
	if err != nil || !again.Equal(c) {
		return nil, errors.Join(errors.New("encode configuration: the formatting of the stored document can't be edited safely; replace the whole document"), err)
	}
	return out, nil
}

// unknownKeys returns the sorted keys of a document that aren't fields.
func unknownKeys(root *yaml.Node) []string {
	if root == nil {
		return nil
	}
	entries, err := javayaml.Flatten(root)
	if err != nil {
		return nil
	}
	var keys []string
	for _, e := range entries {
		if fieldsByKey[e.Key] == nil {
			keys = append(keys, e.Key)
		}
	}
	slices.Sort(keys)
	return keys
}

// maxNodeDepth and maxNodes bound a rewritten block. With anchors a node may contain itself, and a
// short text may expand to millions of nodes.
const (
	maxNodeDepth = 64
	maxNodes     = 100_000
)

func renderNode(e javayaml.Entry) (text []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			text, err = nil, fmt.Errorf("encode configuration: key %s: %v", e.Key, p)
		}
	}()
	budget := maxNodes
	value, err := expand(e.Value, 0, &budget)
	if err == nil {
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: e.Key}
		var buf bytes.Buffer
		encoder := yaml.NewEncoder(&buf)
		encoder.SetIndent(2)
		err = encoder.Encode(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, value}})
		err = errors.Join(err, encoder.Close())
		text = buf.Bytes()
	}
	if err != nil {
		return nil, fmt.Errorf("encode configuration: key %s: %w", e.Key, err)
	}
	return text, nil
}

// expand copies a node with its aliases expanded.
func expand(n *yaml.Node, depth int, budget *int) (*yaml.Node, error) {
	if *budget--; depth > maxNodeDepth || *budget < 0 {
		return nil, errors.New("nested too deeply or too large")
	}
	n = javayaml.Resolve(n)
	clone := &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
	for _, child := range n.Content {
		c, err := expand(child, depth+1, budget)
		if err != nil {
			return nil, err
		}
		clone.Content = append(clone.Content, c)
	}
	return clone, nil
}
