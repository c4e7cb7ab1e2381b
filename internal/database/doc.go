// Package database opens a database through one of its drivers, brings its schema up to date, and
// explains errors in plain words. It imports no driver itself, so that a program links only the
// drivers that it uses.
//
//	mysql.Parse    ─┐                 ┌─ unreachable ── is it running? is the port open?
//	postgres.Parse ─┼─▶ Driver ─▶ Open ┤─ access denied ─ which user, which grant
//	sqlite.Parse   ─┘              │  └─ no such database, read-only, removed …
//	                               ▼
//	                            Database ─▶ Migrate ─▶ Ping … ─▶ Close
//
// No password appears in an error or a log line of this package.
package database
