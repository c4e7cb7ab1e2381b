package scenario_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// wallClock is an agent's clock with an error that may change.
type wallClock struct{ off atomic.Int64 }

func (c *wallClock) set(off time.Duration) { c.off.Store(int64(off)) }
func (c *wallClock) now() time.Time        { return time.Now().Add(time.Duration(c.off.Load())) }

// startBy starts an agent with its own clock.
func (m *member) startBy(off time.Duration) *wallClock {
	m.fixture.Helper()
	m.clock.set(off)
	m.start()
	return &m.clock
}

// TestClockSetBackByAnHour: the agent has already run the fire times of the next hour, but should
// run them again because the clock was set back. It should notice that within ten seconds.
func TestClockSetBackByAnHour(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2}, nil)
		clock := m.startBy(0)
		b.awaitOwners("job", m.id, m.id)
		for _, off := range []time.Duration{-time.Hour, 0, -time.Hour} {
			time.Sleep(20*time.Second + 500*time.Millisecond)
			clock.set(off)
			from := time.Now()
			time.Sleep(20 * time.Second)
			for shard, n := range b.runs.completions("job", 2, from, time.Now()) {
				if n < 9 {
					t.Errorf("shard %d ran %d times in the 20 s after the clock was set to %v", shard, n, off)
				}
			}
		}
	})
}

// TestClockSetRightWhileTheJobCannotBeServed: a clock is two hours ahead. It's corrected while the
// configuration is invalid. Once that's corrected as well, the job should run by the right time.
func TestClockSetRightWhileTheJobCannotBeServed(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 2}, nil)
		clock := m.startBy(0)
		b.awaitOwners("job", m.id, m.id)
		sleepUntilNext(time.Hour)
		time.Sleep(time.Minute)
		clock.set(2 * time.Hour)
		time.Sleep(10 * time.Minute)
		b.configure("job", func(c *jobconfig.Config) { c.Shards = 0 })
		time.Sleep(time.Minute)
		clock.set(0)
		time.Sleep(time.Minute)
		b.configure("job", func(c *jobconfig.Config) { c.Shards = 2 })
		time.Sleep(time.Minute)
		b.runs.forget()
		at := sleepUntilNext(time.Hour)
		time.Sleep(time.Until(at.Add(2*time.Hour + time.Minute)))
		if got := b.runs.completions("job", 2, at.Add(-time.Minute), time.Now()); !slices.Equal(got, times(2, 3)) {
			t.Errorf("runs by shard in three hours: %v, want three each:%s", got, story(b.runs.of("job", 0)))
		}
	})
}

// TestClockSetRightWhileARunWaits: by a clock that's ahead, a fire time has come and its run waits
// for the server. After the clock was corrected that fire time is in the future again, so until
// then it shouldn't count as run.
func TestClockSetRightWhileARunWaits(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		const period = 5 * time.Second
		leader := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/5 * * * * ?"}, Shards: 2}, nil).start()
		b.awaitOwners("job", leader.id, leader.id)
		m := b.agent(2).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/5 * * * * ?"}, Shards: 2}, nil)
		clock := m.startBy(13 * time.Second)
		b.awaitOwners("job", m.id, leader.id)
		at := sleepUntilNext(period)
		time.Sleep(time.Second)
		m.cut()
		time.Sleep(2500 * time.Millisecond)
		clock.set(0)
		b.runs.forget()
		m.reconnect()
		time.Sleep(time.Until(at.Add(4*period + period/2)))
		if got := b.runs.completions("job", 2, at.Add(period), time.Now()); !slices.Equal(got, []int{2, 4}) {
			// It has run the first two of the four by its own clock.
			t.Errorf("runs by shard in four periods: %v, want 2 and 4:%s", got, story(b.runs.of("job", 0)))
		}
	})
}

// TestFasterClockMissesNothing: the leader assigns a shard to an instance with a fast clock. By
// that clock a fire time has passed that's still in the future for the leader, so no instance has
// run it yet. It shouldn't be missed.
func TestFasterClockMissesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		cron   string
		period time.Duration
	}{
		"every ten seconds": {"0/10 * * * * ?", 10 * time.Second},
		"every hour":        {"0 0 * * * ?", time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: c.cron}, Shards: 2}
				slow := b.agent(1).serve(job, nil).start()
				b.awaitOwners("job", slow.id, slow.id)
				fire := sleepUntilNext(c.period).Add(c.period)
				time.Sleep(c.period - 3*time.Second)
				b.runs.forget()
				quick := b.agent(2).serve(job, nil)
				quick.startBy(5 * time.Second)
				b.awaitOwners("job", quick.id, slow.id)
				time.Sleep(6 * time.Second)
				for shard, source := range []tracing.Source{tracing.SourceMisfire, tracing.SourceNormal} {
					runs := b.runs.of("job", shard)
					if len(runs) != 1 || !runs[0].shard.ScheduledAt.Equal(fire) || runs[0].shard.Source != source {
						t.Errorf("shard %d, due at %v, wants one run, %s:%s", shard, fire, source, story(runs))
					}
				}
			})
		})
	}
}

