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

// wallClock is an agent's own clock, off by some time that may change.
type wallClock struct{ off atomic.Int64 }

func (c *wallClock) set(off time.Duration) { c.off.Store(int64(off)) }
func (c *wallClock) now() time.Time        { return time.Now().Add(time.Duration(c.off.Load())) }

// startBy starts an agent by a clock of its own.
func (m *member) startBy(off time.Duration) *wallClock {
	m.fixture.Helper()
	m.clock.set(off)
	m.start()
	return &m.clock
}

// TestClockSetBackByAnHour: the agent has run the fire times of the coming hour
// already, and still runs them. It notices within ten seconds.
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

// TestClockSetRightWhileTheJobCannotBeServed: a clock that is ahead by two hours is
// set right while the configuration is one that nobody can serve. As soon as that is
// corrected, the job runs by the clock as it is.
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

// TestClockSetRightWhileARunWaits: a fire time comes by a clock that is ahead and
// waits for the server. When the clock is set right it has yet to come; it does
// not count for those until then.
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
			// The first two of the four it has run by its own clock.
			t.Errorf("runs by shard in four periods: %v, want 2 and 4:%s", got, story(b.runs.of("job", 0)))
		}
	})
}

// TestFasterClockMissesNothing: the leader assigns a shard to an instance that
// is past a fire time which is yet to come for the leader and has come for
// nobody else.
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

// TestFailoverRefusedByTheClock: a shard of a crashed instance is claimed by one
// whose clock is off and may not run it. It is not lost to the others.
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

// TestV45ClaimIsReleasedAfterALostReply: who claimed a shard and may not run it,
// because its clock is off, offers it again, also if the connection breaks just
// then. A claim that stayed would keep the shard from everybody, and a leader that
// assigns shards waiting, for as long as that instance lives.
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

// TestV46ClockSetBackOverAFireTime: a clock that was ahead is set back over a
// fire time that it has run for. A shard that comes to it before that time comes
// again has still missed it.
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

// TestClockSetBackUnderARunThatIsCut: a run for a fire time that has come by a clock that
// is ahead is interrupted with its session, and the clock is set back by so little that
// nobody takes it for set. By the clock as it is the fire time has yet to come, and the
// run for it has been: it was missed.
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

// TestV46ClockSetForwardOverAFireTime: the oldest of the fire times that were
// skipped was made up for meanwhile. The newest is run none the less.
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
		_ = right.Stop(ending) // Its run is interrupted, and made up for by the other one.
		b.awaitOwners("job", slow.id, slow.id)
		time.Sleep(time.Until(fire.Add(period - time.Second)))
		b.onceFor("job", 2, fire)
	})
}

// onceFor fails unless each shard ran once for a fire time.
func (b *fixture) onceFor(job string, shards int, fire time.Time) {
	b.Helper()
	for shard := range shards {
		runs := slices.DeleteFunc(b.runs.of(job, shard), func(r run) bool { return !r.shard.ScheduledAt.Equal(fire) })
		if len(runs) != 1 {
			b.Errorf("shard %d ran %d times for %v, not once:%s", shard, len(runs), fire, story(b.runs.of(job, shard)))
		}
	}
}

// TestV46NewcomersServerSwitchesNothingOff: a shard comes to an instance that has
// just made the node of its server, and is past a fire time that is yet to come for
// the leader. That node says since when the server is enabled, and not that
// nothing before it is missed.
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
					off = -2500 * time.Millisecond // It would run the fire time in a moment.
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

// TestW73AShardThatIsAddedAgain: an edit removes shards that have just run a fire time, and the
// next one adds them again. The leader's clock is behind, so the fire time has yet to come by
// it. No shard runs it twice.
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
	b.awaitOwners("job", third.id, second.id, leader.id) // The fire time has yet to come by the clock of the second.
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

// TestW102OffersOfALeaderFarBehind: a leader notices a crash, and its clock is hours behind. It
// must not offer the fire time that came last by its own clock in place of the interrupted one.
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
		for range 8 { // Until the second has completed fire times that are hours ahead of the leader's clock.
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
