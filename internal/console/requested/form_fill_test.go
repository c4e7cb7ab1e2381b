package requested

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestFillFromLastRun: a link fills the fields in as the newest run with parameters was
// requested, and nothing else; without one the form says so.
func TestFillFromLastRun(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	form := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/run", nil)
	link := form.Doc(t).Find(`[data-testid="fill-last"]`).AttrOr("href", "")
	filled := b.As(t, auth.RoleRoot, http.MethodGet, link, nil)
	consoletest.WantStatus(t, filled, http.StatusOK)
	if !strings.HasPrefix(filled.Text(t, "request-filled"), "Parameters Filled in as run ") {
		t.Errorf("%q", filled.Text(t, "request-filled"))
	}
	if fields := consoletest.Fields(t, filled, "request-form"); fields.Get("p.month") == "" && fields.Get("params") == "" || fields.Get("again") != "" || fields.Get("note") != "" {
		t.Errorf("filled in: %v", fields)
	}
	none := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/settlement.daily/run?fill=last", nil)
	if got := none.Text(t, "request-filled"); !strings.Contains(got, "No requested run with parameters is kept.") {
		t.Errorf("without a run: %q", got)
	}
}
