package console

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/statistics"
)

func names(doc *goquery.Document) []string {
	return doc.Find(`[data-testid="job"]`).Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("data-job", "") })
}

func jobRowOf(t *testing.T, r reply, name string) *goquery.Selection {
	t.Helper()
	row := r.doc(t).Find(`[data-testid="job"]`).FilterFunction(func(_ int, s *goquery.Selection) bool { return s.AttrOr("data-job", "") == name })
	if row.Length() != 1 {
		t.Fatalf("%d rows for %q", row.Length(), name)
	}
	return row
}

func buttons(s *goquery.Selection) []string {
	return s.Find(`[data-testid="actions"] [data-testid]`).Map(func(_ int, b *goquery.Selection) string {
		label := b.AttrOr("data-testid", "")
		if _, off := b.Attr("disabled"); off {
			label += " (off)"
		}
		return label
	})
}

func TestJobsPageRows(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := b.as(t, auth.RoleRoot, http.MethodGet, "/jobs", nil)
	wantStatus(t, r, 200)
	if got := names(r.doc(t)); len(got) != len(b.registry.jobs) || !slices.IsSorted(got) {
		t.Errorf("%d rows, sorted %v", len(got), slices.IsSorted(got))
	}
	for name, want := range map[string]struct {
		status, next string
		buttons      []string
	}{
		"invoices":         {"OK", "in 4 min 53 s", []string{"do-trigger", "do-disable", "do-shutdown"}},
		"settlement.daily": {"Resharding /sharding/7/instance names 10.2.0.17@-@88, which is not in /instances", "in 6 h 29 min", []string{"do-trigger", "do-disable", "do-shutdown"}},
		"mail-digest":      {"Disabled all 3 servers of /servers hold DISABLED", "disabled", []string{"do-trigger (off)", "do-enable", "do-shutdown"}},
		"warehouse-sync":   {"Crashed /instances has no children", "no instance to run it", []string{"do-trigger (off)", "do-disable", "do-remove"}},
		"legacy-import":    {"Unreadable /config cannot be read: line 4: mapping values are not allowed here", "unknown", []string{"do-trigger (off)", "do-disable", "do-shutdown"}},
		"geo-update":       {"OK", "in 7 min 58 s", []string{"do-trigger", "do-disable", "do-enable", "do-shutdown"}},
		"reindex":          {"OK", "only when triggered", []string{"do-trigger", "do-disable", "do-shutdown"}},
	} {
		row := jobRowOf(t, r, name)
		if got := words(row.Find("td.status")); got != want.status {
			t.Errorf("%s: status %q, want %q", name, got, want.status)
		}
		if got := words(row.Find("td.next")); !strings.HasPrefix(got, want.next) {
			t.Errorf("%s: next fire %q, want %q", name, got, want.next)
		}
		if diff := cmp.Diff(want.buttons, buttons(row)); diff != "" {
			t.Errorf("%s: buttons (-want +got):\n%s", name, diff)
		}
	}
	if len(b.history.lastRun) != 1 {
		t.Errorf("the run strips took %d queries, want 1", len(b.history.lastRun))
	}
	strip := jobRowOf(t, r, "invoices").Find(`[data-testid="run-strip"]`)
	if got := strip.AttrOr("aria-label", ""); !strings.HasPrefix(got, "Last 15 runs: ") {
		t.Errorf("strip %q", got)
	}
	if strip.Find("rect").Length() == 0 || strip.AttrOr("href", "") != "/executions?job=invoices" {
		t.Errorf("strip has %d bars and leads to %q", strip.Find("rect").Length(), strip.AttrOr("href", ""))
	}
}

func TestGuestsSeeNoButtons(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, target := range []string{"/", "/jobs", "/jobs/invoices", "/jobs/mail-digest", "/servers", "/executions"} {
		doc := b.as(t, auth.RoleGuest, http.MethodGet, target, nil).doc(t)
		if n := doc.Find(`[data-testid^="do-"]`).Length(); n > 0 {
			t.Errorf("%s shows a guest %d buttons", target, n)
		}
		doc.Find(`form[method="post"]`).Each(func(_ int, s *goquery.Selection) {
			if action := s.AttrOr("action", ""); action != "/logout" && action != "/theme" {
				t.Errorf("%s has a form to %s", target, action)
			}
		})
	}
}

