package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestEagerFailoverBesideARun: a busy survivor should take the shards of a killed instance at once
// and run them in parallel with its own, although both write the same nodes.
func TestEagerFailoverBesideARun(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.session = shortSession
		job := failoverJob()
		job.EagerFailover = true
		busy, taken := make(gate), make(gate)
		survivor := b.agent(1, lasting).serve(job, func(ctx context.Context, s *coreagent.Shard) error {
			if s.Source == tracing.SourceFailover {
				return taken.handle(ctx, s)
			}
			return busy.handle(ctx, s)
		}).start()
		victim := b.agent(2).serve(job, make(gate).handle).start()
		b.awaitOwners("job", victim.id, victim.id, survivor.id, survivor.id)
		survivor.triggerHere("job")
		victim.triggerHere("job")
		b.await("both run", func() bool { return b.runs.count("job", -1) == 4 })
		victim.cut()
		b.await("the survivor runs the victim's shards as well", func() bool { return len(b.runsOn(survivor, tracing.SourceFailover)) == 2 })
		tree := b.tree.Job("job")
		for n := range 4 {
			if running, _ := b.get(tree.ItemRunning(n)); running != survivor.id {
				b.Errorf("shard %d is marked running by %q", n, running)
			}
		}
		for n := range 2 {
			if failover, _ := b.get(tree.ItemFailover(n)); failover != survivor.id {
				b.Errorf("shard %d is taken by %q", n, failover)
			}
			if was, is := b.nthRun("job", n, 0), b.nthRun("job", n, 1); is.shard.FencingToken <= was.shard.FencingToken {
				b.Errorf("shard %d: token %d after %d", n, is.shard.FencingToken, was.shard.FencingToken)
			}
		}
		close(taken)
		b.await("the failover run ends while the run goes on", func() bool {
			return !b.exists(tree.ItemFailovering(0)) && !b.exists(tree.ItemFailovering(1)) && !b.exists(tree.ItemRunning(0)) && !b.exists(tree.ItemRunning(1))
		})
		if !b.exists(tree.ItemRunning(2)) || !b.exists(tree.ItemRunning(3)) {
			b.Error("the end of the failover run ended the run's markers")
		}
		close(busy)
		b.awaitOwners("job", slices.Repeat([]string{survivor.id}, 4)...)
		b.awaitTidy("job")
		if got := b.runs.count("job", -1); got != 6 {
			b.Errorf("%d runs, want 6", got)
		}
	})
}

// TestEagerFailoverStopDrainsBoth: Stop should wait for the run and for the failover in parallel,
// and leave nothing in the tree.
func TestEagerFailoverStopDrainsBoth(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		open := make(gate)
		b.put(tree.ItemDisabled(1), "") // The run only has shard 0.
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 2, Failover: true, EagerFailover: true}, open.handle).start()
		b.awaitOwners("job", m.id, m.id)
		m.triggerHere("job")
		b.await("shard 0 runs", func() bool { return b.runs.count("job", 0) == 1 })
		b.put(tree.FailoverItem(1), "")
		b.await("both shards run", func() bool { return b.runs.count("job", -1) == 2 })
		stopped := make(chan error, 1)
		go func() { stopped <- m.Stop(b.ctx()) }()
		b.await("the agent is about to leave", func() bool { return !b.exists(tree.LeaderInstance()) })
		b.while(100*time.Millisecond, "the agent waits", func() bool { return len(stopped) == 0 && b.exists(tree.Instance(m.id)) })
		close(open)
		b.must(<-stopped)
		for _, r := range b.runs.of("job", -1) {
			if r.end.IsZero() || r.cause != nil {
				b.Errorf("shard %d ended at %v with %v", r.shard.Item, r.end, r.cause)
			}
		}
		b.awaitTidy("job")
	})
}

// TestEagerFailoverLeavesOwnRunAlone: if a process is offered a shard that it's running, it should
// withdraw the offer. It shouldn't take the shard's marker for a stale one.
func TestEagerFailoverLeavesOwnRunAlone(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		open := make(gate)
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1, Failover: true, EagerFailover: true}, open.handle).start()
		b.awaitOwners("job", m.id)
		m.triggerHere("job")
		b.await("it runs", func() bool { return b.runs.count("job", 0) == 1 })
		b.put(tree.FailoverItem(0), "")
		b.await("the offer is taken and given up", func() bool {
			return !b.exists(tree.FailoverItem(0)) && !b.exists(tree.ItemFailover(0)) && !b.exists(tree.ItemFailovering(0))
		})
		if running, _ := b.get(tree.ItemRunning(0)); running != m.id || b.runs.count("job", 0) != 1 {
			b.Errorf("marked running by %q after %d runs", running, b.runs.count("job", 0))
		}
		close(open)
		b.awaitTidy("job")
	})
}

