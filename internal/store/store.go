package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/glebarez/sqlite"
	"github.com/go-sql-driver/mysql"
	gormmysql "gorm.io/driver/mysql"
	gormpostgres "gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// pingTimeout bounds the first contact and every Ping.
const pingTimeout = 5 * time.Second

// closePatience is how long Close waits for what still runs.
const closePatience = 5 * time.Second

// DB is an open database. All methods are safe for concurrent use; errors of
// its own methods are of type *[Error].
type DB struct {
	*gorm.DB
	// Dialect is [MySQL], [Postgres] or [SQLite].
	Dialect string

	target target
	pool   *sql.DB
	logger *slog.Logger
}

// Open connects to a database and checks that it answers; it gives up after
// five seconds or when ctx ends. It does not create or change tables; see
// [DB.Migrate]. A nil logger means slog.Default().
//
// The forms of dsn are
//
//	/path/file.db, sqlite:///path/file.db   SQLite; the folder is created; ?mode=ro to only read
//	:memory:                                SQLite that ends with Close, one connection
//	mysql://user:password@host:3306/name    MySQL or MariaDB; percent-encode the password
//	user:password@tcp(host:3306)/name       the same in the MySQL driver's form
//	postgres://user:password@host:5432/name PostgreSQL; percent-encode the password
//
// Parameters after a "?" are those of the drivers; parseTime, loc and
// time_zone are always true, UTC and UTC, and so is PostgreSQL's timezone. Errors wrap one of the package's
// Err… values and name the remedy.
func Open(ctx context.Context, dsn string, logger *slog.Logger) (*DB, error) {
	t, err := parse(dsn)
	if err != nil {
		return nil, err
	}
	return open(ctx, t, logger)
}

// open opens an understood name.
func open(ctx context.Context, t target, logger *slog.Logger) (db *DB, err error) {
	if logger == nil {
		logger = slog.Default()
	}
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()

	db = &DB{Dialect: t.dialect, target: t, logger: logger}
	var dialector gorm.Dialector
	switch t.dialect {
	case MySQL:
		db.pool, err = openMySQL(ctx, t, logger)
		dialector = gormmysql.New(gormmysql.Config{Conn: db.pool, SkipInitializeWithVersion: true})
	case Postgres:
		db.pool, err = openPostgres(ctx, t)
		dialector = gormpostgres.New(gormpostgres.Config{Conn: db.pool})
	default:
		db.pool, err = openSQLite(ctx, t, logger)
		dialector = sqlite.Dialector{Conn: db.pool}
	}
	if err != nil {
		return nil, t.explain("open", err)
	}
	db.DB, err = gorm.Open(dialector, &gorm.Config{
		TranslateError:       true,
		DisableAutomaticPing: true, // it would have no deadline
		Logger:               queryLog{logger},
		NowFunc:              func() time.Time { return time.Now().UTC() },
	})
	if err != nil {
		return nil, errors.Join(t.explain("open", err), db.pool.Close())
	}
	return db, nil
}

func openMySQL(ctx context.Context, t target, logger *slog.Logger) (*sql.DB, error) {
	pool, err := mysqlPool(t.mysql, logger)
	if err != nil {
		return nil, err
	}
	return firstPing(ctx, pool)
}

// firstPing bounds the connections of a pool to a server and makes the first.
func firstPing(ctx context.Context, pool *sql.DB) (*sql.DB, error) {
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

func mysqlPool(cfg *mysql.Config, logger *slog.Logger) (*sql.DB, error) {
	cfg = cfg.Clone()
	cfg.Logger = driverLog{logger}
	if err := cfg.Apply(mysql.Charset("utf8mb4", "")); err != nil {
		return nil, err
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// makePrivate makes the file and its folder, if they are not there, for this
// user only; the files that SQLite puts beside it get the same mode. What is
// there stays as it is: somebody may share it on purpose.
func makePrivate(path string, logger *slog.Logger) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		return file.Close()
	}
	if info, statErr := os.Stat(path); statErr == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		logger.Warn("others on this machine can read the database file; run chmod 600 on it if that is not meant",
			slog.String("file", path), slog.String("mode", fmt.Sprintf("%#o", info.Mode().Perm())))
	}
	return nil // What keeps it from being opened, SQLite says better.
}

func openSQLite(ctx context.Context, t target, logger *slog.Logger) (*sql.DB, error) {
	if t.path != memory && !t.readOnly() {
		if err := makePrivate(t.path, logger); err != nil {
			return nil, err
		}
	}
	bare, err := sql.Open(sqlite.DriverName, t.sqliteDSN()) // For the driver; nothing is connected to.
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(patientConnector{bare.Driver(), t.sqliteDSN()})
	if err := bare.Close(); err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(8)
	pool.SetMaxIdleConns(8)
	if t.path == memory { // every connection would be a database of its own
		pool.SetMaxOpenConns(1)
	}
	if err := firstContact(ctx, pool, t.readOnly()); err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return pool, nil
}

// firstContact opens the file and finds out whether it can be written, unless
// it is only to be read. It tries again while another process that
// starts at the same moment is switching the file to WAL mode, which does not
// honour the busy timeout.
func firstContact(ctx context.Context, pool *sql.DB, readOnly bool) error {
	for {
		err := touch(ctx, pool, readOnly)
		if !isBusy(err) || ctx.Err() != nil {
			return err
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return err
		}
	}
}

// touch writes the file's header as it is and takes that back. Beginning a
// transaction would not tell: on a read-only file SQLite begins one anyway.
func touch(ctx context.Context, pool *sql.DB, readOnly bool) error {
	var version int // a number for applications; reading it reads the header
	if err := pool.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil || readOnly {
		return err
	}
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
	return errors.Join(err, tx.Rollback())
}

// String returns the data source name without its password.
func (d *DB) String() string { return d.target.masked }

// Ping asks the database for an answer, for at most five seconds.
func (d *DB) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	var one int
	return d.target.explain("ping", d.pool.QueryRowContext(ctx, "SELECT 1").Scan(&one))
}

// Close closes all connections. Queries still running end with an error. With
// SQLite it waits for them, for at most five seconds: whoever was cancelled gives
// its connection back a moment later, and the last one tidies up the files.
func (d *DB) Close() error {
	err := d.target.explain("close", d.pool.Close())
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
