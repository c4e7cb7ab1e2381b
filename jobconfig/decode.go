package jobconfig

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
)

// ErrMalformed is what every error about the text of a stored document wraps.
var ErrMalformed = javayaml.ErrMalformed

// origin is the document a Config was decoded from. It is never changed, so
// copies of a Config may share it. It keeps the text and not the parsed nodes,
// which are many times larger: an agent holds thousands of configurations and
// edits none of them.
type origin struct {
	raw        []byte
	base       Config   // the values as they were read
	json       []member // the members of a 2.x document, nil otherwise
	propsOrder []string
}

// Decode reads a stored configuration: the YAML of ElasticJob 3.0.x in
// any style a YAML 1.1 reader accepts (block, flow, JSON), or the JSON of 2.1.x,
// which Config.Generation then tells. Unknown keys are ignored and survive
// Encode. Missing keys get the values ElasticJob's reader gives them: false, -1
// for maxTimeDiffSeconds, 0 for the others. Of a key that occurs twice the last
// one counts.
//
// The values are not judged; see Usable and Validate. A text that cannot be read
// gives an error with line and field that wraps [ErrMalformed].
func Decode(data []byte) (*Config, error) {
	if members, ok := legacyMembers(data); ok {
		return decodeLegacy(data, members)
	}
	root, err := javayaml.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("decode configuration: %w", err)
	}
	if root == nil {
		return nil, fmt.Errorf("decode configuration: %w", &javayaml.SyntaxError{Reason: "the document is empty"})
	}
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("decode configuration: %w",
			&javayaml.SyntaxError{Line: root.Line, Reason: "the document is " + javayaml.KindName(root) + ", want keys with values"})
	}
	entries, err := javayaml.Flatten(root)
	if err != nil {
		return nil, fmt.Errorf("decode configuration: %w", err)
	}
	c := &Config{MaxTimeDiffSeconds: -1}
	o := &origin{raw: bytes.Clone(data)}
	for _, e := range entries {
		f := fieldsByKey[e.Key]
		if f == nil {
			continue
		}
		if err := f.read(c, e.Key, e.Value); err != nil {
			return nil, fmt.Errorf("decode configuration: %w", err)
		}
		if e.Key == "props" && e.Value.Kind == yaml.MappingNode {
			o.propsOrder = keysOf(e.Value)
		}
	}
	o.base = *c.Clone()
	c.origin = o
	return c, nil
}

func keysOf(m *yaml.Node) []string {
	var keys []string
	for i := 0; i+1 < len(m.Content); i += 2 {
		keys = append(keys, javayaml.Resolve(m.Content[i]).Value)
	}
	return keys
}
