package recipe

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// refreshParallel bounds the reads that one Refresh has under way.
const refreshParallel = 128

// Node is a watched node as last read.
type Node struct {
	Exists   bool
	Data     []byte   // nil unless watched with its data
	Children []string // sorted; nil unless watched for children
	Stat     zk.Stat
	// Seen grows with each watch event, with the reading that follows it and
	// with each change found: a node that came and went between two reads is
	// absent both times but Seen differs.
	Seen uint64
}

type kind uint8

const (
	presence kind = iota // existence, version and data
	flag                 // existence and version
	children
)

type entry struct {
	kind    kind
	dirty   bool   // an event fired or nothing was read yet: read and watch again
	suspect bool   // the watch may be broken: compare, and read again if it differs
	read    bool   // there is what the server said at some time
	deleted bool   // the newest event was its deletion
	current bool   // nothing is known to have happened since
	changed uint64 // count of events when the newest one about it came
	seen    uint64
	there   *state // nil for an absent node, as most flags are
}

// state is what is kept of a node that exists, in little room: an agent has thousands.
type state struct {
	data                        []byte
	children                    []string
	czxid, mzxid, pzxid, owner  int64
	ctime, mtime                int64 // milliseconds, as the server has them
	version, cversion, aversion int32
	length, count               int32
}

func keep(n Node) *state {
	s := n.Stat
	return &state{
		data: n.Data, children: n.Children, czxid: s.Czxid, mzxid: s.Mzxid, pzxid: s.Pzxid, owner: s.EphemeralOwner,
		ctime: s.Ctime.UnixMilli(), mtime: s.Mtime.UnixMilli(),
		version: s.Version, cversion: s.Cversion, aversion: s.Aversion, length: s.DataLength, count: s.NumChildren,
	}
}

// node is the node as last read.
func (e *entry) node() Node {
	s := e.there
	if s == nil {
		return Node{Seen: e.seen}
	}
	return Node{Exists: true, Data: s.data, Children: s.children, Seen: e.seen, Stat: zk.Stat{
		Czxid: s.czxid, Mzxid: s.mzxid, Pzxid: s.pzxid, EphemeralOwner: s.owner,
		Ctime: time.UnixMilli(s.ctime), Mtime: time.UnixMilli(s.mtime),
		Version: s.version, Cversion: s.cversion, Aversion: s.aversion, DataLength: s.length, NumChildren: s.count,
	}}
}

func (e *entry) exists() bool { return e.there != nil }

// Cache keeps a set of nodes below one root as last read, each with a watch.
// Events only mark nodes dirty and call the owner; the owner decides when to
// [Cache.Refresh]. All methods are safe for concurrent use, but only one
// goroutine at a time should refresh.
type Cache struct {
	client *zk.Client
	notify func()
	cancel func()

	mu      sync.Mutex
	entries map[string]*entry
	dirty   int // entries that are dirty or suspect
	events  uint64
}

// NewCache returns an empty cache for nodes at or below root. notify is called
// when a node became dirty, and when a Refresh found a change whose event was
// lost; it may run on the client's goroutine and must only store and signal.
func NewCache(c *zk.Client, root string, notify func()) *Cache {
	cache := &Cache{client: c, notify: notify, entries: make(map[string]*entry)}
	cache.cancel = c.RouteDeletions(root, cache.onEvent)
	return cache
}

// Close stops listening. Watches left on the server fire into the void.
func (c *Cache) Close() {
	c.cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	for path := range c.entries {
		c.client.UnwatchAbsent(path)
	}
}

// Watch adds a node whose data matters, and which is there most of the time. It
// is read by the next Refresh. A path is watched in one way: the first one asked
// for.
func (c *Cache) Watch(path string) { c.add(path, presence) }

// WatchFlag adds a node whose existence says everything, and which is absent
// most of the time. Its data is not read.
func (c *Cache) WatchFlag(path string) { c.add(path, flag) }

// WatchChildren adds a node whose list of children matters.
func (c *Cache) WatchChildren(path string) { c.add(path, children) }

