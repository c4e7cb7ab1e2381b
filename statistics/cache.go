package statistics

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/feed"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// maxCached bounds the nodes that are cached. What comes beyond is read each time.
const maxCached = 1_000_000

// cache is what a watching Reader remembers of a namespace: nodes as they were
// read, each with a watch that is still unspent, and what was concluded from
// them. An event forgets the node, and what was concluded about its job.
//
//	read ──▶ cached? ──yes──▶ answer
//	             │no
//	             ▼
//	    note "reading" ─▶ read and watch ─▶ still noted? keep it : an event came
//	             ▲
//	             └── who wants the same meanwhile waits for it
//
// A refresher reads everything in the background and compares it from time to
// time, see refresh.go.
//
// Each watch is set once: the client keeps a watch until its event comes, so
// that reading a node again without one would pile watches up.
type cache struct {
	client *zk.Client
	ns     jobtree.Namespace
	limit  int
	cancel func()

	changed feed.Feed[News]

	mu    sync.Mutex
	epoch uint64    // session under which the nodes were read
	since time.Time // connection under which they were read or compared
	nodes map[cacheKey]*cachedNode
	rows  map[rowKey]*cachedRow
	// changes counts what was forgotten, and jobs is the list as it was made
	// last, with the count by which it was.
	changes uint64
	jobs    *cachedList
	// answers counts nodes of jobs that were read, so that who waits sees that
	// it goes on.
	answers uint64
	// filling is closed when the refresher has read everything; nil while it is
	// not at it.
	filling  chan struct{}
	compared time.Time // when everything cached was last known to be as stored
	repaired uint64    // nodes whose event had been lost
}

// cachedList is a list of jobs. It is not changed any more.
type cachedList struct {
	changes uint64
	jobs    []Job
}

type cacheKey struct {
	path     string
	children bool
}

// cachedNode is a node as it was read. It is immutable but for its flags, which
// mu guards.
type cachedNode struct {
	data    []byte
	names   []string
	stat    zk.Stat
	found   bool
	reading chan struct{} // there is nothing to see until it is closed; nil for a node that was read
	suspect bool          // the connection broke since: to be compared
}

type rowKey struct {
	job   string
	depth depth
}

// cachedRow is what was concluded about a job; nil for what is no job.
type cachedRow struct {
	pending chan struct{} // closed when it is concluded, or given up; nil once it is
	value   any
}

func newCache(client *zk.Client, ns jobtree.Namespace) *cache {
	k := &cache{client: client, ns: ns, limit: maxCached}
	k.forget()
	k.cancel = client.Route(ns.Root(), k.onEvent)
	return k
}

// forget drops everything, with mu held.
func (k *cache) forget() {
	k.nodes, k.rows = make(map[cacheKey]*cachedNode), make(map[rowKey]*cachedRow)
	k.compared = time.Time{}
	k.changes++
}

// onEvent runs on the client's receive goroutine.
func (k *cache) onEvent(path string) {
	k.mu.Lock()
	k.drop(path)
	k.mu.Unlock()
	k.tell(path)
}

// drop forgets a node and what was concluded from it, with mu held.
func (k *cache) drop(path string) {
	k.changes++
	delete(k.nodes, cacheKey{path, false})
	delete(k.nodes, cacheKey{path, true})
	if job, below := k.ns.JobOf(path); below {
		delete(k.rows, rowKey{job.Name(), forList})
		delete(k.rows, rowKey{job.Name(), forServers})
	}
}

// usable prepares for a request. It is false while there is no connection: what
// is kept may be out of date, and the request has to find out that ZooKeeper is
// away.
func (k *cache) usable() bool {
	condition, epoch := k.client.Condition(), k.client.Session().Epoch
	if condition.State != zk.Connected {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case epoch != k.epoch:
		k.forget() // The watches went with the session.
	case !condition.Since.Equal(k.since):
		// The watches were set again. What changed meanwhile is announced, but
		// not necessarily before the next reply.
		for _, n := range k.nodes {
			n.suspect = true
		}
		clear(k.rows)
		k.changes++
		k.compared = time.Time{}
	}
	k.epoch, k.since = epoch, condition.Since
	return true
}

