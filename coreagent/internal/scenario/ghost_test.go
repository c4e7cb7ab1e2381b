package scenario_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// nodesOf returns the nodes of a job that belong to a session.
func (b *fixture) nodesOf(job string, session int64) []string {
	var found []string
	for _, n := range b.fake.Dump(b.tree.Job(job).Root()) {
		if n.Stat.EphemeralOwner == session {
			found = append(found, n.Path)
		}
	}
	return found
}

// runsEverywhere checks that each shard runs at each fire time of the next span.
func (b *fixture) runsEverywhere(job string, shards int, every, span time.Duration) {
	b.Helper()
	from := sleepUntilNext(every)
	time.Sleep(span - every/2)
	for shard, n := range b.runs.completions(job, shards, from, time.Now()) {
		if want := int(span / every); n != want {
			b.Errorf("shard %d ran %d times in %v, want %d", shard, n, span, want)
		}
	}
}

// TestW92RemoveDuringAnOutage removes a job while the connection is broken. The session survives.
// The instance should leave as soon as the server is back, and every shard should run.
func TestW92RemoveDuringAnOutage(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		job := coreagent.Job{Name: "job", Shards: 4, Schedule: coreagent.Schedule{Cron: "* * * * * ?"}}
		other := coreagent.Job{Name: "other", Shards: 1}
		one := b.agent(1).serve(job, nil).serve(other, nil).start()
		two := b.agent(2).serve(job, nil).serve(other, nil).start()
		b.awaitOwners("job", two.id, two.id, one.id, one.id)
		session := one.session("other")
		srv.Stop()
		time.Sleep(100 * time.Millisecond)
		ctx, cancel := context.WithTimeout(b.ctx(), 3*time.Second)
		defer cancel()
		at := time.Now()
		b.must(one.Remove(ctx, "job"))
		if took := time.Since(at); took > 3*time.Second {
			b.Errorf("Remove took %v and ignored its context", took)
		}
		b.must(srv.Start())
		time.Sleep(3 * time.Second)
		b.runsEverywhere("job", 4, time.Second, 30*time.Second)
		if found := b.nodesOf("job", session); len(found) > 0 {
			b.Errorf("the removed job left %q", found)
		}
		if one.session("other") != session {
			b.Error("the session was lost: the test proves nothing")
		}
	})
}

// TestW92RemoveAtEachRequest removes a job at each request of its registration, and that request or
// its reply is lost or late. The session always survives, so no node of the job should stay.
func TestW92RemoveAtEachRequest(t *testing.T) {
	t.Parallel()
	faults := map[string]zkfake.Fault{
		"nothing is lost": zkfake.None, "the request is lost": zkfake.LoseRequest, "the reply is lost": zkfake.LoseReply,
		"the request is late": zkfake.DelayRequest(3 * time.Second), "the reply is late": zkfake.Delay(3 * time.Second),
	}
	for name, fault := range faults {
		for kind, founds := range map[string]bool{"joins": false, "founds": true} {
			t.Run(kind+", "+name, func(t *testing.T) {
				t.Parallel()
				bubble(t, func(b *fixture, srv *zkfake.Server) {
					removeAtEachRequest(b, srv, fault, founds)
				})
			})
		}
	}
}

func removeAtEachRequest(b *fixture, srv *zkfake.Server, fault zkfake.Fault, founds bool) {
	other := coreagent.Job{Name: "other", Shards: 1}
	job := coreagent.Job{Name: "job", Shards: 2, Schedule: coreagent.Schedule{Cron: "0/15 * * * * ?"}, Failover: true}
	one := b.agent(1).serve(other, nil).start()
	two := b.agent(2).serve(other, nil).start()
	b.awaitOwners("other", two.id)
	if !founds {
		b.must(two.Add(job, b.runs.handler(two.id, nil)))
		b.awaitOwners("job", two.id, two.id)
	}
	session := one.session("other")
	hit := &counter{}
	srv.SetFault(hit.hook)
	for n := 1; ; n++ {
		if founds {
			job.Name = fmt.Sprint("job", n)
		}
		removed := make(chan error, 1)
		sleepUntilNext(15 * time.Second)
		time.Sleep(time.Second) // It should register between two fire times.
		hit.arm(session, n, func(zkfake.Request) zkfake.Fault {
			go func() {
				ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
				defer cancel()
				removed <- one.Remove(ctx, job.Name)
			}()
			time.Sleep(time.Millisecond) // Now Remove is waiting for the answer.
			return fault
		})
		b.must(one.Add(job, b.runs.handler(one.id, nil)))
		time.Sleep(10 * time.Second)
		last, done := hit.disarm()
		if !done {
			if n < 8 {
				b.Errorf("only %d requests: the test proves nothing", n)
			}
			return
		}
		b.must(<-removed)
		if found := b.nodesOf(job.Name, session); len(found) > 0 {
			b.Fatalf("Remove at request %d (%s) left %q", n, last, found)
		}
		if founds {
			b.must(two.Add(job, b.runs.handler(two.id, nil)))
		}
		b.awaitOwners(job.Name, two.id, two.id)
		b.runsEverywhere(job.Name, 2, 15*time.Second, 15*time.Second)
		if founds {
			b.must(two.Remove(b.ctx(), job.Name))
		}
	}
}

