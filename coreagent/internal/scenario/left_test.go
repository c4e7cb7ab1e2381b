package scenario_test

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestW24OrderlyStopIsVisible: if an agent stops, removes the job, or is shut down by an operator,
// it should record its departure in the registry. A process that dies shouldn't, even if an earlier
// instance with the same id left cleanly. A day later these records should be gone.
func TestW24OrderlyStopIsVisible(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		job := coreagent.Job{Name: "job", Shards: 5, Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, ReconcileInterval: time.Hour}
		tree := b.tree.Job("job")
		var all []*member
		for n := range 5 {
			all = append(all, b.agent(n+1).serve(job, nil).start())
		}
		stays, stops, removes, shutDown, dies := all[0], all[1], all[2], all[3], all[4]
		b.must(dies.Remove(b.ctx(), "job"))
		b.await("its departure", func() bool { return b.exists(tree.Left(dies.id)) })
		b.must(dies.Add(job, b.runs.handler(dies.id, nil)))
		b.await("its return", func() bool { return b.exists(tree.Instance(dies.id)) })

		b.must(stops.Stop(b.ctx()))
		b.must(removes.Remove(b.ctx(), "job"))
		b.delete(tree.Instance(shutDown.id))
		dies.kill()
		b.await("all to leave", func() bool { return len(b.children(tree.Agents())) == 1 })
		for _, m := range all {
			if got, want := b.exists(tree.Left(m.id)), m != stays && m != dies; got != want {
				b.Errorf("%s left in an orderly way: %v, want %v", m.id, got, want)
			}
		}
		time.Sleep(27 * time.Hour)
		if left := b.children(tree.AllLeft()); len(left) > 0 {
			b.Errorf("a day later the registry still has %q", left)
		}
	})
}

// TestW24RemovedJobStaysRemoved: if agents leave because an operator removes the job, they
// shouldn't create its nodes again.
func TestW24RemovedJobStaysRemoved(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1).serve(hourlyJob, nil).start()
		b.awaitOwners("job", m.id, m.id)
		tree := b.tree.Job("job")
		b.delete(tree.Config())
		b.must(m.Remove(b.ctx(), "job"))
		if b.exists(tree.AllLeft()) || b.exists(tree.Instance(m.id)) {
			b.Error("the agent has left nodes")
		}
	})
}
