package cloud

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestCloudShardIsKilledAndRunsAgain: one shard is killed and the others go on; what did not
// succeed runs again as a run of its own, with parameters where there may have been some.
func TestCloudShardIsKilledAndRunsAgain(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	run, rerun := "/api/cloud/runs/"+consoletest.SampleRun, "/api/cloud/runs/"+consoletest.SampleRun+"/rerun"
	for path, status := range map[string]int{run + "/items/9/kill": http.StatusConflict, run + "/items/x/kill": http.StatusNotFound, rerun: http.StatusConflict, "/api/cloud/runs/none/rerun": http.StatusNotFound} {
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, path, ""), status)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, run+"/items/1/kill", nil), http.StatusForbidden)
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, run+"/items/1/kill", ""), http.StatusNoContent)
	var detail api.CloudRunDetail
	b.Call(t, http.MethodGet, run, "").Into(t, &detail)
	if detail.Tasks[1].State != string(tracing.StateKilled) || !strings.Contains(detail.Tasks[1].Message, "root") || detail.Tasks[0].State != string(tracing.StateRunning) {
		t.Errorf("after one was killed: %+v", detail.Tasks)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, run+"/items/1/kill", ""), http.StatusConflict)
	b.Cloud.Engine.Finish(consoletest.SampleRun, 0, tracing.StateFinished, "")
	b.Cloud.Engine.Finish(consoletest.SampleRun, 2, tracing.StateFailed, "exit code 3")
	var asked api.CloudTrigger
	r := b.Call(t, http.MethodPost, rerun, "", "Idempotency-Key: again")
	consoletest.WantStatus(t, r, http.StatusAccepted)
	r.Into(t, &asked)
	d, _ := b.Cloud.Store.Definition("invoices")
	if len(d.Status.Requests) != 1 || !slices.Equal(d.Status.Requests[0].Shards, []int{1, 2}) || asked.Run != cloud.ManualRunName("invoices", "again") {
		t.Errorf("asked for %q: %+v", asked.Run, d.Status.Requests)
	}
	if record := b.LastRecord(t); !strings.Contains(record.Detail, asked.Run) {
		t.Errorf("record %+v", record)
	}
	if wrong := b.Call(t, http.MethodPost, rerun, `{"shards":[2,1]}`); wrong.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(wrong.Body, "ascending") {
		t.Errorf("status %d: %s", wrong.StatusCode, wrong.Body)
	}
}

// TestCloudRerunWantsTheParameters: nobody runs again by mistake what had parameters without
// them.
func TestCloudRerunWantsTheParameters(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	d, _ := b.Cloud.Store.Definition("invoices")
	app, err := b.Cloud.Store.ChangeApp(t.Context(), d.Job.AppName, unchanged)
	if err != nil {
		t.Fatal(err)
	}
	manual := cloud.ManualRunName("invoices", "first")
	if _, err := b.Cloud.Engine.Launch(t.Context(), cloud.Run{Name: manual, Job: d.Job, App: app, Owner: d.UID, Origin: cloud.OriginManual, Shards: []int{2}}); err != nil {
		t.Fatal(err)
	}
	b.Cloud.Engine.Finish(manual, 2, tracing.StateFailed, "exit code 3")
	const path = "/api/cloud/runs/"
	if r := b.Call(t, http.MethodPost, path+manual+"/rerun", ""); r.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(r.Body, `"parameters"`) {
		t.Errorf("status %d: %s", r.StatusCode, r.Body)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, path+manual+"/rerun", `{"parameters":{}}`), http.StatusAccepted)
	if d, _ = b.Cloud.Store.Definition("invoices"); len(d.Status.Requests) != 1 || !slices.Equal(d.Status.Requests[0].Shards, []int{2}) {
		t.Errorf("asked for %+v", d.Status.Requests)
	}
}

// TestCloudChangesAreBasedOnARevision: a change does not undo somebody else's, and a guest
// gets no revision.
func TestCloudChangesAreBasedOnARevision(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for path, change := range map[string]string{"/api/cloud/jobs/invoices": `{"cron":"0 0 4 * * ?"}`, "/api/cloud/apps/billing": `{"memoryMB":64}`} {
		tag := b.Call(t, http.MethodGet, path, "").Header.Get("ETag")
		if guest := b.As(t, auth.RoleGuest, http.MethodGet, path, nil).Header.Get("ETag"); tag == "" || guest != "" {
			t.Errorf("%s: ETag %q, of a guest %q", path, tag, guest)
		}
		first := b.Call(t, http.MethodPut, path, change, "If-Match: "+tag)
		consoletest.WantStatus(t, first, http.StatusOK)
		stale := b.Call(t, http.MethodPut, path, `{"cpuCount":2}`, "If-Match: "+tag)
		consoletest.WantStatus(t, stale, http.StatusPreconditionFailed)
		if now := stale.Header.Get("ETag"); now == tag || now != first.Header.Get("ETag") {
			t.Errorf("%s: the refusal has the ETag %q, the change before it %q", path, now, first.Header.Get("ETag"))
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, path, `{"cpuCount":2}`, "If-Match: "+stale.Header.Get("ETag")), http.StatusOK)
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, path, `{"cpuCount":2}`, "If-Match: nonsense"), http.StatusBadRequest)
	}
}
