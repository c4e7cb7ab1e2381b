package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// misplaced are parameters of PostgreSQL's client library that would bring an
// account, or the address, from elsewhere than where this program shows it.
var misplaced = []string{"user", "password", "passfile", "service", "servicefile", "sslpassword", "dbname", "database"}

func parsePostgresURL(dsn string) (target, bool) {
	u, err := url.Parse(dsn)
	if err != nil || u.Fragment != "" || len(u.Path) < 2 || strings.Contains(u.Path[1:], "/") {
		return target{}, false
	}
	if strings.Contains(u.Hostname(), ":") && !strings.HasPrefix(u.Host, "[") {
		return target{}, false // two ports
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil || u.Hostname() == "" && query.Get("host") == "" { // a socket's folder is a parameter
		return target{}, false
	}
	for _, name := range misplaced {
		if query.Has(name) {
			return target{}, false
		}
	}
	cfg, err := pgx.ParseConfig(u.String())
	if err != nil { // its message may quote what it could not parse
		return target{}, false
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
	return target{dialect: Postgres, masked: mask.DSN(dsn), postgres: cfg}, true
}

func openPostgres(ctx context.Context, t target) (*sql.DB, error) {
	return firstPing(ctx, postgresPool(t))
}

func postgresPool(t target) *sql.DB { return stdlib.OpenDB(*t.postgres.Copy()) }

// explainPostgres tells by the server's five-character code what went wrong.
func (t target) explainPostgres(err error) (hint string, kind error) {
	name, user := t.postgres.Database, t.postgres.User
	refusal, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		_, connecting := errors.AsType[*pgconn.ConnectError](err)
		if connecting || unreachable(err) || pgconn.Timeout(err) || errors.Is(err, net.ErrClosed) {
			hint = fmt.Sprintf("check that the server runs and that %s is its address and port", t.postgresAddress())
			if strings.Contains(strings.ToLower(err.Error()), "tls") {
				hint = "the server and sslmode disagree about encryption; name another sslmode after the ?"
			}
			return hint, ErrUnreachable
		}
		return "", ErrFailed
	}
	quoted := pgx.Identifier{name}.Sanitize()
	role := pgx.Identifier{user}.Sanitize()
	switch refusal.Code {
	case "28P01":
		return fmt.Sprintf("check user %q and its password", user), ErrAccessDenied
	case "28000":
		return fmt.Sprintf("the server takes no login of user %q on database %q from this host: see its pg_hba.conf, and CREATE ROLE %s LOGIN PASSWORD …;",
			user, name, role), ErrAccessDenied
	case "42501":
		return fmt.Sprintf("as an administrator run: GRANT CONNECT, CREATE ON DATABASE %s TO %s; and in that database: "+
			"GRANT USAGE, CREATE ON SCHEMA public TO %[2]s; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO %[2]s; "+
			"altering tables takes their owner", quoted, role), ErrAccessDenied
	case "3D000":
		return fmt.Sprintf("create it: CREATE DATABASE %s ENCODING 'UTF8' TEMPLATE template0;", quoted), ErrDatabaseMissing
	case "25006":
		return "this is a standby or the server was set to read-only; use the address of the primary", ErrReadOnly
	case "53300", "53400":
		return "the server has too many connections; raise max_connections or close others", ErrUnreachable
	case "57P01", "57P02", "57P03":
		return "the server is starting or stopping; try again in a moment", ErrUnreachable
	case "53100":
		return "the server's disk is full", ErrFailed
	case "42704", "22023":
		if refusal.SeverityUnlocalized == "FATAL" {
			return "the server does not know one of the parameters after the ?", ErrBadDSN
		}
	}
	return "", ErrFailed
}

func (t target) postgresAddress() string {
	if strings.HasPrefix(t.postgres.Host, "/") {
		return t.postgres.Host
	}
	return net.JoinHostPort(t.postgres.Host, strconv.Itoa(int(t.postgres.Port)))
}

// advisoryLock is PostgreSQL's lock around a run of migrations. It belongs to
// one database, and the server gives it back when the connection ends.
type advisoryLock struct{}

// lockKey is the number of the lock: "ej_migr" in ASCII.
const lockKey = 0x656a5f6d696772

func (advisoryLock) lock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, fmt.Sprintf("SET lock_timeout = '%ds'", int(lockWait.Seconds())))
	if err == nil {
		_, err = conn.ExecContext(ctx, fmt.Sprintf("SELECT pg_advisory_lock(%d)", lockKey))
	}
	if refusal, ok := errors.AsType[*pgconn.PgError](err); ok && refusal.Code == "55P03" {
		return fmt.Errorf("lock migrations: another process has been migrating this database for %s; "+
			"wait for it or end it, pg_stat_activity names it", lockWait)
	}
	if err != nil {
		return fmt.Errorf("lock migrations: %w", err)
	}
	return nil
}

func (advisoryLock) unlock(ctx context.Context, conn *sql.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("SELECT pg_advisory_unlock(%d)", lockKey)); err != nil {
		return fmt.Errorf("unlock migrations: %w", err)
	}
	return nil
}
