package bulk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
)

// TestJobsAreHeldTogether: the page says what would happen, takes what of the jobs is held
// and why, and nothing of it is offered to be taken back.
func TestJobsAreHeldTogether(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("a")+consoletest.TakingRuns("b"), func(t *testing.T, b consoletest.TreeBench) {
		do := func(query string, change func(url.Values)) (counts, flash string) {
			t.Helper()
			page := b.As(t, auth.RoleRoot, http.MethodGet, pageui.BulkRoute+"?"+query, nil)
			consoletest.WantStatus(t, page, http.StatusOK)
			form := consoletest.Fields(t, page, "bulk-form")
			change(form)
			_, after := b.Follow(t, pageui.BulkRoute, form)
			return page.Text(t, "bulk-counts"), after.Text(t, "flash")
		}
		plainly := func(url.Values) {}
		counts, flash := do("do=hold&job=a&job=b", func(form url.Values) {
			if form.Get("what") != "schedule" {
				t.Errorf("chosen at first: %q", form.Get("what"))
			}
			form.Set("what", "all")
			form.Set("reason", "INC-4821")
		})
		if !strings.HasPrefix(counts, "2 will be held") || !strings.HasPrefix(flash, "Held 2 jobs.") || strings.Contains(flash, "Undo") {
			t.Errorf("%q, %q", counts, flash)
		}
		if got := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/a", nil).Text(t, "held"); !strings.Contains(got, ": INC-4821") || !strings.Contains(got, "and requested runs") {
			t.Errorf("the job says %q", got)
		}
		if counts, flash = do("do=release&job=a", plainly); !strings.HasPrefix(counts, "1 will be released") || !strings.HasPrefix(flash, "Released 1 job.") {
			t.Errorf("%q, %q", counts, flash)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/a/requested-runs", `{"delay":"1h"}`), http.StatusCreated)
		if counts, flash = do("do=cancel-waiting&job=a&job=b", plainly); !strings.HasPrefix(counts, "1 has runs that wait 1 has none that waits") || !strings.HasPrefix(flash, "Cancelled the waiting runs of 1 job.") {
			t.Errorf("%q, %q", counts, flash)
		}
		wrong := b.As(t, auth.RoleRoot, http.MethodGet, pageui.BulkRoute+"?do=hold&job=a&what=orders", nil)
		if wrong.StatusCode < 400 || !strings.Contains(wrong.Body, "schedule, requests, all") {
			t.Errorf("a wrong address is answered %d", wrong.StatusCode)
		}
	})
}
