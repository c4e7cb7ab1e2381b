package nodes

import (
	"context"
	"strconv"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// maxForeign limits how many foreign node names a job remembers having logged.
const maxForeign = 100

// maxShown limits the length of such a name in the log, in characters.
const maxShown = 100

// Children returns the children of one of the job's nodes, without foreign ones. All lists of the
// tree are read through Children or Seen; otherwise a name that is no instance, server or shard
// would break the work on the others.
func (n *Nodes) Children(ctx context.Context, path string) ([]string, error) {
	names, _, err := n.Client.Children(ctx, path)
	return n.own(path, names), err
}

// Seen is like Children, but returns the children last seen by the watches.
func (n *Nodes) Seen(cache *recipe.Cache, path string) []string {
	return n.own(path, cache.Get(path).Children)
}

// own drops the names of foreign nodes, and logs each new one.
func (n *Nodes) own(path string, names []string) []string {
	own, foreign := n.Tree.OwnChildren(path, names)
	for _, name := range foreign {
		if n.noteForeign(path + "/" + name) {
			n.log.Warn("ignored a node with a name that ElasticJob doesn't use", "parent", path, "name", jobtree.Clip(strconv.Quote(name), maxShown))
		}
	}
	return own
}

// noteForeign reports whether a foreign node should be logged, because it hasn't been yet.
func (n *Nodes) noteForeign(path string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.foreign[path] || len(n.foreign) >= maxForeign {
		return false
	}
	if n.foreign == nil {
		n.foreign = make(map[string]bool)
	}
	n.foreign[path] = true
	return true
}
