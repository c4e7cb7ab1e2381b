//go:build servers

package settings

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

// TestA32TestOfADataSource: testing a data source stores nothing, and its answer describes only
// that data source. After the database was dropped, the same test fails. It runs on MariaDB and
// PostgreSQL, with rows that Java's ElasticJob wrote.
func TestA32TestOfADataSource(t *testing.T) {
	t.Parallel()
	for kind, launch := range map[string]func(testing.TB) dbServer{
		store.MySQL: func(tb testing.TB) dbServer {
			s := storetest.NewMariaDB(tb)
			return dbServer{s.Addr, s.NewDatabase, s.DSN, s.Kill}
		},
		store.Postgres: func(tb testing.TB) dbServer {
			s := storetest.NewPostgres(tb)
			return dbServer{s.Addr, s.NewDatabase, s.DSN, s.Kill}
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			server := launch(t)
			database, empty := server.create(t), server.create(t)
			db := storetest.Open(t, server.dsn(database))
			if err := db.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			storetest.InsertJavaRows(t, db, storetest.Java304, false)
			b := consoletest.New(t, consoletest.OwnDatabase(t, storetest.SQLiteDSN(t)), consoletest.OwnSources(t, t.TempDir(), "127.0.0.1"))
			o := sourceOperator{t, b, kind, server, "Authorization: Bearer " + b.Token(t, auth.RoleRoot, auth.ForAPI)}
			_, before := o.history("")

			o.testsOnly(database, empty, before)
			var list []api.DataSource
			b.Call(t, http.MethodGet, api.DataSourcesPath, "").Into(t, &list)
			if len(list) != 1 {
				t.Errorf("a test is remembered: %+v", list)
			}

			consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.DataSourcesPath, sourceOf(t, kind, "java", server.addr, database)), http.StatusCreated)
			if _, page := o.history("?dataSource=java"); len(page.Rows) != 2 {
				t.Errorf("by address: %d rows", len(page.Rows))
			}
			consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.DataSourcesPath+"/connect", `{"name":"java"}`, o.token), http.StatusOK)
			if _, page := o.history(""); len(page.Rows) != 2 {
				t.Errorf("connected: %d rows", len(page.Rows))
			}
			if _, page := o.history("?dataSource=default"); !cmp.Equal(before, page) {
				t.Error("the default one is another")
			}
			if r, _ := o.history("?dataSource=nope"); r.StatusCode != http.StatusNotFound {
				t.Errorf("one that is not there: %d", r.StatusCode)
			}
			o.withoutDatabase(database)
		})
	}
}
