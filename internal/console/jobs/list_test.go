package jobs

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
)

func names(doc *goquery.Document) []string {
	return doc.Find(`tr[data-job]`).Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("data-job", "") })
}

func buttons(s *goquery.Selection) []string {
	return s.Find(`[data-testid="actions"] [data-testid], .acts .icon-btn:not([data-more]), a[data-more]`).Map(func(_ int, b *goquery.Selection) string {
		label := b.AttrOr("data-testid", "menu: "+b.AttrOr("data-more", ""))
		if b.Is(".acts .icon-btn:not([data-more])") {
			label = "do-run"
		}
		if _, off := b.Attr("disabled"); off {
			label += " (off)"
		}
		return label
	})
}

func TestJobsPageRows(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs?pageSize=50", nil)
	consoletest.WantStatus(t, r, 200)
	if got := names(r.Doc(t)); len(got) != len(b.Registry.List) {
		t.Errorf("%d rows: %q", len(got), got)
	}
	var ranks []string
	r.Doc(t).Find(`td.status .st`).Each(func(_ int, s *goquery.Selection) {
		ranks = append(ranks, strings.TrimSpace(s.Contents().First().Text()))
	})
	if diff := cmp.Diff([]string{"Failing", "Down", "Unreadable", "Runs in part", "Unstable", "Resharding", "Disabled", "Healthy"}, slices.Compact(ranks)); diff != "" {
		t.Errorf("the worst come first (-want +got):\n%s", diff)
	}
	for name, want := range map[string]struct {
		status, next string
		buttons      []string
	}{
		"invoices":         {"Unstable 2 of 10 failed", "in 4 min 53 s", []string{"do-run", "menu: disable shutdown"}},
		"settlement.daily": {"Resharding 1 shard unassigned", "in 6 h 29 min", []string{"do-run", "menu: disable shutdown"}},
		"mail-digest":      {"Disabled", "disabled", []string{"do-run", "menu: enable shutdown"}},
		"warehouse-sync":   {"Down no instance", "no instance", []string{"do-run", "menu: disable remove"}},
		"legacy-import":    {"Unreadable line 4: mapping values are", "unknown", []string{"do-run (off)", "menu: disable shutdown"}},
		"geo-update":       {"Healthy 1 server off", "in 7 min 58 s", []string{"do-run", "menu: disable enable shutdown"}},
		"reindex":          {"Healthy no run on record", "on trigger only", []string{"do-run", "menu: disable shutdown"}},
	} {
		row := consoletest.JobRow(t, r, name)
		if got := consoletest.Words(row.Find("td.status")); got != want.status {
			t.Errorf("%s: status %q, want %q", name, got, want.status)
		}
		if got := consoletest.Words(row.Find("td.next")); !strings.HasPrefix(got, want.next) {
			t.Errorf("%s: next fire %q, want %q", name, got, want.next)
		}
		if diff := cmp.Diff(want.buttons, buttons(row)); diff != "" {
			t.Errorf("%s: buttons (-want +got):\n%s", name, diff)
		}
	}
	again := len(b.History.LastRun)
	b.As(t, auth.RoleRoot, http.MethodGet, "/jobs?pageSize=50", nil)
	if again = len(b.History.LastRun) - again; again != 1 {
		t.Errorf("a page whose health is known took %d queries, want 1 for the strips", again)
	}
	strip := consoletest.JobRow(t, r, "invoices").Find("td.runs .strip")
	if got := strip.AttrOr("title", ""); !strings.HasPrefix(got, "Last 15 runs: ") {
		t.Errorf("strip %q", got)
	}
	if bars := strings.Count(strip.Find("path.bar-ok").AttrOr("d", ""), "V"); bars == 0 || strip.AttrOr("href", "") != "/executions?job=invoices" {
		t.Errorf("strip has %d good bars and leads to %q", bars, strip.AttrOr("href", ""))
	}
}

