package bulk_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestHoldByBulk: jobs are held with one reason, released, and their waiting runs cancelled;
// a preview changes nothing, and a job that is so already is left as it is.
func TestHoldByBulk(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("a")+consoletest.TakingRuns("b"), func(t *testing.T, b consoletest.TreeBench) {
		bulk := func(order, preview, more string) (body api.Bulk) {
			t.Helper()
			r := b.Call(t, http.MethodPost, "/api/bulk", `{"order":"`+order+`","jobs":["a","b","none"],"preview":`+preview+more+`}`)
			consoletest.WantStatus(t, r, http.StatusOK)
			r.Into(t, &body)
			if len(body.Results) != 3 || body.Results[2].Code != "not_found" {
				t.Fatalf("%s: %+v", order, body)
			}
			return body
		}
		held := func(job string) *api.Hold {
			var detail api.JobDetail
			b.Call(t, http.MethodGet, "/api/jobs/"+job, "").Into(t, &detail)
			return detail.Held
		}
		for _, wrong := range []string{`"order":"hold"`, `"order":"hold","what":"orders"`, `"order":"disable","what":"all"`} {
			consoletest.WantCode(t, b.Call(t, http.MethodPost, "/api/bulk", `{`+wrong+`,"jobs":["a"],"preview":false}`), http.StatusUnprocessableEntity, "invalid")
		}
		if body := bulk("hold", "true", `,"what":"requests"`); body.Done != 2 || held("a") != nil {
			t.Fatalf("preview: %+v, %+v", body, held("a"))
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/b/hold", `{"what":"requests"}`), http.StatusOK)
		const reason = `,"what":"requests","reason":"INC-4821"`
		if body := bulk("hold", "false", reason); body.Done != 2 || len(body.Results[0].Affected) != 1 || len(body.Results[1].Affected) != 0 || len(body.Results[1].Skipped) != 1 {
			t.Errorf("held: %+v", body)
		}
		if h := held("a"); h == nil || h.What != "requests" || h.By != "root" || h.Reason != "INC-4821" {
			t.Errorf("held: %+v", h)
		}
		for _, preview := range []string{"true", "false"} {
			if body := bulk("hold", preview, `,"what":"all"`); body.Refused != 3 || body.Results[0].Code != "held" {
				t.Errorf("held otherwise: %+v", body)
			}
		}
		for range 3 {
			consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/a/requested-runs", `{"delay":"1h"}`), http.StatusCreated)
		}
		if body := bulk("cancel-waiting", "true", ""); len(body.Results[0].Affected) != 3 || len(body.Results[1].Affected) != 0 {
			t.Errorf("preview: %+v", body)
		}
		if body := bulk("cancel-waiting", "false", `,"reason":"INC-4821"`); len(body.Results[0].Affected) != 3 || body.Done != 2 || len(body.Results[1].Skipped) != 1 {
			t.Errorf("cancelled: %+v", body)
		}
		if r := b.Call(t, http.MethodGet, "/api/jobs/a/requested-runs?state=cancelled", ""); strings.Count(r.Body, `"INC-4821"`)+strings.Count(r.Body, "INC-4821") < 3 {
			t.Errorf("the runs are %s", r.Body)
		}
		if body := bulk("release", "true", ""); body.Done != 2 || len(body.Results[0].Affected) != 1 || held("a") == nil {
			t.Errorf("preview: %+v", body)
		}
		if body := bulk("release", "false", ""); body.Done != 2 || held("a") != nil || held("b") != nil {
			t.Errorf("released: %+v", body)
		}
		if body := bulk("release", "false", ""); body.Done != 2 || len(body.Results[0].Skipped) != 1 {
			t.Errorf("released twice: %+v", body)
		}
	})
}
