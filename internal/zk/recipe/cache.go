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

// refreshParallel bounds the concurrent reads of one Refresh.
const refreshParallel = 128

// Node is a watched node as last read.
type Node struct {
	Exists   bool
	Data     []byte   // nil unless watched with its data
	Children []string // sorted; nil unless watched for children
	Stat     zk.Stat
	// Seen grows with each watch event, each read after one and each change found. So a node that
	// was created and deleted between two reads has a different Seen, although it's absent both
	// times.
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
	dirty   bool   // an event fired or it was never read: read and watch again
	suspect bool   // the watch may be broken: compare, and read again if it differs
	read    bool   // it was read at least once
	deleted bool   // the newest event was its deletion
	current bool   // no later change is known
	changed uint64 // event count at its newest event
	seen    uint64
	there   *state // nil for an absent node, as most flags are
}

// state is the compact form of an existing node, because an agent has thousands.
type state struct {
	data                        []byte
	children                    []string
	czxid, mzxid, pzxid, owner  int64
	ctime, mtime                int64 // milliseconds, as on the server
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

// Cache holds a set of watched nodes below one root as last read. Events only mark nodes dirty and
// notify the owner, who decides when to [Cache.Refresh]. All methods are safe for concurrent use,
// but only one goroutine at a time should refresh.
type Cache struct {
	client *zk.Client
	notify func()
	cancel func()

	mu      sync.Mutex
	entries map[string]*entry
	dirty   int // dirty or suspect entries
	events  uint64
}

// NewCache returns an empty cache for nodes at or below root. notify is called when a node becomes
// dirty, and when a Refresh finds a change without an event. It may run on the client's goroutine,
// so it must only store and signal.
func NewCache(c *zk.Client, root string, notify func()) *Cache {
	cache := &Cache{client: c, notify: notify, entries: make(map[string]*entry)}
	cache.cancel = c.RouteDeletions(root, cache.onEvent)
	return cache
}

// Close stops listening. The events of remaining watches are ignored.
func (c *Cache) Close() {
	c.cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	for path := range c.entries {
		c.client.UnwatchAbsent(path)
	}
}

// Watch adds a node that usually exists, with its data. The next Refresh reads it. The
// kind of a path's first watch counts, later ones are ignored.
func (c *Cache) Watch(path string) { c.add(path, presence) }

// WatchFlag adds a node that usually is absent. Only its existence matters, so its data isn't read.
func (c *Cache) WatchFlag(path string) { c.add(path, flag) }

// WatchChildren adds a node to watch its list of children.
func (c *Cache) WatchChildren(path string) { c.add(path, children) }

func (c *Cache) add(path string, k kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[path]; ok {
		return
	}
	// The cache hasn't had an event for it yet. If the node was in the set before, it may have
	// changed.
	c.entries[path] = &entry{kind: k, dirty: true, changed: c.events}
	c.dirty++
}

func (c *Cache) Forget(path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[path]; ok {
		c.settle(e)
		delete(c.entries, path)
		c.client.UnwatchAbsent(path)
	}
}

// settle removes e from the dirty count. The caller holds c.mu.
func (c *Cache) settle(e *entry) {
	if e.dirty || e.suspect {
		c.dirty--
	}
	e.dirty, e.suspect = false, false
}

// Get returns a node as last read, or the zero Node if it isn't in the set.
func (c *Cache) Get(path string) Node {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[path]; ok {
		return e.node()
	}
	return Node{}
}

// Cached returns a node's data as last read. known is false if the node isn't in the set, wasn't
// read yet, or is watched without data.
func (c *Cache) Cached(path string) (data []byte, exists, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[path]
	if !ok || e.kind == children || !e.read || e.kind == flag && e.exists() {
		return nil, false, false
	}
	return e.node().Data, e.exists(), true
}

// Events counts possible changes of the set: watch events, changes found without an event, and each
// Invalidate. Events arrive before the reply to any later operation. So if the count is the same
// after a write, everything read before was still true at the moment of the write.
func (c *Cache) Events() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.events
}

// ChangedSince reports whether a node may have changed since [Cache.Events] returned events. It's
// true for a node added since, because its events may have been missed.
func (c *Cache) ChangedSince(path string, events uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[path]
	return !ok || e.changed > events
}

// Invalidate drops all watches, because a new session has none.
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

// Suspect makes the next Refresh compare every node with the server. Only the watches of absent
// nodes are set again. Use it after a reconnection with the same session, and now and then to
// repair lost events.
func (c *Cache) Suspect() { c.SuspectIf(func(string) bool { return true }) }

// SuspectIf is [Cache.Suspect] for some nodes.
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

// Refresh reads every dirty node until none is left. After an error, unread nodes stay dirty.
func (c *Cache) Refresh(ctx context.Context) error {
	return c.RefreshIf(ctx, func(string) bool { return true })
}

// RefreshIf is [Cache.Refresh] for some nodes. The others stay dirty.
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
	compare bool // suspect: read without a watch first
	absent  bool // probably absent, so an event is enough if it isn't
	old     zk.Stat
	existed bool
}

// take lists the nodes to read. It clears their marks before the reads start, so that an event
// during a read makes the node dirty again.
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
		// A node that was never read probably exists. So does a changed node, unless the last event
		// was its deletion.
		there := (e.exists() || !e.current) && !e.deleted
		// For an absent node, setting the watch again is as good as a comparison, and better: if
		// the node was created and deleted unnoticed, only the watch is lost.
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

// readAbsent sets the watches of nodes that should be absent. When it returns, the event of an
// existing node has made it dirty again.
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

func (c *Cache) store(w work, n Node) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := w.entry.node()
	changed := n.Exists != old.Exists || n.Stat.Mzxid != old.Stat.Mzxid || n.Stat.Pzxid != old.Stat.Pzxid
	// After an event, the result counts as a new state even if it looks the same. A caller that saw
	// the count between the event and this read knew neither.
	if changed || w.entry.read && !w.entry.current {
		w.entry.seen++
	}
	w.entry.there, w.entry.read, w.entry.current = nil, true, !w.entry.dirty
	if n.Exists {
		w.entry.there = keep(n)
	}
}

// fail marks w for another try. If the node became dirty during the read, it must stay so: its
// watch has fired, and a comparison wouldn't set it again.
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

// fetch reads a node and sets a watch, even if the node is absent. The loop handles a node that is
// created or deleted between the two calls.
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
			err = zk.ErrNoNode // Only exists watches an absent node.
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
