package settings

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

// dbServer is a database server of a test.
type dbServer struct {
	addr   string
	create func(testing.TB) string
	dsn    func(database string) string
	kill   func()
}

// sourceOf is the request that enters a database of a server.
func sourceOf(t *testing.T, kind, name, addr, database string) string {
	t.Helper()
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	options := map[string]string{store.MySQL: `{"tls":"false"}`, store.Postgres: `{"sslmode":"disable"}`}[kind]
	return fmt.Sprintf(`{"name":%q,"type":%q,"host":%q,"port":%s,"database":%q,"username":%q,"password":%q,"options":%s}`,
		name, kind, host, port, database, storetest.User, storetest.Password, options)
}

// executions is a page of the history.
type executions struct {
	Total int             `json:"total"`
	Rows  []api.Execution `json:"rows"`
}

// sourceOperator signs in once, and asks for what is shown and for tests of sources.
type sourceOperator struct {
	t      *testing.T
	b      *consoletest.Bench
	kind   string
	server dbServer
	token  string
}

func (o sourceOperator) history(query string) (consoletest.Reply, executions) {
	o.t.Helper()
	r := o.b.Call(o.t, http.MethodGet, "/api/event-trace/execution"+query, "", o.token)
	var page executions
	if r.StatusCode == http.StatusOK {
		r.Into(o.t, &page)
	}
	return r, page
}

func (o sourceOperator) test(source string) consoletest.Reply {
	o.t.Helper()
	return o.b.Call(o.t, http.MethodPost, api.DataSourcesPath+"/connectTest", source, o.token)
}

func (o sourceOperator) testOf(database string) consoletest.Reply {
	o.t.Helper()
	return o.test(sourceOf(o.t, o.kind, "unsaved", o.server.addr, database))
}

// withoutDatabase: what is away is said, and no password.
func (o sourceOperator) withoutDatabase(database string) {
	t := o.t
	t.Helper()
	o.server.kill()
	if r := o.testOf(database); r.StatusCode != http.StatusServiceUnavailable || !strings.Contains(r.Body, "unreachable") {
		t.Errorf("after the database stopped: %d %s", r.StatusCode, r.Body)
	}
	if r, _ := o.history(""); r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("history after the database stopped: %d", r.StatusCode)
	}
	if told := o.b.Log.String(); strings.Contains(told, storetest.Password) || strings.Contains(told, "Canary") {
		t.Error("a password is in the log")
	}
}

// testsOnly: a test says what is wrong and changes nothing.
func (o sourceOperator) testsOnly(database, empty string, before executions) {
	t := o.t
	t.Helper()
	consoletest.WantStatus(t, o.testOf(database), http.StatusOK)
	if r := o.testOf(empty); r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("without trace tables: status %d", r.StatusCode)
	}
	r := o.test(strings.Replace(sourceOf(t, o.kind, "x", o.server.addr, database), storetest.Password, "wr0ng-Canary", 1))
	if consoletest.WantStatus(t, r, http.StatusServiceUnavailable); strings.Contains(r.Body, "Canary") || !strings.Contains(r.Body, "access denied") {
		t.Errorf("a wrong password: %s", r.Body)
	}
	if _, after := o.history(""); !cmp.Equal(before, after) {
		t.Error("a test changes what is shown")
	}
}

