package store

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// The dialects, as [DB.Dialect] and the folders of the migrations name them.
const (
	MySQL    = "mysql"
	Postgres = "postgres"
	SQLite   = "sqlite"
)

// Deadlines of a connection to a server unless the DSN names others.
const (
	dialTimeout = 5 * time.Second
	ioTimeout   = 30 * time.Second
)

// target is an understood data source name.
type target struct {
	dialect  string
	masked   string          // for messages
	mysql    *mysql.Config   // MySQL only
	postgres *pgx.ConnConfig // PostgreSQL only
	path     string          // SQLite only: absolute, or ":memory:"
	query    url.Values      // SQLite only
}

// memory is the name of SQLite's database that lives as long as it is open.
const memory = ":memory:"

var (
	scheme = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*)://`)
	// goForm recognises what is, or was meant to be, the driver's own form,
	// "user:password@tcp(host)/name". A file with an "@" in its name needs a
	// folder or "sqlite:" before it.
	goForm   = regexp.MustCompile(`^(.*@)?(tcp|tcp4|tcp6|unix)\(|^[^/\\]*@|^[^/\\]*:.*@`)
	fileForm = regexp.MustCompile(`^(?i:sqlite:|file:)`)
)

// Check reports what is wrong with a data source name, without connecting to
// anything: nil, or an *[Error] that wraps [ErrBadDSN].
func Check(dsn string) error {
	_, err := parse(dsn)
	return err
}

// networks are what the driver can dial without further registration.
var networks = map[string]bool{"tcp": true, "tcp4": true, "tcp6": true, "unix": true}

// parse understands the forms [Open] documents.
func parse(dsn string) (target, error) {
	dsn = strings.TrimSpace(dsn)
	bad := func(hint string) (target, error) {
		return target{}, &Error{Op: "open", Database: mask.DSN(dsn), Kind: ErrBadDSN, Hint: hint}
	}
	switch name := strings.ToLower(strings.TrimSuffix(scheme.FindString(dsn), "://")); {
	case dsn == "":
		return target{}, &Error{Op: "open", Database: `""`, Kind: ErrBadDSN,
			Hint: "give a path for SQLite, mysql://user:password@host:3306/database or postgres://user:password@host:5432/database"}
	case name == "mysql" || name == "mariadb":
		t, ok := parseMySQLURL(dsn)
		if !ok {
			return bad("write mysql://user:password@host:3306/database, with characters such as # / ? % @ in the password percent-encoded")
		}
		return t, nil
	case name == "postgres" || name == "postgresql":
		t, ok := parsePostgresURL(dsn)
		if !ok {
			return bad("write postgres://user:password@host:5432/database?sslmode=…, with characters such as # / ? % @ in the password percent-encoded")
		}
		return t, nil
	case name == "sqlite" || name == "":
	default:
		return bad("this scheme is not supported; use sqlite:///path/file.db, mysql://user:password@host:3306/database or postgres://user:password@host:5432/database")
	}
	if goForm.MatchString(dsn) && !fileForm.MatchString(dsn) {
		cfg, err := mysql.ParseDSN(dsn)
		if err != nil || cfg.DBName == "" || !networks[cfg.Net] { // the driver's message may quote the password
			return bad("write user:password@tcp(host:3306)/database?parameters")
		}
		return mysqlTarget(cfg, mask.DSN(dsn)), nil
	}
	t, hint := parseSQLite(dsn)
	if hint != "" {
		return bad(hint)
	}
	return t, nil
}

func parseMySQLURL(dsn string) (target, bool) {
	u, err := url.Parse(dsn)
	if err != nil || u.Host == "" || u.Fragment != "" || len(u.Path) < 2 || strings.Contains(u.Path[1:], "/") {
		return target{}, false
	}
	if strings.Contains(u.Hostname(), ":") && !strings.HasPrefix(u.Host, "[") {
		return target{}, false // two ports
	}
	// The driver reads its parameters from its own form only.
	cfg, err := mysql.ParseDSN("/?" + u.RawQuery)
	if err != nil {
		return target{}, false
	}
	cfg.User = u.User.Username()
	cfg.Passwd, _ = u.User.Password()
	cfg.Net, cfg.Addr, cfg.DBName = "tcp", u.Host, u.Path[1:]
	if u.Port() == "" {
		cfg.Addr = strings.TrimSuffix(u.Host, ":") + ":3306"
	}
	return mysqlTarget(cfg, mask.DSN(dsn)), true
}

// mysqlTarget sets what the rest of the program relies on.
func mysqlTarget(cfg *mysql.Config, masked string) target {
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
	return target{dialect: MySQL, masked: masked, mysql: cfg}
}

func parseSQLite(dsn string) (t target, hint string) {
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
		return t, "what follows the ? must be key=value pairs"
	}
	if path == "" {
		return t, "name a file: sqlite:///path/file.db"
	}
	if path != memory {
		if path, err = filepath.Abs(path); err != nil {
			return t, "the path is relative and the working folder no longer exists; give an absolute path"
		}
	}
	return target{dialect: SQLite, masked: SQLite + "://" + path, path: path, query: query}, ""
}

// readOnly reports whether the DSN asks for a database that is only read.
func (t target) readOnly() bool { return t.query.Get("mode") == "ro" }

// sqliteDSN is the driver's form of a SQLite target.
func (t target) sqliteDSN() string {
	q := url.Values{}
	q.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", lockPause.Milliseconds()))
	if !t.readOnly() && t.path != memory {
		q.Add("_pragma", "journal_mode(WAL)")
		q.Add("_pragma", "synchronous(NORMAL)") // safe against corruption in WAL mode
	}
	q.Add("_pragma", "foreign_keys(1)")
	q.Set("_txlock", "immediate")
	for key, values := range t.query {
		for _, value := range values {
			q.Add(key, value)
		}
	}
	if t.path == memory {
		return "file::memory:?" + q.Encode()
	}
	return "file://" + (&url.URL{Path: filepath.ToSlash(t.path)}).EscapedPath() + "?" + q.Encode()
}
