// Package storetest gives tests real databases: a SQLite file each and, with the
// build tag servers, real MariaDB and PostgreSQL servers that are started once per
// test binary, or by internal/testgate once for all packages of a run.
//
//	storetest.Each(t, func(t *testing.T, db *store.DB) { … })
//	   ├─ subtest "sqlite"    a new file
//	   │                      with the tag servers:
//	   ├─ subtest "mariadb"   a new database on the shared server ──┐ ends with the binary,
//	   └─ subtest "postgres"  a new database on the shared server ──┴ or with the gate
//
// A test that stops, freezes or restarts its server starts one of its own with
// [NewMariaDB] or [NewPostgres]. Nothing is skipped: without a server's
// programs such tests fail and say what to install.
package storetest

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/store"
)

// The account of every server started here; it may do everything.
const (
	User     = "elasticjob"
	Password = "s3cret@word"
)

// Each runs fn once per kind of database, each time with a new one whose
// schema is up to date.
func Each(t *testing.T, fn func(t *testing.T, db *store.DB)) {
	t.Helper()
	EachDSN(t, func(t *testing.T, dsn string) {
		db := Open(t, dsn)
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		fn(t, db)
	})
}

// EachDSN is [Each] with the names of new, empty databases.
func EachDSN(t *testing.T, fn func(t *testing.T, dsn string)) {
	t.Helper()
	t.Run(store.SQLite, func(t *testing.T) {
		fn(t, SQLiteDSN(t))
	})
	onServers(t, fn)
}

// SQLiteDSN names a SQLite file that does not exist yet and is removed after
// the test.
func SQLiteDSN(tb testing.TB) string {
	tb.Helper()
	return "sqlite://" + filepath.Join(tb.TempDir(), "test.db")
}

// Open opens a database and closes it after the test. A PostgreSQL has a minute to take
// a connection, unless dsn has parameters: it starts a process for each, and two
// processors that run all tests are busy for longer than the usual five seconds.
func Open(tb testing.TB, dsn string) *store.DB {
	tb.Helper()
	if strings.HasPrefix(dsn, "postgres://") && !strings.Contains(dsn, "?") {
		dsn += "?connect_timeout=60"
	}
	db, err := store.Open(context.Background(), dsn, slog.New(slog.DiscardHandler))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return db
}
