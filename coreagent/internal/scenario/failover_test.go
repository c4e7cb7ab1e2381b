package scenario_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// shortSession is for tests that wait for a session to expire. A shorter one could also expire
// while an agent waits for a busy processor.
const shortSession = 4 * time.Second

// failoverJob has four shards; the second of two agents gets shards 0 and 1.
func failoverJob() coreagent.Job {
	return coreagent.Job{Name: "job", Shards: 4, Failover: true}
}

// runsOn lists the shards that an agent has run or is running, in ascending order.
func (b *fixture) runsOn(m *member, source tracing.Source) []int {
	var shards []int
	for _, r := range b.runs.of("job", -1) {
		if r.agent == m.id && r.shard.Source == source {
			shards = append(shards, r.shard.Item)
		}
	}
	slices.Sort(shards)
	return shards
}

// crashPair starts two agents and returns them while the second one, the victim, runs shards 0 and
// 1. The changes apply to the survivor.
func (b *fixture) crashPair(changes ...func(*coreagent.Config)) (survivor, victim *member) {
	b.Helper()
	b.session = shortSession
	survivor = b.agent(1, changes...).serve(failoverJob(), nil).start()
	victim = b.agent(2).serve(failoverJob(), make(gate).handle).start()
	b.awaitOwners("job", victim.id, victim.id, survivor.id, survivor.id)
	victim.triggerHere("job")
	b.await("the victim runs", func() bool { return len(b.runsOn(victim, tracing.SourceNormal)) == 2 })
	return survivor, victim
}

// TestK33Failover: an idle survivor should run the shards that a killed agent was running, one
// after the other, and no node of the dead agent should be left.
func TestK33Failover(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		survivor, victim := b.crashPair(lasting)
		b.wire.forget()
		victim.cut()
		b.await("the survivor runs both", func() bool { return len(b.runsOn(survivor, tracing.SourceFailover)) == 2 })
		if got := b.runsOn(survivor, tracing.SourceFailover); !slices.Equal(got, []int{0, 1}) {
			b.Errorf("taken %v", got)
		}
		b.awaitOwners("job", slices.Repeat([]string{survivor.id}, 4)...)
		b.awaitTidy("job")
		b.while(time.Second, "nothing runs again", func() bool { return b.runs.count("job", -1) == 4 })
		var taken []run
		for shard := range 2 {
			lost, again := b.nthRun("job", shard, 0), b.nthRun("job", shard, 1)
			if !errors.Is(lost.cause, coreagent.ErrSessionLost) {
				b.Errorf("shard %d: the victim's context ended with %v", shard, lost.cause)
			}
			if again.start.Before(lost.end) {
				b.Errorf("shard %d ran again %v before the victim's handler ended", shard, lost.end.Sub(again.start))
			}
			if again.shard.FencingToken <= lost.shard.FencingToken {
				b.Errorf("shard %d: token %d after %d", shard, again.shard.FencingToken, lost.shard.FencingToken)
			}
			taken = append(taken, again)
		}
		if a, c := taken[0], taken[1]; a.start.Before(c.end) && c.start.Before(a.end) {
			b.Error("an agent takes one shard at a time")
		}
		// One transaction should offer both. It also takes the first one in ElasticJob's order and
		// marks it as running.
		b.wantOrder("job",
			"+ leader/failover/items/0, - sharding/0/running, + leader/failover/items/1, - sharding/1/running, "+
				"+e sharding/1/failover, + sharding/1/failovering, - leader/failover/items/1, + sharding/1/running",
			"- sharding/1/running, - sharding/1/failover, - sharding/1/failovering")
		b.wantOrder("job", "+ leader/failover/items/0, - sharding/0/running", "+e leader/failover/latch/*",
			"+e sharding/0/failover, + sharding/0/failovering, - leader/failover/items/0, - leader/failover/latch/*",
			"+ sharding/0/running", "- sharding/0/running, - sharding/0/failover, - sharding/0/failovering")
	})
}

// TestFailoverBesideJava: if an instance might be Java's, shards should be offered and taken as in
// ElasticJob, one after the other and each under the latch.
func TestFailoverBesideJava(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		survivor, victim := b.crashPair(lasting)
		b.put(b.tree.Job("job").Instance("10.0.0.9@-@1"), "") // It gets no shards.
		b.wire.forget()
		victim.cut()
		b.await("the survivor runs both", func() bool { return len(b.runsOn(survivor, tracing.SourceFailover)) == 2 })
		b.awaitOwners("job", slices.Repeat([]string{survivor.id}, 4)...)
		b.awaitTidy("job")
		b.wantOrder("job", "+e leader/failover/latch/*",
			"+ leader/failover/items/0, - sharding/0/running, + leader/failover/items/1, - sharding/1/running, - leader/failover/latch/*",
			"+e leader/failover/latch/*",
			"+e sharding/1/failover, + sharding/1/failovering, - leader/failover/items/1, - leader/failover/latch/*",
			"+ sharding/1/running", "- sharding/1/running, - sharding/1/failover, - sharding/1/failovering",
			"+e sharding/0/failover, + sharding/0/failovering, - leader/failover/items/0, - leader/failover/latch/*")
	})
}

