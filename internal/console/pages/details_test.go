package pages

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestW36FiltersInTheZoneOfThePage: the times of filters are in the zone that the page shows, and
// the address names the zone, so it means the same to every reader. Links have UTC.
func TestW36FiltersInTheZoneOfThePage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	get := func(zone, path string) *goquery.Document {
		t.Helper()
		r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil, func(r *http.Request) {
			if zone != "" {
				r.AddCookie(&http.Cookie{Name: app.ZoneCookie, Value: zone})
			}
		})
		consoletest.WantStatus(t, r, http.StatusOK)
		return r.Doc(t)
	}
	const from = "from=2026-11-21T19%3A50&to=2026-11-21T20%3A10"
	for _, path := range []string{"/runs", "/executions", "/audit", "/jobs/invoices/requested-runs"} {
		doc := get("Asia/Shanghai", path+"?tz=Asia%2FShanghai&"+from)
		form := doc.Find(`[data-testid="filter"]`)
		if got := form.Find(`[name="from"]`).AttrOr("value", ""); got != "2026-11-21T19:50" {
			t.Errorf("%s: the field has %q", path, got)
		}
		if label := form.Find(`label:has([name="from"])`).Text(); !strings.Contains(label, "Asia/Shanghai") || form.Find(`[name="tz"]`).AttrOr("value", "") != "Asia/Shanghai" {
			t.Errorf("%s: labelled %q", path, label)
		}
		if hint := doc.Find(`[data-testid="query-hint"]`).Text(); hint != "" {
			t.Errorf("%s: %s", path, hint)
		}
		// The same address for a reader of UTC.
		other := get("", path+"?tz=Asia%2FShanghai&"+from).Find(`[data-testid="filter"]`)
		if got := other.Find(`[name="from"]`).AttrOr("value", ""); got != "2026-11-21T11:50" || other.Find(`[name="tz"]`).Length() > 0 {
			t.Errorf("%s in UTC: the field has %q", path, got)
		}
	}
	if csv := get("Asia/Shanghai", "/runs?tz=Asia%2FShanghai&"+from).Find(`[data-testid="export-csv"]`).AttrOr("href", ""); !strings.Contains(csv, "from=2026-11-21T11%3A50") {
		t.Errorf("the export is at %q", csv)
	}
	server := get("Asia/Shanghai", "/servers/10.2.0.14?tz=Asia%2FShanghai&at=19:30")
	if at := server.Find(`[data-testid="at-form"] [name="at"]`).AttrOr("value", ""); at != "2026-11-21T19:30" {
		t.Errorf("a time of day on a server: %q", at)
	}
	if q := get("", "/jobs?tz=Asia%2FShanghai&q=fires:02:00-03:00").Find(`[name="q"]`).AttrOr("value", ""); q != "fires:02:00-03:00@Asia/Shanghai" {
		t.Errorf("fires: in the search %q", q)
	}
	if hint := get("", "/runs?tz=Mars/Phobos&"+from).Find(`[data-testid="query-hint"]`).Text(); !strings.Contains(hint, "tz") {
		t.Errorf("an unknown zone: %q", hint)
	}
}

// TestW36TitlesDiffer: each tab of a job has its own title, and an error's title is in the language
// of the page.
func TestW36TitlesDiffer(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	title := func(path, lang string) string {
		doc := b.As(t, auth.RoleRoot, http.MethodGet, path, nil, func(r *http.Request) { r.Header.Set("Accept-Language", lang) }).Doc(t)
		return strings.TrimSuffix(doc.Find("title").Text(), " · ElasticJob")
	}
	var titles []string
	for _, tab := range []string{"", "/requested-runs", "/shards", "/config", "/explain", "/activity"} {
		got := title("/jobs/invoices"+tab, "en")
		if slices.Contains(titles, got) || !strings.Contains(got, "invoices") {
			t.Errorf("%q has the title %q", tab, got)
		}
		titles = append(titles, got)
	}
	if en, zh := title("/jobs/nothing-like-it", "en"), title("/jobs/nothing-like-it", "zh-CN"); !strings.Contains(en, "There is no job") || !strings.Contains(zh, "作业") {
		t.Errorf("titles of a missing job: %q and %q", en, zh)
	}
}

