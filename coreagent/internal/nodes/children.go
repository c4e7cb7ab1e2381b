package nodes

import (
	"context"
	"strconv"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// maxForeign bounds the names of strangers' nodes that a job remembers having
// logged.
const maxForeign = 100

// maxShown bounds how much of such a name the log shows, in characters.
const maxShown = 100

// Children lists the children of one of the job's nodes, without those that a
// stranger has put there. Every list of the tree is read through it or through
// Seen: a name that is no instance, server or shard would fail whatever is done
// with the others.
func (n *Nodes) Children(ctx context.Context, path string) ([]string, error) {
	names, _, err := n.Client.Children(ctx, path)
	return n.own(path, names), err
}

// Seen is Children by what the watches have seen.
func (n *Nodes) Seen(cache *recipe.Cache, path string) []string {
	return n.own(path, cache.Get(path).Children)
}

// own drops the names of strangers' nodes, with a line in the log for each that
// was not seen before.
func (n *Nodes) own(path string, names []string) []string {
	own, foreign := n.Tree.OwnChildren(path, names)
	for _, name := range foreign {
		if n.noteForeign(path + "/" + name) {
			n.log.Warn("a node of a name that ElasticJob does not use is left out", "parent", path, "name", jobtree.Clip(strconv.Quote(name), maxShown))
		}
	}
	return own
}

// noteForeign reports whether the log has yet to name a stranger's node.
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
