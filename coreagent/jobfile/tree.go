package jobfile

import (
	"strconv"
)

// value is one text of the file.
type value struct {
	line   int
	path   string // the full key
	raw    string // as written
	text   string // without placeholders
	looked bool   // from outside the file
	secret bool
}

func (v value) shown() string {
	if v.secret {
		return "***"
	}
	if len(v.raw) > 200 {
		return strconv.Quote(v.raw[:200]) + "…"
	}
	return strconv.Quote(v.raw)
}

// tree is the content of one key: a value, a list, or the keys below it.
type tree struct {
	path  string
	line  int
	set   bool // the value exists and isn't null
	whole bool // a job with its own key, not with dotted keys
	value value
	list  []value
	sub   map[string]*tree // by the schema's name; by job; by property
	order []string         // of sub
}

func newTree(path string, line int) *tree {
	return &tree{path: path, line: line, sub: make(map[string]*tree)}
}

func (t *tree) at(names ...string) *tree {
	for _, name := range names {
		if t == nil {
			return nil
		}
		t = t.sub[name]
	}
	return t
}

func (t *tree) has(name string) bool {
	sub := t.at(name)
	return sub != nil && (sub.set || len(sub.list) > 0 || len(sub.sub) > 0)
}

// child returns the subtree with a name, and creates it if it's missing.
func (t *tree) child(name string, line int) (sub *tree, made bool) {
	if sub, ok := t.sub[name]; ok {
		return sub, false
	}
	sub = newTree(t.path+"."+name, line)
	if t.path == "" {
		sub.path = name
	}
	t.sub[name] = sub
	t.order = append(t.order, name)
	return sub, true
}

// alternatives are keys of which a job must have exactly one.
var alternatives = map[string]string{
	"elasticJobType": "elasticJobClass", "jobExecutorServiceHandlerType": "jobExecutorThreadPoolSizeProviderType",
	"elasticJobClass": "elasticJobType", "jobExecutorThreadPoolSizeProviderType": "jobExecutorServiceHandlerType",
}

// inherit adds missing keys from defaults. Both share their trees.
func (t *tree) inherit(defaults *tree) {
	for _, name := range defaults.order {
		sub := defaults.sub[name]
		switch own := t.sub[name]; {
		case own != nil && len(sub.sub) > 0:
			own.inherit(sub)
		case own == nil && t.sub[alternatives[name]] == nil:
			t.sub[name] = sub
			t.order = append(t.order, name)
		}
	}
}
