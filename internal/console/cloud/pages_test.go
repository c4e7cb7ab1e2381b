package cloud

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// confirmedForm is a form whose question was answered, with more fields.
func confirmedForm(fields ...string) url.Values {
	form := url.Values{"confirm": {"yes"}, ui.FormField: {ui.NewFormID()}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return form
}

// TestCloudRunsOnPages: a run is in the list, on a page of its own, and each of its shards
// with what its process wrote.
func TestCloudRunsOnPages(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	list := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud/runs", nil)
	consoletest.WantStatus(t, list, http.StatusOK)
	to := list.Doc(t).Find(`[data-testid="to-run"]`)
	if href := to.AttrOr("href", ""); to.Length() != 1 || href != "/cloud/runs/"+consoletest.SampleRun {
		t.Fatalf("the list has %d runs, the first at %q", to.Length(), href)
	}
	page := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud/runs/"+consoletest.SampleRun, nil)
	consoletest.WantStatus(t, page, http.StatusOK)
	lanes := page.Doc(t).Find(`[data-testid="lane"]`)
	if lanes.Length() != 3 || page.Text(t, "run-state") != "Running" || !strings.Contains(page.Text(t, "cloud-facts"), "billing") {
		t.Errorf("the run has %d lanes, is %q, and its facts are %q", lanes.Length(), page.Text(t, "run-state"), page.Text(t, "cloud-facts"))
	}
	if page.Doc(t).Find(`[data-testid="actions"]`).Length() > 0 {
		t.Error("a guest is offered what only operators may do")
	}
	shard := b.As(t, auth.RoleGuest, http.MethodGet, cloudui.ShardPath(consoletest.SampleRun, 2), nil)
	consoletest.WantStatus(t, shard, http.StatusOK)
	const wrote = "shard 2 of "
	if got := shard.Text(t, "log-text"); got != wrote+consoletest.SampleRun {
		t.Errorf("the log is %q", got)
	}
	file := b.As(t, auth.RoleGuest, http.MethodGet, shard.Doc(t).Find(`[data-testid="log-download"]`).AttrOr("href", ""), nil)
	consoletest.WantStatus(t, file, http.StatusOK)
	if file.Body != wrote+consoletest.SampleRun+"\n" || !strings.Contains(file.Header.Get("Content-Disposition"), consoletest.SampleRun+"-2-1.log") {
		t.Errorf("the file %q is %q", file.Header.Get("Content-Disposition"), file.Body)
	}
}

// triedAgain is a run of which a shard has two attempts.
type triedAgain struct{ app.CloudSeen }

func (s triedAgain) FindRun(name string) (cloud.RunStatus, []cloud.Task, bool) {
	run, tasks, there := s.CloudSeen.FindRun(name)
	for i := range tasks {
		if second := &tasks[i]; second.Shard == 1 {
			first := *second
			first.UID, first.State, first.Ended, first.Message = "uid-first", tracing.StateFailed, consoletest.Noon, "exit code 1\nno such price <list>"
			second.Attempt = 2
			return run, append(tasks, first), there
		}
	}
	return run, tasks, there
}

// TestCloudShardTriedAgain: a shard that failed has an attempt for each process, and the log
// of each can be read.
func TestCloudShardTriedAgain(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.Cloud.Seen = triedAgain{o.Cloud.Seen} })
	page := b.As(t, auth.RoleRoot, http.MethodGet, cloudui.ShardPath(consoletest.SampleRun, 1), nil)
	consoletest.WantStatus(t, page, http.StatusOK)
	if rows := page.Doc(t).Find(`[data-testid="attempts"] tbody tr`); rows.Length() != 2 || !strings.Contains(rows.First().Text(), "no such price <list>") {
		t.Errorf("attempts: %q", page.Text(t, "attempts"))
	}
	first := b.As(t, auth.RoleRoot, http.MethodGet, cloudui.ShardPath(consoletest.SampleRun, 1)+"?attempt=1", nil)
	if got := first.Doc(t).Find(`[data-testid="to-attempt"][aria-current]`).Text(); got != "1" {
		t.Errorf("shown is attempt %q, want 1", got)
	}
	if hint := b.As(t, auth.RoleRoot, http.MethodGet, cloudui.ShardPath(consoletest.SampleRun, 1)+"?attempt=9", nil).Text(t, "query-hint"); !strings.Contains(hint, "9") {
		t.Errorf("an attempt that there is not: %q", hint)
	}
	for _, path := range []string{cloudui.ShardPath(consoletest.SampleRun, 3), cloudui.Path("runs", consoletest.SampleRun, "items", "-1"), cloudui.Path("runs", "nope"), cloudui.ShardPath(consoletest.SampleRun, 1) + "/log" + "?attempt=9"} {
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, path, nil), http.StatusNotFound)
	}
}

