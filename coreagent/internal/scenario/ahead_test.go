package scenario_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// slowMarkers delays the transactions that mark shards as running by d.
func (b *fixture) slowMarkers(srv *zkfake.Server, d time.Duration) {
	running := b.tree.Job("job").ItemRunning(0)
	srv.SetFault(func(r zkfake.Request) zkfake.Fault {
		if slices.Contains(r.Paths, running) {
			return zkfake.DelayRequest(d)
		}
		return zkfake.None
	})
}

// TestHandlersStartOnTime: handlers should start exactly at the fire time, no matter how long it
// takes to mark the run's shards. The first few runs measure that, and then the agent marks the
// shards in advance.
func TestHandlersStartOnTime(t *testing.T) {
	for _, slow := range []time.Duration{0, 60 * time.Millisecond, 150 * time.Millisecond} {
		t.Run(slow.String(), func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				const period = 10 * time.Second
				b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 3, Failover: true}, nil).start()
				b.slowMarkers(srv, slow)
				time.Sleep(3 * period)
				b.runs.forget()
				at := sleepUntilNext(period)
				time.Sleep(period - 5*time.Millisecond)
				if !b.exists(b.tree.Job("job").ItemRunning(0)) {
					t.Error("nothing gets ready before the fire time")
				}
				time.Sleep(9 * period)
				if got := b.runs.completions("job", 3, at, time.Now()); !slices.Equal(got, times(3, 10)) {
					t.Errorf("runs of ten fire times: %v", got)
				}
				for _, r := range b.runs.all() {
					if late := r.start.Sub(r.shard.ScheduledAt); late != 0 {
						t.Errorf("shard %d started %v after its fire time", r.shard.Item, late)
					}
				}
			})
		})
	}
}

// TestFailoverThatEndsWhileARunGetsReady: a run finds its shard taken and leaves a misfire marker
// for a fire time that's still in the future. The failover ends before the fire time. It should
// remove older markers, but not this one.
func TestFailoverThatEndsWhileARunGetsReady(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		const period, before = 10 * time.Second, 20 * time.Millisecond
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 2, Failover: true, EagerFailover: true}
		tree := b.tree.Job("job")
		var ends time.Time
		b.agent(1).serve(job, func(_ context.Context, s *coreagent.Shard) error {
			if s.Source == tracing.SourceFailover {
				time.Sleep(time.Until(ends))
			}
			return nil
		}).start()
		sleepUntilNext(period)
		at := sleepUntilNext(period).Add(period)
		time.Sleep(period / 2)
		ends = at.Add(-before)
		b.put(tree.FailoverItem(0), "")
		time.Sleep(time.Second)
		b.put(tree.ItemMisfire(0), "") // For an earlier fire time.
		b.runs.forget()
		time.Sleep(time.Until(at.Add(period - time.Second)))
		for shard := range 2 {
			if got := b.runs.of("job", shard); len(got) != 1 || got[0].end.IsZero() {
				t.Errorf("fire time %v of shard %d:\n%s", at, shard, story(got))
			}
		}
		if b.exists(tree.ItemMisfire(0)) {
			t.Error("the misfire marker stays")
		}
	})
}

// timeListener is a listener that sends the time when it's called before a run.
type timeListener chan<- time.Time

func (l timeListener) Before(context.Context, *coreagent.LocalRun) error {
	l <- time.Now()
	return nil
}

// TestNothingStartsEarly: some runs can't prepare before their fire time. Users' listeners
// shouldn't be called early, and a job that marks its shards but skips misfires looks for its
// shards at the fire time.
func TestNothingStartsEarly(t *testing.T) {
	for name, job := range map[string]coreagent.Job{
		"listeners":     {Listeners: []coreagent.Listener{{Name: "counting"}}},
		"no misfire":    {Schedule: coreagent.Schedule{SkipMisfires: true}},
		"goes in turns": {Strategy: coreagent.Balance},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				const period = 10 * time.Second
				notified := make(chan time.Time, 100)
				job.Name, job.Schedule.Cron, job.Shards = "job", "0/10 * * * * ?", 1
				b.agent(1, func(cfg *coreagent.Config) {
					cfg.Listeners = []coreagent.Listener{{Name: "counting", Before: timeListener(notified).Before}}
				}).serve(job, nil).start()
				time.Sleep(3 * period)
				sleepUntilNext(period)
				time.Sleep(period - 2*time.Millisecond)
				if b.exists(b.tree.Job("job").ItemRunning(0)) {
					t.Error("marked before the fire time")
				}
				time.Sleep(period)
				synctest.Wait()
				for range len(notified) {
					if at := <-notified; !at.Equal(at.Truncate(period)) {
						t.Errorf("the listener was called at %v", at)
					}
				}
			})
		})
	}
}

