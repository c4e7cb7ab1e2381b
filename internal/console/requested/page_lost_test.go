package requested

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestW03ThePageOfARunWhoseEndIsNotRecorded: the database has it as running, and the registry doesn't
// have it. No page shows it as running, its time doesn't grow, and it can be run again.
func TestW03ThePageOfARunWhoseEndIsNotRecorded(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	old := &b.History.OldRuns[0]
	old.State, old.Reason, old.Ended, old.Error = "running", "", time.Time{}, ""
	page := b.As(t, auth.RoleRoot, http.MethodGet, app.RequestedPath("invoices", consoletest.SampleOld), nil)
	consoletest.WantStatus(t, page, http.StatusOK)
	doc := page.Doc(t)
	if state, why := page.Text(t, "requested-state"), page.Text(t, "requested-reason"); state != "Unknown" || !strings.Contains(why, "its end was not recorded") {
		t.Errorf("state %q, %q", state, why)
	}
	if strings.Contains(page.Body, "Took") || doc.Find("body").AttrOr("data-live", "") != "0" || doc.Find(`[data-testid="cancel-run"]`).Length() != 0 {
		t.Error("its time grows, or it can be cancelled")
	}
	again := b.As(t, auth.RoleRoot, http.MethodGet, doc.Find(`[data-testid="again-run"]`).AttrOr("href", ""), nil)
	if fields := consoletest.Fields(t, again, "request-form"); fields.Get("p.month") != "2026-08" {
		t.Errorf("the form has %v", fields)
	}
	list := b.As(t, auth.RoleRoot, http.MethodGet, app.RequestedPath("invoices"), nil).Doc(t)
	row := consoletest.Words(list.Find(`[data-row="` + consoletest.SampleOld + `"]`))
	if !strings.Contains(row, "Unknown") || strings.Contains(row, "Running") {
		t.Errorf("the list has %q", row)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ReadErr = errors.New("connection refused") })
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, app.RequestedPath("invoices", consoletest.SampleOld), nil), http.StatusServiceUnavailable)
}
