package rdb_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestColumnsOfARun: every database should keep an execution's run columns, whichever of its two events comes first.
func TestColumnsOfARun(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		start := run("x", "j", 0, noon)
		start.RunID, start.Attempt, start.Trigger, start.ScheduledAt = "F1795262400000", 2, tracing.TriggerSchedule, noon.Add(-7*time.Millisecond)
		end := ended(start, time.Second, "boom")
		plain := ended(run("y", "j", 1, noon), time.Second, "")
		for _, order := range [][]tracing.Execution{{start, end, plain}, {end, start}} {
			for _, e := range order {
				write(t, db, events(e))
			}
			for _, want := range []tracing.Execution{end, plain} {
				got, err := rdb.NewStore(db.Database).Execution(t.Context(), want.ID)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			}
			if err := db.Exec("DELETE FROM JOB_EXECUTION_LOG WHERE id = 'x'").Error; err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestTablesWithoutRuns: tables of a Java engine, without these columns, can be written and read,
// and the store lists the missing columns.
func TestTablesWithoutRuns(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		storetest.CreateJavaTables(t, db, storetest.Java305)
		e := ended(run("x", "j", 0, noon), time.Second, "")
		e.RunID, e.Attempt, e.Trigger, e.ScheduledAt = "F1", 1, tracing.TriggerManual, noon
		write(t, db, events(e))
		reader := rdb.NewStore(db.Database)
		got, err := reader.Execution(t.Context(), "x")
		if err != nil || !got.Success || got.RunID != "" || got.Attempt != 0 || got.Trigger != "" || !got.ScheduledAt.IsZero() {
			t.Errorf("%+v, %v", got, err)
		}
		lacks, err := reader.Lacks(t.Context())
		if err != nil || !slices.Equal(lacks, []string{"run_id", "attempt", "trigger", "scheduled_at"}) {
			t.Errorf("lacks %v, %v", lacks, err)
		}
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if lacks, err = rdb.NewStore(db.Database).Lacks(t.Context()); err != nil || len(lacks) != 0 {
			t.Errorf("after the migrations: lacks %v, %v", lacks, err)
		}
	})
}