func (c *Cache) add(path string, k kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[path]; ok {
		return
	}
	// Nothing was heard of it so far. Of one that was in the set before, that may have
	// been a change.
	c.entries[path] = &entry{kind: k, dirty: true, changed: c.events}
	c.dirty++
}

// Forget removes a node from the set.
func (c *Cache) Forget(path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[path]; ok {
		c.settle(e)
		delete(c.entries, path)
		c.client.UnwatchAbsent(path)
	}
}

// settle takes e out of the dirty count, with c.mu held.
func (c *Cache) settle(e *entry) {
	if e.dirty || e.suspect {
		c.dirty--
	}
	e.dirty, e.suspect = false, false
}

// Get returns a node as last read; the zero Node if it is not in the set.
func (c *Cache) Get(path string) Node {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[path]; ok {
		return e.node()
	}
	return Node{}
}

// Cached returns a node's data as last read. known is false for a node that is
// not in the set, was not read yet, or is watched for something else.
func (c *Cache) Cached(path string) (data []byte, exists, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[path]
	if !ok || e.kind == children || !e.read || e.kind == flag && e.exists() {
		return nil, false, false
	}
	return e.node().Data, e.exists(), true
}

// Events counts what may have changed the nodes of the set so far: watch events,
// changes that were found without one, and each Invalidate. Because events
// arrive before the reply to any later operation, an unchanged count after a
// write proves that what was read before still held at the moment of the write.
func (c *Cache) Events() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.events
}

// ChangedSince reports whether a node's event was among those that [Cache.Events]
// has counted beyond events, or may have been: the node came to the set since.
func (c *Cache) ChangedSince(path string, events uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[path]
	return !ok || e.changed > events
}

// Invalidate forgets that any watch is in place: after a new session.
func (c *Cache) Invalidate() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.entries {
		c.settle(e)
		e.dirty, e.changed = true, c.events+1
	}
	c.dirty = len(c.entries)
	c.events++
}

// Suspect has the next Refresh compare every node with the server, without
// setting watches anew but for those of absent nodes: after a reconnection with
// the same session, and as a slow repair for events that were lost.
func (c *Cache) Suspect() { c.SuspectIf(func(string) bool { return true }) }

// SuspectIf is [Cache.Suspect] for some of the nodes.
func (c *Cache) SuspectIf(is func(path string) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for path, e := range c.entries {
		if !e.dirty && !e.suspect && is(path) {
			e.suspect = true
			c.dirty++
		}
	}
}

func (c *Cache) onEvent(path string, deleted bool) {
	c.mu.Lock()
	e, ok := c.entries[path]
	if ok {
		c.settle(e)
		e.dirty, e.current, e.deleted = true, false, deleted
		e.seen++
		c.dirty++
		c.events++
		e.changed = c.events
	}
	c.mu.Unlock()
	if ok {
		c.notify()
	}
}

// Refresh reads every dirty node until none is left. On an error the nodes
// that were not read stay dirty.
func (c *Cache) Refresh(ctx context.Context) error {
	return c.RefreshIf(ctx, func(string) bool { return true })
}

