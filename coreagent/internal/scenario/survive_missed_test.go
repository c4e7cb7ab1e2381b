package scenario_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// These tests are about fire times that come while something else is going on, so that every
// instance has a reason not to run them.

// TestFireTimeWaitsForABrokenResharding: the leader's connection keeps breaking in the middle of a
// resharding, and a fire time passes. It should run when the resharding has succeeded, even for the
// shards that didn't move.
func TestFireTimeWaitsForABrokenResharding(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const period = 20 * time.Second
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 3}
		tree := b.tree.Job("job")
		first := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", allOf(3, first)...)
		sleepUntilNext(period)
		time.Sleep(period - time.Second)
		var broken atomic.Int64
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Path != tree.Agents() || r.Op == "create" { // Only a resharding reads these.
				return zkfake.None
			}
			broken.Add(1)
			return zkfake.LoseReply
		})
		b.agent(2).serve(job, nil).start()
		at := sleepUntilNext(period)
		time.Sleep(3 * time.Second)
		srv.SetFault(nil)
		if broken.Load() < 3 || !b.exists(tree.Necessary()) {
			t.Fatalf("the resharding was broken %d times, flagged %v: the test proves nothing", broken.Load(), b.exists(tree.Necessary()))
		}
		time.Sleep(period - 4*time.Second)
		if got := b.runs.completions("job", 3, at, time.Now()); !slices.Equal(got, times(3, 1)) {
			t.Errorf("runs by shard: %v, want one each:%s", got, story(b.runs.between("job", at, time.Now())))
		}
	})
}

// TestFireTimeOfAnUnawareOwner: an instance gets its first shards just before a fire time, but
// learns of that later. Its run had nothing to do, so it should make up for the fire time when it
// learns of the shards, even if that takes two attempts.
func TestFireTimeOfAnUnawareOwner(t *testing.T) {
	for name, breaks := range map[string]bool{"hears late": false, "and its connection breaks": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				const period = 20 * time.Second
				job, other := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 2}, coreagent.Job{Name: "other", Shards: 1}
				tree := b.tree.Job("job")
				leader := b.agent(2).serve(job, nil).start()
				leaves := b.agent(3).serve(job, nil).start()
				unaware := b.agent(1).serve(job, nil).serve(other, nil).start()
				b.awaitOwners("job", leaves.id, leader.id)
				sleepUntilNext(period)
				time.Sleep(period - 2*time.Second)

				session := unaware.session("job")
				var slow, broken atomic.Bool
				srv.SetFault(func(r zkfake.Request) zkfake.Fault {
					switch {
					case r.Session != session:
					case r.Path == b.tree.Job("other").Config() && slow.CompareAndSwap(false, true):
						return zkfake.Delay(4 * time.Second) // This delays all later replies, too.
					case breaks && r.Path == tree.ItemMisfire(1) && broken.CompareAndSwap(false, true):
						return zkfake.LoseReply
					}
					return zkfake.None
				})
				b.configure("other", func(c *jobconfig.Config) { c.Parameter = "changed" })
				time.Sleep(time.Second)
				b.must(leaves.Stop(b.ctx()))
				b.awaitOwners("job", leader.id, unaware.id)
				at := sleepUntilNext(period)
				time.Sleep(time.Second)
				if got := b.runs.completions("job", 2, at, time.Now()); !slow.Load() || !slices.Equal(got, []int{1, 0}) {
					t.Fatalf("runs by shard: %v: the new owner is not slow, the test proves nothing", got)
				}
				time.Sleep(period - 2*time.Second)
				if got := b.runs.completions("job", 2, at, time.Now()); !slices.Equal(got, times(2, 1)) || broken.Load() != breaks {
					t.Errorf("runs by shard: %v, want one each:%s", got, story(b.runs.between("job", at, time.Now())))
				}
				if found := b.leftovers("job"); len(found) > 0 {
					t.Errorf("stale: %q", found)
				}
			})
		})
	}
}

// refusing is a listener that prevents runs while it's set.
type refusing struct{ on atomic.Bool }

func (r *refusing) Before(context.Context, *coreagent.LocalRun) error {
	if r.on.Load() {
		return errors.New("not now")
	}
	return nil
}

