package pages

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// theRun is what the page of a run has to tell: seven shards, of which two failed
// after three attempts each, and two were lost with their instance and ran again
// elsewhere.
func theRun() (rows []tracing.Execution, steps []tracing.Status) {
	fire := consoletest.Noon.Add(-10 * time.Minute).Truncate(time.Minute)
	add := func(item, attempt int, ip string, after, took float64, cause string) {
		e := tracing.Execution{ID: fmt.Sprintf("x-%d-%d", item, len(rows)), JobName: "invoices", Item: item, IP: ip, Hostname: "worker-" + ip[len(ip)-2:], RunID: fmt.Sprintf("F%d", fire.UnixMilli()),
			Attempt: attempt, Trigger: tracing.TriggerSchedule, ScheduledAt: fire, Source: tracing.SourceNormal, TaskID: "invoices@-@0,1,2@-@READY@-@" + ip + "@-@77",
			StartTime: fire.Add(time.Duration(after*1000) * time.Millisecond)}
		if attempt == 1 && after > 1 {
			e.Trigger, e.Source = tracing.TriggerFailover, tracing.SourceFailover
		}
		if e.Lost = took == 0; !e.Lost {
			e.CompleteTime, e.FailureCause, e.Success = e.StartTime.Add(time.Duration(took*1000)*time.Millisecond), cause, cause == ""
		}
		rows = append(rows, e)
	}
	const mail = "POST https://mail.internal/v2/send: 503 Service Unavailable\n{\"error\":\"upstream unavailable\"}"
	add(5, 1, "10.0.3.22", 0.2, 0, "")
	add(5, 1, "10.0.4.11", 78, 40.1, mail)
	add(5, 2, "10.0.4.11", 128, 32, mail)
	add(5, 3, "10.0.4.11", 180, 23, mail)
	add(4, 1, "10.0.3.22", 0.2, 0, "")
	add(4, 1, "10.0.3.23", 121, 64, "")
	add(2, 1, "10.0.3.23", 0.2, 31, mail)
	add(2, 2, "10.0.3.23", 41, 29, mail)
	add(2, 3, "10.0.3.23", 90, 31, mail)
	add(3, 1, "10.0.3.23", 0.3, 88, "")
	add(1, 1, "10.0.4.11", 0.2, 71, "")
	add(0, 1, "10.0.4.11", 0.2, 64, "")
	add(6, 1, "10.0.3.21", 0.3, 59.1, "")
	for i, state := range []tracing.State{tracing.StateStaging, tracing.StateRunning, tracing.StateError} {
		steps = append([]tracing.Status{{ID: fmt.Sprint(i), JobName: "invoices", TaskID: rows[0].TaskID, SlaveID: "10.0.4.11", State: state, CreationTime: fire.Add(time.Duration(i) * time.Second), Message: fmt.Sprintf("step %d", i)}}, steps...)
	}
	return rows, steps
}

// TestRunPage: the page of a run says how it is, shows a lane for each shard with
// its attempts, losses and failovers, and has the shard that failed open.
func TestRunPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, steps := theRun()
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
// TestRunGridOfALengthOfTime: the address says which runs the grid has; of many the newest
// are drawn and it says so, and what it does not know is named.
func TestRunGridOfALengthOfTime(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Rows = nil
	for i := range 130 { // the last of them a day and a half ago
		start := consoletest.Noon.Add(-time.Duration(i+1) * 17 * time.Minute)
		b.History.Rows = append(b.History.Rows, tracing.Execution{ID: fmt.Sprint(i), JobName: "invoices", RunID: fmt.Sprint("R", i), StartTime: start, CompleteTime: start.Add(time.Second), Success: true})
	}
	for _, c := range []struct {
		language, last, picked, sub string
		runs                        int
	}{
		{"en", "", "last 38", "the last 38 runs, newest at the right", 38},
		{"en", "6h", "6 h", "21 runs of the last 6 h, newest at the right", 21},
		{"en", "24h", "24 h", "84 runs of the last 24 h, newest at the right", 84},
		{"en", "7d", "7 d", "the newest 100 runs of the last 7 d; there are more", 100},
		{"zh-CN", "7d", "7 天", "最近 7 天 中最新的 100 次运行；还有更多", 100},
		{"en", "5w", "last 38", "the last 38 runs, newest at the right", 38},
	} {
		doc := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices?last="+c.last, nil, func(r *http.Request) { r.Header.Set("Accept-Language", c.language) }).Doc(t)
		card := doc.Find(`[data-region="grid"]`)
		if n := card.Find(`[data-testid="run-grid"] a`).Length(); n != c.runs || !strings.Contains(consoletest.Words(card), c.sub) {
			t.Errorf("last=%s: %d runs: %.200s", c.last, n, consoletest.Words(card))
		}
		if got := card.Find(`.seg [aria-current]`).Text(); got != c.picked {
			t.Errorf("last=%s: %q is picked", c.last, got)
		}
		hint := doc.Find(`[data-testid="query-hint"]`).Text()
		if (c.last == "5w") != strings.Contains(hint, `last "5w" is unknown (use one of 6h, 24h, 7d)`) {
			t.Errorf("last=%s: the hint is %q", c.last, hint)
		}
		if doc.Find(`[data-testid="run"]`).Length() != recentRuns {
			t.Errorf("last=%s: the recent runs are others", c.last)
		}
	}
	for i := range b.History.Rows {
		b.History.Rows[i].StartTime = b.History.Rows[i].StartTime.Add(-10 * time.Hour)
		b.History.Rows[i].CompleteTime = b.History.Rows[i].StartTime
	}
	quiet := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices?last=6h", nil)
	if got := quiet.Text(t, "grid-none"); got != "No run in the last 6 h." || quiet.Doc(t).Find(`[data-region="grid"] .seg a`).Length() != 4 {
		t.Errorf("without a run in the time: %q", got)
	}
}

func TestRunGrid(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	doc := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices", nil).Doc(t)
	grid := doc.Find(`[data-testid="run-grid"]`)
	links := grid.Find("a")
	if rows := grid.Find(".rungrid-row").Length(); rows != 4 || links.Length() != 18 {
		t.Fatalf("%d rows, %d runs", rows, links.Length())
	}
	if href, _ := links.Last().Attr("href"); href != "/jobs/invoices/runs/"+consoletest.SampleRun {
		t.Errorf("the newest leads to %q", href)
	}
	if label := links.Last().Find("title").Text(); !strings.HasPrefix(label, "2026-11-21 11:59:07 UTC: Succeeded, ") {
		t.Errorf("it is %q", label)
	}
	b.History.Rows = nil
	for item := range 60 {
		e := tracing.Execution{ID: fmt.Sprint(item), JobName: "invoices", RunID: "F1", Item: item, StartTime: consoletest.Noon.Add(-time.Minute), Success: item != 50}
		e.CompleteTime = e.StartTime.Add(time.Second)
		b.History.Rows = append(b.History.Rows, e)
	}
	grid = b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices", nil).Doc(t).Find(`[data-region="grid"]`)
	if rows := grid.Find(".rungrid-row"); rows.Length() != 24 || rows.Last().Text() != "50" || !strings.Contains(grid.Text(), "36 more shards") {
		t.Errorf("%d rows, the last is %q", rows.Length(), rows.Last().Text())
	}
}
