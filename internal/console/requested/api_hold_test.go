package requested

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestR68HoldAndReleaseHaveOneWinner: a job is held and released once each; the second
// learns how it is.
func TestR68HoldAndReleaseHaveOneWinner(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		held := func() *api.Hold {
			var job api.JobDetail
			b.Call(t, http.MethodGet, "/api/jobs/j", "").Into(t, &job)
			return job.Held
		}
		if h := held(); h != nil {
			t.Fatalf("a job that nobody holds is held: %+v", h)
		}
		wantCode(t, b.Call(t, http.MethodPost, "/api/jobs/j/release", ""), http.StatusConflict, "held")
		r := b.Call(t, http.MethodPost, "/api/jobs/j/hold", `{"what":"schedule","reason":" migration "}`)
		consoletest.WantStatus(t, r, http.StatusOK)
		var said api.Hold
		if r.Into(t, &said); said.What != "schedule" || said.By != "root" || said.Reason != "migration" || said.At == "" {
			t.Errorf("held: %+v", said)
		}
		if h := held(); h == nil || h.What != "schedule" || h.By != "root" || h.Reason != "migration" || h.At == "" {
			t.Errorf("the job is held: %+v", h)
		}
		second := wantCode(t, b.Call(t, http.MethodPost, "/api/jobs/j/hold", `{"what":"all"}`), http.StatusConflict, "held")
		if !strings.Contains(second.Message, `job "j" is held already, by root since 20`) {
			t.Errorf("message %q", second.Message)
		}
		r = b.Call(t, http.MethodPost, "/api/jobs/j/release", "")
		consoletest.WantStatus(t, r, http.StatusOK)
		if h := held(); h != nil {
			t.Errorf("a released job is held: %+v", h)
		}
	})
}

// TestHoldsThatAreRefused: what is wrong is named, and nothing is held.
func TestHoldsThatAreRefused(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		for body, want := range map[string]struct {
			status int
			code   string
		}{
			`{"what":"orders"}`: {http.StatusUnprocessableEntity, "invalid"},
			`{}`:                {http.StatusUnprocessableEntity, "invalid"},
			`{"what":"all","reason":"` + strings.Repeat("x", 501) + `"}`: {http.StatusUnprocessableEntity, "invalid"},
			``: {http.StatusBadRequest, "malformed"},
		} {
			wantCode(t, b.Call(t, http.MethodPost, "/api/jobs/j/hold", body), want.status, want.code)
		}
		wantCode(t, b.Call(t, http.MethodPost, "/api/jobs/none/hold", `{"what":"all"}`), http.StatusNotFound, "not_found")
		wantCode(t, b.Call(t, http.MethodPost, "/api/jobs/none/release", ""), http.StatusNotFound, "not_found")
		consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, "/api/jobs/j/hold", nil), http.StatusForbidden)
		var job api.JobDetail
		if b.Call(t, http.MethodGet, "/api/jobs/j", "").Into(t, &job); job.Held != nil {
			t.Errorf("held: %+v", job.Held)
		}
	})
}

// TestTheListHasWhatIsHeld: a held job says so in the list, with who holds it, and the list
// can be asked for those; a state that nobody knows is refused with those that there are.
func TestTheListHasWhatIsHeld(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j")+consoletest.TakingRuns("k"), func(t *testing.T, b consoletest.TreeBench) {
		list := func(query string) (jobs []api.Job) {
			t.Helper()
			b.Call(t, http.MethodGet, "/api/jobs"+query, "").Into(t, &jobs)
			return jobs
		}
		if got := list("?state=held"); len(got) != 0 {
			t.Fatalf("held: %+v", got)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/j/hold", `{"what":"schedule","reason":"migration"}`), http.StatusOK)
		got := list("?state=held")
		if len(got) != 1 || got[0].JobName != "j" || got[0].Held == nil {
			t.Fatalf("held: %+v", got)
		}
		if h := got[0].Held; h.What != "schedule" || h.By != "root" || h.Reason != "migration" || h.At == "" || got[0].NextFireTime != "" {
			t.Errorf("held: %+v, next fire %q", h, got[0].NextFireTime)
		}
		if all := list(""); len(all) != 2 || all[0].Held == nil || all[1].Held != nil {
			t.Errorf("all: %+v", all)
		}
		if wrong := wantCode(t, b.Call(t, http.MethodGet, "/api/jobs?state=holding", ""), http.StatusUnprocessableEntity, "invalid"); !strings.Contains(wrong.Message, "held") {
			t.Errorf("message %q", wrong.Message)
		}
	})
}
