package statistics

import (
	"path"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// SetClock makes Explain take now for the present time.
func (r *Reader) SetClock(now func() time.Time) { r.now = now }

// SetLimit sets how many nodes a watching Reader keeps.
func (r *Reader) SetLimit(n int) {
	r.cache.mu.Lock()
	defer r.cache.mu.Unlock()
	r.cache.limit = n
	r.cache.forget()
}

// Cached is how many it keeps.
func (r *Reader) Cached() int {
	r.cache.mu.Lock()
	defer r.cache.mu.Unlock()
	return r.cache.nodes.count
}

// Filled reports whether a watching Reader has read everything in the background.
func (r *Reader) Filled() bool { return r.cache.filled() }

// Against are the findings against each rule that is checked.
var Against = against

// CodeOrder has every code.
var CodeOrder = codeOrder

// Node is a node of a tree in memory.
type Node struct {
	Data      string
	At        time.Time // when it was made and written
	Ephemeral bool
}

// NewMemory returns a Reader of a tree in memory: nodes by their paths below the namespace.
func NewMemory(ns jobtree.Namespace, tree map[string]Node, now func() time.Time) *Reader {
	k := &cache{ns: ns, nodes: newNodes(ns)}
	children := make(map[string][]string)
	for name, n := range tree {
		stat := zk.Stat{Ctime: n.At, Mtime: n.At}
		if n.Ephemeral {
			stat.EphemeralOwner = 1
		}
		p := path.Join(ns.Root(), name)
		k.nodes.set(cacheKey{p, false}, newCachedNode(n.Data, false, stat))
		for ; p != ns.Root() && !slices.Contains(children[path.Dir(p)], path.Base(p)); p = path.Dir(p) {
			children[path.Dir(p)] = append(children[path.Dir(p)], path.Base(p))
		}
	}
	for p, names := range children {
		k.nodes.set(cacheKey{p, true}, newCachedNode(joined(names), true, zk.Stat{}))
	}
	return &Reader{ns: ns, now: now, memory: k, parsed: &schedules{}}
}
