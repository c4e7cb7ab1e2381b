package rdb_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// ancient returns n executions and n steps, one per hour up to an hour before noon.
func ancient(n int) []tracing.Event {
	var list []tracing.Event
	for i := range n {
		at := noon.Add(-time.Duration(n-i) * time.Hour)
		list = append(list, events(ended(run(fmt.Sprintf("old-%05d", i), "old", 0, at), time.Second, ""))...)
		list = append(list, trail(step(fmt.Sprintf("old-%05d", i), tracing.StateFinished, at))...)
	}
	return list
}

func TestPrune(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		write(t, db, ancient(100))
		prune := func(keep rdb.Retention, executions, statuses int) {
			t.Helper()
			keep.Batch, keep.Pause = 7, -1
			done, err := rdb.Prune(t.Context(), db.Database, keep, noon)
			if err != nil || done.Executions != executions || done.Statuses != statuses {
				t.Fatalf("%+v: %+v, %v; want %d and %d", keep, done, err, executions, statuses)
			}
		}
		prune(rdb.Retention{}, 0, 0)
		prune(rdb.Retention{Age: 1000 * time.Hour, Rows: 1000}, 0, 0)
		prune(rdb.Retention{Age: 90 * time.Hour}, 10, 10) // a row of exactly this age stays
		prune(rdb.Retention{Age: 90 * time.Hour}, 0, 0)
		prune(rdb.Retention{Rows: 80}, 10, 10)
		prune(rdb.Retention{Rows: 80, Age: 50 * time.Hour}, 30, 30) // the stricter limit wins
		prune(rdb.Retention{Rows: 1}, 49, 49)
		page, err := rdb.NewStore(db.Database).Executions(t.Context(), rdb.ExecutionFilter{})
		if err != nil || len(page.Rows) != 1 || page.Rows[0].ID != "old-00099" {
			t.Errorf("%+v, %v", page.Rows, err)
		}
		if _, err := rdb.Prune(t.Context(), db.Database, rdb.Retention{Rows: -1}, noon); !errors.Is(err, rdb.ErrInvalidFilter) {
			t.Error(err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := rdb.Prune(gone, db.Database, rdb.Retention{Rows: 1}, noon); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// TestPruneRequestedRuns: runs that ended long ago are deleted with all their rows. Unfinished runs
// stay. Log lines may be deleted earlier.
func TestPruneRequestedRuns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		var list []tracing.Event
		add := func(id string, submitted time.Time, state jobrun.State, took time.Duration) {
			r := requested(id, "old", submitted)
			if r.State = state; took > 0 {
				r.Ended = submitted.Add(took)
			}
			e := run(id, "old", 0, submitted)
			list = append(list, tracing.Event{Run: &r}, tracing.Event{Execution: &e})
			for i := range 3 {
				at, of := submitted.Add(took*time.Duration(i)/3), fmt.Sprint(id, i)
				list = append(list, tracing.Event{Step: &tracing.RunStep{ID: of, RunID: id, JobName: "old", At: at, State: state}},
					tracing.Event{Log: &tracing.LogLine{ExecutionID: id, Seq: i, RunID: id, JobName: "old", At: at}},
					tracing.Event{Progress: &tracing.Progress{ExecutionID: of, RunID: id, JobName: "old", At: at}})
			}
		}
		for i := range 50 {
			add(fmt.Sprintf("old-%02d", i), noon.Add(-time.Duration(100-i)*time.Hour), "succeeded", time.Minute)
			add(fmt.Sprintf("open-%02d", i), noon.Add(-time.Duration(100-i)*time.Hour), "running", 0)
		}
		add("long", noon.Add(-99*time.Hour), "failed", 60*time.Hour)
		add("forgotten", noon.Add(-2*unended), "running", 0)
		write(t, db, list)
		prune := func(keep rdb.Retention, want rdb.Pruned) {
			t.Helper()
			keep.Batch, keep.Pause = 7, -1
			done, err := rdb.Prune(t.Context(), db.Database, keep, noon)
			want.Executions = done.Executions
			if want.Before = done.Before; err != nil || done != want {
				t.Fatalf("%+v: %+v, %v; want %+v", keep, done, err, want)
			}
		}
		prune(rdb.Retention{}, rdb.Pruned{})
		prune(rdb.Retention{LogAge: 99*time.Hour + 30*time.Minute}, rdb.Pruned{LogLines: 9})
		prune(rdb.Retention{Age: 70 * time.Hour}, rdb.Pruned{Requested: 31, RunSteps: 93, LogLines: 93 - 6, Progress: 93})
		prune(rdb.Retention{Age: 70 * time.Hour, LogAge: 30 * time.Hour}, rdb.Pruned{LogLines: 3*(50+20+1) - 3})
		// The twenty newest were submitted within ten hours, and half of them have not ended.
		prune(rdb.Retention{Rows: 20}, rdb.Pruned{Requested: 10, RunSteps: 30, Progress: 30})
		prune(rdb.Retention{Rows: 1, Age: time.Minute}, rdb.Pruned{Requested: 11, RunSteps: 33, Progress: 33})
		prune(rdb.Retention{Rows: 1, Age: time.Minute}, rdb.Pruned{})
		if n := count(t, db, "JOB_RUN"); n != 50 {
			t.Errorf("%d runs are left", n)
		}
		if _, err := rdb.Prune(t.Context(), db.Database, rdb.Retention{LogAge: -1}, noon); !errors.Is(err, rdb.ErrInvalidFilter) {
			t.Error(err)
		}
		for _, table := range []string{"JOB_RUN", "JOB_RUN_STEP", "JOB_RUN_LOG", "JOB_RUN_PROGRESS"} {
			if err := db.Exec("DROP TABLE " + table).Error; err != nil {
				t.Fatal(err)
			}
		}
		prune(rdb.Retention{Rows: 1, Age: time.Minute, LogAge: time.Minute}, rdb.Pruned{})
	})
}

