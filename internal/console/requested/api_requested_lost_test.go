package requested

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestW03ARunWhoseEndIsNotRecorded: the database has it as running, and the registry doesn't
// have it. It's unknown how it ended, its log ends, it can't be cancelled or started, and it
// can be run again. While the registry can't be read, the answer is that.
func TestW03ARunWhoseEndIsNotRecorded(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	old := &b.History.OldRuns[0]
	old.State, old.Reason, old.Ended, old.Error = "running", "", time.Time{}, ""
	one := func(more ...string) string {
		return requests("invoices", append([]string{consoletest.SampleOld}, more...)...)
	}
	var run api.RequestedRunDetail
	b.Call(t, http.MethodGet, one(), "").Into(t, &run)
	if run.State != "unknown" || run.Source != "database" || run.EndTime != "" || !strings.Contains(run.Reason, "it was last seen running") {
		t.Errorf("run %+v", run)
	}
	var log api.RunLog
	b.Call(t, http.MethodGet, one("log"), "").Into(t, &log)
	if !log.Ended {
		t.Error("its log goes on")
	}
	for _, list := range []string{requests("invoices"), "/api/requested-runs"} {
		var page api.RequestedRuns
		b.Call(t, http.MethodGet, list, "").Into(t, &page)
		last := page.Rows[len(page.Rows)-1]
		if last.ID != consoletest.SampleOld || last.State != "unknown" {
			t.Errorf("%s ends with %+v", list, last)
		}
	}
	for _, action := range []string{"cancel", "start"} {
		wantCode(t, b.Call(t, http.MethodPost, one(action), ""), http.StatusConflict, "ended")
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, one("again"), ""), http.StatusCreated)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ReadErr = errors.New("connection refused") })
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, one(), ""), http.StatusServiceUnavailable)
}

// TestW03AnOldRunHasEnded: a run that only the database has can't be cancelled because it's over.
func TestW03AnOldRunHasEnded(t *testing.T) {
	eachRecord(t, func(t *testing.T, b *consoletest.Bench) {
		body := wantCode(t, b.Call(t, http.MethodPost, requests("invoices", consoletest.SampleOld, "cancel"), ""), http.StatusConflict, "ended")
		if !strings.Contains(body.Message, "1 of 8 shards failed") {
			t.Errorf("%+v", body)
		}
	})
}
