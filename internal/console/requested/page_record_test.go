package requested

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

func logLines(page consoletest.Reply, t *testing.T) (lines []string) {
	t.Helper()
	page.Doc(t).Find(`[data-testid="log-lines"] .diff-line`).Each(func(_ int, s *goquery.Selection) { lines = append(lines, consoletest.Words(s)) })
	return lines
}

// TestTheRecordOfARequestedRun: what happened to it, how far its shards are, and what
// they logged.
func TestTheRecordOfARequestedRun(t *testing.T) {
	eachRecord(t, func(t *testing.T, b *consoletest.Bench) {
		path := app.RequestedPath("invoices", consoletest.SampleActive)
		get := func(more string) consoletest.Reply {
			r := b.As(t, auth.RoleRoot, http.MethodGet, path+more, nil)
			consoletest.WantStatus(t, r, http.StatusOK)
			return r
		}
		page := get("")
		var steps []string
		page.Doc(t).Find(`[data-testid="requested-steps"] li`).Each(func(_ int, s *goquery.Selection) { steps = append(steps, consoletest.Words(s)) })
		want := []string{
			"11:59:07 UTC Requested billing, from code · 10.2.0.14@-@918", "11:59:47 UTC Queued billing", "11:59:48 UTC Began 10.2.0.14@-@918 8 shards",
			"11:59:56 UTC Instance lost 10.2.0.16@-@918 its session has ended",
		}
		if diff := cmp.Diff(want, steps); diff != "" {
			t.Errorf("steps (-want +got):\n%s", diff)
		}
		bars := page.Doc(t).Find(`progress`)
		if row := bars.Closest("tr"); bars.Length() != 1 || row.AttrOr("data-row", "") != "shard-5" || bars.AttrOr("value", "") != "0.425" || !strings.Contains(row.Text(), "42% · 1,700 of 4,000 invoices") || bars.AttrOr("aria-label", "") != "Progress of shard 5" {
			t.Errorf("%d bars: %s", bars.Length(), consoletest.Words(row))
		}
		// The log of the shard that failed, unless another one is asked for.
		lines := []string{
			"1 11:59:48.000 INFO reads the tenants", "2 11:59:49.000 WARN tenant 17 answers slowly: 7.5 s", "3 11:59:50.000 ERROR tenant 17: connection refused, token=Canary-21",
		}
		if diff := cmp.Diff(lines, logLines(page, t)); diff != "" {
			t.Errorf("log (-want +got):\n%s", diff)
		}
		if n := page.Doc(t).Find(`[data-testid="log-lines"] .text-bad`).Length(); n != 1 {
			t.Errorf("%d lines look like errors", n)
		}
		other := page.Doc(t).Find(`[data-testid="log-shard"]:not([aria-current])`).AttrOr("href", "")
		if other != path+"?shard=5#log" {
			t.Fatalf("the way to the other shard is %q", other)
		}
		if got := logLines(get("?shard=5"), t); len(got) != 2 || got[0] != "1 11:59:58.000 DEBUG cursor at 0" {
			t.Errorf("the other shard logged %q", got)
		}
		if got := get("?shard=0").Text(t, "log-none"); got != "Shard 0 has logged nothing." {
			t.Errorf("a shard without a log: %q", got)
		}
		if got := get("?shard=4&attempt=2").Text(t, "log-none"); got != "Shard 4 has logged nothing in attempt 2." {
			t.Errorf("an attempt without a log: %q", got)
		}
		if got := b.As(t, auth.RoleGuest, http.MethodGet, path, nil); strings.Contains(got.Body, "Canary") || len(logLines(got, t)) != 3 {
			t.Error("a guest sees a secret in the log, or no log")
		}
	})
}

