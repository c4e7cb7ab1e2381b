package rdb

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// batch has the rows of a transaction without duplicates. They are sorted by key, because writers
// that lock rows in the same order rarely deadlock.
type batch struct {
	executions []tracing.Execution
	statuses   []tracing.Status
	runs       []tracing.Run
	steps      []tracing.RunStep
	lines      []tracing.LogLine
	progress   []tracing.Progress
}

func (b batch) rows(table string) int {
	switch table {
	case runTable:
		return len(b.runs)
	case stepTable:
		return len(b.steps)
	case logTable:
		return len(b.lines)
	case progressTable:
		return len(b.progress)
	}
	return 0
}

// fold sorts events by kind. It merges the events of an execution, a run and a progress into one
// row each, and drops duplicates.
func fold(events []tracing.Event) (batch, error) {
	f := folder{at: map[lineKey]int{}}
	for _, event := range events {
		if err := f.add(event); err != nil {
			return batch{}, fmt.Errorf("%w: %w", tracing.ErrRejected, err)
		}
	}
	b := f.batch
	slices.SortFunc(b.executions, func(a, b tracing.Execution) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(b.statuses, func(a, b tracing.Status) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(b.runs, func(a, b tracing.Run) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(b.steps, func(a, b tracing.RunStep) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(b.lines, func(a, b tracing.LogLine) int {
		return cmp.Or(strings.Compare(a.ExecutionID, b.ExecutionID), cmp.Compare(a.Seq, b.Seq))
	})
	slices.SortFunc(b.progress, func(a, b tracing.Progress) int { return strings.Compare(a.ExecutionID, b.ExecutionID) })
	return b, nil
}

type lineKey struct {
	table, id string
	seq       int
}

type folder struct {
	batch batch
	at    map[lineKey]int // index of each key's row
}

// known returns the index of a key's row. If there is none, it registers next.
func (f *folder) known(key lineKey, next int) (at int, known bool) {
	if at, known = f.at[key]; !known {
		f.at[key] = next
	}
	return at, known
}

func (f *folder) add(event tracing.Event) error {
	switch {
	case event.Execution != nil:
		return f.addExecution(*event.Execution)
	case event.Status != nil:
		st := *event.Status
		if st.ID == "" || st.JobName == "" {
			return fmt.Errorf("status without an id or a job name")
		}
		if _, known := f.known(lineKey{table: statusTable, id: st.ID}, len(f.batch.statuses)); !known {
			f.batch.statuses = append(f.batch.statuses, st)
		}
		return nil
	case event.Run != nil:
		return f.addRun(*event.Run)
	case event.Step != nil:
		step := *event.Step
		if step.ID == "" || step.RunID == "" || step.JobName == "" || step.At.IsZero() {
			return fmt.Errorf("step of a run without an id, a run, a job name or a time")
		}
		if _, known := f.known(lineKey{table: stepTable, id: step.ID}, len(f.batch.steps)); !known {
			f.batch.steps = append(f.batch.steps, step)
		}
		return nil
	case event.Log != nil:
		return f.addLine(*event.Log)
	case event.Progress != nil:
		return f.addProgress(*event.Progress)
	}
	return fmt.Errorf("event without content")
}

func (f *folder) addExecution(e tracing.Execution) error {
	e.Lost = false // only readers set it
	if e.ID == "" || e.JobName == "" {
		return fmt.Errorf("execution without an id or a job name")
	}
	if err := fits(e.Item); err != nil {
		return err
	}
	at, known := f.known(lineKey{table: executionTable, id: e.ID}, len(f.batch.executions))
	switch {
	case !known:
		f.batch.executions = append(f.batch.executions, e)
	case !e.Running():
		f.batch.executions[at] = e
	}
	return nil
}

func (f *folder) addRun(r tracing.Run) error {
	if r.ID == "" || r.JobName == "" || r.State == "" {
		return fmt.Errorf("run without an id, a job name or a state")
	}
	if r.Submitted.IsZero() { // the history is ordered by it
		r.Submitted = cmp.Or(r.Due, r.Started, r.Ended)
	}
	if r.Submitted.IsZero() {
		return fmt.Errorf("run %s without a time", r.ID)
	}
	at, known := f.known(lineKey{table: runTable, id: r.ID}, len(f.batch.runs))
	if known {
		f.batch.runs[at] = later(f.batch.runs[at], r)
	} else {
		f.batch.runs = append(f.batch.runs, r)
	}
	return nil
}

// later returns the later of two records of a run, completed with details of the request that only
// the other has. upsertRuns does the same in SQL.
func later(a, b tracing.Run) tracing.Run {
	if b.Order() < a.Order() {
		a, b = b, a
	}
	b.Origin, b.OriginName = cmp.Or(b.Origin, a.Origin), cmp.Or(b.OriginName, a.OriginName)
	b.ParentID, b.BackfillID = cmp.Or(b.ParentID, a.ParentID), cmp.Or(b.BackfillID, a.BackfillID)
	b.Key, b.Params, b.Note = cmp.Or(b.Key, a.Key), cmp.Or(b.Params, a.Params), cmp.Or(b.Note, a.Note)
	b.Retries = max(a.Retries, b.Retries)
	if a.Submitted.Before(b.Submitted) {
		b.Submitted = a.Submitted
	}
	if b.FireTime.IsZero() {
		b.FireTime = a.FireTime
	}
	return b
}

func (f *folder) addLine(l tracing.LogLine) error {
	if l.ExecutionID == "" || l.RunID == "" || l.JobName == "" || l.At.IsZero() {
		return fmt.Errorf("line of a log without an execution, a run, a job name or a time")
	}
	if err := fits(l.Item, l.Seq); err != nil {
		return err
	}
	if _, known := f.known(lineKey{logTable, l.ExecutionID, l.Seq}, len(f.batch.lines)); !known {
		f.batch.lines = append(f.batch.lines, l)
	}
	return nil
}

func (f *folder) addProgress(p tracing.Progress) error {
	if p.ExecutionID == "" || p.RunID == "" || p.JobName == "" || p.At.IsZero() {
		return fmt.Errorf("progress without an execution, a run, a job name or a time")
	}
	if err := fits(p.Item); err != nil {
		return err
	}
	at, known := f.known(lineKey{table: progressTable, id: p.ExecutionID}, len(f.batch.progress))
	switch {
	case !known:
		f.batch.progress = append(f.batch.progress, p)
	case !p.At.Before(f.batch.progress[at].At):
		f.batch.progress[at] = p
	}
	return nil
}

// fits returns an error if a number doesn't fit its column.
func fits(numbers ...int) error {
	for _, n := range numbers {
		if n != int(int32(n)) {
			return fmt.Errorf("%d, a shard or a line, is wider than the column", n)
		}
	}
	return nil
}
