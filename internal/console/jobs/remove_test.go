package jobs

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestW15RemovalCountsRuns: the page says how many runs a removal cancels, and then how many it
// has cancelled. They are in the history.
func TestW15RemovalCountsRuns(t *testing.T) {
	consoletest.EachTree(t, "j/config = \"jobName: j\\nshardingTotalCount: 2\\n\"", func(t *testing.T, b consoletest.TreeBench) {
		ask := func() string {
			t.Helper()
			page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/remove", nil)
			consoletest.WantStatus(t, page, http.StatusOK)
			return page.Text(t, "confirm")
		}
		if got := ask(); strings.Contains(got, "requested run") {
			t.Errorf("without runs: %q", got)
		}
		for range 2 {
			consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/j/requested-runs", `{"delay":"1h"}`), http.StatusCreated)
		}
		const count = "2 requested runs that haven't ended are cancelled."
		if got := ask(); !strings.Contains(got, count) {
			t.Errorf("the page: %q", got)
		}
		wrong := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/remove", url.Values{"confirm": {"yes"}, "name": {"i"}})
		if got := wrong.Text(t, "confirm"); !strings.Contains(got, count) {
			t.Errorf("after a wrong name: %q", got)
		}
		_, after := b.Follow(t, "/jobs/j/remove", url.Values{"confirm": {"yes"}, "name": {"j"}})
		if got := after.Text(t, "flash"); !strings.HasPrefix(got, "Deleted j.") || !strings.Contains(got, "2 requested runs were cancelled.") {
			t.Errorf("message %q", got)
		}
		ended := 0
		for _, run := range b.History.OldRuns {
			if run.JobName == "j" && run.State == jobrun.Cancelled {
				ended++
			}
		}
		if ended != 2 {
			t.Errorf("%d runs are in the history: %+v", ended, b.History.OldRuns)
		}
	})
}

// TestW15CloudRemovalCountsRequests: so does the page of a job of ElasticJob-Cloud.
func TestW15CloudRemovalCountsRequests(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	const count = "1 requested run that hasn't begun is cancelled, and named in the audit log."
	ask := func() string { return b.As(t, auth.RoleRoot, http.MethodGet, "/cloud/jobs/invoices/remove", nil).Body }
	before := ask()
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/cloud/jobs/invoices/trigger", "{}"), http.StatusAccepted)
	if after := ask(); strings.Contains(before, "requested run that") || !strings.Contains(strings.ReplaceAll(after, "&#39;", "'"), count) {
		t.Errorf("the page: %s", consoletest.Fold(after))
	}
}