// TestCloudRunsAreNarrowed: by state and by job, with the number of each.
func TestCloudRunsAreNarrowed(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for path, want := range map[string]int{"": 1, "?state=running": 1, "?state=failed": 0, "?job=invoices": 1, "?job=other": 0, "?state=purple": 1} {
		page := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud/runs"+path, nil)
		if got := page.Doc(t).Find(`[data-testid="run"]`).Length(); got != want {
			t.Errorf("%q lists %d runs, want %d", path, got, want)
		}
		if none := page.Doc(t).Find(`[data-testid="cloud-runs-empty"]`).Length(); (none == 1) != (want == 0) {
			t.Errorf("%q: %d empty states", path, none)
		}
	}
}

// TestCloudRunIsSuspendedResumedAndKilled: by an operator alone, the last only once it was
// confirmed, and all of it is in the audit.
func TestCloudRunIsSuspendedResumedAndKilled(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	run := cloudui.Path("runs", consoletest.SampleRun)
	state := func() cloud.RunState {
		r, _, _ := b.Cloud.FindRun(consoletest.SampleRun)
		return r.State
	}
	for _, verb := range []string{"suspend", "resume", "kill"} {
		consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, run+"/"+verb, confirmedForm()), http.StatusForbidden)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, run+"/suspend", confirmedForm()), http.StatusSeeOther)
	if got := state(); got != cloud.RunSuspended {
		t.Errorf("the run is %s, want suspended", got)
	}
	if page := b.As(t, auth.RoleRoot, http.MethodGet, run, nil); page.Doc(t).Find(`[data-testid="resume-run"]`).Length() != 1 {
		t.Error("a suspended run cannot be resumed on its page")
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, run+"/resume", confirmedForm()), http.StatusSeeOther)
	if got := state(); got == cloud.RunSuspended {
		t.Error("the run is still suspended")
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, run+"/kill", url.Values{}), http.StatusUnprocessableEntity)
	if got := state(); got.Ended() {
		t.Fatalf("the run is %s, and nobody confirmed", got)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, run+"/kill", confirmedForm()), http.StatusSeeOther)
	if r, tasks, _ := b.Cloud.FindRun(consoletest.SampleRun); r.State != cloud.RunKilled || !strings.Contains(tasks[0].Message, "root") {
		t.Errorf("the run is %s, its tasks are %+v", r.State, tasks)
	}
	if again := b.As(t, auth.RoleRoot, http.MethodGet, run+"/kill", nil); !strings.Contains(again.Text(t, "confirm-refused"), "ended already") {
		t.Errorf("a run that has ended: %q", again.Text(t, "confirm-refused"))
	}
	audit := b.As(t, auth.RoleRoot, http.MethodGet, "/audit", nil).Doc(t).Find("main").Text()
	for _, want := range []string{"killed a run", "suspended a run", "resumed a run"} {
		if !strings.Contains(strings.ToLower(audit), want) {
			t.Errorf("the audit has no %q:\n%s", want, consoletest.Fold(audit))
		}
	}
}

