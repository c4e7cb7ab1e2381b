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

// member is one agent of a fixture. Its connection can be cut.
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

// agent returns the agent 10.0.0.n@-@n, not yet started.
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

// lasting is for an agent that survives in a test with short sessions. It shouldn't lose its
// session under a load that other tests can handle. It's not longer because a leader waits for its
// own session timeout before it clears stale markers.
func lasting(cfg *coreagent.Config) { cfg.ZooKeeper.SessionTimeout = 10 * time.Second }

func (m *member) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	m.mu.Lock()
	cut, dead := m.isCut, m.isDead
	m.mu.Unlock()
	if dead {
		// A dead process sends no requests. Without this, its retries would fill days of virtual
		// time.
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

// cut breaks the agent's connection and refuses new ones, like kill -9 or a pulled cable. The
// session stays until the server expires it.
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

// serve adds a job; if handle is nil, the handler returns at once.
func (m *member) serve(job coreagent.Job, handle func(ctx context.Context, s *coreagent.Shard) error) *member {
	m.fixture.Helper()
	m.fixture.must(m.Add(job, m.fixture.runs.handler(m.id, handle)))
	return m
}

// start starts the agent and stops it at the end of the test.
func (m *member) start() *member {
	m.fixture.Helper()
	m.fixture.must(m.Start(m.fixture.ctx()))
	m.fixture.Cleanup(func() {
		close(m.over)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = m.Stop(ctx) // Tests of Stop check the error themselves.
	})
	return m
}

// triggerHere writes an operator's trigger for this agent.
func (m *member) triggerHere(job string) {
	m.fixture.Helper()
	m.fixture.put(m.fixture.tree.Job(job).Trigger(m.id), "")
}

// triggerHereUntil triggers this agent until cond holds. A trigger may be dropped while the job's
// last run is still cleaning up, and then it triggers again.
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

// host returns the agent 10.0.0.n@-@suffix.
func (b *fixture) host(n int, suffix string) *member {
	b.Helper()
	return b.agent(n, func(cfg *coreagent.Config) { cfg.InstanceSuffix = suffix })
}

// session returns the session id of a started agent.
func (m *member) session(job string) int64 {
	m.fixture.Helper()
	return m.fixture.stat(m.fixture.tree.Job(job).Instance(m.id)).EphemeralOwner
}

// errKilled is the error of a handler in a killed process.
var errKilled = errors.New("the process was killed")

// kill is like kill -9. Unlike after cut, the handlers don't continue.
func (m *member) kill() {
	m.cut()          // First, so that the server doesn't get results from the handlers
	m.killHandlers() // and take them for finished.
}

// killHandlers is a kill for tests in which the server cuts the connection, for example with a
// reply. The server accepts no new one.
func (m *member) killHandlers() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.isDead {
		m.isDead, m.isCut = true, true
		close(m.dead)
	}
}

// killed reports whether the process was killed.
func (m *member) killed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.isDead
}

// work returns a handler that takes d, and ends with its context or its process.
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
