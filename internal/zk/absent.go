package zk

import (
	"context"
	"fmt"
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// Most nodes that an owner watches don't exist: they are flags that may be set later. Reading each
// costs a request and, in the library, a channel. A setWatches request, which clients send after a
// reconnection, handles a thousand paths at once: the server sends an event for each existing node
// and watches the others. The library sends it for its own watches only.

// absentBytes bounds one request. It's the limit of the library and of Java's client.
const absentBytes = 128 << 10

type absences struct {
	mu      sync.Mutex
	set     map[string]struct{} // on the server or requested, and not fired
	queue   []*absence
	working bool
}

// absence is a call of WatchAbsent, or a part of it.
type absence struct {
	ctx     context.Context
	paths   []string
	size    int
	session int64
	done    chan error // buffered
}

// WatchAbsent sets a watch on each of paths, which should be absent. If a node exists, its event
// comes at once: the [Route] is called before WatchAbsent returns. A quiet route therefore proves
// that no node existed. Concurrent calls share a request.
func (c *Client) WatchAbsent(ctx context.Context, paths ...string) error {
	if state := c.State(); state != Connected {
		return &Error{Op: "watch", Err: c.errNotConnected()}
	}
	c.watched.Store(true)
	session := c.sessionFor(ctx)
	var parts []*absence
	for _, p := range paths {
		size := 4 + len(c.chroot) + len(p)
		if n := len(parts); n == 0 || parts[n-1].size+size > absentBytes {
			parts = append(parts, &absence{ctx: ctx, session: session, done: make(chan error, 1)})
		}
		part := parts[len(parts)-1]
		part.paths, part.size = append(part.paths, p), part.size+size
	}
	if !c.queueAbsent(parts) {
		return &Error{Op: "watch", Err: ErrClosed}
	}
	for _, part := range parts {
		select {
		case err := <-part.done:
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return &Error{Op: "watch", Err: fmt.Errorf("%w: no answer in time: %w", ErrUnavailable, context.Cause(ctx))}
		}
	}
	return nil
}

// UnwatchAbsent ignores the next event of a path. The watch stays on the server until the
// connection ends.
func (c *Client) UnwatchAbsent(path string) { c.absences.fired(path) }

func (c *Client) queueAbsent(parts []*absence) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == Closed {
		return false
	}
	a := &c.absences
	a.mu.Lock()
	defer a.mu.Unlock()
	a.queue = append(a.queue, parts...)
	if !a.working && len(a.queue) > 0 {
		a.working = true
		c.tasks.Go(c.watchAbsent)
	}
	return true
}

func (c *Client) watchAbsent() {
	for {
		parts := c.absences.next(c.Session().ID)
		if len(parts) == 0 {
			return
		}
		err := c.sendAbsent(parts)
		for _, part := range parts {
			if c.conn.SessionID() != part.session {
				part.done <- &Error{Op: "watch", Err: ErrSessionLost}
				continue
			}
			part.done <- err
		}
	}
}

// next takes as many parts as fit into a request. It also records the watches, so that the next
// connection sets them too.
func (a *absences) next(session int64) []*absence {
	a.mu.Lock()
	defer a.mu.Unlock()
	var parts []*absence
	size := 0
	for len(a.queue) > 0 {
		part := a.queue[0]
		if len(parts) > 0 && size+part.size > absentBytes {
			break
		}
		a.queue[0] = nil
		a.queue = a.queue[1:]
		if part.session != session {
			part.done <- &Error{Op: "watch", Err: ErrSessionLost}
			continue
		}
		if part.ctx.Err() != nil {
			continue // The caller has given up.
		}
		parts, size = append(parts, part), size+part.size
		if a.set == nil {
			a.set = make(map[string]struct{})
		}
		for _, p := range part.paths {
			a.set[p] = struct{}{}
		}
	}
	if len(parts) == 0 {
		a.queue, a.working = nil, false
	}
	return parts
}

// sendAbsent sets only exist watches, because the server doesn't compare a transaction number for
// them.
func (c *Client) sendAbsent(parts []*absence) error {
	request := &wire.Request{Header: wire.Header{Op: wire.OpSetWatches}}
	for _, part := range parts {
		for _, p := range part.paths {
			request.Watches[wire.WatchExist] = append(request.Watches[wire.WatchExist], c.full(p))
		}
	}
	if _, err := c.current.Load().call(request, nil); err != nil {
		return &Error{Op: "watch", Err: translate(err)}
	}
	return nil
}

func (a *absences) fired(path string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.set, path)
}

// forget drops all watches, because they ended with the session.
func (a *absences) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.set = nil
}