func TestGuestsSeeNoButtons(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, target := range []string{"/", "/jobs", "/jobs/invoices", "/jobs/mail-digest", "/servers", "/executions"} {
		doc := b.As(t, auth.RoleGuest, http.MethodGet, target, nil).Doc(t)
		if n := doc.Find(`[data-testid^="do-"]`).Length(); n > 0 {
			t.Errorf("%s shows a guest %d buttons", target, n)
		}
		doc.Find(`form[method="post"]`).Each(func(_ int, s *goquery.Selection) {
			if action := s.AttrOr("action", ""); action != "/logout" && action != "/theme" && action != app.LanguageRoute && action != app.ZoneRoute {
				t.Errorf("%s has a form to %s", target, action)
			}
		})
	}
}

func TestJobsPageQuery(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	get := func(target string) consoletest.Reply { return b.As(t, auth.RoleRoot, http.MethodGet, target, nil) }

	r := get("/jobs?q=RATES")
	if diff := cmp.Diff([]string{"currency-rates"}, filter(names(r.Doc(t)), "currency")); diff != "" || len(names(r.Doc(t))) < 2 {
		t.Errorf("search looks at names and descriptions, got %q", names(r.Doc(t)))
	}
	if got := names(get("/jobs?status=crashed").Doc(t)); !slices.Equal(got, []string{"warehouse-sync"}) {
		t.Errorf("status filter: %q", got)
	}
	if got := names(get("/jobs?sort=status").Doc(t))[:3]; !slices.Equal(got, []string{"legacy-import", "warehouse-sync", "settlement.daily"}) {
		t.Errorf("worst first: %q", got)
	}
	if got := names(get("/jobs?sort=shards&order=desc").Doc(t))[0]; got != "settlement.daily" {
		t.Errorf("most shards first: %q", got)
	}
	if got := names(get("/jobs?sort=next").Doc(t))[0]; got != "ledger-compact" {
		t.Errorf("next fire first: %q", got)
	}

	one := get("/jobs?pageSize=20&sort=name&order=desc")
	if got := one.Text(t, "pager-summary"); got != "1–20 of 29 jobs" {
		t.Errorf("summary %q", got)
	}
	next := one.Doc(t).Find(`[data-testid="pager-next"]`).AttrOr("href", "")
	if next != "/jobs?order=desc&page=2&pageSize=20&sort=name" {
		t.Errorf("next page %q", next)
	}
	two := get(next)
	if got := two.Text(t, "pager-summary"); got != "21–29 of 29 jobs" {
		t.Errorf("summary %q", got)
	}
	all := append(names(one.Doc(t)), names(two.Doc(t))...)
	slices.Reverse(all)
	if len(all) != 29 || !slices.IsSorted(all) {
		t.Errorf("the two pages have %d jobs, in order %v", len(all), slices.IsSorted(all))
	}
	if got := get("/jobs?page=99").Text(t, "pager-summary"); got != "26–29 of 29 jobs" {
		t.Errorf("a page beyond the last shows %q", got)
	}
	if got := get("/jobs?q=zzz").Text(t, "jobs-empty"); !strings.Contains(got, `No job matches "zzz".`) {
		t.Errorf("empty search: %q", got)
	}
	if got := get("/jobs?status=purple&sort=x&order=sideways&page=0&pageSize=100000").Text(t, "query-hint"); strings.Count(got, ";") != 4 || !strings.Contains(got, "purple") {
		t.Errorf("hint %q", got)
	}
}

func filter(list []string, part string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !strings.Contains(s, part) })
}

func TestJobPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/settlement.daily", nil)
	consoletest.WantStatus(t, r, 200)
	overview := r.Doc(t)
	shards := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/settlement.daily/shards", nil)
	doc := shards.Doc(t)
	if got := doc.Find(`[data-testid="shard"]`).Length(); got != 12 {
		t.Errorf("%d shards shown, want all 12", got)
	}
	seven := consoletest.Words(doc.Find(`[data-testid="shard"]`).Eq(7))
	for _, want := range []string{"Unassigned", "10.2.0.17@-@88, which is not in /instances", "Failed over to 10.2.0.15@-@918", "Misfire waiting", "latam"} {
		if !strings.Contains(seven, want) {
			t.Errorf("shard 7 lacks %q: %s", want, seven)
		}
	}
	if got := consoletest.Words(doc.Find(`[data-testid="shard"]`).Eq(3)); !strings.Contains(got, "Running") || !strings.Contains(got, "for 2 min 12 s") {
		t.Errorf("shard 3: %s", got)
	}
	if got := doc.Find(`[data-testid="leader"]`).Length(); got != 1 {
		t.Errorf("%d leaders", got)
	}
	if got := consoletest.Words(doc.Find(`[data-testid="job-server"]`).Last()); !strings.Contains(got, "Offline") {
		t.Errorf("last server: %s", got)
	}
	doc = overview
	fires := doc.Find(`[data-testid="fires"] li`)
	if fires.Length() != upcomingRows || !strings.Contains(consoletest.Words(fires.First()), "18:30:00 UTC 02:30:00 GMT+08:00 in 6 h 29 min") {
		t.Errorf("fires: %d, first %q", fires.Length(), consoletest.Words(fires.First()))
	}
	if got := doc.Find(`[data-testid="run"]`).Length(); got == 0 || got > recentRuns {
		t.Errorf("%d runs", got)
	}
	if got := consoletest.Words(doc.Find(`[data-testid="durations"]`)); !strings.Contains(got, "p50") || !strings.Contains(got, "last") {
		t.Errorf("durations %q", got)
	}

	// A job without a zone: what is shown is an assumption and says so.
	if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/warehouse-sync", nil).Text(t, "schedule"); !strings.Contains(got, "No instance is alive") {
		t.Errorf("schedule of a crashed job: %q", got)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.List[0].TimeZone = "" })
	if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices", nil).Text(t, "schedule-note"); !strings.Contains(got, "every agent uses its own") {
		t.Errorf("note on the zone: %q", got)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.List[0].Cron = "0 0/5 * * *" })
	if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices", nil).Text(t, "cron-error"); !strings.Contains(got, "0 0/5 * * *") {
		t.Errorf("cron error: %q", got)
	}
	if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/legacy-import", nil).Text(t, "config-error"); !strings.Contains(got, "line 4") {
		t.Errorf("config error: %q", got)
	}
	if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/legacy-import", nil).Text(t, "config"); !strings.Contains(got, "jobName") {
		t.Errorf("what is stored: %q", got)
	}
	missing := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/nope", nil)
	consoletest.WantStatus(t, missing, 404)
	if got := missing.Text(t, "problem"); !strings.Contains(got, `There is no job "nope".`) {
		t.Errorf("404: %q", got)
	}
}

