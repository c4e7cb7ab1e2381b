package coreagent_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/coreagent"
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
	for _, items := range []int{1, 100, 10_000} {
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
				b.await("they run", func() bool { return len(b.runs.of("job", -1)) == items })
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
				b.await("they run", func() bool { return len(b.runs.of("job", -1)) == items })
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
