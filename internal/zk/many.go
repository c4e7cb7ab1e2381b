package zk

import (
	"context"
	"encoding/binary"
	"sync"
	"sync/atomic"

	gozk "github.com/go-zookeeper/zk"
)

// Many sets watches for an owner of hundreds of thousands of them. For each one the
// library keeps a channel, its path and an entry in a map, some 280 bytes; here they
// are a row in a [watchTable], which a collection of garbage does not look at either.
//
//	Many.Get ──▶ the library's plain Get ──▶ contactConn turns the watch on ──▶ server
//	                                                                             │
//	watchTable ◀── contactConn sees the reply: the server watches the node ◀─────┤
//	watchTable, Route ◀── the library passes the event on ◀──────────────────────┘
//
// Events come to a [Client.Route] as those of all watches do: the same holds for them
// before replies, after reconnections and with sessions. A watch that is asked for
// twice is set once.
type Many struct{ c *Client }

// Many returns the client as one that sets many watches.
func (c *Client) Many() Many { return Many{c} }

// Get is [Client.GetWatch].
func (m Many) Get(ctx context.Context, path string) ([]byte, Stat, error) {
	c := m.c
	n, err := do(ctx, c, "get", path, func() (node, error) {
		defer m.want(opGetData, path)()
		data, stat, err := c.conn.Get(c.full(path))
		return node{data: data, stat: statOf(stat)}, err
	})
	return n.data, n.stat, err
}

// Exists is [Client.ExistsWatch].
func (m Many) Exists(ctx context.Context, path string) (Stat, bool, error) {
	c := m.c
	n, err := do(ctx, c, "exists", path, func() (node, error) {
		defer m.want(opExists, path)()
		ok, stat, err := c.conn.Exists(c.full(path))
		return node{stat: statOf(stat), exists: ok}, err
	})
	return n.stat, n.exists, err
}

// Children is [Client.ChildrenWatch].
func (m Many) Children(ctx context.Context, path string) ([]string, Stat, error) {
	c := m.c
	n, err := do(ctx, c, "children", path, func() (node, error) {
		defer m.want(opGetChildren2, path)()
		names, stat, err := c.conn.Children(c.full(path))
		return node{children: names, stat: statOf(stat)}, err
	})
	return n.children, n.stat, err
}

// want has requests for a path watch it, until over is called.
func (m Many) want(operation int32, path string) (over func()) {
	m.c.watched.Store(true)
	w, asked := &m.c.many, ask{operation, m.c.full(path)}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.wanted == nil {
		w.wanted = make(map[ask]int)
	}
	w.wanted[asked]++
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.wanted[asked]--; w.wanted[asked] == 0 {
			delete(w.wanted, asked)
		}
	}
}

const (
	opExists       = 3
	opGetData      = 4
	opGetChildren2 = 12
)

// errNone is the server's word for a node that does not exist.
const errNone = -101

// many are the watches that the library does not know of.
type many struct {
	mu     sync.Mutex
	wanted map[ask]int // requests that are to watch, and how often
	set    watchTable  // on the server, as far as it answered

	// What stands for a multiRead, see readall.go.
	stands      uint64
	bodies      map[string][]byte
	broken      *contactConn // the last one that broke under such a request
	breaks      int
	supported   atomic.Bool // one was answered
	unsupported atomic.Bool
	logged      sync.Once // that it does not
}

// ask is what a request asks, of a node by its whole path.
type ask struct {
	operation int32
	path      string
}

// watches tells what a request of the library asks, if it is to watch. What else asks the
// same at that moment watches as well, which does no harm.
func (w *many) watches(p []byte) (asked ask, on bool) {
	const textAt = operationAt + 4 + 4 // behind the operation and the length of the path
	asked.operation = int32(binary.BigEndian.Uint32(p[operationAt:]))
	if asked.operation != opGetData && asked.operation != opExists && asked.operation != opGetChildren2 || len(p) <= textAt {
		return ask{}, false
	}
	text := p[textAt : len(p)-1] // One byte follows: whether to watch.
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.wanted[ask{asked.operation, string(text)}] == 0 {
		return ask{}, false
	}
	asked.path = string(text)
	return asked, true
}

// answered notes the watch of a request that was answered. It runs on the library's
// receive goroutine, so that events of before have come and those of after have not.
func (w *many) answered(asked ask, code int32) {
	kind := watchData
	switch {
	case asked.operation == opExists && code == errNone:
		kind = watchExist
	case code != 0:
		return // The server watches nothing.
	case asked.operation == opGetChildren2:
		kind = watchChild
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.set.add(kind, asked.path)
}

// fired forgets what an event has spent: the server has the same watches for data and
// for existence.
func (w *many) fired(ev gozk.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ev.Type != gozk.EventNodeChildrenChanged {
		w.set.remove(watchData, ev.Path)
		w.set.remove(watchExist, ev.Path)
	}
	if ev.Type == gozk.EventNodeChildrenChanged || ev.Type == gozk.EventNodeDeleted {
		w.set.remove(watchChild, ev.Path)
	}
}

// forget forgets all of them: they went with the session.
func (w *many) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.set = watchTable{}
}

// any reports whether there are watches.
func (w *many) any() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.set.count > 0
}

// frames are the requests that set every watch again as of a transaction.
func (w *many) frames(relative int64) [][]byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return watchFrames(relative, w.set.all())
}

// turnOn has a request of the library watch, if it is to, with the turn held. What is
// sent then is a copy: the frame is the library's.
func (c *contactConn) turnOn(p []byte) []byte {
	if c.many == nil {
		return p
	}
	if body := c.many.body(p); body != nil {
		return c.multiRead(p, body)
	}
	asked, on := c.many.watches(p)
	if !on {
		return p
	}
	c.copied = append(append(c.copied[:0], p[:len(p)-1]...), 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked == nil {
		c.asked = make(map[int32]ask)
	}
	c.asked[int32(binary.BigEndian.Uint32(p[xidAt:]))] = asked
	return c.copied
}

// manyAnswered looks at the reply to a request of the library.
func (c *contactConn) manyAnswered(xid, code int32) {
	c.mu.Lock()
	asked, on := c.asked[xid]
	delete(c.asked, xid)
	c.mu.Unlock()
	if on {
		c.many.answered(asked, code)
	}
}

// rewatchSoon has the watches that the library does not know of set again soon, though
// nobody asks anything.
func (c *contactConn) rewatchSoon() {
	if c.many == nil || !c.many.any() {
		return
	}
	select {
	case <-c.turn:
	case <-c.closed:
		return
	}
	defer func() { c.turn <- struct{}{} }()
	if c.holding && c.patience == nil {
		c.wait(rewatchPatience)
	}
}

// unknownFrames are the requests that set the watches again that the library does not
// know of, as of a transaction.
func (c *Client) unknownFrames(since int64) [][]byte {
	return append(c.many.frames(since), c.absentFrames()...)
}
