package scenario_test

import (
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// finished returns the rows of a job's ended executions, by start and shard.
func finished(members ...*member) []tracing.Execution {
	var list []tracing.Execution
	for _, m := range members {
		m.trace.mu.Lock()
		for _, e := range m.trace.executions {
			if !e.CompleteTime.IsZero() {
				list = append(list, e)
			}
		}
		m.trace.mu.Unlock()
	}
	slices.SortFunc(list, func(a, b tracing.Execution) int {
		if a.RunID == b.RunID {
			return a.Item - b.Item
		}
		return a.StartTime.Compare(b.StartTime)
	})
	return list
}

// TestRowsNameTheirRun: all instances should record the same run and the reason for a fire time,
// and likewise for an operator's trigger. The failover of a shard should belong to the run of its
// fire time.
func TestRowsNameTheirRun(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		b.session = 6 * time.Second
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 2, Failover: true}
		dies := make(gate)
		one, two := b.agent(1).serve(job, nil).start(), b.agent(2).serve(job, dies.handle).start()
		b.awaitOwners("job", two.id, one.id)
		at := sleepUntilNext(time.Hour)
		b.await("both run", func() bool { return b.runs.count("job", -1) == 2 })
		two.kill()
		b.await("the shard is failed over", func() bool { return len(b.runsOn(one, tracing.SourceFailover)) == 1 && len(b.leftovers("job")) == 0 })
		three := b.agent(3).serve(job, nil).start()
		b.awaitOwners("job", three.id, one.id)
		if _, err := lifecycle.NewOperator(treetest.Registry(b.client, b.tree)).Trigger(b.ctx(), "job"); err != nil {
			t.Fatal(err)
		}
		b.await("the trigger is served", func() bool { return len(finished(one, three)) == 4 })
		b.awaitTidy("job")

		rows := finished(one, three)
		for i, want := range []struct {
			trigger tracing.Trigger
			fire    time.Time
		}{{tracing.TriggerFailover, at}, {tracing.TriggerSchedule, at}, {tracing.TriggerManual, time.Time{}}, {tracing.TriggerManual, time.Time{}}} {
			if got := rows[i]; got.Trigger != want.trigger || !got.ScheduledAt.Equal(want.fire) || got.RunID == "" || len(got.RunID) > 40 {
				t.Errorf("row %d: run %q for %v, why %q; want %v, %q", i, got.RunID, got.ScheduledAt, got.Trigger, want.fire, want.trigger)
			}
		}
		if rows[0].RunID != rows[1].RunID || rows[2].RunID != rows[3].RunID || rows[1].RunID == rows[2].RunID {
			t.Errorf("runs %q, %q, %q, %q: want the first two alike, and the last two", rows[0].RunID, rows[1].RunID, rows[2].RunID, rows[3].RunID)
		}
	})
}
