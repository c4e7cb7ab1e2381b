package rdb

import (
	"context"
	"log/slog"

	"github.com/elasticjob-go/elasticjob/internal/database"
)

// Errors of [Open] and the methods of [DB]; match with errors.Is. Each has the database without its
// password, and the remedy.
var (
	// ErrBadDSN: the data source name is invalid.
	ErrBadDSN = database.ErrBadDSN
	// ErrUnreachable: no server answers, or the file can't be created.
	ErrUnreachable = database.ErrUnreachable
	// ErrAccessDenied: the server refused the login, or a privilege is missing.
	ErrAccessDenied = database.ErrAccessDenied
	// ErrDatabaseMissing: the server has no database of that name.
	ErrDatabaseMissing = database.ErrDatabaseMissing
	// ErrReadOnly: the database is read-only.
	ErrReadOnly = database.ErrReadOnly
	// ErrRemoved: the file of a SQLite database was removed while it was open.
	ErrRemoved = database.ErrRemoved
)

// Source names a database that isn't open yet. Get one from DSN of package rdb/mysql, rdb/postgres
// or rdb/sqlite; a program links only the drivers that it imports. Check returns errors of the name
// without connecting, and String the name without its password.
type Source = database.Source

// DB is an open trace database: a connection pool with the right time zone, deadlines and locking.
// Get one from [Open]. It's safe for concurrent use. It has the methods
//
//	Migrate(ctx) error         creates the tables or brings them up to date
//	Pending(ctx) (int, error)  counts the migrations that Migrate would run
//	Ping(ctx) error            asks for an answer, for at most five seconds: a readiness check
//	String() string            the data source name without its password
//	Close() error              closes all connections; close the recorder first
//
// Any number of processes may call Migrate at the same time, also on an empty or current database
// and on tables of a Java engine. Adding an index to a large table takes minutes, limited only by
// ctx. The console calls Migrate when it starts.
type DB = database.Database

// Open connects to a database and checks that it answers. It gives up after five seconds or when
// ctx ends, and creates and changes no table. Slow statements are logged to log, or slog.Default()
// if nil. An agent needs no open database: see [NewRecorder].
func Open(ctx context.Context, s Source, log *slog.Logger) (*DB, error) {
	return database.Open(ctx, s, log)
}