func TestJobsPageQuery(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	get := func(target string) reply { return b.as(t, auth.RoleRoot, http.MethodGet, target, nil) }

	r := get("/jobs?q=RATES")
	if diff := cmp.Diff([]string{"currency-rates"}, filter(names(r.doc(t)), "currency")); diff != "" || len(names(r.doc(t))) < 2 {
		t.Errorf("search looks at names and descriptions, got %q", names(r.doc(t)))
	}
	if got := names(get("/jobs?status=crashed").doc(t)); !slices.Equal(got, []string{"warehouse-sync"}) {
		t.Errorf("status filter: %q", got)
	}
	if got := names(get("/jobs?sort=status").doc(t))[:3]; !slices.Equal(got, []string{"legacy-import", "warehouse-sync", "settlement.daily"}) {
		t.Errorf("worst first: %q", got)
	}
	if got := names(get("/jobs?sort=shards&order=desc").doc(t))[0]; got != "settlement.daily" {
		t.Errorf("most shards first: %q", got)
	}
	if got := names(get("/jobs?sort=next").doc(t))[0]; got != "ledger-compact" {
		t.Errorf("next fire first: %q", got)
	}

	one := get("/jobs?pageSize=20&sort=name&order=desc")
	if got := one.text(t, "pager-summary"); got != "1–20 of 29 jobs" {
		t.Errorf("summary %q", got)
	}
	next := one.doc(t).Find(`[data-testid="pager-next"]`).AttrOr("href", "")
	if next != "/jobs?order=desc&page=2&pageSize=20" {
		t.Errorf("next page %q", next)
	}
	two := get(next)
	if got := two.text(t, "pager-summary"); got != "21–29 of 29 jobs" {
		t.Errorf("summary %q", got)
	}
	all := append(names(one.doc(t)), names(two.doc(t))...)
	slices.Reverse(all)
	if len(all) != 29 || !slices.IsSorted(all) {
		t.Errorf("the two pages have %d jobs, in order %v", len(all), slices.IsSorted(all))
	}
	if got := get("/jobs?page=99").text(t, "pager-summary"); got != "1–29 of 29 jobs" {
		t.Errorf("a page beyond the last shows %q", got)
	}
	if got := get("/jobs?q=zzz").text(t, "jobs-empty"); !strings.Contains(got, `No job matches "zzz".`) {
		t.Errorf("empty search: %q", got)
	}
	if got := get("/jobs?status=purple&sort=x&order=sideways&page=0&pageSize=100000").text(t, "query-hint"); strings.Count(got, ";") != 4 || !strings.Contains(got, "purple") {
		t.Errorf("hint %q", got)
	}
}

func filter(list []string, part string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !strings.Contains(s, part) })
}

