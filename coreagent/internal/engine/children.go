package engine

import (
	"context"
	"strconv"
)

// maxForeign bounds the names of strangers' nodes that a job remembers having
// told of.
const maxForeign = 100

// children lists the children of one of the job's nodes, without those that a
// stranger has put there. Every list of the tree is read through it or through
// childrenSeen: a name that is no instance, server or shard would fail whatever
// is done with the others.
func (j *Job) children(ctx context.Context, path string) ([]string, error) {
	names, _, err := j.env.Client.Children(ctx, path)
	return j.own(path, names), err
}

// childrenSeen is children by what the watches have seen.
func (j *Job) childrenSeen(path string) []string { return j.own(path, j.cache.Get(path).Children) }

// own drops the names of strangers' nodes, with a line in the log for each that
// was not seen before.
func (j *Job) own(path string, names []string) []string {
	own, foreign := j.tree.OwnChildren(path, names)
	for _, name := range foreign {
		if j.noteForeign(path + "/" + name) {
			j.log.Warn("a node of a name that ElasticJob does not use is left out", "parent", path, "name", clip(strconv.Quote(name)))
		}
	}
	return own
}

// noteForeign reports whether a stranger's node is to be told of.
func (j *Job) noteForeign(path string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.foreign[path] || len(j.foreign) >= maxForeign {
		return false
	}
	if j.foreign == nil {
		j.foreign = make(map[string]bool)
	}
	j.foreign[path] = true
	return true
}

// clip shortens what a stranger may have made long.
func clip(text string) string {
	const most = 100
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
