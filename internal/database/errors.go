package database

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// Kinds of failure; match with errors.Is.
var (
	// ErrBadDSN: the data source name cannot be understood.
	ErrBadDSN = errors.New("bad data source name")
	// ErrUnreachable: no server answers at the address of the data source name, or no file can be made there.
	ErrUnreachable = errors.New("database unreachable")
	// ErrAccessDenied: the server refused the login, or a privilege is missing.
	ErrAccessDenied = errors.New("access denied")
	// ErrDatabaseMissing: the server has no database of that name.
	ErrDatabaseMissing = errors.New("database does not exist")
	// ErrReadOnly: the database can be read but not written.
	ErrReadOnly = errors.New("database is read-only")
	// ErrNotDatabase: the file is not a SQLite database, or is damaged.
	ErrNotDatabase = errors.New("not a usable database file")
	// ErrRemoved: the file of a SQLite database was removed, replaced or overwritten while it was open.
	ErrRemoved = errors.New("database file was removed")
	// ErrFailed: any other error of the database.
	ErrFailed = errors.New("database failed")
)

// Error is the error of Open, Ping and Migrate: the operation, the database, the kind of the
// failure and the remedy. It matches its Kind and wraps the driver's error.
type Error struct {
	Op       string // "open", "ping", "migrate"
	Database string // the data source name without its password
	Kind     error  // one of this package's Err… values
	Err      error  // the driver's error; nil if it was never called
	Hint     string // the remedy, a sentence or two
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s database %s: %s", e.Op, e.Database, e.Kind)
	if e.Err != nil {
		fmt.Fprintf(&b, ": %s", e.Err)
	}
	if e.Hint != "" {
		fmt.Fprintf(&b, "; %s", e.Hint)
	}
	return b.String()
}

func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// explain turns a driver's error into an [Error].
func explain(d Driver, op string, err error) error {
	if err == nil {
		return nil
	}
	if _, done := errors.AsType[*Error](err); done {
		return err
	}
	e := &Error{Op: op, Database: d.String(), Err: err}
	e.Hint, e.Kind = d.Explain(err)
	return e
}

// BadDSN is the error of a data source name that can't be understood.
func BadDSN(dsn, hint string) *Error {
	return &Error{Op: "open", Database: cmp.Or(mask.DSN(dsn), `""`), Kind: ErrBadDSN, Hint: hint}
}

// Unreachable reports whether a server could not be reached.
func Unreachable(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, driver.ErrBadConn) || errors.Is(err, context.DeadlineExceeded)
}