// TestFailoverRefusedByTheClock: an instance claims a shard of a crashed one, but may not run it
// because its clock is off. The other instances should still get the shard.
func TestFailoverRefusedByTheClock(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 1, Failover: true, MaxTimeDiff: 10 * time.Second, ErrorHandler: coreagent.Throw}
		first := b.agent(1)
		first.serve(job, func(ctx context.Context, _ *coreagent.Shard) error {
			<-ctx.Done()
			return context.Cause(ctx)
		}).start()
		b.awaitOwners("job", first.id)
		fire := sleepUntilNext(time.Minute)
		b.await("it runs", func() bool { return b.runs.count("job", 0) == 1 })
		off := b.agent(2).serve(job, nil)
		off.startBy(20 * time.Second)
		first.cut()
		b.await("the other one refuses", func() bool {
			return b.log.count("Time different between job server and register center") > 0
		})
		b.agent(3).serve(job, nil).start()
		b.await("the third one runs it", func() bool { return b.runs.count("job", 0) == 2 })
		if r := b.nthRun("job", 0, 1); r.shard.Source != tracing.SourceFailover || time.Since(fire) > 40*time.Second {
			t.Errorf("%s", story([]run{r}))
		}
		b.awaitTidy("job")
	})
}

// TestV45ClaimIsReleasedAfterALostReply: if an instance claims a shard but may not run it because
// its clock is off, it should offer the shard again, even if the connection breaks at that moment.
// If the claim stayed, no instance could run the shard, and a resharding would wait for as long as
// the instance lives.
func TestV45ClaimIsReleasedAfterALostReply(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 1, Failover: true, MaxTimeDiff: 10 * time.Second, ErrorHandler: coreagent.Throw}
		first := b.agent(1)
		first.serve(job, func(ctx context.Context, _ *coreagent.Shard) error {
			<-ctx.Done()
			return context.Cause(ctx)
		}).start()
		b.awaitOwners("job", first.id)
		sleepUntilNext(time.Minute)
		b.await("it runs", func() bool { return b.runs.count("job", 0) == 1 })
		off := b.agent(2).serve(job, nil)
		off.startBy(20 * time.Second)
		tree, session := b.tree.Job("job"), off.session("job")
		var claimed, lost atomic.Bool
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			switch {
			case r.Session != session || lost.Load():
			case slices.Contains(r.Paths, tree.ItemFailover(0)):
				claimed.Store(true)
			case claimed.Load() && r.Op == "getData" && r.Path == tree.ItemRunning(0):
				lost.Store(true)
				return zkfake.LoseReply
			}
			return zkfake.None
		})
		first.cut()
		b.await("the reply is lost", lost.Load)
		b.agent(3).serve(job, nil).start()
		b.await("the third one runs it", func() bool { return b.runs.count("job", 0) == 2 })
		if r := b.nthRun("job", 0, 1); r.shard.Source != tracing.SourceFailover {
			t.Errorf("%s", story([]run{r}))
		}
		b.awaitTidy("job")
	})
}

// TestV46ClockSetBackOverAFireTime: a clock that was ahead is set back over a fire time that it has
// already run. If the instance gets another shard before that fire time comes again, the new shard
// has still missed it.
func TestV46ClockSetBackOverAFireTime(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		const period = 10 * time.Second
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 2}
		quick := b.agent(1).serve(job, nil)
		clock := quick.startBy(4600 * time.Millisecond)
		b.awaitOwners("job", quick.id, quick.id)
		right := b.agent(2).serve(job, nil).start()
		b.awaitOwners("job", right.id, quick.id)
		fire := sleepUntilNext(period).Add(period)
		time.Sleep(period - 2600*time.Millisecond)
		clock.set(-700 * time.Millisecond)
		time.Sleep(500 * time.Millisecond)
		b.must(right.Stop(b.ctx()))
		b.awaitOwners("job", quick.id, quick.id)
		time.Sleep(time.Until(fire.Add(period - time.Second)))
		b.onceFor("job", 2, fire)
	})
}

