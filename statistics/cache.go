package statistics

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"
	"unique"

	"github.com/elasticjob-go/elasticjob/internal/feed"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// maxCached bounds the nodes that are cached. More nodes are read each time.
const maxCached = 1_000_000

// cache is the memory of a watching Reader: the nodes it has read, each with a pending watch, and
// the rows that were made from them. A watch event drops the node and the rows of its job.
//
//	read ──▶ cached? ──yes──▶ answer
//	             │no
//	             ▼
//	    note "reading" ─▶ read and watch ─▶ still noted? cache it : an event came
//	             ▲
//	             └── other reads of the same node wait for it
//
// There may be a million nodes, so each must be small. Values that many nodes share, such as the id
// of an instance, are stored once.
//
// A refresher fills the cache in the background and compares it with the server from time to time;
// see refresh.go. The nodes of a new job are read ahead with a few requests; see ahead.go. A watch
// needs only a few bytes, and the client keeps it until its event comes; see [zk.Many].
type cache struct {
	client *zk.Client
	ns     jobtree.Namespace
	limit  int
	cancel func()

	changed feed.Feed[News]

	mu    sync.Mutex
	epoch uint64    // the session in which the nodes were read
	since time.Time // the connection on which they were read or compared
	nodes nodes
	reads map[cacheKey]chan struct{} // nodes that are being read; closed when the read ends
	rows  map[rowKey]*cachedRow
	// changes increases whenever something is dropped or expires. jobs and servers are the newest
	// lists, and note the value of changes when they were made.
	changes uint64
	expires time.Time // the earliest until of all rows
	now     func() time.Time
	jobs    *cachedList[Job]
	servers *cachedList[Server]
	// answers counts the nodes that were read, so that waiting callers can see progress.
	answers uint64
	// filling is closed when the refresher has read everything; nil if it isn't reading everything
	// now.
	filling  chan struct{}
	compared time.Time // when the whole cache was last known to match the server
	repaired uint64    // nodes that changed although no event came
}

// cachedList is a list of jobs or servers. It's immutable.
type cachedList[T any] struct {
	changes uint64
	rows    []T
}

type cacheKey struct {
	path     string
	children bool
}

type cachedNode struct {
	content      unique.Handle[string] // the data, or the names of the children with a slash after each
	changed      int64                 // the transaction of this value: Mzxid of a zk.Stat, or Pzxid for children
	ctime, mtime int64                 // in milliseconds
	owner        int64                 // the session of an ephemeral node; 0 for any other node
	version      int32
	found        bool
	listing      bool // the content is the names of the children
	suspect      bool // the connection broke after the read, so compare the node before using it
}

func newCachedNode(content string, children bool, stat zk.Stat) cachedNode {
	n := cachedNode{
		content: unique.Make(content), changed: stat.Mzxid,
		ctime: stat.Ctime.UnixMilli(), mtime: stat.Mtime.UnixMilli(), owner: stat.EphemeralOwner, version: stat.Version, found: true,
	}
	if children {
		n.changed = stat.Pzxid
	}
	return n
}

// stat returns the fields of the node's Stat that we keep.
func (n *cachedNode) stat() zk.Stat {
	if !n.found {
		return zk.Stat{}
	}
	return zk.Stat{Version: n.version, Mzxid: n.changed, EphemeralOwner: n.owner, Ctime: time.UnixMilli(n.ctime), Mtime: time.UnixMilli(n.mtime)}
}

func (n *cachedNode) data() []byte { return []byte(n.text()) }

func (n *cachedNode) children() []string {
	text := n.text()
	if text == "" {
		return nil
	}
	return strings.Split(text[:len(text)-1], "/")
}

// joined returns the names in the format of cachedNode.content. It sorts names, because equal lists
// should be equal strings regardless of the server's order.
func joined(names []string) string {
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return strings.Join(names, "/") + "/"
}

func (n *cachedNode) text() string {
	if !n.found {
		return ""
	}
	return n.content.Value()
}

type rowKey struct {
	job   string
	depth depth
}

// cachedRow is the result for a job.
type cachedRow struct {
	pending chan struct{} // closed when the row is made or has failed; nil in a finished row
	until   time.Time     // for a job, its JudgedUntil; zero means never
	value   any
	fleet   *fleet // set in a row of the list of jobs if all of its nodes were read
}

