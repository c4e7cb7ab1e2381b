package runs

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestW28RunPageOpensWithTheLog: the page of a scheduled run should open with the log of the failed shard's last
// attempt, and link to its full log in another program.
func TestW28RunPageOpensWithTheLog(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, _ := consoletest.TheRun()
	b.History.Rows = append(rows, b.History.Rows...)
	log := func(e tracing.Execution, texts ...string) {
		for i, text := range texts {
			b.History.Lines = append(b.History.Lines, tracing.LogLine{
				ExecutionID: e.ID, Seq: i + 1, RunID: e.RunID, JobName: e.JobName, Item: e.Item, Attempt: e.Attempt, At: e.StartTime.Add(time.Duration(i) * time.Second), Level: "INFO", Message: text,
			})
		}
	}
	log(rows[0], "before the loss")                                     // shard 5, attempt 1
	log(rows[1], "after the loss")                                      // shard 5, attempt 1, another instance
	log(rows[3], "reads the orders", "sends them with token=Canary-21") // shard 5, attempt 3
	log(rows[8], "shard 2")                                             // shard 2, attempt 3
	path := "/jobs/invoices/runs/" + rows[0].RunID
	doc := b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t)
	shard := doc.Find(`[data-testid="shard"]`)
	if got := logLines(b.As(t, auth.RoleRoot, http.MethodGet, path, nil), t); len(got) != 2 || !strings.HasSuffix(got[0], "INFO reads the orders") || !strings.Contains(got[1], "Canary-21") {
		t.Errorf("lines %q", got)
	}
	parts := shard.Find(`[data-testid="cause"], [data-testid="run-log"], [data-testid="attempts"]`)
	if parts.Length() != 3 || parts.Eq(0).AttrOr("data-testid", "") != "cause" || parts.Eq(1).AttrOr("data-testid", "") != "run-log" {
		t.Errorf("the log is not between the cause and the attempts: %d parts", parts.Length())
	}
	if tabs := consoletest.Words(shard.Find(`[data-testid="log-attempt"]`)); tabs != "Attempt 3 2 Attempt 1 2" || shard.Find(`[data-testid="log-full"]`).Length() != 0 {
		t.Errorf("attempts %q", tabs)
	}
	if got := logLines(b.As(t, auth.RoleRoot, http.MethodGet, path+"?shard=5&attempt=1", nil), t); len(got) != 2 || !strings.HasSuffix(got[0], "before the loss") || !strings.HasSuffix(got[1], "after the loss") {
		t.Errorf("lines of the first attempt %q", got)
	}
	if got := logLines(b.As(t, auth.RoleGuest, http.MethodGet, path, nil), t); len(got) != 2 || strings.Contains(got[1], "Canary") {
		t.Errorf("guests see %q", got)
	}
	none := b.As(t, auth.RoleRoot, http.MethodGet, path+"?shard=3", nil).Doc(t)
	if text := consoletest.Words(none.Find(`[data-testid="log-none"]`)); text != "Shard 3 has logged nothing." {
		t.Errorf("of a shard without a log it says %q", text)
	}
	wrong := b.As(t, auth.RoleRoot, http.MethodGet, path+"?attempt=x&lines=few", nil)
	consoletest.WantStatus(t, wrong, http.StatusOK)
	if !strings.Contains(wrong.Body, "few") {
		t.Error("a wrong parameter is not named")
	}
	link, err := app.ParseLogLink("https://logs.example.com/{job}/{shard}?a={attempt}&ip={ip}")
	if err != nil {
		t.Fatal(err)
	}
	b.Console.Options().LogLink = link
	doc = b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t)
	if full := doc.Find(`[data-testid="log-full"]`); full.AttrOr("href", "") != "https://logs.example.com/invoices/5?a=3&ip=10.0.4.11" || full.AttrOr("rel", "") != "noopener noreferrer" {
		t.Errorf("the full log is at %q", full.AttrOr("href", ""))
	}
	b.History.Change(func() { b.History.RunErr = rdb.ErrNoRunTables })
	doc = b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t)
	if text := consoletest.Words(doc.Find(`[data-testid="log-none"]`)); !strings.Contains(text, "console migrate") {
		t.Errorf("without tables it says %q", text)
	}
}

func logLines(page consoletest.Reply, t *testing.T) (lines []string) {
	t.Helper()
	page.Doc(t).Find(`[data-testid="log-lines"] .diff-line`).Each(func(_ int, s *goquery.Selection) { lines = append(lines, consoletest.Words(s)) })
	return lines
}
