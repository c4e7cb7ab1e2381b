package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/static"
)

// Points of the security checklist that no acceptance case covers. They walk
// the routes, so that a new one is in them the moment it exists.

// Two kinds of canaries. One is of the console's own secrets, which nobody is
// shown; the other of secrets among the props of a job, which are shown to who may
// change them, as what they are, and to nobody else.
const (
	ownCanary = "Canary-Own-41"
	jobCanary = "Canary-Job-42"
)

// TestC05SecretsAreShownToNobody plants secrets wherever one is kept or sent, and
// looks for them in the answers of every route to everybody, in the log with all
// its details, in the audit and in the database's file.
func TestC05SecretsAreShownToNobody(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "own.db")
	b := consoletest.New(t, consoletest.OwnDatabase(t, "sqlite://"+file), func(o *app.Options) {
		accounts, err := auth.ParseAccounts([]byte("root.username=root\nroot.password=r" + ownCanary + "\nguest.username=guest\nguest.password=g" + ownCanary + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		o.Accounts, o.Key = accounts, []byte("k"+ownCanary+strings.Repeat("0123456789", 3))
	})
	const props = "props:\n  email.password: 'p" + jobCanary + "'\n  dingtalk.webhook: https://robot.example/send?access_token=" + jobCanary +
		"\n  dingtalk.secret: SEC" + jobCanary + "\n  wechat.webhook: https://robot.example/send?key=" + jobCanary + "\n"
	raw := fmt.Sprintf(consoletest.PlainConfig, "invoices") + props
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.List[0].RawConfig = []byte(raw)
		f.List[0].Config.Props = map[string]string{"email.password": "p" + jobCanary, "dingtalk.webhook": "https://robot.example/send?access_token=" + jobCanary}
		f.List[4].RawConfig = []byte("jobName: legacy-import\ndescription: a: b\n" + props)
	})
	digest, password := fmt.Sprintf(aRegistryNamed, "billing", ownCanary), fmt.Sprintf(aSourceNamed, "billing", ownCanary)
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.RegistriesPath, digest), http.StatusCreated)
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.DataSourcesPath, password), http.StatusCreated)

	operators := []string{"/jobs/:job", "/jobs/:job/config", "/api/jobs/:job", configRoute + "/:job"}
	look := func(r consoletest.Reply, route string, who auth.Role) {
		t.Helper()
		text := r.Body + fmt.Sprint(r.Header)
		if strings.Contains(text, ownCanary) {
			t.Errorf("%s %s tells %q (%d) a secret of the console", r.Request.Method, r.Request.URL, who, r.StatusCode)
		}
		if strings.Contains(text, jobCanary) && (who != auth.RoleRoot || r.Request.Method != http.MethodGet || !slices.Contains(operators, route)) {
			t.Errorf("%s %s tells %q (%d) a secret of a job", r.Request.Method, r.Request.URL, who, r.StatusCode)
		}
	}
	for _, r := range b.Console.Routes() {
		for _, who := range []auth.Role{auth.RoleRoot, auth.RoleGuest, ""} {
			if r.Method == http.MethodGet {
				for _, job := range []string{"invoices", "legacy-import"} {
					target := strings.Replace(consoletest.Filled(r.Path), "invoices", job, 1)
					for _, query := range []string{"", "?registry=billing", "?dataSource=billing"} {
						look(b.As(t, who, r.Method, target+query, nil), r.Path, who)
					}
				}
				continue
			}
			// What is sent comes back in no form, whether it is taken or refused.
			for _, body := range []string{
				digest, password, strings.Replace(digest, "zk1", "evil", 1), strings.Replace(password, `"mysql"`, `"h2"`, 1), `{"username":"root","password":"x` + ownCanary + `"}`,
				`{"xml":` + quoted(strings.ReplaceAll(consoletest.ConfigurationsXML, "Canary", ownCanary)) + `}`, strings.TrimSuffix(digest, "}"),
				`{"jobName":"invoices","props":{"email.password":"` + ownCanary + `"}}`, `{"jobName":"invoices","cron":"x","props":{"mail.password":["` + ownCanary + `"]}}`,
			} {
				look(b.As(t, who, r.Method, consoletest.Filled(r.Path), nil, consoletest.JSONBody(body)), r.Path, who)
			}
			look(b.As(t, who, r.Method, consoletest.Filled(r.Path), url.Values{"username": {"root"}, "password": {"x" + ownCanary}, "name": {"n"}, "zkAddressList": {"zk1:1"}, "namespace": {"n"}, "digest": {"u:" + ownCanary}}), r.Path, who)
		}
	}
	nothingKeepsSecrets(t, b, file)
}

