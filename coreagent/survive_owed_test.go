package coreagent_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// Fire times that came while something else was under way, and that nobody
// would run because everybody has a reason not to.

// TestFireTimeWaitsForABrokenResharding: the leader's connection breaks in the
// midst of a resharding, again and again, and a fire time passes. It is run
// when the resharding has succeeded, for the items that stay as well.
func TestFireTimeWaitsForABrokenResharding(t *testing.T) {
	bubble(t, func(b *bed, srv *zkfake.Server) {
		const period = 20 * time.Second
		job := coreagent.Job{Name: "job", Cron: "0/20 * * * * ?", Shards: 3}
		tree := b.tree.Job("job")
		first := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", allOf(3, first)...)
		sleepUntilNext(period)
		time.Sleep(period - time.Second)
		var broken atomic.Int64
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Path != tree.Extension()+"/agents" || r.Op == "create" { // What only a resharding reads.
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
			t.Errorf("runs by item: %v, want one each:%s", got, story(b.runs.between("job", at, time.Now())))
		}
	})
}