// TestW36TheFailedShardIsFirst: on the page of a run the failed shard is before slower ones.
func TestW36TheFailedShardIsFirst(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, steps := consoletest.TheRun()
	for i := range rows { // The shards that succeeded took longer.
		if rows[i].Success {
			rows[i].CompleteTime = rows[i].CompleteTime.Add(consoletest.Noon.Sub(rows[i].StartTime))
		}
	}
	b.History.Rows, b.History.Steps = append(rows, b.History.Rows...), steps
	lanes := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/runs/"+rows[0].RunID, nil).Doc(t).Find(`[data-testid="lane"] .sr`)
	for i, want := range []string{"Failed", "Failed", "Succeeded"} {
		if got := lanes.Eq(i).Text(); !strings.HasSuffix(got, want) {
			t.Errorf("lane %d is %q, want one that %s", i, got, want)
		}
	}
}

// TestW36ControlsHaveNames: screen readers can name every control of every page.
func TestW36ControlsHaveNames(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, path := range []string{
		"/", "/jobs", "/jobs?select=all", "/jobs/invoices", "/jobs/invoices/run", "/jobs/invoices/shards", "/jobs/invoices/config", "/jobs/invoices/config?view=yaml", "/jobs/invoices/explain",
		"/jobs/invoices/activity", "/jobs/invoices/requested-runs", "/jobs/invoices/backfill", "/jobs/invoices/hold", "/jobs/bulk?do=disable&job=invoices", "/runs", "/executions", "/servers", "/servers/10.2.0.14",
		"/servers/cleanup", "/audit", "/registries", "/sources", "/tokens", "/search?q=in", "/keys", "/reference", "/reference/operations/getJobsJob", "/jobs/new", "/jobs/invoices/remove",
	} {
		doc := b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t)
		doc.Find(`a[href], button, summary, input:not([type="hidden"]), select, textarea, [tabindex="0"]`).Each(func(_ int, control *goquery.Selection) {
			if control.Is("[hidden], [aria-hidden]") || named(doc, control) {
				return
			}
			html, _ := goquery.OuterHtml(control)
			t.Errorf("%s: no name: %.200s", path, html)
		})
	}
}

// named reports whether a control has a name.
func named(doc *goquery.Document, control *goquery.Selection) bool {
	name := control.AttrOr("aria-label", "") + control.AttrOr("title", "")
	if !control.Is("input, select, textarea") {
		name += control.Text()
	}
	if id := control.AttrOr("id", ""); id != "" {
		name += doc.Find("label").FilterFunction(func(_ int, l *goquery.Selection) bool { return l.AttrOr("for", "") == id }).Text()
	}
	for _, id := range strings.Fields(control.AttrOr("aria-labelledby", "")) {
		name += doc.Find("[id]").FilterFunction(func(_ int, s *goquery.Selection) bool { return s.AttrOr("id", "") == id }).Text()
	}
	return strings.TrimSpace(name+control.Closest("label").Text()) != ""
}

// TestW36AnEmptyInstallHasAStarter: without jobs, the overview and the list show a job file for this
// registry, which an agent accepts.
func TestW36AnEmptyInstallHasAStarter(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.List, f.Machines = nil, nil })
	for _, path := range []string{"/", "/jobs"} {
		text := b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Text(t, "starter")
		if !strings.Contains(text, "zk1:2181,zk2:2181,zk3:2181") || !strings.Contains(text, "elasticjob agent --config jobs.yaml") {
			t.Fatalf("%s: %q", path, text)
		}
	}
	raw := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs", nil).Doc(t).Find(`[data-testid="starter"]`).Text()
	_, file, _ := strings.Cut(raw, "<<'EOF'\n")
	file, _, _ = strings.Cut(file, "\nEOF")
	if _, err := jobfile.Parse(strings.NewReader(file)); err != nil {
		t.Errorf("the file of the starter: %v\n%s", err, file)
	}
}
