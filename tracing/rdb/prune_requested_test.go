package rdb_test

import (
	"fmt"
	"testing"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// recordRequested records ended runs, each with a step, a log line and progress.
func recordRequested(r *tracing.Async, prefix string, n int, submitted time.Time, pace <-chan time.Time) {
	for i := range n {
		e := requested(fmt.Sprintf("%s-%05d", prefix, i), prefix, submitted)
		r.RecordRun(e)
		e.State, e.Ended = "succeeded", submitted.Add(time.Second)
		r.RecordRun(e)
		r.RecordRunStep(tracing.RunStep{ID: e.ID, RunID: e.ID, JobName: prefix, At: e.Ended, State: e.State})
		r.RecordLogLine(tracing.LogLine{ExecutionID: e.ID, RunID: e.ID, JobName: prefix, At: e.Ended})
		r.RecordProgress(tracing.Progress{ExecutionID: e.ID, RunID: e.ID, JobName: prefix, At: e.Ended})
		if pace != nil && i%10 == 0 {
			<-pace
		}
	}
}

// TestR55PruneWhileAgentsWrite deletes old requested runs while a recorder writes new ones. No
// statement deletes more than a batch, and neither side loses rows to the other.
func TestR55PruneWhileAgentsWrite(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		const old, fresh = 1000, 300
		before := tracing.NewAsync(rdb.NewSink(db.Database), tracing.AsyncOptions{})
		recordRequested(before, "old", old, noon.Add(-time.Hour), nil)
		if err := before.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		recorder := tracing.NewAsync(rdb.NewSink(db.Database), tracing.AsyncOptions{})
		recorded := make(chan struct{})
		go func() {
			defer close(recorded)
			pace := time.NewTicker(time.Millisecond)
			defer pace.Stop()
			recordRequested(recorder, "new", fresh, noon, pace.C)
		}()
		var most int64
		watched := database.With(db.Database, db.Session(&gorm.Session{Logger: deletes{logger.Discard, &most}}))
		done, err := rdb.Prune(t.Context(), watched, rdb.Retention{Age: time.Minute, LogAge: time.Minute, Batch: 100, Pause: time.Millisecond}, noon)
		<-recorded
		if err := recorder.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err != nil || done.Requested != old || done.RunSteps != old || done.LogLines != old || done.Progress != old {
			t.Errorf("%+v, %v", done, err)
		}
		if most == 0 || most > 100 {
			t.Errorf("a statement deleted %d rows", most)
		}
		if stats := recorder.Stats(); stats.Dropped+stats.Failed != 0 {
			t.Errorf("%+v", stats)
		}
		for _, table := range []string{"JOB_RUN", "JOB_RUN_STEP", "JOB_RUN_LOG", "JOB_RUN_PROGRESS"} {
			if n := count(t, db, table); n != fresh {
				t.Errorf("%s has %d rows, want %d", table, n, fresh)
			}
		}
	})
}