// TestA33C08DataSourceNotAllowed: hosts that are URLs, options that are not known
// and hosts outside the list are refused, and nobody is connected to.
func TestA33C08DataSourceNotAllowed(t *testing.T) {
	t.Parallel()
	addr, visits := consoletest.Trap(t)
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	dsn := storetest.SQLiteDSN(t)
	with := func(kind, host, port, database, options string) string {
		return fmt.Sprintf(`{"name":"x","type":%q,"host":%q,"port":%s,"database":%q,"username":"u","password":"p","options":%s}`, kind, host, port, database, options)
	}
	before := consoletest.New(t, consoletest.OwnDatabase(t, dsn), consoletest.OwnSources(t, folder, "127.0.0.1"))
	consoletest.WantStatus(t, before.Call(t, http.MethodPost, api.DataSourcesPath, strings.Replace(with("mysql", host, port, "d", "{}"), `"x"`, `"old"`, 1)), http.StatusCreated)

	b := consoletest.New(t, consoletest.OwnDatabase(t, dsn), consoletest.OwnSources(t, folder, "*"))
	forbidden := []string{
		with("mysql", host, port, "d", "{}"), with("postgres", host, port, "d", "{}"), with("mysql", "localhost", port, "d", "{}"),
		with("postgres", "::ffff:127.0.0.1", port, "d", "{}"), with("mysql", "169.254.169.254", "80", "d", "{}"),
		`{"name":"x","url":"jdbc:mysql://` + addr + `/d","username":"u","password":"p"}`,
	}
	wrong := []string{
		with("mysql", "http://"+addr, "0", "d", "{}"), with("mysql", addr, "0", "d", "{}"), with("mysql", host+"/x", port, "d", "{}"),
		with("mysql", "u:p@"+host, port, "d", "{}"), with("mysql", "tcp("+addr+")", "0", "d", "{}"), with("mysql", "/run/mysqld/s.sock", "0", "d", "{}"),
		with("mysql", host, port, "d?allowAllFiles=true", "{}"), with("mysql", host, port, "../d", "{}"),
		with("mysql", host, port, "d", `{"allowAllFiles":"true"}`), with("mysql", host, port, "d", `{"multiStatements":"true"}`),
		with("mysql", host, port, "d", `{"tls":"custom&allowAllFiles=true"}`), with("postgres", host, port, "d", `{"sslrootcert":"/etc/passwd"}`),
		with("postgres", host, port, "d", `{"host":"/run/postgresql"}`), with("postgres", host, port, "d", `{"search_path":"a;drop"}`),
		with("h2", host, port, "d", "{}"), with("", host, port, "d", "{}"), with("mysql", host, "70000", "d", "{}"),
		`{"name":"x","type":"sqlite","database":"../settings.db"}`, `{"name":"x","type":"sqlite","database":"/etc/passwd"}`,
		`{"name":"x","type":"sqlite","database":"a.db?mode=rwc"}`, `{"name":"x","type":"sqlite","database":"a.db","host":"h"}`,
		`{"name":"x","url":"jdbc:h2:mem:x;INIT=RUNSCRIPT FROM 'http://` + addr + `/x'","username":"u"}`,
		`{"name":"x","url":"jdbc:mysql://` + addr + `/d?allowLoadLocalInfile=true","username":"u"}`,
		`{"name":"x","url":"jdbc:mysql://` + addr + `/d?autoDeserialize=true&queryInterceptors=x","username":"u"}`,
		`{"name":"x","url":"jdbc:postgresql://` + addr + `/d?socketFactory=x&socketFactoryArg=http://` + addr + `","username":"u"}`,
		`{"name":"x","url":"jdbc:mysql:loadbalance://` + addr + `/d","username":"u"}`,
		`{"name":"x","url":"jdbc:mysql://(host=` + host + `,port=` + port + `)/d","username":"u"}`,
	}
	refuseSources(t, forbidden, b, wrong)
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/event-trace/execution?dataSource=old", ""), http.StatusForbidden)
	if n := visits.Load(); n != 0 {
		t.Errorf("%d connections to an address that is not allowed", n)
	}
	for _, kind := range []string{"mysql", "postgres"} { // the trap works for each driver
		n := visits.Load()
		before.Call(t, http.MethodPost, api.DataSourcesPath+"/connectTest", with(kind, host, port, "d", "{}"))
		if visits.Load() == n {
			t.Errorf("%s: nobody came although it is allowed: the trap proves nothing", kind)
		}
	}
	var list []api.DataSource
	b.Call(t, http.MethodGet, api.DataSourcesPath, "").Into(t, &list)
	if len(list) != 2 || list[1].Name != "old" {
		t.Errorf("something was stored: %+v", list)
	}
}

// refuseSources: by no way in can such a source be entered.
func refuseSources(t *testing.T, forbidden []string, b *consoletest.Bench, wrong []string) {
	for _, path := range []string{api.DataSourcesPath, api.DataSourcesPath + "/add", api.DataSourcesPath + "/connectTest"} {
		for _, body := range forbidden {
			if r := b.Call(t, http.MethodPost, path, body); r.StatusCode != http.StatusForbidden {
				t.Errorf("%s %s: %d %s", path, body, r.StatusCode, r.Body)
			}
		}
		for _, body := range wrong {
			if r := b.Call(t, http.MethodPost, path, body); r.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("%s %s: %d %s", path, body, r.StatusCode, r.Body)
			}
		}
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.DataSourcesPath+"/connect", `{"name":"old"}`), http.StatusForbidden)
}

