package scenario_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/registry"
)

// TestStopDrains: the current run should finish and nothing new should start. Leadership and shards
// should go to the others at once, not only when the session expires.
func TestStopDrains(t *testing.T) {
	for name, failover := range map[string]bool{"plain": false, "failover": true} {
		t.Run(name, func(t *testing.T) {
			onBothServers(t, func(b *fixture) {
				b.session = 30 * time.Second
				tree := b.tree.Job("job")
				open := make(gate)
				job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2, Failover: failover}
				leaver := b.agent(2).serve(job, open.handle).start()
				b.await("both run", func() bool { return b.runs.count("job", -1) == 2 })
				stayer := b.agent(1).serve(job, nil).start()
				stopped := make(chan error, 1)
				go func() { stopped <- leaver.Stop(b.ctx()) }()
				b.await("the other one leads", func() bool { return first(b.get(tree.LeaderInstance())) == stayer.id })
				b.while(1500*time.Millisecond, "the leaver finishes what it runs", func() bool { return len(stopped) == 0 && b.runs.count("job", -1) == 2 })
				close(open)
				if err := <-stopped; err != nil {
					b.Errorf("stop: %v", err)
				}
				at := time.Now()
				if b.exists(tree.Instance(leaver.id)) {
					b.Error("the instance waits for the end of its session")
				}
				for shard := range 2 {
					if r := b.nthRun("job", shard, 0); r.end.IsZero() || r.cause != nil || r.err != nil {
						b.Errorf("shard %d did not finish: %+v", shard, r)
					}
				}
				b.awaitOwners("job", stayer.id, stayer.id)
				if took := time.Since(at); b.virtual() && took > time.Second {
					b.Errorf("the shards moved %v after Stop returned", took)
				}
				b.await("the other one runs both", func() bool { return b.runs.count("job", 0) > 1 && b.runs.count("job", 1) > 1 })
				for _, r := range b.runsFrom("job", -1, 2) {
					if r.agent != stayer.id {
						b.Errorf("shard %d started on the leaver after Stop", r.shard.Item)
					}
				}
			})
		})
	}
}

// TestStopDuringAnElection: an agent wins an election that it entered just before draining. It
// shouldn't stay the leader while it drains.
func TestStopDuringAnElection(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		tree := b.tree.Job("job")
		open := make(gate)
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 0 1 1 ? 2099"}, Shards: 1, Failover: true}
		leaver := b.agent(1).serve(job, open.handle).start()
		b.awaitOwners("job", leaver.id)
		leaver.triggerHere("job")
		b.await("it runs", func() bool { return b.runs.count("job", 0) == 1 })
		other := tree.ElectionLatch() + "/_c_0-latch-0000000000"
		b.put(other, "")
		b.delete(tree.LeaderInstance())
		b.await("it competes", func() bool { return len(b.children(tree.ElectionLatch())) == 2 })
		stopped := make(chan error, 1)
		go func() { stopped <- leaver.Stop(b.ctx()) }()
		synctest.Wait()
		b.delete(other)
		stayer := b.agent(2).serve(job, nil).start()
		b.await("the other one leads", func() bool { return first(b.get(tree.LeaderInstance())) == stayer.id })
		if len(stopped) > 0 {
			t.Error("it has not waited for its run: the test proves nothing")
		}
		close(open)
		b.must(<-stopped)
	})
}

// TestStopCancelsAtTheDeadline: the cause of the context should name the stop.
func TestStopCancelsAtTheDeadline(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		ctx, cancel := context.WithTimeout(b.ctx(), patience)
		defer cancel()
		var early atomic.Bool
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, func(run context.Context, _ *coreagent.Shard) error {
			<-run.Done()
			early.Store(ctx.Err() == nil)
			return context.Cause(run)
		}).start()
		b.awaitOwners("job", m.id)
		m.triggerHere("job")
		b.await("the shard runs", func() bool { return b.runs.count("job", 0) == 1 })
		time.AfterFunc(300*time.Millisecond, cancel)
		if err := m.Stop(ctx); err != nil {
			b.Errorf("stop: %v", err)
		}
		if r := b.nthRun("job", 0, 0); !errors.Is(r.cause, coreagent.ErrStopping) || early.Load() {
			b.Errorf("the run ended with %v, before the deadline: %v", r.cause, early.Load())
		}
		b.awaitTidy("job")
		if b.exists(b.tree.Job("job").Instance(m.id)) || b.exists(b.tree.Job("job").LeaderInstance()) {
			b.Error("the instance is still there")
		}
	})
}

