package cloud

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestCloudFromNothingToALog: an application, a job, a run and its log over REST, with the
// record that the audit keeps of each change.
func TestCloudFromNothingToALog(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	var application api.CloudApp
	r := b.Call(t, http.MethodPost, "/api/cloud/apps", aCloudApp)
	consoletest.WantStatus(t, r, http.StatusCreated)
	if r.Into(t, &application); application.Name != "shelves" || application.Env["WAREHOUSE"] != mask.Hidden || !application.CacheEnable || application.CPU != 0.1 {
		t.Errorf("application %+v", application)
	}
	if record := b.LastRecord(t); record.Action != "POST /api/cloud/apps" || record.Target != "shelves" || record.User != "root" || record.Outcome != "done" {
		t.Errorf("record %+v", record)
	}
	var job api.CloudJob
	r = b.Call(t, http.MethodPost, "/api/cloud/jobs", aCloudJob)
	consoletest.WantStatus(t, r, http.StatusCreated)
	if r.Into(t, &job); job.Shards != 3 || job.NextFireTime == "" || job.Misfire {
		t.Errorf("job %+v", job)
	}
	var asked, again api.CloudTrigger
	const trigger = "/api/cloud/jobs/shelves-nightly/trigger"
	b.Call(t, http.MethodPost, trigger, aCloudTrigger, "Idempotency-Key: INC-1").Into(t, &asked)
	b.Call(t, http.MethodPost, trigger, aCloudTrigger, "Idempotency-Key: INC-1").Into(t, &again)
	if d, _ := b.Cloud.Store.Definition("shelves-nightly"); asked.Run != cloud.ManualRunName("shelves-nightly", "INC-1") || again != asked || len(d.Status.Requests) != 1 || d.Status.Requests[0].By != "root" {
		t.Errorf("run %q, then %q, requests %+v", asked.Run, again.Run, d.Status.Requests)
	}
	if record := b.LastRecord(t); record.Target != "shelves-nightly" || !strings.Contains(record.Detail, asked.Run) {
		t.Errorf("record %+v", record)
	}
	if job = (api.CloudJob{}); true {
		b.Call(t, http.MethodPut, "/api/cloud/jobs/shelves-nightly", `{"props":{"cloud.overlap":"skip"}}`).Into(t, &job)
	}
	if job.Cron != "0 0 2 * * ?" || job.Props["cloud.overlap"] != "skip" || job.Requested != 1 {
		t.Errorf("changed job %+v", job)
	}
	var run api.CloudRunDetail
	b.Call(t, http.MethodGet, "/api/cloud/runs/"+consoletest.SampleRun, "").Into(t, &run)
	if run.JobName != "invoices" || len(run.Tasks) != 3 || run.Tasks[2].Shard != 2 || run.Tasks[2].State != string(tracing.StateRunning) {
		t.Fatalf("run %+v", run)
	}
	log := b.Call(t, http.MethodGet, "/api/cloud/tasks/"+strings.ReplaceAll(run.Tasks[2].TaskID, "@", "%40")+"/log", "")
	consoletest.WantStatus(t, log, http.StatusOK)
	if log.Body != "shard 2 of "+consoletest.SampleRun+"\n" {
		t.Errorf("log %q", log.Body)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/cloud/runs/"+consoletest.SampleRun+"/kill", ""), http.StatusNoContent)
	b.Call(t, http.MethodGet, "/api/cloud/runs/"+consoletest.SampleRun, "").Into(t, &run)
	if run.State != string(cloud.RunKilled) || !strings.Contains(run.Tasks[0].Message, "root") {
		t.Errorf("killed run %+v", run)
	}
}

// TestCloudRefusalsNameFieldValueAndBound: a refusal should name the wrong field, and nothing is stored.
func TestCloudRefusalsNameFieldValueAndBound(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, tt := range []struct {
		method, path, body string
		want               app.FieldBody
	}{
		{"POST", "/apps", `{"appName":"x","cpuCount":0}`, app.FieldBody{Field: "cpuCount", Value: "0", Want: "a number from 0.001 to 1024"}},
		{"POST", "/apps", `{"appName":"x","memoryMB":"much"}`, app.FieldBody{Field: "memoryMB", Want: "a number"}},
		{"POST", "/apps", `{"appName":"x","nonsense":1}`, app.FieldBody{Field: "nonsense", Want: "no field of this name: it is unknown here"}},
		{"POST", "/apps", `{"appName":"x","env":{"A":1}}`, app.FieldBody{Field: "env", Want: "a text"}},
		{"POST", "/apps", `{"appName":"x","disabled":true}`, app.FieldBody{Field: "disabled", Want: "the stored value; POST " + apiApp + "/disable and /enable change it"}},
		{"PUT", "/apps/billing", `{"appName":"y"}`, app.FieldBody{Field: "appName", Value: "y", Want: `"billing", as in the address: names never change`}},
		{"POST", "/jobs", `{"jobName":"x","appName":"none","shardingTotalCount":1}`, app.FieldBody{Field: "appName", Value: "none", Want: "an application that is registered; POST /api/cloud/apps registers one"}},
		{"POST", "/jobs", `{"jobName":"x","appName":"billing","shardingTotalCount":10001}`, app.FieldBody{Field: "shardingTotalCount", Value: "10001", Want: "a whole number from 1 to 10000 with the engine fake"}},
		{"POST", "/jobs", `{"jobName":"x","appName":"billing","shardingTotalCount":-1}`, app.FieldBody{Field: "shardingTotalCount", Value: "-1", Want: "a whole number from 1 to 100000"}},
		{"PUT", "/jobs/invoices", `{"jobExecutionType":"DAEMON"}`, app.FieldBody{Field: "jobExecutionType", Value: "DAEMON", Want: "the stored value while the job is enabled; disable it first"}},
		{"PUT", "/jobs/invoices", `{"props":{"cloud.daemon":"registry"}}`, app.FieldBody{Field: "props.cloud.daemon", Value: "registry", Want: "the stored value while the job is enabled; disable it first"}},
		{"PUT", "/jobs/invoices", `{"disabled":true}`, app.FieldBody{Field: "disabled", Value: "true", Want: "the stored value; POST " + apiJob + "/disable and /enable change it"}},
		{"POST", "/jobs/invoices/trigger", `{"shards":[3]}`, app.FieldBody{Field: "shards", Value: "3", Want: "numbers from 0 to 2, each once and in ascending order"}},
		{"POST", "/jobs/invoices/trigger", `{"notBefore":"soon"}`, app.FieldBody{Field: "notBefore", Value: "soon", Want: "a moment as of RFC 3339, such as 2026-11-26T08:00:00Z"}},
		{"POST", "/apps/billing/disable?running=perhaps", "", app.FieldBody{Field: "running", Value: "perhaps", Want: "one of kill, suspend, finish"}},
		{"GET", "/runs?limit=0", "", app.FieldBody{Field: "limit", Value: "0", Want: "a whole number from 1 to 1000"}},
		{"GET", "/runs?state=odd", "", app.FieldBody{Field: "state", Value: "odd", Want: "one of waiting, running, suspended, succeeded, failed, killed"}},
	} {
		r := b.Call(t, tt.method, apiRoute+tt.path, tt.body)
		consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
		var answer api.ErrorBody
		if r.Into(t, &answer); len(answer.Fields) != 1 || answer.Fields[0] != tt.want || !strings.Contains(answer.Message, tt.want.Field) {
			t.Errorf("%s %s %s: %s %+v, want %+v", tt.method, tt.path, tt.body, answer.Message, answer.Fields, tt.want)
		}
	}
	if apps, jobs := b.Cloud.Apps(), b.Cloud.Jobs(); len(apps) != 2 || len(jobs) != 1 {
		t.Errorf("%d applications and %d jobs after refusals", len(apps), len(jobs))
	}
}

// TestCloudRights: a guest reads and sees no value of an environment, and changes nothing; no
// shell is set up without the right to change commands.
func TestCloudRights(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, path := range []string{"", "/apps", "/apps/billing", "/jobs", "/jobs/invoices", "/runs", "/runs/" + consoletest.SampleRun, "/tasks/" + consoletest.SampleTask + "/log"} {
		r := b.As(t, auth.RoleGuest, http.MethodGet, apiRoute+path, nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		if strings.Contains(r.Body, consoletest.CloudSecret) || strings.HasPrefix(path, "/apps") && !strings.Contains(r.Body, "API_KEY") {
			t.Errorf("%s as guest: %s", path, r.Body)
		}
	}
	if r := b.Call(t, http.MethodGet, apiRoute+"/apps/billing", ""); !strings.Contains(r.Body, consoletest.CloudSecret) {
		t.Errorf("root: %s", r.Body)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, apiRoute+"/jobs/invoices/trigger", nil), http.StatusForbidden)
	const shell = `{"appName":"sh","shell":true,"bootstrapScript":"rm -rf /"}`
	wantCode(t, b.Call(t, http.MethodPost, apiRoute+"/apps", shell), http.StatusForbidden, "command_changes_off")
	b.Console.Options().CommandChanges = true
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, apiRoute+"/apps", shell), http.StatusCreated)
}