func TestOutage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Down()
	for _, target := range []string{"/", "/jobs", "/jobs/invoices", "/servers"} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, target, nil)
		consoletest.WantStatus(t, r, http.StatusServiceUnavailable)
		banner := r.Text(t, "outage")
		for _, want := range []string{"ZooKeeper unreachable since 11:58:32 UTC", "connection refused", "refreshes by itself"} {
			if !strings.Contains(banner, want) {
				t.Errorf("%s: banner %q lacks %q", target, banner, want)
			}
		}
		doc := r.Doc(t)
		if !strings.Contains(doc.Find("noscript").Text(), `content="5"`) || doc.Find("body").AttrOr("data-reload", "") != "5" || r.Header.Get("Retry-After") != "5" {
			t.Errorf("%s does not load again by itself", target)
		}
		if got := r.Text(t, "registry-state"); got != "disconnected" {
			t.Errorf("%s: badge %q", target, got)
		}
		if doc.Find(`[data-testid="jobs"], [data-testid="jobs-empty"]`).Length() > 0 {
			t.Errorf("%s shows a list it does not have", target)
		}
	}
	// Executions come from the database and are shown all the same.
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/executions", nil), 200)

	reply := b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs", nil)
	consoletest.WantStatus(t, reply, http.StatusServiceUnavailable)
	var body api.ErrorBody
	if err := json.Unmarshal([]byte(reply.Body), &body); err != nil || body.Code != "registry_unavailable" || !strings.Contains(body.Message, "ZooKeeper has been unreachable since") {
		t.Errorf("API: %s", reply.Body)
	}
	if strings.Contains(reply.Body, "10.2.0.4") {
		t.Errorf("the API shows an address: %s", reply.Body)
	}
	login := b.As(t, "", http.MethodGet, "/login", nil)
	if strings.Contains(login.Body, "ZooKeeper") || strings.Contains(login.Body, "shop/billing") {
		t.Error("the login page speaks about the registry")
	}

	registry, _ := consoletest.Sample()
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ReadErr, f.Health = nil, registry.Health })
	r := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs", nil)
	consoletest.WantStatus(t, r, 200)
	if r.Doc(t).Find(`[data-testid="outage"], noscript, body[data-reload="5"]`).Length() > 0 {
		t.Error("the banner stays after the outage")
	}
}

func TestForbiddenRegistryIsNoOutage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.ReadErr = errors.Join(errors.New("read jobs"), statistics.ErrForbidden)
	})
	r := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs", nil)
	consoletest.WantStatus(t, r, 503)
	if got := r.Text(t, "problem"); !strings.Contains(got, "does not let the console read") || !strings.Contains(got, "digest") {
		t.Errorf("page %q", got)
	}
}

func TestHistoryAwayDoesNotHideTheJobs(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Err = errors.New("dial tcp 10.3.3.3:3306: connection refused")
	for _, target := range []string{"/jobs", "/jobs/invoices"} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, target, nil)
		consoletest.WantStatus(t, r, 200)
		if got := r.Text(t, "history-notice"); !strings.Contains(got, "trace database could not be read") {
			t.Errorf("%s: notice %q", target, got)
		}
		if strings.Contains(r.Body, "10.3.3.3") {
			t.Errorf("%s shows the driver's message", target)
		}
	}
	r := b.As(t, auth.RoleRoot, http.MethodGet, "/executions", nil)
	consoletest.WantStatus(t, r, 503)
	if got := r.Text(t, "executions-unavailable"); !strings.Contains(got, "trace database could not be read") {
		t.Errorf("executions: %q", got)
	}
	if !strings.Contains(b.Log.String(), "10.3.3.3") {
		t.Error("the log lacks the cause")
	}
}

func TestWithoutHistory(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.History = nil })
	for target, status := range map[string]int{"/": 200, "/jobs": 200, "/jobs/invoices": 200, "/executions": 503, "/api/event-trace/execution": 503} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, target, nil)
		consoletest.WantStatus(t, r, status)
		if target != "/jobs" && !strings.Contains(r.Body, "no trace database") {
			t.Errorf("%s does not say that there is no database", target)
		}
	}
}

func TestNoJobsYet(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.List, f.Machines = nil, nil })
	b.History.Rows = nil
	for target, want := range map[string]string{
		"/jobs": "No jobs in this namespace yet.", "/": "No jobs in this namespace yet.",
		"/servers": "No server has registered yet.", "/executions": "No execution recorded yet.",
	} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, target, nil)
		consoletest.WantStatus(t, r, 200)
		if !strings.Contains(r.Body, want) {
			t.Errorf("%s does not say %q", target, want)
		}
	}
	if r := b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs", nil); strings.TrimSpace(r.Body) != "[]" {
		t.Errorf("API: %s", r.Body)
	}
}

