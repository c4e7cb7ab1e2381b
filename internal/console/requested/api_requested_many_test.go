package requested

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// fieldsOf are the fields of an answer, with what they want.
func fieldsOf(list []app.FieldBody) (names []string) {
	for _, f := range list {
		names = append(names, f.Field+": "+f.Want)
	}
	return names
}

// TestBatchOfRequests: each of many requests is answered by its number, what is wrong with one
// does not keep it from the others, and a key makes one run, in the batch and after it.
func TestBatchOfRequests(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		send := func(body string, status int) (got api.Batch) {
			t.Helper()
			r := b.Call(t, http.MethodPost, requests("j")+"/batch", body)
			consoletest.WantStatus(t, r, status)
			r.Into(t, &got)
			return got
		}
		got := send(`{"runs":[{"delay":"1h"},{"delay":"soon"},{"delay":"2h","key":"k","params":{"a":1}},7,{"delay":"1h","shards":[9]},{"delay":"3h","key":"k","params":{"a":1}},
			{"delay":"1h","key":"k","params":{"a":2}},{"Delay":"1h"},{"params":[1]},{"key":5},{}]}`, http.StatusCreated)
		var refused []string
		for _, r := range got.Refused {
			refused = append(refused, fmt.Sprintf("%d %s %s", r.Index, r.Code, strings.Join(fieldsOf(r.Fields), " ")))
		}
		want := []string{
			"1 invalid delay: a length of time, such as 5m or 24h", "3 malformed ", "4 invalid shards: 9 is not one of 0 to 1", "6 key_in_use ",
			"7 invalid Delay: no such key: a request has params, delay, notBefore, shards, overlap, expiry, note, fireTime, manual, key",
			"8 params params: want a JSON object, not a list", "9 invalid key: a text",
		}
		if diff := cmp.Diff(want, refused); diff != "" {
			t.Errorf("refused (-want +got):\n%s", diff)
		}
		if got.Created != 3 || got.Repeated != 1 || len(got.Runs) != 4 || got.Runs[1].ID != got.Runs[2].ID || !got.Runs[2].Repeated || got.Runs[2].Index != 5 {
			t.Errorf("%+v", got)
		}
		for _, run := range got.Runs {
			consoletest.WantStatus(t, b.Call(t, http.MethodGet, requests("j", run.ID), ""), http.StatusOK)
		}
		if again := send(`{"runs":[{"key":"k","params":{"a":1}}]}`, http.StatusOK); again.Created != 0 || again.Repeated != 1 || again.Runs[0].ID != got.Runs[1].ID {
			t.Errorf("again: %+v", again)
		}
		many := send(`{"runs":[`+strings.Repeat(`{"delay":"1h"},`, 999)+`{"delay":"1h"}]}`, http.StatusCreated)
		if many.Created != 1000 || len(many.Refused) != 0 {
			t.Errorf("%d of 1,000 are created", many.Created)
		}
		for _, wrong := range []string{`{}`, `{"runs":[]}`, `{"runs":{}}`, `{"runs":[{}],"more":1}`, `{"runs":[` + strings.Repeat(`{},`, 1000) + `{}]}`} {
			wantCode(t, b.Call(t, http.MethodPost, requests("j")+"/batch", wrong), http.StatusUnprocessableEntity, "invalid")
		}
		wantCode(t, b.Call(t, http.MethodPost, requests("j")+"/batch", `{"runs":[{}]}`, "Idempotency-Key: k"), http.StatusUnprocessableEntity, "invalid")
		wantCode(t, b.Call(t, http.MethodPost, requests("j")+"/batch", `[]`), http.StatusBadRequest, "malformed")
		wantCode(t, b.Call(t, http.MethodPost, requests("none")+"/batch", `{"runs":[{}]}`), http.StatusNotFound, "not_found")
		wantCode(t, b.Call(t, http.MethodPost, requests("j")+"/batch", `{"runs":[{"note":"`+strings.Repeat("x", maxBatchBody)+`"}]}`), http.StatusRequestEntityTooLarge, "too_large")
	})
}

// TestCancelWaitingRuns: the runs that wait are counted and cancelled by their state, at most
// 1,000 at once, by operators alone, and the audit says so.
func TestCancelWaitingRuns(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		r := b.Call(t, http.MethodPost, requests("j")+"/batch", `{"runs":[`+strings.Repeat(`{"delay":"1h"},`, 999)+`{"delay":"1h"}]}`)
		consoletest.WantStatus(t, r, http.StatusCreated)
		for _, body := range []string{`{"delay":"2h"}`, `{"delay":"2h"}`, `{}`} {
			consoletest.WantStatus(t, b.Call(t, http.MethodPost, requests("j"), body), http.StatusCreated)
		}
		cancel := func(query string, count int, more bool) {
			t.Helper()
			r := b.Call(t, http.MethodDelete, requests("j")+"?"+query, "")
			consoletest.WantStatus(t, r, http.StatusOK)
			var got api.Cancelled
			if r.Into(t, &got); got.Count != count || got.More != more || got.Preview != strings.Contains(query, "preview=true") {
				t.Errorf("%s: %+v", query, got)
			}
		}
		cancel("state=queued&preview=true", 1, false)
		for range 2 {
			cancel("state=scheduled,queued&preview=true", 1000, true)
		}
		cancel("state=scheduled&reason=INC-4821", 1000, true)
		cancel("state=scheduled&preview=false", 2, false)
		cancel("state=queued,scheduled", 1, false)
		cancel("state=queued,scheduled", 0, false)
		var page api.RequestedRuns
		b.Call(t, http.MethodGet, requests("j")+"?state=cancelled&limit=200", "").Into(t, &page)
		if len(page.Rows) != 200 || page.Waiting != 0 {
			t.Errorf("%d rows, %d wait", len(page.Rows), page.Waiting)
		}
		for _, wrong := range []string{"?state=", "?state=running", "?state=queued,failed", "?state=queued&preview=yes", "?state=queued&reason=" + strings.Repeat("x", 201)} {
			wantCode(t, b.Call(t, http.MethodDelete, requests("j")+wrong, ""), http.StatusUnprocessableEntity, "invalid")
		}
		wantCode(t, b.Call(t, http.MethodDelete, requests("none")+"?state=queued", ""), http.StatusNotFound, "not_found")
		guest := "Authorization: Bearer " + b.Token(t, auth.RoleGuest, auth.ForAPI)
		wantCode(t, b.Call(t, http.MethodDelete, requests("j")+"?state=queued&preview=true", "", guest), http.StatusForbidden, "forbidden")
		wantCode(t, b.Call(t, http.MethodPost, requests("j")+"/batch", `{"runs":[{}]}`, guest), http.StatusForbidden, "forbidden")
		lines := strings.Join(b.AuditLines(0), "\n")
		for _, part := range []string{"INC-4821", "order=cancel-waiting", "requests=1000"} {
			if !strings.Contains(lines, part) {
				t.Errorf("the audit says nothing of %s", part)
			}
		}
	})
}
