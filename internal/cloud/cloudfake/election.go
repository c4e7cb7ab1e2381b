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
		if m.win(ctx) {
			lead(m.ctx)
			m.cancel()
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

func (m *member) win(ctx context.Context) bool {
	m.election.mu.Lock()
	defer m.election.mu.Unlock()
	if m.election.leader != nil || ctx.Err() != nil {
		return false
	}
	lead, cancel := context.WithCancel(ctx)
	m.ctx, m.cancel = &leadContext{Context: lead}, cancel
	m.election.leader = m
	m.election.wake = make(chan struct{})
	return true
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

// Depose ends the leadership of the leader at once, and lets another one lead after a time:
// what is left of the lease.
func (e *Election) Depose(after time.Duration) {
	e.mu.Lock()
	m := e.leader
	e.mu.Unlock()
	if m == nil {
		return
	}
	left := &member{election: e} // What is left of the lease: nobody.
	e.mu.Lock()
	e.leader = left
	e.mu.Unlock()
	m.cancel()
	time.AfterFunc(after, func() { e.free(left) })
}

// Freeze is the leader's process as it is after a long sleep: its lease is over, another one
// may lead, and nothing has woken it up yet. Its context ends after a time.
func (e *Election) Freeze(wakes time.Duration) {
	e.mu.Lock()
	m := e.leader
	e.mu.Unlock()
	if m == nil {
		return
	}
	m.ctx.mu.Lock()
	m.ctx.expired = true
	m.ctx.mu.Unlock()
	e.free(m)
	time.AfterFunc(wakes, m.cancel)
}
