package app

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// lossHistory is a history that knows the events of instances. A database calls an execution
// running until its shard begins again; the events show earlier that it's lost.
type lossHistory struct {
	History
	log *members.Log
	now func() time.Time
}

// mark marks executions that ended with their instance, and returns how many there are.
func mark(absent members.Absent, rows []tracing.Execution) (n int) {
	for i := range rows {
		if absent.Ended(&rows[i]) {
			rows[i].Lost = true
			n++
		}
	}
	return n
}

func markRun(absent members.Absent, r rdb.Run) rdb.Run {
	if r.Running == 0 || mark(absent, r.Executions) == 0 {
		return r
	}
	marked := rdb.GroupRuns(r.Executions)[0]
	marked.Truncated = r.Truncated
	return marked
}

// LastRuns implements [History].
func (h *lossHistory) LastRuns(ctx context.Context, jobs []string, perJob int) (map[string][]tracing.Execution, error) {
	list, err := h.History.LastRuns(ctx, jobs, perJob)
	absent := h.log.Absent(h.now())
	for _, rows := range list {
		mark(absent, rows)
	}
	return list, err
}

// Run implements [History].
func (h *lossHistory) Run(ctx context.Context, job, id string) (rdb.Run, error) {
	r, err := h.History.Run(ctx, job, id)
	return markRun(h.log.Absent(h.now()), r), err
}

// Executions implements [History].
func (h *lossHistory) Executions(ctx context.Context, f rdb.ExecutionFilter) (page rdb.ExecutionPage, err error) {
	absent := h.log.Absent(h.now())
	page.Rows, page.NextCursor, err = withLost(absent, f.State, f.Cursor, f.Limit, rdb.StateOf, func(state rdb.RunState, limit int) ([]tracing.Execution, string, error) {
		f.State, f.Limit = state, limit
		page, err := h.History.Executions(ctx, f)
		mark(absent, page.Rows)
		return page.Rows, page.NextCursor, err
	})
	return page, err
}

// CountExecutions implements [History].
func (h *lossHistory) CountExecutions(ctx context.Context, f rdb.ExecutionFilter, atMost int) (n int, exact bool, err error) {
	n, exact, err = h.History.CountExecutions(ctx, f, atMost)
	absent := h.log.Absent(h.now())
	if by := map[rdb.RunState]int{rdb.RunRunning: -1, rdb.RunLost: 1}[f.State]; err == nil && by != 0 && len(absent) > 0 {
		f.State, f.Limit, f.Cursor = rdb.RunRunning, rdb.MaxLimit, ""
		var page rdb.ExecutionPage
		page, err = h.History.Executions(ctx, f)
		n += by * mark(absent, page.Rows)
	}
	return n, exact, err
}

// Runs implements [History].
func (h *lossHistory) Runs(ctx context.Context, f rdb.RunFilter) (page rdb.RunPage, err error) {
	absent := h.log.Absent(h.now())
	stateOf := func(r rdb.Run) rdb.RunState { return r.State }
	page.Runs, page.NextCursor, err = withLost(absent, f.State, f.Cursor, f.Limit, stateOf, func(state rdb.RunState, limit int) ([]rdb.Run, string, error) {
		f.State, f.Limit = state, limit
		page, err := h.History.Runs(ctx, f)
		for i, r := range page.Runs {
			page.Runs[i] = markRun(absent, r)
		}
		return page.Runs, page.NextCursor, err
	})
	return page, err
}

// withLost reads a page of rows in a state. The first page also has the rows that are in this
// state by the events, and running by the database.
func withLost[T any](absent members.Absent, state rdb.RunState, cursor string, limit int, stateOf func(T) rdb.RunState,
	read func(state rdb.RunState, limit int) ([]T, string, error)) (rows []T, next string, err error) {
	if len(absent) == 0 || state == rdb.RunAny {
		return read(state, limit)
	}
	other := func(row T) bool { return stateOf(row) != state }
	if (state == rdb.RunLost || state == rdb.RunFailed) && cursor == "" {
		if rows, _, err = read(rdb.RunRunning, rdb.MaxLimit); err != nil {
			return nil, "", err
		}
		limit = cmp.Or(max(limit, 0), rdb.DefaultLimit)
		rows = slices.DeleteFunc(rows, other)
		rows = rows[:min(len(rows), limit-1)]
	}
	more, next, err := read(state, limit-len(rows))
	return append(rows, slices.DeleteFunc(more, other)...), next, err
}

// Summarize implements [History].
func (h *lossHistory) Summarize(ctx context.Context, f rdb.RunFilter, now time.Time) (rdb.Summary, error) {
	sum, err := h.History.Summarize(ctx, f, now)
	err = h.eachLost(ctx, f, err, func(r rdb.Run) {
		for i, state := range []rdb.RunState{r.State, rdb.RunRunning} {
			if f.State != rdb.RunAny && f.State != state {
				continue
			}
			by := 1 - 2*i
			sum.Runs += by
			addTo(&sum.States, by, string(state))
			addTo(&sum.Jobs, by, r.JobName)
			addTo(&sum.Triggers, by, string(r.Trigger))
			addTo(&sum.Instances, by, r.IPs...)
		}
	})
	return sum, err
}

// Histogram implements [History].
func (h *lossHistory) Histogram(ctx context.Context, f rdb.RunFilter, from, to time.Time, buckets int) ([]rdb.Bucket, error) {
	list, err := h.History.Histogram(ctx, f, from, to, buckets)
	err = h.eachLost(ctx, f, err, func(r rdb.Run) {
		for _, e := range r.Executions {
			i := slices.IndexFunc(list, func(b rdb.Bucket) bool { return !e.StartTime.Before(b.From) && e.StartTime.Before(b.To) })
			if i < 0 || !e.Lost {
				continue
			}
			switch b := &list[i]; f.State {
			case rdb.RunRunning:
				b.Began = max(0, b.Began-1)
			case rdb.RunLost:
				b.Began, b.Failed = b.Began+1, b.Failed+1
			case rdb.RunAny:
				b.Failed = min(b.Failed+1, b.Began)
			}
		}
	})
	return list, err
}

// eachLost calls do for each run of a filter that is running by the database, and not by the events.
func (h *lossHistory) eachLost(ctx context.Context, f rdb.RunFilter, err error, do func(rdb.Run)) error {
	absent := h.log.Absent(h.now())
	if err != nil || len(absent) == 0 || f.State == rdb.RunSuccess || f.State == rdb.RunCancelled {
		return err
	}
	f.State, f.Limit, f.Cursor = rdb.RunRunning, rdb.MaxLimit, ""
	page, err := h.History.Runs(ctx, f)
	for _, r := range page.Runs {
		if r = markRun(absent, r); r.State != rdb.RunRunning {
			do(r)
		}
	}
	return err
}

// addTo adds to the counts of values.
func addTo(facet *[]rdb.FacetCount, by int, values ...string) {
	for _, value := range values {
		i := slices.IndexFunc(*facet, func(f rdb.FacetCount) bool { return f.Value == value })
		if i < 0 && value != "" {
			i, *facet = len(*facet), append(*facet, rdb.FacetCount{Value: value, Label: value})
		}
		if i >= 0 {
			(*facet)[i].Count += by
		}
	}
	*facet = slices.DeleteFunc(*facet, func(f rdb.FacetCount) bool { return f.Count == 0 })
}