// lookup returns a node that is cached.
func (k *cache) lookup(key cacheKey) (*cachedNode, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n, ok := k.nodes[key]
	return n, ok && n.reading == nil && !n.suspect
}

// fetch reads a node, and keeps it if it may; keeps tells whether it does.
func (k *cache) fetch(ctx context.Context, key cacheKey) (n *cachedNode, keeps bool, err error) {
	k.mu.Lock()
	old, known := k.nodes[key]
	for known && old.reading != nil {
		k.mu.Unlock()
		select {
		case <-old.reading:
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		}
		k.mu.Lock()
		old, known = k.nodes[key]
	}
	switch {
	case known && !old.suspect:
		k.mu.Unlock()
		return old, true, nil // Somebody has read it while this one waited.
	case !known && len(k.nodes) >= k.limit:
		k.mu.Unlock()
		n, err = k.read(ctx, key, false)
		return n, false, err
	}
	note := &cachedNode{reading: make(chan struct{})}
	defer close(note.reading)
	k.nodes[key] = note
	k.mu.Unlock()

	n, err = k.read(ctx, key, !known)
	if err == nil && known && !n.same(old) {
		// The event of this change may have been lost with the connection.
		n, err = k.read(ctx, key, true)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err == nil && key.path != k.ns.Root() {
		k.answers++
	}
	if k.nodes[key] != note {
		return n, false, err // An event came, or the session went.
	}
	switch {
	case err != nil && known:
		k.nodes[key] = old // Its watch stands.
		return nil, false, err
	case err != nil:
		delete(k.nodes, key)
		return nil, false, err
	}
	k.nodes[key] = n
	return n, true, nil
}

// same reports whether nothing has happened to a node since it was read.
func (n *cachedNode) same(old *cachedNode) bool {
	return n.found == old.found && n.stat.Czxid == old.stat.Czxid && n.stat.Mzxid == old.stat.Mzxid && n.stat.Pzxid == old.stat.Pzxid
}

// read asks the server. An absent node is watched for its coming.
func (k *cache) read(ctx context.Context, key cacheKey, watch bool) (*cachedNode, error) {
	for {
		n := &cachedNode{found: true}
		var err error
		switch {
		case key.children && watch:
			n.names, n.stat, err = k.client.ChildrenWatch(ctx, key.path)
		case key.children:
			n.names, n.stat, err = k.client.Children(ctx, key.path)
		case watch:
			n.data, n.stat, err = k.client.GetWatch(ctx, key.path)
		default:
			n.data, n.stat, err = k.client.Get(ctx, key.path)
		}
		if !errors.Is(err, zk.ErrNoNode) {
			return n, err
		}
		if watch {
			_, exists, err := k.client.ExistsWatch(ctx, key.path)
			if err != nil {
				return nil, err
			}
			if exists {
				continue // It came in between.
			}
		}
		return &cachedNode{}, nil
	}
}

// row returns what was concluded about a job. If that is not known, conclude is
// called, or waited for where somebody is at it; its result is kept if it says
// so and no event came meanwhile.
func (k *cache) row(ctx context.Context, key rowKey, conclude func() (value any, keep bool, err error)) (any, error) {
	k.mu.Lock()
	r, known := k.rows[key]
	for known && r.pending != nil {
		k.mu.Unlock()
		select {
		case <-r.pending:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		k.mu.Lock()
		r, known = k.rows[key]
	}
	if known {
		k.mu.Unlock()
		return r.value, nil
	}
	r = &cachedRow{pending: make(chan struct{})}
	defer close(r.pending)
	k.rows[key] = r
	k.mu.Unlock()
	value, keep, err := conclude()
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.rows[key] != r:
	case !keep || err != nil:
		delete(k.rows, key)
	default:
		k.rows[key] = &cachedRow{value: value}
	}
	return value, err
}

// known fills in what was concluded about the jobs of these names, and returns
// the positions of the others.
func (k *cache) known(names []string, depth depth, set func(position int, value any)) (missing []int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, name := range names {
		if r := k.rows[rowKey{name, depth}]; r != nil && r.pending == nil {
			set(i, r.value)
		} else {
			missing = append(missing, i)
		}
	}
	return missing
}

// children is a copy: callers sort it.
func (n *cachedNode) children() []string { return slices.Clone(n.names) }
