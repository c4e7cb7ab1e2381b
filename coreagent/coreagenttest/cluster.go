package coreagenttest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// Namespace is the namespace that a [Cluster]'s agents use.
const Namespace = "test"

// SessionTimeout is the session timeout of a [Cluster]'s agents: the time until the others notice
// that one of them was killed.
const SessionTimeout = 4 * time.Second

// awaitTimeout is how long [Cluster.Await] waits.
const awaitTimeout = time.Minute

// Cluster is a server and agents that serve the same jobs, all in the test's own process. It's safe
// for concurrent use.
type Cluster struct {
	Server *Server
	// Agents are the started agents. Stop one to see its shards move to the others.
	Agents []*coreagent.Agent

	tb    testing.TB
	lines []*line
}

// NewCluster starts a server and n agents and returns when all are registered. The shards are
// assigned soon after; use [Cluster.Await] if that matters. prepare is called for each agent before
// it starts, with its number from 0, and adds the jobs. Handlers can remember the number to know
// which agent runs. Agent 0 announces the address 10.0.0.1, agent 1 10.0.0.2, and so on.
//
// All communication is in memory, so a cluster works in real time and in a bubble of package testing/synctest.
// The agents are stopped at the end of the test; if a handler then ignores its context, the test fails.
func NewCluster(tb testing.TB, n int, prepare func(number int, agent *coreagent.Agent)) *Cluster {
	tb.Helper()
	if n < 1 || prepare == nil {
		tb.Fatalf("coreagenttest: NewCluster needs at least one agent and a function that prepares it; got %d, %v", n, prepare != nil)
	}
	c := &Cluster{Server: NewPipeServer(tb), tb: tb}
	for i := range n {
		wire := &line{server: c.Server}
		zookeeper := c.Server.ZooKeeper()
		zookeeper.Dial, zookeeper.SessionTimeout = wire.dial, SessionTimeout
		agent, err := coreagent.New(coreagent.Config{
			Namespace: Namespace, ZooKeeper: zookeeper,
			Address: fmt.Sprintf("10.0.0.%d", i+1), InstanceSuffix: fmt.Sprint(i + 1),
			Logger: slog.New(slog.NewTextHandler(tb.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})).With("agent", i),
		})
		if err != nil {
			tb.Fatalf("coreagenttest: agent %d: %v", i, err)
		}
		prepare(i, agent)
		c.Agents, c.lines = append(c.Agents, agent), append(c.lines, wire)
	}
	tb.Cleanup(c.stop)
	for i, agent := range c.Agents {
		ctx, cancel := context.WithTimeout(tb.Context(), awaitTimeout)
		err := agent.Start(ctx)
		cancel()
		if err != nil {
			tb.Fatalf("coreagenttest: start agent %d: %v", i, err)
		}
	}
	return c
}

// stop stops the agents concurrently. Killed ones can't shut down cleanly; the others get a moment to
// finish their runs.
func (c *Cluster) stop() {
	var stops sync.WaitGroup
	for i, agent := range c.Agents {
		stops.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), SessionTimeout)
			defer cancel()
			killed := c.lines[i].isCut()
			if killed {
				cancel()
			}
			if err := agent.Stop(ctx); err != nil && !killed {
				c.tb.Errorf("coreagenttest: stop agent %d: %v", i, err)
			}
		})
	}
	stops.Wait()
}

// Kill cuts off an agent as if its process was killed: it doesn't shut down cleanly, and its shards
// get new owners after [SessionTimeout]. Because the process in fact still exists, the contexts of
// its running shards end first, with the cause [coreagent.ErrSessionLost].
func (c *Cluster) Kill(number int) {
	c.tb.Helper()
	if number < 0 || number >= len(c.lines) {
		c.tb.Fatalf("coreagenttest: there is no agent %d; the numbers are 0 to %d", number, len(c.lines)-1)
	}
	c.lines[number].cut()
}

func (c *Cluster) living() *coreagent.Agent {
	c.tb.Helper()
	for i, agent := range c.Agents {
		select {
		case <-agent.Done():
		default:
			if !c.lines[i].isCut() {
				return agent
			}
		}
	}
	c.tb.Fatalf("coreagenttest: every agent was killed or stopped")
	return nil
}

// Owners returns the number of the agent that owns each shard of a job, -1 for a shard without an
// owner. It's nil while the shards are being assigned.
func (c *Cluster) Owners(job string) []int {
	namespace, err := jobtree.NewNamespace(Namespace)
	if err != nil {
		return nil // Namespace is valid, so there's no error.
	}
	tree := namespace.Job(job)
	nodes := make(map[string]string)
	for _, n := range c.Server.fake.Dump(tree.Root()) {
		nodes[n.Path] = string(n.Data)
	}
	for _, flag := range []string{tree.Necessary(), tree.Processing()} {
		if _, set := nodes[flag]; set {
			return nil
		}
	}
	ids := make([]string, len(c.Agents))
	for i := range ids {
		ids[i] = jobtree.NewInstanceID(fmt.Sprintf("10.0.0.%d", i+1), fmt.Sprint(i+1))
	}
	var owners []int
	for item := 0; ; item++ {
		if _, exists := nodes[tree.Item(item)]; !exists {
			return owners
		}
		owners = append(owners, slices.Index(ids, nodes[tree.ItemInstance(item)]))
	}
}

// Await waits until ok returns true, for at most a minute, then fails the test with what. In a
// bubble the time is virtual.
func (c *Cluster) Await(what string, ok func() bool) {
	c.tb.Helper()
	if ok == nil {
		c.tb.Fatalf("coreagenttest: Await %s: no function to ask", what)
	}
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(awaitTimeout); !ok(); <-poll.C {
		if time.Now().After(deadline) {
			c.tb.Fatalf("coreagenttest: waited %v in vain: %s\n%s", awaitTimeout, what, c.Server.Tree("/"+Namespace))
		}
	}
}

// line is the connection of one agent, which can be cut.
type line struct {
	server *Server

	mu     sync.Mutex
	broken bool
	conns  []net.Conn
}

var errKilled = errors.New("coreagenttest: the agent was killed")

func (l *line) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken {
		return nil, errKilled
	}
	c, err := l.server.Dial(ctx, network, addr)
	if err == nil {
		l.conns = append(l.conns, c)
	}
	return c, err
}

func (l *line) isCut() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.broken
}

func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = true
	for _, c := range l.conns {
		_ = c.Close() // intended
	}
	l.conns = nil
}