// nothingKeepsSecrets looks at the audit log, the log, the file and the scripts.
func nothingKeepsSecrets(t *testing.T, b *consoletest.Bench, file string) {
	for _, path := range []string{"/api/audit?limit=200&user=root", "/audit?user=root"} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
		if before, _, told := strings.Cut(r.Body, "Canary"); told || !strings.Contains(r.Body, "/api/") {
			t.Errorf("%s: %s", path, before[max(0, len(before)-300):])
		}
	}
	if before, _, told := strings.Cut(b.Log.String(), "Canary"); told || !strings.Contains(before, "registry-center") {
		t.Errorf("the log: %s", before[max(0, len(before)-500):])
	}
	if strings.Contains(b.Log.String(), b.Token(t, auth.RoleRoot, auth.ForAPI)[:30]) {
		t.Error("the log has tokens")
	}
	for _, name := range []string{file, file + "-wal"} {
		if data, err := os.ReadFile(name); err == nil && strings.Contains(string(data), "Canary") {
			t.Errorf("%s has a secret in clear text", filepath.Base(name))
		}
	}
	// What the browser keeps: the pages themselves, if a script wrote them down.
	for _, name := range []string{"app.js"} {
		w := httptest.NewRecorder()
		static.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, static.Path(name), nil))
		if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "localStorage") || strings.Contains(w.Body.String(), "indexedDB") {
			t.Errorf("%s: status %d, or it writes to the browser's storage", name, w.Code)
		}
	}
}

const (
	aRegistryNamed = `{"name":%q,"zkAddressList":"zk1:2181","namespace":"n","digest":"ops:%s"}`
	aSourceNamed   = `{"name":%q,"type":"mysql","host":"db.example.com","port":3306,"database":"d","username":"u","password":"%s"}`
)

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string has a form
	return string(b)
}

// TestC07TextsAreWhatTheyLookLike: of a text that hides, or turns the text
// around it, every page shows what it is. Exports for spreadsheets are files, whose
// cells TestExportOfRuns and TestAuditExport look at.
func TestC07TextsAreWhatTheyLookLike(t *testing.T) {
	t.Parallel()
	const name, text = "in\u202evoices\u2066", "a\u202eb\u0007c\u001b[31m\u009bd\x00e\u2069"
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		j := &f.List[0]
		j.Name, j.Description, j.Reason, j.TimeZone, j.ConfigError, j.Leader = name, text, text, text, text, text
		j.RawConfig = []byte(text)
		j.Shards[0].Parameter, j.Shards[0].Reason = text, text
		j.Servers[0].IP, j.Servers[0].Data, j.Servers[0].Enabled = text, text, false
		j.Instances[0].ID = text
		f.Machines[0].IP = text
		f.Outcome = lifecycle.Outcome{Affected: []string{text}}
		f.Why = statistics.Explanation{Findings: []statistics.Finding{{Sentence: text, Advice: text, Node: text, Value: text}}}
	})
	runs := slices.Clone(b.History.Rows[:1])
	runs[0].JobName, runs[0].FailureCause, runs[0].Hostname, runs[0].Success = name, text, text, false
	b.History.Rows = runs

	hides := func(r consoletest.Reply) {
		t.Helper()
		for _, char := range "\u202e\u2066\u2069\u0007\u001b\u009b\x00" {
			if strings.ContainsRune(r.Body, char) {
				t.Errorf("%s has %U as it is", r.Request.URL, char)
			}
		}
		if !strings.Contains(r.Body, "[U+202E]") {
			t.Errorf("%s does not say what is there (%d)", r.Request.URL, r.StatusCode)
		}
	}
	q := url.QueryEscape(text)
	for _, target := range []string{
		"/jobs", app.JobPath("/jobs", name), app.JobPath("/jobs", name, "explain"), app.JobPath("/jobs", name, "shutdown"), app.JobPath("/jobs", name, "remove"),
		"/servers", "/executions", "/jobs?q=" + q, "/servers?q=" + q, "/executions?job=" + q,
	} {
		hides(b.As(t, auth.RoleRoot, http.MethodGet, target, nil))
	}
	hides(b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm(text, "x", "/")))
	order := b.As(t, auth.RoleRoot, http.MethodPost, app.JobPath("/jobs", name, "trigger"), url.Values{})
	hides(b.As(t, auth.RoleRoot, http.MethodGet, "/", nil, func(r *http.Request) { r.AddCookie(order.Cookie(app.FlashCookie)) }))
	hides(b.As(t, auth.RoleRoot, http.MethodGet, "/audit", nil))
	// Who is asked to type the name can type what the page shows.
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, app.JobPath("/jobs", name, "remove"), url.Values{"confirm": {"yes"}, "name": {"in[U+202E]voices[U+2066]"}}), http.StatusSeeOther)
	if got := b.Registry.Given(); got[len(got)-1] != "remove "+name {
		t.Errorf("actions %q", got)
	}
	for _, line := range strings.Split(b.Log.String(), "\n") {
		if strings.ContainsAny(line, "\u202e\u0007\u001b\u009b\x00") {
			t.Fatalf("the log has it as it is: %q", line)
		}
	}
	kindsOfAnswers(t, b)
}

