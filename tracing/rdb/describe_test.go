package rdb_test

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestDescribe: a Java engine's tables lack columns and indexes. After our migrations nothing
// should be missing, also for a reader that was already open.
func TestDescribe(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		reader := rdb.NewStore(db.Database)
		if _, err := reader.Describe(t.Context()); err == nil {
			t.Error("a database without the tables is described")
		}
		storetest.CreateJavaTables(t, db, storetest.Java305)
		write(t, db, events(ended(run("x", "j", 0, noon), time.Second, "")))
		write(t, db, events(ended(run("y", "j", 1, noon.Add(time.Hour)), time.Second, "")))
		d, err := reader.Describe(t.Context())
		if err != nil || len(d.Lacks) != 4 || len(d.LacksIndexes) == 0 || d.Executions != 2 || !d.Exact || !d.Oldest.Equal(noon) || !d.Newest.Equal(noon.Add(time.Hour)) {
			t.Errorf("%+v, %v", d, err)
		}
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if d, err = reader.Describe(t.Context()); err != nil || len(d.Lacks)+len(d.LacksIndexes) != 0 || d.Dialect != db.Name() {
			t.Errorf("after the migrations: %+v, %v", d, err)
		}
	})
}
