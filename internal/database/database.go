package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"gorm.io/gorm"
)

// The dialects, as [Database.Dialect] and the folders of the migrations name them.
const (
	MySQL    = "mysql"
	Postgres = "postgres"
	SQLite   = "sqlite"
)

const (
	// PingTimeout bounds the first contact and every Ping.
	PingTimeout = 5 * time.Second
	// closePatience bounds how long Close waits for running queries.
	closePatience = 5 * time.Second
)

// Driver opens one database. The packages mysql, postgres and sqlite have one each.
type Driver interface {
	Dialect() string
	// String is the data source name without its password.
	String() string
	// Open connects and checks that the database answers.
	Open(ctx context.Context, log *slog.Logger) (Opened, error)
	// Migrating returns the pool for migrations, which is closed afterwards unless it is the given
	// one, and the lock around them; nil if none is needed.
	Migrating(ctx context.Context, pool *sql.DB, log *slog.Logger) (*sql.DB, Lock, error)
	// Explain returns the kind of an error, one of this package's Err… values, and the remedy.
	Explain(err error) (hint string, kind error)
	// Code returns the database's code of an error: MySQL's number, PostgreSQL's SQLSTATE or
	// SQLite's primary result code. It is "" if the error has none.
	Code(err error) string
}

// Opened is a database as its driver opens it.
type Opened struct {
	Pool *sql.DB
	Gorm gorm.Dialector
	// Present returns an error if the open file was removed. It is nil if there is no file.
	Present func() error
}

// Lock lets one process at a time migrate a database of a server.
type Lock interface {
	Lock(ctx context.Context, conn *sql.Conn) error
	Unlock(ctx context.Context, conn *sql.Conn) error
}

// LockWait bounds how long a process waits while another one migrates.
const LockWait = 5 * time.Minute

// Source names a database that isn't open yet.
type Source struct {
	driver Driver
	err    error
}

// NewSource returns the source of a parsed data source name, or of the error.
func NewSource(d Driver, err error) Source { return Source{d, err} }

// Check returns the fault of the data source name, nil if there is none. It connects to nothing.
func (s Source) Check() error {
	if s.driver == nil && s.err == nil {
		return errors.New("no database is named; take a data source name of package mysql, postgres or sqlite")
	}
	return s.err
}

// String is the data source name without its password.
func (s Source) String() string {
	if err := s.Check(); err != nil {
		return err.Error()
	}
	return s.driver.String()
}

// Database is an open database. All methods are safe for concurrent use; their errors are of type
// *[Error].
type Database struct {
	// Dialect is [MySQL], [Postgres] or [SQLite].
	Dialect string

	driver  Driver
	gorm    *gorm.DB
	pool    *sql.DB
	present func() error
	logger  *slog.Logger
}

// Open connects to a database and checks that it answers. It gives up after five seconds or when
// ctx ends. A nil logger means slog.Default().
func Open(ctx context.Context, s Source, logger *slog.Logger) (*Database, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if logger == nil {
		logger = slog.Default()
	}
	ctx, cancel := context.WithTimeout(ctx, PingTimeout)
	defer cancel()
	opened, err := s.driver.Open(ctx, logger)
	if err != nil {
		return nil, explain(s.driver, "open", err)
	}
	db := &Database{
		Dialect: s.driver.Dialect(), driver: s.driver, pool: opened.Pool, present: opened.Present, logger: logger,
	}
	db.gorm, err = gorm.Open(opened.Gorm, &gorm.Config{
		TranslateError:       true,
		DisableAutomaticPing: true, // it would have no deadline
		Logger:               queryLog{logger},
		NowFunc:              func() time.Time { return time.Now().UTC() },
	})
	if err == nil {
		err = db.gorm.Use(codes{s.driver})
	}
	if err != nil {
		return nil, errors.Join(explain(s.driver, "open", err), db.pool.Close())
	}
	return db, nil
}

// FirstPing bounds the connections of a pool to a server and makes the first.
func FirstPing(ctx context.Context, pool *sql.DB) (*sql.DB, error) {
	pool.SetMaxOpenConns(10)
	pool.SetMaxIdleConns(4)
	// Shorter than what servers and the firewalls between usually allow.
	pool.SetConnMaxLifetime(3 * time.Minute)
	pool.SetConnMaxIdleTime(time.Minute)
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return pool, nil
}

// Gorm returns the database as GORM has it. It's no method because rdb.DB
// makes the methods of [Database] public.
func Gorm(d *Database) *gorm.DB { return d.gorm }

// With returns the database with another session of GORM, for tests that watch its statements.
func With(d *Database, session *gorm.DB) *Database {
	watched := *d
	watched.gorm = session
	return &watched
}

// codes is a plugin of GORM with the driver's function Code.
type codes struct{ driver Driver }

func (codes) Name() string              { return "codes" }
func (codes) Initialize(*gorm.DB) error { return nil }

// Code returns the database's code of an error; see [Driver].
func Code(db *gorm.DB, err error) string {
	if c, ok := db.Plugins[codes{}.Name()].(codes); ok {
		return c.driver.Code(err)
	}
	return ""
}

// Present returns an error that wraps [ErrRemoved] if the open file was removed.
func Present(d *Database) error {
	if d.present == nil {
		return nil
	}
	return explain(d.driver, "use", d.present())
}

// String returns the data source name without its password.
func (d *Database) String() string { return d.driver.String() }

// Ping asks the database for an answer, for at most five seconds.
func (d *Database) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, PingTimeout)
	defer cancel()
	var one int
	if err := d.pool.QueryRowContext(ctx, "SELECT 1").Scan(&one); err != nil {
		return explain(d.driver, "ping", err)
	}
	return Present(d)
}

// Close closes all connections. Running queries end with an error. With SQLite it waits for them,
// for at most five seconds, because the last connection tidies up the files.
func (d *Database) Close() error {
	err := explain(d.driver, "close", d.pool.Close())
	if d.Dialect != SQLite {
		return err
	}
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(closePatience); d.pool.Stats().OpenConnections > 0; <-poll.C {
		if time.Now().After(deadline) {
			return errors.Join(err, fmt.Errorf("close %s: a connection is still in use after %v", d, closePatience))
		}
	}
	return err
}