// TestW92RemoveWhileLost: ZooKeeper is away for so long that the agents give up their sessions, but
// the server still has them when it returns. In that time a running job is removed from one agent.
// Its markers should be removed along with its instance, so the others get its shards and make up
// for the interrupted runs. That should also hold if the others return later or with new sessions.
func TestW92RemoveWhileLost(t *testing.T) {
	t.Parallel()
	for _, failover := range []bool{false, true} {
		for _, ignores := range []bool{false, true} {
			for _, back := range []time.Duration{-time.Second, 0, 2 * time.Second, time.Minute} {
				t.Run(fmt.Sprintf("failover %v, ignores its context %v, others back after %v", failover, ignores, back), func(t *testing.T) {
					t.Parallel()
					bubble(t, func(b *fixture, srv *zkfake.Server) { removeWhileLost(b, srv, failover, ignores, back) })
				})
			}
		}
	}
}

func removeWhileLost(b *fixture, srv *zkfake.Server, failover, ignores bool, back time.Duration) {
	job := coreagent.Job{Name: "job", Shards: 4, Schedule: coreagent.Schedule{Cron: "0 0/5 * * * ?"}, Failover: failover}
	other := coreagent.Job{Name: "other", Shards: 1}
	one, two := b.agent(1), b.agent(2)
	handle := one.work(20 * time.Second)
	if ignores {
		handle = func(context.Context, *coreagent.Shard) error { time.Sleep(3 * time.Minute); return nil }
	}
	one.serve(job, handle).serve(other, nil).start()
	two.serve(job, nil).serve(other, nil).start()
	b.awaitOwners("job", two.id, two.id, one.id, one.id)
	session := one.session("other")
	at := sleepUntilNext(5 * time.Minute)
	time.Sleep(5 * time.Second)
	srv.Stop()
	time.Sleep(30 * time.Second)
	if back < 0 {
		one.cut()
	} else if back > 0 {
		two.cut()
	}
	ctx, cancel := context.WithTimeout(b.ctx(), time.Second)
	defer cancel()
	if err := one.Remove(ctx, "job"); err != nil && !ignores {
		b.Fatal(err)
	}
	b.must(srv.Start())
	time.Sleep(max(back, -back))
	one.reconnect()
	two.reconnect()
	time.Sleep(4*time.Minute + 15*time.Second - max(back, -back)) // The last handler has returned.
	if found := b.nodesOf("job", session); len(found) > 0 {
		b.Errorf("the removed job left %q", found)
	}
	b.awaitOwners("job", two.id, two.id, two.id, two.id)
	if got := b.runs.completions("job", 4, at, at.Add(5*time.Minute)); slices.Contains(got, 0) {
		b.Errorf("completed %v", got)
	}
	b.runsEverywhere("job", 4, 5*time.Minute, 5*time.Minute)
	b.awaitTidy("job")
	if one.session("other") != session {
		b.Error("the session was lost: the test proves nothing")
	}
}

