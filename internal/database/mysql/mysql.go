// Package mysql opens databases of MySQL and MariaDB. Connections use UTC, parse times, and have a
// deadline on every read and write.
package mysql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	gormmysql "gorm.io/driver/mysql"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// Deadlines of a connection unless the DSN has others.
const (
	dialTimeout = 5 * time.Second
	ioTimeout   = 30 * time.Second
)

// Driver opens one database of MySQL or MariaDB.
type Driver struct {
	Config *mysql.Config
	masked string
}

var (
	scheme = regexp.MustCompile(`^(?i:mysql|mariadb)://`)
	// networks can be dialled without further registration.
	networks = map[string]bool{"tcp": true, "tcp4": true, "tcp6": true, "unix": true}
)

// Parse understands mysql://user:password@host:3306/database?parameters and the form of the driver,
// user:password@tcp(host:3306)/database?parameters.
func Parse(dsn string) (*Driver, error) {
	dsn = strings.TrimSpace(dsn)
	if scheme.MatchString(dsn) {
		if d, ok := parseURL(dsn); ok {
			return d, nil
		}
		return nil, database.BadDSN(dsn, "write mysql://user:password@host:3306/database, "+
			"with characters such as # / ? % @ in the password percent-encoded")
	}
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil || cfg.DBName == "" || !networks[cfg.Net] { // the driver's message may quote the password
		return nil, database.BadDSN(dsn, "write user:password@tcp(host:3306)/database?parameters")
	}
	return newDriver(cfg, dsn), nil
}

func parseURL(dsn string) (*Driver, bool) {
	u, err := url.Parse(dsn)
	if err != nil || u.Host == "" || u.Fragment != "" || len(u.Path) < 2 || strings.Contains(u.Path[1:], "/") {
		return nil, false
	}
	if strings.Contains(u.Hostname(), ":") && !strings.HasPrefix(u.Host, "[") {
		return nil, false // two ports
	}
	// The driver reads its parameters from its own form only.
	cfg, err := mysql.ParseDSN("/?" + u.RawQuery)
	if err != nil {
		return nil, false
	}
	cfg.User = u.User.Username()
	cfg.Passwd, _ = u.User.Password()
	cfg.Net, cfg.Addr, cfg.DBName = "tcp", u.Host, u.Path[1:]
	if u.Port() == "" {
		cfg.Addr = strings.TrimSuffix(u.Host, ":") + ":3306"
	}
	return newDriver(cfg, dsn), true
}

// newDriver sets the parameters that the rest of the program relies on.
func newDriver(cfg *mysql.Config, dsn string) *Driver {
	cfg.ParseTime, cfg.Loc = true, time.UTC
	// Placeholders are filled in by the driver: half the round trips. Safe
	// with the character set that is always chosen below.
	cfg.InterpolateParams = true
	cfg.MultiStatements = false
	if cfg.Timeout == 0 {
		cfg.Timeout = dialTimeout
	}
	if cfg.ReadTimeout == 0 {
		cfg.ReadTimeout = ioTimeout
	}
	if cfg.WriteTimeout == 0 {
		cfg.WriteTimeout = ioTimeout
	}
	if cfg.Params == nil {
		cfg.Params = make(map[string]string)
	}
	cfg.Params["time_zone"] = "'+00:00'"
	return &Driver{cfg, mask.DSN(dsn)}
}

// Dialect implements [database.Driver].
func (d *Driver) Dialect() string { return database.MySQL }

// String implements [database.Driver].
func (d *Driver) String() string { return d.masked }

// Open implements [database.Driver].
func (d *Driver) Open(ctx context.Context, log *slog.Logger) (database.Opened, error) {
	pool, err := open(d.Config, log)
	if err != nil {
		return database.Opened{}, err
	}
	pool, err = database.FirstPing(ctx, pool)
	return database.Opened{Pool: pool, Gorm: gormmysql.New(gormmysql.Config{Conn: pool, SkipInitializeWithVersion: true})}, err
}

