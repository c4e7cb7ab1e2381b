package store

import (
	"context"
	"log/slog"
	"regexp"
	"strings"

	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/database/mysql"
	"github.com/elasticjob-go/elasticjob/internal/database/postgres"
	"github.com/elasticjob-go/elasticjob/internal/database/sqlite"
)

var (
	scheme = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*)://`)
	// goForm recognises what is, or was meant to be, the driver's own form,
	// "user:password@tcp(host)/name". A file with an "@" in its name needs a
	// folder or "sqlite:" before it.
	goForm   = regexp.MustCompile(`^(.*@)?(tcp|tcp4|tcp6|unix)\(|^[^/\\]*@|^[^/\\]*:.*@`)
	fileForm = regexp.MustCompile(`^(?i:sqlite:|file:)`)
)

// Error is the error of package database.
type Error = database.Error

// The dialects and kinds of failure of package database.
const (
	MySQL    = database.MySQL
	Postgres = database.Postgres
	SQLite   = database.SQLite
)

//nolint:revive // see package database
var (
	ErrBadDSN          = database.ErrBadDSN
	ErrUnreachable     = database.ErrUnreachable
	ErrAccessDenied    = database.ErrAccessDenied
	ErrDatabaseMissing = database.ErrDatabaseMissing
	ErrReadOnly        = database.ErrReadOnly
	ErrNotDatabase     = database.ErrNotDatabase
	ErrFailed          = database.ErrFailed
	ErrTooOld          = database.ErrTooOld
)

// DB is an open database with its handle of GORM.
type DB struct {
	*gorm.DB
	*database.Database
}

// Open connects to a database and checks that it answers; it gives up after
// five seconds or when ctx ends. It does not create or change tables; see
// [database.Database.Migrate]. A nil logger means slog.Default().
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
	return open(ctx, Source(dsn), logger)
}

func open(ctx context.Context, s database.Source, logger *slog.Logger) (*DB, error) {
	db, err := database.Open(ctx, s, logger)
	if err != nil {
		return nil, err
	}
	return &DB{database.Gorm(db), db}, nil
}

// MigrateConsole brings the console's own tables up to date, as Migrate does those of the history.
func (d *DB) MigrateConsole(ctx context.Context) error {
	return database.MigrateConsole(ctx, d.Database)
}

// Check reports what is wrong with a data source name, without connecting to
// anything: nil, or an *[Error] that wraps [ErrBadDSN].
func Check(dsn string) error { return Source(dsn).Check() }

// ReadOnly returns a data source name that doesn't create the file if dsn names a SQLite file.
func ReadOnly(dsn string) string {
	if d, err := parse(dsn); err != nil || d.Dialect() != SQLite || strings.Contains(dsn, ":memory:") {
		return dsn
	}
	if strings.Contains(dsn, "?") {
		return dsn + "&mode=ro"
	}
	return dsn + "?mode=ro"
}

// Source returns the database of a data source name in one of the forms that [Open] documents.
func Source(dsn string) database.Source { return database.NewSource(parse(dsn)) }

// parse chooses the driver of a data source name.
func parse(dsn string) (database.Driver, error) {
	dsn = strings.TrimSpace(dsn)
	switch name := strings.ToLower(strings.TrimSuffix(scheme.FindString(dsn), "://")); {
	case dsn == "":
		return nil, database.BadDSN(dsn, "give a path for SQLite, mysql://user:password@host:3306/database or postgres://user:password@host:5432/database")
	case name == "mysql" || name == "mariadb":
		return mysql.Parse(dsn)
	case name == "postgres" || name == "postgresql":
		return postgres.Parse(dsn)
	case name == "sqlite" || name == "":
	default:
		return nil, database.BadDSN(dsn, "this scheme is not supported; use sqlite:///path/file.db, mysql://user:password@host:3306/database or postgres://user:password@host:5432/database")
	}
	if goForm.MatchString(dsn) && !fileForm.MatchString(dsn) {
		return mysql.Parse(dsn)
	}
	return sqlite.Parse(dsn)
}
