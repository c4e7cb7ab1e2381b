package runs

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestW28LogOfAFireTime: REST should answer for a scheduled run as it does for a requested one.
func TestW28LogOfAFireTime(t *testing.T) {
	t.Parallel()
	const fire = "20261121T115000Z"
	b := consoletest.New(t)
	at := consoletest.Noon.Add(-10 * time.Minute)
	for item := range 2 {
		e := tracing.Execution{ID: fmt.Sprint("f", item), JobName: "invoices", Item: item, RunID: fire, Attempt: 1, Trigger: tracing.TriggerSchedule, ScheduledAt: at, StartTime: at, CompleteTime: at.Add(time.Minute)}
		e.Success = item == 0
		b.History.Add(e)
		other := e
		other.ID, other.JobName = fmt.Sprint("o", item), "reports" // All jobs of a fire time have the same run id.
		b.History.Add(other)
	}
	line := func(execution, job string, seq int, text string) tracing.LogLine {
		return tracing.LogLine{ExecutionID: execution, Seq: seq, RunID: fire, JobName: job, Item: 1, Attempt: 1, At: at.Add(time.Second), Level: "ERROR", Message: text}
	}
	b.History.Lines = append(b.History.Lines, line("f1", "invoices", 1, "no paper"), line("f1", "invoices", 2, "token=Canary-21"), line("o1", "reports", 1, "of another job"))
	const address = "/api/jobs/invoices/runs/" + fire + "/log"
	var log api.RunLog
	b.Call(t, http.MethodGet, address, "").Into(t, &log)
	want := api.RunLog{
		JobName: "invoices", ID: fire, Shard: 1, Attempt: 1, After: 2, Total: 2, Ended: true, Logs: []api.RunLogOf{{Shard: 1, Attempt: 1, Execution: "f1", Lines: 2}},
		Lines: []api.RunLogLine{{Seq: 1, At: "2026-11-21T11:50:08Z", Level: "ERROR", Message: "no paper"}, {Seq: 2, At: "2026-11-21T11:50:08Z", Level: "ERROR", Message: "token=Canary-21"}},
	}
	if diff := cmp.Diff(want, log); diff != "" {
		t.Error(diff)
	}
	b.Call(t, http.MethodGet, address+"?item=1&attempt=1&execution=f1&after=1&limit=1", "").Into(t, &log)
	if len(log.Lines) != 1 || log.Lines[0].Seq != 2 {
		t.Errorf("%+v", log)
	}
	b.Call(t, http.MethodGet, address+"?item=0", "").Into(t, &log)
	if len(log.Lines) != 0 || log.Total != 0 || len(log.Logs) != 1 {
		t.Errorf("a shard that logged nothing: %+v", log)
	}
	if guest := b.As(t, auth.RoleGuest, http.MethodGet, address, nil); !strings.Contains(guest.Body, "no paper") || strings.Contains(guest.Body, "Canary") {
		t.Errorf("guests see %s", guest.Body)
	}
	for query, status := range map[string]int{"?item=x": http.StatusUnprocessableEntity, "?limit=0": http.StatusUnprocessableEntity} {
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, address+query, ""), status)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, strings.Replace(address, fire, "20261121T115100Z", 1), ""), http.StatusNotFound)
	b.History.Change(func() { b.History.RunErr = rdb.ErrNoRunTables })
	consoletest.WantCode(t, b.Call(t, http.MethodGet, address, ""), http.StatusNotFound, "no_log")
}
