//go:build servers

package rdb_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestNarrowTables writes into tables with a character set that can't hold the text.
func TestNarrowTables(t *testing.T) {
	server := storetest.StartMariaDB(t)
	for set, want := range map[string]string{"utf8mb3": "数据 é \uFFFD", "latin1": "?? ? ?", "utf8mb4": "数据 é 😀"} {
		name := server.NewDatabase(t)
		server.Exec(t, "", "ALTER DATABASE "+name+" CHARACTER SET "+set)
		db := storetest.Open(t, server.DSN(name))
		storetest.CreateJavaTables(t, db, storetest.Java304)
		write(t, db, events(ended(run("x", "j", 0, noon), time.Second, "数据 é 😀"), ended(run("y", "j", 0, noon), time.Second, "")))
		got, err := rdb.NewStore(db.Database).Execution(t.Context(), "x")
		if err != nil {
			t.Fatal(err)
		}
		if got.FailureCause != want {
			t.Errorf("%s: %q, want %q", set, got.FailureCause, want)
		}
	}
}

// TestNarrowPostgres does the same for databases with another encoding.
func TestNarrowPostgres(t *testing.T) {
	server := storetest.StartPostgres(t)
	for encoding, want := range map[string]string{"LATIN1": "?? ? ?", "UTF8": "数据 é 😀"} {
		db := storetest.Open(t, server.DSN(server.NewDatabaseWith(t, "ENCODING '"+encoding+"' LOCALE 'C' TEMPLATE template0")))
		storetest.CreateJavaTables(t, db, storetest.Java304)
		write(t, db, events(ended(run("x", "j", 0, noon), time.Second, "数据 é 😀"), ended(run("y", "j", 0, noon), time.Second, "")))
		got, err := rdb.NewStore(db.Database).Execution(t.Context(), "x")
		if err != nil {
			t.Fatal(err)
		}
		if got.FailureCause != want {
			t.Errorf("%s: %q, want %q", encoding, got.FailureCause, want)
		}
	}
}

// TestOutage interrupts the database by a crash and by a freeze. Recording should continue, and
// every row should arrive.
func TestOutage(t *testing.T) {
	server := storetest.NewMariaDB(t)
	db := storetest.Open(t, server.DSN(server.NewDatabase(t))+"?readTimeout=2s&writeTimeout=2s&timeout=2s")
	if err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	recorder := tracing.NewAsync(rdb.NewSink(db.Database), tracing.AsyncOptions{
		BatchDelay: 10 * time.Millisecond, RetryMin: 10 * time.Millisecond, RetryMax: 100 * time.Millisecond,
		WriteTimeout: 5 * time.Second,
	})
	recorded := 0
	record := func(n int) {
		for range n {
			e := run(fmt.Sprintf("run-%05d", recorded), "outage", 0, noon.Add(time.Duration(recorded)*time.Millisecond))
			recorded++
			recorder.RecordExecution(e)
			recorder.RecordExecution(ended(e, time.Second, ""))
			recorder.RecordStatus(step(e.ID, tracing.StateFinished, e.StartTime))
		}
	}
	waitFor := func(what string, done func(tracing.Stats) bool) {
		t.Helper()
		waittest.Until(t, what, func() bool { return done(recorder.Stats()) })
	}
	failing := func(s tracing.Stats) bool { return s.LastError != nil }
	drained := func(s tracing.Stats) bool { return s.Queued == 0 }

	record(500)
	server.Kill()
	record(500)
	waitFor("failure after the crash", failing)
	record(500)
	server.Restart(t)
	waitFor("recovery from the crash", drained)

	server.Pause(t)
	record(500)
	waitFor("failure in the freeze", failing)
	server.Resume(t)
	record(500)
	waitFor("recovery from the freeze", drained)

	if err := recorder.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if stats := recorder.Stats(); stats.Dropped+stats.Failed != 0 || stats.Retries == 0 {
		t.Fatalf("%+v", stats)
	}
	wantRows(t, db, recorded)
}
