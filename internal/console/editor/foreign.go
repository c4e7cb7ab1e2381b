package editor

import (
	"bytes"
	"encoding/json"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// foreignChanges are the keys of two documents that are none of ours and whose
// values differ, sorted.
func foreignChanges(before, after []byte, generation jobconfig.Generation) []string {
	if generation == jobconfig.Generation2x {
		return foreignMembers(before, after)
	}
	old, now := foreignNodes(before), foreignNodes(after)
	var changed []string
	for key, value := range now {
		if was, ok := old[key]; !ok || !alike(was, value, maxDepth) {
			changed = append(changed, key)
		}
	}
	for key := range old {
		if _, ok := now[key]; !ok {
			changed = append(changed, key)
		}
	}
	slices.Sort(changed)
	return changed
}

func foreignNodes(document []byte) map[string]*yaml.Node {
	nodes := make(map[string]*yaml.Node)
	root, err := javayaml.Parse(document)
	if err != nil || root == nil {
		return nodes
	}
	entries, err := javayaml.Flatten(root)
	if err != nil {
		return nodes
	}
	for _, e := range entries {
		if !jobconfig.KnownKey(e.Key) {
			nodes[e.Key] = e.Value
		}
	}
	return nodes
}

// maxDepth bounds the comparison of nodes: with anchors one may contain itself.
const maxDepth = 64

// alike reports whether two nodes mean the same. What is nested too deeply to tell
// does not.
func alike(a, b *yaml.Node, depth int) bool {
	a, b = javayaml.Resolve(a), javayaml.Resolve(b)
	if depth == 0 || a.Kind != b.Kind || a.Tag != b.Tag || a.Value != b.Value || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !alike(a.Content[i], b.Content[i], depth-1) {
			return false
		}
	}
	return true
}

func foreignMembers(before, after []byte) []string {
	known := make(map[string]bool)
	for _, k := range keys2x {
		known[k.Name] = true
	}
	var old, now map[string]json.RawMessage
	if json.Unmarshal(before, &old) != nil || json.Unmarshal(after, &now) != nil {
		return nil // it was read a moment ago
	}
	var changed []string
	for _, key := range keysOfBoth(old, now) {
		was, had := old[key]
		is, has := now[key]
		if !known[key] && (had != has || !bytes.Equal(compact(was), compact(is))) {
			changed = append(changed, key)
		}
	}
	return changed
}

func compact(value json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return value
	}
	return b.Bytes()
}

// keysOfBoth are the keys of two maps, each once and sorted.
func keysOfBoth[V any](a, b map[string]V) []string {
	all := make([]string, 0, len(a)+len(b))
	for key := range a {
		all = append(all, key)
	}
	for key := range b {
		if _, ok := a[key]; !ok {
			all = append(all, key)
		}
	}
	slices.Sort(all)
	return all
}
