package zk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

const (
	// togetherParallel bounds the joint transactions on their way. Further ones wait for the next
	// group.
	togetherParallel = 2
	// togetherBytes and togetherCount bound a joint transaction, because a long one delays the
	// others.
	togetherBytes = 64 << 10
	togetherCount = 64
)

type together struct {
	mu      sync.Mutex
	working int
	queue   []*passenger
}

// passenger is one transaction that may share a request.
type passenger struct {
	ctx     context.Context
	ops     []Op
	size    int
	session int64
	done    chan error // buffered
}

// MultiTogether is [Client.Multi] for small transactions: concurrent ones share a request, which
// costs the server as much as a single one. Each succeeds or fails on its own. If one is refused,
// nothing of the request was applied, and the others are sent again one by one. A single
// transaction is sent at once.
func (c *Client) MultiTogether(ctx context.Context, ops ...Op) error {
	if state := c.State(); state != Connected {
		return &Error{Op: "multi", Err: c.errNotConnected()}
	}
	p := &passenger{ctx: ctx, ops: ops, session: c.sessionFor(ctx), done: make(chan error, 1)}
	for _, o := range ops {
		p.size += o.Size()
	}
	if !c.queue(p) {
		return &Error{Op: "multi", Err: ErrClosed}
	}
	select {
	case err := <-p.done:
		return err
	case <-ctx.Done():
		return &Error{Op: "multi", Err: fmt.Errorf("%w: no answer in time: %w", ErrUnavailable, context.Cause(ctx))}
	}
}

// queue queues a transaction. It returns false if the client is closed.
func (c *Client) queue(p *passenger) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == Closed {
		return false
	}
	t := &c.together
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue = append(t.queue, p)
	if t.working < togetherParallel {
		t.working++
		c.tasks.Go(c.carry)
	}
	return true
}

// carry sends queued transactions until none is left.
func (c *Client) carry() {
	for {
		group := c.together.board()
		if len(group) == 0 {
			return
		}
		session := c.Session().ID
		c.send(slices.DeleteFunc(group, func(p *passenger) bool {
			late := p.session != session
			if late {
				p.done <- &Error{Op: "multi", Err: ErrSessionLost}
			}
			return late
		}))
	}
}

// board takes the next group, or ends the carrier if there is none.
func (t *together) board() []*passenger {
	t.mu.Lock()
	defer t.mu.Unlock()
	var group []*passenger
	size := 0
	for len(t.queue) > 0 && len(group) < togetherCount {
		p := t.queue[0]
		if len(group) > 0 && size+p.size > togetherBytes {
			break
		}
		t.queue[0] = nil
		t.queue = t.queue[1:]
		if p.ctx.Err() != nil {
			continue // The caller has given up, and it was never sent.
		}
		group = append(group, p)
		size += p.size
	}
	if len(t.queue) == 0 {
		t.queue = nil
	}
	if len(group) == 0 {
		t.working--
	}
	return group
}

// send sends a group and reports each result.
func (c *Client) send(group []*passenger) {
	switch len(group) {
	case 0:
		return
	case 1:
		p := group[0]
		p.done <- c.Multi(underSession(p.ctx, p.session), p.ops...)
		return
	}
	var ops []Op
	for _, p := range group {
		ops = append(ops, p.ops...)
	}
	ctx, cancel := groupContext(group)
	err := c.Multi(underSession(ctx, group[0].session), ops...) // They all have the same session.
	cancel()
	refused := (*MultiError)(nil)
	if !errors.As(err, &refused) {
		for _, p := range group {
			p.done <- err
		}
		return
	}
	first := 0
	var others sync.WaitGroup
	for _, p := range group {
		if at := refused.Index - first; at >= 0 && at < len(p.ops) {
			p.done <- &MultiError{Index: at, Op: refused.Op, Err: refused.Err}
		} else {
			others.Go(func() { p.done <- c.Multi(underSession(p.ctx, p.session), p.ops...) })
		}
		first += len(p.ops)
	}
	others.Wait()
}

// groupContext ends with the last deadline of the group.
func groupContext(group []*passenger) (context.Context, context.CancelFunc) {
	var last time.Time
	for _, p := range group {
		deadline, ok := p.ctx.Deadline()
		if !ok {
			return context.Background(), func() {} // The session timeout is the limit.
		}
		if deadline.After(last) {
			last = deadline
		}
	}
	return context.WithDeadline(context.Background(), last)
}
