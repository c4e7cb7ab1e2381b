package cloudfake

import (
	"context"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// Election elects one of its members.
type Election struct {
	mu     sync.Mutex
	leader *member
	wake   chan struct{} // closed when the leadership is free
}

type member struct {
	election *Election
	ctx      *leadContext
	cancel   context.CancelFunc
}

// leadContext can expire: Err reports the end before Done is closed.
type leadContext struct {
	context.Context
	mu      sync.Mutex
	expired bool
}

func (c *leadContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.expired {
		return context.DeadlineExceeded
	}
	return c.Context.Err()
}

func NewElection() *Election { return &Election{wake: make(chan struct{})} }

// Member returns the leadership of another member.
func (e *Election) Member() cloud.Leadership { return &member{election: e} }

func (m *member) Run(ctx context.Context, lead func(context.Context)) error {
	for {
		if own, cancel, won := m.win(ctx); won {
			lead(own)
			cancel()
			m.election.free(m)
		}
		m.election.mu.Lock()
		wake := m.election.wake
		m.election.mu.Unlock()
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (m *member) win(ctx context.Context) (own *leadContext, end context.CancelFunc, won bool) {
	m.election.mu.Lock()
	defer m.election.mu.Unlock()
	if m.election.leader != nil || ctx.Err() != nil {
		return nil, nil, false
	}
	lead, cancel := context.WithCancel(ctx)
	m.ctx, m.cancel = &leadContext{Context: lead}, cancel
	m.election.leader = m
	m.election.wake = make(chan struct{})
	return m.ctx, cancel, true
}

// free ends the leadership of m, so another member can lead.
func (e *Election) free(m *member) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.leader == m {
		e.leader = nil
		close(e.wake)
	}
}

// current returns the leader and the context of its leadership, or false.
func (e *Election) current() (m *member, own *leadContext, cancel context.CancelFunc, leads bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.leader == nil || e.leader.ctx == nil {
		return nil, nil, nil, false
	}
	return e.leader, e.leader.ctx, e.leader.cancel, true
}

// Depose ends the leadership at once. Another member can lead after the given time, the rest of the lease.
func (e *Election) Depose(after time.Duration) {
	_, _, cancel, leads := e.current()
	if !leads {
		return
	}
	left := &member{election: e} // Nobody holds the rest of the lease.
	e.mu.Lock()
	e.leader = left
	e.mu.Unlock()
	cancel()
	time.AfterFunc(after, func() { e.free(left) })
}

// Freeze puts the leader's process to sleep: its lease is over and another member may lead, but the
// process hasn't woken up yet. Its context ends after the given time.
func (e *Election) Freeze(wakes time.Duration) {
	m, own, cancel, leads := e.current()
	if !leads {
		return
	}
	own.mu.Lock()
	own.expired = true
	own.mu.Unlock()
	e.free(m)
	time.AfterFunc(wakes, cancel)
}
