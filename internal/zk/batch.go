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
	// maxBatchSenders is the number of batches sent at a time. Further transactions wait for the
	// next batch.
	maxBatchSenders = 2
	// maxBatchBytes and maxBatchEntries limit a batch, because a long one delays the others.
	maxBatchBytes   = 64 << 10
	maxBatchEntries = 64
)

type batcher struct {
	mu      sync.Mutex
	senders int
	queue   []*batchEntry
}

// batchEntry is one transaction that may share a request.
type batchEntry struct {
	ctx     context.Context
	ops     []Op
	size    int
	session int64
	done    chan error // buffered
}

// MultiBatched is [Client.Multi] for small transactions: concurrent ones share a request, which
// costs the server as much as a single one. Each succeeds or fails on its own. If one is refused,
// nothing of the request was applied, and the others are sent again one by one. A single
// transaction is sent at once.
func (c *Client) MultiBatched(ctx context.Context, ops ...Op) error {
	if state := c.State(); state != Connected {
		return &Error{Op: "multi", Err: c.errNotConnected()}
	}
	e := &batchEntry{ctx: ctx, ops: ops, session: c.sessionFor(ctx), done: make(chan error, 1)}
	for _, o := range ops {
		e.size += o.Size()
	}
	if !c.enqueue(e) {
		return &Error{Op: "multi", Err: ErrClosed}
	}
	select {
	case err := <-e.done:
		return err
	case <-ctx.Done():
		return &Error{Op: "multi", Err: fmt.Errorf("%w: no answer in time: %w", ErrUnavailable, context.Cause(ctx))}
	}
}

// enqueue queues a transaction. It returns false if the client is closed.
func (c *Client) enqueue(e *batchEntry) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == Closed {
		return false
	}
	b := &c.batcher
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, e)
	if b.senders < maxBatchSenders {
		b.senders++
		c.tasks.Go(c.sendBatches)
	}
	return true
}

// sendBatches sends queued transactions until none is left.
func (c *Client) sendBatches() {
	for {
		batch := c.batcher.nextBatch()
		if len(batch) == 0 {
			return
		}
		session := c.Session().ID
		c.sendBatch(slices.DeleteFunc(batch, func(e *batchEntry) bool {
			late := e.session != session
			if late {
				e.done <- &Error{Op: "multi", Err: ErrSessionLost}
			}
			return late
		}))
	}
}

// nextBatch takes the next batch. If the queue is empty, it returns none and the sender ends.
func (b *batcher) nextBatch() []*batchEntry {
	b.mu.Lock()
	defer b.mu.Unlock()
	var batch []*batchEntry
	size := 0
	for len(b.queue) > 0 && len(batch) < maxBatchEntries {
		e := b.queue[0]
		if len(batch) > 0 && size+e.size > maxBatchBytes {
			break
		}
		b.queue[0] = nil
		b.queue = b.queue[1:]
		if e.ctx.Err() != nil {
			continue // The caller has given up, and it was never sent.
		}
		batch = append(batch, e)
		size += e.size
	}
	if len(b.queue) == 0 {
		b.queue = nil
	}
	if len(batch) == 0 {
		b.senders--
	}
	return batch
}

// sendBatch sends a batch and reports each result.
func (c *Client) sendBatch(batch []*batchEntry) {
	switch len(batch) {
	case 0:
		return
	case 1:
		e := batch[0]
		e.done <- c.Multi(underSession(e.ctx, e.session), e.ops...)
		return
	}
	var ops []Op
	for _, e := range batch {
		ops = append(ops, e.ops...)
	}
	ctx, cancel := batchContext(batch)
	err := c.Multi(underSession(ctx, batch[0].session), ops...) // They all have the same session.
	cancel()
	refused := (*MultiError)(nil)
	if !errors.As(err, &refused) {
		for _, e := range batch {
			e.done <- err
		}
		return
	}
	first := 0
	var others sync.WaitGroup
	for _, e := range batch {
		if at := refused.Index - first; at >= 0 && at < len(e.ops) {
			e.done <- &MultiError{Index: at, Op: refused.Op, Err: refused.Err}
		} else {
			others.Go(func() { e.done <- c.Multi(underSession(e.ctx, e.session), e.ops...) })
		}
		first += len(e.ops)
	}
	others.Wait()
}

// batchContext ends with the last deadline of the batch.
func batchContext(batch []*batchEntry) (context.Context, context.CancelFunc) {
	var last time.Time
	for _, e := range batch {
		deadline, ok := e.ctx.Deadline()
		if !ok {
			return context.Background(), func() {} // The session timeout is the limit.
		}
		if deadline.After(last) {
			last = deadline
		}
	}
	return context.WithDeadline(context.Background(), last)
}
