package runs

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
)

// TestRunPage: the page of a run says how it is, shows a lane for each shard with
// its attempts, losses and failovers, and has the shard that failed open.
func TestRunPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, steps := consoletest.TheRun()
	b.History.Rows, b.History.Steps = append(rows, b.History.Rows...), steps
	path := "/jobs/invoices/runs/" + rows[0].RunID
	doc := b.As(t, auth.RoleGuest, http.MethodGet, path, nil).Doc(t)
	if head := consoletest.Fold(doc.Find("h1").Text()); head != "invoices: run of 11:50:00 UTC" {
		t.Errorf("heading %q", head)
	}
	facts := consoletest.Fold(doc.Find(`[data-testid="run-facts"]`).Text())
	for _, want := range []string{"Scheduled2026-11-21 11:50:00 UTC", "Started+200 ms", "Ended11:53:", "Duration3 min 22 s", "TriggerSchedule", "Attempts13 for 7 shards", "Failed over2 shards"} {
		if !strings.Contains(facts, want) {
			t.Errorf("no %q in %q", want, facts)
		}
	}
	if state := consoletest.Words(doc.Find(`header [data-testid="health"]`)); state != "Failed 2 of 7 shards failed" {
		t.Errorf("beside the name stands %q", state)
	}
	lanes := doc.Find(`[data-testid="lane"]`)
	if lanes.Length() != 7 {
		t.Fatalf("%d lanes", lanes.Length())
	}
	slowest := lanes.First()
	if label := slowest.Find(".sr").Text(); label != "Shard 5, Failed" || slowest.Find(".mark-bad").Length() != 3 || slowest.Find(".mark-lost").Length() != 1 ||
		slowest.Find(".mark-hop").Length() != 1 || slowest.Find(`rect[fill="url(#hatch)"]`).Length() != 2 || !strings.Contains(slowest.Text(), "10.0.3.22 → 10.0.4.11") {
		t.Errorf("%q: %s", label, consoletest.Fold(slowest.Text()))
	}
	shard := doc.Find(`[data-testid="shard"]`)
	if shard.Find("h2").Text() != "Shard 5" || shard.Find(`[data-testid="cause"]`).Text() != "POST https://mail.internal/v2/send: 503 Service Unavailable" ||
		!strings.Contains(shard.Text(), "1 other shard of this run failed alike") || shard.Find("tbody tr").Length() != 6 {
		t.Errorf("%s", consoletest.Fold(shard.Text()))
	}
	var numbers []string
	shard.Find(`tr > [data-label="Attempt"]`).Each(func(_ int, cell *goquery.Selection) { numbers = append(numbers, cell.Text()) })
	if got := strings.Join(numbers, " "); got != "– 1 2 3" {
		t.Errorf("attempts %q, want that one that was lost has no number", got)
	}
	if trail := consoletest.Fold(doc.Find(`[data-testid="trail"] li`).First().Text()); !strings.Contains(trail, "STAGING 10.0.4.11 step 0") {
		t.Errorf("trail begins with %q", trail)
	}
	if html, _ := doc.Html(); strings.Contains(html, "style=") {
		t.Error("a style of its own, which the policy forbids")
	}

	other := b.As(t, auth.RoleGuest, http.MethodGet, path+"?shard=3", nil).Doc(t)
	if got := other.Find(`[data-testid="shard"] h2`).Text(); got != "Shard 3" {
		t.Errorf("opened %q", got)
	}
	zh := b.As(t, auth.RoleGuest, http.MethodGet, path, nil, func(r *http.Request) { r.Header.Set("Accept-Language", "zh-CN") }).Doc(t)
	if text := zh.Find("main").Text(); !strings.Contains(text, "时间线") || !strings.Contains(text, "3 分 22 秒") || strings.Contains(text, "Timeline") {
		t.Errorf("in Chinese: %s", consoletest.Fold(text))
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/runs/F77", nil), http.StatusNotFound)
	consoletest.WantStatus(t, b.As(t, "", http.MethodGet, path, nil), http.StatusSeeOther)
}

// TestRunPageOfJava: executions that do not name their run make a page that says so,
// and each execution of a list leads to its run.
func TestRunPageOfJava(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	list := b.As(t, auth.RoleGuest, http.MethodGet, "/executions?job=invoices", nil).Doc(t)
	href, _ := list.Find(`[data-testid="to-run"]`).First().Attr("href")
	if !strings.HasPrefix(href, "/jobs/invoices/runs/"+consoletest.SampleRun+"?shard=") {
		t.Fatalf("leads to %q", href)
	}
	doc := b.As(t, auth.RoleGuest, http.MethodGet, href, nil).Doc(t)
	if doc.Find(`[data-testid="run-grouped"]`).Length() != 1 || doc.Find(`[data-testid="lane"]`).Length() != 4 || doc.Find(`[data-testid="run-before"]`).Length() != 1 {
		t.Errorf("%s", consoletest.Fold(doc.Find("main").Text()))
	}
	b.History.Lacking = []string{"run_id", "trigger"}
	doc = b.As(t, auth.RoleGuest, http.MethodGet, href, nil).Doc(t)
	if text := doc.Find(`[data-testid="run-lacks"]`).Text(); !strings.Contains(text, "run_id, trigger") {
		t.Errorf("%q", text)
	}
}

// TestRunOfManyShards: a run of more shards than are drawn has lanes for the slowest
// and for all that did not succeed, and shows the others when asked.
func TestRunOfManyShards(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Rows = nil
	for item := range 400 {
		e := tracing.Execution{ID: fmt.Sprint(item), JobName: "invoices", RunID: "F1", Attempt: 1, Item: item, IP: "10.0.0.1", StartTime: consoletest.Noon.Add(-time.Minute), Success: item != 3}
		e.CompleteTime = e.StartTime.Add(time.Second + time.Duration(item)*time.Millisecond)
		b.History.Rows = append(b.History.Rows, e)
	}
	for query, want := range map[string]int{"": 31, "?lanes=all": 400, "?shard=77": 32} {
		doc := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/runs/F1"+query, nil).Doc(t)
		if got := doc.Find(`[data-testid="lane"]`).Length(); got != want {
			t.Errorf("%q: %d lanes, want %d", query, got, want)
		}
		if more := doc.Find(`[data-testid="lanes-all"]`).Length(); more != 1 && want < 400 || more > 0 && want == 400 {
			t.Errorf("%q: %d links to all", query, more)
		}
	}
}

// TestRunGrid: the page of a job shows its last runs by shard, the newest at the
// right; each leads to its page.

// TestTheMomentOfALoss: an instance that left while a run went on is a line through all
// lanes, the lost part ends there, and the failover says how long after.
func TestTheMomentOfALoss(t *testing.T) {
	t.Parallel()
	rows, _ := consoletest.TheRun()
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
	if end, want := bars[0].End(), d.At(d.Left[0].At); end < want-0.0001 || end > want+0.0001 {
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
	if len(d.Left) != 1 || !d.Until().Equal(left) || len(d.props(layout.Frame{}, nil).Timeline.Losses) != 1 {
		t.Errorf("a shard that waits: %v, until %s", d.Left, d.Until())
	}
}

func drawingOf(rows []tracing.Execution) drawing {
	return drawing{RunTimeline: pageui.RunTimeline{Run: rdb.GroupRuns(rows)[0], Lang: i18n.English, Now: consoletest.Noon, Opened: -1}}
}
