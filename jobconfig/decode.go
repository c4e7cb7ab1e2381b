package jobconfig

import (
	"bytes"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
	"github.com/elasticjob-go/elasticjob/internal/rawjson"
)

// ErrMalformed is wrapped by every error about a stored document's text.
var ErrMalformed = javayaml.ErrMalformed

// origin is the document of a decoded Config. It never changes, so copies of a Config may share it.
// It has the text instead of the parsed nodes, which are much larger: an agent holds thousands of
// configurations and edits none of them.
type origin struct {
	raw        []byte
	base       Config         // the values as read
	json       rawjson.Object // the members of a 2.x document, nil otherwise
	propsOrder []string
	unknown    []string // see Config.UnknownKeys
}

// Decode reads a stored configuration: the YAML of ElasticJob 3.0.x in any style that a YAML 1.1
// reader accepts (block, flow, JSON), or the JSON of 2.1.x. Config.Generation has the format.
// Unknown keys are ignored and survive Encode. Missing keys get the values of ElasticJob's reader:
// false, -1 for maxTimeDiffSeconds, 0 for the others. If a key occurs twice, the last one counts.
//
// Decode doesn't check the values; see Usable and Validate. The error for an unreadable text has
// the line and field and wraps [ErrMalformed].
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
	var pools []string
	for _, e := range entries {
		f := fieldsByKey[e.Key]
		if f == nil {
			if e.Key != extraConfigurations {
				o.unknown = append(o.unknown, e.Key)
			}
			continue
		}
		if e.Key == executorKey304 || e.Key == executorKey305 {
			pools = append(pools, e.Key)
		}
		if err := f.read(c, e.Key, e.Value); err != nil {
			return nil, fmt.Errorf("decode configuration: %w", err)
		}
		if e.Key == "props" && e.Value.Kind == yaml.MappingNode {
			o.propsOrder = keysOf(e.Value)
		}
	}
	if slices.Contains(pools, executorKey304) && slices.Contains(pools, executorKey305) {
		o.unknown = append(o.unknown, executorKey304, executorKey305)
	}
	o.base = *c.Clone()
	c.origin = o
	return c, nil
}

// extraConfigurations is the key of the settings that Java stores as tagged blocks.
const extraConfigurations = "jobExtraConfigurations"

// UnknownKeys returns the keys of the decoded 3.x document that no release of ElasticJob 3.0.x
// knows, in document order. Java agents refuse the document because of each. If a document has the
// thread pools of both releases, both keys are in the list, because no release knows both. It's nil
// for another generation and for a Config that wasn't decoded.
func (c *Config) UnknownKeys() []string {
	if c.origin == nil {
		return nil
	}
	return slices.Clone(c.origin.unknown)
}

func keysOf(m *yaml.Node) []string {
	var keys []string
	for i := 0; i+1 < len(m.Content); i += 2 {
		keys = append(keys, javayaml.Resolve(m.Content[i]).Value)
	}
	return keys
}
