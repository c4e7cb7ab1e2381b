package rest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// oddNames are names of jobs that have broken something somewhere.
var oddNames = []string{
	"a.b", "a b", "作业", "50%", "config", "count", "getAllJobsBriefInfo", "a+b", "%41", "%zz", "..", ".", "a/b", "a\x00b", "x@-@y",
	"'; DROP TABLE x; --", `"><script>`, "\u202eabc", "\xff\xfe", "😀", strings.Repeat("x", 5000), "", " ", "con\nfig", `a\b`, "a;b", "a?b", "a#b",
}

// trace is what nobody outside may see of the inside.
var trace = regexp.MustCompile(`goroutine \d+|runtime error|\.go:\d+|panic:`)

// traced reports whether a text has it. The expression is slow on answers of
// megabytes, so slow that fuzzing takes it for a hang; its words are not.
func traced(text string) bool {
	return slices.ContainsFunc([]string{"goroutine ", "runtime error", ".go:", "panic:"}, func(word string) bool { return strings.Contains(text, word) }) && trace.MatchString(text)
}

// serve sends a request straight to the handler, with an address that no client
// would send, and judges the answer: never a fault of ours, never a trace.
func serve(b *consoletest.Bench, t testing.TB, token, method, path, query, body string) *httptest.ResponseRecorder {
	t.Helper()
	req := httptest.NewRequest(method, "/", strings.NewReader(body))
	decoded, err := url.PathUnescape(path)
	if err != nil {
		decoded = path
	}
	req.URL = &url.URL{Path: decoded, RawPath: path, RawQuery: query}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	b.Console.ServeHTTP(w, req)
	if w.Code == http.StatusInternalServerError || w.Code < 200 || traced(w.Body.String()) {
		t.Fatalf("%s %q?%q with %q: status %d: %s\n%s", method, path, query, view.Clip(body, 500), w.Code, view.Clip(w.Body.String(), 500), view.Clip(b.Log.String(), 3000))
	}
	isText := w.Code == http.StatusOK && strings.HasSuffix(decoded, "/dump") // what a process says is passed on as it is
	if strings.HasPrefix(decoded, "/api/") && !isText && w.Code != http.StatusNoContent && method != http.MethodHead && !json.Valid(w.Body.Bytes()) {
		t.Fatalf("%s %q: status %d, and no JSON: %q", method, path, w.Code, view.Clip(w.Body.String(), 500))
	}
	return w
}

var fuzzMethods = []string{"GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS", "TRACE", "PROPFIND"}

// FuzzPaths: any address, as written, gets an answer and no fault.
func FuzzPaths(f *testing.F) {
	for _, name := range oddNames {
		for _, pattern := range []string{"/api/jobs/%s", "/api/jobs/%s/trigger", "/api/jobs/config/%s", "/api/servers/%s/jobs", "/api/servers/1/jobs/%s/disable", "/api/jobs/j/sharding/%s/disable", "/jobs/%s", "/%s", "/static/%s", "/api/jobs?q=%s"} {
			path, query, _ := strings.Cut(strings.Replace(pattern, "%s", url.PathEscape(name), 1), "?")
			f.Add(uint8(len(path)), path, query)
			f.Add(uint8(1), strings.Replace(pattern, "%s", name, 1), "page=2&sort=x")
		}
	}
	b := consoletest.New(f)
	token := b.Token(f, auth.RoleRoot, auth.ForAPI)
	f.Fuzz(func(t *testing.T, method uint8, path, query string) {
		if path = "/" + strings.TrimPrefix(path, "/"); path == "/api/logout" || path == "/api/refresh" {
			return // they would end the token
		}
		serve(b, t, token, fuzzMethods[int(method)%len(fuzzMethods)], path, query, "")
	})
}

// FuzzJobNames: whatever a job is called, it is reached under its name, or the
// name is refused; never another job.
func FuzzJobNames(f *testing.F) {
	for _, name := range oddNames {
		f.Add(name)
	}
	b := consoletest.New(f)
	token := b.Token(f, auth.RoleRoot, auth.ForAPI)
	f.Fuzz(func(t *testing.T, name string) {
		before := len(b.Registry.Given())
		w := serve(b, t, token, http.MethodPost, app.JobPath("/api/jobs", name, "trigger"), "", "")
		given := b.Registry.Given()[before:]
		switch {
		case w.Code == http.StatusOK && len(given) == 1 && given[0] == "trigger "+name:
		case w.Code >= 400 && w.Code < 500 && len(given) == 0:
		default:
			t.Errorf("%q: status %d, actions %q", name, w.Code, given)
		}
		b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Actions = nil })
	})
}