// TestCloudLargeRunOnOneScreen: of a thousand shards all states are drawn, and only those
// have a lane that want a look.
func TestCloudLargeRunOnOneScreen(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	job := cloud.NewJob("invoices", "billing", 1000)
	run := cloud.Run{Name: cloud.RunName("invoices", consoletest.Noon), Job: job, App: cloud.NewApp("billing"), Fire: consoletest.Noon, Origin: cloud.OriginCron}
	if _, err := b.Cloud.Engine.Launch(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	for shard := range 1000 {
		state := tracing.StateFinished
		if shard == 700 {
			state = tracing.StateFailed
		}
		b.Cloud.Engine.Finish(run.Name, shard, state, "")
	}
	page := b.As(t, auth.RoleGuest, http.MethodGet, cloudui.Path("runs", run.Name), nil)
	consoletest.WantStatus(t, page, http.StatusOK)
	doc := page.Doc(t)
	rows := doc.Find(`[data-testid="cells-row"]`)
	if rows.Length() != 2 || !strings.Contains(rows.First().Text(), "700") || !strings.Contains(rows.Last().Text(), "0–699, 701–999") {
		t.Errorf("cells: %q", consoletest.Fold(rows.Text()))
	}
	if lanes := doc.Find(`[data-testid="lane"]`).Length(); lanes < pageui.SlowestLanes || lanes > pageui.MostLanes {
		t.Errorf("%d lanes", lanes)
	}
	if len(page.Body) > 200_000 {
		t.Errorf("the page has %d bytes", len(page.Body))
	}
}

// TestCloudPagesWhileItIsAway: what was reported last is shown, as such.
func TestCloudPagesWhileItIsAway(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Cloud.Fail(context.DeadlineExceeded)
	page := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud/runs", nil)
	consoletest.WantStatus(t, page, http.StatusOK)
	if page.Doc(t).Find(`[data-testid="cloud-away"]`).Length() != 1 || page.Doc(t).Find(`[data-testid="run"]`).Length() != 1 {
		t.Errorf("%s", consoletest.Fold(page.Doc(t).Find("main").Text()))
	}
	for _, path := range []string{cloudui.Path("runs", consoletest.SampleRun), cloudui.ShardPath(consoletest.SampleRun, 1)} {
		page := b.As(t, auth.RoleGuest, http.MethodGet, path, nil)
		consoletest.WantStatus(t, page, http.StatusOK)
		if page.Doc(t).Find(`[data-testid="cloud-away"]`).Length() != 1 {
			t.Errorf("%s does not say that it is old", path)
		}
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, cloudui.Path("runs", "nope"), nil), http.StatusServiceUnavailable)
}

// TestCloudPagesWithoutALeader: a console that cannot stand for election says why, and
// since when.
func TestCloudPagesWithoutALeader(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Cloud.Unelected.Store(true)
	page := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud", nil)
	consoletest.WantStatus(t, page, http.StatusOK)
	notice := consoletest.Fold(page.Doc(t).Find(`[data-testid="cloud-cannot-lead"]`).Text())
	if !strings.Contains(notice, "there is no space") || !strings.Contains(notice, "Since") {
		t.Errorf("the notice is %q", notice)
	}
}

// TestCloudOffHasNoPages: where it is off, nothing leads there, and its addresses say so.
func TestCloudOffHasNoPages(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.Cloud = nil })
	if n := b.As(t, auth.RoleRoot, http.MethodGet, "/", nil).Doc(t).Find(`a[href^="/cloud"]`).Length(); n > 0 {
		t.Errorf("%d links lead to it", n)
	}
	off := b.As(t, auth.RoleRoot, http.MethodGet, "/cloud/runs", nil)
	consoletest.WantStatus(t, off, http.StatusNotFound)
	if text := off.Text(t, "problem"); !strings.Contains(text, "off in this console") {
		t.Errorf("%q", text)
	}
}

// TestCloudTimesInWords: what has not begun has no duration.
func TestCloudTimesInWords(t *testing.T) {
	t.Parallel()
	if _, begun := (&call{now: consoletest.Noon}).took(time.Time{}, time.Time{}); begun {
		t.Error("what has not begun takes time")
	}
	if took, begun := (&call{now: consoletest.Noon}).took(consoletest.Noon, consoletest.Noon.Add(-time.Second)); took != 0 || !begun {
		t.Errorf("clocks that differ: %s", took)
	}
}