// TestARunThatTheRegistryNoLongerHas is shown as the trace database has it, and can be
// requested again with its parameters.
func TestARunThatTheRegistryNoLongerHas(t *testing.T) {
	eachRecord(t, func(t *testing.T, b *consoletest.Bench) {
		path := app.RequestedPath("invoices", consoletest.SampleOld)
		page := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
		consoletest.WantStatus(t, page, http.StatusOK)
		doc := page.Doc(t)
		if got := page.Text(t, "requested-state"); got != "Failed" || page.Text(t, "from-database") == "" {
			t.Errorf("state %q", got)
		}
		if got := consoletest.Words(doc.Find(`[data-row="shard-4"]`)); got != "4 Failed tenant 17: connection refused" {
			t.Errorf("the shard that failed: %q", got)
		}
		if got := doc.Find(`[data-testid="requested-params"]`).Text(); !strings.Contains(got, "2026-08") {
			t.Errorf("parameters %q", got)
		}
		if live := doc.Find("body").AttrOr("data-live", ""); live != "0" || doc.Find("[data-live-end]").Length() != 1 {
			t.Error("a run of the past is looked at again and again")
		}
		again := b.As(t, auth.RoleRoot, http.MethodGet, doc.Find(`[data-testid="again-run"]`).AttrOr("href", ""), nil)
		if fields := consoletest.Fields(t, again, "request-form"); fields.Get("p.month") != "2026-08" {
			t.Errorf("the form has %v", fields)
		}
		if guest := b.As(t, auth.RoleGuest, http.MethodGet, path, nil); strings.Contains(guest.Body, "Munich") || strings.Contains(guest.Body, "118000118000") || !strings.Contains(guest.Body, "2026-08") {
			t.Error("a guest sees secret parameters or results")
		}
		unknown := app.RequestedPath("invoices", strings.Replace(consoletest.SampleOld, "d1", "d2", 1))
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, unknown, nil), http.StatusNotFound)
	})
}

// TestThePageSaysWhatTheDatabaseLacks in one line, and shows the rest.
func TestThePageSaysWhatTheDatabaseLacks(t *testing.T) {
	t.Parallel()
	none := consoletest.New(t, func(o *app.Options) { o.History = nil })
	lacks, away := consoletest.New(t), consoletest.New(t)
	lacks.History.RunErr, away.History.RunErr = rdb.ErrNoRunTables, fmt.Errorf("connection refused")
	for want, b := range map[string]*consoletest.Bench{"this console has none": none, "`console migrate`": lacks, "does not answer": away} {
		page := b.As(t, auth.RoleRoot, http.MethodGet, app.RequestedPath("invoices", consoletest.SampleActive), nil)
		consoletest.WantStatus(t, page, http.StatusOK)
		if got := page.Text(t, "log-none"); !strings.Contains(got, want) {
			t.Errorf("the page says %q, not %q", got, want)
		}
		if n := page.Doc(t).Find(`[data-testid="requested-steps"] li`).Length(); n != 3 {
			t.Errorf("%s: %d steps", want, n)
		}
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, app.RequestedPath("invoices"), nil), http.StatusOK)
	}
	for b, status := range map[*consoletest.Bench]int{none: http.StatusNotFound, lacks: http.StatusNotFound, away: http.StatusServiceUnavailable} {
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, app.RequestedPath("invoices", consoletest.SampleOld), nil), status)
	}
}

// TestLongLogs: of a run that goes on the end is shown, of one that has ended more, and
// everything if it is asked for; numbers that are missing take none away.
func TestLongLogs(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Lines = nil
	add := func(execution string, shard, attempt, seq int) {
		b.History.Lines = append(b.History.Lines, tracing.LogLine{
			ExecutionID: execution, Seq: seq, RunID: consoletest.SampleActive, JobName: "invoices", Item: shard, Attempt: attempt, At: consoletest.Noon.Add(time.Duration(len(b.History.Lines)) * time.Millisecond), Level: "INFO", Message: fmt.Sprint(execution, "/", seq),
		})
	}
	for seq := range 1000 {
		add("lost", 4, 1, seq+1)
	}
	for seq := range 100 {
		add("next", 4, 1, seq+9001) // 9,000 were left out
	}
	add("later", 4, 2, 1)
	page := app.RequestedPath("invoices", consoletest.SampleActive) + "?shard=4&attempt=1"
	show := func(more string) (lines []string, sub string) {
		r := b.As(t, auth.RoleRoot, http.MethodGet, page+more, nil)
		return logLines(r, t), r.Text(t, "log-sub")
	}
	lines, sub := show("")
	if len(lines) != pageui.FollowedLines || !strings.HasSuffix(lines[pageui.FollowedLines-1], "next/9100") || sub != "the last 18 of 1,100 lines" {
		t.Errorf("%d lines, %q", len(lines), sub)
	}
	if lines, sub := show("&lines=all"); len(lines) != 1100 || !strings.HasSuffix(lines[0], "lost/1") || sub != "1,100 lines" {
		t.Errorf("all are %d, %q", len(lines), sub)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Requested[0].State, f.Requested[0].Ended, f.Requested[0].Claims = jobrun.Succeeded, consoletest.Noon, nil
	})
	if lines, _ := show(""); len(lines) != 200 || !strings.HasSuffix(lines[0], "lost/901") {
		t.Errorf("of a run that has ended %d", len(lines))
	}
	tabs := b.As(t, auth.RoleRoot, http.MethodGet, page, nil).Doc(t).Find(`[data-testid="log-attempt"]`)
	if got := consoletest.Words(tabs); got != "Attempt 2 1 Attempt 1 1100" {
		t.Errorf("attempts %q", got)
	}
	for shard := range 16 {
		add(fmt.Sprint("many-", shard), 10+shard, 1, 1)
	}
	if n := b.As(t, auth.RoleRoot, http.MethodGet, page, nil).Doc(t).Find(`[data-testid="log-form"]`).Length(); n != 1 {
		t.Error("nobody can ask for one of many shards")
	}
}

