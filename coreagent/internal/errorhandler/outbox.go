package errorhandler

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

var (
	errQueueFull = errors.New("too many notifications wait")
	errClosed    = errors.New("the agent has stopped sending notifications")
)

// closeGrace is how long a delivery may take to notice that it must end.
const closeGrace = time.Second

// Stats counts the notifications. Each is in exactly one of the numbers.
type Stats struct {
	// Queued notifications wait or are in delivery.
	Queued int
	// Sent notifications were accepted by their destination.
	Sent uint64
	// Failed notifications were not accepted. Their errors are in the log.
	Failed uint64
	// Dropped notifications were never tried, because the queue was full or the set was closed.
	// Their errors are in the log.
	Dropped uint64
}

type delivery struct {
	destination string        // deliveries to one destination are sequential; may contain secrets
	timeout     time.Duration // of send
	send        func(ctx context.Context) error
	sent        func()             // called on success
	failed      func(reason error) // called on failure, even without a try
}

// outbox delivers notifications in the background.
type outbox struct {
	size, share int           // room for all destinations, and for one
	slots       chan struct{} // running deliveries
	base        context.Context
	giveUp      context.CancelFunc
	senders     sync.WaitGroup

	mu     sync.Mutex
	queues map[string][]delivery // a key exists while its goroutine does
	stats  Stats
	closed bool
}

func newOutbox(size, parallel int) *outbox {
	base, giveUp := context.WithCancel(context.Background())
	return &outbox{
		size: size, share: max(1, size/4), slots: make(chan struct{}, parallel),
		base: base, giveUp: giveUp, queues: make(map[string][]delivery),
	}
}

func (o *outbox) snapshot() Stats {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.stats
}

// post queues a delivery, or refuses it with a reason. It never blocks.
func (o *outbox) post(d delivery) {
	if err := o.enqueue(d); err != nil {
		d.failed(err)
	}
}

func (o *outbox) enqueue(d delivery) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	queue, running := o.queues[d.destination]
	switch {
	case o.closed:
		o.stats.Dropped++
		return errClosed
	case o.stats.Queued >= o.size, len(queue) >= o.share:
		o.stats.Dropped++
		return fmt.Errorf("%w: %d for this destination, %d in all, %d dropped so far", errQueueFull, len(queue), o.stats.Queued, o.stats.Dropped)
	}
	o.queues[d.destination] = append(queue, d)
	o.stats.Queued++
	if !running {
		o.senders.Go(func() { o.work(d.destination) })
	}
	return nil
}

// next takes the first delivery of a destination. If there is none, the destination's goroutine
// must end.
func (o *outbox) next(destination string) (delivery, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	queue := o.queues[destination]
	if len(queue) == 0 {
		delete(o.queues, destination)
		return delivery{}, false
	}
	d := queue[0]
	queue[0] = delivery{} // Its text can be freed before the rest of the queue.
	o.queues[destination] = queue[1:]
	return d, true
}

func (o *outbox) work(destination string) {
	for {
		d, ok := o.next(destination)
		if !ok {
			return
		}
		o.deliver(d)
	}
}

func (o *outbox) deliver(d delivery) {
	select {
	case o.slots <- struct{}{}:
		defer func() { <-o.slots }()
	case <-o.base.Done():
	}
	if o.base.Err() != nil {
		o.count(&o.stats.Dropped)
		d.failed(errClosed)
		return
	}
	ctx, cancel := context.WithTimeout(o.base, d.timeout)
	defer cancel()
	if err := d.send(ctx); err != nil {
		o.count(&o.stats.Failed)
		d.failed(err)
		return
	}
	o.count(&o.stats.Sent)
	d.sent()
}

func (o *outbox) count(number *uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stats.Queued--
	*number++
}

func (o *outbox) close(ctx context.Context) error {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	done := make(chan struct{})
	go func() {
		o.senders.Wait() // Every delivery has a deadline, so this ends.
		close(done)
	}()
	select {
	case <-done:
		o.giveUp()
		return nil
	case <-ctx.Done():
	}
	before := o.snapshot()
	o.giveUp()
	grace := time.NewTimer(closeGrace)
	defer grace.Stop()
	select {
	case <-done:
	case <-grace.C:
	}
	after := o.snapshot()
	// Last-minute deliveries don't count as lost.
	lost := before.Queued - int(after.Sent-before.Sent)
	if lost <= 0 {
		return nil
	}
	return fmt.Errorf("close error handlers: %d notifications could not be sent in time: %w", lost, context.Cause(ctx))
}