// TestStopOfARunThatIsReady: if an agent stops while its run waits for the fire time, it should
// give the run up at once, and others should run the shards.
func TestStopOfARunThatIsReady(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const period = 10 * time.Second
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 2}
		stays, stops := b.agent(1).serve(job, nil).start(), b.agent(2).serve(job, nil).start()
		b.awaitOwners("job", stops.id, stays.id)
		at := time.Now().Truncate(period).Add(period)
		time.Sleep(time.Until(at.Add(-50 * time.Millisecond)))
		if !b.exists(b.tree.Job("job").ItemRunning(0)) {
			t.Fatal("the run is not ready yet, the test proves nothing")
		}
		b.must(stops.Stop(b.ctx()))
		if !time.Now().Before(at) {
			t.Error("stopping waited for the fire time")
		}
		time.Sleep(3 * time.Second)
		if got := b.runs.completions("job", 2, at, time.Now()); !slices.Equal(got, times(2, 1)) {
			t.Errorf("runs of the fire time: %v:%s", got, story(b.runs.all()))
		}
		for _, r := range b.runs.all() {
			if r.agent != stays.id {
				t.Errorf("it stopped, but%s", story([]run{r}))
			}
		}
		if found := b.leftovers("job"); len(found) > 0 {
			t.Errorf("stale: %q", found)
		}
	})
}

// TestShardThatComesWhileARunIsReady: an instance gets a shard after its run has listed the shards
// but before the fire time. The shard shouldn't miss that fire time.
func TestShardThatComesWhileARunIsReady(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const period = 5 * time.Second
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/5 * * * * ?"}, Shards: 1}
		spare, leaves := b.agent(1).serve(job, nil).start(), b.agent(2).serve(job, nil).start()
		b.awaitOwners("job", leaves.id)
		at := time.Now().Truncate(period).Add(period)
		time.Sleep(time.Until(at.Add(-60 * time.Millisecond)))
		if !b.exists(b.tree.Job("job").ItemRunning(0)) {
			t.Fatal("the run is not ready yet, the test proves nothing")
		}
		b.runs.forget()
		b.must(leaves.Stop(b.ctx()))
		time.Sleep(time.Until(at.Add(-10 * time.Millisecond)))
		if got := b.owners("job"); !slices.Equal(got, []string{spare.id}) {
			t.Fatalf("before the fire time the owners are %v, the test proves nothing", got)
		}
		time.Sleep(time.Until(at.Add(3 * time.Second)))
		if got := b.runs.completions("job", 1, at, time.Now()); !slices.Equal(got, times(1, 1)) {
			t.Errorf("runs of the fire time: %v:%s", got, story(b.runs.all()))
		}
	})
}

// unmonitored is a job of two shards without markers.
func unmonitored() coreagent.Job {
	return coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?", SkipMisfires: true}, Shards: 2, Unmonitored: true}
}

// TestV41UnmonitoredHandlersStartOnTime: a job without markers also prepares its runs in advance.
// Here the comparison of the clocks is slow.
func TestV41UnmonitoredHandlersStartOnTime(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const period = 10 * time.Second
		job := unmonitored()
		job.MaxTimeDiff = time.Minute
		b.agent(1).serve(job, nil).start()
		clock := b.tree.Job("job").SystemTime()
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if slices.Contains(r.Paths, clock) {
				return zkfake.DelayRequest(60 * time.Millisecond)
			}
			return zkfake.None
		})
		time.Sleep(3 * period)
		at := sleepUntilNext(period)
		b.runs.forget()
		time.Sleep(10*period - time.Second)
		if got := b.runs.completions("job", 2, at.Add(time.Second), time.Now()); !slices.Equal(got, times(2, 9)) {
			t.Errorf("runs of nine fire times: %v", got)
		}
		for _, r := range b.runs.all() {
			if late := r.start.Sub(r.shard.ScheduledAt); late != 0 {
				t.Errorf("shard %d started %v after its fire time", r.shard.Item, late)
			}
		}
	})
}

