package consoletest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// runRecord is what a trace database in memory has of requested runs. Tests change it
// before they ask, or by Change.
type runRecord struct {
	changing sync.Mutex
	OldRuns  []tracing.RunRecord
	RunStep  []tracing.RunStep
	Progress []tracing.Progress
	Lines    []tracing.LogLine
	RunErr   error // of every read of requested runs
}

// Change changes the record while a console reads it.
func (f *runRecord) Change(change func()) {
	f.changing.Lock()
	defer f.changing.Unlock()
	change()
}

// SampleOld is a run of the job invoices that the trace database alone has.
const SampleOld = "0193a5b0-7c09-7000-8000-5f2a9c31d0d1"

// RequestedRun returns one of OldRuns.
func (f *runRecord) RequestedRun(_ context.Context, job, id string) (tracing.RunRecord, error) {
	f.changing.Lock()
	defer f.changing.Unlock()
	for _, r := range f.OldRuns {
		if r.ID == id && r.JobName == job {
			return r, f.RunErr
		}
	}
	return tracing.RunRecord{}, cmp.Or(f.RunErr, rdb.ErrNoRun)
}

// RequestedRuns returns OldRuns, in the order that they have. It filters by the job, the
// state, the key and the time.
func (f *runRecord) RequestedRuns(_ context.Context, filter rdb.RequestedFilter) (page rdb.RequestedPage, err error) {
	f.changing.Lock()
	defer f.changing.Unlock()
	if f.RunErr != nil {
		return page, f.RunErr
	}
	from := 0
	if filter.Cursor != "" {
		if _, err := fmt.Sscanf(filter.Cursor, "at-%d", &from); err != nil {
			return page, rdb.ErrInvalidCursor
		}
	}
	for i, r := range f.OldRuns {
		if i < from || filter.JobName != "" && r.JobName != filter.JobName || filter.Origin != "" && r.Origin != filter.Origin || filter.State != "" && r.State != filter.State || filter.Key != "" && r.Key != filter.Key ||
			r.Submitted.Before(filter.From) || !filter.To.IsZero() && r.Submitted.After(filter.To) {
			continue
		}
		if len(page.Runs) == filter.Limit {
			page.Next = fmt.Sprintf("at-%d", i)
			break
		}
		page.Runs = append(page.Runs, r)
	}
	return page, nil
}

// RunSteps returns those of the run.
func (f *runRecord) RunSteps(_ context.Context, _, id string) (list []tracing.RunStep, err error) {
	f.changing.Lock()
	defer f.changing.Unlock()
	return of(f.RunStep, func(s tracing.RunStep) bool { return s.RunID == id }), f.RunErr
}

// RunProgress returns that of the run.
func (f *runRecord) RunProgress(_ context.Context, _, id string) (list []tracing.Progress, err error) {
	f.changing.Lock()
	defer f.changing.Unlock()
	return of(f.Progress, func(p tracing.Progress) bool { return p.RunID == id }), f.RunErr
}

// RunLogs counts the lines.
func (f *runRecord) RunLogs(_ context.Context, _, id string) (list []rdb.LogOf, err error) {
	f.changing.Lock()
	defer f.changing.Unlock()
	for _, l := range f.Lines {
		i := slices.IndexFunc(list, func(o rdb.LogOf) bool { return o.ExecutionID == l.ExecutionID })
		switch {
		case l.RunID != id:
		case i < 0:
			list = append(list, rdb.LogOf{ExecutionID: l.ExecutionID, Item: l.Item, Attempt: l.Attempt, Lines: 1})
		default:
			list[i].Lines++
		}
	}
	return list, f.RunErr
}

