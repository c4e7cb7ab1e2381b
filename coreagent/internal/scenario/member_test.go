package scenario_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/registry"
)

// member is one agent of a fixture. It has a network line that can be cut.
type member struct {
	*coreagent.Agent
	fixture *fixture
	id      string
	trace   trace
	clock   wallClock

	dead chan struct{} // closed by kill
	over chan struct{} // closed when the test ends

	mu     sync.Mutex
	isCut  bool
	isDead bool
	conns  []net.Conn
}

var errCut = errors.New("the line is cut")

// agent makes the agent 10.0.0.n@-@n, not yet started.
func (b *fixture) agent(n int, changes ...func(*coreagent.Config)) *member {
	b.Helper()
	m := &member{fixture: b, dead: make(chan struct{}), over: make(chan struct{})}
	m.trace.requested = &b.requested
	cfg := coreagent.Config{
		Namespace: b.tree.String(), Address: "10.0.0." + strconv.Itoa(n), InstanceSuffix: strconv.Itoa(n),
		ZooKeeper: registry.ZooKeeper{Servers: []string{b.addr}, SessionTimeout: b.session, Dial: m.dial},
		Tracing:   &m.trace, DrainTimeout: patience, Now: m.clock.now,
	}
	for _, change := range changes {
		change(&cfg)
	}
	m.id = cfg.Address + "@-@" + cfg.InstanceSuffix
	cfg.Logger = slog.New(slog.NewTextHandler(&b.log, &slog.HandlerOptions{Level: slog.LevelDebug})).With("agent", m.id)
	var err error
	m.Agent, err = coreagent.New(cfg)
	b.must(err)
	return m
}

// lasting is for who does not die in a test with short sessions: a load that others
// stand does not make it lose its session. A leader waits for its own session timeout
// before it clears stale markers, so it is not longer than this.
func lasting(cfg *coreagent.Config) { cfg.ZooKeeper.SessionTimeout = 10 * time.Second }

func (m *member) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	m.mu.Lock()
	cut, dead := m.isCut, m.isDead
	m.mu.Unlock()
	if dead {
		// No process asks any more: days of virtual time were full of its attempts.
		<-m.over
	}
	if cut {
		return nil, errCut
	}
	c, err := m.fixture.line(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	c = m.fixture.wire.tap(m.id, c)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.isCut {
		c.Close()
		return nil, errCut
	}
	m.conns = append(m.conns, c)
	return c, nil
}

// cut breaks the agent's connection and refuses new ones, as kill -9 or a
// pulled cable would: the session stays until the server expires it.
func (m *member) cut() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.isCut = true
	for _, c := range m.conns {
		c.Close()
	}
	m.conns = nil
}

// reconnect ends a cut.
func (m *member) reconnect() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.isCut = false
}

// serve adds a job; a nil handler returns at once.
func (m *member) serve(job coreagent.Job, handle func(ctx context.Context, s *coreagent.Shard) error) *member {
	m.fixture.Helper()
	m.fixture.must(m.Add(job, m.fixture.runs.handler(m.id, handle)))
	return m
}

// start starts the agent and ends it with the test.
func (m *member) start() *member {
	m.fixture.Helper()
	m.fixture.must(m.Start(m.fixture.ctx()))
	m.fixture.Cleanup(func() {
		close(m.over)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = m.Stop(ctx) // Tests that are about stopping look at the error themselves.
	})
	return m
}

// triggerHere writes an operator's trigger for this agent only.
func (m *member) triggerHere(job string) {
	m.fixture.Helper()
	m.fixture.put(m.fixture.tree.Job(job).Trigger(m.id), "")
}

// triggerHereUntil triggers here, and again each time the trigger was dropped, which
// happens while the last run of the job still clears up, until cond holds.
func (m *member) triggerHereUntil(job, what string, cond func() bool) {
	m.fixture.Helper()
	dropped := func() int { return m.fixture.log.count("trigger dropped") }
	seen := dropped()
	m.triggerHere(job)
	m.fixture.await(what, func() bool {
		if n := dropped(); n > seen {
			seen = n
			m.triggerHere(job)
		}
		return cond()
	})
}

// host makes the agent 10.0.0.n@-@suffix.
func (b *fixture) host(n int, suffix string) *member {
	b.Helper()
	return b.agent(n, func(cfg *coreagent.Config) { cfg.InstanceSuffix = suffix })
}

// session returns the number of the session of a started agent.
func (m *member) session(job string) int64 {
	m.fixture.Helper()
	return m.fixture.stat(m.fixture.tree.Job(job).Instance(m.id)).EphemeralOwner
}

// errKilled is what a handler returns when its process has been killed under it.
var errKilled = errors.New("the process was killed")

// kill is kill -9: unlike after cut, the handlers stop where they are.
func (m *member) kill() {
	m.cut()          // First: what the handlers do now must not reach the server,
	m.killHandlers() // which took them for finished.
}

// killHandlers is a kill that leaves it to the server to cut the connection, as
// at the reply to a request. There will be no other.
func (m *member) killHandlers() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.isDead {
		m.isDead, m.isCut = true, true
		close(m.dead)
	}
}

// killed reports whether the process was.
func (m *member) killed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.isDead
}

// work is a handler that takes d and ends with its context or its process.
func (m *member) work(d time.Duration) func(ctx context.Context, s *coreagent.Shard) error {
	return func(ctx context.Context, _ *coreagent.Shard) error {
		select {
		case <-m.dead:
			return errKilled
		default:
		}
		done := time.NewTimer(d)
		defer done.Stop()
		select {
		case <-done.C:
			return nil
		case <-m.dead:
			return errKilled
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
