package cloud

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// asUpstream sends a request as a client of upstream's scheduler does.
func asUpstream(t *testing.T, b *consoletest.Bench, method, path, body string) consoletest.Reply {
	t.Helper()
	return b.Call(t, method, path, body, "Authorization: ", "accessToken: "+b.Token(t, auth.RoleRoot, auth.ForAPI))
}

// TestUpstreamsRequests: what clients of upstream's scheduler and of its console send is
// answered as there, and does what it says.
func TestUpstreamsRequests(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	old := `{"jobName":"old","jobClass":"org.example.Settle","jobType":"SCRIPT","cron":"0 0 3 * * ?","shardingTotalCount":"2","streamingProcess":false,"jobProperties":{"a":"b"},` +
		`"appName":"foo","cpuCount":"0.001","memoryMB":1.0,"jobExecutionType":"TRANSIENT","beanName":null}`
	for _, step := range []struct{ method, path, body, want string }{
		{"POST", "/api/app", anUpstreamApp, "true"},
		{"POST", "/api/job/register", strings.Replace(anUpstreamJob, "billing", "foo", 1), "true"},
		{"POST", "/api/job/register", old, "true"},
		{"GET", "/api/app/nothing", "", "null"},
		{"GET", "/api/app/nothing/disable", "", "false"},
		{"GET", "/api/job/jobs/nothing", "", "null"},
		{"GET", "/api/job/nothing/disable", "", "true"},
		{"PUT", "/api/app", `{"appName":"foo","memoryMB":96}`, "true"},
		{"POST", "/api/app/update", `{"appName":"foo","eventTraceSamplingCount":3,"disabled":true}`, "true"},
		{"POST", "/api/app/foo/disable", "", "true"},
		{"GET", "/api/app/foo/disable", "", "true"},
		{"DELETE", "/api/app/foo/disable", "", "true"},
		{"GET", "/api/app/foo/disable", "", "false"},
		{"PUT", "/api/job/update", `{"jobName":"foo_job","shardingTotalCount":2,"disabled":true}`, "true"},
		{"POST", "/api/job/trigger", "foo_job", "true"},
		{"POST", "/api/job/trigger", `"foo_job"`, "true"},
		{"GET", "/api/job/tasks/ready", "", `[{"jobName":"foo_job","times":"2"}]`},
		{"GET", "/api/job/tasks/failover", "", "[]"},
		{"GET", "/api/job/statistics/jobs/executionType", "", `{"transientJobCount":3,"daemonJobCount":0}`},
		{"GET", "/api/job/statistics/jobs/type", "", `{"scriptJobCount":1,"simpleJobCount":2,"dataflowJobCount":0}`},
		{"POST", "/api/job/foo_job/disable", "", "true"},
		{"GET", "/api/job/foo_job/disable", "", "true"},
		{"POST", "/api/job/foo_job/enable", "", "true"},
		{"DELETE", "/api/job/deregister", "old", "true"},
		{"POST", "/api/operate/reconcile/explicit", "", "true"},
	} {
		r := asUpstream(t, b, step.method, step.path, step.body)
		if got := strings.TrimSpace(r.Body); r.StatusCode != http.StatusOK || got != step.want {
			t.Errorf("%s %s: %d %s, want %s", step.method, step.path, r.StatusCode, got, step.want)
		}
		if step.body == old {
			d, _ := b.Cloud.Store.Definition("old")
			if want := map[string]string{"jobClass": "org.example.Settle", "jobType": "SCRIPT", "streamingProcess": "false", "jobProperties": `{"a":"b"}`}; cmp.Diff(want, d.Job.Compat) != "" || d.Job.Shards != 2 || d.Job.CPU != 0.001 {
				t.Errorf("a job of 2.x: %+v", d.Job)
			}
		}
	}
	var app api.CloudApp
	b.Call(t, http.MethodGet, "/api/app/foo", "").Into(t, &app)
	if app.MemoryMB != 96 || app.EventSampling != 3 || app.BootstrapScript != "bin/start.sh" || app.Disabled {
		t.Errorf("what was absent did not stay: %+v", app.App)
	}
	if d, _ := b.Cloud.Store.Definition("foo_job"); d.Job.Shards != 2 || d.Job.Disabled || len(d.Status.Requests) != 0 {
		t.Errorf("the job: %+v, %+v", d.Job, d.Status)
	}
	replaceAndRemove(t, b)
}

// replaceAndRemove has what is absent in a document fall back to its default, then removes
// the application with its job.
func replaceAndRemove(t *testing.T, b *consoletest.Bench) {
	t.Helper()
	consoletest.WantStatus(t, asUpstream(t, b, http.MethodPut, "/api/app?replace=true", `{"appName":"foo","bootstrapScript":"bin/start.sh"}`), http.StatusOK)
	var app api.CloudApp
	if b.Call(t, http.MethodGet, "/api/app/foo", "").Into(t, &app); app.MemoryMB != cloud.DefaultAppMemoryMB || app.URL != "" {
		t.Errorf("what was absent stayed: %+v", app.App)
	}
	consoletest.WantStatus(t, asUpstream(t, b, http.MethodDelete, "/api/app/foo", ""), http.StatusOK)
	if _, there := b.Cloud.Store.Definition("foo_job"); there {
		t.Error("the job of a removed application is still there")
	}
	if record := b.LastRecord(t); record.Action != "DELETE /api/app/:app" || !strings.Contains(record.Detail, "foo_job") {
		t.Errorf("record %+v", record)
	}
}

// TestUpstreamsTasks: running tasks, where they write, and the history.
func TestUpstreamsTasks(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	var running []api.RunningTask
	b.Call(t, http.MethodGet, "/api/job/tasks/running", "").Into(t, &running)
	if len(running) != 3 || running[2].MetaInfo.JobName != "invoices" || cmp.Diff([]int{2}, running[2].MetaInfo.ShardingItems) != "" || running[0].Type != cloud.TaskReady || !strings.HasPrefix(running[0].ID, "invoices@-@") {
		t.Errorf("running %+v", running)
	}
	var sandbox []api.Sandbox
	if b.Call(t, http.MethodGet, "/api/operate/sandbox?appName=billing", "").Into(t, &sandbox); len(sandbox) != 3 {
		t.Fatalf("sandbox %+v", sandbox)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, sandbox[0].Path, ""), http.StatusOK)
	for _, path := range []string{"/api/job/events/executions", "/api/job/events/statusTraces"} {
		var page struct {
			Total int
			Rows  []map[string]any
		}
		b.Call(t, http.MethodGet, path+"?per_page=2&page=1&sort=creationTime&order=DESC", "").Into(t, &page)
		if executions := strings.HasSuffix(path, "executions"); executions && (page.Total < 2 || len(page.Rows) != 2 || page.Rows[0]["taskId"] == "") || page.Rows == nil {
			t.Errorf("%s: %+v", path, page)
		}
		first := page.Rows
		b.Call(t, http.MethodPost, path, `{"per_page":2,"page":1,"jobName":""}`).Into(t, &page)
		form := b.Call(t, http.MethodPost, path, "per_page=2&page=1", "Content-Type: application/x-www-form-urlencoded")
		if cmp.Diff(first, page.Rows) != "" {
			t.Errorf("%s by JSON: %+v", path, page)
		}
		if form.Into(t, &page); cmp.Diff(first, page.Rows) != "" {
			t.Errorf("%s by a form: %+v", path, page)
		}
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/job/trigger", "invoices", "Content-Type: application/x-www-form-urlencoded"), http.StatusOK)
	wantCode(t, b.Call(t, http.MethodPost, "/api/job/trigger", "nothing"), http.StatusNotFound, "not_found")
	b.Call(t, http.MethodPost, "/api/app/billing/disable", "")
	wantCode(t, b.Call(t, http.MethodPost, "/api/job/register", anUpstreamJob), http.StatusConflict, "refused")
}

// TestUpstreamsStatisticsOverTime: the counts of each minute, in the buckets of the request, without
// a row for a bucket that wasn't counted.
func TestUpstreamsStatisticsOverTime(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	const period = "from=2026-11-22T10:00:00Z&to=2026-11-22T12:30:00Z"
	for _, one := range []struct {
		path   string
		status int
		want   string
	}{
		{"/tasks/running?" + period, 200, `[{"id":1795341600,"statisticsTime":1795341600000,"creationTime":1795341600000,"runningCount":0},{"id":1795348800,"statisticsTime":1795348800000,"creationTime":1795348800000,"runningCount":6}]`},
		{"/jobs/running?interval=day&" + period, 200, `[{"id":1795305600,"statisticsTime":1795305600000,"creationTime":1795305600000,"runningCount":0}]`},
		{"/jobs/register?" + period, 200, `[{"id":1795305600,"statisticsTime":1795305600000,"creationTime":1795305600000,"registeredCount":100}]`},
		{"/jobs/running?since=lastYear", 422, "since is none but lastWeek"},
		{"/jobs/running?interval=week", 422, "The filter asks for something that cannot be."},
	} {
		r := asUpstream(t, b, "GET", "/api/job/statistics"+one.path, "")
		if got := strings.TrimSpace(r.Body); r.StatusCode != one.status || got != one.want && (one.status == 200 || !strings.Contains(got, one.want)) {
			t.Errorf("%s: %d %s, want %d %s", one.path, r.StatusCode, got, one.status, one.want)
		}
	}
	week := asUpstream(t, b, "GET", "/api/job/statistics/tasks/running?since=lastWeek", "")
	if n := strings.Count(week.Body, `"runningCount"`); week.StatusCode != http.StatusOK || n != 7*24 {
		t.Errorf("a week has %d rows: %s", n, week.Body)
	}
}
