package scenario_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestK18LeaderDeleted: exactly one of the living agents should become the leader, and no latch
// node should be left.
func TestK18LeaderDeleted(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		job := coreagent.Job{Name: "job", Shards: 2}
		b.agent(1).serve(job, nil).start()
		b.agent(2).serve(job, nil).start()
		b.awaitOwners("job", "10.0.0.2@-@2", "10.0.0.1@-@1")
		for range 3 {
			before := b.stat(tree.LeaderInstance()).Czxid
			b.wire.forget()
			b.delete(tree.LeaderInstance())
			b.await("another leader", func() bool {
				stat := b.stat(tree.LeaderInstance())
				return stat.Czxid > before && stat.EphemeralOwner != 0
			})
			leader, _ := b.get(tree.LeaderInstance())
			if stat := b.stat(tree.LeaderInstance()); stat.EphemeralOwner != b.stat(tree.Instance(leader)).EphemeralOwner {
				b.Errorf("leader %s under a session that is not its instance's", leader)
			}
			b.awaitTidy("job")
			if n := b.counts("job", "+e leader/election/instance"); n != 1 {
				b.Errorf("%d elections of one leader", n)
			}
		}
	})
}

// TestK20DescendingInstances: shards should be assigned to the instances in descending order,
// because every leader must do the same.
func TestK20DescendingInstances(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		for _, n := range []int{1, 2} {
			suffix := string(rune('a' - 1 + n))
			b.agent(n, func(cfg *coreagent.Config) { cfg.InstanceSuffix = suffix }).
				serve(coreagent.Job{Name: "job", Shards: 3}, nil).start()
		}
		b.awaitOwners("job", "10.0.0.2@-@b", "10.0.0.1@-@a", "10.0.0.2@-@b")
	})
}

// TestK24UnknownStrategy: an unknown strategy should fail each trigger, but not the agent. The job
// should run again when an operator has fixed the configuration.
func TestK24UnknownStrategy(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		config := jobconfig.New("job", 2)
		config.StrategyType, config.Cron = "X", "* * * * * ?"
		b.store(config, "job")
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 2}, nil).
			serve(coreagent.Job{Name: "sane", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}, nil).start()
		const message = `msg="run failed"`
		b.await("two failed runs", func() bool { return b.log.count(message) >= 2 })
		if b.log.count("Cannot find sharding strategy using type 'X'.") < 2 {
			b.Errorf("the log lacks the reason")
		}
		if b.runs.count("job", -1) > 0 {
			b.Error("the job ran")
		}
		b.await("other jobs run on", func() bool { return b.runs.count("sane", 0) >= 2 })
		b.configure("job", func(c *jobconfig.Config) { c.StrategyType = "ODEVITY" })
		b.awaitOwners("job", m.id, m.id)
		b.await("the job runs", func() bool { return b.runs.count("job", 1) >= 1 })
	})
}

// TestK26K27ShardCount: if the number of shards is reduced or raised, they should be removed from
// the tree or added.
func TestK26K27ShardCount(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 3}, nil).start()
		b.awaitOwners("job", m.id, m.id, m.id)
		b.wire.forget()
		b.configure("job", func(c *jobconfig.Config) { c.Shards = 1 })
		b.awaitOwners("job", m.id)
		b.wantOrder("job", "+ leader/sharding/necessary", "- sharding/1", "+ sharding/0/instance, - leader/sharding/necessary, - leader/sharding/processing")
		b.wantOrder("job", "+ leader/sharding/necessary", "- sharding/2", "+ sharding/0/instance, - leader/sharding/necessary, - leader/sharding/processing")
		if names := b.children(tree.Sharding()); !slices.Equal(names, []string{"0"}) {
			b.Errorf("shards %q", names)
		}
		m.triggerHere("job")
		b.await("one run", func() bool { return b.runs.count("job", -1) == 1 })
		b.wire.forget()
		b.configure("job", func(c *jobconfig.Config) { c.Shards = 3 })
		b.awaitOwners("job", m.id, m.id, m.id)
		b.wantOrder("job", "+ leader/sharding/necessary", "+ sharding/1, + sharding/2", "+ sharding/0/instance, + sharding/1/instance, + sharding/2/instance")
		m.triggerHere("job")
		b.await("three more runs", func() bool { return b.runs.count("job", -1) == 4 })
		b.awaitTidy("job")
	})
}

