package runs

import (
	"net/http"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestTheHistoryOfARequestedRun: the page leads to the executions if the history has
// them under the id of the run.
func TestTheHistoryOfARequestedRun(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	page := app.RequestedPath("invoices", consoletest.SampleActive)
	if n := b.As(t, auth.RoleRoot, http.MethodGet, page, nil).Doc(t).Find(`[data-testid="to-executions"]`).Length(); n != 0 {
		t.Error("the page leads to executions that there are not")
	}
	rows, _ := consoletest.TheRun()
	for i := range rows {
		rows[i].JobName, rows[i].RunID = "invoices", consoletest.SampleActive
	}
	b.History.Rows = append(b.History.Rows, rows...)
	to := b.As(t, auth.RoleRoot, http.MethodGet, page, nil).Doc(t).Find(`[data-testid="to-executions"]`).AttrOr("href", "")
	if to != "/jobs/invoices/runs/"+consoletest.SampleActive {
		t.Errorf("the page leads to %q", to)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, to, nil), http.StatusOK)
	parent := b.As(t, auth.RoleRoot, http.MethodGet, app.RequestedPath("invoices", consoletest.SampleEnded), nil).Doc(t).Find(`[data-testid="to-parent"]`)
	if parent.AttrOr("href", "") != app.RequestedPath("invoices", consoletest.SampleRequest) {
		t.Error("the page does not lead to the run that was repeated")
	}
}

// TestRerunFromARun: root finds the shards that failed on the page of the run, a
// guest does not.
func TestRerunFromARun(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, steps := consoletest.TheRun()
	b.History.Rows, b.History.Steps = append(rows, b.History.Rows...), steps
	path := "/jobs/invoices/runs/" + rows[0].RunID
	doc := b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t)
	failed := doc.Find(`[data-testid="rerun-failed"]`)
	if got := consoletest.Words(failed); got != "Run 2 failed shards again…" {
		t.Errorf("button %q", got)
	}
	if got, want := failed.AttrOr("href", ""), "/jobs/invoices/run?item=2&item=5&run="+rows[0].RunID; got != want {
		t.Errorf("leads to %q, want %q", got, want)
	}
	if got := consoletest.Words(doc.Find(`[data-testid="rerun"]`)); got != "Run shard 5 again…" {
		t.Errorf("button of the shard %q", got)
	}
	guest := b.As(t, auth.RoleGuest, http.MethodGet, path, nil).Doc(t)
	if n := guest.Find(`[data-testid="rerun"], [data-testid="rerun-failed"]`).Length(); n > 0 {
		t.Errorf("a guest sees %d buttons", n)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/run?item=0", nil), http.StatusForbidden)
}
