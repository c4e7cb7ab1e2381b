package explain

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// failAlike makes the last runs of some jobs fail by the same cause.
func failAlike(b *consoletest.Bench, jobs ...string) {
	var rows []tracing.Execution
	for i, job := range jobs {
		rows = append(rows, tracing.Execution{
			ID: fmt.Sprintf("x%d", i), JobName: job, RunID: "r" + job, Attempt: 1, IP: "10.2.0.15",
			StartTime: consoletest.Noon.Add(time.Duration(-i-1) * time.Minute), CompleteTime: consoletest.Noon, FailureCause: fmt.Sprintf("mail.internal answers 503, request %d", i),
		})
	}
	b.History.Rows = rows
}

// TestExplainFailAlike: the finding that a job fails says how many others do by the
// same cause, leads to the list of them all, and the REST answer has their number.
func TestExplainFailAlike(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	failAlike(b, "invoices", "reindex")
	b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil) // somebody looked at the history
	r := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/explain", nil)
	alike := r.Doc(t).Find(`[data-code="FAILING"] [data-testid="alike"]`)
	if got := consoletest.Words(alike); got != "1 other job fails alike, since 2026-11-21 11:58:07 UTC. Open all of them" {
		t.Fatalf("alike: %q", got)
	}
	list := b.As(t, auth.RoleGuest, http.MethodGet, alike.Find("a").AttrOr("href", ""), nil)
	if rows := list.Doc(t).Find(`tbody tr`); rows.Length() != 2 {
		t.Errorf("the link lists %d jobs: %s", rows.Length(), consoletest.Words(rows))
	}
	if r := b.Call(t, http.MethodGet, "/api/jobs/invoices/explain", ""); !strings.Contains(r.Body, `"failAlike":1`) {
		t.Errorf("REST: %s", r.Body)
	}
	alone := consoletest.New(t)
	failAlike(alone, "invoices")
	alone.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil)
	if r := alone.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/explain", nil); r.Doc(t).Find(`[data-testid="alike"]`).Length() != 0 {
		t.Error("a job that fails alone fails alike")
	}
}

// TestExplainSummaryIsASentence: below the heading stands the rest of the summary, as a sentence.
func TestExplainSummaryIsASentence(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Why = statistics.Explanation{NextFire: consoletest.Noon.Add(time.Hour), Zone: "UTC", Findings: []statistics.Finding{{
			Code: statistics.CodeItemDisabled, Effect: statistics.EffectShards, Sentence: "Shard 1: switched off by an operator.", Items: []int{1},
		}}}
	})
	page := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/explain", nil)
	if got := page.Text(t, "explanation"); got != "A part of the job starts no runs It fires next at 2026-11-21 13:00:07 (UTC). Shard 1: switched off by an operator." {
		t.Errorf("the page says %q", got)
	}
	if got := jobpage.SentenceStart("分片 1") + jobpage.SentenceStart(""); got != "分片 1" {
		t.Errorf("in Chinese it begins with %q", got)
	}
}

// TestExplainAsText: the address with format=text is the page as plain text, of now and
// of a past time, in the reader's language; another format is a hint.
func TestExplainAsText(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	failAlike(b, "invoices", "reindex")
	b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil)
	page := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/explain", nil).Doc(t)
	href := page.Find(`[data-testid="copy-text"]`).AttrOr("href", "")
	r := b.As(t, auth.RoleGuest, http.MethodGet, href, nil)
	consoletest.WantStatus(t, r, http.StatusOK)
	if kind := r.Header.Get("Content-Type"); kind != plainText {
		t.Errorf("content type %q", kind)
	}
	for _, part := range []string{"invoices: The job runs, and one of its shards fails.", "Checks\n- ", "1 other job fails alike", "mail.internal answers 503"} {
		if !strings.Contains(r.Body, part) {
			t.Errorf("%q is not in:\n%s", part, r.Body)
		}
	}
	if strings.ContainsAny(r.Body, "<>") {
		t.Errorf("markup in:\n%s", r.Body)
	}
	past := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/explain?at=2026-11-21T11:40", nil).Doc(t)
	href = past.Find(`[data-testid="copy-text"]`).AttrOr("href", "")
	if r := b.As(t, auth.RoleGuest, http.MethodGet, href, nil); !strings.Contains(r.Body, "invoices: No run of 2026-11-21 11:40:00 UTC is on record.") {
		t.Errorf("%s: %s", href, r.Body)
	}
	for _, at := range []string{"", "&at=2026-11-21T11:40"} {
		if r := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/explain?format=pdf"+at, nil); !strings.Contains(r.Text(t, "query-hint"), `"pdf"`) {
			t.Errorf("hint %q", r.Text(t, "query-hint"))
		}
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/nope/explain?format=text", nil), http.StatusNotFound)
}