// ExecutionLogs counts the lines of executions.
func (f *runRecord) ExecutionLogs(_ context.Context, executions []tracing.Execution) (list []rdb.LogOf, err error) {
	f.changing.Lock()
	defer f.changing.Unlock()
	for _, e := range executions {
		if n := len(of(f.Lines, func(l tracing.LogLine) bool { return l.ExecutionID == e.ID })); n > 0 {
			list = append(list, rdb.LogOf{ExecutionID: e.ID, Item: e.Item, Attempt: max(e.Attempt, 1), Lines: n})
		}
	}
	return list, f.RunErr
}

// RunLog returns lines of executions, or of one shard's attempt.
func (f *runRecord) RunLog(_ context.Context, filter rdb.LogFilter) ([]tracing.LogLine, error) {
	f.changing.Lock()
	defer f.changing.Unlock()
	list := of(f.Lines, func(l tracing.LogLine) bool {
		asked := l.RunID == filter.RunID && l.Item == filter.Item && l.Attempt == filter.Attempt
		if len(filter.Executions) > 0 {
			asked = slices.Contains(filter.Executions, l.ExecutionID)
		}
		return asked && l.JobName == filter.JobName && l.Seq > filter.After
	})
	return list[:min(len(list), cmp.Or(filter.Limit, 200))], f.RunErr
}

func of[T any](list []T, has func(T) bool) (found []T) {
	for _, one := range list {
		if has(one) {
			found = append(found, one)
		}
	}
	return found
}

// sampleRecord is about the runs of [SampleRequests]: what led to the one that runs, how
// far a shard of it is, and what two shards logged; and a run that ended long ago.
func sampleRecord() *runRecord {
	step := func(n int, state jobrun.State, actor, message string, ago int) tracing.RunStep {
		return tracing.RunStep{
			ID: fmt.Sprintf("0193a5b0-7c12-7000-8000-00000000000%d", n), RunID: SampleActive, JobName: "invoices", Attempt: 1,
			At: Noon.Add(-seconds(ago)), State: state, Actor: actor, Message: message,
		}
	}
	old := tracing.RunRecord{
		ID: SampleOld, JobName: "invoices", State: "failed", Reason: "1 of 8 shards failed", Origin: "code", OriginName: "billing", Key: "invoices-2026-08", Params: `{"month":"2026-08","tenants":["Munich"]}`,
		Due: Noon.AddDate(0, -2, 0), Submitted: Noon.AddDate(0, -2, 0), Started: Noon.AddDate(0, -2, 0).Add(seconds(1)), Ended: Noon.AddDate(0, -2, 0).Add(seconds(90)),
		Attempt: 2, Retries: 2, OK: 7, Failed: 1, Error: "shard 4: tenant 17: connection refused", Result: `{"0":{"sent":118000118000}}`,
	}
	record := &runRecord{
		OldRuns: []tracing.RunRecord{old},
		RunStep: []tracing.RunStep{
			step(1, "queued", "billing", "", 20), step(2, "running", "10.2.0.14@-@918", "8 shards", 19), step(3, "lost", "10.2.0.16@-@918", "its session has ended", 11),
		},
		Progress: []tracing.Progress{{ExecutionID: "e5", RunID: SampleActive, JobName: "invoices", Item: 5, Attempt: 1, Fraction: 0.425, Message: "1,700 of 4,000 invoices", At: Noon.Add(-seconds(1))}},
	}
	log := func(execution string, shard, seq, ago int, level, message string) {
		record.Lines = append(record.Lines, tracing.LogLine{
			ExecutionID: execution, Seq: seq, RunID: SampleActive, JobName: "invoices", Item: shard, Attempt: 1, At: Noon.Add(-seconds(ago)), Level: level, Message: message,
		})
	}
	log("e4", 4, 1, 19, "INFO", "reads the tenants")
	log("e4", 4, 2, 18, "WARN", "tenant 17 answers slowly: 7.5 s")
	log("e4", 4, 3, 17, "ERROR", "tenant 17: connection refused, token=Canary-21")
	log("e5", 5, 1, 9, "DEBUG", "cursor at 0")
	log("e5", 5, 2, 4, "INFO", "1,700 of 4,000 invoices")
	return record
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }
