package pages

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// visit is a page to look at: an address, and for the answer to a form what is sent
// there.
type visit struct {
	path string
	form url.Values
}

func (v visit) String() string {
	if v.form == nil {
		return v.path
	}
	return v.path + " after " + v.form.Encode()
}

// pageRoutes returns the routes of a method that aren't part of the REST interface, of all slices.
func pageRoutes(b *consoletest.Bench, method string) (list []app.Route) {
	for _, r := range b.Console.Routes() {
		if r.Method == method && !strings.HasPrefix(r.Path, "/api/") && r.Path != app.EventsRoute {
			list = append(list, r)
		}
	}
	return list
}

// pagesOf are the addresses of all pages for a role: each of the route table, which a
// guest may be refused, and the stories.
func pagesOf(t *testing.T, b *consoletest.Bench, role auth.Role) []string {
	t.Helper()
	var list []string
	for _, r := range pageRoutes(b, http.MethodGet) {
		path := consoletest.Filled(r.Path)
		answer := b.As(t, role, http.MethodGet, path, nil)
		if strings.Contains(path, ":") || answer.StatusCode >= http.StatusInternalServerError {
			t.Errorf("%s: status %d; consoletest.Filled names what there is", path, answer.StatusCode)
		}
		if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") && answer.StatusCode/100 != 3 {
			list = append(list, path)
		}
	}
	for _, s := range stories {
		if s.role == role && !slices.Contains(list, s.path) {
			list = append(list, s.path)
		}
	}
	return list
}

// forNobody are forms after which the reader would be another one, and the one that
// changes what is looked at.
var forNobody = []string{"/login", "/logout", "/theme", app.LanguageRoute, app.ZoneRoute, pageui.BulkRoute + "/:id/undo"}

// formsOf are the pages behind forms: what each route says of one that is empty, the
// answers to forms that are filled in, and what an action leaves behind.
func formsOf(t *testing.T, b *consoletest.Bench, role auth.Role) (list []visit) {
	t.Helper()
	if role == "" {
		return []visit{{"/login", consoletest.LoginForm("root", "wrong", "/jobs")}}
	}
	for _, r := range pageRoutes(b, http.MethodPost) {
		if !slices.Contains(forNobody, r.Path) {
			list = append(list, visit{consoletest.Filled(r.Path), url.Values{}})
		}
	}
	if role != auth.RoleRoot {
		return list[:2] // they are refused alike
	}
	edit := func(page, testID string, change ...string) url.Values {
		form := consoletest.Fields(t, b.As(t, role, http.MethodGet, page, nil), testID)
		for i := 0; i < len(change); i += 2 {
			form.Set(change[i], change[i+1])
		}
		return form
	}
	disable := url.Values{"do": {"disable"}, "job": {"invoices", "mail-digest", "nope"}}
	done := url.Values{"do": disable["do"], "job": disable["job"], "reason": {"INC-4821"}, "once": {ui.NewFormID()}}
	registry := func(servers string) url.Values {
		return url.Values{"name": {"eu"}, "zkAddressList": {servers}, "namespace": {"shop"}, "digest": {"ops:s3cret"}}
	}
	source := func(host string) url.Values {
		return url.Values{"name": {"eu"}, "type": {"mysql"}, "host": {host}, "port": {"3306"}, "database": {"traces"}, "username": {"reader"}, "password": {"s3cret"}}
	}
	const preview, create = "/jobs/invoices/config/preview", "/jobs/new/preview"
	return append(list,
		visit{preview, edit("/jobs/invoices/config", "config-form", "cron", "0 0/7 * * * ?", "shardingTotalCount", "7", "go", "review")},
		visit{preview, edit("/jobs/invoices/config", "config-form", "cron", "every day", "shardingTotalCount", "0", "go", "review")},
		visit{preview, edit("/jobs/invoices/config?view=yaml", "config-form", "text", "cron: [", "go", "review")},
		visit{create, edit("/jobs/new", "config-form", "jobName", "brand-new", "cron", "0 0/7 * * * ?", "go", "review")},
		visit{create, edit("/jobs/new", "config-form", "jobName", "a/b", "cron", "never", "go", "review")},
		visit{pageui.BulkRoute, disable},
		visit{pageui.BulkRoute, done},
		visit{"/registries/test", registry("zk1:2181")},
		visit{"/registries/test", registry("zk-away:1")},
		visit{"/registries", registry("evil:1")},
		visit{"/sources/test", source("db1")},
		visit{"/sources/test", source("db-old")},
		visit{"/sources", source("evil")},
		visit{"/jobs/invoices/remove", url.Values{"name": {"invoice"}, "confirm": {"yes"}}},
	)
}