func TestJobPage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := b.as(t, auth.RoleRoot, http.MethodGet, "/jobs/settlement.daily", nil)
	wantStatus(t, r, 200)
	doc := r.doc(t)
	if got := doc.Find(`[data-testid="shard"]`).Length(); got != 12 {
		t.Errorf("%d shards shown, want all 12", got)
	}
	seven := words(doc.Find(`[data-testid="shard"]`).Eq(7))
	for _, want := range []string{"Not assigned", "10.2.0.17@-@88, which is not in /instances", "Failed over to 10.2.0.15@-@918", "Misfire waiting", "latam"} {
		if !strings.Contains(seven, want) {
			t.Errorf("shard 7 lacks %q: %s", want, seven)
		}
	}
	if got := words(doc.Find(`[data-testid="shard"]`).Eq(3)); !strings.Contains(got, "Running") || !strings.Contains(got, "for 2 min 12 s") {
		t.Errorf("shard 3: %s", got)
	}
	if got := doc.Find(`[data-testid="leader"]`).Length(); got != 1 {
		t.Errorf("%d leaders", got)
	}
	if got := words(doc.Find(`[data-testid="job-server"]`).Last()); !strings.Contains(got, "Offline") {
		t.Errorf("last server: %s", got)
	}
	fires := doc.Find(`[data-testid="fires"] li`)
	if fires.Length() != 5 || !strings.Contains(words(fires.First()), "2026-11-21 18:30:00 UTC 02:30:00 GMT+08:00 in 6 h 29 min") {
		t.Errorf("fires: %d, first %q", fires.Length(), words(fires.First()))
	}
	if !strings.Contains(r.text(t, "config"), "jobName: settlement.daily") {
		t.Errorf("configuration %q", r.text(t, "config"))
	}
	if got := doc.Find(`[data-testid="run"]`).Length(); got != recentRuns {
		t.Errorf("%d executions", got)
	}

	// A job without a zone: what is shown is an assumption and says so.
	if got := b.as(t, auth.RoleRoot, http.MethodGet, "/jobs/warehouse-sync", nil).text(t, "schedule"); !strings.Contains(got, "No instance is alive") {
		t.Errorf("schedule of a crashed job: %q", got)
	}
	b.registry.set(func(f *fakeRegistry) { f.jobs[0].TimeZone = "" })
	if got := b.as(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices", nil).text(t, "schedule-note"); !strings.Contains(got, "every agent uses its own") {
		t.Errorf("note on the zone: %q", got)
	}
	b.registry.set(func(f *fakeRegistry) { f.jobs[0].Cron = "0 0/5 * * *" })
	if got := b.as(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices", nil).text(t, "cron-error"); !strings.Contains(got, "0 0/5 * * *") {
		t.Errorf("cron error: %q", got)
	}
	if got := b.as(t, auth.RoleRoot, http.MethodGet, "/jobs/legacy-import", nil).text(t, "config-error"); !strings.Contains(got, "line 4") {
		t.Errorf("config error: %q", got)
	}
	missing := b.as(t, auth.RoleRoot, http.MethodGet, "/jobs/nope", nil)
	wantStatus(t, missing, 404)
	if got := missing.text(t, "problem"); !strings.Contains(got, `There is no job "nope".`) {
		t.Errorf("404: %q", got)
	}
}

func TestOutage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.down()
	for _, target := range []string{"/", "/jobs", "/jobs/invoices", "/servers"} {
		r := b.as(t, auth.RoleRoot, http.MethodGet, target, nil)
		wantStatus(t, r, http.StatusServiceUnavailable)
		banner := r.text(t, "outage")
		for _, want := range []string{"ZooKeeper unreachable since 2026-11-21 11:58:32 UTC", "connection refused", "refreshes by itself"} {
			if !strings.Contains(banner, want) {
				t.Errorf("%s: banner %q lacks %q", target, banner, want)
			}
		}
		doc := r.doc(t)
		if doc.Find(`meta[http-equiv="refresh"]`).AttrOr("content", "") != "5" || r.Header.Get("Retry-After") != "5" {
			t.Errorf("%s does not load again by itself", target)
		}
		if got := r.text(t, "registry-state"); got != "Disconnected" {
			t.Errorf("%s: badge %q", target, got)
		}
		if doc.Find(`[data-testid="jobs"], [data-testid="jobs-empty"]`).Length() > 0 {
			t.Errorf("%s shows a list it does not have", target)
		}
	}
	// Executions come from the database and are shown all the same.
	wantStatus(t, b.as(t, auth.RoleRoot, http.MethodGet, "/executions", nil), 200)

	api := b.as(t, auth.RoleRoot, http.MethodGet, "/api/jobs", nil)
	wantStatus(t, api, http.StatusServiceUnavailable)
	var body errorBody
	if err := json.Unmarshal([]byte(api.body), &body); err != nil || body.Code != "registry_unavailable" || !strings.Contains(body.Message, "ZooKeeper has been unreachable since") {
		t.Errorf("API: %s", api.body)
	}
	if strings.Contains(api.body, "10.2.0.4") {
		t.Errorf("the API shows an address: %s", api.body)
	}
	login := b.as(t, "", http.MethodGet, "/login", nil)
	if strings.Contains(login.body, "ZooKeeper") || strings.Contains(login.body, "shop/billing") {
		t.Error("the login page speaks about the registry")
	}

	registry, _ := sample()
	b.registry.set(func(f *fakeRegistry) { f.readErr, f.health = nil, registry.health })
	r := b.as(t, auth.RoleRoot, http.MethodGet, "/jobs", nil)
	wantStatus(t, r, 200)
	if r.doc(t).Find(`[data-testid="outage"], meta[http-equiv]`).Length() > 0 {
		t.Error("the banner stays after the outage")
	}
}

