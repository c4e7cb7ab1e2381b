package coreagent_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
)

// TestMS40ManyItems: an assignment may be larger than one of ZooKeeper's
// packets; it is made, run and dealt out anew all the same.
func TestMS40ManyItems(t *testing.T) {
	for _, items := range []int{1, 100, 20_000} {
		t.Run(fmt.Sprint(items), func(t *testing.T) {
			both(t, func(b *bed) {
				tree := b.tree.Job("job")
				job := coreagent.Job{Name: "job", Shards: items, Failover: true}
				first := b.agent(1).serve(job, nil)
				start := time.Now()
				first.start()
				b.await("the items are dealt out", func() bool {
					return len(b.children(tree.Sharding())) == items && !b.exists(tree.Necessary()) && !b.exists(tree.Processing())
				})
				b.Logf("%d items: dealt out after %v", items, time.Since(start).Round(time.Millisecond))
				start = time.Now()
				first.order("job")
				b.await("they run", func() bool { return len(b.runs.of("job", -1)) == items })
				b.await("they have run", func() bool { return !b.exists(tree.ItemRunning(0)) && !b.exists(tree.ItemRunning(items-1)) })
				b.Logf("%d items: run after %v", items, time.Since(start).Round(time.Millisecond))

				second := b.agent(2).serve(job, nil).start()
				start = time.Now()
				want := append(slices.Repeat([]string{second.id}, (items+1)/2), slices.Repeat([]string{first.id}, items/2)...)
				if items == 1 {
					want = []string{second.id}
				}
				b.awaitOwners("job", want...)
				b.Logf("%d items: dealt out anew after %v", items, time.Since(start).Round(time.Millisecond))
				b.runs.forget()
				first.order("job")
				second.order("job")
				b.await("they run", func() bool { return len(b.runs.of("job", -1)) == items })
				b.awaitTidy("job")
			})
		})
	}
}
