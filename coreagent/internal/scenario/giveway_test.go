package scenario_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestRunGivesWayToClaimedShard: a resharding waits for runs. An instance claims a shard of a
// crashed one, and the answer comes after the next fire time. The run of that fire time waits for
// the resharding, which waits for the claimed shard. So the run should make way for the claimed
// shard.
func TestRunGivesWayToClaimedShard(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		b.session = time.Minute
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0/5 * * * ?"}, Shards: 3, Failover: true}
		tree := b.tree.Job("job")
		leads, dies := make(gate), make(gate)
		leader := b.agent(1).serve(job, func(ctx context.Context, s *coreagent.Shard) error {
			if s.Source == tracing.SourceNormal && b.runs.count("job", -1) <= 3 {
				return leads.handle(ctx, s) // It's too busy to take a shard.
			}
			return nil
		}).start()
		victim := b.agent(2).serve(job, dies.handle).start()
		taker := b.agent(3).serve(job, nil).start()
		b.await("each has a shard", func() bool {
			owners := slices.Sorted(slices.Values(b.owners("job")))
			return slices.Equal(owners, []string{leader.id, victim.id, taker.id})
		})
		next := sleepUntilNext(5 * time.Minute).Add(5 * time.Minute)
		b.await("all run", func() bool { return b.runs.count("job", -1) == 3 })
		takers := taker.session("job")
		var claimed atomic.Bool
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			for n := range 3 {
				if r.Session == takers && r.Op == "multi" && slices.Contains(r.Paths, tree.ItemFailover(n)) && claimed.CompareAndSwap(false, true) {
					return zkfake.Delay(12 * time.Second) // A control step may take fifteen.
				}
			}
			return zkfake.None
		})
		// Announce a resharding that waits for the runs.
		b.configure("job", func(c *jobconfig.Config) { c.Shards = 4 })
		session := victim.session("job")
		time.Sleep(time.Until(next.Add(-8 * time.Second)))
		victim.kill()
		srv.ExpireSession(session)
		time.Sleep(time.Until(next.Add(30 * time.Second)))
		if !claimed.Load() {
			t.Fatal("nobody has claimed the shard")
		}
		close(leads)
		b.await("the shard is failed over and the job assigned anew", func() bool {
			// The leader takes it if its release of the shard came first.
			return len(b.runsOn(taker, tracing.SourceFailover))+len(b.runsOn(leader, tracing.SourceFailover)) == 1 && len(b.leftovers("job")) == 0 && !slices.Contains(b.owners("job"), victim.id)
		})
		next = next.Add(5 * time.Minute)
		time.Sleep(time.Until(next.Add(10 * time.Second)))
		if got := b.runs.completions("job", 4, next, time.Now()); !slices.Equal(got, times(4, 1)) {
			t.Errorf("the next fire time ran %v", got)
		}
	})
}
