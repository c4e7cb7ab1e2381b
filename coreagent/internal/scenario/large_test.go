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

// manyOwners is owners for jobs with many items.
func (b *bed) manyOwners(job string) []string {
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

// awaitDealt waits until a distribution of this many items is complete. The
// flags are looked at first: without them an item must have an owner.
func (b *bed) awaitDealt(job string, items int) {
	b.Helper()
	tree := b.tree.Job(job)
	b.await(fmt.Sprintf("%d items are dealt out", items), func() bool {
		return !b.exists(tree.Necessary()) && !b.exists(tree.Processing()) && len(b.children(tree.Sharding())) == items
	})
}

// TestMS40ManyItems: an assignment may be larger than one of ZooKeeper's
// packets; it is made, run, dealt out anew and made smaller all the same, and
// who sees no flag sees all of it.
func TestMS40ManyItems(t *testing.T) {
	many := 10_000
	if underRace {
		many = 3_000 // Still more than one transaction.
	}
	for _, items := range []int{1, 100, many} {
		t.Run(fmt.Sprint(items), func(t *testing.T) {
			both(t, func(b *bed) {
				tree := b.tree.Job("job")
				job := coreagent.Job{Name: "job", Shards: items, Failover: true}
				began := time.Now()
				took := func(what string) {
					b.Logf("%d items: %s after %v", items, what, time.Since(began).Round(time.Millisecond))
					began = time.Now()
				}
				one := b.agent(1).serve(job, nil).start()
				b.awaitDealt("job", items)
				took("dealt out")
				if owners := b.manyOwners("job"); !slices.Equal(owners, slices.Repeat([]string{one.id}, items)) {
					b.Error("half an assignment was shown")
				}
				one.order("job")
				b.await("they run", func() bool { return b.runs.count("job", -1) == items })
				b.await("no mark is left", func() bool { return !b.exists(tree.ItemRunning(0)) && !b.exists(tree.ItemRunning(items-1)) })
				took("run")

				two := b.agent(2).serve(job, nil).start()
				b.await("the second instance is noticed", func() bool { return first(b.get(tree.ItemInstance(0))) == two.id })
				b.awaitDealt("job", items)
				took("dealt out anew")
				want := append(slices.Repeat([]string{two.id}, (items+1)/2), slices.Repeat([]string{one.id}, items/2)...)
				if items == 1 {
					want = []string{two.id}
				}
				if owners := b.manyOwners("job"); !slices.Equal(owners, want) {
					b.Error("half an assignment was shown")
				}
				b.runs.forget()
				one.order("job")
				two.order("job")
				b.await("they run", func() bool { return b.runs.count("job", -1) == items })
				took("run")
				b.await("no mark is left", func() bool { return !b.exists(tree.ItemRunning(0)) && !b.exists(tree.ItemRunning(items-1)) })
				b.must(two.Stop(b.ctx()))
				b.await("the other instance has the items", func() bool { return first(b.get(tree.ItemInstance(0))) == one.id })
				b.awaitDealt("job", items)
				took("dealt out anew")
			})
		})
	}
}

// TestManyItemsAreReadAtOnce: what an agent asks the server after items were
// dealt out anew grows with the items it gained, not with all there are.
func TestManyItemsAreReadAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const items = 600
		srv := zkfake.New(zkfake.Options{})
		job := coreagent.Job{Name: "job", Shards: items}
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
		// Two hundred items more each for two, of which three things are
		// watched; the same number leaves the second one's hands.
		if stats := srv.Stats(); stats.Reads > 3*items {
			t.Errorf("%d reads to deal %d items out anew: %v", stats.Reads, items, stats.Ops)
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

// TestMS11LongItemStays: an item that runs long and stays where it is does not
// hold up the others, which move.
func TestMS11LongItemStays(t *testing.T) {
	both(t, func(b *bed) {
		tree := b.tree.Job("job")
		long := make(gate)
		body := func(ctx context.Context, s *coreagent.Shard) error {
			if s.Item == 0 {
				return long.body(ctx, s)
			}
			return nil
		}
		job := coreagent.Job{Name: "job", Shards: 6}
		one, two, three := b.agent(1), b.agent(2), b.agent(3)
		for _, m := range []*member{one, two, three} {
			m.serve(job, body).start()
		}
		b.awaitOwners("job", three.id, three.id, two.id, two.id, one.id, one.id)
		three.order("job")
		b.await("items run", func() bool { return b.runs.count("job", -1) == 2 })
		b.must(one.Stop(b.ctx())) // Item 0 stays on three, which is to have items 0 to 2.
		b.awaitOwners("job", three.id, three.id, three.id, two.id, two.id, two.id)
		if running, _ := b.get(tree.ItemRunning(0)); running != three.id || !b.nthRun("job", 0, 0).end.IsZero() {
			b.Errorf("item 0 is marked running by %q", running)
		}
		two.order("job")
		b.await("the others run", func() bool { return b.runs.count("job", 5) == 1 })
		close(long)
		b.awaitTidy("job")
		if n := b.runs.count("job", 0); n != 1 {
			b.Errorf("item 0 ran %d times", n)
		}
	})
}
