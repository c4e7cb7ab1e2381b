package scenario_test

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestMS11LongShard: a shard takes ten minutes while instances join and leave. It should keep its
// owner and not start a second time. Other jobs of these agents should fire normally, and the
// shards should be assigned when it has ended.
func TestMS11LongShard(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const length, period = 10 * time.Minute, 10 * time.Second
		start := func(n int) *member {
			m := b.agent(n)
			m.serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 1 0 * * ?", Zone: "GMT"}, Shards: 2}, func(ctx context.Context, s *coreagent.Shard) error {
				if s.Item == 1 {
					return nil
				}
				return m.work(length)(ctx, s)
			})
			return m.serve(coreagent.Job{Name: "short", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 2}, nil).start()
		}
		members := []*member{start(1), start(2)}
		b.await("both run their share", func() bool { return len(slices.Compact(b.owners("job"))) == 2 })
		time.Sleep(time.Until(time.Now().Truncate(time.Hour).Add(time.Minute + 5*time.Second)))
		long := b.runs.of("job", 0)
		if len(long) != 1 {
			t.Fatalf("the long shard ran %d times", len(long))
		}
		begun := time.Now()
		for n := 3; n <= 6; n++ { // Join and leave.
			time.Sleep(45 * time.Second)
			m := start(n)
			time.Sleep(45 * time.Second)
			b.must(m.Stop(b.ctx()))
		}
		last := start(7)
		time.Sleep(time.Until(begun.Add(9 * time.Minute)))
		missing := 0
		for at := begun.Truncate(period).Add(period); at.Before(begun.Add(9*time.Minute - period)); at = at.Add(period) {
			if got := b.runs.completions("short", 2, at, at.Add(period)); !slices.Equal(got, times(2, 1)) {
				missing++
			}
		}
		if missing > 0 {
			t.Errorf("%d fire times of the other job did not run each shard once", missing)
		}
		if got := b.runs.of("job", 0); len(got) != 1 || !got[0].end.IsZero() {
			t.Errorf("the long shard:%s", story(got))
		}
		time.Sleep(2 * time.Minute)
		if got := b.runs.of("job", 0); len(got) != 1 || got[0].err != nil || got[0].end.Sub(got[0].start) != length {
			t.Errorf("the long shard:%s", story(got))
		}
		if owners := b.owners("job"); !slices.Contains(owners, last.id) && !slices.Contains(owners, members[1].id) || len(b.leftovers("job")) > 0 {
			t.Errorf("afterwards: owned by %q, left %q", owners, b.leftovers("job"))
		}
	})
}

// TestMS22LongerThanItsPeriod: each of a thousand runs takes longer than the period. The missed
// fire times should count as one, or as none without misfire, and nothing should pile up.
func TestMS22LongerThanItsPeriod(t *testing.T) {
	for name, c := range map[string]struct {
		misfire bool
		runs    int64 // in a thousand seconds
	}{
		"made up for": {true, 667}, // One right after the other.
		"skipped":     {false, 500},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				quiet, err := coreagent.New(coreagent.Config{
					Namespace: b.tree.String(), Address: "10.0.0.9", InstanceSuffix: "9", Logger: slog.New(slog.DiscardHandler),
					ZooKeeper: registry.ZooKeeper{Servers: []string{b.addr}, Dial: b.line},
				})
				b.must(err)
				var runs atomic.Int64
				quiet.HandleFunc(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?", SkipMisfires: !c.misfire}, Shards: 1}, func(ctx context.Context, _ *coreagent.Shard) error {
					runs.Add(1)
					select {
					case <-time.After(1500 * time.Millisecond):
					case <-ctx.Done():
					}
					return nil
				})
				b.must(quiet.Start(b.ctx()))
				b.Cleanup(func() { b.must(quiet.Stop(b.ctx())) })
				time.Sleep(200 * time.Second)
				before, nodes := objects(), len(srv.Dump("/"))
				from := runs.Load()
				time.Sleep(1000 * time.Second)
				if got := runs.Load() - from; got < c.runs-5 || got > c.runs+5 {
					t.Errorf("%d runs in a thousand periods, want about %d", got, c.runs)
				}
				if after := objects(); after > before+c.runs/2 {
					t.Errorf("%d objects are in memory after %d runs, %d before", after, c.runs, before)
				}
				if now := len(srv.Dump("/")); now > nodes+3 || now < nodes-3 { // One run may be under way.
					t.Errorf("%d nodes, %d before", now, nodes)
				}
			})
		})
	}
}