// TestStopEndsAWaitingStart: Stop should end a Start that waits for a server. A Stop during another
// one should keep its own deadline.
func TestStopEndsAWaitingStart(t *testing.T) {
	waits := make(chan struct{}, 1)
	agent, err := coreagent.New(coreagent.Config{
		Namespace: "nobody",
		ZooKeeper: registry.ZooKeeper{Servers: []string{"127.0.0.1:1"}, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			select {
			case waits <- struct{}{}:
			default:
			}
			<-ctx.Done()
			return nil, context.Cause(ctx)
		}},
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- agent.Start(context.Background()) }()
	<-waits
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := agent.Stop(ctx); err != nil {
		t.Errorf("stop: %v", err)
	}
	if err := <-ended; !errors.Is(err, coreagent.ErrAgentClosed) || !errors.Is(err, zk.ErrUnavailable) {
		t.Errorf("the start that was ended: %v", err)
	}
	if err := agent.Start(ctx); !errors.Is(err, coreagent.ErrAgentClosed) {
		t.Errorf("a start after it: %v", err)
	}
}

// TestW97SecondStopEndsTheDrain: a second Stop should end the drain of the first at its own
// deadline.
func TestW97SecondStopEndsTheDrain(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		open := make(gate)
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, open.handle).start()
		b.awaitOwners("job", m.id)
		m.triggerHere("job")
		b.await("the shard runs", func() bool { return b.runs.count("job", 0) == 1 })
		first := make(chan error, 1)
		go func() { first <- m.Stop(b.ctx()) }()
		b.await("the instance has left", func() bool { return !b.exists(b.tree.Job("job").LeaderInstance()) })
		ctx, cancel := context.WithTimeout(b.ctx(), 50*time.Millisecond)
		defer cancel()
		if err := m.Stop(ctx); err != nil {
			b.Errorf("the second stop: %v", err)
		}
		if err := <-first; err != nil {
			b.Errorf("the first stop: %v", err)
		}
	})
}

// TestMS44StopNamesTheDeafHandler: Stop should return even if a handler ignores its context, and
// name it.
func TestMS44StopNamesTheDeafHandler(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		open := make(chan struct{})
		defer close(open)
		m := b.agent(1).
			serve(coreagent.Job{Name: "deaf", Shards: 1}, func(context.Context, *coreagent.Shard) error { <-open; return nil }).
			serve(coreagent.Job{Name: "fine", Shards: 1}, make(gate).handle).start()
		b.awaitOwners("deaf", m.id)
		b.awaitOwners("fine", m.id)
		m.triggerHere("deaf")
		m.triggerHere("fine")
		b.await("both run", func() bool { return b.runs.count("deaf", 0) == 1 && b.runs.count("fine", 0) == 1 })
		ctx, cancel := context.WithTimeout(b.ctx(), 100*time.Millisecond)
		defer cancel()
		err := m.Stop(ctx) // Otherwise it'd wait until the handler is released, which is after the test.
		if err == nil || !strings.Contains(err.Error(), "job deaf: ") || !strings.Contains(err.Error(), "ignores its context") || strings.Contains(err.Error(), "fine") {
			b.Errorf("stop: %v", err)
		}
		if again := m.Stop(b.ctx()); again == nil || again.Error() != err.Error() {
			b.Errorf("second stop: %v", again)
		}
		select {
		case <-m.Done():
		default:
			b.Error("Done is not closed")
		}
	})
}

