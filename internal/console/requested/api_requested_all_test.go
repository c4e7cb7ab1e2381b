package requested

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// wantAll reads a page of the runs of all jobs: what was read, and the ids.
func wantAll(t *testing.T, b *consoletest.Bench, query, want string) {
	t.Helper()
	r := b.Call(t, http.MethodGet, "/api/requested-runs"+query, "")
	consoletest.WantStatus(t, r, http.StatusOK)
	var page api.AllRequestedRuns
	r.Into(t, &page)
	got := []string{page.Source, page.Registry, page.Database}
	for _, r := range page.Rows {
		if got = append(got, r.ID); r.JobName == "" || r.Source == "" {
			t.Errorf("%s: %+v", query, r)
		}
	}
	if text := strings.Join(got, " "); text != want {
		t.Errorf("%s: %s, want %s", query, text, want)
	}
}

// TestRequestedRunsOfAllJobs: those that live come from the registry and those that ended
// from the database; what is away is said, and only without both it is an error.
func TestRequestedRunsOfAllJobs(t *testing.T) {
	eachRecord(t, func(t *testing.T, b *consoletest.Bench) {
		const live, old = consoletest.SampleActive + " " + consoletest.SampleRequest, consoletest.SampleOld
		wantAll(t, b, "", "registry and database read read "+live+" "+old)
		wantAll(t, b, "?job=invoices", "registry and database read read "+live+" "+old)
		wantAll(t, b, "?job=none", "registry and database read read")
		wantAll(t, b, "?state=running", "registry read not_asked "+consoletest.SampleActive)
		wantAll(t, b, "?state=failed", "database not_asked read "+old)
		wantAll(t, b, "?origin=page", "registry and database read read "+consoletest.SampleRequest)
		wantAll(t, b, "?from=2026-11-21T11:58:00Z", "registry and database read read "+live)
		var got []string
		cursor := ""
		for range 4 {
			r := b.Call(t, http.MethodGet, "/api/requested-runs"+"?limit=1&cursor="+cursor, "")
			consoletest.WantStatus(t, r, http.StatusOK)
			var page api.AllRequestedRuns
			r.Into(t, &page)
			for _, r := range page.Rows {
				got = append(got, r.ID)
			}
			if cursor = page.NextCursor; cursor == "" {
				break
			}
		}
		if cursor != "" || strings.Join(got, " ") != live+" "+old {
			t.Errorf("one by one %q, and then %q", got, cursor)
		}
		for _, wrong := range []string{"state=on", "origin=x", "limit=0", "limit=201", "cursor=x", "cursor=live/", "cursor=live/x/j", "from=now"} {
			wantCode(t, b.Call(t, http.MethodGet, "/api/requested-runs"+"?"+wrong, ""), http.StatusUnprocessableEntity, "invalid")
		}
		guest := b.Call(t, http.MethodGet, "/api/requested-runs", "", "Authorization: Bearer "+b.Token(t, auth.RoleGuest, auth.ForAPI))
		consoletest.WantStatus(t, guest, http.StatusOK)
		if strings.Contains(guest.Body, "Munich") || !strings.Contains(guest.Body, old) {
			t.Errorf("a guest sees %s", guest.Body)
		}
		b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ReadErr = errors.New("asked to fail") })
		wantAll(t, b, "", "database unavailable read "+old)
		wantCode(t, b.Call(t, http.MethodGet, "/api/requested-runs"+"?state=queued", ""), http.StatusServiceUnavailable, app.CodeRegistryDown)
		wantCode(t, b.Call(t, http.MethodGet, "/api/requested-runs"+"?cursor=live//invoices", ""), http.StatusServiceUnavailable, app.CodeRegistryDown)
	})
}

// TestRequestedRunsOfAllJobsWithoutADatabase that has any.
func TestRequestedRunsOfAllJobsWithoutADatabase(t *testing.T) {
	t.Parallel()
	const live = consoletest.SampleActive + " " + consoletest.SampleRequest
	none := consoletest.New(t, func(o *app.Options) { o.History = nil })
	wantAll(t, none, "", "registry read no_database "+live)
	wantAll(t, none, "?state=failed", "none not_asked no_database")
	b := consoletest.New(t)
	for state, err := range map[string]error{"no_tables": rdb.ErrNoRunTables, "unavailable": errors.New("connection refused")} {
		b.History.Change(func() { b.History.RunErr = err })
		wantAll(t, b, "", "registry read "+state+" "+live)
	}
	wantCode(t, b.Call(t, http.MethodGet, "/api/requested-runs"+"?cursor=older.at-1", ""), http.StatusServiceUnavailable, "database_unavailable")
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ReadErr = errors.New("asked to fail") })
	wantCode(t, b.Call(t, http.MethodGet, "/api/requested-runs", ""), http.StatusServiceUnavailable, app.CodeRegistryDown)
}

// TestRequestedRunsOfManyJobs: only jobs of which a run was requested are looked at, so many
// for a page; each run is on one page, in the order of the jobs.
func TestRequestedRunsOfManyJobs(t *testing.T) {
	var trees strings.Builder
	for i := range 2 * mostJobs {
		trees.WriteString(consoletest.TakingRuns(fmt.Sprintf("j%03d", i)) + "\n")
	}
	consoletest.EachTree(t, trees.String(), func(t *testing.T, b consoletest.TreeBench) {
		var want []string
		for i := range 2 * mostJobs {
			if i%7 == 3 {
				continue
			}
			job := fmt.Sprintf("j%03d", i)
			for range 1 + i%2 {
				var run api.SubmittedRun
				r := b.Call(t, http.MethodPost, requests(job), `{"delay":"1h"}`)
				consoletest.WantStatus(t, r, http.StatusCreated)
				r.Into(t, &run)
				want = append(want, job+" "+run.ID)
			}
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/j000/hold", `{"what":"all"}`), http.StatusOK)
		for _, limit := range []int{7, 200} {
			var got []string
			cursor := ""
			for page := 0; page == 0 || cursor != ""; page++ {
				r := b.Call(t, http.MethodGet, fmt.Sprintf("%s?limit=%d&cursor=%s", "/api/requested-runs", limit, cursor), "")
				consoletest.WantStatus(t, r, http.StatusOK)
				var body api.AllRequestedRuns
				if r.Into(t, &body); len(body.Rows) > limit || page > 30 {
					t.Fatalf("page %d has %d rows", page, len(body.Rows))
				}
				for _, r := range body.Rows {
					if r.Source == api.FromRegistry {
						got = append(got, r.JobName+" "+r.ID)
					}
				}
				cursor = body.NextCursor
			}
			if !slices.Equal(got, want) {
				t.Errorf("by %d: %d runs, want %d", limit, len(got), len(want))
			}
		}
	})
}
