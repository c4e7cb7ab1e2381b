package rdb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// batch has the rows of a transaction without duplicates. They are sorted by key, because writers
// that lock rows in the same order rarely deadlock.
type batch struct {
	executions []tracing.Execution
	statuses   []tracing.Status
	runs       []tracing.RunRecord
	steps      []tracing.RunStep
	lines      []tracing.LogLine
	progress   []tracing.Progress
}

// part has the rows of a table of requested runs.
type part struct {
	table string
	rows  int
	write func(writer) error
}

func (b batch) requested() []part {
	return []part{
		{runTable, len(b.runs), func(w writer) error { return w.runs(b.runs) }},
		{stepTable, len(b.steps), func(w writer) error { return w.steps(b.steps) }},
		{logTable, len(b.lines), func(w writer) error { return w.lines(b.lines) }},
		{progressTable, len(b.progress), func(w writer) error { return w.progress(b.progress) }},
	}
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
	slices.SortFunc(b.runs, func(a, b tracing.RunRecord) int { return strings.Compare(a.ID, b.ID) })
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

// put adds a row. If there is one with its key, merge returns the row to keep; nil keeps the first.
func put[T any](f *folder, rows *[]T, key lineKey, row T, merge func(old, next T) T) {
	switch at, known := f.at[key]; {
	case !known:
		f.at[key] = len(*rows)
		*rows = append(*rows, row)
	case merge != nil:
		(*rows)[at] = merge((*rows)[at], row)
	}
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
		put(f, &f.batch.statuses, lineKey{table: statusTable, id: st.ID}, st, nil)
		return nil
	case event.Run != nil:
		return f.addRun(*event.Run)
	case event.Step != nil:
		step := *event.Step
		if step.ID == "" || step.RunID == "" || step.JobName == "" || step.At.IsZero() {
			return fmt.Errorf("step of a run without an id, a run, a job name or a time")
		}
		put(f, &f.batch.steps, lineKey{table: stepTable, id: step.ID}, step, nil)
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
	key := lineKey{table: executionTable, id: e.ID}
	put(f, &f.batch.executions, key, e, func(old, next tracing.Execution) tracing.Execution {
		if next.Running() {
			return old
		}
		return next
	})
	return nil
}

func (f *folder) addRun(r tracing.RunRecord) error {
	if r.ID == "" || r.JobName == "" || r.State == "" {
		return fmt.Errorf("run without an id, a job name or a state")
	}
	if r.Submitted.IsZero() { // the history is ordered by it
		r.Submitted = cmp.Or(r.Due, r.Started, r.Ended)
	}
	if r.Submitted.IsZero() {
		return fmt.Errorf("run %s without a time", r.ID)
	}
	put(f, &f.batch.runs, lineKey{table: runTable, id: r.ID}, r, later)
	return nil
}

// later returns the later of two records of a run, completed with details of the request that only
// the other has. upsertRuns does the same in SQL.
func later(a, b tracing.RunRecord) tracing.RunRecord {
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
	put(f, &f.batch.lines, lineKey{logTable, l.ExecutionID, l.Seq}, l, nil)
	return nil
}

func (f *folder) addProgress(p tracing.Progress) error {
	if p.ExecutionID == "" || p.RunID == "" || p.JobName == "" || p.At.IsZero() {
		return fmt.Errorf("progress without an execution, a run, a job name or a time")
	}
	if err := fits(p.Item); err != nil {
		return err
	}
	key := lineKey{table: progressTable, id: p.ExecutionID}
	put(f, &f.batch.progress, key, p, func(old, next tracing.Progress) tracing.Progress {
		if next.At.Before(old.At) {
			return old
		}
		return next
	})
	return nil
}

func fits(numbers ...int) error {
	for _, n := range numbers {
		if n != int(int32(n)) {
			return fmt.Errorf("%d, a shard or a line, is wider than the column", n)
		}
	}
	return nil
}

// fit returns the rows of a batch with the stored form of their identities; see [shape.identity].
// It leaves out rows with an identity that the table can't hold.
func (s *Sink) fit(form shape, b batch) (batch, error) {
	var errs [6]error
	b.executions, errs[0] = fit(s, form, executionTable, b.executions, func(e *tracing.Execution) []*string {
		return []*string{&e.ID, &e.JobName, &e.TaskID, &e.IP, &e.RunID}
	})
	b.statuses, errs[1] = fit(s, form, statusTable, b.statuses, func(st *tracing.Status) []*string {
		return []*string{&st.ID, &st.JobName, &st.OriginalTaskID, &st.TaskID, &st.SlaveID}
	})
	b.runs, errs[2] = fit(s, form, runTable, b.runs, func(r *tracing.RunRecord) []*string {
		return []*string{&r.ID, &r.JobName, &r.ParentID, &r.BackfillID, &r.Key}
	})
	b.steps, errs[3] = fit(s, form, stepTable, b.steps, func(st *tracing.RunStep) []*string {
		return []*string{&st.ID, &st.RunID, &st.JobName}
	})
	b.lines, errs[4] = fit(s, form, logTable, b.lines, func(l *tracing.LogLine) []*string {
		return []*string{&l.ExecutionID, &l.RunID, &l.JobName}
	})
	b.progress, errs[5] = fit(s, form, progressTable, b.progress, func(p *tracing.Progress) []*string {
		return []*string{&p.ExecutionID, &p.RunID, &p.JobName}
	})
	return b, errors.Join(errs[:]...)
}

// fit expects values to return the pointers in the order of the table's [identities].
func fit[T any](s *Sink, form shape, table string, rows []T, values func(*T) []*string) ([]T, error) {
	kept := rows[:0]
next:
	for _, row := range rows {
		for i, value := range values(&row) {
			column := identities[table][i]
			stored, ok, err := form.identity(table, column, *value)
			if err != nil {
				return nil, err
			}
			if !ok {
				s.leave(form, columnOf{table, column}, *value)
				continue next
			}
			*value = stored
		}
		kept = append(kept, row)
	}
	return kept, nil
}

// leave logs left-out rows, once per column.
func (s *Sink) leave(form shape, of columnOf, value string) {
	if _, logged := s.leftOut.LoadOrStore(of, true); logged {
		return
	}
	c, remedy := form.columns[of], []string{}
	for _, f := range form.findings() {
		if f.Table == of.table || f.Table == "" {
			remedy = append(remedy, f.SQL)
		}
	}
	s.logger().LogAttrs(context.Background(), slog.LevelWarn,
		"rows are left out of the history because their table can't hold this value; run the SQL or change the name",
		slog.String("table", of.table), slog.String("column", of.name), slog.String("value", value),
		slog.Int("characters", c.width), slog.String("charset", c.charset),
		slog.String("sql", strings.Join(remedy, " ")))
}
