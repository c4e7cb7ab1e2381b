package pages

import (
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
)

// theirOwn are the addresses that are no page of the frame: forms before the sign-in,
// files, and what is for machines.
var theirOwn = []string{"/cloud/runs/:run/items/:item/log", "/login", app.OIDCRoute, app.OIDCCallback, app.EventsRoute, "/runs/export", "/audit/export", "/reference/openapi.json", "/reference/openapi-legacy.json", "/jobs/export", pageui.BulkRoute + "/:id/result", app.StaticRoute, "/healthz", "/readyz", "/metrics"}

// anyText are parameters that take any text: a name, a part of one or of a text.
var anyText = []string{"job", "jobName", "failure", "ip", "taskId", "user", "target", "reason", "return", "once", "label", "name", "run", "instance", "registry", "plan", "with", "key"}

// TestEveryParameterIsAnswered walks the table of routes: nonsense for each parameter
// of each page is named by the page, which applies the rest, and so is a parameter that
// the page knows nothing of. A parameter that is new is in the test at once.
func TestEveryParameterIsAnswered(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, _ := consoletest.TheRun()
	b.History.Rows = append(rows, b.History.Rows...)
	fill := strings.NewReplacer(":job", "invoices", ":run", rows[0].RunID, ":ip", "10.2.0.14", ":item", "0", ":name", "billing", ":id", "1", ":request", consoletest.SampleActive, ":backfill", consoletest.SampleActive)
	pages, asked := 0, 0
	for _, r := range b.Console.Routes() {
		if r.Method != http.MethodGet || app.SurfaceOf(r.Path) != app.Page || slices.Contains(theirOwn, r.Path) {
			continue
		}
		base := fill.Replace(r.Path)
		ask := func(name, value string) consoletest.Reply {
			base := base
			if strings.HasPrefix(r.Path, pageui.BulkRoute) && name != "do" {
				base += "?do=disable&job=invoices"
			}
			mark := map[bool]string{true: "&", false: "?"}[strings.Contains(base, "?")]
			return b.As(t, auth.RoleRoot, http.MethodGet, base+mark+url.Values{name: {value}}.Encode(), nil)
		}
		hint := func(r consoletest.Reply) string { return r.Text(t, "query-hint") }
		if plain := ask("", ""); plain.StatusCode == http.StatusOK {
			pages++
			if got := ask("purple", "1"); got.StatusCode != http.StatusOK || !strings.Contains(hint(got), `"purple"`) {
				t.Errorf("%s: a parameter that nobody knows: status %d, hint %q", base, got.StatusCode, hint(got))
			}
		}
		for _, name := range r.Parameters() {
			if slices.Contains(anyText, name) || name == "q" && r.Path != "/jobs" {
				continue
			}
			asked++
			value := map[string]string{"q": "state:purple"}[name]
			if value == "" {
				value = "purple"
			}
			switch got := ask(name, value); {
			case got.StatusCode >= http.StatusInternalServerError:
				t.Errorf("%s, %s=%s: status %d", base, name, value, got.StatusCode)
			case got.StatusCode >= http.StatusBadRequest: // refused
			case !strings.Contains(hint(got), "purple") && !strings.Contains(got.Text(t, "version-missing"), "purple") && got.Doc(t).Find(`[data-testid="again-error"], [data-testid="reshard-error"]`).Length() == 0:
				t.Errorf("%s, %s=%s: status %d, hint %q", base, name, value, got.StatusCode, hint(got))
			}
		}
	}
	if pages < 20 || asked < 50 {
		t.Errorf("%d pages and %d parameters were asked", pages, asked)
	}
}

// TestTheRestIsApplied: what is not understood takes nothing from what is.
func TestTheRestIsApplied(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	get := func(path string) consoletest.Reply { return b.As(t, auth.RoleRoot, http.MethodGet, path, nil) }
	if jobs := get("/jobs?state=purple&q=invoices+purple%3Ared").Doc(t); jobs.Find(`tr[data-job]`).Length() != 1 || !strings.Contains(jobs.Find(`[data-testid="query-hint"]`).Text(), "; ") {
		t.Errorf("%d jobs, hint %q", jobs.Find(`tr[data-job]`).Length(), jobs.Find(`[data-testid="query-hint"]`).Text())
	}
	for _, path := range []string{"/runs?state=purple&job=invoices&trigger=purple", "/executions?state=purple&job=invoices&sort=purple"} {
		get(path)
	}
	b.History.Mu.Lock()
	for _, f := range b.History.RunFilters {
		if f.JobName != "invoices" || f.Trigger != "" || f.State != "" {
			t.Errorf("runs were asked for with %+v", f)
		}
	}
	if f := b.History.Filters[len(b.History.Filters)-1]; f.JobName != "invoices" {
		t.Errorf("executions were asked for with %+v", f)
	}
	b.History.Mu.Unlock()
	if got := get("/runs?level=status&job=invoices&trigger=SCHEDULE").Text(t, "query-hint"); !strings.Contains(got, "trigger is about runs") {
		t.Errorf("steps by trigger: hint %q", got)
	}
	// All jobs of a filter that nobody understands are not those that were meant.
	for _, path := range []string{pageui.BulkRoute + "?do=disable&all=1&state=purple", "/jobs/export" + "?all=1&q=state%3Apurple"} {
		consoletest.WantStatus(t, get(path), http.StatusUnprocessableEntity)
	}
	if got := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/config?version=1", nil).Text(t, "query-hint"); !strings.Contains(got, "version is for admins") {
		t.Errorf("a guest asks for a version: hint %q", got)
	}
}

// TestNoLinkIsAnswered: no page leads to an address of which it would say that a part
// is ignored.
func TestNoLinkIsAnswered(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	seen := map[string]bool{}
	ahead := []string{"/", "/jobs?select=all", "/jobs/invoices", "/runs?job=invoices", "/runs?level=status", "/executions", "/servers", "/audit", "/registries", "/sources", "/jobs/invoices/explain"}
	for turns := 0; len(ahead) > 0 && turns < 150; turns++ {
		path := ahead[0]
		ahead = ahead[1:]
		r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
		if !strings.Contains(r.Header.Get("Content-Type"), "text/html") {
			continue
		}
		doc := r.Doc(t)
		if got := doc.Find(`[data-testid="query-hint"]`).Text(); got != "" {
			t.Errorf("%s: %s", path, got)
		}
		for _, a := range doc.Find("a[href]").EachIter() {
			address, err := url.Parse(a.AttrOr("href", ""))
			if err != nil || address.Host != "" || !strings.HasPrefix(address.Path, "/") {
				continue
			}
			shape := address.Path + "?" + strings.Join(slices.Sorted(maps.Keys(address.Query())), "&") // a value of each is enough
			if address.RawQuery != "" && !seen[shape] {
				seen[shape] = true
				ahead = append(ahead, address.RequestURI())
			}
		}
	}
}

// TestTheOutcomesThatCanBe: each code of a refusal is an outcome that the audit log can be filtered
// by.
func TestTheOutcomesThatCanBe(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile(`(?:\bCode: |\.Code(?:, p\.Message)? = |Refused\(c, )"([a-z_0-9]+)"`)
	notRefusals := []string{"never", "clock", "herd", "gap", "down", "readable", "no_log", "no_manifest"} // of schedules, effects and what is only read
	found := 0
	for _, folder := range []string{"../*", "../*/*"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range code.FindAllStringSubmatch(string(text), -1) {
				if found++; !slices.Contains(query.AuditOutcomes(), m[1]) && !slices.Contains(notRefusals, m[1]) {
					t.Errorf("%s: code %q is no outcome of the audit", file, m[1])
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("%d codes found", found)
	}
}
