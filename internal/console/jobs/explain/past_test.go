package explain

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestExplainAPastTime: the page answers what became of a fire time with a statement,
// and leads to the run; a time that is none is said, and the rest is there.
func TestExplainAPastTime(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, _ := consoletest.TheRun()
	b.History.Rows = rows // of 11:50, nothing else
	get := func(role auth.Role, at string) consoletest.Reply {
		return b.As(t, role, http.MethodGet, "/jobs/invoices/explain?at="+at, nil)
	}
	ran := get(auth.RoleGuest, "2026-11-21T11:50").Doc(t)
	if got := ran.Find("h1").Text(); got != "The job was due at 2026-11-21 11:50:00 UTC, and 2 of 7 shards of its run failed." {
		t.Errorf("heading %q", got)
	}
	if href := ran.Find(`[data-testid="past-run"]`).AttrOr("href", ""); href != "/jobs/invoices/runs/"+rows[0].RunID {
		t.Errorf("leads to %q", href)
	}
	if got := consoletest.Words(ran.Find(`[data-testid="happened"]`)); !strings.Contains(got, "A run began: 7 shards.") || !strings.Contains(got, "A run ended: Failed.") {
		t.Errorf("around: %q", got)
	}
	missed := get(auth.RoleRoot, "2026-11-21T11:40")
	if got := missed.Doc(t).Find(`[data-testid="past"]`).AttrOr("data-verdict", ""); got != "no_record" || !strings.Contains(missed.Text(t, "past-reasons"), "doesn't have runs on record both") {
		t.Errorf("verdict %q, because %q", got, missed.Text(t, "past-reasons"))
	}
	if strings.Contains(missed.Text(t, "past-unknown"), "admins only") || !strings.Contains(get(auth.RoleGuest, "2026-11-21T11:40").Text(t, "past-unknown"), "admins only") {
		t.Error("who may not see the audit does not read so, or somebody else does")
	}
	for _, wrong := range []string{"yesterday", "2099-01-01T00:00", "0001-01-01T00:00"} {
		r := get(auth.RoleGuest, wrong)
		if !strings.Contains(r.Body, `data-testid="query-hint"`) || r.Doc(t).Find(`[data-testid="explanation"], [data-testid="past-form"]`).Length() != 2 {
			t.Errorf("%s: no hint, or not the rest", wrong)
		}
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/none/explain?at=2026-11-21T11:40", nil), http.StatusNotFound)
}
