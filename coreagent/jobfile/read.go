package jobfile

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/internal/spelling"
)

// Limits of a file, because aliases of aliases can make a short text fill the memory.
const (
	maxFile    = 4 << 20 // bytes
	maxEntries = 200_000 // keys and list elements
	maxNesting = 32      // of props
)

// reader turns a YAML document into a tree.
type reader struct {
	*findings
	resolve  placeholders
	looked   []string // values from outside the file
	entries  int
	exceeded bool
}

// entry is one key of a mapping.
type entry struct {
	name   string
	line   int
	node   *yaml.Node
	merged bool // from a merge key, with lower priority
}

// read reads the file's text. Without a usable document it reports the problem and returns nil.
func (r *reader) read(text []byte, env func(string) (string, bool)) *tree {
	if len(text) > maxFile {
		r.refuse(0, "", "has more than %d bytes", maxFile)
		return nil
	}
	if at := properties.FindIndex(text); at != nil {
		r.refuse(1+bytes.Count(text[:at[0]], []byte("\n")), "", "is a line of a properties file, and a job file is YAML: "+
			"write elasticjob.jobs.nightly.cron=… as the keys elasticjob, jobs, nightly and cron, each indented below the last")
		return nil
	}
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	var root, more yaml.Node
	if err := decoder.Decode(&root); err != nil {
		if err.Error() == "EOF" {
			r.refuse(0, "", "is empty; it begins with `elasticjob:`")
			return nil
		}
		r.syntax(err, text)
		return nil
	}
	switch err := decoder.Decode(&more); {
	case err == nil:
		r.refuse(more.Line, "", "a second document begins here; Spring's profiles are not supported, a file has one document")
		return nil
	case err.Error() != "EOF":
		r.syntax(err, text)
		return nil
	}
	top := root.Content[0]
	r.resolve = placeholders{env: env, file: func(name string) (string, bool) {
		n, ok := lookUp(top, canonical(name), 0)
		return n, ok
	}}
	t := newTree("", 1)
	if top.Kind != yaml.MappingNode {
		r.refuse(top.Line, "", "is not a mapping; it begins with `elasticjob:`")
		return nil
	}
	r.section(t, top, document, true)
	return t
}

// properties matches a setting in Spring's other file format.
var properties = regexp.MustCompile(`(?m)^elasticjob\.[\w.\-\[\]]+ *=`)

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// syntax reports that the file is no YAML.
func (r *reader) syntax(err error, text []byte) {
	line, said := 0, err.Error()
	if m := yamlLine.FindStringSubmatch(said); m != nil {
		line, _ = strconv.Atoi(m[1])
		said = m[2]
	}
	if strings.HasPrefix(said, "unknown anchor") {
		said = "* begins an alias, and no such anchor exists" // The name may be a password.
	}
	hint := ""
	// Typical mistakes with cron expressions. The parser reports the line itself or the one before.
	lines := strings.Split(string(text), "\n")
	for n := max(line-1, 0); n < min(line+1, len(lines)); n++ {
		if regexp.MustCompile(`:\s+\*`).MatchString(lines[n]) {
			line, hint = n+1, `; a value that begins with * needs quotes: cron: "*/5 * * * * ?"`
			break
		}
		if regexp.MustCompile(`[{,].*\?\s*[,}]`).MatchString(lines[n]) {
			line, hint = n+1, `; between { and } a value that ends with ? needs quotes: {cron: "0 0 3 * * ?"}`
			break
		}
	}
	r.refuse(line, "", "invalid YAML: %s%s", said, hint)
}

// mapping returns the entries of a node. Entries of merge keys come last, without the node's own keys.
func (r *reader) mapping(path string, n *yaml.Node) []entry {
	entries := r.merge(path, n, 0)
	seen := make(map[string]bool, len(entries))
	for _, e := range entries {
		if !e.merged {
			seen[canon(e.name)] = true
		}
	}
	return slices.DeleteFunc(entries, func(e entry) bool {
		if !e.merged {
			return false
		}
		there := seen[canon(e.name)]
		seen[canon(e.name)] = true
		return there
	})
}

func (r *reader) merge(path string, n *yaml.Node, depth int) []entry {
	var own, merged []entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], followed(n.Content[i+1])
		if r.entries++; r.exceeded || r.entries > maxEntries || depth > maxNesting {
			r.excessive(k.Line, path)
			return nil
		}
		if k.Kind != yaml.ScalarNode {
			r.refuse(k.Line, path, "a key is not a text")
			continue
		}
		if k.Tag != "!!merge" {
			own = append(own, entry{k.Value, k.Line, v, false})
			continue
		}
		sources := []*yaml.Node{v}
		if v.Kind == yaml.SequenceNode {
			sources = v.Content
		}
		for _, source := range sources {
			if source = followed(source); source.Kind != yaml.MappingNode {
				r.refuse(k.Line, path, "<< does not name a mapping")
				continue
			}
			for _, e := range r.merge(path, source, depth+1) {
				e.merged = true
				merged = append(merged, e)
			}
		}
	}
	return append(own, merged...)
}

