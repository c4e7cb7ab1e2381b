// Package postgres opens PostgreSQL databases. Connections use UTC. The driver has no deadlines
// except the context of a statement.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	gormpostgres "gorm.io/driver/postgres"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// dialTimeout is the deadline of a connection unless the DSN has another.
const dialTimeout = 5 * time.Second

// misplaced are parameters of PostgreSQL's client library that would bring an
// account, or the address, from elsewhere than where this program shows it.
var misplaced = []string{"user", "password", "passfile", "service", "servicefile", "sslpassword", "dbname", "database"}

// Driver opens one PostgreSQL database.
type Driver struct {
	Config *pgx.ConnConfig
	masked string
}

var scheme = regexp.MustCompile(`^(?i:postgres(ql)?)://`)

// Parse understands postgres://user:password@host:5432/database?parameters.
func Parse(dsn string) (*Driver, error) {
	dsn = strings.TrimSpace(dsn)
	if scheme.MatchString(dsn) {
		if d, ok := parse(dsn); ok {
			return d, nil
		}
	}
	return nil, database.BadDSN(dsn, "write postgres://user:password@host:5432/database?sslmode=…, "+
		"with characters such as # / ? % @ in the password percent-encoded")
}

func parse(dsn string) (*Driver, bool) {
	u, err := url.Parse(dsn)
	if err != nil || u.Fragment != "" || len(u.Path) < 2 || strings.Contains(u.Path[1:], "/") {
		return nil, false
	}
	if strings.Contains(u.Hostname(), ":") && !strings.HasPrefix(u.Host, "[") {
		return nil, false // two ports
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil || u.Hostname() == "" && query.Get("host") == "" { // a socket's folder is a parameter
		return nil, false
	}
	for _, name := range misplaced {
		if query.Has(name) {
			return nil, false
		}
	}
	cfg, err := pgx.ParseConfig(u.String())
	if err != nil { // its message may quote the password
		return nil, false
	}
	if !query.Has("connect_timeout") {
		cfg.ConnectTimeout = dialTimeout
	}
	cfg.RuntimeParams["timezone"] = "UTC"
	cfg.RuntimeParams["client_encoding"] = "UTF8" // else a LATIN1 database takes our bytes for its own
	if cfg.RuntimeParams["application_name"] == "" {
		cfg.RuntimeParams["application_name"] = "elasticjob"
	}
	// The server is asked for the types of a statement's parameters once, and
	// prepares nothing that would outlive the statement: that works behind a
	// pooler, and makes the plan of a query for the values it is asked with.
	cfg.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	return &Driver{cfg, mask.DSN(dsn)}, true
}

// Dialect implements [database.Driver].
func (d *Driver) Dialect() string { return database.Postgres }

// String implements [database.Driver].
func (d *Driver) String() string { return d.masked }

// Open implements [database.Driver].
func (d *Driver) Open(ctx context.Context, _ *slog.Logger) (database.Opened, error) {
	pool, err := database.FirstPing(ctx, d.pool())
	return database.Opened{Pool: pool, Gorm: gormpostgres.New(gormpostgres.Config{Conn: pool})}, err
}

func (d *Driver) pool() *sql.DB { return stdlib.OpenDB(*d.Config.Copy()) }

// Migrating implements [database.Driver]. Closing the connection of the pool gives the lock back.
func (d *Driver) Migrating(context.Context, *sql.DB, *slog.Logger) (*sql.DB, database.Lock, error) {
	return d.pool(), advisoryLock{}, nil
}

// Code implements [database.Driver].
func (d *Driver) Code(err error) string {
	if refusal, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refusal.Code
	}
	return ""
}

// Explain implements [database.Driver].
func (d *Driver) Explain(err error) (hint string, kind error) {
	name, user := d.Config.Database, d.Config.User
	refusal, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		_, connecting := errors.AsType[*pgconn.ConnectError](err)
		if connecting || database.Unreachable(err) || pgconn.Timeout(err) || errors.Is(err, net.ErrClosed) {
			hint = fmt.Sprintf("check that the server runs and that %s is its address and port", d.address())
			if strings.Contains(strings.ToLower(err.Error()), "tls") {
				hint = "the server and sslmode disagree about encryption; name another sslmode after the ?"
			}
			return hint, database.ErrUnreachable
		}
		return "", database.ErrFailed
	}
	quoted := pgx.Identifier{name}.Sanitize()
	role := pgx.Identifier{user}.Sanitize()
	switch refusal.Code {
	case "28P01":
		return fmt.Sprintf("check user %q and its password", user), database.ErrAccessDenied
	case "28000":
		return fmt.Sprintf("the server takes no login of user %q on database %q from this host: see its pg_hba.conf, and CREATE ROLE %s LOGIN PASSWORD …;",
			user, name, role), database.ErrAccessDenied
	case "42501":
		return fmt.Sprintf("as an administrator run: GRANT CONNECT, CREATE ON DATABASE %s TO %s; and in that database: "+
			"GRANT USAGE, CREATE ON SCHEMA public TO %[2]s; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO %[2]s; "+
			"altering tables takes their owner", quoted, role), database.ErrAccessDenied
	case "3D000":
		return fmt.Sprintf("create it: CREATE DATABASE %s ENCODING 'UTF8' TEMPLATE template0;", quoted), database.ErrDatabaseMissing
	case "25006":
		return "this is a standby or the server was set to read-only; use the address of the primary", database.ErrReadOnly
	case "53300", "53400":
		return "the server has too many connections; raise max_connections or close others", database.ErrUnreachable
	case "57P01", "57P02", "57P03":
		return "the server is starting or stopping; try again in a moment", database.ErrUnreachable
	case "53100":
		return "the server's disk is full", database.ErrFailed
	case "42704", "22023":
		if refusal.SeverityUnlocalized == "FATAL" {
			return "the server does not know one of the parameters after the ?", database.ErrBadDSN
		}
	}
	return "", database.ErrFailed
}

func (d *Driver) address() string {
	if strings.HasPrefix(d.Config.Host, "/") {
		return d.Config.Host
	}
	return net.JoinHostPort(d.Config.Host, strconv.Itoa(int(d.Config.Port)))
}

// advisoryLock is PostgreSQL's lock around a run of migrations. It belongs to
// one database, and the server gives it back when the connection ends.
type advisoryLock struct{}

// lockKey is the number of the lock: "ej_migr" in ASCII.
const lockKey = 0x656a5f6d696772

func (advisoryLock) Lock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, fmt.Sprintf("SET lock_timeout = '%ds'", int(database.LockWait.Seconds())))
	if err == nil {
		_, err = conn.ExecContext(ctx, fmt.Sprintf("SELECT pg_advisory_lock(%d)", lockKey))
	}
	if refusal, ok := errors.AsType[*pgconn.PgError](err); ok && refusal.Code == "55P03" {
		return fmt.Errorf("lock migrations: another process has been migrating this database for %s; "+
			"wait for it or end it, pg_stat_activity names it", database.LockWait)
	}
	if err != nil {
		return fmt.Errorf("lock migrations: %w", err)
	}
	return nil
}

func (advisoryLock) Unlock(ctx context.Context, conn *sql.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, database.PingTimeout)
	defer cancel()
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("SELECT pg_advisory_unlock(%d)", lockKey)); err != nil {
		return fmt.Errorf("unlock migrations: %w", err)
	}
	return nil
}