// TestW92RemoveDuringTheStart removes a job before a slow server has registered it. The agent
// should start with the other job.
func TestW92RemoveDuringTheStart(t *testing.T) {
	t.Parallel()
	for seconds := range 10 {
		bubble(t, func(b *fixture, srv *zkfake.Server) {
			m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, nil).serve(coreagent.Job{Name: "other", Shards: 1}, nil)
			srv.SetFault(func(r zkfake.Request) zkfake.Fault {
				if r.Op == "ping" || r.Session == b.client.Session().ID {
					return zkfake.None
				}
				return zkfake.DelayRequest(time.Second)
			})
			started := make(chan struct{})
			go func() {
				defer close(started)
				m.start()
			}()
			time.Sleep(time.Duration(seconds)*time.Second + 500*time.Millisecond)
			b.must(m.Remove(b.ctx(), "job"))
			srv.SetFault(nil)
			<-started
			b.awaitOwners("other", m.id)
			if b.exists(b.tree.Job("job").Instance(m.id)) {
				b.Error("the removed job is registered")
			}
		})
	}
}

// TestW92AddWhileTheRemovalIsPending removes a job during an outage, and adds it again with another
// handler before the server is back. Pending parts of the removal shouldn't delete the new
// registration, neither right away nor at the check a minute later.
func TestW92AddWhileTheRemovalIsPending(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		job := coreagent.Job{Name: "job", Shards: 2, Schedule: coreagent.Schedule{Cron: "* * * * * ?"}}
		one := b.agent(1).serve(job, nil).start()
		two := b.agent(2).serve(job, nil).start()
		b.awaitOwners("job", two.id, one.id)
		for round := range 3 {
			srv.Stop()
			time.Sleep(100 * time.Millisecond)
			ctx, cancel := context.WithTimeout(b.ctx(), time.Second)
			defer cancel()
			b.must(one.Remove(ctx, "job"))
			name := fmt.Sprint("again", round)
			b.must(one.Add(job, b.runs.handler(name, nil)))
			b.must(srv.Start())
			time.Sleep(3 * time.Second)
			b.awaitOwners("job", two.id, one.id)
			for range 3 {
				b.runsEverywhere("job", 2, time.Second, 30*time.Second)
			}
			runs := b.runs.of("job", 1)
			if last := runs[len(runs)-1]; last.agent != name {
				b.Errorf("shard 1 ran on %s last, want %s", last.agent, name)
			}
		}
	})
}

// TestW92StopDuringTheCleanUp: an agent stops while no server is reachable and the clean-up after a
// removal is pending. It should leave no goroutine in the process, which the end of the bubble
// checks.
func TestW92StopDuringTheCleanUp(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		job := coreagent.Job{Name: "job", Shards: 1}
		one := b.agent(1).serve(job, nil).serve(coreagent.Job{Name: "other", Shards: 1}, nil).start()
		b.awaitOwners("job", one.id)
		b.awaitOwners("other", one.id)
		session := one.session("other")
		srv.Stop()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(b.ctx(), time.Second)
		defer cancel()
		b.must(one.Remove(ctx, "job"))
		b.must(one.Stop(ctx))
		b.must(srv.Start())
		b.await("the session ends", func() bool { return len(b.nodesOf("job", session)) == 0 })
	})
}

// TestW92ShutdownWhileTheLineBreaks: an operator shuts a job down while it runs, and the answer to
// the instance's last request is lost. The agent's node should be removed anyway, or the others
// would wait for the shards for as long as the process lives.
func TestW92ShutdownWhileTheLineBreaks(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		open := make(gate)
		tree := b.tree.Job("job")
		job := coreagent.Job{Name: "job", Shards: 2, Schedule: coreagent.Schedule{Cron: "0/5 * * * * ?"}, Failover: true}
		two := b.agent(2).serve(job, nil).start()
		one := b.agent(1).serve(job, open.handle).serve(coreagent.Job{Name: "other", Shards: 1}, nil).start()
		b.awaitOwners("job", two.id, one.id)
		session := one.session("other")
		b.await("it runs", func() bool { return b.runs.count("job", 1) == 1 })
		b.delete(tree.Instance(one.id))
		time.Sleep(time.Second)
		node := tree.Agents() + "/" + one.id
		if !b.exists(node) {
			b.Fatal("the agent's node went before its run ended")
		}
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Session == session && slices.Contains(append(r.Paths, r.Path), node) && !isRead(r.Op) {
				srv.SetFault(nil)
				return zkfake.LoseRequest
			}
			return zkfake.None
		})
		close(open)
		time.Sleep(5 * time.Second)
		if found := b.nodesOf("job", session); len(found) > 0 {
			b.Errorf("the job that was shut down left %q", found)
		}
		b.awaitOwners("job", two.id, two.id)
		if one.session("other") != session {
			b.Error("the session was lost: the test proves nothing")
		}
	})
}

