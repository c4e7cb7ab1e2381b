package doctor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/doctor"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

// TestW18DoctorOfTables: an empty database lacks migrations, a migrated one has no fault, one
// without an index gets the SQL that makes it, and Java's tables get the ALTERs that rdb finds.
func TestW18DoctorOfTables(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		expect(t, doctor.Tables(t.Context(), db.Database), "migrations are missing")
		storetest.CreateJavaTables(t, db, storetest.Java304)
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		java := doctor.Tables(t.Context(), db.Database)
		if text := fmt.Sprint(java); db.Dialect != store.SQLite && !strings.Contains(text,
			"ALTER TABLE JOB_EXECUTION_LOG") {
			t.Errorf("lacks an ALTER: %s", text)
		}
		drop := "DROP INDEX EXECUTION_RUN_INDEX"
		if db.Dialect == store.MySQL {
			drop += " ON JOB_EXECUTION_LOG"
		}
		if err := db.Exec(drop).Error; err != nil {
			t.Fatal(err)
		}
		list := doctor.Tables(t.Context(), db.Database)
		if len(list) != len(java)+1 {
			t.Fatalf("%d findings more than before: %v", len(list)-len(java), list)
		}
		last := list[len(list)-1]
		if !strings.Contains(last.Problem, "EXECUTION_RUN_INDEX") || last.Severity != doctor.Warning {
			t.Errorf("%+v", last)
		}
		if err := db.Exec(last.Fix).Error; err != nil {
			t.Fatal(err)
		}
		if again := doctor.Tables(t.Context(), db.Database); len(again) != len(java) {
			t.Errorf("after the fix: %v", again)
		}
	})
}