func open(cfg *mysql.Config, logger *slog.Logger) (*sql.DB, error) {
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

// Migrating implements [database.Driver]. The pool has no deadlines, because the usual deadline of
// a read would cut off the building of an index.
func (d *Driver) Migrating(_ context.Context, _ *sql.DB, log *slog.Logger) (*sql.DB, database.Lock, error) {
	cfg := d.Config.Clone()
	cfg.ReadTimeout, cfg.WriteTimeout = 0, 0
	pool, err := open(cfg, log)
	return pool, namedLock{}, err
}

// Code implements [database.Driver].
func (d *Driver) Code(err error) string {
	if refusal, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return strconv.Itoa(int(refusal.Number))
	}
	if errors.Is(err, mysql.ErrPktTooLarge) {
		return "1153" // as the server would report it
	}
	return ""
}

// Explain implements [database.Driver].
func (d *Driver) Explain(err error) (hint string, kind error) {
	name, user, addr := d.Config.DBName, d.Config.User, d.Config.Addr
	if refusal, ok := errors.AsType[*mysql.MySQLError](err); ok {
		switch refusal.Number {
		case 1045, 1698: // wrong password, login by socket only
			return fmt.Sprintf("check user %q and its password; the server decides by the address you come from, too", user), database.ErrAccessDenied
		case 1130: // host not allowed
			return fmt.Sprintf("the server takes no logins from this host; create user %q for it", user), database.ErrAccessDenied
		case 1044: // no privilege on the database
			return fmt.Sprintf("as an administrator run: CREATE DATABASE IF NOT EXISTS %s CHARACTER SET utf8mb4; "+
				"GRANT ALL ON %s.* TO '%s'@'%%';", quoteName(name), quoteName(name), user), database.ErrAccessDenied
		case 1142, 1143, 1227, 1370: // no privilege for a statement
			return fmt.Sprintf("as an administrator run: GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX ON %s.* TO '%s'@'%%';",
				quoteName(name), user), database.ErrAccessDenied
		case 1049:
			return fmt.Sprintf("create it: CREATE DATABASE %s CHARACTER SET utf8mb4;", quoteName(name)), database.ErrDatabaseMissing
		case 1290, 1792, 1836: // read-only server, transaction or mode
			return "this is a replica or the server was set to read_only; use the address of the primary", database.ErrReadOnly
		case 1040, 1203, 1226:
			return "the server has too many connections; raise max_connections or close others", database.ErrUnreachable
		}
		return "", database.ErrFailed
	}
	if database.Unreachable(err) || errors.Is(err, mysql.ErrInvalidConn) {
		return fmt.Sprintf("check that the server runs and that %s is its address and port", addr), database.ErrUnreachable
	}
	return "", database.ErrFailed
}

func quoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// namedLock is MySQL's advisory lock around a run of migrations. The server
// gives it back when the connection ends, so a crash leaves nothing behind.
type namedLock struct{}

// The name is distinct per database: locks of that kind belong to the server.
const lockName = "CONCAT('elasticjob_migrate_', MD5(DATABASE()))"

func (namedLock) Lock(ctx context.Context, conn *sql.Conn) error {
	var got sql.NullInt64
	err := conn.QueryRowContext(ctx, "SELECT GET_LOCK("+lockName+", ?)", int(database.LockWait.Seconds())).Scan(&got)
	if err != nil {
		return fmt.Errorf("lock migrations: %w", err)
	}
	if got.Int64 != 1 {
		return fmt.Errorf("lock migrations: another process has been migrating this database for %s; "+
			"wait for it or end it, SHOW PROCESSLIST names it", database.LockWait)
	}
	return nil
}

func (namedLock) Unlock(ctx context.Context, conn *sql.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, database.PingTimeout)
	defer cancel()
	var released sql.NullInt64
	if err := conn.QueryRowContext(ctx, "SELECT RELEASE_LOCK("+lockName+")").Scan(&released); err != nil {
		return fmt.Errorf("unlock migrations: %w", err)
	}
	return nil
}

// driverLog keeps the lines of the MySQL driver from standard error. They report broken
// connections, which are returned as errors anyway.
type driverLog struct{ logger *slog.Logger }

func (d driverLog) Print(v ...any) {
	d.logger.Debug("mysql driver", slog.String("message", fmt.Sprint(v...)))
}
