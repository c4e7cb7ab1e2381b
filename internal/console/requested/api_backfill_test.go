package requested

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestR39BackfillOverREST: a preview requests nothing, a backfill is accepted at once, and another one is
// refused as long as it is under way.
func TestR39BackfillOverREST(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j","cron":"0 0 * * * ?","timeZone":"GMT","props":{"schedule.exclude":"2025-12-25"}}`), http.StatusNoContent)
		call := func(body string) api.BackfillAnswer {
			t.Helper()
			r := b.Call(t, http.MethodPost, "/api/jobs/j/backfill", body)
			status := http.StatusAccepted
			if strings.Contains(body, "preview") {
				status = http.StatusOK
			}
			consoletest.WantStatus(t, r, status)
			var answer api.BackfillAnswer
			r.Into(t, &answer)
			return answer
		}
		const times = `"from":"2025-12-24T22:00:00Z","to":"2025-12-26T01:00:00Z"`
		p := call(`{` + times + `,"preview":true}`)
		if !p.Preview || p.Count != 4 || len(p.Times) != 4 || !strings.HasPrefix(p.Times[0], "2025-12-24T22:00:00") || !strings.HasPrefix(p.First, "2025-12-24T22:00:00") || !strings.HasPrefix(p.Last, "2025-12-26T01:00:00") || p.RefusedCount != 24 || p.Refused[0].Property != "schedule.exclude" {
			t.Errorf("preview %+v", p)
		}
		done := call(`{` + times + `,"params":{"a":1},"parallel":2}`)
		if done.Count != 4 || done.Backfill == "" {
			t.Errorf("backfill %+v", done)
		}
		again := wantCode(t, b.Call(t, http.MethodPost, "/api/jobs/j/backfill", `{`+times+`}`), http.StatusConflict, "backfilling")
		if !strings.Contains(again.Message, done.Backfill) {
			t.Errorf("repeated %+v", again)
		}
		one := "/api/jobs/j/backfills/" + done.Backfill
		progress := func(r consoletest.Reply, status int) (p api.Backfill) {
			t.Helper()
			consoletest.WantStatus(t, r, status)
			r.Into(t, &p)
			return p
		}
		p2 := progress(b.Call(t, http.MethodGet, one, ""), http.StatusOK)
		if p2.State != "queued" || p2.Count != 4 || p2.Runs.Waiting != 4 || p2.Parallel != 2 || p2.By.Kind != "api" || p2.By.Name != "root" || !strings.HasPrefix(p2.Next, "2025-12-24T22:00:00") {
			t.Errorf("progress %+v", p2)
		}
		var list api.Backfills
		b.Call(t, http.MethodGet, "/api/jobs/j/backfills", "").Into(t, &list)
		if len(list.Rows) != 1 || list.Rows[0].ID != done.Backfill {
			t.Errorf("list %+v", list)
		}
		p2 = progress(b.Call(t, http.MethodPost, one+"/cancel", `{"reason":"INC-4821"}`), http.StatusOK)
		if p2.State != "cancelled" || p2.Runs.Cancelled != 4 || p2.Cancelled == nil || p2.Cancelled.Reason != "INC-4821" {
			t.Errorf("cancelled %+v", p2)
		}
		wantCode(t, b.Call(t, http.MethodGet, "/api/jobs/j/backfills/x", ""), http.StatusNotFound, "no_backfill")
		wantCode(t, b.Call(t, http.MethodGet, "/api/jobs/j/backfills/0193a5b0-7c11-7000-8000-5f2a9c31d0e4", ""), http.StatusNotFound, "no_backfill")
		consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, one+"/cancel", nil), http.StatusForbidden)
		for body, want := range map[string][2]string{
			`"from":"2014-01-01T00:00:00Z","to":"2025-12-01T00:00:00Z"`:                {"from", "104449 fire times; at most 100000 at once"},
			`"from":"2025-12-24T22:00:01Z","to":"2025-12-24T22:59:59Z"`:                {"from", `job "j" has no fire time from there to To`},
			`"from":"2025-12-24T22:00:00Z","to":"2025-12-24T21:00:00Z"`:                {"to", "2025-12-24T21:00:00Z is before From"},
			`"from":"2025-12-24T22:00:00Z","to":"2025-12-24T22:00:00Z","parallel":101`: {"parallel", "101 is not allowed; want 1 to 100, or 0 for 100"},
			`"from":"2025-12-24T22:00:00Z","to":"2025-12-24T22:00:00Z","parallel":-1`:  {"parallel", "-1 is not allowed; want 1 to 100, or 0 for 100"},
		} {
			wrong := wantCode(t, b.Call(t, http.MethodPost, "/api/jobs/j/backfill", `{`+body+`}`), http.StatusUnprocessableEntity, "invalid")
			if len(wrong.Fields) != 1 || wrong.Fields[0].Field != want[0] || wrong.Fields[0].Want != want[1] {
				t.Errorf("%s: %+v", body, wrong)
			}
		}
		late := wantCode(t, b.Call(t, http.MethodPost, "/api/jobs/j/backfill", `{"from":"2025-01-01T00:00:00Z","to":"2125-12-01T00:00:00Z"}`), http.StatusUnprocessableEntity, "invalid")
		if len(late.Fields) != 1 || late.Fields[0].Field != "to" {
			t.Errorf("to come: %+v", late)
		}
		wantCode(t, b.Call(t, http.MethodPost, "/api/jobs/j/backfill", `{"from":"x","to":""}`), http.StatusUnprocessableEntity, "invalid")
		wantCode(t, b.Call(t, http.MethodPost, "/api/jobs/none/backfill", `{`+times+`}`), http.StatusNotFound, "not_found")
		consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, "/api/jobs/j/backfill", nil), http.StatusForbidden)
	})
}

// TestBackfillChecksParameters: a preview refuses the parameters that the job does not
// take, as the backfill would.
func TestBackfillChecksParameters(t *testing.T) {
	schema := `{"schema":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false},"by":"10.0.0.1@-@7","at":1795338000000}`
	consoletest.EachTree(t, consoletest.TakingRuns("j")+fmt.Sprintf("j/extension/params = %q\n", schema), func(t *testing.T, b consoletest.TreeBench) {
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j","cron":"0 0 * * * ?","timeZone":"GMT"}`), http.StatusNoContent)
		const times = `"from":"2025-12-24T22:00:00Z","to":"2025-12-26T01:00:00Z"`
		for _, preview := range []string{"true", "false"} {
			call := func(params string) consoletest.Reply {
				return b.Call(t, http.MethodPost, "/api/jobs/j/backfill", `{`+times+`,"preview":`+preview+params+`}`)
			}
			strange := wantCode(t, call(`,"params":{"b":1}`), http.StatusUnprocessableEntity, "params")
			if len(strange.Fields) != 2 || strange.Fields[0].Field != "params.a" || strings.Contains(strange.Message, "carried out") {
				t.Errorf("preview %s: %+v", preview, strange)
			}
			wantCode(t, call(""), http.StatusUnprocessableEntity, "params") // a is required
			if r := call(`,"params":{"a":1}`); r.StatusCode != http.StatusOK && r.StatusCode != http.StatusAccepted {
				t.Errorf("preview %s: %d %s", preview, r.StatusCode, r.Body)
			}
		}
	})
}
