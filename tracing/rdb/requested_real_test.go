//go:build servers

package rdb_test

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestAccountWithoutRunTables: an account with rights on only ElasticJob's two tables should still
// be able to store executions.
func TestAccountWithoutRunTables(t *testing.T) {
	type server interface {
		DSN(database string) string
		NewDatabase(tb testing.TB) string
		Exec(tb testing.TB, database, statements string)
	}
	for name, start := range map[string]func() (server, string){
		"mariadb":  func() (server, string) { return storetest.StartMariaDB(t), "CREATE USER %s IDENTIFIED BY 'p'" },
		"postgres": func() (server, string) { return storetest.StartPostgres(t), "CREATE USER %s PASSWORD 'p'" },
	} {
		t.Run(name, func(t *testing.T) {
			at, create := start()
			database := at.NewDatabase(t)
			owner := storetest.Open(t, at.DSN(database))
			if err := owner.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			user := "u" + database
			at.Exec(t, database, fmt.Sprintf(create, user))
			t.Cleanup(func() { at.Exec(t, "", "DROP USER "+user) })
			t.Cleanup(func() {
				at.Exec(t, database, "DROP TABLE JOB_EXECUTION_LOG; DROP TABLE JOB_STATUS_TRACE_LOG")
			})
			for _, table := range []string{"JOB_EXECUTION_LOG", "JOB_STATUS_TRACE_LOG"} {
				at.Exec(t, database, "GRANT SELECT, INSERT, UPDATE ON "+table+" TO "+user)
			}
			db := storetest.Open(t, strings.Replace(at.DSN(database), storetest.User+":"+strings.ReplaceAll(storetest.Password, "@", "%40"), user+":p", 1))
			sink := rdb.NewSink(db.Database)
			sink.Logger = slog.New(slog.DiscardHandler)
			r := requested("r", "j", noon)
			if err := sink.Write(t.Context(), append(events(run("x", "j", 0, noon)), tracing.Event{Run: &r}, stepOf("s", noon))); err != nil {
				t.Fatal(err)
			}
			if executions, runs := count(t, owner, "JOB_EXECUTION_LOG"), count(t, owner, "JOB_RUN"); executions != 1 || runs != 0 {
				t.Errorf("%d executions, %d runs", executions, runs)
			}
			reads(t, rdb.NewStore(db.Database), func(what string, err error) {
				if !errors.Is(err, rdb.ErrNoRunTables) {
					t.Errorf("%s: %v", what, err)
				}
			})
		})
	}
}