// excessive reports once that the file exceeds the limits.
func (r *reader) excessive(line int, path string) {
	if !r.exceeded {
		r.refuse(line, path, "the file has more than %d entries, or nests deeper than %d", maxEntries, maxNesting)
	}
	r.exceeded = true
}

func followed(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// section reads the entries of n, with the schema's keys, into t.
func (r *reader) section(t *tree, n *yaml.Node, keys []key, open bool) {
	n = followed(n)
	if null(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.refuse(n.Line, t.path, "is %s, want keys below it: %s", shape(n), strings.Join(names(keys), ", "))
		return
	}
	for _, e := range r.mapping(t.path, n) {
		r.entry(t, e, keys, open)
	}
}

// entry reads one entry of a section. A key with dots means nested keys.
func (r *reader) entry(t *tree, e entry, keys []key, open bool) {
	k, known := find(keys, e.name)
	if !known {
		if head, rest, dotted := strings.Cut(e.name, "."); dotted {
			if k, known = find(keys, head); known && (k.kind == section || k.kind == jobs || k.kind == props) {
				nested := *e.node
				e.node = &yaml.Node{Kind: yaml.MappingNode, Line: e.line, Content: []*yaml.Node{
					{Kind: yaml.ScalarNode, Tag: "!!str", Value: rest, Line: e.line}, &nested,
				}}
				e.name = head
			} else {
				known = false
			}
		}
	}
	if !known {
		r.unknown(t, e, keys, open)
		return
	}
	sub, made := t.child(k.name, e.line)
	switch k.kind {
	case section:
		r.section(sub, e.node, k.sub, k.open)
		return
	case jobs:
		r.jobs(sub, e.node)
		return
	case props:
		r.props(sub, e.node, "", e.merged, 0)
		return
	}
	if !made {
		if !e.merged {
			r.refuse(e.line, sub.path, "is given twice, first in line %d", sub.line)
		}
		return
	}
	if k.kind == list {
		r.list(sub, e.node)
		return
	}
	if e.node.Kind != yaml.ScalarNode {
		r.refuse(e.line, sub.path, "is %s, want %s", shape(e.node), k.kind)
		return
	}
	if !null(e.node) {
		sub.value, sub.set = r.scalar(sub.path, e.line, e.node, k.secret)
	}
}

func (r *reader) unknown(t *tree, e entry, keys []key, open bool) {
	path := strings.TrimPrefix(t.path+"."+e.name, ".")
	near := spelling.Nearest(strings.Split(e.name, ".")[0], names(keys))
	switch {
	case open && t.path == "" && near == "elasticjob":
		r.refuse(e.line, path, "unknown key; did you mean %s?", near)
	case open && t.path == "":
		r.note(e.line, path, "doesn't belong to elasticjob and was ignored")
	case open:
	case near != "":
		r.refuse(e.line, path, "unknown key; did you mean %s?", near)
	case e.name == "jobExtraConfigurations" || canon(e.name) == canon("jobExtraConfigurations"):
		r.refuse(e.line, path, "cannot be given here, not in Java either; tracing belongs into elasticjob.tracing")
	default:
		r.refuse(e.line, path, "unknown key; allowed: %s", strings.Join(names(keys), ", "))
	}
}

// jobs reads the jobs. Their names are the keys.
func (r *reader) jobs(t *tree, n *yaml.Node) {
	if null(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.refuse(n.Line, t.path, "is %s, want a mapping from job names to their settings", shape(n))
		return
	}
	for _, e := range r.mapping(t.path, n) {
		name, rest := splitJob(e.name)
		if rest != "" {
			e.node = &yaml.Node{Kind: yaml.MappingNode, Line: e.line, Content: []*yaml.Node{
				{Kind: yaml.ScalarNode, Tag: "!!str", Value: rest, Line: e.line}, e.node,
			}}
		}
		sub, made := t.child(name, e.line)
		if rest == "" {
			if sub.whole && !e.merged {
				r.refuse(e.line, sub.path, "the job is given twice, first in line %d", sub.line)
				continue
			}
			sub.whole = true
		}
		if made && !strings.HasPrefix(e.name, "[") && oddJobName.MatchString(name) {
			r.note(e.line, sub.path, "Java's starter changes this name; write \"[%s]\" if Java reads the file, too", name)
		}
		r.section(sub, e.node, job, false)
	}
}

// oddJobName matches names that Java's starter only reads in brackets, because Spring drops other
// characters, and ignores a job with a dot in its name.
var oddJobName = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// splitJob splits a key below jobs into the job's name and the rest after a dot. A name may contain
// dots; in brackets it may contain anything.
func splitJob(name string) (of, rest string) {
	if strings.HasPrefix(name, "[") {
		if inner, after, ok := strings.Cut(name[1:], "]"); ok && (after == "" || after[0] == '.') {
			return inner, strings.TrimPrefix(after, ".")
		}
	}
	for i := range name {
		if name[i] != '.' || i == 0 {
			continue
		}
		first, _, _ := strings.Cut(name[i+1:], ".")
		if _, known := find(job, first); known {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}

// props reads names and texts, flattened with dots.
func (r *reader) props(t *tree, n *yaml.Node, prefix string, merged bool, depth int) {
	n = followed(n)
	if null(n) && prefix == "" {
		return
	}
	path := strings.TrimSuffix(t.path+"."+prefix, ".")
	switch {
	case depth > maxNesting:
		r.excessive(n.Line, path)
	case n.Kind == yaml.MappingNode:
		for _, e := range r.mapping(path, n) {
			if e.node.Kind == yaml.ScalarNode {
				r.prop(t, prefix+unbracket(e.name), e, merged)
				continue
			}
			r.props(t, e.node, prefix+unbracket(e.name)+".", merged || e.merged, depth+1)
		}
	default:
		r.refuse(n.Line, path, "is %s, want names and texts", shape(n))
	}
}

func (r *reader) prop(t *tree, name string, e entry, merged bool) {
	sub, made := t.child(name, e.line)
	if !made {
		if !e.merged && !merged {
			r.refuse(e.line, sub.path, "is given twice, first in line %d", sub.line)
		}
		return
	}
	sub.value, sub.set = r.scalar(sub.path, e.line, e.node, isSecretProp(name))
	if null(e.node) {
		sub.value.text, sub.value.raw = "", ""
	}
}

func unbracket(name string) string {
	if strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]") {
		return name[1 : len(name)-1]
	}
	return name
}

func (r *reader) list(t *tree, n *yaml.Node) {
	switch {
	case null(n):
	case n.Kind == yaml.SequenceNode:
		for i, item := range n.Content {
			item = followed(item)
			path := fmt.Sprintf("%s[%d]", t.path, i)
			if r.entries++; r.entries > maxEntries {
				r.excessive(item.Line, path)
				return
			}
			if item.Kind != yaml.ScalarNode || null(item) {
				r.refuse(item.Line, path, "is %s, want a text", shape(item))
				continue
			}
			if v, ok := r.scalar(path, item.Line, item, false); ok {
				t.list = append(t.list, v)
			}
		}
	case n.Kind == yaml.ScalarNode:
		v, ok := r.scalar(t.path, n.Line, n, false)
		if !ok {
			return
		}
		for part := range strings.SplitSeq(v.text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				item := v
				item.text = part
				if !v.looked {
					item.raw = part
				}
				t.list = append(t.list, item)
			}
		}
	default:
		r.refuse(n.Line, t.path, "is %s, want a list, or texts with commas between them", shape(n))
	}
}

