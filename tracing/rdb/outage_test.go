//go:build servers

package rdb_test

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestMS45OutageOfRealServers kills a server, records ten times the capacity of the recorder's
// memory, ends the recorder, and starts the next one with the server back. No row is missing.
func TestMS45OutageOfRealServers(t *testing.T) {
	type server interface {
		DSN(database string) string
		NewDatabase(tb testing.TB) string
		Kill()
		Restart(tb testing.TB)
	}
	for name, launch := range map[string]func() server{
		"mariadb":  func() server { return storetest.NewMariaDB(t) },
		"postgres": func() server { return storetest.NewPostgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			server := launch()
			db := storetest.Open(t, server.DSN(server.NewDatabase(t)))
			if err := db.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			quiet, dir := slog.New(slog.DiscardHandler), t.TempDir()
			open := func() (*tracing.Spool, *tracing.Async) {
				spool, err := tracing.NewSpool(dir, rdb.NewSink(db.Database), tracing.SpoolOptions{RetryMax: 200 * time.Millisecond, Logger: quiet})
				if err != nil {
					t.Fatal(err)
				}
				return spool, tracing.NewAsync(spool, tracing.AsyncOptions{QueueSize: 600, BatchDelay: 5 * time.Millisecond, Logger: quiet})
			}
			recorded := 0
			record := func(recorder *tracing.Async, runs int) {
				for range runs {
					waittest.UntilEvery(t, time.Millisecond, "the disk takes what is queued", func() bool { return recorder.Stats().Queued <= 400 })
					e := run(fmt.Sprintf("run-%05d", recorded), "outage", 0, noon.Add(time.Duration(recorded)*time.Millisecond))
					recorded++
					recorder.RecordExecution(e)
					recorder.RecordExecution(ended(e, time.Second, ""))
					recorder.RecordStatus(step(e.ID, tracing.StateFinished, e.StartTime))
				}
			}
			spool, recorder := open()
			record(recorder, 100)
			server.Kill()
			record(recorder, 2000)
			if err := errors.Join(recorder.Close(t.Context()), spool.Close()); err != nil {
				t.Fatal(err)
			}
			if stats := spool.Stats(); stats.Bytes == 0 || recorder.Stats().Dropped != 0 {
				t.Fatalf("%+v, %+v", stats, recorder.Stats())
			}

			spool, recorder = open()
			record(recorder, 100)
			server.Restart(t)
			awaitStored(t, spool, recorder, recorded)
			record(recorder, 100)
			if err := errors.Join(recorder.Close(t.Context()), spool.Close()); err != nil {
				t.Fatal(err)
			}
			wantRows(t, db, recorded)
		})
	}
}

func wantRows(t *testing.T, db *store.DB, recorded int) {
	for _, table := range []string{"JOB_EXECUTION_LOG", "JOB_STATUS_TRACE_LOG"} {
		if n := count(t, db, table); n != recorded {
			t.Errorf("%s has %d rows, want %d", table, n, recorded)
		}
	}
}

func awaitStored(t *testing.T, spool *tracing.Spool, recorder *tracing.Async, recorded int) {
	waittest.Until(t, fmt.Sprintf("%d runs are stored", recorded), func() bool {
		return spool.Stats().Bytes == 0 && recorder.Stats().Queued == 0
	})
}
