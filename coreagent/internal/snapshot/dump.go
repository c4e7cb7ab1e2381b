package snapshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// readParallel limits the concurrent reads of one dump.
const readParallel = 16

// Cache returns the state of a job's nodes in this process's memory. It must be safe for concurrent
// use and return at once.
type Cache interface {
	// Cached returns a node as last read. known is false if the node isn't cached, so it isn't
	// compared. exists is false if it's cached as missing.
	Cached(path string) (data []byte, exists, known bool)
}

// Dump writes the tree of a job as text, without its addresses and secrets. cache may be nil. A
// text of more than limit bytes is cut, and its last line reports that. An error wraps one of
// package zk or ctx; then there's no text.
func Dump(ctx context.Context, client *zk.Client, job jobtree.Job, cache Cache, limit int) ([]byte, error) {
	// A follower may lag, but everything done before the request must be visible.
	if err := client.Sync(ctx, job.Root()); err != nil {
		return nil, fmt.Errorf("dump job %q: %w", job.Name(), err)
	}
	r := reading{client: client, limit: int64(limit)}
	root := &node{path: job.Root()}
	var err error
	if root.children, err = r.list(ctx, root.path); err != nil {
		return nil, fmt.Errorf("dump job %q: %w", job.Name(), err)
	}
	for level := root.children; len(level) > 0; {
		if level, err = r.level(ctx, level); err != nil {
			return nil, fmt.Errorf("dump job %q: %w", job.Name(), err)
		}
	}
	w := writing{prefix: job.Namespace().Root(), cache: cache, limit: limit}
	w.children(root)
	cut := w.full || r.full()
	if w.text.Len() == 0 && !cut {
		return []byte("\n"), nil
	}
	text := addresses{}.mask(w.text.Bytes())
	if cut {
		text = fmt.Appendf(text, "(cut: the dump is limited to %d bytes)\n", limit)
	}
	return text, nil
}

// node is a node as read. A node that vanished before it was read has no data and isn't printed.
type node struct {
	path     string
	data     []byte
	exists   bool
	children []*node // in descending order
}

// reading reads a tree level by level, and some nodes of a level in parallel.
type reading struct {
	client *zk.Client
	limit  int64
	bytes  atomic.Int64
}

// full reports whether we've read as much as we'll print.
func (r *reading) full() bool { return r.bytes.Load() > r.limit }

// level reads the nodes of a level and returns the next level's nodes.
func (r *reading) level(ctx context.Context, nodes []*node) ([]*node, error) {
	for part := range slices.Chunk(nodes, readParallel) {
		if r.full() { // Only between the parts, so that a text that is cut has no gaps.
			break
		}
		if err := rethrow.Each(ctx, readParallel, len(part), func(ctx context.Context, i int) error {
			return r.read(ctx, part[i])
		}); err != nil {
			return nil, err
		}
	}
	var next []*node
	for _, n := range nodes {
		next = append(next, n.children...)
	}
	return next, nil
}

func (r *reading) read(ctx context.Context, n *node) error {
	data, stat, err := r.client.Get(ctx, n.path)
	if err != nil {
		return zk.Ignore(err, zk.ErrNoNode)
	}
	n.data, n.exists = data, true
	r.bytes.Add(int64(len(n.path) + len(data)))
	if stat.NumChildren == 0 {
		return nil
	}
	n.children, err = r.list(ctx, n.path)
	return err
}

// list returns the unread children of a node. A missing node has none.
func (r *reading) list(ctx context.Context, path string) ([]*node, error) {
	names, _, err := r.client.Children(ctx, path)
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return nil, err
	}
	// The order of Java's strings. It differs from byte order only for characters that ZooKeeper
	// doesn't allow in names.
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(b, a) })
	children := make([]*node, len(names))
	for i, name := range names {
		children[i] = &node{path: path + "/" + name}
	}
	return children, nil
}

// writing prints a tree after it was read.
type writing struct {
	prefix string // the namespace, which isn't printed
	cache  Cache
	limit  int
	text   bytes.Buffer
	full   bool // a record didn't fit, so nothing follows
}

func (w *writing) children(n *node) {
	for _, child := range n.children {
		if w.full {
			return
		}
		if !child.exists {
			continue
		}
		record := w.record(child)
		if w.text.Len()+len(record) > w.limit {
			w.full = true
			return
		}
		w.text.Write(record)
		w.children(child)
	}
}

func (w *writing) record(n *node) []byte {
	path := strings.TrimPrefix(n.path, w.prefix)
	record := fmt.Appendf(nil, "%s | %s", path, mask.Document(n.data))
	if w.cache != nil {
		data, exists, known := w.cache.Cached(n.path)
		switch {
		case !known:
		case !exists:
			record = append(record, " |  | "...)
		case !bytes.Equal(data, n.data):
			record = fmt.Appendf(record, " | %s | %s", path, mask.Document(data))
		}
	}
	return append(record, '\n')
}