// TestFailedRunHoldsNoMisfireBack: a failed run did take place, even if its error handler throws.
// So a fire time that it delayed should be made up for at once.
func TestFailedRunHoldsNoMisfireBack(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		const period = 20 * time.Second
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 1, ErrorHandler: coreagent.Throw}
		m := b.agent(1)
		m.serve(job, func(ctx context.Context, s *coreagent.Shard) error {
			if s.Source == tracing.SourceMisfire {
				return nil
			}
			return errors.Join(m.work(period+5*time.Second)(ctx, s), errors.New("it fails"))
		}).start()
		b.awaitOwners("job", m.id)
		at := sleepUntilNext(period)
		time.Sleep(period + 6*time.Second)
		var sources []tracing.Source
		for _, r := range b.runs.between("job", at, time.Now()) {
			sources = append(sources, r.shard.Source)
		}
		if want := []tracing.Source{tracing.SourceNormal, tracing.SourceMisfire}; !slices.Equal(sources, want) || b.log.count("run failed") != 1 {
			t.Errorf("runs by %q, %d failed, want %q", sources, b.log.count("run failed"), want)
		}
	})
}

// TestHeldMisfireIsTriedAgain: if a make-up run couldn't start, the next try comes after a pause. A
// retry for another reason before that shouldn't postpone it until the next fire time.
func TestHeldMisfireIsTriedAgain(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 1, ErrorHandler: coreagent.Throw, Listeners: []coreagent.Listener{{Name: "refusing"}}}
		tree := b.tree.Job("job")
		var refuses refusing
		refuses.on.Store(true)
		m := b.agent(1, func(cfg *coreagent.Config) {
			cfg.Listeners = []coreagent.Listener{{Name: "refusing", Before: refuses.Before}}
		}).serve(job, nil).start()
		b.awaitOwners("job", m.id)
		at := sleepUntilNext(time.Minute)
		time.Sleep(time.Second)
		session := m.session("job")
		var broken atomic.Bool
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Session == session && r.Path == tree.ItemMisfire(0) && broken.CompareAndSwap(false, true) {
				return zkfake.LoseReply
			}
			return zkfake.None
		})
		b.put(tree.ItemMisfire(0), "")
		time.Sleep(2 * time.Second)
		if !broken.Load() || !b.exists(tree.ItemMisfire(0)) || b.log.count("run failed") != 1 {
			t.Fatalf("connection broken %v, marker %v: the test proves nothing", broken.Load(), b.exists(tree.ItemMisfire(0)))
		}
		refuses.on.Store(false)
		time.Sleep(time.Until(at.Add(20 * time.Second)))
		if b.exists(tree.ItemMisfire(0)) {
			t.Error("nobody has looked at the missed fire time")
		}
	})
}

// TestFireTimeOfAShardThatCameDuringARun: an instance gets a shard while its run continues past the
// next fire time. The new shard should miss that fire time as well, although the run doesn't
// include it.
func TestFireTimeOfAShardThatCameDuringARun(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const period = 20 * time.Second
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 2}
		var long atomic.Bool
		stays := b.agent(2)
		stays.serve(job, func(ctx context.Context, s *coreagent.Shard) error {
			if s.Item != 0 || !long.CompareAndSwap(true, false) {
				return nil
			}
			return stays.work(period+5*time.Second)(ctx, s)
		}).start()
		leaves := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", stays.id, leaves.id)
		sleepUntilNext(period)
		time.Sleep(time.Second)
		long.Store(true)
		sleepUntilNext(period)
		time.Sleep(5 * time.Second)
		b.must(leaves.Stop(b.ctx()))
		b.awaitOwners("job", stays.id, stays.id)
		if !b.exists(b.tree.Job("job").ItemRunning(0)) {
			t.Fatal("the shards were assigned after the run: the test proves nothing")
		}
		at := sleepUntilNext(period)
		time.Sleep(period - time.Second)
		if got := b.runs.completions("job", 2, at, time.Now()); !slices.Equal(got, times(2, 1)) {
			t.Errorf("runs by shard: %v, want one each:%s", got, story(b.runs.between("job", at, time.Now())))
		}
	})
}

