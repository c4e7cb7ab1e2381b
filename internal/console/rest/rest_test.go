package rest

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/tracing"
)

func TestAPIJobs(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	all, r := consoletest.GetJSON[[]api.Job](t, b, "/api/jobs")
	if len(all) != 29 || r.Header.Get("X-Total-Count") != "29" || !slices.IsSortedFunc(all, func(x, y api.Job) int { return strings.Compare(x.JobName, y.JobName) }) {
		t.Errorf("%d jobs, total %s", len(all), r.Header.Get("X-Total-Count"))
	}
	if n, _ := consoletest.GetJSON[int](t, b, "/api/jobs/count"); n != len(all) {
		t.Errorf("count %d, list %d", n, len(all))
	}
	i := slices.IndexFunc(all, func(j api.Job) bool { return j.JobName == "invoices" })
	want := api.Job{
		JobName: "invoices", Status: "OK", Reason: "every shard is assigned to a live instance", Description: "Send the invoices of the last five minutes",
		Cron: "0 0/5 * * * ?", TimeZone: "GMT+0", NextFireTime: "2026-11-21T12:05:00Z", Type: "SIMPLE",
		InstanceCount: 3, ShardingTotalCount: 4, ServerCount: 3, Leader: "10.2.0.14@-@2211",
		Health: "UNSTABLE", HealthReason: "2 of 10 failed", HealthSentence: "The last run on record succeeded, and 2 of the last 10 failed.",
	}
	if diff := cmp.Diff(want, all[i]); diff != "" {
		t.Errorf("invoices (-want +got):\n%s", diff)
	}
	page, r := consoletest.GetJSON[[]api.Job](t, b, "/api/jobs?page=2&pageSize=20&status=OK")
	if len(page) != 5 || r.Header.Get("X-Total-Count") != "25" {
		t.Errorf("second page: %d of %s", len(page), r.Header.Get("X-Total-Count"))
	}
	if beyond, _ := consoletest.GetJSON[[]api.Job](t, b, "/api/jobs?page=9&pageSize=20"); len(beyond) != 0 {
		t.Errorf("beyond the end: %d", len(beyond))
	}
	for _, bad := range []string{"status=purple", "sort=xyz", "order=sideways", "pageSize=100000", "page=0", "page=x"} {
		r := b.As(t, auth.RoleGuest, http.MethodGet, "/api/jobs?"+bad, nil)
		consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
		if !strings.Contains(r.Body, strings.SplitN(bad, "=", 2)[0]) {
			t.Errorf("%s: %s", bad, r.Body)
		}
	}
}

func TestAPIJob(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	job, _ := consoletest.GetJSON[api.JobDetail](t, b, "/api/jobs/settlement.daily")
	if job.JobName != "settlement.daily" || len(job.Shards) != 12 || len(job.Servers) != 4 || len(job.Instances) != 3 || !job.ReshardingNeeded || len(job.NextFireTimes) != 5 || job.ConfigVersion != 3 {
		t.Errorf("detail %+v", job)
	}
	shards, _ := consoletest.GetJSON[[]api.Shard](t, b, "/api/jobs/settlement.daily/sharding")
	if diff := cmp.Diff(job.Shards, shards); diff != "" {
		t.Errorf("the shards differ:\n%s", diff)
	}
	want := api.Shard{
		Item: 7, Parameter: "latam", ServerIP: "10.2.0.17", InstanceID: "10.2.0.17@-@88", Status: "SHARDING_FLAG",
		Reason: "/sharding/7/instance names 10.2.0.17@-@88, which is not in /instances", Failover: true, FailoverInstance: "10.2.0.15@-@918", Misfire: true,
	}
	if diff := cmp.Diff(want, shards[7]); diff != "" {
		t.Errorf("shard 7 (-want +got):\n%s", diff)
	}
	servers, _ := consoletest.GetJSON[[]api.Server](t, b, "/api/servers")
	if len(servers) != 6 || !cmp.Equal(servers[0], api.Server{ServerIP: "10.2.0.9", Instances: 1, Jobs: 2, DisabledJobs: 2, InstanceIDs: []string{}, JobNames: []string{}}) {
		t.Errorf("servers %+v", servers)
	}
	if v, _ := consoletest.GetJSON[versionBody](t, b, "/api/version"); v.Version != "v0.0-test" {
		t.Errorf("version %+v", v)
	}
}