// FuzzBodies: any body, to every route that takes one.
func FuzzBodies(f *testing.F) {
	for _, seed := range []string{
		"", "null", "[]", "{}", "{", `"x"`, "1e999", `{"jobName":"invoices"}`, `{"jobName":"invoices","cron":"0/5 * * * * ?","props":{"a":null}}`,
		`{"jobName":"invoices","shardingTotalCount":99999999999999999999}`, `{"jobName":"invoices","shardingTotalCount":"","failover":"","jobListenerTypes":[null]}`,
		`{"jobName":null,"props":[]}`, `{"jobName":"invoices","jobName":"x"}`, "{\"jobName\":\"\xff\"}", `{"jobName":"\u0000"}`, `{"jobName":"invoices","description":"\ud800"}`,
		`{"username":"root","password":"x"}`, `{"username":{},"password":[]}`, `{"order":"trigger","jobs":["invoices","nope","a/b",""],"preview":true}`,
		`{"order":"disable","jobs":null,"preview":false}`, `{"pageSize":-1,"pageNumber":9223372036854775807}`, `{"pageNumber":3,"pageSize":1,"isSuccess":{}}`,
		`{"startTimeFrom":"9999-99-99","sort":[]}`, strings.Repeat("[", 20000), `{"a":` + strings.Repeat(`{"a":`, 5000), strings.Repeat("x", 100_000),
	} {
		f.Add(seed)
	}
	b := consoletest.New(f)
	token := b.Token(f, auth.RoleRoot, auth.ForAPI)
	var routes []app.Route
	for _, r := range documented(b.Console.Routes()) {
		if operationOf(r).Request != nil {
			routes = append(routes, r)
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, r := range routes {
			serve(b, t, token, r.Method, r.Path, "", body)
		}
	})
}

// FuzzTokens: a token that was not issued opens nothing.
func FuzzTokens(f *testing.F) {
	b := consoletest.New(f)
	good, cookie := b.Token(f, auth.RoleRoot, auth.ForAPI), b.Token(f, auth.RoleRoot, auth.ForPages)
	for _, seed := range []string{
		good + "x", good[1:], strings.ToUpper(good), good + "." + good, "..", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJIUzI1NiIsImtpZCI6Ii4uLy4uIn0.e30.AAAA",
		"", " ", "\x00", strings.Repeat("A", 100_000), strings.Repeat("a.", 10_000), cookie,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		if strings.TrimSpace(token) == good {
			return
		}
		if w := serve(b, t, token, http.MethodGet, "/api/jobs", "", ""); w.Code != http.StatusUnauthorized {
			t.Errorf("token %q: status %d", token, w.Code)
		}
		if token == cookie { // on pages it is the right one
			return
		}
		req := httptest.NewRequest(http.MethodGet, "/jobs", nil)
		req.Header.Set("Cookie", "elasticjob_session="+token)
		w := httptest.NewRecorder()
		if b.Console.ServeHTTP(w, req); w.Code != http.StatusSeeOther {
			t.Errorf("cookie %q: status %d", token, w.Code)
		}
	})
}

// FuzzStoredConfigs: whatever stands in the configuration's node, YAML or not,
// can be looked at, and a change of it is made or refused as a whole.
func FuzzStoredConfigs(f *testing.F) {
	for _, seed := range []string{
		consoletest.Stored3x, consoletest.Stored2x, "", "\x00", "jobName: [\n", "&a [*a, *a]", "a: &a {<<: *a}", "jobName: j\nshardingTotalCount: 1e3\n", "{}", `{"jobName":"j","jobType":null}`,
		"jobName: j\nshardingTotalCount: 1\n", "jobName: j\nshardingTotalCount: 2147483647\n", "jobName: other\nshardingTotalCount: 1\n", "--- \n...\n---\n", "!!binary x",
		"jobName: j\ncron: every day\nshardingTotalCount: 1\n", "jobName: j\nshardingTotalCount: 1\nshardingItemParameters: 7=x\n", "? [a, b]\n: c\n", strings.Repeat("[", 3000), "jobName: 作业\n",
		"a: &a x\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b]\njobName: *a\n", "jobName: j\nshardingTotalCount: 1\nprops: {a: !!str b, c: ~}\n",
	} {
		f.Add(seed)
	}
	bundle := treetest.New(f, zktest.Fake(f).Addr)
	b := consoletest.New(f, func(o *app.Options) {
		o.Jobs = statistics.NewReader(bundle.Registry())
		o.Operator = lifecycle.NewOperator(bundle.Registry())
	})
	token := b.Token(f, auth.RoleRoot, auth.ForAPI)
	guest := b.Token(f, auth.RoleGuest, auth.ForAPI)
	f.Fuzz(func(t *testing.T, raw string) {
		bundle.Put(t, "j/config", raw, zk.Persistent)
		for _, path := range []string{"/api/jobs", "/api/jobs/j", "/api/jobs/j/sharding", "/api/jobs/j/explain", "/api/jobs/config/j"} {
			serve(b, t, token, http.MethodGet, path, "", "")
			serve(b, t, guest, http.MethodGet, path, "", "")
		}
		w := serve(b, t, token, http.MethodPut, configRoute, "", `{"jobName":"j","description":"changed"}`)
		data, _, err := bundle.Client.Get(t.Context(), bundle.NS.Job("j").Config())
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case w.Code >= 400 && string(data) != raw:
			t.Errorf("refused with %d, and yet %q became %q", w.Code, raw, data)
		case w.Code < 300 && !strings.Contains(string(data), "changed"):
			t.Errorf("status %d, and %q became %q", w.Code, raw, data)
		}
	})
}

