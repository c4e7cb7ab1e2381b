package runs

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestRunsPage: the list of runs has facets, bars and durations; what is chosen is in
// the address, and every link of the page answers.
func TestRunsPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, steps := consoletest.TheRun()
	b.History.Rows, b.History.Steps = append(rows, b.History.Rows...), steps
	get := func(path string) *goquery.Document {
		t.Helper()
		r := b.As(t, auth.RoleGuest, http.MethodGet, path, nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		return r.Doc(t)
	}
	doc := get("/runs")
	f := b.History.RunFilters[0]
	if !f.From.Equal(consoletest.Noon.Add(-24*time.Hour).Truncate(5*time.Second)) || !f.To.IsZero() || f.StartedIn {
		t.Errorf("without a range: %+v", f)
	}
	if n := doc.Find(`[data-testid="runs-table"] tbody tr`).Length(); n != query.ScreenRows {
		t.Errorf("%d rows", n)
	}
	for testid, want := range map[string]int{"facets": 1, "bars": 1, "durations": 1, "verdict": 1, "export-csv": 1, "level-status": 1} {
		if n := doc.Find(`[data-testid="` + testid + `"]`).Length(); n != want {
			t.Errorf("%d of %s", n, testid)
		}
	}
	if verdict := doc.Find(`[data-testid="verdict"]`).Text(); verdict != "p95 38 s longer than the day before" {
		t.Errorf("verdict %q", verdict)
	}
	failed := doc.Find(`.facet:contains("Failed")`)
	href, _ := failed.Attr("href")
	if href != "/runs?state=failed" {
		t.Fatalf("the facet leads to %q", href)
	}
	doc = get(href)
	if chosen, _ := doc.Find(`.facet[aria-current]`).Attr("href"); chosen != "/runs" || doc.Find(`[data-testid="run-state"]:contains("Succeeded")`).Length() > 0 {
		t.Errorf("chosen: %q", chosen)
	}
	seen := map[string]bool{}
	doc.Find("main a, header a").Each(func(_ int, a *goquery.Selection) {
		if to, _ := a.Attr("href"); strings.HasPrefix(to, "/") && !seen[to] {
			seen[to] = true
			if r := b.As(t, auth.RoleGuest, http.MethodGet, strings.Split(to, "#")[0], nil); r.StatusCode != http.StatusOK {
				t.Errorf("%s: %d", to, r.StatusCode)
			}
		}
	})
	if html, _ := doc.Html(); strings.Contains(html, "style=") {
		t.Error("a style of its own, which the policy forbids")
	}
	zh := b.As(t, auth.RoleGuest, http.MethodGet, "/runs", nil, func(r *http.Request) { r.Header.Set("Accept-Language", "zh-CN") }).Doc(t)
	if text := zh.Find("main").Text(); !strings.Contains(text, "耗时分布") || strings.Contains(text, "Durations") {
		t.Errorf("in Chinese: %s", consoletest.Fold(text)[:300])
	}
	consoletest.WantStatus(t, b.As(t, "", http.MethodGet, "/runs/export", nil), http.StatusSeeOther)
}

