package rest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestHealthOfJobs: the list and a job alone say how the last run ended.
func TestHealthOfJobs(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows := []tracing.Execution{{
		ID: "x", JobName: "invoices", RunID: "r9", Attempt: 1, StartTime: consoletest.Noon.Add(-time.Second), CompleteTime: consoletest.Noon,
		FailureCause: "login with password=canary-77: 403 Forbidden\n\tat X", IP: "10.2.0.14",
	}}
	b.History.Rows = append(rows, b.History.Rows...)
	of := func(role auth.Role) api.Job {
		token := "Authorization: Bearer " + b.Token(t, role, auth.ForAPI)
		var list []api.Job
		b.Call(t, http.MethodGet, "/api/jobs?q=invoices", "", token).Into(t, &list)
		var one api.JobDetail
		b.Call(t, http.MethodGet, "/api/jobs/invoices", "", token).Into(t, &one)
		if len(list) != 1 || list[0].Health != one.Health || list[0].HealthSentence != one.HealthSentence {
			t.Fatalf("the list says %+v, the job %s: %s", list, one.Health, one.HealthSentence)
		}
		return list[0]
	}
	got := of(auth.RoleRoot)
	if got.Status != "OK" || got.Health != "FAILING" || !strings.HasSuffix(got.HealthReason, " · 403 Forbidden") || !strings.Contains(got.HealthSentence, "canary-77") {
		t.Errorf("as root: %s, %s, %q, %q", got.Status, got.Health, got.HealthReason, got.HealthSentence)
	}
	if got := of(auth.RoleGuest); got.Health != "FAILING" || strings.Contains(got.HealthReason+got.HealthSentence, "canary") {
		t.Errorf("as a guest: %s, %q, %q", got.Health, got.HealthReason, got.HealthSentence)
	}
}

// TestHealthWithoutHistory: while the trace database cannot be read, the registry
// alone tells, and nobody is failed over it.
func TestHealthWithoutHistory(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Err = http.ErrServerClosed
	list, _ := consoletest.GetJSON[[]api.Job](t, b, "/api/jobs")
	states := map[string]int{}
	for _, j := range list {
		states[j.Health]++
		if j.NeverRan {
			t.Errorf("%s: never ran, by a history that nobody read", j.JobName)
		}
	}
	if states["FAILING"]+states["LATE"] > 0 || states["DOWN"] != 1 || states["DISABLED"] != 1 || states["UNREADABLE"] != 1 {
		t.Errorf("states %v", states)
	}
	if one, _ := consoletest.GetJSON[api.JobDetail](t, b, "/api/jobs/warehouse-sync"); one.Health != "DOWN" {
		t.Errorf("warehouse-sync is %s", one.Health)
	}
}