// TestCloudJobsOnPages: the list and the page of a job say when it fires and what ran; a
// guest is offered nothing to do and sees no secret.
func TestCloudJobsOnPages(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	list := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud/jobs", nil)
	consoletest.WantStatus(t, list, http.StatusOK)
	if row := list.Doc(t).Find(`[data-testid="cloud-job"]`); row.Length() != 1 || !strings.Contains(row.Text(), "invoices") || list.Text(t, "cloud-job-state") != "Active" {
		t.Errorf("the list says %q", list.Text(t, "cloud-jobs"))
	}
	if none := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud/jobs?state=failing", nil); none.Doc(t).Find(`[data-testid="cloud-jobs-empty"]`).Length() != 1 {
		t.Error("a state that no job has is not said to be empty")
	}
	page := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud/jobs/invoices", nil)
	consoletest.WantStatus(t, page, http.StatusOK)
	if fires := page.Doc(t).Find(`[data-testid="fires"] li`).Length(); fires != nextFires || !strings.Contains(page.Text(t, "cron-words"), "02:00") {
		t.Errorf("%d fire times of %q", fires, page.Text(t, "cron-words"))
	}
	if page.Doc(t).Find(`[data-testid="run"]`).Length() != 1 || page.Doc(t).Find(`[data-testid="trigger-job"]`).Length() > 0 {
		t.Errorf("a guest sees %s", consoletest.Fold(page.Doc(t).Find("main").Text()))
	}
	for _, path := range []string{"/cloud/apps", "/cloud/apps/billing"} {
		guest, root := b.As(t, auth.RoleGuest, http.MethodGet, path, nil), b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
		consoletest.WantStatus(t, guest, http.StatusOK)
		if strings.Contains(guest.Body, consoletest.CloudSecret) || !strings.Contains(guest.Body, "bill.sh") || strings.Contains(root.Body, consoletest.CloudSecret) != (path != "/cloud/apps") {
			t.Errorf("%s shows a guest %s", path, consoletest.Fold(guest.Doc(t).Find("main").Text()))
		}
	}
}

// TestCloudTriggerFromAPage: what is wrong stands beside its field, and a good request waits
// in the store with the parameters and who asked.
func TestCloudTriggerFromAPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	const trigger = "/cloud/jobs/invoices/trigger"
	for _, wrong := range []struct{ field, value string }{{"params", "[1]"}, {"params", "{"}, {"shards", "3"}, {"shards", "x"}} {
		page := b.As(t, auth.RoleRoot, http.MethodPost, trigger, url.Values{wrong.field: {wrong.value}})
		consoletest.WantStatus(t, page, http.StatusUnprocessableEntity)
		if page.Text(t, wrong.field+"-error") == "" || !strings.Contains(page.Body, wrong.value) {
			t.Errorf("%s=%s: %s", wrong.field, wrong.value, consoletest.Fold(page.Doc(t).Find("main").Text()))
		}
	}
	if d := b.Cloud.Jobs()[0]; len(d.Status.Requests) > 0 {
		t.Fatalf("a wrong form is a request: %+v", d.Status.Requests)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, trigger, url.Values{}), http.StatusForbidden)
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, trigger, url.Values{"params": {`{"month":"2026-10"}`}, "shards": {"0-1"}}), http.StatusSeeOther)
	asked := b.Cloud.Jobs()[0].Status.Requests
	if len(asked) != 1 || string(asked[0].Parameters) != `{"month":"2026-10"}` || len(asked[0].Shards) != 2 || asked[0].By != "root" {
		t.Errorf("the request is %+v", asked)
	}
}

