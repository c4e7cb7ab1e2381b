package bulk_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/jobs/bulk"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// askBulkPage opens the page of an action on several jobs.
func askBulkPage(t *testing.T, b *consoletest.Bench, query string) consoletest.Reply {
	t.Helper()
	r := b.As(t, auth.RoleRoot, http.MethodGet, pageui.BulkRoute+"?"+query, nil)
	consoletest.WantStatus(t, r, http.StatusOK)
	return r
}

// TestBulkAsksFirst: the page says of each job what would happen and why not, and
// what the form sends is what would change.
func TestBulkAsksFirst(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := askBulkPage(t, b, "do=disable&job=invoices&job=mail-digest&job=nope&job=reindex&job=invoices&return=/jobs%3Fstate%3Dfailing")
	if got := r.Text(t, "bulk-counts"); got != "2 will be disabled 1 is disabled already 1 cannot be 5 server entries are written" {
		t.Errorf("counts %q", got)
	}
	rows := r.Doc(t).Find(`[data-testid="bulk-rows"] tbody tr`).Map(func(_ int, s *goquery.Selection) string { return consoletest.Words(s) })
	want := []string{"invoices Disable on 3 servers", "mail-digest Skip disabled already", `nope Not possible There is no job "nope".`, "reindex Disable on 2 servers"}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	form := consoletest.FormOf(r.Doc(t).Find(`[data-testid="bulk-form"]`))
	if diff := cmp.Diff([]string{"invoices", "reindex"}, form["job"]); diff != "" {
		t.Errorf("the form sends (-want +got):\n%s", diff)
	}
	if curl := r.Text(t, "curl"); !strings.Contains(curl, `"order":"disable","jobs":["invoices","reindex"],"preview":false`) || !strings.Contains(curl, "$TOKEN") {
		t.Errorf("curl %q", curl)
	}
	if len(b.Registry.Given()) > 0 {
		t.Fatalf("asking did %q", b.Registry.Given())
	}

	// Without a reason the page comes again, with a field to write it.
	again := b.As(t, auth.RoleRoot, http.MethodPost, pageui.BulkRoute, form)
	consoletest.WantStatus(t, again, http.StatusUnprocessableEntity)
	if got := again.Text(t, "bulk-error"); !strings.HasPrefix(got, "Write a reason.") {
		t.Errorf("without a reason: %q", got)
	}
	form.Set("reason", strings.Repeat("原", app.MaxReason+1))
	again = b.As(t, auth.RoleRoot, http.MethodPost, pageui.BulkRoute, form)
	consoletest.WantStatus(t, again, http.StatusUnprocessableEntity)
	if got := again.Doc(t).Find(`[data-testid="bulk-reason"]`).AttrOr("value", ""); got != form.Get("reason") {
		t.Errorf("what was typed is lost: %q", got)
	}
	if len(b.Registry.Given()) > 0 {
		t.Fatalf("a refused form did %q", b.Registry.Given())
	}

	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Outcome = lifecycle.Outcome{Affected: []string{"10.2.0.14"}} })
	form.Set("reason", " INC-4821 ")
	location, after := b.Follow(t, pageui.BulkRoute, form)
	if location != "/jobs?state=failing" || after.Text(t, "flash") != "Disabled 2 jobs. Undo Result" {
		t.Errorf("to %q with %q", location, after.Text(t, "flash"))
	}
	if diff := cmp.Diff([]string{"disable invoices", "disable reindex"}, b.Registry.Given()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	if detail := b.LastRecord(t).Detail; !strings.HasSuffix(detail, "reason=INC-4821") {
		t.Errorf("the audit says %q", detail)
	}
}

// TestBulkOfAView: all jobs of a view are selected by the server, at most as many
// as one action is about.
func TestBulkOfAView(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	list := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs?state=disabled", nil).Doc(t)
	href := list.Find(`[data-testid="select-all"]`).AttrOr("href", "")
	chosen := b.As(t, auth.RoleRoot, http.MethodGet, href, nil).Doc(t)
	if n := chosen.Find(`.sel input[checked]`).Length(); n != 1 {
		t.Errorf("%s selects %d rows", href, n)
	}
	bar := chosen.Find(`[data-testid="bulk-bar"]`)
	form := consoletest.FormOf(bar)
	form.Set("do", "enable")
	r := askBulkPage(t, b, form.Encode())
	if got := r.Text(t, "bulk-counts"); got != "1 will be enabled 3 server entries are written" {
		t.Errorf("counts %q of %s", got, form.Encode())
	}

	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		for i := range app.MostAtOnce {
			j := f.List[0]
			j.Name += strings.Repeat("x", i+1)
			f.List = append(f.List, j)
		}
	})
	r = askBulkPage(t, b, "do=trigger&all=1&q=invoices")
	if got := r.Text(t, "bulk-too-many"); !strings.HasPrefix(got, "201 jobs are selected") {
		t.Errorf("of more than are taken: %q", got)
	}
	if n := len(consoletest.FormOf(r.Doc(t).Find(`[data-testid="bulk-form"]`))["job"]); n != app.MostAtOnce {
		t.Errorf("the form sends %d jobs", n)
	}
}

// TestBulkBadInput: what cannot be is said, and changes nothing.
func TestBulkBadInput(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	if got := askBulkPage(t, b, "do=disable").Text(t, "bulk-none"); !strings.HasPrefix(got, "No job is selected.") {
		t.Errorf("without a job: %q", got)
	}
	if got := askBulkPage(t, b, "do=enable&job=invoices").Text(t, "bulk-nothing"); !strings.HasPrefix(got, "There is nothing to do") {
		t.Errorf("nothing to do: %q", got)
	}
	for _, form := range []url.Values{{"do": {"explode"}, "job": {"invoices"}}, {"do": {"remove"}, "job": {"invoices"}}, {"do": {"trigger"}}, {"job": {"invoices"}}} {
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, pageui.BulkRoute, form), http.StatusUnprocessableEntity)
	}
	if got := b.Registry.Given(); len(got) > 0 {
		t.Errorf("actions %q", got)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, pageui.BulkRoute+"?do=disable&job=invoices", nil), http.StatusForbidden)
	if location, _ := b.Follow(t, pageui.BulkRoute, url.Values{"do": {"trigger"}, "job": {"invoices"}, "return": {"https://evil.example"}}); location != "/" {
		t.Errorf("leads to %q", location)
	}
}

// TestExportOfJobs: the configurations as they are stored, for a guest without
// secrets.
func TestExportOfJobs(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for role, secret := range map[auth.Role]bool{auth.RoleRoot: true, auth.RoleGuest: false} {
		r := b.As(t, role, http.MethodGet, bulk.ExportRoute+"?job=invoices&job=nope&job=a/b", nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		if strings.Contains(r.Body, "s3cret-Canary-9") != secret {
			t.Errorf("%s: %s", role, r.Body)
		}
		if !strings.Contains(r.Body, "jobName: invoices") || !strings.Contains(r.Body, `# "nope": There is no job`) || !strings.Contains(r.Header.Get("Content-Disposition"), "jobs.yaml") {
			t.Errorf("%s: %s", role, r.Body)
		}
	}
}

// TestReservedNamesOfJobs: a job that is called as a page is has a page of its own.
func TestReservedNamesOfJobs(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.List = slices.Clone(f.List)
		f.List[0].Name, f.List[1].Name = "bulk", "export"
	})
	for _, name := range []string{"bulk", "export"} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, app.JobPath("/jobs", name), nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		if got := r.Doc(t).Find("h1").Text(); got != name {
			t.Errorf("the page of %s is headed %q", name, got)
		}
	}
}