func TestForbiddenRegistryIsNoOutage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.registry.set(func(f *fakeRegistry) { f.readErr = errors.Join(errors.New("read jobs"), statistics.ErrForbidden) })
	r := b.as(t, auth.RoleRoot, http.MethodGet, "/jobs", nil)
	wantStatus(t, r, 503)
	if got := r.text(t, "problem"); !strings.Contains(got, "does not let the console read") || !strings.Contains(got, "digest") {
		t.Errorf("page %q", got)
	}
}

func TestHistoryAwayDoesNotHideTheJobs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.history.err = errors.New("dial tcp 10.3.3.3:3306: connection refused")
	for _, target := range []string{"/jobs", "/jobs/invoices"} {
		r := b.as(t, auth.RoleRoot, http.MethodGet, target, nil)
		wantStatus(t, r, 200)
		if got := r.text(t, "history-notice"); !strings.Contains(got, "trace database could not be read") {
			t.Errorf("%s: notice %q", target, got)
		}
		if strings.Contains(r.body, "10.3.3.3") {
			t.Errorf("%s shows the driver's message", target)
		}
	}
	r := b.as(t, auth.RoleRoot, http.MethodGet, "/executions", nil)
	wantStatus(t, r, 503)
	if got := r.text(t, "executions-unavailable"); !strings.Contains(got, "trace database could not be read") {
		t.Errorf("executions: %q", got)
	}
	if !strings.Contains(b.log.String(), "10.3.3.3") {
		t.Error("the log lacks the cause")
	}
}

func TestWithoutHistory(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *Options) { o.History = nil })
	for target, status := range map[string]int{"/": 200, "/jobs": 200, "/jobs/invoices": 200, "/executions": 503, "/api/event-trace/execution": 503} {
		r := b.as(t, auth.RoleRoot, http.MethodGet, target, nil)
		wantStatus(t, r, status)
		if target != "/jobs" && !strings.Contains(r.body, "no trace database") {
			t.Errorf("%s does not say that there is no database", target)
		}
	}
}

func TestNoJobsYet(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.registry.set(func(f *fakeRegistry) { f.jobs, f.servers = nil, nil })
	b.history.runs = nil
	for target, want := range map[string]string{
		"/jobs": "No jobs in this namespace yet.", "/": "No job is registered in this namespace yet.",
		"/servers": "No server has registered yet.", "/executions": "No execution recorded yet.",
	} {
		r := b.as(t, auth.RoleRoot, http.MethodGet, target, nil)
		wantStatus(t, r, 200)
		if !strings.Contains(r.body, want) {
			t.Errorf("%s does not say %q", target, want)
		}
	}
	if r := b.as(t, auth.RoleRoot, http.MethodGet, "/api/jobs", nil); strings.TrimSpace(r.body) != "[]" {
		t.Errorf("API: %s", r.body)
	}
}

