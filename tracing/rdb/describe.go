package rdb

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Description is what a trace database has and lacks.
type Description struct {
	// Dialect is "mysql", "postgres" or "sqlite".
	Dialect string
	// RoundTrip is how long one small question took.
	RoundTrip time.Duration
	// Lacks are the columns of the execution table that say which run a row belongs
	// to, and LacksIndexes the indexes of the execution table that the queries here
	// are made for, those that are absent.
	Lacks, LacksIndexes []string
	// Executions counts the rows up to [MostDescribed]; Exact tells that there are
	// no more.
	Executions int
	Exact      bool
	// Oldest and Newest are when the first and the last of them began; zero without.
	Oldest, Newest time.Time
}

// MostDescribed is as far as [Store.Describe] counts rows.
const MostDescribed = 10_000

// usefulIndexes are those of the execution table that lists need; the migrations
// make them, but that of the completion in MySQL.
var usefulIndexes = []string{
	"EXECUTION_COMPLETE_INDEX", "EXECUTION_DURATION_INDEX", "EXECUTION_IP_START_INDEX", "EXECUTION_ITEM_START_INDEX", "EXECUTION_JOB_START_INDEX",
	"EXECUTION_RESULT_START_INDEX", "EXECUTION_RUN_INDEX", "EXECUTION_START_INDEX", "EXECUTION_TASK_INDEX", "EXECUTION_TRIGGER_START_INDEX", "EXECUTION_UNFINISHED_INDEX",
}

// Describe reads what the database has: its schema as it is now, and a bounded look
// at its rows. The error says if a table is absent.
func (s *Store) Describe(ctx context.Context) (Description, error) {
	began := time.Now()
	if err := s.db.WithContext(ctx).Exec("SELECT 1").Error; err != nil {
		return Description{}, fmt.Errorf("describe the trace tables: %w", err)
	}
	d := Description{RoundTrip: time.Since(began)}
	form, err := probe(ctx, s.db) // not the one of the first use: somebody may have migrated
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
		indexes = make(map[string]bool, len(names))
		for _, name := range names {
			indexes[strings.ToUpper(name)] = true
		}
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
