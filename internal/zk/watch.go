package zk

import (
	"context"
	"errors"
	"strings"
	"sync"

	gozk "github.com/go-zookeeper/zk"
)

// Route calls fn with the path of each watch event at or below root, until cancel. fn runs on the
// client's receive goroutine, before the reply to any later operation. It may only store and
// signal; it must not block or call the client. A second route for the same root replaces the
// first.
//
// Events of lost sessions aren't delivered. A [Transition] with NewEpoch means that every watch is
// lost.
func (c *Client) Route(root string, fn func(path string)) (cancel func()) {
	return c.routes.add(root, func(path string, _ bool) { fn(path) })
}

// RouteDeletions is [Client.Route], but also reports whether the event is the node's deletion. The
// node may already exist again.
func (c *Client) RouteDeletions(root string, fn func(path string, deleted bool)) (cancel func()) {
	return c.routes.add(root, fn)
}

// GetWatch is [Client.Get], but also watches the node for changes.
func (c *Client) GetWatch(ctx context.Context, path string) ([]byte, Stat, error) {
	c.watched.Store(true)
	n, err := do(ctx, c, "get", path, func() (node, error) {
		data, stat, _, err := c.conn.GetW(c.full(path))
		return node{data: data, stat: statOf(stat)}, err
	})
	return n.data, n.stat, err
}

// ExistsWatch is [Client.Exists], but also watches the node's creation, deletion and changes.
func (c *Client) ExistsWatch(ctx context.Context, path string) (Stat, bool, error) {
	c.watched.Store(true)
	n, err := do(ctx, c, "exists", path, func() (node, error) {
		ok, stat, _, err := c.conn.ExistsW(c.full(path))
		return node{stat: statOf(stat), exists: ok}, err
	})
	return n.stat, n.exists, err
}

// ChildrenWatch is [Client.Children], but also watches for new and deleted children.
func (c *Client) ChildrenWatch(ctx context.Context, path string) ([]string, Stat, error) {
	c.watched.Store(true)
	n, err := do(ctx, c, "children", path, func() (node, error) {
		names, stat, _, err := c.conn.ChildrenW(c.full(path))
		return node{children: names, stat: statOf(stat)}, err
	})
	return n.children, n.stat, err
}

// AwaitDeletion blocks until the node is absent, the session is lost, or ctx ends. It checks again
// after each reconnection, so it doesn't depend on the watch.
func (c *Client) AwaitDeletion(ctx context.Context, path string) error {
	c.watched.Store(true)
	fail := func(err error) error { return &Error{Op: "await deletion", Path: path, Err: err} }
	epoch := c.Session().Epoch
	for {
		type watched struct {
			exists  bool
			deleted <-chan gozk.Event
		}
		_, changed := c.look()
		w, err := do(ctx, c, "exists", path, func() (watched, error) {
			ok, _, events, err := c.conn.ExistsW(c.full(path))
			return watched{ok, events}, err
		})
		switch {
		case err == nil && !w.exists:
			return nil
		case err == nil:
			select {
			case ev := <-w.deleted:
				if ev.Err != nil {
					return fail(translate(ev.Err))
				}
				continue
			case <-changed:
			case <-ctx.Done():
				return fail(context.Cause(ctx))
			}
		case !errors.Is(err, ErrUnavailable) || ctx.Err() != nil:
			return err
		}
		// The connection broke or is new. Wait until it works.
		for state := Suspended; state != Connected; {
			state, changed = c.look()
			switch {
			case state == Closed:
				return fail(ErrClosed)
			case state == Lost || c.Session().Epoch != epoch:
				return fail(ErrSessionLost)
			case state == Connected:
				continue
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return fail(context.Cause(ctx))
			}
		}
	}
}

// routes maps watch events to the subtree that registered for them.
type routes struct {
	mu    sync.RWMutex
	roots map[string]*route
}

type route struct {
	fn func(path string, deleted bool)
}

func (r *routes) add(root string, fn func(string, bool)) (cancel func()) {
	entry := &route{fn}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.roots == nil {
		r.roots = make(map[string]*route)
	}
	r.roots[root] = entry
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.roots[root] == entry {
			delete(r.roots, root)
		}
	}
}

func (r *routes) dispatch(ev gozk.Event) {
	if errors.Is(ev.Err, gozk.ErrSessionExpired) || errors.Is(ev.Err, gozk.ErrClosing) {
		return
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	for p := ev.Path; ; {
		if entry, ok := r.roots[p]; ok {
			entry.fn(ev.Path, ev.Type == gozk.EventNodeDeleted)
			return
		}
		i := strings.LastIndexByte(p, '/')
		if i < 0 || p == "/" {
			return
		}
		p = p[:max(i, 1)]
	}
}
