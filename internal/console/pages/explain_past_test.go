package pages

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
)

// TestExplainAPastTime: the page answers what became of a fire time with a statement,
// and leads to the run; a time that is none is said, and the rest is there.
func TestExplainAPastTime(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, _ := theRun()
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

// TestTheMomentOfALoss: an instance that left while a run went on is a line through all
// lanes, the lost part ends there, and the failover says how long after.
func TestTheMomentOfALoss(t *testing.T) {
	t.Parallel()
	rows, _ := theRun()
	d := drawingOf(rows)
	d.departures([]members.Event{
		{At: rows[0].StartTime.Add(72 * time.Second), Kind: members.Left, Instance: "10.0.3.22@-@77"},
		{At: rows[0].StartTime.Add(72 * time.Second), Kind: members.Left, Instance: "10.9.9.9@-@1"}, // had no part in it
		{At: rows[0].StartTime.Add(-time.Second), Kind: members.Left, Instance: "10.0.3.22@-@77"},
	})
	if len(d.Left) != 1 {
		t.Fatalf("%d losses", len(d.Left))
	}
	bars := d.Bars(d.ByShard()[0]) // shard 5: lost, then three attempts elsewhere
	if end, want := bars[0].End(), d.At(d.Left[0].At); end < want-0.01 || end > want+0.01 {
		t.Errorf("the lost part ends at %v, want %v", end, want)
	}
	if bars[1].Title != "failed over, 5.8 s after the loss" {
		t.Errorf("failover: %q", bars[1].Title)
	}
	d = drawingOf(rows[:1]) // No other instance has begun the shard again.
	left := rows[0].StartTime.Add(72 * time.Second)
	d.departures([]members.Event{
		{At: left.Add(time.Hour), Kind: members.Left, Instance: "10.0.3.22@-@77"}, // after it had come back
		{At: left, Kind: members.Left, Instance: "10.0.3.22@-@77"},
	})
	if len(d.Left) != 1 || !d.Until().Equal(left) || len(d.props(layout.Frame{}, nil).Losses) != 1 {
		t.Errorf("a shard that waits: %v, until %s", d.Left, d.Until())
	}
}

func drawingOf(rows []tracing.Execution) runDrawing {
	return runDrawing{RunTimeline: pageui.RunTimeline{Run: rdb.GroupRuns(rows)[0], Lang: i18n.English, Now: consoletest.Noon, Opened: -1}}
}