// TestRun: Run should serve until its context ends, and return nil after a clean stop.
func TestRun(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}, nil)
		ctx, cancel := context.WithCancel(b.ctx())
		ended := make(chan error, 1)
		go func() { ended <- m.Run(ctx) }()
		b.await("a run", func() bool { return b.runs.count("job", 0) > 0 })
		cancel()
		if err := <-ended; err != nil {
			b.Errorf("run: %v", err)
		}
		if err := m.Run(b.ctx()); !errors.Is(err, coreagent.ErrAgentClosed) {
			b.Errorf("second run: %v", err)
		}
		b.awaitTidy("job")
	})
}

// TestRunReturnsWhenStopped: Run should also return if another goroutine calls Stop.
func TestRunReturnsWhenStopped(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, nil)
		ended := make(chan error, 1)
		go func() { ended <- m.Run(b.ctx()) }()
		b.awaitOwners("job", m.id)
		b.must(m.Start(b.ctx())) // Run must have started, or Stop would make it fail.
		b.must(m.Stop(b.ctx()))
		if err := <-ended; err != nil {
			b.Errorf("run: %v", err)
		}
	})
}

// TestStartWithoutServer: Start should fail when its context ends, and its error should contain the
// reason.
func TestStartWithoutServer(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, nil)
		m.cut()
		ctx, cancel := context.WithTimeout(b.ctx(), 300*time.Millisecond)
		defer cancel()
		err := m.Start(ctx)
		if !errors.Is(err, errCut) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), b.addr) {
			b.Errorf("start: %v", err)
		}
		b.must(m.Stop(b.ctx()))
	})
}

// server is the common interface of both servers for a restart.
type server interface {
	stop()
	start()
}

type fakeServer struct {
	*testing.T
	*zkfake.Server
}

func (s fakeServer) stop() { s.Server.Stop() }
func (s fakeServer) start() {
	if err := s.Server.Start(); err != nil {
		s.Fatal(err)
	}
}

type realServer struct {
	*testing.T
	*zktest.ZooKeeper
}

func (s realServer) stop()  { s.ZooKeeper.Stop() }
func (s realServer) start() { s.Restart(s.T) }

// TestMS04ServerRestart: jobs should fire again after ZooKeeper was away, shortly or longer than
// the session. No run should start in that time, and no shard should run twice at once.
func TestMS04ServerRestart(t *testing.T) {
	t.Parallel()
	t.Run("fake", func(t *testing.T) {
		t.Parallel()
		bubble(t, func(b *fixture, srv *zkfake.Server) { serverRestart(b, fakeServer{b.T, srv}) })
	})
	zktest.OnOwnReal(t, func(t *testing.T, srv *zktest.ZooKeeper) {
		t.Parallel()
		serverRestart(newFixture(t, srv.Addr()), realServer{t, srv})
	})
}

func serverRestart(b *fixture, srv server) {
	b.session = shortSession
	job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2, Failover: true}
	handle := func(ctx context.Context, _ *coreagent.Shard) error {
		select {
		case <-time.After(200 * time.Millisecond):
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	members := []*member{b.agent(1).serve(job, handle).start(), b.agent(2).serve(job, handle).start()}
	b.await("both run", func() bool {
		return len(b.runsOn(members[0], "NORMAL_TRIGGER")) > 0 && len(b.runsOn(members[1], "NORMAL_TRIGGER")) > 0
	})
	for _, long := range []bool{false, true} {
		lost := b.log.count("to=LOST")
		srv.stop()
		if long {
			b.await("the sessions are lost", func() bool { return b.log.count("to=LOST") >= lost+len(members) })
			n := b.runs.count("job", -1)
			b.while(time.Second, "nothing starts without a server", func() bool { return b.runs.count("job", -1) == n })
		}
		srv.start()
		back := time.Now()
		b.await("both shards are run again, one by each", func() bool {
			seen := make(map[string]bool)
			for _, r := range b.runs.of("job", -1) {
				if r.start.After(back) && !r.end.IsZero() && r.err == nil {
					seen[r.agent] = true
				}
			}
			return len(seen) == 2
		})
	}
	for shard := range 2 {
		runs := b.runs.of("job", shard)
		for i := 1; i < len(runs); i++ {
			if runs[i].start.Before(runs[i-1].end) {
				b.Errorf("shard %d: overlap of %s and %s", shard, runs[i-1].agent, runs[i].agent)
			}
		}
	}
}
