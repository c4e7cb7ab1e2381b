//go:build servers

package rdb_test

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// onMariaDB opens a new database with a Java engine's tables in a character set and collation.
func onMariaDB(t *testing.T, charset string) *store.DB {
	t.Helper()
	server := storetest.StartMariaDB(t)
	name := server.NewDatabase(t)
	server.Exec(t, "", "ALTER DATABASE "+name+" CHARACTER SET "+charset)
	db := storetest.Open(t, server.DSN(name))
	storetest.CreateJavaTables(t, db, storetest.Java304)
	return db
}

// TestW19ChangingTimes: columns with ON UPDATE CURRENT_TIMESTAMP, which public DDL and MySQL 5.7
// without explicit defaults create, keep the times that we wrote.
func TestW19ChangingTimes(t *testing.T) {
	db := onMariaDB(t, "utf8mb4")
	for _, of := range []string{"JOB_EXECUTION_LOG MODIFY start_time", "JOB_STATUS_TRACE_LOG MODIFY creation_time"} {
		err := db.Exec("ALTER TABLE " + of + " TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP").Error
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Exec("ALTER TABLE JOB_STATUS_TRACE_LOG ADD UNIQUE (id)").Error; err != nil {
		t.Fatal(err)
	}
	start, st := run("x", "j", 0, noon), step("s", tracing.StateRunning, noon)
	for _, e := range []tracing.Execution{start, ended(start, 5*time.Second, "boom"), start} {
		write(t, db, append(events(e), trail(st)...))
	}
	reader := rdb.NewStore(db.DB)
	got, err := reader.Execution(t.Context(), "x")
	if err != nil || !got.StartTime.Equal(noon) || !got.CompleteTime.Equal(noon.Add(5*time.Second)) {
		t.Errorf("from %v to %v, %v", got.StartTime, got.CompleteTime, err)
	}
	steps, err := reader.Statuses(t.Context(), rdb.StatusFilter{})
	if err != nil || len(steps.Rows) != 1 || !steps.Rows[0].CreationTime.Equal(noon) {
		t.Errorf("%+v, %v", steps.Rows, err)
	}
}
