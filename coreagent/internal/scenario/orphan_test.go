package scenario_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestV38TriggerForTheDead: an instance has died but is still listed when it gets a trigger. The
// trigger should be removed some time after the instance. Triggers for living instances should stay
// until they're taken.
func TestV38TriggerForTheDead(t *testing.T) {
	t.Parallel()
	for name, leads := range map[string]bool{"a follower dies": false, "the leader dies": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				tree := b.tree.Job("job")
				job := coreagent.Job{Name: "job", Shards: 2}
				one := b.agent(1).serve(job, nil).start()
				b.awaitOwners("job", one.id, one.id)
				two := b.agent(2).serve(job, nil).start()
				b.awaitOwners("job", two.id, one.id)
				dies, lives := two, one
				if leads {
					dies, lives = one, two
				}
				dies.kill()
				time.Sleep(time.Second)
				dies.triggerHere("job")
				time.Sleep(5 * time.Second)
				if !b.exists(tree.Instance(dies.id)) || !b.exists(tree.Trigger(dies.id)) {
					b.Fatal("the instance has left too soon for this test")
				}
				time.Sleep(25 * time.Second)
				if b.exists(tree.Trigger(dies.id)) {
					b.Error("the trigger of the dead instance stays")
				}
				lives.triggerHere("job")
				b.await("the living instance to take its trigger", func() bool { return b.runs.count("job", -1) == 2 })

				// Java's console doesn't check whether the instance exists.
				b.put(tree.Trigger("10.0.0.9@-@9"), "")
				time.Sleep(25 * time.Minute)
				if b.exists(tree.Trigger("10.0.0.9@-@9")) {
					b.Error("the trigger of an instance that never was stays")
				}
			})
		})
	}
}

// TestV38TriggerForWhoRejoins: an instance that joins again within a session timeout should find
// its trigger.
func TestV38TriggerForWhoRejoins(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		tree := b.tree.Job("job")
		job := coreagent.Job{Name: "job", Shards: 2}
		one := b.agent(1).serve(job, nil).start()
		two := b.agent(2).serve(job, nil).start()
		b.awaitOwners("job", two.id, one.id)
		two.cut()
		two.triggerHere("job")
		var taker atomic.Int64 // the session that removed the trigger
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "delete" && r.Path == tree.Trigger(two.id) {
				taker.Store(r.Session)
			}
			return zkfake.None
		})
		b.await("the session to end", func() bool { return !b.exists(tree.Instance(two.id)) })
		time.Sleep(3 * time.Second)
		two.reconnect()
		b.await("the trigger to be taken", func() bool { return !b.exists(tree.Trigger(two.id)) })
		// Its run depends on whether it has shards again, so we don't check it.
		if own := two.session("job"); taker.Load() != own {
			t.Errorf("session %#x removed the trigger, want that of the instance, %#x", taker.Load(), own)
		}
	})
}

// TestMarkerOfOneNobodySawLeave: an instance took a shard over and left while the shard's owner was
// away, so no instance saw it leave and the assignment doesn't change. Its marker should block the
// shard's owner for a session timeout at most.
func TestMarkerOfOneNobodySawLeave(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/5 * * * * ?"}, Shards: 2, Failover: true}, nil).start()
		b.awaitOwners("job", m.id, m.id)
		sleepUntilNext(5 * time.Second)
		time.Sleep(time.Second)
		tree, taker := b.tree.Job("job"), "10.0.0.9@-@9"
		b.put(tree.ItemRunning(0), taker)
		b.put(tree.ItemFailovering(0), taker)
		time.Sleep(time.Minute)
		b.runs.forget()
		from := time.Now()
		time.Sleep(20 * time.Second)
		if got := b.runs.completions("job", 2, from, time.Now()); !slices.Equal(got, []int{4, 4}) {
			t.Errorf("runs by shard in twenty seconds: %v, want four each", got)
		}
		if b.exists(tree.ItemFailovering(0)) {
			t.Error("the claim stays")
		}
	})
}

// TestClaimOfOneNobodySawLeave: an instance claimed a shard while its owner was away, and left
// before the owner returned, so no instance saw it leave and the assignment doesn't change. The
// next leader should offer the shard again.
func TestClaimOfOneNobodySawLeave(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 2, Failover: true, StaticSharding: true}
		m := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", m.id, m.id)
		m.cut()
		tree := b.tree.Job("job")
		b.await("the session to end", func() bool { return !b.exists(tree.Instance(m.id)) })
		b.put(tree.ItemFailovering(0), "10.0.0.9@-@9")
		m.reconnect()
		b.await("the claim to be released", func() bool { return !b.exists(tree.ItemFailovering(0)) })
		b.await("the shard to run as a failover", func() bool { return b.runs.count("job", 0) == 1 })
	})
}
