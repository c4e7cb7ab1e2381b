package jobs

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestRunGridOfALengthOfTime: the address chooses the runs of the grid. If there are many, the newest are drawn with a
// note. An unknown value gets a hint.
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