// RefreshIf is [Cache.Refresh] for some of the nodes. The others stay dirty.
func (c *Cache) RefreshIf(ctx context.Context, is func(path string) bool) error {
	for {
		list := c.take(is)
		if len(list) == 0 {
			return nil
		}
		group, groupCtx := rethrow.WithContext(ctx)
		group.SetLimit(refreshParallel)
		var absent []work
		for _, w := range list {
			if w.absent {
				absent = append(absent, w)
				continue
			}
			group.Go(func() error { return c.read(groupCtx, w) })
		}
		if len(absent) > 0 {
			group.Go(func() error { return c.readAbsent(groupCtx, absent) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
}

type work struct {
	path    string
	entry   *entry
	kind    kind
	compare bool // suspect: look without a watch first
	absent  bool // most likely, and nothing but an event is needed if it is not
	old     zk.Stat
	existed bool
}

// take lists what to read. The marks go before the read starts, so that an
// event during the read makes the node dirty again.
func (c *Cache) take(is func(path string) bool) []work {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dirty == 0 {
		return nil
	}
	var list []work
	for path, e := range c.entries {
		if !e.dirty && !e.suspect || !is(path) {
			continue
		}
		// What was never read is supposed to be there, and what came or went
		// has most likely come unless its deletion was the last that was heard.
		there := (e.exists() || !e.current) && !e.deleted
		// Setting the watch of an absent node anew tells as much as looking, and
		// more: of one that came and went unseen only the watch is lost.
		absent := !e.exists() && (e.suspect || e.kind == flag && (e.current || !e.read))
		list = append(list, work{path, e, e.kind, e.suspect, absent, e.node().Stat, there})
		e.deleted = false
		c.settle(e)
	}
	return list
}

func (c *Cache) read(ctx context.Context, w work) error {
	if w.compare {
		same, err := c.unchanged(ctx, w)
		if err != nil {
			c.fail(w, true)
			return err
		}
		if same {
			return nil
		}
		c.mu.Lock()
		c.events++ // The event of this change was lost.
		w.entry.changed = c.events
		c.mu.Unlock()
		c.notify()
	}
	n, err := c.fetch(ctx, w)
	if err != nil {
		c.fail(w, false)
		return err
	}
	c.store(w, n)
	return nil
}

// readAbsent sets the watches of nodes that are supposed to be absent. One that
// is not is dirty again when this returns, by its event.
func (c *Cache) readAbsent(ctx context.Context, list []work) error {
	paths := make([]string, len(list))
	for i, w := range list {
		paths[i] = w.path
	}
	err := c.client.WatchAbsent(ctx, paths...)
	for _, w := range list {
		if err != nil {
			c.fail(w, w.compare)
			continue
		}
		c.store(w, Node{})
	}
	return err
}

// store keeps what was read.
func (c *Cache) store(w work, n Node) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := w.entry.node()
	changed := n.Exists != old.Exists || n.Stat.Mzxid != old.Stat.Mzxid || n.Stat.Pzxid != old.Stat.Pzxid
	// After an event what is read counts as another state even if it looks the
	// same: who took the count between the event and this reading knew neither.
	if changed || w.entry.read && !w.entry.current {
		w.entry.seen++
	}
	w.entry.there, w.entry.read, w.entry.current = nil, true, !w.entry.dirty
	if n.Exists {
		w.entry.there = keep(n)
	}
}

// fail marks w for another try. A node that became dirty meanwhile stays so: its
// watch has fired and a comparison would not set it again.
func (c *Cache) fail(w work, suspect bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries[w.path] != w.entry {
		return
	}
	suspect = suspect && !w.entry.dirty
	c.settle(w.entry)
	w.entry.dirty, w.entry.suspect = !suspect, suspect
	c.dirty++
}

func (c *Cache) unchanged(ctx context.Context, w work) (bool, error) {
	stat, exists, err := c.client.Exists(ctx, w.path)
	if err != nil {
		return false, err
	}
	return exists == w.existed && stat.Mzxid == w.old.Mzxid && stat.Czxid == w.old.Czxid &&
		(w.kind != children || stat.Pzxid == w.old.Pzxid), nil
}

// fetch reads a node and leaves a watch, also on an absent one. A node that
// comes or goes between the two calls is caught by the loop.
func (c *Cache) fetch(ctx context.Context, w work) (Node, error) {
	if w.kind == flag {
		stat, exists, err := c.client.ExistsWatch(ctx, w.path)
		return Node{Exists: exists, Stat: stat}, err
	}
	for {
		var n Node
		var err error
		switch {
		case w.kind == children:
			n.Children, n.Stat, err = c.client.ChildrenWatch(ctx, w.path)
			slices.Sort(n.Children)
		case w.existed:
			n.Data, n.Stat, err = c.client.GetWatch(ctx, w.path)
		default:
			err = zk.ErrNoNode // Only the question whether it exists leaves a watch on an absent node.
		}
		if err == nil {
			n.Exists = true
			return n, nil
		}
		if !errors.Is(err, zk.ErrNoNode) {
			return Node{}, err
		}
		_, exists, err := c.client.ExistsWatch(ctx, w.path)
		if err != nil {
			return Node{}, err
		}
		if !exists {
			return Node{}, nil
		}
		w.existed = true
	}
}
