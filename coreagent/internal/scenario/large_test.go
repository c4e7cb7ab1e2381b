package scenario_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/registry"
)

// manyOwners is like owners, for jobs with many shards.
func (b *fixture) manyOwners(job string) []string {
	b.Helper()
	tree := b.tree.Job(job)
	owners := make([]string, len(b.children(tree.Sharding())))
	var group errgroup.Group
	group.SetLimit(100)
	for n := range owners {
		group.Go(func() error {
			data, _, err := b.client.Get(b.ctx(), tree.ItemInstance(n))
			owners[n] = string(data)
			return err
		})
	}
	b.must(group.Wait())
	return owners
}

// awaitAssigned waits until an assignment of this many shards is complete. It looks at the flags
// first. If none is set, every shard must have an owner.
func (b *fixture) awaitAssigned(job string, shards int) {
	b.Helper()
	tree := b.tree.Job(job)
	b.await(fmt.Sprintf("%d shards are assigned", shards), func() bool {
		return !b.exists(tree.Necessary()) && !b.exists(tree.Processing()) && len(b.children(tree.Sharding())) == shards
	})
}

// TestMS40ManyShards: an assignment can be larger than a ZooKeeper packet. It should still be
// possible to create, run, reshard and shrink it. If an instance sees no flag, it should see all of
// it.
func TestMS40ManyShards(t *testing.T) {
	many := 10_000
	if underRace {
		many = 3_000 // Still more than one transaction.
	}
	for _, shards := range []int{1, 100, many} {
		t.Run(fmt.Sprint(shards), func(t *testing.T) {
			onBothServers(t, func(b *fixture) {
				tree := b.tree.Job("job")
				job := coreagent.Job{Name: "job", Shards: shards, Failover: true}
				began := time.Now()
				took := func(what string) {
					b.Logf("%d shards: %s after %v", shards, what, time.Since(began).Round(time.Millisecond))
					began = time.Now()
				}
				one := b.agent(1).serve(job, nil).start()
				b.awaitAssigned("job", shards)
				took("assigned")
				if owners := b.manyOwners("job"); !slices.Equal(owners, slices.Repeat([]string{one.id}, shards)) {
					b.Error("half an assignment was shown")
				}
				one.triggerHere("job")
				b.await("they run", func() bool { return b.runs.count("job", -1) == shards })
				b.await("no marker is left", func() bool { return !b.exists(tree.ItemRunning(0)) && !b.exists(tree.ItemRunning(shards-1)) })
				took("run")

				two := b.agent(2).serve(job, nil).start()
				b.await("the second instance is noticed", func() bool { return first(b.get(tree.ItemInstance(0))) == two.id })
				b.awaitAssigned("job", shards)
				took("resharded")
				want := append(slices.Repeat([]string{two.id}, (shards+1)/2), slices.Repeat([]string{one.id}, shards/2)...)
				if shards == 1 {
					want = []string{two.id}
				}
				if owners := b.manyOwners("job"); !slices.Equal(owners, want) {
					b.Error("half an assignment was shown")
				}
				b.runs.forget()
				one.triggerHere("job")
				two.triggerHere("job")
				b.await("they run", func() bool { return b.runs.count("job", -1) == shards })
				took("run")
				b.await("no marker is left", func() bool { return !b.exists(tree.ItemRunning(0)) && !b.exists(tree.ItemRunning(shards-1)) })
				b.must(two.Stop(b.ctx()))
				b.await("the other instance has the shards", func() bool { return first(b.get(tree.ItemInstance(0))) == one.id })
				b.awaitAssigned("job", shards)
				took("resharded")
			})
		})
	}
}

// TestManyShardsAreReadAtOnce: the number of requests of an agent after a resharding should depend
// on the shards it gained, not on the total.
func TestManyShardsAreReadAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const shards = 600
		srv := zkfake.New(zkfake.Options{})
		job := coreagent.Job{Name: "job", Shards: shards}
		var agents []*coreagent.Agent
		for n := range 3 {
			agent, err := coreagent.New(coreagent.Config{
				Namespace: "many", Address: fmt.Sprintf("10.0.0.%d", n+1), InstanceSuffix: "1",
				ZooKeeper: registry.ZooKeeper{Servers: []string{"zookeeper:2181"}, Dial: srv.Dial},
				Logger:    slog.New(slog.DiscardHandler),
			})
			if err != nil {
				t.Fatal(err)
			}
			agent.HandleFunc(job, func(context.Context, *coreagent.Shard) error { return nil })
			if err := agent.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			agents = append(agents, agent)
			time.Sleep(time.Minute)
		}
		srv.ResetStats()
		if err := agents[2].Stop(t.Context()); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		// Two instances gain two hundred shards each, with three watches per shard, and the second
		// one loses as many.
		if stats := srv.Stats(); stats.Reads > 3*shards {
			t.Errorf("%d reads to reshard %d shards: %v", stats.Reads, shards, stats.Ops)
		}
		for _, agent := range agents {
			if err := agent.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestMS11LongShardStays: a long-running shard that doesn't move shouldn't delay the shards that
// do.
func TestMS11LongShardStays(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		long := make(gate)
		handle := func(ctx context.Context, s *coreagent.Shard) error {
			if s.Item == 0 {
				return long.handle(ctx, s)
			}
			return nil
		}
		job := coreagent.Job{Name: "job", Shards: 6}
		one, two, three := b.agent(1), b.agent(2), b.agent(3)
		for _, m := range []*member{one, two, three} {
			m.serve(job, handle).start()
		}
		b.awaitOwners("job", three.id, three.id, two.id, two.id, one.id, one.id)
		three.triggerHere("job")
		b.await("shards run", func() bool { return b.runs.count("job", -1) == 2 })
		b.must(one.Stop(b.ctx())) // Shard 0 stays on the third agent, which should get shards 0 to 2.
		b.awaitOwners("job", three.id, three.id, three.id, two.id, two.id, two.id)
		if running, _ := b.get(tree.ItemRunning(0)); running != three.id || !b.nthRun("job", 0, 0).end.IsZero() {
			b.Errorf("shard 0 is marked running by %q", running)
		}
		two.triggerHere("job")
		b.await("the others run", func() bool { return b.runs.count("job", 5) == 1 })
		close(long)
		b.awaitTidy("job")
		if n := b.runs.count("job", 0); n != 1 {
			b.Errorf("shard 0 ran %d times", n)
		}
	})
}
