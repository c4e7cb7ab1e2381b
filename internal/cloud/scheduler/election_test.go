package scheduler

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// election elects one of its members.
type election struct {
	mu     sync.Mutex
	leader *leadTerm
	wake   chan struct{} // closed when the leadership is free
}

// leadTerm is the context of a leadership. It can expire: Err reports the end before Done is closed.
type leadTerm struct {
	context.Context // nil for the rest of a lease, which no member holds
	end             context.CancelFunc
	expired         atomic.Bool
}

func (t *leadTerm) Err() error {
	if t.expired.Load() {
		return context.DeadlineExceeded
	}
	return t.Context.Err()
}

func newElection() *election { return &election{wake: make(chan struct{})} }

// member returns the leadership of another member.
func (e *election) member() cloud.Leadership { return candidate{e} }

type candidate struct{ *election }

func (m candidate) Run(ctx context.Context, lead func(context.Context)) error {
	for {
		t, free := m.win(ctx)
		if t != nil {
			lead(t)
			t.end()
			m.free(t)
			continue
		}
		select {
		case <-free:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// win returns the member's term, or nil and a channel that is closed when the leadership is free.
func (e *election) win(ctx context.Context) (*leadTerm, <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.leader != nil || ctx.Err() != nil {
		return nil, e.wake
	}
	e.leader, e.wake = new(leadTerm), make(chan struct{})
	e.leader.Context, e.leader.end = context.WithCancel(ctx)
	return e.leader, nil
}

// replace makes another term the current one and returns the leader's, nil if no member leads.
func (e *election) replace(next *leadTerm) *leadTerm {
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.leader
	if t == nil || t.Context == nil {
		return nil
	}
	e.leader = next
	return t
}

// free ends a term, so another member can lead.
func (e *election) free(t *leadTerm) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.leader == t {
		e.leader = nil
		close(e.wake)
	}
}

// depose ends the leadership at once. Another member can lead after the given time, the rest of the lease.
func (e *election) depose(after time.Duration) {
	rest := new(leadTerm)
	if t := e.replace(rest); t != nil {
		t.end()
		time.AfterFunc(after, func() { e.free(rest) })
	}
}

// freeze puts the leader's process to sleep: its lease is over and another member may lead, but the
// process hasn't woken up yet. Its context ends after the given time.
func (e *election) freeze(wakes time.Duration) {
	rest := new(leadTerm)
	if t := e.replace(rest); t != nil {
		t.expired.Store(true)
		e.free(rest)
		time.AfterFunc(wakes, t.end)
	}
}
