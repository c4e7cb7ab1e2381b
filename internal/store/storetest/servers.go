//go:build servers

package storetest

import (
	"sync"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/testgate/sharedserver"
)

func onServers(t *testing.T, fn func(t *testing.T, dsn string)) {
	t.Helper()
	t.Run("mariadb", func(t *testing.T) {
		server := StartMariaDB(t)
		fn(t, server.DSN(server.NewDatabase(t)))
	})
	t.Run(store.Postgres, func(t *testing.T) {
		server := StartPostgres(t)
		fn(t, server.DSN(server.NewDatabase(t)))
	})
}

// mariaDBOfBinary starts, once, the server that all tests of a binary share where
// packages share none.
var mariaDBOfBinary = sync.OnceValues(func() (*MariaDB, error) { return LaunchMariaDB() })

// StartMariaDB returns the server that the tests of this binary share, under
// internal/testgate those of all packages of the run. Tests must not stop it.
func StartMariaDB(tb testing.TB) *MariaDB {
	tb.Helper()
	if addr := sharedserver.MariaDB.Addr(tb); addr != "" {
		return &MariaDB{server{product: mariaDB, Addr: addr}}
	}
	server, err := mariaDBOfBinary()
	if err != nil {
		tb.Fatal(err)
	}
	return server
}

// NewMariaDB starts a server for one test, which may kill and restart it.
func NewMariaDB(tb testing.TB) *MariaDB {
	tb.Helper()
	server, err := LaunchMariaDB()
	if err != nil {
		tb.Fatal(err)
	}
	server.endWith(tb)
	return server
}

// postgresOfBinary starts, once, the server that all tests of a binary share where
// packages share none.
var postgresOfBinary = sync.OnceValues(LaunchPostgres)

// StartPostgres returns the server that the tests of this binary share, under
// internal/testgate those of all packages of the run. Tests must not stop it.
func StartPostgres(tb testing.TB) *Postgres {
	tb.Helper()
	if addr := sharedserver.Postgres.Addr(tb); addr != "" {
		return &Postgres{server{product: postgreSQL, Addr: addr}}
	}
	server, err := postgresOfBinary()
	if err != nil {
		tb.Fatal(err)
	}
	return server
}

// NewPostgres starts a server for one test, which may kill and restart it.
func NewPostgres(tb testing.TB) *Postgres {
	tb.Helper()
	server, err := LaunchPostgres()
	if err != nil {
		tb.Fatal(err)
	}
	server.endWith(tb)
	return server
}
