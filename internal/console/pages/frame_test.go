package pages

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

func labels(s *goquery.Selection) []string {
	return s.Map(func(_ int, a *goquery.Selection) string {
		a = a.Clone()
		a.Find(".nav-badge").Remove()
		return strings.TrimSpace(a.Text())
	})
}

// TestFrame: the areas of each role, at the side and at the bottom, and the head of
// each page.
func TestFrame(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, c := range []struct {
		role    auth.Role
		path    string
		areas   []string
		current string
		crumbs  []string
		heading string
	}{
		{auth.RoleRoot, "/", []string{"Overview", "Jobs", "Runs", "Fleet", "Cloud", "Audit log", "Settings"}, "Overview", nil, "Overview"},
		{auth.RoleGuest, "/servers", []string{"Overview", "Jobs", "Runs", "Fleet", "Cloud", "Settings"}, "Fleet", nil, "Fleet"},
		{auth.RoleRoot, "/jobs/invoices", []string{"Overview", "Jobs", "Runs", "Fleet", "Cloud", "Audit log", "Settings"}, "Jobs", []string{"Jobs"}, "invoices"},
		{auth.RoleRoot, "/jobs/invoices/shutdown", []string{"Overview", "Jobs", "Runs", "Fleet", "Cloud", "Audit log", "Settings"}, "Jobs", []string{"Jobs", "invoices"}, "Stop the instances of invoices?"},
		{auth.RoleRoot, "/registries/billing/remove", []string{"Overview", "Jobs", "Runs", "Fleet", "Cloud", "Audit log", "Settings"}, "Settings", []string{"Registries"}, "Remove billing?"},
	} {
		doc := b.As(t, c.role, http.MethodGet, c.path, nil).Doc(t)
		if diff := cmp.Diff(c.areas, labels(doc.Find(".side .nav a"))); diff != "" {
			t.Errorf("%s as %s: areas (-want +got):\n%s", c.path, c.role, diff)
		}
		if diff := cmp.Diff([]string{"Overview", "Jobs", "Runs", "Fleet", "More"}, labels(doc.Find(".tabbar a"))); diff != "" {
			t.Errorf("%s as %s: the bar at the bottom (-want +got):\n%s", c.path, c.role, diff)
		}
		if got := labels(doc.Find(`.side .nav a[aria-current="page"]`)); len(got) != 1 || got[0] != c.current {
			t.Errorf("%s: the area is %q, want %s", c.path, got, c.current)
		}
		if got := labels(doc.Find(".crumbs a")); len(got) != len(c.crumbs) || strings.Join(got, "/") != strings.Join(c.crumbs, "/") {
			t.Errorf("%s: crumbs %q, want %q", c.path, got, c.crumbs)
		}
		if got := labels(doc.Find("h1")); len(got) != 1 || got[0] != c.heading {
			t.Errorf("%s: headed %q, want %s", c.path, got, c.heading)
		}
	}
}

// TestDataAge: a page says when it was read, and during an outage of when its
// snapshot is, and that nothing can be changed.
func TestDataAge(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.Memory = o.Jobs })
	if got := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil).Text(t, "age"); !strings.Contains(got, "Read at") || !strings.Contains(got, "12:00:07 UTC") {
		t.Errorf("age %q", got)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Health.State, f.Health.Since = app.RegistrySuspended, consoletest.Noon.Add(-time.Minute)
	})
	if got := b.As(t, auth.RoleGuest, http.MethodGet, "/executions", nil).Text(t, "age"); !strings.Contains(got, "Read at") {
		t.Errorf("what the database says is current, and its age is %q", got)
	}
	page := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil)
	if got := page.Text(t, "age"); !strings.Contains(got, "Snapshot of ") || !strings.Contains(got, "read-only") {
		t.Errorf("during an outage: age %q", got)
	}
	for _, path := range []string{"/jobs", "/jobs/invoices", "/", "/servers"} {
		doc := b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t)
		if n := doc.Find(`main form[method="post"] button:not([disabled]), .actions form button:not([disabled]), [data-countdown]`).Length(); n > 0 {
			t.Errorf("%s: %d things count down or can be pressed", path, n)
		}
		if doc.Find("button[disabled]").Length() == 0 && strings.HasPrefix(path, "/jobs") {
			t.Errorf("%s: the actions are not shown", path)
		}
	}
	if page.Doc(t).Find(`[data-testid="outage"] a`).Length() != 1 {
		t.Error("the banner has no way to try now")
	}
}

// TestNavigationCountsFailingJobs: as many as the view of failing jobs has, beside
// Jobs at the side and at the bottom, and nothing where none fails.
func TestNavigationCountsFailingJobs(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil)
	badges := r.Doc(t).Find(`[data-testid="nav-badge"]`)
	count := consoletest.Words(r.Doc(t).Find(`[data-testid="tab-failing"] b`))
	if count == "" || count == "0" || badges.Length() != 2 || badges.First().Find("[aria-hidden]").Text() != count {
		t.Errorf("%d badges, %q; %q jobs fail", badges.Length(), consoletest.Words(badges.First()), count)
	}
	if tabs := r.Doc(t).Find(".tabbar a").Length(); tabs != 5 {
		t.Errorf("%d entries at the bottom of a phone", tabs)
	}
	calm := consoletest.New(t)
	calm.History.Mu.Lock()
	calm.History.Rows, calm.History.OldRuns = nil, nil
	calm.History.Mu.Unlock()
	if n := calm.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil).Doc(t).Find(`[data-testid="nav-badge"]`).Length(); n != 0 {
		t.Errorf("%d badges without a failure", n)
	}
}