// TestMissedFireTimeIsMarkedInTheEnd: a fire time passes during a run, and the request that marks
// it as missed is lost with the connection.
func TestMissedFireTimeIsMarkedInTheEnd(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const period = 20 * time.Second
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 1}
		tree := b.tree.Job("job")
		var long, lost atomic.Bool
		m := b.agent(1)
		m.serve(job, func(ctx context.Context, s *coreagent.Shard) error {
			if !long.CompareAndSwap(true, false) {
				return nil
			}
			return m.work(period+5*time.Second)(ctx, s)
		}).start()
		b.awaitOwners("job", m.id)
		sleepUntilNext(period)
		time.Sleep(time.Second)
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "multi" && slices.Contains(r.Paths, tree.ItemMisfire(0)) && lost.CompareAndSwap(false, true) {
				return zkfake.LoseRequest
			}
			return zkfake.None
		})
		long.Store(true)
		sleepUntilNext(period)
		at := sleepUntilNext(period)
		time.Sleep(period - time.Second)
		if got := b.runs.completions("job", 1, at, time.Now()); !lost.Load() || !slices.Equal(got, times(1, 1)) {
			t.Errorf("request lost %v, %d runs, want 1:%s", lost.Load(), got, story(b.runs.between("job", at, time.Now())))
		}
	})
}

// TestRecordWrittenDuringAResharding: while a leader assigns shards, a failover ends and records
// its fire time. The new owner should get that record, not the older version that the leader has
// read.
func TestRecordWrittenDuringAResharding(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 2}
		record := b.tree.Job("job").FireRecord(1)
		leader := b.agent(2).serve(job, nil).start()
		b.awaitOwners("job", allOf(2, leader)...)
		at := sleepUntilNext(20 * time.Second)
		time.Sleep(time.Second)
		session := leader.session("job")
		var slow atomic.Bool
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Session == session && r.Path == record && slow.CompareAndSwap(false, true) {
				return zkfake.Delay(2 * time.Second)
			}
			return zkfake.None
		})
		comes := b.agent(1).serve(job, nil).start()
		time.Sleep(time.Second)
		if _, owned := b.get(b.tree.Job("job").ItemInstance(1)); owned || !slow.Load() {
			t.Fatal("the leader does not wait for the record: the test proves nothing")
		}
		newer := strconv.FormatInt(at.Add(time.Second).UnixMilli(), 10)
		b.put(record, newer+" "+leader.id)
		b.awaitOwners("job", leader.id, comes.id)
		if got, _ := b.get(record); got != newer+" "+comes.id {
			t.Errorf("the record is %q, want %q under the name of %s", got, newer, comes.id)
		}
	})
}

// TestMisfireThatWasSwitchedOff: an instance marks a shard as misfired just after misfire or
// monitorExecution was switched off and the leader has removed such markers. The marker should be
// refused, because it'd stay forever or cause a run for a fire time that wasn't missed.
func TestMisfireThatWasSwitchedOff(t *testing.T) {
	for name, off := range map[string]func(*jobconfig.Config){
		"misfire":          func(c *jobconfig.Config) { c.Misfire = false },
		"monitorExecution": func(c *jobconfig.Config) { c.MonitorExecution = false },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				tree := b.tree.Job("job")
				open := make(gate)
				job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 2}
				leader := b.agent(1).serve(job, nil).start()
				b.awaitOwners("job", allOf(2, leader)...)
				slow := b.agent(2).serve(job, open.handle).start()
				b.awaitOwners("job", slow.id, leader.id)
				b.await("it runs", func() bool { return b.exists(tree.ItemRunning(0)) })
				session := slow.session("job")
				var late atomic.Bool
				srv.SetFault(func(r zkfake.Request) zkfake.Fault {
					if r.Session == session && slices.Contains(r.Paths, tree.ItemMisfire(0)) && late.CompareAndSwap(false, true) {
						return zkfake.DelayRequest(3 * time.Second)
					}
					return zkfake.None
				})
				b.await("it is about to mark", late.Load)
				b.configure("job", off)
				time.Sleep(5 * time.Second)
				if b.exists(tree.ItemMisfire(0)) {
					t.Errorf("the marker is there, and %s is off", name)
				}
				close(open)
				b.awaitTidy("job")
			})
		})
	}
}

