package store

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/database/mysql"
	"github.com/elasticjob-go/elasticjob/internal/database/postgres"
)

// Fields name a database that somebody has entered piece by piece: no text of
// theirs gets to a driver but where it belongs, so none can carry options that
// read files or run code.
type Fields struct {
	Type     string // [MySQL], [Postgres] or [SQLite]
	Host     string // a name or an address; none for SQLite
	Port     int    // 0: the usual one
	Database string // for SQLite a file's name, without folders
	User     string
	Password string
	Options  map[string]string // see [Fields.Problems]
}

// knownOptions are the options of each type and the values they may have.
var knownOptions = map[string]map[string]*regexp.Regexp{
	MySQL:    {"tls": regexp.MustCompile(`^(true|false|preferred|skip-verify)$`)},
	Postgres: {"sslmode": regexp.MustCompile(`^(disable|allow|prefer|require|verify-ca|verify-full)$`), "search_path": regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,62}$`)},
	SQLite:   {},
}

var (
	hostField = regexp.MustCompile(`^([A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?)$`)
	nameField = regexp.MustCompile(`^[^\x00-\x1f\x7f/\\?#]{1,255}$`)
	fileField = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_ -]{0,99}\.(db|sqlite|sqlite3)$`)
)

// Problem is a field that cannot be taken.
type Problem struct{ Field, Value, Want string }

// Problems lists every field that cannot be taken; none if the database could
// be there. It connects to nothing.
func (f Fields) Problems() []Problem {
	var list []Problem
	wrong := func(field, value, want string) { list = append(list, Problem{field, value, want}) }
	known, ok := knownOptions[f.Type]
	if !ok {
		return []Problem{{"type", f.Type, "mysql, postgres or sqlite"}}
	}
	if f.Type == SQLite {
		if f.Host != "" || f.Port != 0 || f.User != "" || f.Password != "" {
			wrong("host", f.Host, "nothing, and no port and no account: a file has none")
		}
		if !fileField.MatchString(f.Database) {
			wrong("database", f.Database, "the name of a file in the data folder, such as trace.db")
		}
	} else {
		if ip, err := netip.ParseAddr(f.Host); (err != nil || ip.Zone() != "") && !hostField.MatchString(f.Host) {
			wrong("host", f.Host, "a host's name or address, and nothing else")
		}
		if f.Port < 0 || f.Port > 65535 {
			wrong("port", strconv.Itoa(f.Port), "1 to 65535, or 0 for the usual one")
		}
		if !nameField.MatchString(f.Database) {
			wrong("database", f.Database, "the database's name")
		}
		if f.User == "" || len(f.User) > 255 || len(f.Password) > 400 || strings.ContainsAny(f.User+f.Password, "\x00\r\n") {
			wrong("username", f.User, "an account, with a password of at most 400 characters")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Options)) {
		switch form := known[name]; {
		case form == nil:
			wrong("options."+name, "", "an option that is known; "+f.Type+" has: "+strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		case !form.MatchString(f.Options[name]):
			wrong("options."+name, f.Options[name], form.String())
		}
	}
	return list
}

// Address is where the server is, host:port; empty for SQLite.
func (f Fields) Address() string {
	port := f.Port
	switch {
	case f.Type == SQLite:
		return ""
	case port == 0 && f.Type == Postgres:
		port = 5432
	case port == 0:
		port = 3306
	}
	return net.JoinHostPort(f.Host, strconv.Itoa(port))
}

// dsn is the name of a database without [Fields.Problems]. A file is in the
// folder, and is only read.
func (f Fields) dsn(folder string) string {
	if f.Type == SQLite {
		return "sqlite://" + filepath.ToSlash(filepath.Join(folder, f.Database)) + "?mode=ro"
	}
	query := url.Values{}
	for name, value := range f.Options {
		query.Set(name, value)
	}
	u := url.URL{Scheme: f.Type, User: url.UserPassword(f.User, f.Password), Host: f.Address(), Path: "/" + f.Database, RawQuery: query.Encode()}
	return u.String()
}

// Dial opens a connection for a database driver.
type Dial func(ctx context.Context, network, addr string) (net.Conn, error)

// OpenFields is [Open] for a database that somebody has entered. Every
// connection is made by dial, with the host as it was entered. Files are looked
// for in the folder and nowhere else, and only read.
func OpenFields(ctx context.Context, f Fields, folder string, dial Dial, logger *slog.Logger) (*DB, error) {
	if problems := f.Problems(); len(problems) > 0 {
		return nil, &Error{Op: "open", Database: f.Address(), Kind: ErrBadDSN, Hint: problems[0].Field + ": want " + problems[0].Want}
	}
	driver, err := parse(f.dsn(folder))
	if err != nil {
		return nil, err
	}
	switch d := driver.(type) {
	case *mysql.Driver:
		d.Config.DialFunc = dial
	case *postgres.Driver:
		d.Config.DialFunc = pgconn.DialFunc(dial)
		// Who dials decides by the name, so it is not looked up before.
		d.Config.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
		// The client library would else take one from the files of whoever
		// runs this program.
		d.Config.Password = f.Password
	}
	return open(ctx, database.NewSource(driver, nil), logger)
}

// FromJDBC reads the URL of a Java data source. What Java's drivers know and
// ours do without is listed in dropped; what could do harm, or is not known, is
// an error.
func FromJDBC(text, user, password string) (f Fields, dropped []string, err error) {
	address, ok := strings.CutPrefix(strings.TrimSpace(text), "jdbc:")
	scheme, _, _ := strings.Cut(address, ":")
	switch scheme {
	case "mysql", "mariadb":
		f.Type = MySQL
	case "postgresql":
		f.Type = Postgres
	case "sqlite":
		name := strings.TrimPrefix(address, "sqlite:")
		return Fields{Type: SQLite, Database: name}, nil, nil
	default:
		ok = false
	}
	if !ok {
		return f, nil, fmt.Errorf("databases are jdbc:mysql:, jdbc:mariadb:, jdbc:postgresql: or jdbc:sqlite:, not %s", clipped(scheme, 20))
	}
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Fragment != "" || u.Hostname() == "" {
		return f, nil, fmt.Errorf("the URL is not jdbc:%s://host:port/database", scheme)
	}
	if port := u.Port(); port != "" {
		if f.Port, err = strconv.Atoi(port); err != nil {
			return f, nil, fmt.Errorf("the port of the URL is no number")
		}
	}
	f.Host, f.Database, f.User, f.Password = u.Hostname(), strings.TrimPrefix(u.Path, "/"), user, password
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return f, nil, fmt.Errorf("the parameters of the URL are not key=value pairs")
	}
	f.Options = make(map[string]string)
	mode, err := JavaTLS(scheme, query)
	if err != nil {
		return f, nil, err
	}
	if mode != "" {
		f.Options[map[string]string{MySQL: "tls", Postgres: "sslmode"}[f.Type]] = mode
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		switch key := strings.ToLower(name); {
		case IsSecurityParameter(name):
		case harmless[key]:
			dropped = append(dropped, name)
		case f.Type == Postgres && key == "currentschema":
			f.Options["search_path"] = strings.ToLower(query.Get(name))
		default:
			return f, nil, fmt.Errorf("the parameter %s of the URL is not one that is known to do no harm; take it out", clipped(name, 40))
		}
	}
	return f, dropped, nil
}

// harmless are parameters of Java's drivers that mean nothing to ours.
var harmless = map[string]bool{
	"useunicode": true, "characterencoding": true, "servertimezone": true, "autoreconnect": true, "failoverreadonly": true,
	"rewritebatchedstatements": true, "useaffectedrows": true, "zerodatetimebehavior": true, "allowpublickeyretrieval": true,
	"uselegacydatetimecode": true, "connecttimeout": true, "sockettimeout": true, "cacheprepstmts": true, "useserverprepstmts": true,
	"tinyint1isbit": true, "maxreconnects": true, "initialtimeout": true, "usecursorfetch": true, "nullcatalogmeanscurrent": true,
	"applicationname": true, "rewritebatchedinserts": true, "rewritebatchedinsert": true, "stringtype": true, "connectioncollation": true, "usetimezone": true, "usejdbccomplianttimezoneshift": true,
}

func clipped(text string, n int) string {
	if len(text) > n {
		text = text[:n]
	}
	return strconv.Quote(text)
}