// TestFilesAreReadInTheirFolder: a SQLite file there can be entered, and one
// that is not there is not made.
func TestFilesAreReadInTheirFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db := storetest.Open(t, "sqlite://"+filepath.Join(folder, "old.db"))
	if err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	b := consoletest.New(t, consoletest.OwnDatabase(t, storetest.SQLiteDSN(t)), consoletest.OwnSources(t, folder))
	for name, status := range map[string]int{"old.db": 200, "new.db": 503} {
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.DataSourcesPath+"/connectTest", `{"name":"x","type":"sqlite","database":"`+name+`"}`), status)
	}
	if _, err := os.Stat(filepath.Join(folder, "new.db")); err == nil {
		t.Error("a file was made")
	}
}

// TestA29A30DataSourceTwiceAndItsSecret.
func TestA29A30DataSourceTwiceAndItsSecret(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, consoletest.OwnDatabase(t, storetest.SQLiteDSN(t)))
	body := `{"name":"a","driver":"com.mysql.jdbc.Driver","url":"jdbc:mysql://db1:3307/traces?useSSL=true&useUnicode=true","username":"u","password":"s3cret-Canary"}`
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.DataSourcesPath, body), http.StatusCreated)
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.DataSourcesPath+"/add", body), http.StatusConflict)
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.DataSourcesPath, strings.Replace(body, `"a"`, `"default"`, 1)), http.StatusConflict)
	told := ""
	var list []api.DataSource
	for _, path := range []string{"", "/load", "/activated"} {
		r := b.Call(t, http.MethodGet, api.DataSourcesPath+path, "")
		told += r.Body
		if path == "/load" {
			r.Into(t, &list)
		}
	}
	want := api.DataSource{
		Name: "a", Type: "mysql", Host: "db1", Port: 3307, Database: "traces", Username: "u", HasPassword: true, Options: map[string]string{"tls": "preferred"},
		Driver: "com.mysql.cj.jdbc.Driver", URL: "jdbc:mysql://db1:3307/traces",
	}
	if len(list) != 2 || cmp.Diff(want, list[1]) != "" {
		t.Errorf("%s", cmp.Diff(want, list[1]))
	}
	change := `{"type":"mysql","host":%q,"port":3307,"database":"other","username":"u"}`
	r := b.Call(t, http.MethodPut, api.DataSourcesPath+"/a", fmt.Sprintf(change, "db2"))
	if consoletest.WantStatus(t, r, http.StatusUnprocessableEntity); !strings.Contains(r.Body, `"field":"password"`) {
		t.Errorf("another address gets the stored password: %s", r.Body)
	}
	r = b.Call(t, http.MethodPut, api.DataSourcesPath+"/a", fmt.Sprintf(change, "db1"))
	if consoletest.WantStatus(t, r, http.StatusOK); !strings.Contains(r.Body, `"hasPassword":true`) || !strings.Contains(r.Body, `"database":"other"`) {
		t.Errorf("%s", r.Body)
	}
	told += r.Body + b.Call(t, http.MethodGet, "/api/audit", "").Body + b.Log.String()
	if strings.Contains(told, "Canary") {
		t.Error("the password is shown")
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodDelete, api.DataSourcesPath, `{"name":"a"}`), http.StatusNoContent)
	consoletest.WantStatus(t, b.Call(t, http.MethodDelete, api.DataSourcesPath+"/a", ""), http.StatusNotFound)
}