// objects returns the number of objects in memory.
func objects() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.Mallocs - stats.Frees)
}

// TestMS24DisabledForAnHour: when a job is enabled again, it should make up for nothing. The next
// fire time should run normally.
func TestMS24DisabledForAnHour(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const period = 10 * time.Second
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 4}
		members := []*member{b.agent(1).serve(job, nil).start(), b.agent(2).serve(job, nil).start()}
		tree := b.tree.Job("job")
		set := func(status string) {
			for i := range members {
				b.put(tree.Server(fmt.Sprintf("10.0.0.%d", i+1)), status)
			}
		}
		b.await("assigned", func() bool { return len(b.owners("job")) == 4 && len(b.leftovers("job")) == 0 })
		time.Sleep(time.Minute)
		set(jobtree.ServerDisabled)
		at := time.Now()
		time.Sleep(time.Hour)
		if runs := b.runs.between("job", at.Add(period), time.Now()); len(runs) > 0 {
			t.Errorf("ran while disabled:%s", story(runs))
		}
		time.Sleep(time.Until(time.Now().Truncate(period).Add(period + time.Second)))
		set(jobtree.ServerEnabled)
		at = time.Now()
		time.Sleep(period - 2*time.Second)
		if runs := b.runs.between("job", at, time.Now()); len(runs) > 0 {
			t.Errorf("made up for what passed while it was disabled:%s", story(runs))
		}
		at = sleepUntilNext(period)
		time.Sleep(3*period - time.Second)
		if got := b.runs.completions("job", 4, at, time.Now()); !slices.Equal(got, times(4, 3)) {
			t.Errorf("three fire times later: %v", got)
		}
		if found := b.leftovers("job"); len(found) > 0 {
			t.Errorf("stale: %q", found)
		}
	})
}

// TestMS25TriggerAtABadMoment: a trigger during a run should be dropped with a log message. A
// trigger during a resharding should wait for its end and then run each of the instance's shards
// once.
func TestMS25TriggerAtABadMoment(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		job := coreagent.Job{Name: "job", Shards: 3}
		tree := b.tree.Job("job")
		busy := b.agent(1)
		busy.serve(job, busy.work(time.Minute)).start()
		b.awaitOwners("job", allOf(3, busy)...)
		idle := b.agent(2).serve(job, nil).start()
		b.awaitOwners("job", idle.id, busy.id, idle.id)
		busy.triggerHere("job")
		time.Sleep(time.Second)
		busy.triggerHere("job")
		time.Sleep(time.Second)
		if b.exists(tree.Trigger(busy.id)) || b.log.count("trigger dropped: the job is running on this instance") != 1 {
			t.Error("the trigger during a run is still there, or the log does not name it")
		}
		late := b.agent(3).serve(job, nil).start()
		time.Sleep(time.Second)
		if !b.exists(tree.Necessary()) {
			t.Fatal("no resharding is under way, the test proves nothing")
		}
		for _, m := range []*member{idle, late} {
			m.triggerHere("job")
		}
		time.Sleep(30 * time.Second)
		if n := b.runs.count("job", -1); n != 1 {
			t.Errorf("%d runs before the resharding was done", n)
		}
		time.Sleep(time.Minute)
		b.awaitOwners("job", late.id, idle.id, busy.id)
		if got := b.runs.starts("job", 3, time.Time{}, time.Now()); !slices.Equal(got, []int{1, 2, 0}) {
			t.Errorf("runs %v:%s", got, story(b.runs.all()))
		}
		if found := b.leftovers("job"); len(found) > 0 || len(b.children(tree.Triggers())) > 0 {
			t.Errorf("stale: %q %q", found, b.children(tree.Triggers()))
		}
	})
}