func TestOverview(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := b.as(t, auth.RoleGuest, http.MethodGet, "/", nil)
	wantStatus(t, r, 200)
	for id, want := range map[string]string{"tile-all": "29 Jobs", "tile-ok": "25 OK", "tile-crashed": "1 Crashed", "tile-broken": "1 Unreadable"} {
		if got := r.text(t, id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	if got := r.text(t, "attention"); !strings.HasPrefix(got, "legacy-import Unreadable") || strings.Contains(got, "mail-digest") {
		t.Errorf("attention: %q", got)
	}
	if got := r.text(t, "upcoming"); !strings.HasPrefix(got, "in 1 s ledger-compact 12:00:08 UTC") {
		t.Errorf("upcoming: %q", got)
	}
	if got := r.doc(t).Find(`[data-testid="failures"] li`).Length(); got != overviewFailures {
		t.Errorf("%d failures", got)
	}
}

func TestServersPage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ips := func(target string) []string {
		return b.as(t, auth.RoleGuest, http.MethodGet, target, nil).doc(t).Find(`[data-testid="server"] a`).Map(func(_ int, s *goquery.Selection) string { return s.Text() })
	}
	if got := ips("/servers"); !slices.Equal(got, []string{"10.2.0.9", "10.2.0.14", "10.2.0.15", "10.2.0.16", "10.2.0.17", "10.2.0.18"}) {
		t.Errorf("servers %q", got)
	}
	if got := ips("/servers?state=offline"); !slices.Equal(got, []string{"10.2.0.17", "10.2.0.18"}) {
		t.Errorf("offline servers %q", got)
	}
	if got := ips("/servers?q=0.9"); !slices.Equal(got, []string{"10.2.0.9"}) {
		t.Errorf("search %q", got)
	}
	if got := b.as(t, auth.RoleGuest, http.MethodGet, "/servers?state=asleep", nil).text(t, "query-hint"); !strings.Contains(got, "asleep") {
		t.Errorf("hint %q", got)
	}
}

func TestExecutionsPage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := b.as(t, auth.RoleGuest, http.MethodGet, "/executions?job=invoices&state=failed&item=2&ip=10.2.0.14&from=2026-11-21T10:00&to=2026-11-21T12:00&limit=20", nil)
	wantStatus(t, r, 200)
	filter := b.history.filters[0]
	if filter.JobName != "invoices" || filter.State != "failed" || *filter.Item != 2 || filter.IP != "10.2.0.14" || filter.Limit != 20 ||
		!filter.From.Equal(time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)) || !filter.To.Equal(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("filter %+v", filter)
	}
	doc := r.doc(t)
	if doc.Find("input[name=from]").AttrOr("value", "") != "2026-11-21T10:00" || doc.Find("select[name=state] option[selected]").Text() != "failed" || doc.Find("input[name=item]").AttrOr("value", "") != "2" {
		t.Error("the form does not show the filter")
	}
	cause := doc.Find(`details[data-testid="cause"]`).First()
	if fold(cause.Find("summary").Text()) != "dial tcp 10.9.1.2:3306: i/o timeout" || !strings.Contains(cause.Find("pre").Text(), "InvoiceJob.java:71") {
		t.Errorf("cause %q", cause.Text())
	}

	seen := make(map[string]bool)
	target, pages := "/executions?limit=200", 0
	for target != "" {
		page := b.as(t, auth.RoleGuest, http.MethodGet, target, nil).doc(t)
		page.Find(`[data-testid="run"]`).Each(func(i int, s *goquery.Selection) { seen[strconv.Itoa(pages)+"/"+strconv.Itoa(i)] = true })
		target = page.Find(`[data-testid="pager-next"]`).AttrOr("href", "")
		pages++
	}
	if len(seen) != len(b.history.runs) {
		t.Errorf("%d executions on %d pages, want %d", len(seen), pages, len(b.history.runs))
	}

	bad := b.as(t, auth.RoleGuest, http.MethodGet, "/executions?state=purple&item=x&from=yesterday&limit=0", nil)
	wantStatus(t, bad, 200)
	if got := bad.text(t, "query-hint"); strings.Count(got, ";") != 3 {
		t.Errorf("hint %q", got)
	}
	wantStatus(t, b.as(t, auth.RoleGuest, http.MethodGet, "/executions?cursor=made-up", nil), 422)
}