func TestAPITrace(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Rows = []tracing.Execution{
		{ID: "a", JobName: "j", Item: 1, StartTime: consoletest.Noon},
		{ID: "b", JobName: "j", StartTime: consoletest.Noon, CompleteTime: consoletest.Noon.Add(time.Second), Success: true},
		{ID: "c", JobName: "j", StartTime: consoletest.Noon, CompleteTime: consoletest.Noon.Add(time.Second), FailureCause: "no"},
		{ID: "d", JobName: "j", StartTime: consoletest.Noon, FailureCause: "failed, and its end was never written"},
	}
	b.History.Steps = []tracing.Status{{ID: "s", JobName: "j", TaskID: "t", State: tracing.StateRunning, CreationTime: consoletest.Noon}}
	page, _ := consoletest.GetJSON[api.Page[api.Execution]](t, b, "/api/event-trace/execution?jobName=j&limit=4")
	var states []string
	for _, e := range page.Rows {
		states = append(states, e.ID+" "+e.State)
	}
	if diff := cmp.Diff([]string{"a running", "b success", "c failed", "d failed"}, states); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if page.Rows[0].CompleteTime != "" || page.Rows[1].CompleteTime != "2026-11-21T12:00:08Z" {
		t.Errorf("rows %+v", page.Rows)
	}
	first, _ := consoletest.GetJSON[api.Page[api.Execution]](t, b, "/api/event-trace/execution?limit=3")
	rest, _ := consoletest.GetJSON[api.Page[api.Execution]](t, b, "/api/event-trace/execution?limit=3&cursor="+first.NextCursor)
	if len(first.Rows) != 3 || len(rest.Rows) != 1 || rest.NextCursor != "" {
		t.Errorf("pages of %d and %d", len(first.Rows), len(rest.Rows))
	}
	steps, _ := consoletest.GetJSON[api.Page[api.Status]](t, b, "/api/event-trace/status?state=TASK_RUNNING")
	if len(steps.Rows) != 1 || steps.Rows[0].State != "TASK_RUNNING" || steps.Rows[0].ShardingItems == nil {
		t.Errorf("steps %+v", steps)
	}
	for _, bad := range []string{"execution?state=purple", "execution?item=-1", "execution?from=later", "execution?limit=1000", "execution?cursor=made-up", "execution?isSuccess=perhaps", "execution?from=2026-01-02&to=2026-01-01", "status?state=FINE"} {
		consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/api/event-trace/"+bad, nil), 422)
	}
}

func TestAPIErrorsAreJSON(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for target, want := range map[string]struct {
		status int
		code   string
	}{
		"/api/nowhere":            {404, "not_found"},
		"/api":                    {404, "not_found"},
		"/api/jobs/nope":          {404, "not_found"},
		"/api/jobs/nope/sharding": {404, "not_found"},
		"/api/jobs/x/trigger":     {405, "method_not_allowed"},
	} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, target, nil)
		var body api.ErrorBody
		if err := json.Unmarshal([]byte(r.Body), &body); err != nil || r.StatusCode != want.status || body.Code != want.code {
			t.Errorf("GET %s: %d %s", target, r.StatusCode, view.Clip(r.Body, 200))
			continue
		}
		if body.Message == "" || body.Hint == "" || body.RequestID != r.Header.Get("X-Request-Id") {
			t.Errorf("GET %s: %+v", target, body)
		}
	}
}

// TestW34Probes: readiness means that the console can serve pages. Only its own database
// decides that; the other dependencies are details.
func TestW34Probes(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	ready := func() (app.ReadyBody, int) {
		r := b.As(t, "", http.MethodGet, "/readyz", nil)
		var body app.ReadyBody
		if err := json.Unmarshal([]byte(r.Body), &body); err != nil {
			t.Fatal(err)
		}
		return body, r.StatusCode
	}
	if body, status := ready(); status != 200 || body.Status != "ok" || body.Checks["registry"].State != "connected" || body.Checks["database"].Status != "ok" {
		t.Errorf("ready: %d %+v", status, body)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Ping = errors.New("dial tcp 10.3.3.3:3306: refused") })
	if _, status := ready(); status != 200 {
		t.Error("the answer is not kept for a second")
	}
	b.Pass(app.ReadyFor)
	if body, status := ready(); status != 200 || body.Status != "degraded" || body.Checks["database"].Status != "failed" || body.Checks["registry"].Status != "ok" {
		t.Errorf("database away: %d %+v", status, body)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Ping = nil })
	b.Down()
	b.Pass(app.ReadyFor)
	r := b.As(t, "", http.MethodGet, "/readyz", nil)
	consoletest.WantStatus(t, r, 200)
	if strings.Contains(r.Body, "10.2.0.4") || !strings.Contains(r.Body, `"state":"lost"`) {
		t.Errorf("registry away: %s", r.Body)
	}
	b.Settings.Fail(errors.New("dial tcp 10.3.3.4:3306: refused"))
	b.Pass(app.ReadyFor)
	if body, status := ready(); status != 503 || body.Status != "failed" || body.Checks["settings"].Status != "failed" {
		t.Errorf("own database away: %d %+v", status, body)
	}
	consoletest.WantStatus(t, b.As(t, "", http.MethodGet, "/healthz", nil), 200)
}
