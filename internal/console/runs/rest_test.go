package runs

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestRunsOfREST: what the query says reaches the database and comes back into
// addresses; a run is answered with its executions and the runs beside it.
func TestRunsOfREST(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for asked, want := range map[string]rdb.RunFilter{
		"": {}, "job=invo&match=prefix": {JobPrefix: "invo"}, "state=failed&ip=10.2.0.14": {State: rdb.RunFailed, IP: "10.2.0.14"},
		"trigger=manual": {Trigger: tracing.TriggerManual}, "failure=timed+out&took=90": {FailureText: "timed out", MinDuration: 90 * time.Second},
		"from=2026-11-21T10:00&to=2026-11-21T10:00&started=in": {From: at, To: at, StartedIn: true},
	} {
		want.Limit = query.DefaultPageSize
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/runs?"+asked, ""), http.StatusOK)
		if diff := cmp.Diff(want, b.History.RunFilters[len(b.History.RunFilters)-1]); diff != "" {
			t.Errorf("%s (-want +got)\n%s", asked, diff)
		}
		if again, problems := query.ParseRuns(query.RunValues(want), query.DefaultPageSize); cmp.Diff(want, again) != "" || problems != nil {
			t.Errorf("%s becomes %+v, %v", asked, again, problems)
		}
	}
	for _, bad := range []string{"state=odd", "trigger=luck", "started=never", "from=soon", "took=long", "limit=0"} {
		for _, path := range []string{"/api/runs", "/api/runs/export", "/api/jobs/invoices/runs"} {
			consoletest.WantStatus(t, b.Call(t, http.MethodGet, path+"?"+bad, ""), http.StatusUnprocessableEntity)
		}
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/runs/export?format=xls", ""), http.StatusUnprocessableEntity)

	var list api.Runs
	b.Call(t, http.MethodGet, "/api/jobs/invoices/runs?limit=5", "").Into(t, &list)
	if len(list.Rows) != 5 || list.NextCursor == "" || list.Rows[0].ID != consoletest.SampleRun || !list.Rows[0].Grouped || list.Rows[0].Shards != 4 || len(list.Lacks) != 0 {
		t.Fatalf("%+v", list)
	}
	var one api.RunDetail
	b.Call(t, http.MethodGet, "/api/jobs/invoices/runs/"+list.Rows[1].ID, "").Into(t, &one)
	if one.ID != list.Rows[1].ID || len(one.Executions) != 4 || one.After != list.Rows[0].ID || one.Before != list.Rows[2].ID {
		t.Errorf("%+v", one)
	}
	b.History.Lacking = []string{"run_id"}
	b.Call(t, http.MethodGet, "/api/runs", "").Into(t, &list)
	if !slices.Equal(list.Lacks, []string{"run_id"}) {
		t.Errorf("lacks %v", list.Lacks)
	}
}

// TestExportOfRuns: an export has all runs of a filter, as JSON and as CSV, in which
// no cell is a formula; a guest sees no secrets in it.
func TestExportOfRuns(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	formulas := []string{"=1+1", "+1", "-1", "@SUM(A1)", " =cmd|' /C calc'!A0", "\t=1", "＝1", "a,\"b\"\nc", "plain", "password=hunter2"}
	b.History.Rows = nil
	for i, cause := range formulas {
		start := consoletest.Noon.Add(-time.Duration(i) * time.Minute)
		b.History.Rows = append(b.History.Rows, tracing.Execution{ID: fmt.Sprint(i), JobName: "=job", RunID: fmt.Sprintf("F%02d", i), Attempt: 1, StartTime: start, CompleteTime: start, FailureCause: cause})
	}
	var all api.RunsExport
	b.Call(t, http.MethodGet, "/api/runs/export?job==job", "").Into(t, &all)
	if len(all.Rows) != len(formulas) || !all.Complete || all.Rows[0].FailureCause != "=1+1" {
		t.Fatalf("%+v", all)
	}
	r := b.Call(t, http.MethodGet, "/api/runs/export?format=csv", "")
	rows, err := csv.NewReader(strings.NewReader(r.Body)).ReadAll()
	if err != nil || len(rows) != len(formulas)+1 || r.Header.Get("X-Complete") != "true" || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/csv") {
		t.Fatal(len(rows), err, r.Header)
	}
	for i, row := range rows[1:] {
		want := formulas[i]
		if i < 7 {
			want = "'" + want
		}
		if got := row[len(row)-1]; got != want || row[0] != "'=job" {
			t.Errorf("%q is %q, of %q", formulas[i], got, row[0])
		}
	}
	guest := b.Call(t, http.MethodGet, "/api/runs/export", "", "Authorization: Bearer "+b.Token(t, auth.RoleGuest, auth.ForAPI))
	if strings.Contains(guest.Body, "hunter2") || !strings.Contains(guest.Body, "plain") {
		t.Errorf("a guest gets %s", guest.Body)
	}
}
