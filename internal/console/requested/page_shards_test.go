package requested

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// attemptsOf are executions of [consoletest.SampleActive]: shard 0 succeeds at once, and shard 1 once in so many
// attempts, after a loss in the first.
func attemptsOf(failures int) (rows []tracing.Execution) {
	add := func(shard, attempt int, ip, cause string, lost bool) {
		at := consoletest.Noon.Add(-10*time.Minute + time.Duration(len(rows))*time.Minute)
		e := tracing.Execution{
			ID: "r" + string(rune('a'+len(rows))), JobName: "invoices", RunID: consoletest.SampleActive, Item: shard, Attempt: attempt, IP: ip, StartTime: at, TaskID: "t",
			Trigger: tracing.TriggerAPI, Success: cause == "" && !lost, FailureCause: cause, Lost: lost,
		}
		if !lost {
			e.CompleteTime = at.Add(30 * time.Second)
		}
		rows = append(rows, e)
	}
	add(0, 1, "10.2.0.14", "", false)
	add(1, 1, "10.2.0.15", "", true)
	for n := range failures {
		add(1, n+1, "10.2.0.14", "no paper\nstack", false)
	}
	return rows
}

// TestW30ARunBetweenAttempts: a run that waits for its next attempt should be Retrying, and show each shard with each
// attempt, and the lanes that a scheduled run has.
func TestW30ARunBetweenAttempts(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Rows = append(attemptsOf(1), b.History.Rows...)
	b.History.Lines = []tracing.LogLine{{ExecutionID: "ra", Seq: 1, RunID: consoletest.SampleActive, JobName: "invoices", Attempt: 1, At: consoletest.Noon, Level: "INFO", Message: "of shard 0"}, {ExecutionID: "rc", Seq: 1, RunID: consoletest.SampleActive, JobName: "invoices", Item: 1, Attempt: 1, At: consoletest.Noon, Level: "INFO", Message: "prints"}}
	i := slices.IndexFunc(b.Registry.Requested, func(r jobrun.Run) bool { return r.ID == consoletest.SampleActive })
	run := &b.Registry.Requested[i]
	run.State, run.Attempt, run.Retries, run.Due = jobrun.Scheduled, 2, 2, consoletest.Noon.Add(time.Minute)
	run.Total, run.OK, run.Failed, run.Waiting, run.Claims, run.Errors, run.Results = 0, nil, nil, nil, nil, nil, nil
	path := app.RequestedPath("invoices", consoletest.SampleActive)
	page := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
	doc := page.Doc(t)
	if state := consoletest.Words(doc.Find(`header [data-testid="health"]`)); state != "Retrying attempt 2 of 3 follows" {
		t.Errorf("the state is %q", state)
	}
	var rows []string
	doc.Find(`[data-testid="requested-shards"] tbody tr`).Each(func(_ int, s *goquery.Selection) { rows = append(rows, consoletest.Words(s)) })
	want := []string{"1 Retrying Lost Failed 30 s Log 10.2.0.14 no paper", "0 Succeeded Succeeded 30 s Log 10.2.0.14"}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("shards (-want +got):\n%s", diff)
	}
	if got := doc.Find(`[data-testid="attempt-log"]`).AttrOr("href", ""); got != path+"?shard=1&attempt=1#log" && got != path+"?attempt=1&shard=1#log" {
		t.Errorf("the log of the attempt is at %q", got)
	}
	if got := logLines(page, t); len(got) != 1 || !strings.HasSuffix(got[0], "prints") {
		t.Errorf("the log of the failed shard is %q", got)
	}
	lanes := doc.Find(`[data-testid="lane"]`)
	if lanes.Length() != 2 || lanes.First().Find(".mark-bad").Length() != 1 || lanes.First().Find(".mark-lost").Length() != 1 || !strings.HasPrefix(lanes.First().AttrOr("href", ""), path+"?shard=1") {
		t.Errorf("%d lanes, the first to %q", lanes.Length(), lanes.First().AttrOr("href", ""))
	}
	if list := b.As(t, auth.RoleRoot, http.MethodGet, app.RequestedPath("invoices"), nil).Doc(t); !strings.Contains(consoletest.Words(list.Find(`[data-row="`+consoletest.SampleActive+`"]`)), "Retrying") {
		t.Error("the list does not say Retrying")
	}
	b.History.Err = errors.New("away")
	b.History.Change(func() { b.History.RunErr = b.History.Err })
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, path, nil), http.StatusOK)
}

// TestW30ARunThatHasEnded: each shard should have a row with all its cells, and the result should be JSON.
func TestW30ARunThatHasEnded(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	list := attemptsOf(5)
	done := list[len(list)-1]
	done.ID, done.Attempt, done.Success, done.FailureCause = "done", 6, true, ""
	done.StartTime, done.CompleteTime = done.StartTime.Add(time.Minute), done.CompleteTime.Add(time.Minute)
	b.History.Rows = append(append(list, done), b.History.Rows...)
	i := slices.IndexFunc(b.Registry.Requested, func(r jobrun.Run) bool { return r.ID == consoletest.SampleActive })
	run := &b.Registry.Requested[i]
	run.State, run.Ended, run.Attempt, run.Total, run.CountOK = jobrun.Succeeded, consoletest.Noon, 6, 2, 2
	run.OK, run.Failed, run.Waiting, run.Claims, run.Errors = nil, nil, nil, nil, nil
	run.Results = map[int]json.RawMessage{0: json.RawMessage(`{"sent":118000118000}`), 1: json.RawMessage(`["a","<b>"]`)}
	path := app.RequestedPath("invoices", consoletest.SampleActive)
	doc := b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t)
	table := doc.Find(`[data-testid="requested-shards"]`)
	if heads := consoletest.Words(table.Find("thead")); heads != "Shard State Attempt 3 Attempt 4 Attempt 5 Attempt 6 Instance Message" {
		t.Errorf("the columns are %q", heads)
	}
	var rows []string
	table.Find("tbody tr").Each(func(_ int, s *goquery.Selection) { rows = append(rows, consoletest.Words(s)) })
	want := []string{
		`0 Succeeded – – – – 10.2.0.14 {"sent":118000118000}`,
		`1 Succeeded Failed 30 s Failed 30 s Failed 30 s Succeeded 30 s 10.2.0.14 ["a","<b>"]`,
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("shards (-want +got):\n%s", diff)
	}
	var result map[string]any
	if text := doc.Find(`[data-testid="requested-result"]`).Text(); json.Unmarshal([]byte(text), &result) != nil || len(result) != 2 || !strings.Contains(text, `"<b>"`) {
		t.Errorf("the result is %q", text)
	}
	if !strings.Contains(doc.Text(), "The first 2 attempts are only in the timeline.") {
		t.Error("the earlier attempts are missing without a word")
	}
	if guest := b.As(t, auth.RoleGuest, http.MethodGet, path, nil); strings.Contains(guest.Body, "118000118000") {
		t.Error("guests see the result")
	}
}
