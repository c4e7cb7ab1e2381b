package rest

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// idleJob is a job that no process serves.
const idleJob = "j/config = \"jobName: j\\nshardingTotalCount: 2\\n\"\n"

// TestW15RemoveOverTheAPI: the preview counts the runs that a removal cancels, and their ends
// are in the history, where the job's runs can still be read. If it doesn't answer, the job stays.
func TestW15RemoveOverTheAPI(t *testing.T) {
	consoletest.EachTree(t, idleJob, func(t *testing.T, b consoletest.TreeBench) {
		var ids []string
		for _, body := range []string{`{"delay":"1h","params":{"month":10}}`, `{}`} {
			var run struct{ ID string }
			b.Call(t, http.MethodPost, "/api/jobs/j/requested-runs", body).Into(t, &run)
			ids = append(ids, run.ID)
		}
		const order = `{"order":"remove","jobs":["j","absent"],"preview":%t}`
		preview := b.Call(t, http.MethodPost, "/api/bulk", fmt.Sprintf(order, true))
		if !strings.Contains(preview.Body, `"cancelledRuns":2`) || !strings.Contains(preview.Body, `"done":1`) {
			t.Errorf("preview: %s", preview.Body)
		}
		fail := func(err error) {
			b.History.Mu.Lock()
			defer b.History.Mu.Unlock()
			b.History.Err = err
		}
		fail(errors.New("asked to fail"))
		refused := b.Call(t, http.MethodDelete, "/api/jobs/config/j", "")
		consoletest.WantStatus(t, refused, http.StatusServiceUnavailable)
		if !strings.Contains(refused.Body, "database_unavailable") || !strings.Contains(refused.Body, "emove it again") {
			t.Errorf("without the history: %s", refused.Body)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs/config/j", ""), http.StatusOK)
		fail(nil)
		late := b.Call(t, http.MethodPost, "/api/jobs/j/requested-runs", `{"delay":"1h"}`)
		consoletest.WantStatus(t, late, http.StatusCreated)
		removed := b.Call(t, http.MethodPost, "/api/bulk", fmt.Sprintf(order, false))
		if !strings.Contains(removed.Body, `"cancelledRuns":1`) || !strings.Contains(removed.Body, `"done":1`) {
			t.Errorf("removal: %s", removed.Body)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs/config/j", ""), http.StatusNotFound)
		for _, id := range ids {
			run, err := b.History.RequestedRun(t.Context(), "j", id)
			if err != nil || run.State != jobrun.Cancelled || run.Reason != "cancelled by root: the job was removed" {
				t.Errorf("run %s: %+v, %v", id, run, err)
			}
		}
		if log := b.Log.String(); !strings.Contains(log, "cancelled_runs=2 ") && !strings.Contains(log, "cancelled_runs=2\n") {
			t.Errorf("the audit doesn't count the runs:\n%s", log)
		}
	})
}