func TestOverview(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := b.As(t, auth.RoleGuest, http.MethodGet, "/", nil)
	consoletest.WantStatus(t, r, 200)
	for id, want := range map[string]string{"tile-all": "All jobs", "tile-healthy": "16 Healthy", "tile-failing": "3 Failing", "tile-down": "1 Down", "tile-unreadable": "1 Unreadable"} {
		if got := r.Text(t, id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	if got := r.Text(t, "attention"); !strings.HasPrefix(got, "Failing 3 jobs fail alike dial tcp 10.9.1.2:3306: i/o timeout heartbeat-report, loyalty-points, thumbnails for ") ||
		!strings.Contains(got, "Down warehouse-sync") || strings.Contains(got, "mail-digest") {
		t.Errorf("attention: %q", got)
	}
	alike := r.Doc(t).Find(`[data-testid="attention"] a`).First().AttrOr("href", "")
	if got := names(b.As(t, auth.RoleGuest, http.MethodGet, alike, nil).Doc(t)); !slices.Equal(got, []string{"heartbeat-report", "loyalty-points", "thumbnails"}) {
		t.Errorf("%s lists %q", alike, got)
	}
}

func TestServersPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	ips := func(target string) []string {
		return b.As(t, auth.RoleGuest, http.MethodGet, target, nil).Doc(t).Find(`[data-testid="server"] a`).Map(func(_ int, s *goquery.Selection) string { return s.Text() })
	}
	// The worst first: those whose processes ended, those with disabled jobs, the rest.
	if got := ips("/servers"); !slices.Equal(got, []string{"10.2.0.17", "10.2.0.18", "10.2.0.9", "10.2.0.15", "10.2.0.14", "10.2.0.16"}) {
		t.Errorf("servers %q", got)
	}
	if got := ips("/servers?state=disabled"); !slices.Equal(got, []string{"10.2.0.17", "10.2.0.9", "10.2.0.15"}) {
		t.Errorf("servers with disabled jobs %q", got)
	}
	if got := ips("/servers?state=offline"); !slices.Equal(got, []string{"10.2.0.17", "10.2.0.18"}) {
		t.Errorf("offline servers %q", got)
	}
	if got := ips("/servers?q=0.9"); !slices.Equal(got, []string{"10.2.0.9"}) {
		t.Errorf("search %q", got)
	}
	if got := b.As(t, auth.RoleGuest, http.MethodGet, "/servers?state=asleep", nil).Text(t, "query-hint"); !strings.Contains(got, "asleep") {
		t.Errorf("hint %q", got)
	}
}

func TestExecutionsPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := b.As(t, auth.RoleGuest, http.MethodGet, "/executions?job=invoices&state=failed&item=2&ip=10.2.0.14&from=2026-11-21T10:00&to=2026-11-21T12:00&limit=20", nil)
	consoletest.WantStatus(t, r, 200)
	filter := b.History.Filters[0]
	if filter.JobName != "invoices" || filter.State != "failed" || *filter.Item != 2 || filter.IP != "10.2.0.14" || filter.Limit != 20 ||
		!filter.From.Equal(time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)) || !filter.To.Equal(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("filter %+v", filter)
	}
	doc := r.Doc(t)
	if doc.Find("input[name=from]").AttrOr("value", "") != "2026-11-21T10:00" || doc.Find("select[name=state] option[selected]").AttrOr("value", "") != "failed" || doc.Find("input[name=item]").AttrOr("value", "") != "2" {
		t.Error("the form does not show the filter")
	}
	cause := doc.Find(`details[data-testid="cause"]`).First()
	if consoletest.Fold(cause.Find("summary").Text()) != "dial tcp 10.9.1.2:3306: i/o timeout" || !strings.Contains(cause.Find("pre").Text(), "InvoiceJob.java:71") {
		t.Errorf("cause %q", cause.Text())
	}

	seen := make(map[string]bool)
	target, pages := "/executions?limit=200", 0
	for target != "" {
		page := b.As(t, auth.RoleGuest, http.MethodGet, target, nil).Doc(t)
		page.Find(`[data-testid="run"]`).Each(func(i int, s *goquery.Selection) { seen[strconv.Itoa(pages)+"/"+strconv.Itoa(i)] = true })
		target = page.Find(`[data-testid="pager-next"]`).AttrOr("href", "")
		pages++
	}
	if len(seen) != len(b.History.Rows) {
		t.Errorf("%d executions on %d pages, want %d", len(seen), pages, len(b.History.Rows))
	}

	bad := b.As(t, auth.RoleGuest, http.MethodGet, "/executions?state=purple&item=x&from=yesterday&limit=0", nil)
	consoletest.WantStatus(t, bad, 200)
	if got := bad.Text(t, "query-hint"); strings.Count(got, ";") != 3 {
		t.Errorf("hint %q", got)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/executions?cursor=made-up", nil), 422)
}