// TestTriggerWhileARunGetsReady: a run that's getting ready for its fire time hasn't begun yet, so
// a trigger shouldn't be dropped at any point of that.
func TestTriggerWhileARunGetsReady(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const period = 10 * time.Second
		agent := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 2}, nil).start()
		marker := b.tree.Job("job").ItemRunning(0)
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if slices.Contains(r.Paths, marker) {
				return zkfake.DelayRequest(60 * time.Millisecond)
			}
			return zkfake.None
		})
		time.Sleep(3 * period)
		for before := 5 * time.Millisecond; before < 200*time.Millisecond; before += 15 * time.Millisecond {
			at := time.Now().Truncate(period).Add(period)
			time.Sleep(time.Until(at.Add(-before)))
			b.runs.forget()
			agent.triggerHere("job")
			time.Sleep(time.Until(at.Add(4 * time.Second)))
			if got := b.runs.completions("job", 2, at.Add(-time.Second), time.Now()); !slices.Equal(got, times(2, 2)) {
				t.Errorf("triggered %v before the fire time, runs %v, want one of the trigger and one of the fire time:%s", before, got, story(b.runs.all()))
			}
		}
	})
}

// readyChange is a change while a run waits for its fire time.
type readyChange struct {
	change func(b *fixture, first, second *member)
	// runs is the number of runs of each shard; by reports whether an agent may run them.
	runs []int
	by   func(id string, first, second *member) bool
}

func readyChanges() map[string]readyChange {
	firstOnly := func(id string, first, _ *member) bool { return id == first.id }
	return map[string]readyChange{
		"a trigger comes": {
			change: func(_ *fixture, first, _ *member) { first.triggerHere("job") },
			runs:   []int{1, 2},
		},
		"an agent leaves": {
			change: func(b *fixture, _, second *member) { b.must(second.Stop(b.ctx())) },
			runs:   []int{1, 1},
			by:     firstOnly,
		},
		"a server is disabled": {
			change: func(b *fixture, _, _ *member) { b.put(b.tree.Job("job").Server("10.0.0.2"), "DISABLED") },
			runs:   []int{1, 1},
			by:     firstOnly,
		},
		"a shard is disabled": {
			change: func(b *fixture, _, _ *member) { b.put(b.tree.Job("job").ItemDisabled(1), "") },
			runs:   []int{1, 0},
		},
		"another schedule comes": {
			change: func(b *fixture, _, _ *member) {
				b.configure("job", func(c *jobconfig.Config) { c.Cron = "5/10 * * * * ?" })
			},
			runs: []int{0, 0},
		},
		"a connection breaks for a moment": {
			change: func(_ *fixture, first, _ *member) {
				first.cut()
				first.reconnect()
			},
			runs: []int{1, 1},
		},
	}
}

// TestV41ChangesWhileARunIsReady: without monitorExecution no marker protects the shards of a
// waiting run. So a change in that time should have the same effect as a change right before a run
// that needed no preparation.
func TestV41ChangesWhileARunIsReady(t *testing.T) {
	const period = 10 * time.Second
	for name, c := range readyChanges() {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				first, second := b.agent(1).serve(unmonitored(), nil).start(), b.agent(2).serve(unmonitored(), nil).start()
				b.awaitOwners("job", second.id, first.id)
				at := time.Now().Truncate(period).Add(period)
				time.Sleep(time.Until(at.Add(-100 * time.Millisecond)))
				b.runs.forget()
				c.change(b, first, second)
				time.Sleep(time.Until(at.Add(4 * time.Second)))
				if got := b.runs.completions("job", 2, at.Add(-time.Second), time.Now()); !slices.Equal(got, c.runs) {
					b.Errorf("runs of the fire time: %v, want %v:%s", got, c.runs, story(b.runs.all()))
				}
				for _, r := range b.runs.all() {
					if r.start.Before(at) {
						b.Errorf("shard %d began %v before the fire time", r.shard.Item, at.Sub(r.start))
					}
					if c.by != nil && !c.by(r.agent, first, second) {
						b.Errorf("who has the shard no more ran it:%s", story([]run{r}))
					}
				}
			})
		})
	}
}