// TestK28FollowerWaits: while a resharding is pending, a follower should start nothing. It should
// continue as soon as both flags are removed.
func TestK28FollowerWaits(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		// The leader never does anything.
		b.store(jobconfig.New("job", 1), "job")
		_, err := b.client.CreateAll(b.ctx(), tree.LeaderInstance(), []byte("10.0.0.9@-@9"), zk.Ephemeral)
		b.must(err)
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, nil).start()
		b.put(tree.ItemInstance(0), m.id)
		b.put(tree.Necessary(), "")
		m.triggerHere("job")
		b.await("the trigger is taken", func() bool { return !b.exists(tree.Trigger(m.id)) })
		quiet := func() bool { return b.runs.count("job", -1) == 0 && b.exists(tree.Necessary()) }
		b.while(300*time.Millisecond, "the follower waits for the leader", quiet)
		b.put(tree.Processing(), "")
		b.while(300*time.Millisecond, "the follower waits for the leader", quiet)
		gone := time.Now()
		b.must(b.client.Multi(b.ctx(), zk.DeleteOp(tree.Necessary(), zk.AnyVersion), zk.DeleteOp(tree.Processing(), zk.AnyVersion)))
		b.await("the follower runs", func() bool { return b.runs.count("job", 0) == 1 })
		if took := b.nthRun("job", 0, 0).start.Sub(gone); b.virtual() && took >= 200*time.Millisecond {
			b.Errorf("the follower ran %v after the flags were removed", took)
		}
		b.await("the run has ended", func() bool { return len(m.trace.states("job")) == 3 })
		b.awaitTidy("job")
	})
}

// TestK29LeaderWaitsForRunningShards: the leader should only wait for them with monitorExecution.
func TestK29LeaderWaitsForRunningShards(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		for _, monitor := range []bool{true, false} {
			name := map[bool]string{true: "monitored", false: "unmonitored"}[monitor]
			tree := b.tree.Job(name)
			open := make(gate)
			job := coreagent.Job{Name: name, Shards: 2, Unmonitored: !monitor}
			one := b.agent(1).serve(job, open.handle).start()
			b.awaitOwners(name, one.id, one.id)
			one.triggerHere(name)
			b.await("shards run", func() bool { return b.runs.count(name, -1) == 2 })
			two := b.agent(2).serve(job, nil).start()
			if monitor {
				b.await("a resharding is announced", func() bool { return b.exists(tree.Necessary()) })
				b.while(time.Second, "the leader waits", func() bool {
					return slices.Equal(b.owners(name), []string{one.id, one.id}) && b.exists(tree.Necessary())
				})
				close(open)
			}
			b.awaitOwners(name, two.id, one.id)
			if !monitor {
				if ended := b.nthRun(name, 0, 0).end; !ended.IsZero() {
					b.Error("the run had ended when the shards moved: the test proves nothing")
				}
				close(open)
			}
			b.awaitTidy(name)
			b.must(one.Stop(b.ctx()))
			b.must(two.Stop(b.ctx()))
		}
	})
}

// TestDisabledServerLosesShards: a disabled server should lose its shards and get them back later,
// without a restart.
func TestDisabledServerLosesShards(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		job := coreagent.Job{Name: "job", Shards: 2}
		one := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", one.id, one.id)
		two := b.agent(2).serve(job, nil).start()
		b.awaitOwners("job", two.id, one.id)
		for _, m := range []*member{one, two} { // One of them is the leader.
			other := map[*member]*member{one: two, two: one}[m]
			server := tree.Server(jobtree.InstanceIP(m.id))
			b.put(server, jobtree.ServerDisabled)
			b.awaitOwners("job", other.id, other.id)
			b.await("the other one leads", func() bool { return first(b.get(tree.LeaderInstance())) == other.id })
			b.must(m.Trigger(b.ctx(), "job"))
			b.await("the other one runs both", func() bool { return b.runs.count("job", -1)%2 == 0 && b.runs.count("job", -1) > 0 })
			b.await("the disabled one takes its trigger, before it may run something again", func() bool {
				return slices.Contains(m.trace.states("job"), "TASK_FINISHED Sharding item for job 'job' is empty.")
			})
			for _, r := range b.runs.of("job", -1) {
				if r.agent != other.id {
					b.Errorf("the disabled server %s ran shard %d", m.id, r.shard.Item)
				}
			}
			b.put(server, jobtree.ServerEnabled)
			b.awaitOwners("job", two.id, one.id)
			b.runs.forget()
		}
		b.awaitTidy("job")
	})
}

// TestShardEnabledWhileAReshardingWaits: a shard is enabled while a resharding waits for a run. The
// shard can't run in that time, but should make up for fire times after it was enabled.
func TestShardEnabledWhileAReshardingWaits(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		const period = time.Minute
		tree, release := b.tree.Job("job"), make(chan struct{})
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 3}
		one := b.agent(2).serve(job, func(_ context.Context, s *coreagent.Shard) error {
			if s.Item == 1 {
				select {
				case <-release:
				case <-time.After(time.Hour):
				}
			}
			return nil
		}).start()
		b.awaitOwners("job", one.id, one.id, one.id)
		b.put(tree.ItemDisabled(0), "")
		time.Sleep(period + time.Second) // Shard 1 is working now, and it should move.
		b.agent(1).serve(job, nil).start()
		b.await("a resharding waits", func() bool { return b.exists(tree.Necessary()) })
		b.delete(tree.ItemDisabled(0))
		enabled := time.Now()
		fire := enabled.Truncate(period).Add(period)
		time.Sleep(time.Until(fire.Add(10 * time.Second)))
		close(release)
		time.Sleep(period / 2)
		if runs := b.runs.of("job", 0); len(runs) != 1 || !runs[0].shard.ScheduledAt.Equal(fire) {
			b.Errorf("shard 0 ran %d times, want once, for %s: it was enabled at %s:%s", len(runs), fire, enabled, story(b.runs.all()))
		}
	})
}

