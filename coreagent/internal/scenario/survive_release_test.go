package scenario_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestMisfireFromBeforeARelease: an instance has decided to make up for a fire time, but its
// transaction is slow. Before it arrives, the schedule is held and released. Fire times from before
// the release shouldn't be made up for (fleet 674001108).
func TestMisfireFromBeforeARelease(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		tree := b.tree.Job("job")
		open := make(gate)
		m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 1}, open.handle).start()
		b.await("a fire time is missed", func() bool { return b.exists(tree.ItemMisfire(0)) })
		marks := b.delayMarking(srv, m)
		close(open)
		b.await("it is about to mark its run", marks.Load)
		from := b.holdAndRelease()
		for _, r := range b.runs.between("job", from, time.Now()) {
			if r.shard.Source == tracing.SourceMisfire {
				t.Errorf("%v is made up for although the schedule was released since", r.shard.ScheduledAt)
			}
		}
		b.awaitTidy("job")
	})
}

// TestLateRunFromBeforeARelease: the same for a fire time that runs late, because the instance had
// no connection at that time.
func TestLateRunFromBeforeARelease(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		m := b.agent(1, lasting).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 1}, nil).start()
		b.awaitOwners("job", m.id)
		at := sleepUntilNext(20 * time.Second)
		time.Sleep(17 * time.Second)
		m.cut()
		time.Sleep(4 * time.Second)
		marks := b.delayMarking(srv, m)
		m.reconnect()
		b.await("it is about to mark its run", marks.Load)
		from := b.holdAndRelease()
		if late := b.runs.between("job", from, time.Now()); len(late) > 0 {
			t.Errorf("%v is run although the schedule was released since", late[0].shard.ScheduledAt)
		}
		if got := b.runs.completions("job", 1, at, time.Now()); !slices.Equal(got, []int{1}) {
			t.Errorf("runs by shard: %v, want the one of before", got)
		}
		b.awaitTidy("job")
	})
}

// TestHoldNeverHeardOf: an instance missed the events of a job's first hold and its release while
// its run waited for a resharding. It shouldn't run fire times from before the release (fleet
// 680000586).
func TestHoldNeverHeardOf(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		tree := b.tree.Job("job")
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 2}
		leader := b.agent(2, enduring).serve(job, nil).start()
		m := b.agent(1, enduring).serve(job, nil).start()
		b.awaitOwners("job", leader.id, m.id)
		leading, deaf := leader.session("job"), m.session("job")
		srv.SetWatchFault(func(e zkfake.WatchEvent) bool {
			return e.Session == deaf && (e.Path == tree.RunsSignal() || e.Path == tree.Held())
		})
		var reshards atomic.Bool
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Session == leading && r.Op == "multi" && slices.Contains(r.Paths, tree.Processing()) && reshards.CompareAndSwap(false, true) {
				return zkfake.DelayRequest(6 * time.Second)
			}
			return zkfake.None
		})
		from := sleepUntilNext(20 * time.Second)
		time.Sleep(19 * time.Second)
		b.put(tree.Necessary(), "")
		b.await("the leader reshards", reshards.Load)
		b.holdAndRelease()
		if late := b.runs.between("job", from.Add(time.Second), time.Now()); len(late) > 0 {
			t.Errorf("run although the schedule was released since:%s", story(late))
		}
		b.awaitTidy("job")
	})
}

// TestScheduleOfBeforeARelease: without a connection an instance fires by the schedule that it
// knows. In that time the schedule is edited, held and released. When the instance returns, it
// shouldn't run its fire times from before the release (fleet 17957635300192).
func TestScheduleOfBeforeARelease(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1, enduring).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 1}, nil).start()
		b.awaitOwners("job", m.id)
		from := sleepUntilNext(20 * time.Second)
		time.Sleep(15 * time.Second)
		m.cut()
		store := runs.Store{Client: b.client, Tree: b.tree.Job("job"), Now: time.Now}
		b.must(store.Hold(b.ctx(), jobtree.Hold{What: jobrun.HeldAll, By: "root"}))
		b.configure("job", func(c *jobconfig.Config) { c.Cron = "17/20 * * * * ?" })
		time.Sleep(6 * time.Second)
		b.must(store.Release(b.ctx()))
		m.reconnect()
		time.Sleep(8 * time.Second)
		if late := b.runs.between("job", from.Add(time.Second), time.Now()); len(late) > 0 {
			t.Errorf("run although the schedule was released since:%s", story(late))
		}
		b.awaitTidy("job")
	})
}