// scalar reads one text and resolves its placeholders.
func (r *reader) scalar(path string, line int, n *yaml.Node, secret bool) (value, bool) {
	v := value{line: line, path: path, raw: n.Value, secret: secret}
	var err error
	if v.text, v.looked, err = r.resolve.expand(n.Value); err != nil {
		r.refuse(line, path, "%v", err)
		return v, false
	}
	if v.looked || secret {
		r.looked = append(r.looked, v.text)
	}
	if secret && bare.MatchString(n.Value) {
		v.secret = false // A placeholder is shown by name only.
	}
	return v, true
}

// bare matches a value that is one placeholder without a default.
var bare = regexp.MustCompile(`^\$\{[^:{}]*\}$`)

func null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func shape(n *yaml.Node) string {
	switch {
	case null(n):
		return "empty"
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	}
	return "a single value"
}

// canonical is canon for each part of a dotted name.
func canonical(name string) []string {
	parts := strings.Split(name, ".")
	for i := range parts {
		parts[i] = canon(parts[i])
	}
	return parts
}

// lookUp finds the text of a dotted name anywhere in a document.
func lookUp(n *yaml.Node, name []string, depth int) (string, bool) {
	n = followed(n)
	if len(name) == 0 {
		return n.Value, n.Kind == yaml.ScalarNode
	}
	if n.Kind != yaml.MappingNode || depth > maxNesting {
		return "", false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := canonical(n.Content[i].Value)
		if len(k) <= len(name) && slices.Equal(k, name[:len(k)]) {
			if value, ok := lookUp(n.Content[i+1], name[len(k):], depth+1); ok {
				return value, true
			}
		}
	}
	return "", false
}