// TestK49DisabledShard: a disabled shard should be left out, and run again when it's enabled. If
// all are disabled, the run should be empty.
func TestK49DisabledShard(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 2}, nil).start()
		b.awaitOwners("job", m.id, m.id)
		b.put(tree.ItemDisabled(0), "")
		m.triggerHere("job")
		b.await("the enabled shard runs", func() bool { return b.runs.count("job", 1) == 1 })
		b.await("its states", func() bool { return len(m.trace.states("job")) == 3 })
		b.put(tree.ItemDisabled(1), "")
		m.triggerHere("job")
		b.await("an empty run", func() bool { return len(m.trace.states("job")) == 5 })
		want := []string{"TASK_STAGING Job 'job' execute begin.", "TASK_FINISHED Sharding item for job 'job' is empty."}
		if got := m.trace.states("job")[3:]; !slices.Equal(got, want) {
			b.Errorf("states %q, want %q", got, want)
		}
		b.delete(tree.ItemDisabled(0))
		b.delete(tree.ItemDisabled(1))
		m.triggerHere("job")
		b.await("both run", func() bool { return b.runs.count("job", 0) == 1 && b.runs.count("job", 1) == 2 })
	})
}

// TestFencingTokenGrows: the token should grow with each change of a shard's owner, and otherwise
// stay the same.
func TestFencingTokenGrows(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		job := coreagent.Job{Name: "job", Shards: 1}
		tree := b.tree.Job("job")
		one := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", one.id)
		token := func(owner *member) int64 {
			b.awaitOwners("job", owner.id)
			n := b.runs.count("job", 0)
			dropped := func() int { return strings.Count(b.log.String(), "trigger dropped") }
			drops := dropped()
			owner.triggerHere("job")
			b.await("a run", func() bool {
				// As in ElasticJob, a trigger is dropped while the previous run is cleaning up.
				if now := dropped(); now > drops {
					drops = now
					owner.triggerHere("job")
				}
				return b.runs.count("job", 0) > n
			})
			return b.nthRun("job", 0, n).shard.FencingToken
		}
		last := token(one)
		if again := token(one); again != last || last <= 0 {
			b.Errorf("token %d, then %d, without a change of owner", last, again)
		}
		two := b.agent(2).serve(job, nil).start() // It sorts first, so it gets the shard.
		for _, owner := range []*member{two, one, two} {
			if owner == one {
				b.put(tree.Server("10.0.0.2"), jobtree.ServerDisabled)
			} else {
				b.put(tree.Server("10.0.0.2"), jobtree.ServerEnabled)
			}
			now := token(owner)
			if now <= last {
				b.Errorf("token %d of %s does not grow over %d", now, owner.id, last)
			}
			last = now
		}
	})
}

// TestK68StaticSharding: a second agent should change nothing, but a new number of shards should.
func TestK68StaticSharding(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		job := coreagent.Job{Name: "job", Shards: 2, StaticSharding: true}
		one := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", one.id, one.id)
		two := b.agent(2).serve(job, nil).start()
		b.while(time.Second, "shards stay", func() bool {
			return !b.exists(tree.Necessary()) && slices.Equal(b.owners("job"), []string{one.id, one.id})
		})
		b.configure("job", func(c *jobconfig.Config) { c.Shards = 4 })
		b.awaitOwners("job", two.id, two.id, one.id, one.id)
	})
}

// TestReshardingUnderLoad: instances join and leave while the job runs every second. No shard
// should ever run twice at once, and none should get lost.
func TestReshardingUnderLoad(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		var now [4]atomic.Int32
		var overlaps atomic.Int32
		handle := func(ctx context.Context, s *coreagent.Shard) error {
			if now[s.Item].Add(1) > 1 {
				overlaps.Add(1)
			}
			defer now[s.Item].Add(-1)
			select {
			case <-time.After(100 * time.Millisecond):
			case <-ctx.Done():
			}
			return nil
		}
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 4}
		one := b.agent(1).serve(job, handle).start()
		for n := 2; n <= 4; n++ {
			m := b.agent(n).serve(job, handle).start()
			b.await("the newcomer runs", func() bool {
				return slices.ContainsFunc(b.runs.of("job", -1), func(r run) bool { return r.agent == m.id })
			})
			b.must(m.Stop(b.ctx()))
		}
		b.awaitOwners("job", one.id, one.id, one.id, one.id)
		if n := overlaps.Load(); n > 0 {
			b.Errorf("%d overlaps", n)
		}
		fires := make(map[int64][4]int)
		for _, r := range b.runs.of("job", -1) {
			counts := fires[r.shard.ScheduledAt.Unix()]
			counts[r.shard.Item]++
			fires[r.shard.ScheduledAt.Unix()] = counts
		}
		for at, counts := range fires {
			for shard, n := range counts {
				if n > 1 {
					b.Errorf("fire time %d: shard %d ran %d times", at, shard, n)
				}
			}
		}
	})
}
