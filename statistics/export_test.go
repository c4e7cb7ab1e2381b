package statistics

import (
	"path"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

func (r *Reader) SetClock(now func() time.Time) { r.now = now }

func (r *Reader) SetLimit(n int) {
	r.cache.mu.Lock()
	defer r.cache.mu.Unlock()
	r.cache.limit = n
	r.cache.forget()
}

func (r *Reader) Cached() int {
	r.cache.mu.Lock()
	defer r.cache.mu.Unlock()
	return r.cache.nodes.count
}

// Filled reports whether the namespace was read in the background.
func (r *Reader) Filled() bool { return r.cache.filled() }

var Against = against

var CodeOrder = codeOrder

// Node is a node of a tree in memory.
type Node struct {
	Data      string
	At        time.Time // the time at which it was created and written
	Ephemeral bool
}

// NewMemory returns a Reader of a tree in memory. The tree has nodes by their path below the
// namespace.
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