// TestRunsPageQuery: filters reach the history; what is unknown is named and the
// rest applies; other levels keep the filters.
func TestRunsPageQuery(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	_, b.History.Steps = consoletest.TheRun()
	ask := func(query string) (rdb.RunFilter, *goquery.Document) {
		t.Helper()
		b.History.RunFilters = nil
		r := b.As(t, auth.RoleGuest, http.MethodGet, "/runs?"+query, nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		if len(b.History.RunFilters) == 0 {
			return rdb.RunFilter{}, r.Doc(t)
		}
		return b.History.RunFilters[0], r.Doc(t)
	}
	f, _ := ask("job=inv&match=prefix&trigger=manual&failure=503&took=90&from=2026-11-21T10:00&to=2026-11-21T11:00&started=in")
	if f.JobPrefix != "inv" || f.Trigger != tracing.TriggerManual || f.FailureText != "503" || f.MinDuration != 90*time.Second || !f.StartedIn || f.From.Hour() != 10 || f.To.Hour() != 11 {
		t.Errorf("%+v", f)
	}
	f, doc := ask("state=odd&trigger=luck&last=5y&level=deep&job=invoices")
	if f.JobName != "invoices" || f.State != "" {
		t.Errorf("%+v", f)
	}
	for _, want := range []string{"odd", "luck", "5y", "deep"} {
		if text := doc.Find(`[data-testid="query-hint"]`).Text(); !strings.Contains(text, want) {
			t.Errorf("no %q in the hint %q", want, text)
		}
	}
	if f, _ := ask("last=all"); !f.From.IsZero() {
		t.Errorf("%+v", f)
	}
	_, doc = ask("level=status&job=invoices&state=TASK_ERROR")
	if doc.Find(`[data-testid="step"]`).Length() != 3 || doc.Find(`option[selected][value="TASK_ERROR"]`).Length() != 1 {
		t.Errorf("steps: %s", consoletest.Fold(doc.Find("main").Text()))
	}
	r := b.As(t, auth.RoleGuest, http.MethodGet, "/runs?level=execution&job=invoices", nil)
	if consoletest.WantStatus(t, r, http.StatusSeeOther); r.Header.Get("Location") != "/executions?job=invoices" {
		t.Errorf("to %q", r.Header.Get("Location"))
	}
	doc = b.As(t, auth.RoleGuest, http.MethodGet, "/executions?job=invoices&state=failed", nil).Doc(t)
	if to, _ := doc.Find(`[data-testid="level-runs"]`).Attr("href"); to != "/runs?job=invoices&state=failed" {
		t.Errorf("executions lead to %q", to)
	}
	csv := b.As(t, auth.RoleGuest, http.MethodGet, "/runs/export?format=csv&job=invoices", nil)
	if !strings.HasPrefix(csv.Body, "job,run,") || strings.Count(csv.Body, "\n") < 10 {
		t.Errorf("%s", csv.Body)
	}
}

// TestRunsPageWithoutHistory: the page says why there is nothing to see, and what the
// database lacks.
func TestRunsPageWithoutHistory(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Lacking = []string{"run_id"}
	doc := b.As(t, auth.RoleGuest, http.MethodGet, "/runs", nil).Doc(t)
	if doc.Find(`[data-testid="run-lacks"]`).Length() != 1 {
		t.Error("nobody says what the database lacks")
	}
	b.History.Rows = nil
	doc = b.As(t, auth.RoleGuest, http.MethodGet, "/runs?job=x", nil).Doc(t)
	if doc.Find(`[data-testid="runs-empty"]`).Length() != 1 {
		t.Errorf("%s", consoletest.Fold(doc.Find("main").Text()))
	}
	b.History.Err = errors.New("asked to fail")
	r := b.As(t, auth.RoleGuest, http.MethodGet, "/runs", nil)
	if consoletest.WantStatus(t, r, http.StatusServiceUnavailable); r.Doc(t).Find(`[data-testid="runs-unavailable"]`).Length() != 1 {
		t.Errorf("%s", r.Body)
	}
}

// TestRunsSearch: the text of a search becomes an address of its own, which the field
// shows as a text again; label and name select by what the registry knows of the jobs.
func TestRunsSearch(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	location := func(path string) string {
		r := b.As(t, auth.RoleGuest, http.MethodGet, path, nil)
		consoletest.WantStatus(t, r, http.StatusSeeOther)
		return r.Header.Get("Location")
	}
	at := location("/runs?last=7d&q=state%3Afailed+trigger%3Aapi+purple%3Ared+job%3Ainvoices")
	if at != "/runs?job=invoices&last=7d&q=purple%3Ared&state=failed&trigger=api" {
		t.Fatalf("leads to %q", at)
	}
	doc := b.As(t, auth.RoleGuest, http.MethodGet, at, nil).Doc(t)
	if text := doc.Find(`[data-testid="search"] input[name=q]`).AttrOr("value", ""); text != "job:invoices state:failed trigger:api purple:red" {
		t.Errorf("shown as %q", text)
	}
	if hint := doc.Find(`[data-testid="query-hint"]`).Text(); !strings.Contains(hint, "purple: is no filter (use job:") {
		t.Errorf("hint %q", hint)
	}
	if last := doc.Find(`[data-testid="search"] input[name=last]`).AttrOr("value", ""); last != "7d" || doc.Find(`#search-more option`).Length() < 5 {
		t.Errorf("the search goes on with %q", last)
	}
	if at := location("/runs?q=voice"); at != "/runs?name=voice" {
		t.Fatalf("leads to %q", at)
	}
	doc = b.As(t, auth.RoleGuest, http.MethodGet, "/runs?name=voice", nil).Doc(t)
	f := b.History.RunFilters[len(b.History.RunFilters)-1]
	if len(f.Jobs) != 1 || f.Jobs[0] != "invoices" || f.JobPrefix != "" {
		t.Errorf("by a part of the name: %+v", f)
	}
	if href := doc.Find(`.facet:contains("Failed")`).AttrOr("href", ""); href != "/runs?name=voice&state=failed" {
		t.Errorf("the facet leads to %q", href)
	}
	if export := doc.Find(`[data-testid="export-csv"]`).AttrOr("href", ""); !strings.Contains(export, "name=voice") {
		t.Errorf("the export is %q", export)
	}
	b.As(t, auth.RoleGuest, http.MethodGet, "/runs?name=old-job", nil)
	if f := b.History.RunFilters[len(b.History.RunFilters)-1]; f.Jobs != nil || f.JobPrefix != "old-job" {
		t.Errorf("a job that no longer exists: %+v", f)
	}
	b.As(t, auth.RoleGuest, http.MethodGet, "/runs?label=nobody-has-it", nil)
	if f := b.History.RunFilters[len(b.History.RunFilters)-1]; f.Jobs == nil || len(f.Jobs) != 0 {
		t.Errorf("a label that no job has: %+v", f)
	}
}
