package runs

import (
	"context"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestTheTrailOfARun: if a run has task ids of its own, its trail has all their steps, however long before the first
// execution, and no step of another run. Java agents use a task id for all runs of an assignment, so the trail has
// only the steps at the time of the run.
func TestTheTrailOfARun(t *testing.T) {
	t.Parallel()
	states := []tracing.State{tracing.StateStaging, tracing.StateRunning, tracing.StateFinished}
	begin := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	run := func(id, turn string, at time.Time) rdb.Run {
		e := tracing.Execution{ID: id, JobName: "mail", RunID: id, TaskID: jobtree.TaskID("mail", []int{0, 1}, "10.0.0.1@-@7", turn), StartTime: at, CompleteTime: at.Add(time.Second), Success: true}
		return rdb.GroupRuns([]tracing.Execution{e})[0]
	}
	for name, test := range map[string]struct {
		turns [2]string
		want  int
	}{"ours": {[2]string{"aaaaaaaaaa", "bbbbbbbbbb"}, 3}, "Java's": {[2]string{"", ""}, 2}} {
		first, second := run("F1", test.turns[0], begin), run("F2", test.turns[1], begin.Add(10*time.Second))
		var steps []tracing.Status
		for _, r := range []rdb.Run{first, second} {
			for i, after := range []time.Duration{-4 * time.Second, 0, time.Second} {
				steps = append(steps, tracing.Status{ID: r.ID, TaskID: r.Executions[0].TaskID, State: states[i], CreationTime: r.Start.Add(after)})
			}
		}
		trail, err := readTrail(second, begin.Add(time.Hour), func(f rdb.StatusFilter) (page rdb.StatusPage, err error) {
			for _, s := range steps {
				if s.TaskID == f.TaskID && (f.From.IsZero() || !s.CreationTime.Before(f.From)) && (f.To.IsZero() || !s.CreationTime.After(f.To)) {
					page.Rows = append([]tracing.Status{s}, page.Rows...)
				}
			}
			return page, context.Cause(t.Context())
		})
		if err != nil || len(trail) != test.want {
			t.Errorf("%s: %d steps, want %d: %v", name, len(trail), test.want, err)
		}
		for _, s := range trail {
			if s.ID != second.ID {
				t.Errorf("%s: a step of another run", name)
			}
		}
	}
}
