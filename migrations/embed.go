// Package migrations holds the database schema as SQL files, one folder per
// dialect, embedded into the program.
//
//	mysql/00001_….sql ────┐                    ┌─ internal/store: DB.Migrate ─▶ database
//	postgres/00001_….sql ─┼─ embed ─▶ For(…) ──┤
//	sqlite/00001_….sql ───┘                    └─ tests: same shape in every dialect
//
// The folder console has the same for the console's own tables, which may stand
// in another database or in the same: their versions are counted apart.
//
// The trace tables keep the names and columns of ElasticJob's, as the union of
// what 3.0.4 and 3.0.5 create, so that Java engines of both and this project
// write into one database and consoles of either read it.
//
// Rules of the files: the same versions exist for every dialect; a file that
// has been released is never edited; every statement can be run again, because
// MySQL commits each on its own and a run may be cut off anywhere (but for SQLite,
// which applies a file and records that in one transaction); a table that
// an ElasticJob engine created is taken as it is and only ever added to (what else
// it needs, `console migrate` prints as SQL for the operator to run); there
// is no way down, because down would delete history.
package migrations

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
)

//go:embed mysql/*.sql postgres/*.sql sqlite/*.sql console/*/*.sql
var files embed.FS

// Table is the name of the table that records which migrations have been
// applied. It is our own rather than the tool's default, because the database
// may be shared with programs that use the same tool.
const Table = "elasticjob_schema_version"

// ConsoleTable is the same for the console's own tables.
const ConsoleTable = "elasticjob_console_version"

// For returns the migrations of a dialect, "mysql", "postgres" or "sqlite", at
// the root of a file system.
func For(dialect string) (fs.FS, error) {
	switch dialect {
	case "mysql", "postgres", "sqlite":
		return fs.Sub(files, dialect)
	}
	return nil, fmt.Errorf("migrations: no dialect %q, there are mysql, postgres and sqlite", dialect)
}

// Index returns the statement that creates an index of the trace tables.
func Index(dialect, name string) (statement string, ok bool) {
	names, err := fs.Glob(files, dialect+"/*.sql")
	if err != nil {
		return "", false
	}
	wanted := regexp.MustCompile(`CREATE (UNIQUE )?INDEX (IF NOT EXISTS )?` + regexp.QuoteMeta(name) + ` ON [^;']+`)
	for _, file := range names {
		text, err := fs.ReadFile(files, file)
		if found := wanted.Find(text); err == nil && found != nil {
			return string(found) + ";", true
		}
	}
	return "", false
}

// ForConsole returns those of the console's own tables.
func ForConsole(dialect string) (fs.FS, error) {
	if _, err := For(dialect); err != nil {
		return nil, err
	}
	return fs.Sub(files, "console/"+dialect)
}

// Versions lists the numbers of the migrations that [For] returned, ascending.
func Versions(files fs.FS) ([]int64, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	var versions []int64
	for _, name := range names { // sorted by name, thus by number
		var version int64
		if _, err := fmt.Sscanf(name, "%d_", &version); err != nil {
			return nil, fmt.Errorf("migrations: %s does not begin with a number", name)
		}
		versions = append(versions, version)
	}
	return versions, nil
}