// TestW92DrainOutlivesTheCheck: an agent stops. One of its jobs still runs for minutes, and another
// has already left. The second check of departed instances must not remove the draining one, or its
// shards would fail over and run twice at once.
func TestW92DrainOutlivesTheCheck(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		busy := coreagent.Job{Name: "busy", Shards: 4, Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Failover: true}
		idle := coreagent.Job{Name: "idle", Shards: 1}
		one, two := b.agent(1), b.agent(2)
		one.serve(busy, one.work(5*time.Minute)).serve(idle, nil).start()
		two.serve(busy, two.work(time.Second)).serve(idle, nil).start()
		b.awaitOwners("busy", two.id, two.id, one.id, one.id)
		fire := sleepUntilNext(time.Hour)
		time.Sleep(time.Second)
		ctx, cancel := context.WithTimeout(b.ctx(), 10*time.Minute)
		defer cancel()
		b.must(one.Stop(ctx))
		time.Sleep(time.Minute)
		if got := b.runs.completions("busy", 4, fire, time.Now()); !slices.Equal(got, times(4, 1)) {
			b.Errorf("completed %v", got)
		}
	})
}

// TestW80LateEndLeavesNewMarkers: a handler ignores the loss of its session and returns after the
// instance has registered again. Its work should be recorded then, but the marker of the shard's
// next run should stay, or the shard could run elsewhere at the same time.
func TestW80LateEndLeavesNewMarkers(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		b.session = 10 * time.Second
		m, first := b.agent(1), true
		m.serve(coreagent.Job{Name: "job", Shards: 1, Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}}, func(ctx context.Context, _ *coreagent.Shard) error {
			if first {
				first = false
				time.Sleep(70 * time.Second) // The next fire time waits for it.
				return nil
			}
			<-ctx.Done()
			return context.Cause(ctx)
		}).start()
		b.awaitOwners("job", m.id)
		sleepUntilNext(time.Minute)
		time.Sleep(5 * time.Second)
		srv.ExpireSession(m.session("job"))
		time.Sleep(70 * time.Second)
		for range 20 {
			if !b.exists(b.tree.Job("job").ItemRunning(0)) {
				b.Fatal("the next run has no marker")
			}
			time.Sleep(time.Second)
		}
	})
}

// TestW80TriggeredRunEndsDuringAnOutage: an instance is cut off while it runs a shard for a
// trigger, and completes it. The shard is offered to the other instance, which is busy. When the
// first instance is back, it shouldn't take its own shard.
func TestW80TriggeredRunEndsDuringAnOutage(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		b.session = 30 * time.Second
		job := coreagent.Job{Name: "job", Shards: 2, Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Failover: true}
		one, two := b.agent(1), b.agent(2)
		one.serve(job, one.work(5*time.Second)).start()
		two.serve(job, two.work(10*time.Minute)).start()
		b.awaitOwners("job", two.id, one.id)
		sleepUntilNext(time.Hour)
		time.Sleep(20 * time.Minute)
		from := time.Now()
		b.must(one.Trigger(b.ctx(), "job"))
		time.Sleep(time.Second)
		one.cut()
		b.await("the shard is offered", func() bool { return b.exists(b.tree.Job("job").FailoverItem(1)) })
		one.reconnect()
		time.Sleep(20 * time.Minute)
		if n := b.runs.completions("job", 2, from, time.Now()); !slices.Equal(n, []int{1, 1}) {
			t.Errorf("completed %v times, want once each: %s", n, story(b.runs.between("job", from, time.Now())))
		}
	})
}

