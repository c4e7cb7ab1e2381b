package jobs

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestListsShowWhatIsHeld: a job that is held says so in the list, with who holds it since
// when, can be asked for, and is counted on the overview, which has no number while nobody
// holds a job.
func TestListsShowWhatIsHeld(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	get := func(path string) consoletest.Reply { return b.As(t, auth.RoleGuest, http.MethodGet, path, nil) }
	if doc := get("/").Doc(t); doc.Find(`[data-testid="tile-held"]`).Length() != 0 {
		t.Error("the overview counts jobs that nobody holds")
	}
	if doc := get("/jobs").Doc(t); doc.Find(`[data-testid="tab-held"], [data-testid="held"]`).Length() != 0 {
		t.Error("the list shows what nobody holds")
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/hold", url.Values{"what": {"schedule"}, "reason": {"migration"}}), http.StatusSeeOther)

	tile := get("/").Doc(t).Find(`[data-testid="tile-held"]`)
	if got := strings.Join(strings.Fields(tile.Text()), " "); got != "1 Held" || tile.AttrOr("href", "") != "/jobs?state=held" {
		t.Errorf("the overview has %q, to %q", got, tile.AttrOr("href", ""))
	}
	if got := consoletest.Words(get("/").Doc(t).Find(`[data-testid="summary"]`)); !strings.HasPrefix(got, "29 jobs.") {
		t.Errorf("the summary leaves the held job out: %q", got)
	}
	list := get("/jobs?state=held")
	rows := list.Doc(t).Find(`[data-testid="jobs"] tbody tr`)
	if rows.Length() != 1 || rows.AttrOr("data-job", "") != "invoices" {
		t.Fatalf("%d rows, the first is %q", rows.Length(), rows.AttrOr("data-job", ""))
	}
	chip := rows.Find(`[data-testid="held"]`)
	if got := strings.Join(strings.Fields(chip.Text()), " "); !strings.HasPrefix(got, "Held by root, ") {
		t.Errorf("the row says %q", got)
	}
	if title := chip.AttrOr("title", ""); !strings.Contains(title, ": migration") || !strings.Contains(title, "Fire times pass without a run.") {
		t.Errorf("the title is %q", title)
	}
	if got := rows.Find(".next").Text(); strings.TrimSpace(got) != "held" {
		t.Errorf("the next fire is %q", got)
	}
	if got := list.Doc(t).Find(`[data-testid="tab-held"] `).Length(); got != 1 {
		t.Errorf("%d tabs", got)
	}
	if q := get("/jobs?q=state:held").Doc(t).Find(`[data-testid="jobs"] tbody tr`).Length(); q != 1 {
		t.Errorf("the filter state:held finds %d", q)
	}
	if wrong := get("/jobs?state=holding"); !strings.Contains(wrong.Body, "held, disabled") {
		t.Error("a wrong state is not answered with those that there are")
	}
}