// TestMisfireBySettingsOfBefore: an instance has a fire time to make up for, and doesn't know yet
// that misfire was switched off. The transaction that marks the run should detect that.
func TestMisfireBySettingsOfBefore(t *testing.T) {
	for name, off := range map[string]func(*jobconfig.Config){
		"misfire":          func(c *jobconfig.Config) { c.Misfire = false },
		"monitorExecution": func(c *jobconfig.Config) { c.MonitorExecution = false },
		"cron":             func(c *jobconfig.Config) { c.Cron = "0 0 1 * * ?" },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				tree := b.tree.Job("job")
				open := make(gate)
				b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 1}, open.handle).start()
				b.await("a fire time is missed", func() bool { return b.exists(tree.ItemMisfire(0)) })
				srv.SetWatchFault(func(e zkfake.WatchEvent) bool { return e.Path == tree.Config() })
				b.configure("job", off)
				close(open)
				b.await("the end of the run", func() bool { return b.runs.count("job", 0) == 1 })
				time.Sleep(5 * time.Second)
				for _, r := range b.runs.all() {
					if r.shard.Source == tracing.SourceMisfire {
						t.Errorf("%v is made up for by the settings of before", r.shard.ScheduledAt)
					}
				}
				b.awaitTidy("job")
			})
		})
	}
}

// TestFireTimeOfAShardThatRunsElsewhere: at a fire time, one of the shards is still running on
// another instance for an earlier one. It should be left out, and made up for when the other run
// has ended.
func TestFireTimeOfAShardThatRunsElsewhere(t *testing.T) {
	for name, node := range map[string]func(jobtree.Job, int) string{"as a failover": jobtree.Job.ItemFailover, "under a marker": jobtree.Job.ItemRunning} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				const period = 20 * time.Second
				job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 2, Failover: true}
				owner := b.agent(2).serve(job, nil).start()
				other := b.agent(1).serve(job, nil).start()
				b.awaitOwners("job", owner.id, other.id)
				sleepUntilNext(period)
				time.Sleep(period - time.Second)
				b.put(node(b.tree.Job("job"), 0), other.id)
				at := sleepUntilNext(period)
				time.Sleep(2 * time.Second)
				if got := b.runs.completions("job", 2, at, time.Now()); !slices.Equal(got, []int{0, 1}) {
					t.Fatalf("runs by shard: %v while shard 0 runs elsewhere", got)
				}
				b.delete(node(b.tree.Job("job"), 0))
				time.Sleep(period - 3*time.Second)
				if got := b.runs.completions("job", 2, at, time.Now()); !slices.Equal(got, times(2, 1)) {
					t.Errorf("runs by shard: %v, want one each:%s", got, story(b.runs.between("job", at, time.Now())))
				}
				if found := b.leftovers("job"); len(found) > 0 {
					t.Errorf("stale: %q", found)
				}
			})
		})
	}
}

// TestTokenOfARestartedProcess: the only process dies and joins again with the same id, so its
// shards never changed owners. It should still count as a new owner, with a larger token.
func TestTokenOfARestartedProcess(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 2}
		var last int64
		for range 3 {
			m := b.agent(1)
			m.serve(job, m.work(time.Second)).start()
			b.awaitOwners("job", allOf(2, m)...)
			sleepUntilNext(20 * time.Second)
			at := sleepUntilNext(20 * time.Second)
			time.Sleep(5 * time.Second)
			for _, r := range b.runs.between("job", at, time.Now()) {
				if r.shard.FencingToken <= last {
					t.Errorf("shard %d has token %d, the process before had %d", r.shard.Item, r.shard.FencingToken, last)
				}
			}
			for _, r := range b.runs.between("job", at, time.Now()) {
				last = max(last, r.shard.FencingToken)
			}
			m.kill()
			b.await("the instance has left", func() bool { return !b.exists(b.tree.Job("job").Instance(m.id)) })
		}
	})
}