// TestMS27OneOffWhileScaling: a job is triggered around the time when an instance joins or leaves:
// just before, so the shards are already running, while the shards are being assigned, or just
// after. Each shard should run once.
func TestMS27OneOffWhileScaling(t *testing.T) {
	const shards = 6
	for _, leaves := range []bool{false, true} {
		for name, at := range map[string]time.Duration{"before": -100 * time.Millisecond, "during": time.Second, "after": 5 * time.Second} {
			t.Run(map[bool]string{false: "comes", true: "leaves"}[leaves]+"/"+name, func(t *testing.T) {
				bubble(t, func(b *fixture, srv *zkfake.Server) {
					tree := b.tree.Job("job")
					join := func(n int) *member {
						m := b.agent(n)
						return m.serve(coreagent.Job{Name: "job", Shards: shards}, m.work(3*time.Second))
					}
					one, other := join(1).start(), join(3)
					join(2).start()
					if leaves {
						other.start()
					}
					b.await("all own shards", func() bool {
						owners := slices.Compact(slices.Sorted(slices.Values(b.owners("job"))))
						return len(owners) == map[bool]int{false: 2, true: 3}[leaves] && owners[0] != "" && len(b.leftovers("job")) == 0
					})
					time.Sleep(time.Second)
					// Makes the resharding take two seconds.
					srv.SetFault(func(r zkfake.Request) zkfake.Fault {
						if slices.Contains(r.Paths, tree.Processing()) {
							return zkfake.DelayRequest(time.Second)
						}
						return zkfake.None
					})
					change := time.Now().Add(time.Second)
					var changed sync.WaitGroup
					changed.Go(func() {
						time.Sleep(time.Until(change))
						if leaves {
							b.must(other.Stop(b.ctx()))
						} else {
							other.start()
						}
					})
					time.Sleep(time.Until(change.Add(at)))
					if resharding := b.exists(tree.Necessary()) || b.exists(tree.Processing()); resharding != (name == "during") {
						t.Fatalf("resharding: %v", resharding)
					}
					b.must(one.Trigger(b.ctx(), "job"))
					time.Sleep(time.Minute)
					changed.Wait()
					if got := b.runs.completions("job", shards, time.Time{}, time.Now()); !slices.Equal(got, times(shards, 1)) || len(b.runs.all()) != shards {
						t.Errorf("runs %v:%s", got, story(b.runs.all()))
					}
				})
			})
		}
	}
}

// TestMS20SkewedClocks: a shard comes from an instance with a clock that's five seconds ahead or
// behind, or off by hours. A completed fire time shouldn't run again. Fire times that the slow
// clock hasn't reached should count as one missed fire time, and a clock that's off by hours
// shouldn't silence the new owner.
func TestMS20SkewedClocks(t *testing.T) {
	for name, c := range map[string]struct {
		skew   time.Duration
		silent time.Duration // after the last completed fire time, by the right time
		missed int           // make-up runs
	}{
		"ahead":        {5 * time.Second, 5 * time.Second, 0},
		"behind":       {-5 * time.Second, 0, 1},
		"hours ahead":  {3 * time.Hour, 0, 0},
		"hours behind": {-3 * time.Hour, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2}
				tree := b.tree.Job("job")
				skewed := b.agent(1).serve(job, nil).start()
				b.awaitOwners("job", skewed.id, skewed.id)
				sleepUntilNext(time.Minute)
				time.Sleep(500 * time.Millisecond)
				b.must(skewed.Stop(b.ctx()))
				last := time.Now().Truncate(time.Second)
				// This is how its record would look with the other clock.
				for shard := range 2 {
					b.put(tree.FireRecord(shard), fmt.Sprintf("%d %s", last.Add(c.skew).UnixMilli(), skewed.id))
				}
				b.runs.forget()
				b.agent(2).serve(job, nil).start()
				time.Sleep(20 * time.Second)
				for shard := range 2 {
					missed, seen := 0, make(map[int64]int)
					for _, r := range b.runs.of("job", shard) {
						if r.shard.Source == tracing.SourceMisfire {
							missed++
							continue
						}
						seen[r.shard.ScheduledAt.Unix()]++
						if !r.shard.ScheduledAt.After(last.Add(c.silent)) {
							t.Errorf("shard %d ran the fire time %v again", shard, r.shard.ScheduledAt.Sub(last))
						}
					}
					for at := last.Add(c.silent + 2*time.Second); at.Before(last.Add(20 * time.Second)); at = at.Add(time.Second) {
						if n := seen[at.Unix()]; n != 1 {
							t.Errorf("shard %d ran the fire time %v %d times", shard, at.Sub(last), n)
						}
					}
					if missed != c.missed {
						t.Errorf("shard %d was made up for %d times:%s", shard, missed, story(b.runs.of("job", shard)))
					}
				}
			})
		})
	}
}