// TestClockSetBackUnderARunThatIsCut: a run for a fire time by a clock that's ahead is interrupted
// with its session. The clock is then set back, but by too little to be noticed. By the new time
// the fire time is still in the future, but its run is already over. So it should count as missed.
func TestClockSetBackUnderARunThatIsCut(t *testing.T) {
	for name, long := range map[string]bool{"of the fire time itself": false, "of the one before": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				const period = 10 * time.Second
				start := sleepUntilNext(period)
				fire := start.Add(2 * period)
				cut := fire.Add(-100 * time.Millisecond)
				m := b.agent(1)
				m.serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 2}, func(ctx context.Context, s *coreagent.Shard) error {
					if long == s.ScheduledAt.Before(fire) && time.Now().Before(cut) {
						return m.work(period+2*time.Second)(ctx, s)
					}
					return m.work(20*time.Millisecond)(ctx, s)
				})
				clock := m.startBy(360 * time.Millisecond)
				b.awaitOwners("job", m.id, m.id)
				time.Sleep(time.Until(cut))
				clock.set(-210 * time.Millisecond)
				srv.ExpireSession(m.session("job"))
				time.Sleep(time.Until(fire.Add(period - time.Second)))
				for shard := range 2 {
					runs := slices.DeleteFunc(b.runs.of("job", shard), func(r run) bool { return !r.shard.ScheduledAt.Equal(fire) || r.err != nil })
					if len(runs) != 1 {
						t.Errorf("shard %d ran to its end %d times for %v, not once:%s", shard, len(runs), fire, story(b.runs.of("job", shard)))
					}
				}
			})
		})
	}
}

// TestV46ClockSetForwardOverAFireTime: the oldest of the skipped fire times has already been made
// up for. The newest should still run.
func TestV46ClockSetForwardOverAFireTime(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		const period = 10 * time.Second
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 2}
		right := b.agent(1)
		right.serve(job, right.work(9*time.Second)).start()
		b.awaitOwners("job", right.id, right.id)
		slow := b.agent(2).serve(job, nil)
		clock := slow.startBy(-14 * time.Second)
		b.awaitOwners("job", slow.id, right.id)
		sleepUntilNext(period)
		fire := sleepUntilNext(period).Add(period)
		time.Sleep(period - 2300*time.Millisecond)
		clock.set(0)
		time.Sleep(300 * time.Millisecond)
		ending, cancel := context.WithTimeout(b.ctx(), 10*time.Millisecond)
		defer cancel()
		_ = right.Stop(ending) // Its run is interrupted, and the other agent makes up for it.
		b.awaitOwners("job", slow.id, slow.id)
		time.Sleep(time.Until(fire.Add(period - time.Second)))
		b.onceFor("job", 2, fire)
	})
}

// onceFor checks that each shard ran once for a fire time.
func (b *fixture) onceFor(job string, shards int, fire time.Time) {
	b.Helper()
	for shard := range shards {
		runs := slices.DeleteFunc(b.runs.of(job, shard), func(r run) bool { return !r.shard.ScheduledAt.Equal(fire) })
		if len(runs) != 1 {
			b.Errorf("shard %d ran %d times for %v, not once:%s", shard, len(runs), fire, story(b.runs.of(job, shard)))
		}
	}
}

// TestV46NewcomersServerSwitchesNothingOff: by the clock of a new instance a fire time has passed
// that's still in the future for the leader, and the instance gets a shard. It has just created its
// server's node. That node shows since when the server is enabled, but earlier fire times may still
// count as missed.
func TestV46NewcomersServerSwitchesNothingOff(t *testing.T) {
	for name, moves := range map[string]bool{"and stays there": false, "and goes on": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				const period = 20 * time.Second
				job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 2}
				slow := b.agent(1).serve(job, nil)
				slow.startBy(-5 * time.Second)
				b.awaitOwners("job", slow.id, slow.id)
				fire := sleepUntilNext(period).Add(period)
				time.Sleep(period + time.Second)
				off := time.Duration(0)
				if moves {
					off = -2500 * time.Millisecond // It would run the fire time right after.
				}
				newcomer := b.agent(2).serve(job, nil)
				newcomer.startBy(off)
				b.awaitOwners("job", newcomer.id, slow.id)
				if moves {
					third := b.agent(3).serve(job, nil)
					third.startBy(5 * time.Second)
					b.await("a third has a shard", func() bool { return slices.Contains(b.owners("job"), third.id) })
					b.must(newcomer.Stop(b.ctx()))
				}
				time.Sleep(time.Until(fire.Add(period - 6*time.Second)))
				b.onceFor("job", 2, fire)
			})
		})
	}
}

