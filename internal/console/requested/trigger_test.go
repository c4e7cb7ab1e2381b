package requested

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestRerunAsksTheOwners: the page says in numbers which instances are asked and what
// else runs there, and triggers those alone.
func TestRerunAsksTheOwners(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(consoletest.JavaAgents)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.List[0].Shards[1].Disabled = true
		f.List[0].Shards[0].Status, f.List[0].Shards[0].RunningOn = statistics.ShardRunning, f.List[0].Shards[0].Instance
		f.Outcome.Affected = []string{f.List[0].Shards[0].Instance}
	})
	ask := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/run?item=0&item=1&item=77&run=at-1", nil)
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
	form := consoletest.Fields(t, ask, "bulk-form")
	form.Set("reason", "INC-4821")
	location, after := b.Follow(t, "/jobs/invoices/trigger", form)
	if got := after.Text(t, "flash"); location != "/runs?job=invoices" || !strings.HasPrefix(got, "Asked 10.2.0.14@-@2211 to run invoices.") {
		t.Errorf("to %q with %q", location, got)
	}
	if r := b.LastRecord(t); r.Target != "invoices" || !strings.Contains(r.Detail, "instances=10.2.0.14@-@2211 shards=0,1,77 reason=INC-4821") {
		t.Errorf("the audit says %q of %q", r.Detail, r.Target)
	}
	if _, twice := b.Follow(t, "/jobs/invoices/trigger", form); !strings.HasPrefix(twice.Text(t, "flash"), "The form was sent twice") {
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
	b.Registry.Set(consoletest.JavaAgents)
	form := consoletest.Fields(t, b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/run?item=0", nil), "bulk-form")
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.List[0].Shards[0].Instance = "10.2.0.16@-@40551" })
	again := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", form)
	consoletest.WantStatus(t, again, http.StatusUnprocessableEntity)
	if got := again.Text(t, "rerun-moved"); !strings.HasPrefix(got, "The shards have moved since") || len(b.Registry.Given()) > 0 {
		t.Errorf("%q, %q", got, b.Registry.Given())
	}
	next := consoletest.Fields(t, again, "bulk-form")
	if got := next.Get("instance"); got != "10.2.0.16@-@40551" || next.Get("once") == form.Get("once") {
		t.Errorf("the form names %q, and is %q", got, next.Get("once"))
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		for i := range f.List[0].Instances {
			f.List[0].Instances[i].Enabled = false
		}
	})
	if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/run?item=0", nil).Text(t, "bulk-nothing"); !strings.Contains(got, "There is nothing to do") {
		t.Errorf("without an enabled instance: %q", got)
	}
}

// TestW25TheDialogShowsTheRun: the page that asks lists the shards by instance, with those that are
// disabled, running or held, takes the shards and parameters, and its answer leads to the run.
func TestW25TheDialogShowsTheRun(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	takes(b, "invoices", `{"type":"object","required":["day"],"properties":{"day":{"type":"string"}}}`)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		job := &f.List[0]
		job.Shards[1].Disabled, job.Shards[1].Status = true, statistics.ShardDisabled
		job.Shards[0].Status, job.Shards[0].RunningOn = statistics.ShardRunning, job.Shards[0].Instance
		job.Job.RunningShards = 1
		job.Held = jobrun.Hold{What: jobrun.HeldSchedule, By: "ann", At: consoletest.Noon}
	})
	ask := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/run?item=0&item=1&item=2", nil)
	consoletest.WantStatus(t, ask, http.StatusOK)
	where := ask.Doc(t).Find(`[data-testid="run-where"]`)
	if got := consoletest.Words(where); !strings.Contains(got, "10.2.0.14@-@2211 0 Running") || !strings.Contains(got, "1 Disabled") {
		t.Errorf("shards by instance: %s", got)
	}
	chosen := where.Find("input[checked]").Map(func(_ int, box *goquery.Selection) string { return box.AttrOr("value", "") })
	if diff := cmp.Diff([]string{"0", "2"}, chosen); diff != "" {
		t.Errorf("chosen shards (-want +got):\n%s", diff)
	}
	for id, want := range map[string]string{"run-held": "This run begins anyway.", "run-running": "1 shard is running now.", "run-effects": "usually takes"} {
		if got := ask.Text(t, id); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	if len(b.Registry.Given()) > 0 {
		t.Fatalf("the page that asks did %q", b.Registry.Given())
	}
	form := consoletest.Fields(t, ask, "request-form")
	refused := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/requested-runs", form)
	consoletest.WantStatus(t, refused, http.StatusUnprocessableEntity) // the schema requires a day
	form.Set("p.day", "monday")
	location, run := b.Follow(t, "/jobs/invoices/requested-runs", form)
	if !strings.HasPrefix(location, "/jobs/invoices/requested-runs/0") || !strings.Contains(run.Text(t, "requested-params"), "monday") {
		t.Errorf("the answer leads to %q: %s", location, run.Text(t, "requested-params"))
	}
}

// TestW25TheDialogExplainsAWait: without instances, or disabled, the page explains why the run will
// wait; agents that only know triggers can't run a disabled job.
func TestW25TheDialogExplainsAWait(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	ask := func(job, id string) string {
		return b.As(t, auth.RoleRoot, http.MethodGet, pageui.AskRunPath(job), nil).Text(t, id)
	}
	if got := ask("warehouse-sync", "run-nobody"); !strings.Contains(got, "waits until one comes") {
		t.Errorf("without instances: %q", got)
	}
	if got := ask("mail-digest", "run-disabled"); !strings.Contains(got, "waits until a server is enabled") {
		t.Errorf("disabled: %q", got)
	}
	b.Registry.Set(consoletest.JavaAgents)
	if got := ask("mail-digest", "bulk-nothing"); got == "" {
		t.Error("a trigger of a disabled job is offered")
	}
	page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/run", nil)
	if got := page.Text(t, "bulk-rows"); !strings.Contains(got, "10.2.0.14@-@2211") || page.Doc(t).Find(`form[action="/jobs/invoices/trigger"] [data-confirm]`).Length() != 1 {
		t.Errorf("Java agents: %q", got)
	}
}

// TestW25EveryRunAsks: the job list, the job's page and the palette only have links to the page that
// asks, and no button that runs, enables or disables a job at once.
func TestW25EveryRunAsks(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, path := range []string{"/jobs", "/jobs/invoices", "/jobs/geo-update", "/jobs/mail-digest", "/search?q=invoices", "/", "/jobs/invoices/shards", "/jobs/invoices/explain"} {
		doc := b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t)
		if path != "/" && path != "/jobs/invoices/shards" && doc.Find(`a[href$="/run"]`).Length() == 0 {
			t.Errorf("%s: no way to run the job", path)
		}
		doc.Find("form[method=post]").Each(func(_ int, form *goquery.Selection) {
			to := form.AttrOr("action", "") + form.Find("[formaction]").AttrOr("formaction", "")
			if strings.HasPrefix(to, "/jobs/") && !strings.Contains(to, "/bulk/") {
				t.Errorf("%s: a button acts at once: %s", path, to)
			}
		})
	}
}
