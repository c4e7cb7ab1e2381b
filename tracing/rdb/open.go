package rdb

import (
	"context"
	"log/slog"

	"github.com/elasticjob-go/elasticjob/internal/database"
)

// Kinds of failure of [Open] and of the methods of [DB]; match with errors.Is.
// Each error has the database without its password, and the remedy.
var (
	// ErrBadDSN: the data source name can't be understood.
	ErrBadDSN = database.ErrBadDSN
	// ErrUnreachable: no server answers, or no file can be made.
	ErrUnreachable = database.ErrUnreachable
	// ErrAccessDenied: the server refused the login, or a privilege is missing.
	ErrAccessDenied = database.ErrAccessDenied
	// ErrDatabaseMissing: the server has no database of that name.
	ErrDatabaseMissing = database.ErrDatabaseMissing
	// ErrReadOnly: the database can be read but not written.
	ErrReadOnly = database.ErrReadOnly
	// ErrRemoved: the file of a SQLite database was removed while it was open.
	ErrRemoved = database.ErrRemoved
)

// Source names a database that isn't open yet. Get one from the function DSN of package
// rdb/mysql, rdb/postgres or rdb/sqlite; a program links the drivers that it imports and no
// others. Check returns the fault of the name without connecting, and String the name without its
// password.
type Source = database.Source

// DB is an open trace database: a pool of connections with time zone, deadlines and locking as the
// rows need them. Get one from [Open]. It's safe for concurrent use. It has the methods
//
//	Migrate(ctx) error         creates the tables or brings them up to date
//	Pending(ctx) (int, error)  counts the migrations that Migrate would run
//	Ping(ctx) error            asks for an answer, for at most five seconds: a readiness check
//	String() string            the data source name without its password
//	Close() error              closes all connections; close the recorder first
//
// Any number of processes may call Migrate at the same time, on an empty database, on one that is
// up to date and on one with tables of a Java engine. On a large table adding an index takes
// minutes, which only ctx bounds. The console does the same when it starts.
type DB = database.Database

// Open connects to a database and checks that it answers. It gives up after five seconds or when
// ctx ends. It creates and changes no table. The log gets slow statements; nil means
// slog.Default(). An agent needs no open database: see [NewRecorder].
func Open(ctx context.Context, s Source, log *slog.Logger) (*DB, error) {
	return database.Open(ctx, s, log)
}
