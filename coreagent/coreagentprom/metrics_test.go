package coreagentprom_test

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagentprom"
	"github.com/elasticjob-go/elasticjob/tracing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func scrape(t *testing.T, reg *prometheus.Registry) string {
	t.Helper()
	w := httptest.NewRecorder()
	promhttp.HandlerFor(reg, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

// TestGoldenMetrics compares every name, label and bucket, because users' dashboards and alerts depend on them.
func TestGoldenMetrics(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m, err := coreagentprom.New(reg, coreagentprom.Options{
		Recorder: func() tracing.Stats { return tracing.Stats{Queued: 3, Written: 40, Dropped: 5, Failed: 1} },
		Spool:    func() tracing.SpoolStats { return tracing.SpoolStats{Bytes: 4096, Spooled: 12} },
	})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 2, 500_000_000, time.UTC)
	for _, o := range []coreagent.Observation{
		coreagent.SessionChanged{State: coreagent.SessionConnected},
		coreagent.JobServed{Job: "invoices"}, coreagent.JobServed{Job: "gone"},
		coreagent.Requested{Operation: "multi", Took: 3 * time.Millisecond},
		coreagent.Requested{Operation: "get", Took: 20 * time.Second, Unanswered: true},
		coreagent.Fired{Job: "invoices"},
		coreagent.RunStarted{Job: "invoices", Items: 3},
		coreagent.RunEnded{Job: "invoices", Result: coreagent.RunSucceeded, Scheduled: true, Items: 3, Late: 4 * time.Millisecond, Took: 2 * time.Second, At: at},
		coreagent.RunStarted{Job: "invoices", Items: 3},
		coreagent.RunEnded{Job: "invoices", Result: coreagent.RunFailed, Items: 3, Failed: 1, Late: time.Hour, Took: time.Second, At: at.Add(time.Minute)},
		coreagent.RunStarted{Job: "invoices", Items: 1},
		coreagent.ItemsUnassigned{Job: "invoices", Items: 2},
		coreagent.Resharded{Job: "invoices", Took: 30 * time.Millisecond},
		coreagent.Resharded{Job: "invoices", Took: time.Second, Err: errors.New("no such strategy")},
		coreagent.FireSuppressed{Job: "invoices"},
		coreagent.RunsWaiting{Job: "invoices", Scheduled: 2, Queued: 1, Oldest: at},
		coreagent.RunsWaiting{Job: "invoices", Scheduled: 2},
		coreagent.RunsWaiting{Job: "invoices", Scheduled: 1, Queued: 1, Oldest: at.Add(time.Minute)},
		coreagent.RunsWaiting{Job: "gone", Queued: 1, Oldest: at},
		coreagent.RunMoved{Job: "invoices", ID: "a", State: coreagent.StateRunning, Attempt: 1, Waited: 20 * time.Millisecond},
		coreagent.RunMoved{Job: "invoices", ID: "a", State: coreagent.StateLost, Attempt: 1},
		coreagent.RunMoved{Job: "invoices", ID: "a", State: coreagent.StateScheduled, Attempt: 2},
		coreagent.RunMoved{Job: "invoices", ID: "a", State: coreagent.StateRunning, Attempt: 2},
		coreagent.RunMoved{Job: "invoices", ID: "a", State: coreagent.StateSucceeded, Attempt: 2, Took: time.Minute},
		coreagent.JobServed{Job: "gone", Ended: true},
		coreagent.SessionChanged{State: coreagent.SessionLost},
		coreagent.SessionChanged{State: coreagent.SessionConnected},
	} {
		m.Observe(o)
	}
	const golden = "testdata/metrics.txt"
	got := scrape(t, reg)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var direct strings.Builder
	if err := coreagentprom.SetOf(m).Write(&direct); err != nil || direct.String() != got {
		t.Errorf("without Prometheus' library: %v (want-, got+):\n%s", err, cmp.Diff(got, direct.String()))
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("want-, got+; if it is meant to change, run with -update and correct docs and deploy:\n%s", diff)
	}
}

// TestCardinalityIsBounded: jobs beyond the limit share one set of series, and a job that leaves
// removes its series.
func TestCardinalityIsBounded(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	m, err := coreagentprom.New(reg, coreagentprom.Options{MaxJobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	lines := func() int { return strings.Count(scrape(t, reg), "\n") }
	empty := lines()
	for n := range 3 {
		m.Observe(coreagent.JobServed{Job: fmt.Sprint("job", n)})
	}
	three := lines()
	for n := 3; n < 100; n++ {
		name := fmt.Sprint("job", n)
		m.Observe(coreagent.JobServed{Job: name})
		m.Observe(coreagent.ItemsUnassigned{Job: name, Items: 2})
		m.Observe(coreagent.ItemsUnassigned{Job: name, Items: 1})
		m.Observe(coreagent.RunStarted{Job: name, Items: 1})
	}
	if got := lines(); got != three {
		t.Errorf("%d lines with 100 jobs, %d with three", got, three)
	}
	for _, want := range []string{
		`elasticjob_agent_items_unassigned{job_name="other/jobs"} 97`, `elasticjob_agent_runs_in_progress{job_name="other/jobs"} 97`,
	} {
		if !strings.Contains(scrape(t, reg), want+"\n") {
			t.Errorf("%s is not there", want)
		}
	}
	for n := range 100 {
		m.Observe(coreagent.JobServed{Job: fmt.Sprint("job", n), Ended: true})
	}
	text := scrape(t, reg)
	if strings.Contains(text, `job_name="job`) {
		t.Errorf("series of jobs that left are there still:\n%s", text)
	}
	if !strings.Contains(text, `elasticjob_agent_items_unassigned{job_name="other/jobs"} 0`) {
		t.Error("the shards of jobs that left are still missed")
	}
	if three <= empty {
		t.Errorf("%d lines with jobs, %d without: the test checks nothing", three, empty)
	}
}

// TestNewTakesBackWhatItRegistered if a name is taken, so that a program can continue without metrics.
func TestNewTakesBackWhatItRegistered(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	first, err := coreagentprom.New(reg, coreagentprom.Options{})
	if err != nil || first == nil {
		t.Fatal(err)
	}
	if _, err := coreagentprom.New(reg, coreagentprom.Options{}); err == nil {
		t.Error("two agents with the same names don't return an error")
	}
	again := prometheus.NewRegistry()
	again.MustRegister(prometheus.NewCounter(prometheus.CounterOpts{Name: "elasticjob_agent_session_losses_total", Help: "x"}))
	if _, err := coreagentprom.New(again, coreagentprom.Options{}); err == nil {
		t.Error("a name in use doesn't return an error")
	}
	if text := scrape(t, again); strings.Contains(text, "elasticjob_agent_fires") {
		t.Errorf("left behind:\n%s", text)
	}
	if _, err := coreagentprom.New(nil, coreagentprom.Options{}); err == nil {
		t.Error("no registerer doesn't return an error")
	}
}