// TestK34IdleCrash: if an agent crashes while it runs nothing, there should be no failover.
func TestK34IdleCrash(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.session = shortSession
		survivor := b.agent(1, lasting).serve(failoverJob(), nil).start()
		victim := b.agent(2).serve(failoverJob(), nil).start()
		b.awaitOwners("job", victim.id, victim.id, survivor.id, survivor.id)
		b.wire.forget()
		victim.cut()
		b.awaitOwners("job", slices.Repeat([]string{survivor.id}, 4)...)
		b.awaitTidy("job")
		b.while(time.Second, "nothing runs", func() bool { return b.runs.count("job", -1) == 0 })
		b.wantOrder("job", "+ leader/sharding/necessary", "- leader/sharding/necessary")
		b.wantNoFailover()
	})
}

// TestK35DisabledCrash: if an operator had disabled the server of a crashed agent, there should be
// no failover.
func TestK35DisabledCrash(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		survivor, victim := b.crashPair()
		b.put(b.tree.Job("job").Server("10.0.0.2"), jobtree.ServerDisabled)
		victim.cut()
		b.awaitOwners("job", slices.Repeat([]string{survivor.id}, 4)...)
		b.awaitTidy("job")
		b.while(time.Second, "nothing runs again", func() bool { return b.runs.count("job", -1) == 2 })
		b.wantNoFailover()
	})
}

// wantNoFailover checks that no agent has offered or taken a shard.
func (b *fixture) wantNoFailover() {
	b.Helper()
	for _, change := range b.changes("job") {
		if strings.Contains(change, "+ leader/failover/items/") || strings.Contains(change, "/failover,") {
			b.Errorf("a shard was failed over: %s", change)
		}
	}
}

// TestK36TakerCrashes: if the taker of a shard dies too, the next one should take the shard.
func TestK36TakerCrashes(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.session = shortSession
		job := coreagent.Job{Name: "job", Shards: 3, Failover: true}
		tree := b.tree.Job("job")
		blocked := make(gate)
		third := b.agent(3).serve(job, blocked.handle).start()
		second := b.agent(2).serve(job, blocked.handle).start()
		b.awaitOwners("job", third.id, second.id, third.id)
		last := b.agent(1, lasting).serve(job, nil).start()
		b.awaitOwners("job", third.id, second.id, last.id)
		third.triggerHere("job")
		b.await("the first victim runs", func() bool { return b.runs.count("job", 0) == 1 })
		// Only the second agent may take the shards, because the last one is disabled for now.
		b.put(tree.Server("10.0.0.1"), jobtree.ServerDisabled)
		third.cut()
		b.await("the second has taken the shard", func() bool { return b.runs.count("job", 0) == 2 })
		if r := b.nthRun("job", 0, 1); r.agent != second.id || r.shard.Source != tracing.SourceFailover {
			b.Fatalf("shard 0 ran on %s from %s", r.agent, r.shard.Source)
		}
		if taker, _ := b.get(tree.ItemFailover(0)); taker != second.id || b.stat(tree.ItemFailover(0)).EphemeralOwner == 0 {
			b.Errorf("failover says %q", taker)
		}
		if taker, _ := b.get(tree.ItemFailovering(0)); taker != second.id || b.stat(tree.ItemFailovering(0)).EphemeralOwner != 0 {
			b.Errorf("failovering says %q", taker)
		}
		b.put(tree.Server("10.0.0.1"), jobtree.ServerEnabled)
		b.wire.forget()
		second.cut()
		b.await("the last one has run the shard", func() bool { return b.runs.count("job", 0) == 3 })
		if r := b.nthRun("job", 0, 2); r.agent != last.id || r.shard.Source != tracing.SourceFailover {
			b.Errorf("shard 0 ran on %s from %s", r.agent, r.shard.Source)
		}
		b.awaitOwners("job", slices.Repeat([]string{last.id}, 3)...)
		b.awaitTidy("job")
		b.wantOrder("job", "+ leader/failover/items/0, - sharding/0/running, +e sharding/0/failover, - leader/failover/items/0, + sharding/0/running",
			"- sharding/0/running, - sharding/0/failover, - sharding/0/failovering")
	})
}

