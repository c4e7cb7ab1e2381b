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
// There are a million nodes at most, so each is small: what many of them hold, such
// as the id of an instance, is kept once.
//
// A refresher reads everything in the background and compares it from time to
// time, see refresh.go.
//
// What a job's first look needs is read ahead by few requests, see ahead.go.
//
// Each watch is set once: the client keeps it until its event comes, in few bytes, see
// [zk.Many].
type cache struct {
	client *zk.Client
	ns     jobtree.Namespace
	limit  int
	cancel func()

	changed feed.Feed[News]

	mu    sync.Mutex
	epoch uint64    // session under which the nodes were read
	since time.Time // connection under which they were read or compared
	nodes nodes
	reads map[cacheKey]chan struct{} // nodes that are being read; closed when that is over
	rows  map[rowKey]*cachedRow
	// changes goes up whenever something is forgotten or expires. jobs and servers are the
	// newest lists, each with the value that changes had when the list was made.
	changes uint64
	expires time.Time // the earliest until of the rows
	now     func() time.Time
	jobs    *cachedList[Job]
	servers *cachedList[Server]
	// answers counts nodes of jobs that were read, so that who waits sees that
	// it goes on.
	answers uint64
	// filling is closed when the refresher has read everything; nil while it is
	// not at it.
	filling  chan struct{}
	compared time.Time // when everything cached was last known to be as stored
	repaired uint64    // nodes whose event had been lost
}

// cachedList is a list of jobs or servers. It is not changed any more.
type cachedList[T any] struct {
	changes uint64
	rows    []T
}

type cacheKey struct {
	path     string
	children bool
}

// cachedNode is a node as it was read.
type cachedNode struct {
	content      unique.Handle[string] // data, or the names of the children with a slash after each
	changed      int64                 // the transaction that made it so: zk.Stat's Mzxid, or Pzxid of children
	ctime, mtime int64                 // in milliseconds
	owner        int64                 // the session of an ephemeral node
	version      int32
	found        bool
	suspect      bool // the connection broke since: to be compared
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

// stat is what of the node's record is kept, besides what nobody asks for.
func (n *cachedNode) stat() zk.Stat {
	if !n.found {
		return zk.Stat{}
	}
	return zk.Stat{Mzxid: n.changed, Version: n.version, EphemeralOwner: n.owner, Ctime: time.UnixMilli(n.ctime), Mtime: time.UnixMilli(n.mtime)}
}

// data is what the node holds.
func (n *cachedNode) data() []byte { return []byte(n.text()) }

// children are the names below the node.
func (n *cachedNode) children() []string {
	text := n.text()
	if text == "" {
		return nil
	}
	return strings.Split(text[:len(text)-1], "/")
}

// joined is how the names below a node are kept: in order, so that the same names are
// the same text, however the server happens to list them. It sorts the names.
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

// cachedRow is what was concluded about a job; nil for what is no job.
type cachedRow struct {
	pending chan struct{} // closed when it is concluded, or given up; nil once it is
	until   time.Time     // of a job, JudgedUntil; zero for never
	value   any
	fleet   *fleet // of a row for the list, if all nodes for it were read
}

// concluded is a row that is there, with mu held: for lists of servers it may have
// come with the one for the list of jobs.
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

// forget drops everything, with mu held.
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

// drop forgets a node and what was concluded from it, with mu held.
func (k *cache) drop(path string) {
	k.changes++
	for _, key := range []cacheKey{{path, false}, {path, true}} {
		k.nodes.remove(key)
		delete(k.reads, key) // What it reads is not kept.
	}
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
		k.nodes.suspectAll()
		clear(k.rows)
		k.changes++
		k.compared = time.Time{}
	}
	k.epoch, k.since = epoch, condition.Since
	return true
}

// lookup returns a node that is cached.
func (k *cache) lookup(key cacheKey) (cachedNode, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n, ok := k.nodes.get(key)
	return n, ok && !n.suspect
}

// fetch reads a node, and keeps it if it may; keeps tells whether it does.
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
		return old, true, nil // Somebody has read it while this one waited.
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
		// The event of this change may have been lost with the connection.
		n, err = k.read(ctx, key, true)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err == nil && key.path != k.ns.Root() {
		k.answers++
	}
	if k.reads[key] != note {
		return n, false, err // An event came, or the session went.
	}
	delete(k.reads, key)
	if err != nil {
		return n, false, err // What was known stays: its watch stands.
	}
	k.nodes.set(key, n)
	return n, true, nil
}

// shows reports whether a node reads as it did: that which came in the place of one
// that was deleted has a later transaction. Of children that fill has read the
// transaction is not known, and the names count.
func (n *cachedNode) shows(old cachedNode) bool {
	if n.found && old.found && old.changed == 0 {
		return n.content == old.content
	}
	return n.found == old.found && n.changed == old.changed
}

// read asks the server. An absent node is watched for its coming.
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
				continue // It came in between.
			}
		}
		return cachedNode{}, nil
	}
}

// ask reads data or children of a node.
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

// fill reads nodes that are not known for sure and that nobody reads, by few requests,
// and keeps them. What it cannot read is left to whoever asks for it.
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
			continue // An event came, or the session went.
		}
		delete(k.reads, key)
		if err == nil {
			k.keepRead(key, list[i], results[i])
		}
	}
}

// keepRead keeps a node that fill has read, if its next change is announced, with mu held.
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

// row returns what was concluded about a job. If that is not known, conclude is
// called, or waited for where somebody is at it; its result is kept if it says
// so and no event came meanwhile.
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
		if !row.until.IsZero() && (k.expires.IsZero() || row.until.Before(k.expires)) {
			k.expires = row.until
		}
	}
	return row.value, err
}

// known fills in what was concluded about the jobs of these names, and returns
// the positions of the others.
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