// place is a console that one role looks at, in one of the conditions that it can be in.
type place struct {
	name           string
	role           auth.Role
	user, password string
	bench          *consoletest.Bench
	visits         []visit
	looks          []int // those of them that each test run has
}

// placesOf are all pages as each role has them, and those that look otherwise while the
// registry or the history is away, or while there is nothing yet.
func placesOf(t *testing.T) []place {
	t.Helper()
	root := place{role: auth.RoleRoot, user: "root", password: "r00t-Canary-7"}
	guest := place{role: auth.RoleGuest, user: "guest", password: "gu3st-Canary-7"}
	whole := consoletest.New(t)
	whole.Registry.Set(func(f *consoletest.FakeRegistry) { f.Outcome.Affected = []string{"10.2.0.14"} })
	away := consoletest.New(t)
	away.Down()
	stale := consoletest.New(t, func(o *app.Options) { o.Memory = o.Jobs })
	stale.Registry.Set(func(f *consoletest.FakeRegistry) { f.Health.State = app.RegistrySuspended })
	unknown := consoletest.New(t)
	unknown.History.Mu.Lock()
	unknown.History.Err = errors.New("dial tcp 10.3.3.3:3306: connection refused")
	unknown.History.Mu.Unlock()
	empty := consoletest.New(t)
	empty.Registry.Set(func(f *consoletest.FakeRegistry) { f.List, f.Machines = nil, nil })
	empty.History.Mu.Lock()
	empty.History.Rows = nil
	empty.History.Mu.Unlock()
	empty.Settings.Empty("registry", "data_source")

	var list []place
	add := func(name string, as place, b *consoletest.Bench, visits []visit, looks ...int) {
		as.name, as.bench, as.visits, as.looks = name, b, visits, looks
		list = append(list, as)
	}
	all := func(role auth.Role) (visits []visit) {
		for _, path := range pagesOf(t, whole, role) {
			visits = append(visits, visit{path: path})
		}
		return visits
	}
	pages := "/ /jobs /jobs/invoices /jobs/invoices/shards /jobs/invoices/explain /servers /servers/10.2.0.15 /runs /executions /jobs/invoices/runs/" + consoletest.SampleRun
	few := func(paths string) (visits []visit) {
		for path := range strings.FieldsSeq(paths) {
			visits = append(visits, visit{path: path})
		}
		return visits
	}
	add("root", root, whole, all(auth.RoleRoot), 0, 1, 2, 3)
	add("guest", guest, whole, all(auth.RoleGuest), 1, 2) // what root sees, without the forms
	add("nobody", place{}, whole, append(all(""), formsOf(t, whole, "")...), 0, 3)
	add("root after a form", root, whole, formsOf(t, whole, auth.RoleRoot), 0, 2)
	add("guest after a form", guest, whole, formsOf(t, whole, auth.RoleGuest), 0, 2)
	fields := consoletest.New(t)
	takes(fields, "invoices", everyField(t))
	run := app.RequestedPath("invoices")
	add("fields of a run", root, fields, []visit{{path: "/jobs/invoices/run"}, {run, requestFormOf(t, fields, "/jobs/invoices/run", "p.count", "50000", "p.rows", "[", "p.numbers", "x")}}, 0, 1, 2, 3)
	add("without ZooKeeper", root, away, few(pages+" /jobs/invoices/shutdown"), 1, 3)
	add("snapshot", root, stale, few(pages+" /jobs/invoices/config /jobs/invoices/config?view=yaml /jobs/invoices/config/versions /search?q=in"), 1, 2)
	add("without history", root, unknown, few(pages), 1, 3)
	add("nothing yet", root, empty, few("/ /jobs /servers /runs /executions /audit /registries /sources /search?q=x"), 1, 3)
	return list
}

func takes(b *consoletest.Bench, job, schema string) {
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Schemas = map[string]jobrun.Schema{job: {Text: json.RawMessage(schema)}}
	})
}

// requestFormOf is the form of a job as it is shown, with some fields changed.
func requestFormOf(t *testing.T, b *consoletest.Bench, path string, change ...string) url.Values {
	t.Helper()
	form := consoletest.Fields(t, b.As(t, auth.RoleRoot, http.MethodGet, path, nil), "request-form")
	form.Set("unit", "m") // a select
	for i := 0; i < len(change); i += 2 {
		form.Set(change[i], change[i+1])
	}
	return form
}

// everyField is a schema with a field of every kind.
func everyField(t *testing.T) string {
	t.Helper()
	schema, err := os.ReadFile("../requested/params/testdata/every.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(schema)
}
