package requested

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// eachRecord runs a test on what requested runs were recorded as: in memory, and in a
// database that agents wrote.
func eachRecord(t *testing.T, test func(t *testing.T, b *consoletest.Bench)) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) { t.Parallel(); test(t, consoletest.New(t)) })
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, consoletest.New(t, consoletest.Recorded(t))) })
}

// TestARequestedRunWithItsRecord: steps, progress, and which shards have logged.
func TestARequestedRunWithItsRecord(t *testing.T) {
	eachRecord(t, func(t *testing.T, b *consoletest.Bench) {
		var run api.RequestedRunDetail
		b.Call(t, http.MethodGet, requests("invoices", consoletest.SampleActive), "").Into(t, &run)
		if run.Source != "registry" || run.Record != "recorded" || run.State != "running" || len(run.Steps) != 3 || run.Steps[2].State != "lost" || run.Steps[1].Actor != "10.2.0.14@-@918" {
			t.Errorf("run %+v", run)
		}
		if want := []api.RunProgress{{Shard: 5, Attempt: 1, Fraction: 0.425, Message: "1,700 of 4,000 invoices", At: "2026-11-21T12:00:06Z"}}; !cmp.Equal(want, run.Progress) {
			t.Errorf("progress %+v", run.Progress)
		}
		if want := []api.RunLogOf{{Shard: 4, Attempt: 1, Execution: "e4", Lines: 3}, {Shard: 5, Attempt: 1, Execution: "e5", Lines: 2}}; !cmp.Equal(want, run.Logs) {
			t.Errorf("logs %+v", run.Logs)
		}
	})
}

// TestTheLogOfARequestedRun over REST, part by part.
func TestTheLogOfARequestedRun(t *testing.T) {
	eachRecord(t, func(t *testing.T, b *consoletest.Bench) {
		read := func(query string, headers ...string) (log api.RunLog) {
			t.Helper()
			r := b.Call(t, http.MethodGet, requests("invoices", consoletest.SampleActive, "log")+query, "", headers...)
			consoletest.WantStatus(t, r, http.StatusOK)
			r.Into(t, &log)
			return log
		}
		first := read("?limit=2")
		if first.Shard != 4 || first.Attempt != 1 || first.Total != 3 || first.After != 2 || first.Ended || len(first.Logs) != 2 || len(first.Lines) != 2 || first.Lines[1].Level != "WARN" {
			t.Errorf("the first lines %+v", first)
		}
		rest := read("?item=4&attempt=1&after=2")
		if len(rest.Lines) != 1 || rest.After != 3 || rest.Lines[0] != (api.RunLogLine{Seq: 3, At: "2026-11-21T11:59:50Z", Level: "ERROR", Message: "tenant 17: connection refused, token=Canary-21"}) {
			t.Errorf("the rest %+v", rest)
		}
		if none := read("?item=4&after=3"); len(none.Lines) != 0 || none.After != 3 {
			t.Errorf("nothing new is %+v", none)
		}
		if none := read("?item=0"); len(none.Lines) != 0 || none.Total != 0 || none.Attempt != 0 {
			t.Errorf("a shard without a log has %+v", none)
		}
		if one := read("?item=5&execution=e5"); len(one.Lines) != 2 {
			t.Errorf("the execution has %+v", one)
		}
		if one := read("?item=5&execution=e4"); len(one.Lines) != 0 {
			t.Errorf("the execution of another shard has %+v", one)
		}
		if guest := read("?item=4", "Authorization: Bearer "+b.Token(t, auth.RoleGuest, auth.ForAPI)); guest.Lines[2].Message != "tenant 17: connection refused, token=***" {
			t.Errorf("a guest reads %+v", guest.Lines)
		}
		wantCode(t, b.Call(t, http.MethodGet, requests("invoices", strings.Replace(consoletest.SampleOld, "d1", "d2", 1), "log"), ""), http.StatusNotFound, "no_run")
		for _, wrong := range []string{"item=-1", "item=x", "attempt=0", "after=-1", "limit=1001", "limit=0"} {
			wantCode(t, b.Call(t, http.MethodGet, requests("invoices", consoletest.SampleActive, "log")+"?"+wrong, ""), http.StatusUnprocessableEntity, "invalid")
		}
	})
}

