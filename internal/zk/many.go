package zk

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	gozk "github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// Many sets watches for an owner of hundreds of thousands of them. For each one the
// library keeps a channel, its path and an entry in a map, some 280 bytes; here they
// are a row in a [watchTable], which a collection of garbage does not look at either.
//
//	Many.Get ──▶ contactConn.call ──▶ server
//	                                    │
//	watchTable ◀── contactConn reads the reply: the server watches the node
//	watchTable, Route ◀── the library passes the event on
//
// Events come to a [Client.Route] as those of all watches do: the same holds for them
// before replies, after reconnections and with sessions. A watch that is asked for
// twice is set once.
type Many struct{ c *Client }

// Many returns the client as one that sets many watches.
func (c *Client) Many() Many { return Many{c} }

// Get is [Client.GetWatch].
func (m Many) Get(ctx context.Context, path string) ([]byte, Stat, error) {
	r, err := m.read(ctx, "get", wire.OpGetData, path)
	return r.Data, statOf((*gozk.Stat)(&r.Stat)), err
}

// Exists is [Client.ExistsWatch].
func (m Many) Exists(ctx context.Context, path string) (Stat, bool, error) {
	r, err := m.read(ctx, "exists", wire.OpExists, path)
	return statOf((*gozk.Stat)(&r.Stat)), err == nil && r.Code == wire.CodeOK, err
}

// Children is [Client.ChildrenWatch].
func (m Many) Children(ctx context.Context, path string) ([]string, Stat, error) {
	r, err := m.read(ctx, "children", wire.OpGetChildren2, path)
	return r.Children, statOf((*gozk.Stat)(&r.Stat)), err
}

// read reads a node and watches it. A node that doesn't exist is no error if that is the question.
func (m Many) read(ctx context.Context, name string, op wire.Op, path string) (wire.Result, error) {
	c, full := m.c, m.c.full(path)
	c.watched.Store(true)
	return do(ctx, c, name, path, func() (wire.Result, error) {
		request := &wire.Request{Header: wire.Header{Op: op}, Path: full, Watch: true}
		r, err := c.current.Load().call(request, func(code wire.Code) { c.many.answered(op, full, code) })
		if op == wire.OpExists && errors.Is(err, gozk.ErrNoNode) {
			return wire.Result{Code: wire.CodeNoNode}, nil
		}
		return r, err
	})
}

// many are the watches that the library does not know of.
type many struct {
	mu  sync.Mutex
	set watchTable // on the server, as far as it answered

	// What is known of multiRead, see readall.go.
	broken      *contactConn // the last one that broke under such a request
	breaks      int
	supported   atomic.Bool // one was answered
	unsupported atomic.Bool
	logged      sync.Once // that it does not
}

// answered notes the watch of a request that was answered. It runs on the receive goroutine.
func (w *many) answered(op wire.Op, path string, code wire.Code) {
	kind := wire.WatchData
	switch {
	case op == wire.OpExists && code == wire.CodeNoNode:
		kind = wire.WatchExist
	case code != wire.CodeOK:
		return // The server watches nothing.
	case op == wire.OpGetChildren2:
		kind = wire.WatchChild
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.set.add(kind, path)
}

// fired forgets what an event has spent: the server has the same watches for data and
// for existence.
func (w *many) fired(ev gozk.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ev.Type != gozk.EventNodeChildrenChanged {
		w.set.remove(wire.WatchData, ev.Path)
		w.set.remove(wire.WatchExist, ev.Path)
	}
	if ev.Type == gozk.EventNodeChildrenChanged || ev.Type == gozk.EventNodeDeleted {
		w.set.remove(wire.WatchChild, ev.Path)
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