// TestW73AShardThatIsAddedAgain: an edit removes shards that have just run a fire time, and another
// edit adds them again. The leader's clock is behind, so by that clock the fire time is still in
// the future. No shard should run it twice.
func TestW73AShardThatIsAddedAgain(t *testing.T) {
	for name, interrupted := range map[string]bool{"after a resharding": false, "after one that is interrupted": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) { addShardAgain(t, b, srv, interrupted) })
		})
	}
}

func addShardAgain(t *testing.T, b *fixture, srv *zkfake.Server, interrupted bool) {
	t.Helper()
	job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 6}
	leader := b.agent(1).serve(job, nil)
	leader.startBy(-4 * time.Second)
	b.awaitOwners("job", leader.id, leader.id, leader.id, leader.id, leader.id, leader.id)
	second, third := b.agent(2).serve(job, nil), b.agent(3).serve(job, nil).start()
	second.startBy(-time.Second)
	b.awaitOwners("job", third.id, third.id, second.id, second.id, leader.id, leader.id)
	fire := sleepUntilNext(10 * time.Second)
	ran := func(shard int) (n int) {
		for _, r := range b.runs.of("job", shard) {
			if r.shard.ScheduledAt.Equal(fire) {
				n++
			}
		}
		return n
	}
	b.await("the third runs shard 1", func() bool { return ran(1) == 1 })
	tree := b.tree.Job("job")
	var removed, lost atomic.Bool
	srv.SetFault(func(r zkfake.Request) zkfake.Fault {
		if r.Op == "delete" && r.Path == tree.FireRecord(1) {
			removed.Store(true)
		}
		if interrupted && removed.Load() && r.Op == "multi" && slices.Contains(r.Paths, tree.Necessary()) && !lost.Swap(true) {
			return zkfake.LoseRequest
		}
		return zkfake.None
	})
	b.configure("job", func(c *jobconfig.Config) { c.Shards = 1 })
	if interrupted {
		b.await("the resharding is interrupted", lost.Load)
	} else {
		b.awaitOwners("job", third.id)
	}
	b.configure("job", func(c *jobconfig.Config) { c.Shards = 3 })
	b.awaitOwners("job", third.id, second.id, leader.id) // By the second's clock the fire time is in the future.
	if time.Since(fire) >= time.Second || !removed.Load() {
		t.Fatalf("the edits took %v, removed %v: the test checks nothing", time.Since(fire), removed.Load())
	}
	time.Sleep(30 * time.Second)
	for shard := range 3 {
		if n := ran(shard); n > 1 {
			t.Errorf("shard %d ran the fire time %v %d times", shard, fire, n)
		}
	}
}

// TestW102OffersOfALeaderFarBehind: a leader with a clock that's hours behind notices a crash. It
// should offer the interrupted fire time, not the latest one by its own clock.
func TestW102OffersOfALeaderFarBehind(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0/30 * * * ?"}, Shards: 2, Failover: true, MaxTimeDiff: 3 * time.Second}
		leader := b.agent(1).serve(job, nil)
		leader.startBy(-163 * time.Minute)
		b.awaitOwners("job", leader.id, leader.id)
		busy := func(ctx context.Context, _ *coreagent.Shard) error {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(time.Minute):
				return nil
			}
		}
		second := b.agent(2).serve(job, busy).start()
		b.awaitOwners("job", second.id, leader.id)
		for range 8 { // Until the second agent has completed fire times that are hours ahead of the leader's clock.
			sleepUntilNext(30 * time.Minute)
			time.Sleep(2 * time.Minute)
		}
		fire := sleepUntilNext(30 * time.Minute)
		time.Sleep(time.Second)
		second.cut()
		b.agent(3).serve(job, nil).start()
		time.Sleep(10 * time.Minute)
		for _, r := range b.runs.of("job", 0) {
			if r.shard.Source == tracing.SourceFailover && !r.shard.ScheduledAt.Equal(fire) {
				t.Errorf("the failover is for %v, and %v was interrupted", r.shard.ScheduledAt, fire)
			}
		}
	})
}
