package rest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestR39BackfillOverREST: a preview requests nothing, a backfill is carried out once.
func TestR39BackfillOverREST(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j","cron":"0 0 * * * ?","timeZone":"GMT","props":{"schedule.exclude":"2025-12-25"}}`), http.StatusNoContent)
		call := func(body string) backfillBody {
			t.Helper()
			r := b.Call(t, http.MethodPost, "/api/jobs/j/backfill", body)
			status := http.StatusCreated
			if strings.Contains(body, "preview") {
				status = http.StatusOK
			}
			consoletest.WantStatus(t, r, status)
			var answer backfillBody
			r.Into(t, &answer)
			return answer
		}
		const times = `"from":"2025-12-24T22:00:00Z","to":"2025-12-26T01:00:00Z"`
		p := call(`{` + times + `,"preview":true}`)
		if !p.Preview || p.Count != 4 || len(p.Times) != 4 || !strings.HasPrefix(p.Times[0], "2025-12-24T22:00:00") || p.RefusedCount != 24 || p.Refused[0].Property != "schedule.exclude" {
			t.Errorf("preview %+v", p)
		}
		if done := call(`{` + times + `,"params":{"a":1}}`); done.Created != 4 || done.Repeated != 0 || done.Backfill == "" {
			t.Errorf("backfill %+v", done)
		}
		if again := call(`{` + times + `,"params":{ "a": 1 }}`); again.Created != 0 || again.Repeated != 4 {
			t.Errorf("repeated %+v", again)
		}
		var list requestedRunsBody
		b.Call(t, http.MethodGet, "/api/jobs/j/requested-runs", "").Into(t, &list)
		if len(list.Rows) != 4 || list.Rows[0].By.Kind != "backfill" || list.Rows[0].By.Name != "root" {
			t.Errorf("requested runs %+v", list.Rows)
		}
		many := wantCode(t, b.Call(t, http.MethodPost, "/api/jobs/j/backfill", `{"from":"2025-01-01T00:00:00Z","to":"2025-12-01T00:00:00Z"}`), http.StatusUnprocessableEntity, "invalid")
		if len(many.Fields) != 1 || many.Fields[0].Field != "from" || many.Fields[0].Want != "8017 fire times; at most 1000 at once" {
			t.Errorf("too many: %+v", many)
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
			if r := call(`,"params":{"a":1}`); r.StatusCode != http.StatusOK && r.StatusCode != http.StatusCreated {
				t.Errorf("preview %s: %d %s", preview, r.StatusCode, r.Body)
			}
		}
	})
}
