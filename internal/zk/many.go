package zk

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	gozk "github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// Many sets watches for an owner of hundreds of thousands of nodes. The library needs about 280
// bytes per watch: a channel, the path and a map entry. Here it's a row in a [watchTable], which
// the garbage collector doesn't scan.
//
//	Many.Get ──▶ contactConn.call ──▶ server
//	                                    │
//	watchTable ◀── contactConn reads the reply: the server watches the node
//	watchTable, Route ◀── the library passes the event on
//
// Events reach a [Client.Route] with the same guarantees as the events of other watches: before
// replies, after reconnections and across sessions. A repeated watch is set once.
type Many struct{ c *Client }

// Many returns a view of the client for large numbers of watches.
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

// read reads a node and watches it. A missing node is an error, except for [wire.OpExists].
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

// many holds the watches that the library doesn't know.
type many struct {
	mu  sync.Mutex
	set watchTable // watches confirmed by the server

	// Support for multiRead, see readall.go.
	broken      *contactConn // the last connection that broke under such a request
	breaks      int
	supported   atomic.Bool // a request was answered
	unsupported atomic.Bool
	logged      sync.Once // that it isn't supported
}

// answered records the watch of an answered request. It runs on the receive goroutine.
func (w *many) answered(op wire.Op, path string, code wire.Code) {
	kind := wire.WatchData
	switch {
	case op == wire.OpExists && code == wire.CodeNoNode:
		kind = wire.WatchExist
	case code != wire.CodeOK:
		return // The server doesn't watch.
	case op == wire.OpGetChildren2:
		kind = wire.WatchChild
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.set.add(kind, path)
}

// fired drops the watches that an event has spent. On the server, data and exist watches are the
// same.
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

// forget drops all watches, because they ended with the session.
func (w *many) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.set = watchTable{}
}

func (w *many) any() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.set.count > 0
}