// TestCloudOff: if ElasticJob-Cloud is off, each of its addresses should answer that.
func TestCloudOff(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.Cloud = nil })
	for _, r := range b.Console.Routes() {
		if strings.HasPrefix(r.Path, apiRoute) {
			wantCode(t, b.Call(t, r.Method, consoletest.Filled(r.Path), r.Operation().Example), http.StatusNotFound, "cloud_off")
		}
	}
}

// TestCloudLastFireTime: the cursor of a job is no fire time where it begins.
func TestCloudLastFireTime(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	was := func(cursor time.Time) (word string) {
		t.Helper()
		d, err := b.Cloud.Store.Change(t.Context(), "invoices", func(d *cloud.Definition) error { d.Status.LastFire = cursor; return nil })
		if err != nil {
			t.Fatal(err)
		}
		var job map[string]any
		b.Call(t, http.MethodGet, "/api/cloud/jobs/invoices", "").Into(t, &job)
		word, _ = job["lastFireTime"].(string)
		if job["cron"] != "0 0 2 * * ?" || job["createdAt"] == nil || d.Created.IsZero() {
			t.Fatalf("the job is %v", job)
		}
		return word
	}
	d, _ := b.Cloud.Store.Definition("invoices")
	fire := time.Date(d.Created.Year()+1, 6, 1, 2, 0, 0, 0, time.UTC)
	for cursor, want := range map[time.Time]string{d.Created: "", fire: fire.Format(time.RFC3339), fire.Add(time.Minute): ""} {
		if got := was(cursor); got != want {
			t.Errorf("of the cursor %v: %q, want %q", cursor, got, want)
		}
	}
}