// TestMarkedAfterARelease: the transaction that marks a run is slow. Before it arrives, the
// schedule is held and released, so the run's fire time is from before the release.
func TestMarkedAfterARelease(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		m := b.agent(1, enduring).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 1}, nil).start()
		b.awaitOwners("job", m.id)
		from := sleepUntilNext(20 * time.Second)
		time.Sleep(time.Second)
		marks := b.delayMarking(srv, m)
		b.await("it is about to mark its run", marks.Load)
		b.holdAndRelease()
		if late := b.runs.between("job", from.Add(time.Second), time.Now()); len(late) > 0 {
			t.Errorf("run although the schedule was released since:%s", story(late))
		}
		b.awaitTidy("job")
	})
}

// TestReleaseNotYetKnown: a held schedule is released while an instance has no connection, and a
// fire time comes before it learns of the release. That one should be made up for, but not a fire
// time from before the release (fleet 675000218).
func TestReleaseNotYetKnown(t *testing.T) {
	for name, after := range map[string]time.Duration{"passed": 3 * time.Second, "passes while it gets ready": -100 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				const period = 20 * time.Second
				m := b.agent(1, lasting).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 1}, nil).start()
				b.awaitOwners("job", m.id)
				sleepUntilNext(period)
				time.Sleep(time.Second)
				store := runs.Store{Client: b.client, Tree: b.tree.Job("job"), Now: time.Now}
				b.must(store.Hold(b.ctx(), jobtree.Hold{What: jobrun.HeldAll, By: "root"}))
				from := sleepUntilNext(period) // The schedule is held at that time.
				time.Sleep(period - 2*time.Second)
				m.cut()
				time.Sleep(time.Second)
				b.must(store.Release(b.ctx()))
				time.Sleep(time.Second + after)
				m.reconnect()
				time.Sleep(period / 2)
				var made []time.Time
				for _, r := range b.runs.between("job", from, time.Now()) {
					made = append(made, r.shard.ScheduledAt)
				}
				if len(made) != 1 || !made[0].Equal(from.Add(period)) {
					t.Errorf("runs for %v, want one for %v", made, from.Add(period))
				}
				b.awaitTidy("job")
			})
		})
	}
}

// enduring is for agents that must keep their session while they wait five seconds for an answer.
func enduring(cfg *coreagent.Config) { cfg.ZooKeeper.SessionTimeout = 30 * time.Second }

// delayMarking makes the server delay the next transaction by which an agent marks a run. The
// result becomes true when it has arrived.
func (b *fixture) delayMarking(srv *zkfake.Server, m *member) *atomic.Bool {
	tree, session := b.tree.Job("job"), m.session("job")
	var came atomic.Bool
	srv.SetFault(func(r zkfake.Request) zkfake.Fault {
		if r.Session == session && r.Op == "multi" && slices.Contains(r.Paths, tree.ItemRunning(0)) && slices.Contains(r.Paths, tree.ItemInstance(0)) && came.CompareAndSwap(false, true) {
			return zkfake.DelayRequest(5 * time.Second)
		}
		return zkfake.None
	})
	return &came
}

// holdAndRelease holds the schedule and releases it, waits for the delayed transaction, and returns
// when the hold began.
func (b *fixture) holdAndRelease() time.Time {
	store := runs.Store{Client: b.client, Tree: b.tree.Job("job"), Now: time.Now}
	b.must(store.Hold(b.ctx(), jobtree.Hold{What: jobrun.HeldAll, By: "root"}))
	time.Sleep(2 * time.Second)
	b.must(store.Release(b.ctx()))
	from := time.Now()
	time.Sleep(8 * time.Second)
	return from
}