// TestC09TenMegabytes: a body that is too large is refused by every route, also
// one that reads none, whether its size was announced or not; nothing is done.
func TestC09TenMegabytes(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	huge := `{"jobName":"invoices","description":"` + strings.Repeat("x", 10<<20) + `"}`
	for _, r := range b.Console.Routes() {
		if r.Method == http.MethodGet {
			continue
		}
		for name, body := range map[string]io.Reader{"announced": strings.NewReader(huge), "not announced": io.MultiReader(strings.NewReader(huge))} {
			req := httptest.NewRequest(r.Method, consoletest.Filled(r.Path), body)
			if app.SurfaceOf(r.Path) == app.API {
				req.Header.Set("Authorization", "Bearer "+b.Token(t, auth.RoleRoot, auth.ForAPI))
			} else {
				req.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: b.Token(t, auth.RoleRoot, auth.ForPages)})
				req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			}
			w := httptest.NewRecorder()
			b.Console.ServeHTTP(w, req)
			if w.Code != http.StatusRequestEntityTooLarge {
				t.Errorf("%s %s, %s: status %d", r.Method, r.Path, name, w.Code)
			}
		}
	}
	if given := b.Registry.Given(); len(given) > 0 || len(b.Settings.Entered()) != 1 || len(b.Settings.Sources()) != 1 || b.Settings.Rows("token") != 0 {
		t.Errorf("actions %q, or the settings are others", given)
	}
}

// FuzzImport: any text is a Configurations.xml or is refused, and then nothing
// of it is stored; a preview stores nothing.
func FuzzImport(f *testing.F) {
	for _, seed := range []string{
		consoletest.ConfigurationsXML, "", "<", "<globalConfiguration/>", "<!DOCTYPE x [<!ENTITY a 'b'><!ENTITY c '&a;&a;'>]><globalConfiguration>&c;</globalConfiguration>",
		strings.Replace(consoletest.ConfigurationsXML, `name="shop"`, `name="default"`, 1), strings.Replace(consoletest.ConfigurationsXML, "jdbc:mysql://db1:3306/log", "jdbc:h2:mem:", 1),
		strings.Replace(consoletest.ConfigurationsXML, "zk1:2181", "evil:1", 1), strings.Replace(consoletest.ConfigurationsXML, `name="shop"`, "", 1), strings.Repeat("<a>", 5000), "<?xml version='1.0' encoding='UTF-16'?><a/>",
	} {
		f.Add(seed)
	}
	b := consoletest.New(f)
	token := b.Token(f, auth.RoleRoot, auth.ForAPI)
	f.Fuzz(func(t *testing.T, text string) {
		b.Settings.Reset()
		for _, preview := range []string{"true", "false"} {
			w := serve(b, t, token, http.MethodPost, api.ImportPath, "", `{"preview":`+preview+`,"xml":`+quoted(text)+`}`)
			if strings.Contains(w.Body.String(), "is not a Configurations.xml") && strings.Contains(w.Body.String(), "Canary") {
				t.Errorf("%q: a secret is shown: %s", text, w.Body)
			}
			if stored := len(b.Settings.Entered()) + len(b.Settings.Sources()); stored != 2 && (preview == "true" || w.Code != http.StatusOK) {
				t.Errorf("%q: status %d, and %d entries", text, w.Code, stored)
			}
		}
	})
}

// FuzzHiddenSecrets: a guest does not see the secret of a configuration, in
// whatever form and with whatever after it that is written.
func FuzzHiddenSecrets(f *testing.F) {
	forms := []string{
		"props:\n  db.password: %s\n", "props:\n  db.password: '%s'\n", "props:\n  db.password: \"%s\"\n", "props: {a: b, db.password: %s}\n", `{"jobName":"j","props":{"db.password":"%s"}}`,
		"props:\n  db.password: |\n    first\n    %s\n", "props:\n  db.password: >-\n    %s\n", "props:\n  db.password:\n    %s\n", "x:\n- !!a.B {password: %s}\n", "x:\n- password: %s\n", "#  robot.webhook: %s\n", "jobParameter: a=b,token=%s\n",
	}
	for form := range forms {
		for _, rest := range []string{"", "#x", ": y", "\n    more", "\r", "'", "\\", "\u2028z", "\x00"} {
			f.Add(uint8(form), rest)
		}
	}
	f.Fuzz(func(t *testing.T, form uint8, rest string) {
		raw := "jobName: j\n" + strings.Replace(forms[int(form)%len(forms)], "%s", "Canary"+rest, 1) + "cron: c\n"
		if got := app.ConfigText([]byte(raw), false); strings.Contains(got, "Canary") {
			t.Errorf("%q is shown as %q", raw, got)
		}
		if got := app.ConfigText([]byte(raw), true); got != raw {
			t.Errorf("%q is shown to root as %q", raw, got)
		}
	})
}