// TestK37AllCrashed: the first agent that joins again should run the interrupted shards and clean
// up.
func TestK37AllCrashed(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.session = shortSession
		job := coreagent.Job{Name: "job", Shards: 2, Failover: true}
		tree := b.tree.Job("job")
		blocked := make(gate)
		victims := []*member{b.agent(1).serve(job, blocked.handle).start(), b.agent(2).serve(job, blocked.handle).start()}
		b.awaitOwners("job", victims[1].id, victims[0].id)
		b.must(victims[0].Trigger(b.ctx(), "job"))
		b.await("both shards run", func() bool { return b.runs.count("job", -1) == 2 })
		for _, m := range victims {
			m.cut()
		}
		b.await("both sessions have expired", func() bool { return len(b.children(tree.Instances())) == 0 })
		if !b.exists(tree.ItemRunning(0)) || !b.exists(tree.ItemRunning(1)) {
			b.Fatal("the running markers went with the sessions: the test proves nothing")
		}
		back := b.agent(3).serve(job, nil).start()
		b.await("both shards run again", func() bool { return len(b.runsOn(back, tracing.SourceFailover)) == 2 })
		b.awaitOwners("job", back.id, back.id)
		b.awaitTidy("job")
		runs := b.runsFrom("job", -1, 2)
		if len(runs) != 2 || runs[1].start.Before(runs[0].end) {
			b.Errorf("not one after the other: %+v", runs)
		}
	})
}

// TestK37TwoRejoin: the interrupted shards should run once more, even if two agents join again.
func TestK37TwoRejoin(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		job := coreagent.Job{Name: "job", Shards: 2, Failover: true}
		victims := []*member{b.agent(1), b.agent(2)}
		for _, m := range victims {
			m.serve(job, m.work(time.Hour)).start()
		}
		b.awaitOwners("job", victims[1].id, victims[0].id)
		b.must(victims[0].Trigger(b.ctx(), "job"))
		b.await("both shards run", func() bool { return b.runs.count("job", -1) == 2 })
		for _, m := range victims {
			m.kill()
		}
		b.await("both sessions have expired", func() bool { return len(b.children(b.tree.Job("job").Instances())) == 0 })
		for n := 3; n <= 4; n++ {
			b.agent(n).serve(job, nil).start()
		}
		time.Sleep(time.Minute)
		for shard := range 2 {
			if runs := b.runs.of("job", shard); len(runs) != 2 || runs[1].shard.Source != tracing.SourceFailover {
				b.Errorf("shard %d ran %d times: %+v", shard, len(runs), runs)
			}
		}
		b.awaitTidy("job")
	})
}

// TestK38K39SettingsOff: without failover there should be no failover markers, and without
// monitorExecution no running markers.
func TestK38K39SettingsOff(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 2, Failover: true}, nil).start()
		b.awaitOwners("job", m.id, m.id)
		b.put(tree.ItemFailover(0), "10.0.0.9@-@9")
		b.put(tree.ItemFailovering(0), "10.0.0.9@-@9")
		b.configure("job", func(c *jobconfig.Config) { c.Failover = false })
		b.await("the failover nodes are removed", func() bool { return !b.exists(tree.ItemFailover(0)) && !b.exists(tree.ItemFailovering(0)) })
		b.put(tree.ItemRunning(0), "10.0.0.9@-@9")
		b.put(tree.ItemRunning(1), "10.0.0.9@-@9")
		b.configure("job", func(c *jobconfig.Config) { c.MonitorExecution = false })
		b.await("the running markers are removed", func() bool { return !b.exists(tree.ItemRunning(0)) && !b.exists(tree.ItemRunning(1)) })
		b.awaitTidy("job")
		// The agent may have failed shard 0 over before it learned that failover is off.
		first, second := b.runs.count("job", 0), b.runs.count("job", 1)
		m.triggerHere("job")
		b.await("both run", func() bool { return b.runs.count("job", 0) > first && b.runs.count("job", 1) > second })
	})
}

// TestMS10StaleRunningMarkerIsCleared: if the owner of a marker has left, the marker should delay a
// resharding for a session timeout, not forever.
func TestMS10StaleRunningMarkerIsCleared(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.session = shortSession
		tree := b.tree.Job("job")
		b.put(tree.ItemRunning(0), "10.0.0.9@-@9")
		b.put(tree.ItemInstance(0), "10.0.0.9@-@9")
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 2}, nil).start()
		b.awaitOwners("job", m.id, m.id)
		b.awaitTidy("job")
	})
}