// TestCloudIsDisabledEnabledAndRemoved: what becomes of runs is asked, what is deleted has to
// be named, and an application with jobs stays.
func TestCloudIsDisabledEnabledAndRemoved(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	post := func(path string, status int, fields ...string) consoletest.Reply {
		t.Helper()
		r := b.As(t, auth.RoleRoot, http.MethodPost, path, confirmedForm(fields...))
		consoletest.WantStatus(t, r, status)
		return r
	}
	post("/cloud/jobs/invoices/disable", http.StatusUnprocessableEntity, "running", "explode")
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/cloud/jobs/invoices/disable", url.Values{"running": {"kill"}}), http.StatusUnprocessableEntity)
	post("/cloud/jobs/invoices/disable", http.StatusSeeOther, "running", "suspend")
	if d := b.Cloud.Jobs()[0]; !d.Job.Disabled || d.Status.Running != cloud.EndSuspend {
		t.Errorf("the job is %+v", d)
	}
	page := b.As(t, auth.RoleRoot, http.MethodGet, "/cloud/jobs/invoices", nil)
	if page.Text(t, "job-state") != "Disabled" || page.Doc(t).Find(`[data-testid="enable-job"]`).Length() != 1 || page.Text(t, "fires-none") == "" {
		t.Errorf("the page says %s", consoletest.Fold(page.Doc(t).Find("main").Text()))
	}
	post("/cloud/jobs/invoices/enable", http.StatusSeeOther)
	post("/cloud/apps/billing/disable", http.StatusUnprocessableEntity)
	post("/cloud/apps/billing/disable", http.StatusSeeOther, "running", "finish")
	if page := b.As(t, auth.RoleRoot, http.MethodGet, "/cloud/jobs/invoices", nil); page.Text(t, "job-state") != "Disabled" {
		t.Errorf("with its app disabled the job is %q", page.Text(t, "job-state"))
	}
	post("/cloud/apps/billing/enable", http.StatusSeeOther)
	if page := b.As(t, auth.RoleRoot, http.MethodGet, "/cloud/apps/billing/remove", nil); !strings.Contains(page.Text(t, "confirm-refused"), "invoices") {
		t.Errorf("an app with a job: %q", page.Text(t, "confirm-refused"))
	}
	if page := post("/cloud/jobs/invoices/remove", http.StatusUnprocessableEntity, "name", "invoice"); page.Text(t, "confirm-error") == "" {
		t.Error("a wrong name is not named")
	}
	post("/cloud/jobs/invoices/remove", http.StatusSeeOther, "name", "invoices")
	post("/cloud/apps/billing/remove", http.StatusSeeOther, "name", "billing")
	if jobs, apps := b.Cloud.Jobs(), b.Cloud.Apps(); len(jobs) != 0 || len(apps) != 1 {
		t.Errorf("%d jobs and %d apps are left", len(jobs), len(apps))
	}
	if list := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud/jobs", nil); list.Doc(t).Find(`[data-testid="cloud-jobs-empty"]`).Length() != 1 {
		t.Error("no job at all is not said")
	}
}

// TestW41OverviewAndQueues: who schedules, how jobs and runs are, and what waits.
func TestW41OverviewAndQueues(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	page := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud", nil)
	consoletest.WantStatus(t, page, http.StatusOK)
	if facts := page.Text(t, "cloud-facts"); !strings.Contains(facts, "fake") || page.Doc(t).Find(`[data-testid="run"]`).Length() != 1 {
		t.Errorf("the overview says %s", consoletest.Fold(page.Doc(t).Find("main").Text()))
	}
	if _, err := (&service{Cloud: b.Console.Options().Cloud}).trigger(t.Context(), "invoices", cloud.Request{Key: "k", Asked: consoletest.Noon, By: "ann"}); err != nil {
		t.Fatal(err)
	}
	b.Cloud.Engine.SetTask(consoletest.SampleRun, 1, func(t *cloud.Task) { t.State, t.Retry = tracing.StateFailed, true })
	for tab, want := range map[string]int{"running": 2, "ready": 1, "failover": 1} {
		queue := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud/queues?tab="+tab, nil)
		consoletest.WantStatus(t, queue, http.StatusOK)
		if rows := queue.Doc(t).Find(`[data-testid="cloud-queued"]`); rows.Length() != want || tab == "ready" && !strings.Contains(rows.Text(), "ann") {
			t.Errorf("%s has %d rows, want %d: %s", tab, rows.Length(), want, consoletest.Fold(rows.Text()))
		}
	}
}

// TestCloudWeek: how many tasks ran at a time, hour by hour, with a gap where nobody counted;
// without a history the page is there all the same.
func TestCloudWeek(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	page := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud", nil)
	consoletest.WantStatus(t, page, http.StatusOK)
	week := page.Doc(t).Find(`[data-testid="cloud-week"]`)
	titles := week.Find("rect title")
	if n := titles.Length(); n != 7*24 || !strings.Contains(titles.Eq(1).Text(), "not counted") || !strings.Contains(titles.Eq(3).Text(), "a time: 9; jobs: 3") {
		t.Errorf("%d hours, the second %q, the fourth %q", n, titles.Eq(1).Text(), titles.Eq(3).Text())
	}
	if most := week.Find(".totals").Text(); most != "501 tasks at most" {
		t.Errorf("the most: %q", most)
	}
	b.Console.Options().History = nil
	page = b.As(t, auth.RoleGuest, http.MethodGet, "/cloud", nil)
	consoletest.WantStatus(t, page, http.StatusOK)
	if page.Doc(t).Find(`[data-testid="cloud-week"]`).Length() > 0 {
		t.Error("a week without a history")
	}
}