// line is a network connection that can be cut for good.
type line struct {
	dial func(ctx context.Context, network, addr string) (net.Conn, error)

	mu    sync.Mutex
	isCut bool
	conns []net.Conn
}

func (l *line) connect(ctx context.Context, network, addr string) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isCut {
		return nil, errCut
	}
	c, err := l.dial(ctx, network, addr)
	if err == nil {
		l.conns = append(l.conns, c)
	}
	return c, err
}

func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isCut = true
	for _, c := range l.conns {
		c.Close()
	}
}

// eagerFleet is a set of agents with an eager job. Its runs take longer than its period.
type eagerFleet struct {
	*testing.T
	srv   *zkfake.Server
	lines map[*coreagent.Agent]*line
	born  int

	mu        sync.Mutex
	running   map[int]string // by shard
	problems  []string
	taken     int // runs of shards that were failed over
	busyTakes int // those on an instance that was already running something
}

const eagerAgents = 3

// begin records that a shard begins on an instance.
func (f *eagerFleet) begin(s *coreagent.Shard, id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if other, twice := f.running[s.Item]; twice {
		f.problems = append(f.problems, fmt.Sprintf("shard %d on %s while on %s", s.Item, id, other))
	}
	if s.Source == tracing.SourceFailover {
		f.taken++
		if slices.Contains(slices.Collect(maps.Values(f.running)), id) {
			f.busyTakes++
		}
	}
	f.running[s.Item] = id
}

func (f *eagerFleet) end(s *coreagent.Shard) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.running, s.Item)
}

func (f *eagerFleet) start() *coreagent.Agent {
	f.Helper()
	network := &line{dial: f.srv.Dial}
	cfg := coreagent.Config{
		Namespace: "eager", Address: "10.0.0." + fmt.Sprint(f.born%eagerAgents+1), InstanceSuffix: fmt.Sprint(f.born),
		ZooKeeper: registry.ZooKeeper{Servers: []string{"zookeeper:2181"}, Dial: network.connect, SessionTimeout: 4 * time.Second},
		Logger:    slog.New(slog.DiscardHandler),
	}
	f.born++
	agent, err := coreagent.New(cfg)
	if err != nil {
		f.Fatal(err)
	}
	id := jobtree.NewInstanceID(cfg.Address, cfg.InstanceSuffix)
	agent.HandleFunc(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 7, Failover: true, EagerFailover: true},
		func(ctx context.Context, s *coreagent.Shard) error {
			f.begin(s, id)
			defer f.end(s)
			select {
			case <-time.After(25 * time.Second):
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
	if err := agent.Start(f.Context()); err != nil {
		f.Fatal(err)
	}
	f.lines[agent] = network
	return agent
}

// TestEagerFailoverNeverTwiceAtOnce repeatedly kills agents of an eager job in virtual time. Its
// runs take longer than its period. No shard should ever run twice at once, and a failover should
// begin at once even though every agent is busy.
func TestEagerFailoverNeverTwiceAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &eagerFleet{T: t, srv: zkfake.New(zkfake.Options{}), lines: map[*coreagent.Agent]*line{}, running: map[int]string{}}
		agents := make([]*coreagent.Agent, eagerAgents)
		for i := range agents {
			agents[i] = f.start()
		}
		for round := range 30 {
			time.Sleep(time.Duration(17+round*7%23) * time.Second)
			i := round % len(agents)
			if round%3 == 2 { // A drain in between must wait for both.
				if err := agents[i].Stop(t.Context()); err != nil {
					t.Error(err)
				}
			} else {
				f.lines[agents[i]].cut() // A crash: the session stays until it expires.
				time.Sleep(5 * time.Second)
				_ = agents[i].Stop(t.Context()) // It's cut off, so Stop must fail.
			}
			agents[i] = f.start()
		}
		time.Sleep(2 * time.Minute)
		for _, agent := range agents {
			if err := agent.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if err := f.srv.Close(); err != nil {
			t.Error(err)
		}
		if len(f.problems) > 0 {
			t.Error(strings.Join(f.problems, "\n"))
		}
		if f.taken < 10 || f.busyTakes < 5 {
			t.Errorf("%d shards were taken, %d by a busy instance: the test proves little", f.taken, f.busyTakes)
		}
	})
}

func TestEagerFailoverNeedsFailover(t *testing.T) {
	t.Parallel()
	agent, err := coreagent.New(coreagent.Config{Namespace: "n", ZooKeeper: registry.ZooKeeper{Servers: []string{"zookeeper:2181"}}})
	if err != nil {
		t.Fatal(err)
	}
	err = agent.Add(coreagent.Job{Name: "job", Shards: 1, EagerFailover: true}, coreagent.HandlerFunc(func(context.Context, *coreagent.Shard) error { return nil }))
	if err == nil || !strings.Contains(err.Error(), "EagerFailover") || errors.Is(err, coreagent.ErrDuplicateJob) {
		t.Errorf("got %v", err)
	}
}