// TestJobsPageFilters: tabs count, filters in the search select, and what is no
// filter is named while the rest counts.
func TestJobsPageFilters(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Rows = append([]tracing.Execution{
		{ID: "f1", JobName: "invoices", RunID: "r9", StartTime: consoletest.Noon.Add(-time.Second), CompleteTime: consoletest.Noon, FailureCause: "dial tcp 10.0.0.1:3306: connection refused"},
		{ID: "f2", JobName: "dunning", RunID: "r8", StartTime: consoletest.Noon.Add(-time.Second), CompleteTime: consoletest.Noon, FailureCause: "dial tcp 10.0.0.2:3307: connection refused"},
	}, b.History.Rows...)
	cause := explain.Fingerprint("dial tcp 10.0.0.1:3306: connection refused", false)
	get := func(q string) consoletest.Reply {
		return b.As(t, auth.RoleGuest, http.MethodGet, "/jobs?"+url.Values{"q": {q}, "sort": {"name"}}.Encode(), nil)
	}
	for q, want := range map[string][]string{
		"state:down":        {"warehouse-sync"},
		"cause:" + cause:    {"dunning", "invoices"},
		"cause:REFUSED inv": {"invoices"},
		"state:failing last:failed ran:<1h invoices": {"invoices"},
		"state:never-ran reind":                      {"reindex"},
		"zone:gmt+8 cron:2":                          {"settlement.daily"},
		"server:10.99.0.1":                           nil,
		"ran:>30d invoices":                          nil,
		"colour:red warehouse state:blue":            {"warehouse-sync"},
	} {
		r := get(q)
		if got := names(r.Doc(t)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", q, got, want)
		}
		if hint := r.Doc(t).Find(`[data-testid="query-hint"]`).Length() > 0; hint != strings.Contains(q, "colour") {
			t.Errorf("%s: hint %v", q, hint)
		}
	}
	if got := consoletest.Words(get("").Doc(t).Find(`[data-testid="tab-failing"]`)); got != "Failing 5" {
		t.Errorf("tab %q", got)
	}
	if got := names(b.As(t, auth.RoleGuest, http.MethodGet, "/jobs?state=failing", nil).Doc(t)); !slices.Equal(got, []string{"dunning", "heartbeat-report", "invoices", "loyalty-points", "thumbnails"}) {
		t.Errorf("the view of failing jobs: %q", got)
	}
}

// TestNewJobButton: root finds the way to a new job on the list, a guest does not.
func TestNewJobButton(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for role, want := range map[auth.Role]string{auth.RoleRoot: pageui.NewJobRoute, auth.RoleGuest: ""} {
		doc := b.As(t, role, http.MethodGet, "/jobs?q=nothing-like-this", nil).Doc(t)
		if got := doc.Find(`[data-testid="new-job"]`).AttrOr("href", ""); got != want {
			t.Errorf("%s is led to %q", role, got)
		}
	}
}