// unended is the minimum time that a run without an end is kept.
const unended = 365 * 24 * time.Hour

// deletes keeps the number of rows of the largest DELETE.
type deletes struct {
	logger.Interface
	most *int64
}

func (d deletes) Trace(_ context.Context, _ time.Time, statement func() (string, int64), _ error) {
	if sql, rows := statement(); strings.HasPrefix(sql, "DELETE") {
		*d.most = max(*d.most, rows)
	}
}

// TestMS48RetentionUnderLoad deletes an old history while a recorder writes a new one. No statement
// deletes more than a batch, and neither side loses rows to the other.
func TestMS48RetentionUnderLoad(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		const old, fresh = 2000, 600
		write(t, db, ancient(old))
		recorder := tracing.NewAsync(rdb.NewSink(db.Database), tracing.AsyncOptions{})
		recorded := make(chan struct{})
		go func() {
			defer close(recorded)
			pace := time.NewTicker(time.Millisecond)
			defer pace.Stop()
			for i := range fresh {
				e := run(fmt.Sprintf("new-%05d", i), "new", 0, noon.Add(time.Duration(i)*time.Millisecond))
				recorder.RecordExecution(e)
				recorder.RecordExecution(ended(e, time.Second, ""))
				recorder.RecordStatus(step(e.ID, tracing.StateFinished, e.StartTime))
				if i%10 == 0 {
					<-pace.C
				}
			}
		}()
		var most int64
		watched := database.With(db.Database, db.Session(&gorm.Session{Logger: deletes{logger.Discard, &most}}))
		done, err := rdb.Prune(t.Context(), watched, rdb.Retention{Age: time.Minute, Batch: 200, Pause: time.Millisecond}, noon)
		<-recorded
		if err := recorder.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err != nil || done.Executions != old || done.Statuses != old {
			t.Errorf("%+v, %v", done, err)
		}
		if most == 0 || most > 200 {
			t.Errorf("a statement deleted %d rows", most)
		}
		if stats := recorder.Stats(); stats.Dropped+stats.Failed != 0 {
			t.Errorf("%+v", stats)
		}
		for _, table := range []string{"JOB_EXECUTION_LOG", "JOB_STATUS_TRACE_LOG"} {
			if n := count(t, db, table); n != fresh {
				t.Errorf("%s has %d rows, want %d", table, n, fresh)
			}
		}
	})
}
