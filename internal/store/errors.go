package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	gosqlite "github.com/glebarez/go-sqlite"
	"github.com/go-sql-driver/mysql"
)

// Kinds of failure; match with errors.Is.
var (
	// ErrBadDSN: the data source name cannot be understood.
	ErrBadDSN = errors.New("bad data source name")
	// ErrUnreachable: there is no server, or no file can be made, at the place
	// the data source name says.
	ErrUnreachable = errors.New("database unreachable")
	// ErrAccessDenied: the server refused the login, or a privilege is missing.
	ErrAccessDenied = errors.New("access denied")
	// ErrDatabaseMissing: the server has no database of that name.
	ErrDatabaseMissing = errors.New("database does not exist")
	// ErrReadOnly: the database can be read but not written.
	ErrReadOnly = errors.New("database is read-only")
	// ErrNotDatabase: the file is not a SQLite database, or is damaged.
	ErrNotDatabase = errors.New("not a usable database file")
	// ErrFailed: anything else the database said.
	ErrFailed = errors.New("database failed")
)

// Error is what Open, Ping and Migrate return: what was tried on which
// database, what kind of failure it was and what to do about it. It matches
// its Kind and wraps the driver's error.
type Error struct {
	Op       string // "open", "ping", "migrate"
	Database string // the data source name without its password
	Kind     error  // one of this package's Err… values
	Err      error  // what the driver said; nil if it was never asked
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
func (t target) explain(op string, err error) error {
	if err == nil {
		return nil
	}
	if _, done := errors.AsType[*Error](err); done {
		return err
	}
	e := &Error{Op: op, Database: t.masked, Err: err}
	switch t.dialect {
	case MySQL:
		e.Hint, e.Kind = t.explainMySQL(err)
	case Postgres:
		e.Hint, e.Kind = t.explainPostgres(err)
	default:
		e.Hint, e.Kind = t.explainSQLite(err)
	}
	return e
}

func (t target) explainMySQL(err error) (hint string, kind error) {
	name, user, addr := t.mysql.DBName, t.mysql.User, t.mysql.Addr
	if refusal, ok := errors.AsType[*mysql.MySQLError](err); ok {
		switch refusal.Number {
		case 1045, 1698: // wrong password, login by socket only
			return fmt.Sprintf("check user %q and its password; the server decides by the address you come from, too", user), ErrAccessDenied
		case 1130: // host not allowed
			return fmt.Sprintf("the server takes no logins from this host; create user %q for it", user), ErrAccessDenied
		case 1044: // no privilege on the database
			return fmt.Sprintf("as an administrator run: CREATE DATABASE IF NOT EXISTS %s CHARACTER SET utf8mb4; "+
				"GRANT ALL ON %s.* TO '%s'@'%%';", quoteName(name), quoteName(name), user), ErrAccessDenied
		case 1142, 1143, 1227, 1370: // no privilege for a statement
			return fmt.Sprintf("as an administrator run: GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX ON %s.* TO '%s'@'%%';",
				quoteName(name), user), ErrAccessDenied
		case 1049:
			return fmt.Sprintf("create it: CREATE DATABASE %s CHARACTER SET utf8mb4;", quoteName(name)), ErrDatabaseMissing
		case 1290, 1792, 1836: // read-only server, transaction or mode
			return "this is a replica or the server was set to read_only; use the address of the primary", ErrReadOnly
		case 1040, 1203, 1226:
			return "the server has too many connections; raise max_connections or close others", ErrUnreachable
		}
		return "", ErrFailed
	}
	if unreachable(err) {
		return fmt.Sprintf("check that the server runs and that %s is its address and port", addr), ErrUnreachable
	}
	return "", ErrFailed
}

func unreachable(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) ||
		errors.Is(err, context.DeadlineExceeded)
}

func (t target) explainSQLite(err error) (hint string, kind error) {
	if _, ok := errors.AsType[*os.PathError](err); ok {
		return "the folder cannot be created; choose another path or create it with write permission for this user", ErrUnreachable
	}
	refusal, ok := errors.AsType[*gosqlite.Error](err)
	if !ok {
		return "", ErrFailed
	}
	switch refusal.Code() & 0xFF {
	case 8:
		return "give this user write permission on the file and on its folder", ErrReadOnly
	case 14:
		return "the file cannot be opened; it must be a file, and this user needs permission on it and on its folder", ErrUnreachable
	case 5, 6:
		return "another process keeps the database locked; stop it", ErrUnreachable
	case 11, 26:
		return "restore the file from a backup, or name another path and a new database is created", ErrNotDatabase
	case 13:
		return "the disk is full", ErrFailed
	}
	return "", ErrFailed
}

func quoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