// TestA34ImportOfConfigurationsXML: a preview stores nothing, an import what can
// be taken, secrets are encrypted and never shown, and again is no mistake. V08: a
// bad entry fails by itself, as in ElasticJob's console, which reads each when it
// is used.
func TestA34ImportOfConfigurationsXML(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "own.db")
	b := consoletest.New(t, consoletest.OwnDatabase(t, "sqlite://"+file))
	if r := b.Call(t, http.MethodPost, api.ImportPath, `{"preview":true,"xml":`+strconv.Quote(strings.Replace(consoletest.ConfigurationsXML, "pw-Canary", "pw&Canary", 1))+`}`); r.StatusCode != http.StatusUnprocessableEntity ||
		strings.Contains(r.Body, "Canary") || !strings.Contains(r.Body, "line 8") {
		t.Errorf("an ampersand in a password: %s", r.Body)
	}
	in := importClient{t, b}
	r, body := in.send(consoletest.ConfigurationsXML, true)
	consoletest.WantStatus(t, r, http.StatusOK)
	if got := outcomes(body); got != "registry shop new, registry billing & co new, data source traces new" || in.count() != 0 {
		t.Errorf("preview: %s; %d stored", got, in.count())
	}
	if d := body.Entries[2]; d.DataSource == nil || d.DataSource.Host != "db1" || d.DataSource.Database != "log" || d.DataSource.Options["tls"] != "false" || strings.Join(d.Dropped, " ") != "serverTimezone" || !body.Entries[0].Registry.HasDigest {
		t.Errorf("preview: %+v", d)
	}

	bad := strings.ReplaceAll(consoletest.ConfigurationsXML, "</globalConfiguration>", `
		<registryCenterConfiguration name="evil" namespace="x" zkAddressList="127.0.0.1:2181"/>
		<registryCenterConfiguration name="shop" namespace="again" zkAddressList="zk1:2181"/>
		<registryCenterConfiguration name="empty" namespace="" zkAddressList="zk1:2181"/>
		<eventTraceDataSourceConfiguration name="h2" url="jdbc:h2:mem:x" username="sa" password=""/></globalConfiguration>`)
	r, body = in.send(bad, true)
	if got := outcomes(body); r.StatusCode != http.StatusOK || body.Refused != 4 || !strings.Contains(got, "registry evil refused, registry shop refused, registry empty refused, data source h2 refused") {
		t.Errorf("preview of a bad one: %s", got)
	}
	r, _ = in.send(`<c><registryCenterConfiguration name="evil" namespace="x" zkAddressList="127.0.0.1:2181"/><eventTraceDataSourceConfiguration name="h2" url="jdbc:h2:mem:x"/></c>`, false)
	if consoletest.WantStatus(t, r, http.StatusUnprocessableEntity); !strings.Contains(r.Body, "registry evil") || !strings.Contains(r.Body, "data source h2") || in.count() != 0 {
		t.Errorf("nothing can be taken: %d stored, %s", in.count(), r.Body)
	}

	in.twice(bad, file)
}

// importClient sends files of another console.
type importClient struct {
	t *testing.T
	b *consoletest.Bench
}

func (in importClient) send(text string, preview bool) (consoletest.Reply, api.Import) {
	t, b := in.t, in.b
	t.Helper()
	r := b.Call(t, http.MethodPost, api.ImportPath, `{"preview":`+strconv.FormatBool(preview)+`,"xml":`+strconv.Quote(text)+`}`)
	var body api.Import
	if r.StatusCode == http.StatusOK {
		r.Into(t, &body)
	}
	if strings.Contains(r.Body, "Canary") {
		t.Errorf("a secret is shown: %s", r.Body)
	}
	return r, body
}

func (in importClient) count() int {
	t, b := in.t, in.b
	t.Helper()
	var registries []api.Registry
	var sources []api.DataSource
	b.Call(t, http.MethodGet, api.RegistriesPath, "").Into(t, &registries)
	b.Call(t, http.MethodGet, api.DataSourcesPath, "").Into(t, &sources)
	return len(registries) + len(sources) - 2
}

func outcomes(body api.Import) string {
	var list []string
	for _, e := range body.Entries {
		list = append(list, e.Kind+" "+e.Name+" "+e.Outcome)
	}
	return strings.Join(list, ", ")
}

// twice: what is there already is left alone, secrets are encrypted, and what is no file of theirs is refused.
func (in importClient) twice(bad, file string) {
	t := in.t
	t.Helper()
	for i, want := range []string{"added", "present"} {
		text := consoletest.ConfigurationsXML
		if i == 0 {
			text = bad
		}
		r, body := in.send(text, false)
		if i == 0 && (body.Refused != 4 || !strings.Contains(r.Body, "the file has two of this name") || body.Entries[3].Name != "evil" || body.Entries[3].Message == "") {
			t.Errorf("what cannot be taken: %+v", body)
		}
		if got := outcomes(body); r.StatusCode != http.StatusOK || strings.Count(got, want) != 3 || in.count() != 3 {
			t.Errorf("import %d: %s; %d stored", i, got, in.count())
		}
	}
	for _, path := range []string{file, file + "-wal"} {
		if content, err := os.ReadFile(path); err != nil || strings.Contains(string(content), "Canary") {
			t.Errorf("%s holds a secret, or %v", path, err)
		}
	}
	for _, wrong := range []string{"", "x", "<a>", "<a/>", `<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a url="&e;"/>`, strings.Repeat(`<a url="x"/>`, mostImported+1)} {
		r, _ := in.send(wrong, true)
		if r.StatusCode != http.StatusUnprocessableEntity && r.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d %s", view.Clip(wrong, 40), r.StatusCode, view.Clip(r.Body, 200))
		}
	}
}