// kindsOfAnswers: what a browser shows is a page, JSON or a text; what a spreadsheet
// opens is a file.
func kindsOfAnswers(t *testing.T, b *consoletest.Bench) {
	t.Helper()
	for _, r := range b.Console.Routes() {
		if r.Method != http.MethodGet {
			continue
		}
		header := b.As(t, auth.RoleRoot, r.Method, consoletest.Filled(r.Path), nil).Header
		kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
		if kind == "text/csv" && strings.HasPrefix(header.Get("Content-Disposition"), "attachment;") {
			continue
		}
		if !slices.Contains([]string{"text/html", "application/json", "text/plain"}, kind) {
			t.Errorf("%s answers with %q: does it need a guard?", r.Path, kind)
		}
	}
}

// TestC08NobodyIsCalled: whatever address stands in a request, in its body, its
// path or its headers, and in a job's configuration, nothing connects to it. That
// the trap would notice is in TestA33C08RegistryNotAllowed and its sisters.
func TestC08NobodyIsCalled(t *testing.T) {
	t.Parallel()
	addr, visits := consoletest.Trap(t)
	host, port, ok := strings.Cut(addr, ":")
	if !ok {
		t.Fatal(addr)
	}
	bundle := treetest.New(t, zktest.Fake(t).Addr)
	bundle.Plant(t, consoletest.PlantedJob("invoices", fmt.Sprintf(consoletest.PlainConfig, "invoices")+"props:\n  http.uri: http://"+addr+"/\n  dingtalk.webhook: http://"+addr+"/robot\n"))
	b := consoletest.New(t, consoletest.OwnDatabase(t, storetest.SQLiteDSN(t)), consoletest.OwnRegistries(t, "zk1", "10.255.255.1"), consoletest.OwnSources(t, t.TempDir(), "db.example.invalid"), func(o *app.Options) {
		o.Jobs, o.Operator = statistics.NewReader(bundle.Registry()), lifecycle.NewOperator(bundle.Registry())
	})
	point := func(s *http.Request) {
		for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "X-Real-Ip", "Referer", "X-Original-Url", "X-Callback-Url"} {
			s.Header.Set(name, addr)
		}
	}
	for _, r := range b.Console.Routes() {
		if r.Method == http.MethodGet || r.Path == "/api/logout" {
			continue
		}
		target := strings.NewReplacer("10.2.0.14", host, "9888", port, "billing", url.PathEscape(addr)).Replace(consoletest.Filled(r.Path))
		for _, body := range pointed(t, operationOf(r).Example, addr) {
			if got := b.As(t, auth.RoleRoot, r.Method, target, nil, consoletest.JSONBody(body), point); got.StatusCode == http.StatusInternalServerError {
				t.Errorf("%s %s with %s: %s", r.Method, target, body, got.Body)
			}
		}
		b.As(t, auth.RoleRoot, r.Method, target, url.Values{"name": {"x"}, "zkAddressList": {addr}, "namespace": {"n"}, "digest": {""}, "return": {"http://" + addr}, "next": {"http://" + addr}}, point)
	}
	for _, r := range b.Console.Routes() {
		if r.Method == http.MethodGet {
			b.As(t, auth.RoleRoot, r.Method, consoletest.Filled(r.Path)+"?registry="+url.QueryEscape(addr)+"&dataSource="+url.QueryEscape("jdbc:mysql://"+addr+"/d"), nil, point)
		}
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("%d connections to an address from a request", n)
	}
}

