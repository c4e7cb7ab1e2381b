package pages

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestRerunAsksTheOwners: the page says in numbers which instances are asked and what
// else runs there, and triggers those alone.
func TestRerunAsksTheOwners(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.List[0].Shards[1].Disabled = true
		f.List[0].Shards[0].Status, f.List[0].Shards[0].RunningOn = statistics.ShardRunning, f.List[0].Shards[0].Instance
		f.Outcome.Affected = []string{f.List[0].Shards[0].Instance}
	})
	ask := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/rerun?item=0&item=1&item=77&run=at-1", nil)
	consoletest.WantStatus(t, ask, http.StatusOK)
	if got := ask.Doc(t).Find("h1").Text(); got != "Run 3 shards of invoices again?" {
		t.Errorf("heading %q", got)
	}
	for _, want := range []string{"1 instance is asked", "1 shard runs as asked", "2 shards cannot run"} {
		if got := ask.Text(t, "bulk-counts"); !strings.Contains(got, want) {
			t.Errorf("counts %q, want %q", got, want)
		}
	}
	for _, want := range []string{"10.2.0.14@-@2211", "it is running now", "Shard 1", "the shard is disabled", "Shard 77", "no such shard any more"} {
		if got := ask.Text(t, "bulk-rows"); !strings.Contains(got, want) {
			t.Errorf("rows %q, want %q", got, want)
		}
	}
	if got := ask.Doc(t).Find(".effects").Text(); !strings.Contains(got, "The slowest of these shards usually takes ") {
		t.Errorf("effects %q", got)
	}
	if got := ask.Text(t, "curl"); !strings.Contains(got, `/api/jobs/invoices/trigger`) || !strings.Contains(got, `{"instances":["10.2.0.14@-@2211"]}`) {
		t.Errorf("curl %q", got)
	}
	if len(b.Registry.Given()) > 0 {
		t.Fatalf("asking did %q", b.Registry.Given())
	}
	form := formOf(ask.Doc(t).Find(`[data-testid="bulk-form"]`))
	form.Set("reason", "INC-4821")
	location, after := b.Follow(t, "/jobs/invoices/rerun", form)
	if got := after.Text(t, "flash"); location != "/runs?job=invoices" || !strings.HasPrefix(got, "Asked 10.2.0.14@-@2211 to run invoices.") {
		t.Errorf("to %q with %q", location, got)
	}
	if r := b.LastRecord(t); r.Target != "invoices" || !strings.Contains(r.Detail, "instances=10.2.0.14@-@2211 shards=0,1,77 reason=INC-4821") {
		t.Errorf("the audit says %q of %q", r.Detail, r.Target)
	}
	if _, twice := b.Follow(t, "/jobs/invoices/rerun", form); !strings.HasPrefix(twice.Text(t, "flash"), "The form was sent twice") {
		t.Errorf("sent twice: %q", twice.Text(t, "flash"))
	}
	if diff := cmp.Diff([]string{"trigger invoices at 10.2.0.14@-@2211"}, b.Registry.Given()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

// TestRerunOfShardsThatMoved: a page that was looked at before the shards moved
// triggers nothing, and shows who owns them now.
func TestRerunOfShardsThatMoved(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	form := formOf(b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/rerun?item=0", nil).Doc(t).Find(`[data-testid="bulk-form"]`))
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.List[0].Shards[0].Instance = "10.2.0.16@-@40551" })
	again := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/rerun", form)
	consoletest.WantStatus(t, again, http.StatusUnprocessableEntity)
	if got := again.Text(t, "rerun-moved"); !strings.HasPrefix(got, "The shards have moved since") || len(b.Registry.Given()) > 0 {
		t.Errorf("%q, %q", got, b.Registry.Given())
	}
	next := formOf(again.Doc(t).Find(`[data-testid="bulk-form"]`))
	if got := next.Get("instance"); got != "10.2.0.16@-@40551" || next.Get("once") == form.Get("once") {
		t.Errorf("the form names %q, and is %q", got, next.Get("once"))
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.List[0].Instances = nil })
	if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/rerun?item=0", nil).Text(t, "bulk-nothing"); !strings.Contains(got, "There is nothing to do") {
		t.Errorf("without instances: %q", got)
	}
}

// TestRerunFromARun: root finds the shards that failed on the page of the run, a
// guest does not.
func TestRerunFromARun(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, steps := theRun()
	b.History.Rows, b.History.Steps = append(rows, b.History.Rows...), steps
	path := "/jobs/invoices/runs/" + rows[0].RunID
	doc := b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t)
	failed := doc.Find(`[data-testid="rerun-failed"]`)
	if got := consoletest.Words(failed); got != "Run 2 failed shards again…" {
		t.Errorf("button %q", got)
	}
	if got, want := failed.AttrOr("href", ""), "/jobs/invoices/rerun?item=2&item=5&run="+rows[0].RunID; got != want {
		t.Errorf("leads to %q, want %q", got, want)
	}
	if got := consoletest.Words(doc.Find(`[data-testid="rerun"]`)); got != "Run shard 5 again…" {
		t.Errorf("button of the shard %q", got)
	}
	guest := b.As(t, auth.RoleGuest, http.MethodGet, path, nil).Doc(t)
	if n := guest.Find(`[data-testid="rerun"], [data-testid="rerun-failed"]`).Length(); n > 0 {
		t.Errorf("a guest sees %d buttons", n)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/rerun?item=0", nil), http.StatusForbidden)
}
