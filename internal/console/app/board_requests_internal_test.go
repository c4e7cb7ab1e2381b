package app

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// requestedOnly is a history with requested runs.
type requestedOnly struct {
	oneJob
	runs []tracing.RunRecord
}

func (h *requestedOnly) RequestedRuns(context.Context, rdb.RequestedFilter) (rdb.RequestedPage, error) {
	return rdb.RequestedPage{Runs: h.runs}, nil
}

// TestALostRequestedRunIsOnRecord: a requested run that was lost with its process has no execution on record. The
// job fails by it, until a newer run succeeds.
func TestALostRequestedRunIsOnRecord(t *testing.T) {
	t.Parallel()
	rows := wentWell(2, 1)
	last := rows[0].StartTime
	lost := tracing.RunRecord{ID: "lost", JobName: "j", State: "failed", Failed: 1, Started: last.Add(time.Minute), Ended: last.Add(2 * time.Minute)}
	older, begun := lost, lost
	older.Started, older.Ended = last.Add(-time.Second), last
	begun.ID = rows[0].RunID
	pruned := lost
	pruned.Error = "shard 3: refused"
	for name, c := range map[string]struct {
		rows      []tracing.Execution
		run       tracing.RunRecord
		requested bool
		want      explain.State
		cause     string
	}{
		"no other run is on record":  {nil, lost, true, explain.Failing, ""},
		"its executions were pruned": {nil, pruned, true, explain.Failing, "refused"},
		"it's the newest run":        {rows, lost, true, explain.Failing, ""},
		"a newer run succeeded":      {rows, older, true, explain.Healthy, ""},
		"its executions count":       {rows, begun, true, explain.Healthy, ""},
		"none was requested":         {rows, lost, false, explain.Healthy, ""},
	} {
		var b board
		jobs := []statistics.Job{{Name: "j", Shards: 1, Status: statistics.StatusOK, OneOff: true, Requested: c.requested}}
		now := last.Add(3 * time.Minute)
		history := &requestedOnly{oneJob{rows: c.rows}, []tracing.RunRecord{c.run}}
		if err := b.refresh(t.Context(), history, nothingFired, jobs, now); err != nil {
			t.Fatal(err)
		}
		if got := b.look(jobs, false, now).States[0]; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if d := b.entries["j"].open; d.Cause != c.cause || c.cause != "" && !slices.Equal(d.Failed, []int{3}) {
			t.Errorf("%s: %q, failed %v", name, d.Cause, d.Failed)
		}
	}
}