// TestW80TriggeredRunIsRecordedUnderAClaim: another instance claims the shard, but the first one
// returns and records its run before the shard can be marked as running. The claim should end
// without a run.
func TestW80TriggeredRunIsRecordedUnderAClaim(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		b.session = 30 * time.Second
		job := coreagent.Job{Name: "job", Shards: 2, Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Failover: true}
		one, two := b.agent(1), b.agent(2)
		one.serve(job, one.work(5*time.Second)).start()
		two.serve(job, two.work(35*time.Second)).start()
		b.awaitOwners("job", two.id, one.id)
		sleepUntilNext(time.Hour)
		time.Sleep(20 * time.Minute)
		from, paths := time.Now(), b.tree.Job("job")
		b.must(one.Trigger(b.ctx(), "job"))
		time.Sleep(time.Second)
		one.cut()
		var lossy atomic.Bool
		lossy.Store(true)
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if lossy.Load() && slices.Contains(r.Paths, paths.ItemRunning(1)) && !slices.Contains(r.Paths, paths.FailoverItem(1)) {
				return zkfake.LoseRequest
			}
			return zkfake.None
		})
		b.await("the shard is claimed", func() bool { return b.exists(paths.ItemFailover(1)) })
		one.reconnect()
		time.Sleep(time.Minute)
		lossy.Store(false)
		time.Sleep(20 * time.Minute)
		if n := b.runs.completions("job", 2, from, time.Now()); !slices.Equal(n, []int{1, 1}) || b.exists(paths.ItemFailover(1)) {
			t.Errorf("completed %v times, want once each and no claim: %s", n, story(b.runs.between("job", from, time.Now())))
		}
	})
}

// TestW80FinishedShardOfALostRun: one shard of a run has finished when the session is lost, and the
// agent registers again before the handler of another shard has returned. The agent should record
// the finished shard first, so no instance runs it again.
func TestW80FinishedShardOfALostRun(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		job := coreagent.Job{Name: "job", Shards: 4, Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Failover: true}
		one, two := b.agent(1), b.agent(2)
		quick, slow := one.work(time.Second), one.work(time.Minute)
		one.serve(job, func(ctx context.Context, s *coreagent.Shard) error {
			if s.Item == 2 {
				return quick(ctx, s)
			}
			return slow(context.WithoutCancel(ctx), s)
		}).start()
		two.serve(job, two.work(time.Second)).start()
		b.awaitOwners("job", two.id, two.id, one.id, one.id)
		fire := sleepUntilNext(time.Hour)
		time.Sleep(10 * time.Second)
		srv.ExpireSession(one.session("job"))
		time.Sleep(30 * time.Minute)
		if n := b.runs.completions("job", 4, fire, time.Now()); !slices.Equal(n[:3], []int{1, 1, 1}) {
			t.Errorf("completed %v times, want the first three once each: %s", n, story(b.runs.between("job", fire, time.Now())))
		}
	})
}

// TestW80ClaimOfARecordedRun: an instance is cut off while it runs its shards, and completes them.
// Another one claims one of them and dies before running it. Between these two, the first one
// returns and records its runs. So no failover should be left. The next fire time passes while the
// claim exists. It wasn't interrupted, so it should be made up for.
func TestW80ClaimOfARecordedRun(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		b.session = 10 * time.Second
		job := coreagent.Job{Name: "job", Shards: 4, Schedule: coreagent.Schedule{Cron: "0/15 * * * * ?"}, Failover: true}
		one, two, three := b.agent(1), b.agent(2), b.agent(3)
		one.serve(job, one.work(time.Second)).start()
		two.serve(job, nil).start()
		b.awaitOwners("job", two.id, two.id, one.id, one.id)
		var claimed atomic.Bool
		session := two.session("job")
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Session != session || len(r.Paths) < 2 || !slices.Contains(r.Paths, b.tree.Job("job").ItemFailover(2)) || claimed.Swap(true) {
				return zkfake.None
			}
			go two.cut()
			return zkfake.LoseReply
		})
		fire := sleepUntilNext(15 * time.Second)
		time.Sleep(500 * time.Millisecond)
		one.cut()
		b.await("shard 2 is claimed", claimed.Load)
		one.reconnect()
		time.Sleep(time.Second)
		b.must(one.Stop(b.ctx()))
		sleepUntilNext(15 * time.Second)
		time.Sleep(time.Second)
		three.serve(job, nil).start()
		time.Sleep(10 * time.Second)
		var got []string
		for _, r := range b.runs.between("job", fire, fire.Add(30*time.Second)) {
			if r.shard.Item == 2 {
				got = append(got, fmt.Sprintf("%s for +%v", r.shard.Source, r.shard.ScheduledAt.Sub(fire)))
			}
		}
		if want := []string{"NORMAL_TRIGGER for +0s", "MISFIRE for +15s"}; !slices.Equal(got, want) {
			b.Errorf("shard 2 ran %q, want %q: %s", got, want, story(b.runs.between("job", fire, time.Now())))
		}
	})
}