// pointed are the bodies that come of an example when each of its texts, one at
// a time and all together, is an address or a URL.
func pointed(t *testing.T, example, addr string) (bodies []string) {
	t.Helper()
	var fields map[string]any
	if example == "" || json.Unmarshal([]byte(strings.ReplaceAll(example, "$PASSWORD", "x")), &fields) != nil {
		fields = map[string]any{"url": "x", "callback": "x", "webhook": "x"}
	}
	host, port, _ := strings.Cut(addr, ":")
	for _, address := range []string{addr, "http://" + addr + "/x", host, "jdbc:mysql://" + addr + "/d", "zookeeper://" + addr} {
		all := map[string]any{}
		for name, value := range fields {
			all[name] = value
			if _, text := value.(string); text && name != "name" && name != "type" {
				all[name] = address
			}
			if name == "port" {
				all[name] = json.Number(port)
			}
			one := map[string]any{}
			for k, v := range fields {
				one[k] = v
			}
			one[name] = all[name]
			bodies = append(bodies, encoded(t, one))
		}
		all["preview"] = false
		bodies = append(bodies, encoded(t, all))
	}
	return bodies
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// hashed is a password as auth.properties may hold it.
func hashed(t testing.TB, password string) string {
	t.Helper()
	h, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	return string(h)
}

// TestC12ChangedAccountsEndSessions: with another password, another role or
// without the account a session is over, on pages and in the API, and what it
// would renew too. The other account's goes on.
func TestC12ChangedAccountsEndSessions(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"password": strings.Replace(consoletest.TestAccounts, "r00t-Canary-7", "new-Canary-8", 1),
		"hashed":   strings.Replace(consoletest.TestAccounts, "r00t-Canary-7", hashed(t, "r00t-Canary-7"), 1),
		"renamed":  strings.Replace(consoletest.TestAccounts, "username=root", "username=admin", 1),
		"role":     "root.username=boss\nroot.password=b0ss-Canary-7\nguest.username=root\nguest.password=r00t-Canary-7\n",
		"swapped":  "root.username=guest\nroot.password=gu3st-Canary-7\nguest.username=root\nguest.password=r00t-Canary-7\n",
	} {
		b := consoletest.New(t)
		var in loginResponse
		b.Call(t, http.MethodPost, "/api/login", `{"username":"root","password":"r00t-Canary-7"}`, "Authorization: ").Into(t, &in)
		page := b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("root", "r00t-Canary-7", "/")).Cookie("elasticjob_session")
		guest := b.Token(t, auth.RoleGuest, auth.ForAPI)
		changed, err := auth.ParseAccounts([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		b.Console.SetAccounts(changed)
		with := "Bearer " + in.AccessToken
		for _, request := range [][2]string{{"GET", "/api/me"}, {"POST", "/api/refresh"}, {"POST", "/api/jobs/invoices/trigger"}} {
			r := b.As(t, "", request[0], request[1], nil, func(r *http.Request) { r.Header.Set("Authorization", with) })
			if r.StatusCode != http.StatusUnauthorized || !strings.Contains(r.Body, string(auth.TokenRevoked)) {
				t.Errorf("%s: %v: %d %s", name, request, r.StatusCode, r.Body)
			}
		}
		r := b.As(t, "", http.MethodGet, "/jobs", nil, func(r *http.Request) { r.AddCookie(page) })
		if consoletest.WantStatus(t, r, http.StatusSeeOther); !strings.Contains(r.Header.Get("Location"), "token_revoked") {
			t.Errorf("%s: the page leads to %q", name, r.Header.Get("Location"))
		}
		look := b.As(t, "", http.MethodGet, "/api/me", nil, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+guest) })
		if got := look.StatusCode; (got == http.StatusOK) == (name == "role" || name == "swapped") {
			t.Errorf("%s: guest's session: %d", name, got)
		}
		if orders := b.Registry.Given(); len(orders) > 0 {
			t.Errorf("%s: actions %q", name, orders)
		}
	}
}