// TestMS02SessionExpiryDuringRun: the contexts of the running shards should end with ErrSessionLost
// before another agent starts them, and the agent should join again.
func TestMS02SessionExpiryDuringRun(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.session = shortSession
		job := coreagent.Job{Name: "job", Shards: 2, Schedule: coreagent.Schedule{Cron: "* * * * * ?"}}
		lost := b.agent(2).serve(job, make(gate).handle).start()
		b.awaitOwners("job", lost.id, lost.id)
		b.await("both shards run", func() bool { return b.runs.count("job", -1) == 2 })
		next := b.agent(1, lasting).serve(job, nil).start()
		session := b.stat(b.tree.Job("job").Instance(lost.id)).EphemeralOwner
		lost.cut()
		at := time.Now()
		b.await("the successor runs both", func() bool {
			return slices.ContainsFunc(b.runs.of("job", 0), func(r run) bool { return r.agent == next.id }) &&
				slices.ContainsFunc(b.runs.of("job", 1), func(r run) bool { return r.agent == next.id })
		})
		for shard := range 2 {
			runs := b.runs.of("job", shard)
			was, is := runs[0], runs[slices.IndexFunc(runs, func(r run) bool { return r.agent == next.id })]
			if !errors.Is(was.cause, coreagent.ErrSessionLost) || !errors.Is(was.cause, zk.ErrSessionLost) {
				b.Errorf("shard %d: context ended with %v", shard, was.cause)
			}
			b.Logf("shard %d: cancelled after %v, successor after %v", shard, was.end.Sub(at).Round(time.Millisecond), is.start.Sub(at).Round(time.Millisecond))
			if was.end.IsZero() || is.start.Before(was.end) {
				b.Errorf("shard %d: overlap: cancelled at %v, successor at %v", shard, was.end, is.start)
			}
			if is.shard.FencingToken <= was.shard.FencingToken {
				b.Errorf("shard %d: token %d after %d", shard, is.shard.FencingToken, was.shard.FencingToken)
			}
		}
		n := len(b.runsOn(lost, tracing.SourceNormal))
		lost.reconnect()
		b.awaitOwners("job", lost.id, next.id)
		if now := b.stat(b.tree.Job("job").Instance(lost.id)).EphemeralOwner; now == session {
			b.Error("the session was not lost at all")
		}
		b.await("the agent runs again", func() bool { return len(b.runsOn(lost, tracing.SourceNormal)) > n })
	})
}

// TestBrokenConnection: if the session survives a broken connection, nothing should be lost, not
// even a current run.
func TestBrokenConnection(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		open := make(gate)
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, open.handle).start()
		b.awaitOwners("job", m.id)
		m.triggerHere("job")
		b.await("the shard runs", func() bool { return b.runs.count("job", 0) == 1 })
		before := b.stat(b.tree.Job("job").Instance(m.id))
		m.cut()
		m.reconnect()
		m.triggerHere("job") // The trigger is dropped during the run. That shows us that the agent is back.
		b.await("the agent is back", func() bool { return !b.exists(b.tree.Job("job").Trigger(m.id)) })
		if after := b.stat(b.tree.Job("job").Instance(m.id)); after.Czxid != before.Czxid {
			b.Error("the instance node was made again")
		}
		close(open)
		b.await("the run ends", func() bool { return !b.nthRun("job", 0, 0).end.IsZero() })
		if r := b.nthRun("job", 0, 0); r.cause != nil || r.err != nil {
			b.Errorf("the run ended with %v, %v", r.cause, r.err)
		}
		b.awaitTidy("job")
		m.triggerHereUntil("job", "it runs again", func() bool { return b.runs.count("job", 0) == 2 })
	})
}

// TestClaimOfShardThatRunsElsewhere: if a shard is offered while its owner is running it again, the
// taker should give it up. Otherwise the claim would block the shard for all instances, forever.
func TestClaimOfShardThatRunsElsewhere(t *testing.T) {
	onBothServers(t, func(b *fixture) { b.claimsWhatRunsElsewhere(func(*member) {}) })
}

// TestClaimGivenUpWithoutAReply: the taker loses one of the replies while it gives a claim up.
// Nothing of the claim should be left.
func TestClaimGivenUpWithoutAReply(t *testing.T) {
	for _, name := range []string{"failover", "failovering"} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				tree := b.tree.Job("job")
				path := map[string]string{"failover": tree.ItemFailover(0), "failovering": tree.ItemFailovering(0)}[name]
				var lost atomic.Bool
				b.claimsWhatRunsElsewhere(func(m *member) {
					session := m.session("job")
					srv.SetFault(func(r zkfake.Request) zkfake.Fault {
						if r.Session == session && r.Op == "delete" && r.Path == path && lost.CompareAndSwap(false, true) {
							return zkfake.LoseReply
						}
						return zkfake.None
					})
				})
				if !lost.Load() {
					t.Error("no reply was lost: the test proves nothing")
				}
			})
		})
	}
}

