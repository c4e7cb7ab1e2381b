// Package sqlite opens SQLite databases with the pure-Go build, in WAL mode, with a busy timeout and
// with transactions that take the write lock at once, so that two writers wait for each other
// instead of failing half-way.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	gosqlite "github.com/glebarez/go-sqlite"
	"github.com/glebarez/sqlite"

	"github.com/elasticjob-go/elasticjob/internal/database"
)

// memory is the name of SQLite's database that lives as long as it is open.
const memory = ":memory:"

// Driver opens one SQLite database.
type Driver struct {
	path  string // absolute, or ":memory:"
	query url.Values
}

// Parse understands a path, sqlite:///path/file.db?parameters and :memory:.
func Parse(dsn string) (*Driver, error) {
	dsn = strings.TrimSpace(dsn)
	d, hint := parse(dsn)
	if hint != "" {
		return nil, database.BadDSN(dsn, hint)
	}
	return d, nil
}

func parse(dsn string) (d *Driver, hint string) {
	path := dsn
	for _, prefix := range []string{"sqlite://", "sqlite:", "file:"} {
		if len(path) >= len(prefix) && strings.EqualFold(path[:len(prefix)], prefix) {
			path = path[len(prefix):]
			break
		}
	}
	path, raw, _ := strings.Cut(path, "?")
	query, err := url.ParseQuery(raw)
	if err != nil {
		return nil, "what follows the ? must be key=value pairs"
	}
	if path == "" || strings.Contains(path, "://") {
		return nil, "name a file: sqlite:///path/file.db"
	}
	if path != memory {
		if path, err = filepath.Abs(path); err != nil {
			return nil, "the path is relative and the working folder no longer exists; give an absolute path"
		}
	}
	return &Driver{path: path, query: query}, ""
}

// readOnly reports whether the DSN asks for a database that is only read.
func (d *Driver) readOnly() bool { return d.query.Get("mode") == "ro" }

// sqliteDSN is the driver's form of a [Driver].
func (d *Driver) sqliteDSN() string {
	q := url.Values{}
	q.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", lockPause.Milliseconds()))
	if !d.readOnly() && d.path != memory {
		q.Add("_pragma", "journal_mode(WAL)")
		q.Add("_pragma", "synchronous(NORMAL)") // safe against corruption in WAL mode
	}
	q.Add("_pragma", "foreign_keys(1)")
	q.Set("_txlock", "immediate")
	for key, values := range d.query {
		for _, value := range values {
			q.Add(key, value)
		}
	}
	if d.path == memory {
		return "file::memory:?" + q.Encode()
	}
	return "file://" + (&url.URL{Path: filepath.ToSlash(d.path)}).EscapedPath() + "?" + q.Encode()
}

// Dialect implements [database.Driver].
func (d *Driver) Dialect() string { return database.SQLite }

// String implements [database.Driver].
func (d *Driver) String() string { return database.SQLite + "://" + d.path }

// Open implements [database.Driver].
func (d *Driver) Open(ctx context.Context, log *slog.Logger) (opened database.Opened, err error) {
	if d.path != memory && !d.readOnly() {
		if err := makePrivate(d.path, log); err != nil {
			return opened, err
		}
	}
	bare, err := sql.Open(sqlite.DriverName, d.sqliteDSN()) // For the driver; nothing is connected to.
	if err != nil {
		return opened, err
	}
	pool := sql.OpenDB(patientConnector{bare.Driver(), d.sqliteDSN()})
	if err := bare.Close(); err != nil {
		return opened, err
	}
	pool.SetMaxOpenConns(8)
	pool.SetMaxIdleConns(8)
	opened = database.Opened{Pool: pool, Gorm: sqlite.Dialector{Conn: pool}}
	if d.path == memory { // every connection would be a database of its own
		pool.SetMaxOpenConns(1)
	} else if file, err := os.Stat(d.path); err == nil { // before the first contact, so that no removal is missed
		opened.Present = func() error { return d.present(file) }
	}
	if err := firstContact(ctx, pool, d.readOnly()); err != nil {
		return database.Opened{}, errors.Join(err, pool.Close())
	}
	if opened.Present != nil && opened.Present() == nil { // The first contact has written its header.
		if file, err := os.Stat(d.path); err == nil {
			opened.Present = func() error { return d.present(file) }
		}
	}
	return opened, nil
}

// errRemoved is the cause of a [database.ErrRemoved].
var errRemoved = errors.New("another file, or none, has its name, or it was overwritten")

// present returns an error unless the file is still at its path, with pages: each has a multiple
// of 512 bytes. In WAL mode SQLite doesn't notice: it goes on with a file without a name,
// or with the pages that it remembers. We don't open the file, because closing it would give up
// the locks of this process.
func (d *Driver) present(opened os.FileInfo) error {
	now, err := os.Stat(d.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !os.SameFile(opened, now),
		err == nil && opened.Size() > 0 && (now.Size() == 0 || now.Size()%512 != 0):
		return errRemoved
	}
	return nil
}

// makePrivate makes the file and its folder, if they are not there, for this
// user only; the files that SQLite puts next to it get the same mode. A file
// that exists keeps its mode, because its owner may share it on purpose.
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
	return nil // SQLite has the better error if the file can't be opened.
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
// transaction would not be enough: on a read-only file SQLite begins one anyway.
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

// Migrating implements [database.Driver]. The error is clearer if the file can't be written.
func (d *Driver) Migrating(ctx context.Context, pool *sql.DB, _ *slog.Logger) (*sql.DB, database.Lock, error) {
	return pool, nil, touch(ctx, pool, false)
}

// Code implements [database.Driver].
func (d *Driver) Code(err error) string {
	if refusal, ok := errors.AsType[*gosqlite.Error](err); ok {
		return strconv.Itoa(refusal.Code() & 0xFF)
	}
	return ""
}

// Explain implements [database.Driver].
func (d *Driver) Explain(err error) (hint string, kind error) {
	if errors.Is(err, errRemoved) {
		return "restart the process, which makes the file and its tables again; stop the processes that use a file " +
			"before it is removed", database.ErrRemoved
	}
	if _, ok := errors.AsType[*os.PathError](err); ok {
		return "the folder cannot be created; choose another path or create it with write permission for this user", database.ErrUnreachable
	}
	refusal, ok := errors.AsType[*gosqlite.Error](err)
	if !ok {
		return "", database.ErrFailed
	}
	switch refusal.Code() & 0xFF {
	case 8:
		return "give this user write permission on the file and on its folder", database.ErrReadOnly
	case 14:
		return "the file cannot be opened; it must be a file, and this user needs permission on it and on its folder", database.ErrUnreachable
	case 5, 6:
		return "another process keeps the database locked; stop it", database.ErrUnreachable
	case 11, 26:
		return "restore the file from a backup, or name another path and a new database is created", database.ErrNotDatabase
	case 13:
		return "the disk is full", database.ErrFailed
	}
	return "", database.ErrFailed
}