// TestOlderRunsAreListed page by page, each once, whatever the registry has of them.
func TestOlderRunsAreListed(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	old := b.History.OldRuns[0]
	b.History.OldRuns = nil
	want := []string{consoletest.SampleActive, consoletest.SampleRequest, consoletest.SampleEnded}
	for _, id := range want { // the database has them as well
		r := old
		r.ID = id
		b.History.OldRuns = append(b.History.OldRuns, r)
	}
	for i := range 150 {
		r := old
		r.ID, r.Submitted = fmt.Sprintf("0193a5b0-7c00-7000-8000-%012d", i), old.Submitted.Add(-time.Duration(i)*time.Minute)
		b.History.OldRuns = append(b.History.OldRuns, r)
		want = append(want, r.ID)
	}
	lost := old
	lost.ID, lost.State = "0193a5b0-7c00-7000-8000-999999999999", "running" // Its end wasn't recorded.
	b.History.OldRuns = append(b.History.OldRuns, lost)
	want = append(want, lost.ID)
	var got []string
	at, pages := app.RequestedPath("invoices"), 0
	for ; at != "" && pages < 10; pages++ {
		doc := b.As(t, auth.RoleRoot, http.MethodGet, at, nil).Doc(t)
		doc.Find(`[data-testid="requested-run"]`).Each(func(_ int, s *goquery.Selection) { got = append(got, s.AttrOr("data-row", "")) })
		at = doc.Find(`.pager a:contains("More")`).AttrOr("href", "")
	}
	if diff := cmp.Diff(want, got); diff != "" || pages < 3 {
		t.Errorf("%d pages (-want +got):\n%s", pages, diff)
	}
	b.History.RunErr = fmt.Errorf("connection refused")
	if n := b.As(t, auth.RoleRoot, http.MethodGet, app.RequestedPath("invoices"), nil).Doc(t).Find(`[data-testid="requested-run"]`).Length(); n != 3 {
		t.Errorf("without the database %d runs are listed", n)
	}
}

func TestStepsAreSaidInChinese(t *testing.T) {
	t.Parallel()
	for english, want := range map[string]string{
		"8 shards": "8 个分片", "shards 0, 3": "分片 0, 3", "shard 2": "分片 2", "snoozed by its handler": "被处理函数推迟", "an instance released it": "实例释放了它",
		"attempt 2 of 3 follows: shard 4: no\nroute": "第 2 次尝试（共 3 次）随后进行：shard 4: no\nroute", "10.0.0.7@-@17 lost its session during the run: shard 2": "10.0.0.7@-@17 在运行期间丢失会话：shard 2",
		"its end was not recorded, and the registry no longer has it; it was last seen running": "它的结束没有被记录，注册中心也已不再保留它",
		"an instance left during the run": "有实例在运行期间丢失会话", "10.0.0.7@-@17 ended during the run: shard 2": "10.0.0.7@-@17 在运行期间丢失会话：shard 2", // by earlier versions
	} {
		if got := reasonIn(i18n.Chinese, english); got != want {
			t.Errorf("%s: %s, want %s", english, got, want)
		}
	}
}