// claimsWhatRunsElsewhere offers an agent a shard that another instance is running, after calling
// disturb.
func (b *fixture) claimsWhatRunsElsewhere(disturb func(*member)) {
	b.Helper()
	tree := b.tree.Job("job")
	m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1, Failover: true}, nil).start()
	b.awaitOwners("job", m.id)
	const owner = "10.0.0.9@-@9"
	_, err := b.client.CreateAll(b.ctx(), tree.Instance(owner), nil, zk.Ephemeral) // Without data it gets no shards.
	b.must(err)
	b.put(tree.ItemRunning(0), owner)
	disturb(m)
	b.put(tree.FailoverItem(0), "")
	b.await("the offer is taken and given up", func() bool {
		return !b.exists(tree.FailoverItem(0)) && !b.exists(tree.ItemFailover(0)) && !b.exists(tree.ItemFailovering(0))
	})
	if running, _ := b.get(tree.ItemRunning(0)); running != owner || b.runs.count("job", -1) > 0 {
		b.Errorf("running says %q after %d runs", running, b.runs.count("job", -1))
	}
	b.delete(tree.ItemRunning(0))
	b.awaitTidy("job")
	m.triggerHereUntil("job", "the shard runs", func() bool { return b.runs.count("job", 0) == 1 })
}

// TestManyStaleMarkers: the waits for many stale markers should run in parallel.
func TestManyStaleMarkers(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.session = shortSession
		const shards = 20
		tree := b.tree.Job("job")
		for n := range shards {
			b.put(tree.ItemInstance(n), "10.0.0.9@-@9")
			b.put(tree.ItemRunning(n), "10.0.0.9@-@9")
		}
		start := time.Now()
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: shards, Failover: true}, nil).start()
		b.await("all are offered and run", func() bool { return len(b.runsOn(m, tracing.SourceFailover)) == shards })
		if took := time.Since(start); b.virtual() && took > 2*shortSession {
			b.Errorf("%d stale markers took %v to clear", shards, took)
		}
		b.awaitOwners("job", slices.Repeat([]string{m.id}, shards)...)
		b.awaitTidy("job")
	})
}

// TestV45LeavingReleasesItsClaim: an instance begins to leave while its claim of a shard is on the
// way. It should give the shard back, because there's no other instance that could see it leave.
func TestV45LeavingReleasesItsClaim(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 0 1 1 ?"}, Shards: 2, Failover: true}
		m := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", m.id, m.id)
		tree := b.tree.Job("job")
		claiming := make(chan struct{})
		var once sync.Once
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if !slices.Contains(r.Paths, tree.ItemFailover(1)) {
				return zkfake.None
			}
			once.Do(func() { close(claiming) })
			return zkfake.Delay(300 * time.Millisecond)
		})
		b.put(tree.FailoverItems()+"/1", "")
		<-claiming
		b.must(m.Stop(b.ctx()))
		if b.exists(tree.ItemFailovering(1)) || b.exists(tree.Instance(m.id)) || !b.exists(tree.FailoverItem(1)) || b.runs.count("job", 1) > 0 {
			t.Errorf("the claim was not taken back:\n%s", b.dump(tree.Root()))
		}
	})
}

// TestClaimThatNobodySawDie: a taker has died with a claim, and so did all survivors before they
// could release it. The leader of the next fleet should release the claim and offer the shard
// again.
func TestClaimThatNobodySawDie(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		tree := b.tree.Job("job")
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 2, Failover: true}
		m := b.host(1, "a").serve(job, nil).start()
		b.awaitOwners("job", m.id, m.id)
		m.kill()
		time.Sleep(time.Minute)
		b.put(tree.ItemFailovering(1), "10.0.0.9@-@9")
		from := time.Now()
		next := b.host(1, "b").serve(job, nil).start()
		time.Sleep(time.Minute)
		if b.exists(tree.ItemFailovering(1)) {
			t.Error("the claim of an instance that has left stays")
		}
		runs := b.runs.between("job", from, time.Now())
		if len(runs) != 1 || runs[0].shard.Item != 1 || runs[0].shard.Source != tracing.SourceFailover || runs[0].agent != next.id {
			t.Errorf("runs: %s; want shard 1 as a failover", story(runs))
		}
	})
}
