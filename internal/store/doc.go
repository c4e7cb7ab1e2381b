// Package store opens the databases the console and the trace recorder use,
// brings their schema up to date, and says in plain words what is wrong when
// that does not work.
//
//	"sqlite:///var/lib/ej.db"   ─┐           ┌─ unreachable ── is it running? is the port open?
//	"mysql://u:p@db:3306/ej"    ─┼─▶ Open ───┤─ access denied ─ which user, which grant
//	"postgres://u:p@db:5432/ej" ─┘    │      ├─ no such database ─ CREATE DATABASE …
//	                                  ▼      └─ read-only, bad DSN, not a database
//	                           DB{*gorm.DB} ─▶ Migrate ─▶ Ping … ─▶ Close
//
// SQLite is the pure-Go build, in WAL mode, with a busy timeout and with
// transactions that take the write lock at once, so that two writers wait for
// each other instead of failing half-way. MySQL connections speak UTC, parse
// times, and have a deadline on every read and write. PostgreSQL connections
// speak UTC; its driver knows no deadlines but those of a statement's context.
//
// No password appears in an error or a log line of this package.
package store