// TestRunsOfTheDatabaseOverREST: one that the registry no longer has, alone and in the
// list, with the filters.
func TestRunsOfTheDatabaseOverREST(t *testing.T) {
	eachRecord(t, func(t *testing.T, b *consoletest.Bench) {
		var run api.RequestedRunDetail
		b.Call(t, http.MethodGet, requests("invoices", consoletest.SampleOld), "").Into(t, &run)
		if run.Source != "database" || run.State != "failed" || run.Attempt != 2 || run.Shards.Succeeded != 7 || string(run.Params) != `{"month":"2026-08","tenants":["Munich"]}` || run.Error != "" {
			t.Errorf("run %+v", run)
		}
		if want := []api.RunShard{{Shard: 4, State: "failed", Error: "tenant 17: connection refused"}, {Shard: 0, Result: []byte(`{"sent":118000118000}`)}}; !cmp.Equal(want, run.Details) {
			t.Errorf("shards %+v", run.Details)
		}
		guest := b.Call(t, http.MethodGet, requests("invoices", consoletest.SampleOld), "", "Authorization: Bearer "+b.Token(t, auth.RoleGuest, auth.ForAPI))
		if strings.Contains(guest.Body, "Munich") || strings.Contains(guest.Body, "118000118000") {
			t.Errorf("a guest sees %s", guest.Body)
		}
		for query, want := range map[string]string{
			"":                                  "registry and database: " + consoletest.SampleActive + " " + consoletest.SampleRequest + " " + consoletest.SampleEnded + " " + consoletest.SampleOld,
			"?state=failed":                     "registry and database: " + consoletest.SampleEnded + " " + consoletest.SampleOld,
			"?key=invoices-2026-08":             "database: " + consoletest.SampleOld,
			"?key=" + consoletest.SampleOld:     "database: " + consoletest.SampleOld,
			"?key=" + consoletest.SampleRequest: "registry: " + consoletest.SampleRequest,
			"?origin=code":                      "registry and database: " + consoletest.SampleActive + " " + consoletest.SampleOld,
			"?state=running":                    "registry: " + consoletest.SampleActive,
			"?from=2026-11-21T11:58:00Z":        "registry: " + consoletest.SampleActive + " " + consoletest.SampleRequest,
		} {
			var page api.RequestedRuns
			b.Call(t, http.MethodGet, requests("invoices")+query, "").Into(t, &page)
			got := page.Source + ":"
			for _, r := range page.Rows {
				if got += " " + r.ID; (r.Source == "database") != (r.ID == consoletest.SampleOld) {
					t.Errorf("%s: %s comes from the %s", query, r.ID, r.Source)
				}
			}
			if got != want {
				t.Errorf("%s: %s, want %s", query, got, want)
			}
		}
		r := b.Call(t, http.MethodPost, requests("invoices", consoletest.SampleOld, "again"), `{}`)
		consoletest.WantStatus(t, r, http.StatusCreated)
		if !strings.Contains(r.Body, "2026-08") {
			t.Errorf("it is repeated as %s", r.Body)
		}
	})
}

// TestThereIsNoLog where no database is, or one without the tables.
func TestThereIsNoLog(t *testing.T) {
	t.Parallel()
	log := requests("invoices", consoletest.SampleActive, "log")
	none := consoletest.New(t, func(o *app.Options) { o.History = nil })
	wantCode(t, none.Call(t, http.MethodGet, log, ""), http.StatusNotFound, "no_log")
	b := consoletest.New(t)
	for record, err := range map[string]error{"no_tables": rdb.ErrNoRunTables, "unavailable": errors.New("connection refused")} {
		b.History.Change(func() { b.History.RunErr = err })
		var run api.RequestedRunDetail
		b.Call(t, http.MethodGet, requests("invoices", consoletest.SampleActive), "").Into(t, &run)
		if run.Record != record || run.Steps == nil || run.Progress == nil || run.State != "running" {
			t.Errorf("%v: %+v", err, run)
		}
		var page api.RequestedRuns
		if b.Call(t, http.MethodGet, requests("invoices"), "").Into(t, &page); len(page.Rows) != 3 || page.Source != "registry" {
			t.Errorf("%v: %+v", err, page)
		}
		if record == "no_tables" {
			got := wantCode(t, b.Call(t, http.MethodGet, log, ""), http.StatusNotFound, "no_log")
			if !strings.Contains(got.Hint, "console migrate") {
				t.Errorf("hint %q", got.Hint)
			}
			continue
		}
		wantCode(t, b.Call(t, http.MethodGet, log, ""), http.StatusServiceUnavailable, "database_unavailable")
		wantCode(t, b.Call(t, http.MethodGet, requests("invoices")+"?cursor=older.", ""), http.StatusServiceUnavailable, "database_unavailable")
	}
}
