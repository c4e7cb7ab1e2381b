package rdb

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Description is the state of a trace database.
type Description struct {
	Dialect string
	// RoundTrip is the time of one small query.
	RoundTrip time.Duration
	// Lacks are the missing columns for run ids of the execution table. LacksIndexes are its missing indexes.
	Lacks, LacksIndexes []string
	// Executions counts the rows up to [MostDescribed]. Exact is true if there are no more.
	Executions int
	Exact      bool
	// Oldest and Newest are the first and the last start time, zero without rows.
	Oldest, Newest time.Time
}

// MostDescribed is the limit up to which [Store.Describe] counts rows.
const MostDescribed = 10_000

// usefulIndexes are the indexes that lists need. The migrations create them, except the index of
// the completion time in MySQL.
var usefulIndexes = []string{
	"EXECUTION_COMPLETE_INDEX", "EXECUTION_DURATION_INDEX", "EXECUTION_IP_START_INDEX", "EXECUTION_ITEM_START_INDEX", "EXECUTION_JOB_START_INDEX",
	"EXECUTION_RESULT_START_INDEX", "EXECUTION_RUN_INDEX", "EXECUTION_START_INDEX", "EXECUTION_TASK_INDEX", "EXECUTION_TRIGGER_START_INDEX", "EXECUTION_UNFINISHED_INDEX",
}

// Describe reads the current schema and counts rows. It fails if a table is missing.
func (s *Store) Describe(ctx context.Context) (Description, error) {
	began := time.Now()
	if err := s.db.WithContext(ctx).Exec("SELECT 1").Error; err != nil {
		return Description{}, fmt.Errorf("describe the trace tables: %w", err)
	}
	d := Description{RoundTrip: time.Since(began)}
	form, err := probe(ctx, s.db) // probe again, because the tables may have been migrated since the first use
	if err != nil {
		return d, fmt.Errorf("describe the trace tables: %w", err)
	}
	d.Dialect, d.Lacks = form.dialect, form.lacks
	indexes := form.indexes
	if form.dialect == "postgres" {
		var names []string
		if err := s.db.WithContext(ctx).Raw("SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = to_regclass('" + executionTable + "')").Scan(&names).Error; err != nil {
			return d, fmt.Errorf("describe the trace tables: %w", err)
		}
		indexes = upperCase(names)
	}
	d.LacksIndexes = slices.DeleteFunc(slices.Clone(usefulIndexes), func(name string) bool {
		return indexes[name] || name == "EXECUTION_COMPLETE_INDEX" && form.dialect == "mysql"
	})
	if d.Executions, d.Exact, err = s.CountExecutions(ctx, ExecutionFilter{}, MostDescribed); err != nil {
		return d, err
	}
	for _, end := range []struct {
		ascending bool
		into      *time.Time
	}{{true, &d.Oldest}, {false, &d.Newest}} {
		page, err := s.Executions(ctx, ExecutionFilter{Limit: 1, Ascending: end.ascending})
		if err != nil {
			return d, err
		}
		if len(page.Rows) > 0 {
			*end.into = page.Rows[0].StartTime
		}
	}
	return d, nil
}
