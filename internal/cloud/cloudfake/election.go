package cloudfake

import (
	"context"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// Election lets one of its members lead.
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

// leadContext ends for those who ask before those who wait are woken up.
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

// NewElection returns an election that nobody has won.
func NewElection() *Election { return &Election{wake: make(chan struct{})} }

// Member returns the leadership of another member.
func (e *Election) Member() cloud.Leadership { return &member{election: e} }

// Run stands for election until ctx ends.
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

// free lets another one lead, if m does.
func (e *Election) free(m *member) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.leader == m {
		e.leader = nil
		close(e.wake)
	}
}

// current is the leader with the context of its leadership; false if nobody leads.
func (e *Election) current() (m *member, own *leadContext, cancel context.CancelFunc, leads bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.leader == nil || e.leader.ctx == nil {
		return nil, nil, nil, false
	}
	return e.leader, e.leader.ctx, e.leader.cancel, true
}

// Depose ends the leadership of the leader at once, and lets another one lead after a time:
// what is left of the lease.
func (e *Election) Depose(after time.Duration) {
	_, _, cancel, leads := e.current()
	if !leads {
		return
	}
	left := &member{election: e} // What is left of the lease: nobody.
	e.mu.Lock()
	e.leader = left
	e.mu.Unlock()
	cancel()
	time.AfterFunc(after, func() { e.free(left) })
}

// Freeze is the leader's process as it is after a long sleep: its lease is over, another one
// may lead, and nothing has woken it up yet. Its context ends after a time.
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
