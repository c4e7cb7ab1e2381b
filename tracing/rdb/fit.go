package rdb

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/elasticjob-go/elasticjob/tracing"
)

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
