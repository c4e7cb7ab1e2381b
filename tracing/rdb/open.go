package rdb

import (
	"context"
	"log/slog"

	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/internal/store"
)

// Kinds of failure of [Open], [DB.Migrate] and [DB.Ping]; match with errors.Is.
// Each error names the database without its password, and the remedy.
var (
	// ErrBadDSN says that the data source name cannot be understood.
	ErrBadDSN = store.ErrBadDSN
	// ErrUnreachable says that no server answers, or no file can be made, where
	// the data source name says.
	ErrUnreachable = store.ErrUnreachable
	// ErrAccessDenied says that the server refused the login, or that a
	// privilege is missing.
	ErrAccessDenied = store.ErrAccessDenied
	// ErrDatabaseMissing says that the server has no database of that name.
	ErrDatabaseMissing = store.ErrDatabaseMissing
	// ErrReadOnly says that the database can be read but not written.
	ErrReadOnly = store.ErrReadOnly
)

// DB is an open trace database: a pool of connections with time zone, deadlines
// and locking as the rows need them. Get one from [Open]. It is safe for
// concurrent use.
type DB struct{ opened *store.DB }

// Open connects to a database and checks that it answers; it gives up after five
// seconds or when ctx ends. It creates and changes no table; see [DB.Migrate]. A
// nil logger means slog.Default(); it receives slow statements.
//
// The forms of dsn are
//
//	/path/file.db, sqlite:///path/file.db   SQLite; the folder is created; ?mode=ro to only read
//	:memory:                                SQLite that ends with Close, one connection
//	mysql://user:password@host:3306/name    MySQL or MariaDB; percent-encode the password
//	user:password@tcp(host:3306)/name       the same in the MySQL driver's form
//	postgres://user:password@host:5432/name PostgreSQL; percent-encode the password
//
// Parameters after a "?" are those of the drivers; the time zone is always UTC.
// A program with a *gorm.DB of its own gives it to [NewSink] and [NewStore]
// instead.
func Open(ctx context.Context, dsn string, logger *slog.Logger) (*DB, error) {
	opened, err := store.Open(ctx, dsn, logger)
	if err != nil {
		return nil, err
	}
	return &DB{opened}, nil
}

// Migrate creates the tables or brings them up to date. Any number of processes
// may call it at the same time, on an empty database, on one that is up to date
// and on one whose tables a Java engine created. On a large table adding an
// index takes minutes, which only ctx bounds. The console does the same when it
// starts, and `console migrate` does nothing else.
func (d *DB) Migrate(ctx context.Context) error { return d.opened.Migrate(ctx) }

// Gorm is the database as [NewSink], [NewStore], [Prune] and [Count] take it. It
// closes with d.
func (d *DB) Gorm() *gorm.DB { return d.opened.DB }

// Ping asks the database for an answer, for at most five seconds: what a
// readiness check does.
func (d *DB) Ping(ctx context.Context) error { return d.opened.Ping(ctx) }

// String is the data source name without its password.
func (d *DB) String() string { return d.opened.String() }

// Close closes all connections. Close the recorder that writes through d before.
func (d *DB) Close() error { return d.opened.Close() }