// concluded returns a finished row. A row of the list of servers may come with a row of the list of
// jobs. k.mu must be held.
func (k *cache) concluded(key rowKey) (value any, known bool) {
	if r := k.rows[key]; r != nil && r.pending == nil {
		if !r.until.IsZero() && !k.now().Before(r.until) {
			delete(k.rows, key)
			return nil, false
		}
		return r.value, true
	}
	if key.depth == forServers {
		if r := k.rows[rowKey{key.job, forList}]; r != nil && r.fleet != nil {
			return r.fleet, true
		}
	}
	return nil, false
}

func newCache(client *zk.Client, ns jobtree.Namespace) *cache {
	k := &cache{client: client, ns: ns, limit: maxCached, now: time.Now}
	k.forget()
	k.cancel = client.Route(ns.Root(), k.onEvent)
	return k
}

// forget drops everything. k.mu must be held.
func (k *cache) forget() {
	k.nodes, k.rows = newNodes(k.ns), make(map[rowKey]*cachedRow)
	k.reads = make(map[cacheKey]chan struct{})
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

// drop drops a node and the rows of its job. k.mu must be held.
func (k *cache) drop(path string) {
	k.changes++
	for _, key := range []cacheKey{{path, false}, {path, true}} {
		k.nodes.remove(key)
		delete(k.reads, key) // Its result must not be cached.
	}
	if job, below := k.ns.JobOf(path); below {
		delete(k.rows, rowKey{job.Name(), forList})
		delete(k.rows, rowKey{job.Name(), forServers})
	}
}

// usable prepares the cache for a request. It returns false if there is no connection. The cache
// may be out of date then, so the request should ask ZooKeeper.
func (k *cache) usable() bool {
	condition, epoch := k.client.Condition(), k.client.Session().Epoch
	if condition.State != zk.Connected {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case epoch != k.epoch:
		k.forget() // The watches were lost with the session.
	case !condition.Since.Equal(k.since):
		// The client has set the watches again. Events for changes during the break will come, but
		// maybe not before the next reply.
		k.nodes.suspectAll()
		clear(k.rows)
		k.changes++
		k.compared = time.Time{}
	}
	k.epoch, k.since = epoch, condition.Since
	return true
}

// lookup returns a cached node that is up to date.
func (k *cache) lookup(key cacheKey) (cachedNode, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n, ok := k.nodes.get(key)
	return n, ok && !n.suspect
}

// fetch reads a node and caches it if possible. keeps is set if the node is in the cache now.
func (k *cache) fetch(ctx context.Context, key cacheKey) (n cachedNode, keeps bool, err error) {
	k.mu.Lock()
	for reading := k.reads[key]; reading != nil; reading = k.reads[key] {
		k.mu.Unlock()
		select {
		case <-reading:
		case <-ctx.Done():
			return n, false, context.Cause(ctx)
		}
		k.mu.Lock()
	}
	old, known := k.nodes.get(key)
	switch {
	case known && !old.suspect:
		k.mu.Unlock()
		return old, true, nil // Another call has read it while we waited.
	case !known && k.nodes.count+len(k.reads) >= k.limit:
		k.mu.Unlock()
		n, err = k.read(ctx, key, false)
		return n, false, err
	}
	note := make(chan struct{})
	defer close(note)
	k.reads[key] = note
	k.mu.Unlock()

	n, err = k.read(ctx, key, !known)
	if err == nil && known && !n.shows(old) {
		// We may have lost the event of this change together with the connection.
		n, err = k.read(ctx, key, true)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err == nil && key.path != k.ns.Root() {
		k.answers++
	}
	if k.reads[key] != note {
		return n, false, err // An event came, or the session was lost.
	}
	delete(k.reads, key)
	if err != nil {
		return n, false, err // Keep the old node, because its watch is still set.
	}
	k.nodes.set(key, n)
	return n, true, nil
}

// shows reports whether a node is unchanged since old. If it was deleted and created again, its
// transaction is newer. Children that fill has read have no transaction, so we compare their names.
func (n *cachedNode) shows(old cachedNode) bool {
	if n.found && old.found && old.changed == 0 {
		return n.content == old.content
	}
	return n.found == old.found && n.changed == old.changed
}

// read reads a node from the server. If watch is set and the node is absent, its creation is
// watched.
func (k *cache) read(ctx context.Context, key cacheKey, watch bool) (cachedNode, error) {
	for {
		content, stat, err := k.ask(ctx, key, watch)
		switch {
		case err == nil:
			return newCachedNode(content, key.children, stat), nil
		case !errors.Is(err, zk.ErrNoNode):
			return cachedNode{}, err
		}
		if watch {
			_, exists, err := k.client.Many().Exists(ctx, key.path)
			if err != nil {
				return cachedNode{}, err
			}
			if exists {
				continue // It was created between the two requests.
			}
		}
		return cachedNode{}, nil
	}
}

func (k *cache) ask(ctx context.Context, key cacheKey, watch bool) (content string, stat zk.Stat, err error) {
	if key.children {
		children := k.client.Children
		if watch {
			children = k.client.Many().Children
		}
		names, stat, err := children(ctx, key.path)
		return joined(names), stat, err
	}
	get := k.client.Get
	if watch {
		get = k.client.Many().Get
	}
	data, stat, err := get(ctx, key.path)
	return string(data), stat, err
}

// fill reads the given nodes with a few requests and caches them. It skips nodes that are up to
// date or that are being read. Nodes that can't be read are left to the callers that need them.
func (k *cache) fill(ctx context.Context, wanted []zk.Reading) {
	note := make(chan struct{})
	defer close(note)
	var keys []cacheKey
	var list []zk.Reading
	k.mu.Lock()
	for _, r := range wanted {
		key := cacheKey{r.Path, r.Children}
		old, known := k.nodes.get(key)
		if (old.suspect || !known && k.nodes.count+len(k.reads) < k.limit) && k.reads[key] == nil {
			k.reads[key] = note
			keys, list = append(keys, key), append(list, r)
		}
	}
	k.mu.Unlock()
	if len(list) == 0 {
		return
	}
	results, err := k.client.Many().ReadAll(ctx, list)
	k.mu.Lock()
	defer k.mu.Unlock()
	if err == nil {
		k.answers += uint64(len(results))
	}
	for i, key := range keys {
		if k.reads[key] != note {
			continue // An event came, or the session was lost.
		}
		delete(k.reads, key)
		if err == nil {
			k.keepRead(key, list[i], results[i])
		}
	}
}

// keepRead caches a node that fill has read, unless its next change wouldn't fire a watch. k.mu
// must be held.
func (k *cache) keepRead(key cacheKey, asked zk.Reading, got zk.Read) {
	switch {
	case got.Err == nil && key.children:
		k.nodes.set(key, newCachedNode(joined(got.Children), true, zk.Stat{}))
	case got.Err == nil:
		k.nodes.set(key, newCachedNode(string(got.Data), false, got.Stat))
	case errors.Is(got.Err, zk.ErrNoNode) && !asked.Optional:
		k.nodes.set(key, cachedNode{})
	}
}

// row returns the row of a job. If it isn't cached, row calls conclude, or waits for a call in
// another goroutine. The result is cached if keep is set and no event came in between.
func (k *cache) row(ctx context.Context, key rowKey, conclude func() (row cachedRow, keep bool, err error)) (any, error) {
	k.mu.Lock()
	value, known := k.concluded(key)
	for r := k.rows[key]; !known && r != nil; r = k.rows[key] {
		k.mu.Unlock()
		select {
		case <-r.pending:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		k.mu.Lock()
		value, known = k.concluded(key)
	}
	if known {
		k.mu.Unlock()
		return value, nil
	}
	r := &cachedRow{pending: make(chan struct{})}
	defer close(r.pending)
	k.rows[key] = r
	k.mu.Unlock()
	row, keep, err := conclude()
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.rows[key] != r:
	case !keep || err != nil:
		delete(k.rows, key)
	default:
		k.rows[key] = &row
		k.nodes.trim(key.job)
		if !row.until.IsZero() && (k.expires.IsZero() || row.until.Before(k.expires)) {
			k.expires = row.until
		}
	}
	return row.value, err
}

// known calls set for each job with a cached row and returns the positions of the other names.
func (k *cache) known(names []string, depth depth, set func(position int, value any)) (missing []int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, name := range names {
		if value, known := k.concluded(rowKey{name, depth}); known {
			set(i, value)
		} else {
			missing = append(missing, i)
		}
	}
	return missing
}
