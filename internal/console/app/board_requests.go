package app

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// noteFailedRequests adds the jobs of which a requested run failed since. A run that was lost with its process
// may have no execution on record.
func noteFailedRequests(ctx context.Context, history History, jobs []statistics.Job, since time.Time, active map[string]bool) error {
	if !slices.ContainsFunc(jobs, func(j statistics.Job) bool { return j.Requested }) {
		return nil
	}
	page, err := history.RequestedRuns(ctx, rdb.RequestedFilter{State: jobrun.Failed, Limit: rdb.MaxLimit})
	for _, r := range page.Runs {
		if r.Ended.After(since.Add(-boardOverlap)) {
			active[r.JobName] = true
		}
	}
	return withoutRunTables(err)
}

// withoutRunTables drops the error of a database that has no requested runs.
func withoutRunTables(err error) error {
	if errors.Is(err, rdb.ErrNoRunTables) {
		return nil
	}
	return err
}

// lostRequest returns the newest requested run of a job that failed, if none of its executions is on record, because
// they were lost with their process or pruned. It returns nil if there is no such run.
func lostRequest(ctx context.Context, history History, j statistics.Job, rows []tracing.Execution) (*explain.Run, error) {
	if !j.Requested {
		return nil, nil
	}
	page, err := history.RequestedRuns(ctx, rdb.RequestedFilter{JobName: j.Name, State: jobrun.Failed, Limit: 1})
	if err != nil || len(page.Runs) == 0 {
		return nil, withoutRunTables(err)
	}
	r := page.Runs[0]
	if r.Ended.IsZero() || r.Failed == 0 || slices.ContainsFunc(rows, func(e tracing.Execution) bool { return e.RunID == r.ID }) {
		return nil, nil
	}
	begun := r.Started
	if begun.IsZero() {
		begun = r.Submitted
	}
	if full := len(rows) > 0 && rows[len(rows)-1].StartTime.After(begun); full {
		return nil, nil // It's older than the runs that are read.
	}
	lost := &explain.Run{ScheduledAt: r.FireTime, Start: begun, End: r.Ended, Trigger: tracing.TriggerAPI}
	outcome := explain.Lost
	if r.Losses == 0 && r.Error != "" { // Its executions were pruned, or not recorded.
		outcome, lost.Cause = explain.Failed, r.Error
	}
	first := 0
	if shard, cause, ok := strings.Cut(strings.TrimPrefix(lost.Cause, "shard "), ": "); ok {
		if n, err := strconv.Atoi(shard); err == nil {
			first, lost.Cause, lost.CauseItem = n, cause, n
		}
	}
	for item := first; item < first+min(r.Failed, max(1, j.Shards)); item++ {
		lost.Shards = append(lost.Shards, explain.ShardRun{Item: item, Outcome: outcome})
	}
	return lost, nil
}

// withLostRun returns runs with a run that was lost in its place; the newest are the first.
func withLostRun(runs []explain.Run, lost *explain.Run) []explain.Run {
	if lost == nil {
		return runs
	}
	runs = append(runs, *lost)
	slices.SortStableFunc(runs, func(a, b explain.Run) int { return b.Start.Compare(a.Start) })
	return runs
}
