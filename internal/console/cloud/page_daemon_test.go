package cloud

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
)

// TestCloudDaemonOnPages: the page of a DAEMON job and that of its run list its processes, and
// offer neither a trigger nor an end of all of them.
func TestCloudDaemonOnPages(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	stop, run := sampleDaemon(t, b)
	for _, path := range []string{"/cloud/jobs/feed", "/cloud/runs/" + run} {
		for _, who := range []auth.Role{auth.RoleRoot, auth.RoleGuest} {
			listsProcesses(t, b, who, path, run)
		}
	}
	if page := daemonPage(t, b, auth.RoleRoot, "/cloud/jobs/feed"); page.Text(t, "job-state") != "Failing" || !strings.Contains(page.Text(t, "cloud-facts"), "2 of 2 work") {
		t.Errorf("the job is %q: %s", page.Text(t, "job-state"), page.Text(t, "cloud-facts"))
	}
	offersNoEndOfAll(t, b, run)
	stop()
	if page := daemonPage(t, b, auth.RoleRoot, "/cloud/runs/"+run); page.Text(t, "run-state") != "Killed" || page.Doc(t).Find(`[data-testid="rerun-run"]`).Length() > 0 {
		t.Errorf("stopped, it is %q", page.Text(t, "run-state"))
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/cloud/runs/"+run+"/rerun", ""), http.StatusConflict)
}

func daemonPage(t *testing.T, b *consoletest.Bench, who auth.Role, path string) consoletest.Reply {
	t.Helper()
	r := b.As(t, who, http.MethodGet, path, nil)
	consoletest.WantStatus(t, r, http.StatusOK)
	return r
}

// sampleDaemon is a DAEMON job with two processes, one of which was started again, and what
// stops them.
func sampleDaemon(t *testing.T, b *consoletest.Bench) (stop func(), run string) {
	t.Helper()
	job := cloud.NewJob("feed", "billing", 2)
	job.Type, job.Cron = cloud.TypeDaemon, "0/10 * * * * ?"
	made, err := b.Cloud.Store.Create(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	page := daemonPage(t, b, auth.RoleRoot, "/cloud/jobs/feed")
	if page.Text(t, "cloud-processes-none") == "" || page.Text(t, "fires-none") != "Its processes fire by themselves" || page.Doc(t).Find(`[data-testid="trigger-job"]`).Length() > 0 {
		t.Errorf("without processes: %s", consoletest.Fold(page.Doc(t).Find("main").Text()))
	}
	app, err := b.Cloud.Store.ChangeApp(t.Context(), "billing", unchanged)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Cloud.Engine.Daemon(t.Context(), cloud.Daemon{Name: "feed", Job: job, App: app, Owner: made.UID, Count: 2}); err != nil {
		t.Fatal(err)
	}
	run = cloud.DaemonRunName("feed")
	b.Cloud.Engine.Finish(run, 1, tracing.StateFailed, "exit code 7: password=geheim")
	b.Cloud.Engine.SetRun(run, func(r *cloud.RunStatus) { r.Message = "1 of 2 processes have ended: password=geheim" })
	return func() {
		if err := b.Cloud.Engine.Daemon(t.Context(), cloud.Daemon{Name: "feed", Job: job, Owner: made.UID}); err != nil {
			t.Fatal(err)
		}
	}, run
}

// TestCloudSharedShardsOnPages: processes that share the shards of a job have numbers of their
// own, and as many work as there are to be.
func TestCloudSharedShardsOnPages(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	job := cloud.NewJob("feed", "billing", 40)
	job.Type, job.Cron, job.Props = cloud.TypeDaemon, "0/10 * * * * ?", map[string]string{cloud.PropDaemon: cloud.DaemonRegistry, cloud.PropProcesses: "2"}
	made, err := b.Cloud.Store.Create(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Cloud.Engine.Daemon(t.Context(), cloud.Daemon{Name: "feed", Job: job, App: cloud.NewApp("billing"), Owner: made.UID, Count: 2}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/cloud/jobs/feed", "/cloud/runs/" + cloud.DaemonRunName("feed")} {
		page := daemonPage(t, b, auth.RoleGuest, path)
		head := consoletest.Fold(page.Doc(t).Find(`[data-testid="processes"] th`).First().Text())
		if head != "Process" || !strings.Contains(page.Text(t, "processes-shared"), "by ZooKeeper") {
			t.Errorf("%s: %q, %q", path, head, page.Text(t, "processes-shared"))
		}
	}
	if page := daemonPage(t, b, auth.RoleGuest, "/cloud/jobs/feed"); !strings.Contains(page.Text(t, "cloud-facts"), " of 2 work") {
		t.Errorf("its facts are %s", page.Text(t, "cloud-facts"))
	}
}

// listsProcesses: a page has both processes, and no secret for a guest.
func listsProcesses(t *testing.T, b *consoletest.Bench, who auth.Role, path, run string) {
	t.Helper()
	page := daemonPage(t, b, who, path)
	doc := page.Doc(t)
	rows := doc.Find(`[data-testid="process"]`)
	if rows.Length() != 2 || !strings.Contains(rows.Last().Text(), "Running") || doc.Find(`[data-testid="lane"]`).Length() > 0 {
		t.Errorf("%s lists %s", path, consoletest.Fold(doc.Find("main").Text()))
	}
	if restarts := consoletest.Fold(rows.Last().Find("td.num").Text()); restarts != "1" {
		t.Errorf("%s: %q restarts", path, restarts)
	}
	if href := doc.Find(`[data-testid="to-executions"]`).AttrOr("href", ""); href != "/executions?job=feed" {
		t.Errorf("%s leads to %q", path, href)
	}
	if href := rows.First().Find(`[data-testid="to-log"]`).AttrOr("href", ""); href != cloudui.ShardPath(run, 0)+"#log" {
		t.Errorf("%s leads to %q", path, href)
	}
	if strings.Contains(page.Body, "geheim") != (who == auth.RoleRoot) {
		t.Errorf("%s for %s: %s", path, who, consoletest.Fold(doc.Find("main").Text()))
	}
	for _, button := range []string{"trigger-job", "kill-run", "suspend-run", "rerun-run"} {
		if doc.Find(`[data-testid="`+button+`"]`).Length() > 0 {
			t.Errorf("%s offers %s", path, button)
		}
	}
}

// offersNoEndOfAll: one process may be killed, all of them only by disabling the job.
func offersNoEndOfAll(t *testing.T, b *consoletest.Bench, run string) {
	t.Helper()
	if page := daemonPage(t, b, auth.RoleRoot, "/cloud/runs/"+run+"/kill"); !strings.Contains(page.Text(t, "confirm-refused"), "Disable the job") {
		t.Errorf("to kill all is asked with %q", page.Text(t, "confirm-refused"))
	}
	if page := daemonPage(t, b, auth.RoleRoot, cloudui.ShardPath(run, 0)+"/kill"); !strings.Contains(page.Body, "Another one begins at once.") {
		t.Error("to kill one does not say what follows")
	}
	if page := daemonPage(t, b, auth.RoleRoot, "/cloud/jobs/feed/disable"); page.Doc(t).Find(`input[name="running"]`).Length() != 1 || !strings.Contains(page.Body, "Its processes are stopped.") {
		t.Errorf("to disable it is asked with %s", consoletest.Fold(page.Doc(t).Find("main").Text()))
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/cloud/jobs/feed/trigger", nil), http.StatusConflict)
	for _, verb := range []string{"/kill", "/suspend"} {
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/cloud/runs/"+run+verb, ""), http.StatusConflict)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/cloud/runs/"+run+"/items/0/kill", ""), http.StatusNoContent)
	if queue := daemonPage(t, b, auth.RoleGuest, "/cloud/queues?tab=failover"); queue.Doc(t).Find(`[data-testid="cloud-queued"]`).Length() != 0 {
		t.Error("a process that was started again counts as one that is tried again")
	}
}
