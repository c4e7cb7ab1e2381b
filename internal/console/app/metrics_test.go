package app_test

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// known is a memory with some jobs, last compared a minute before noon.
func known() statistics.Known {
	return statistics.Known{
		Jobs:  map[statistics.Status]int{statistics.StatusOK: 7, statistics.StatusCrashed: 1, statistics.StatusReading: 2},
		Since: consoletest.Noon.Add(-time.Minute), Repaired: 3,
	}
}

// TestGoldenMetrics: every name and label the console shows. Dashboards and
// alerts of other people hang on them.
var updateMetrics = flag.Bool("update-metrics", false, "rewrite testdata/metrics.txt")

func TestGoldenMetrics(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.Known = known })
	b.Console.Options().Metrics.Requested("get", true)
	b.Console.Options().Metrics.Requested("children", false)
	scheduler := b.Console.Options().Metrics.Cloud()
	scheduler.Led(true)
	scheduler.Fired(cloud.DoLaunch, 1, 20*time.Millisecond)
	scheduler.Fired(cloud.DoMiss, 3, 0)
	scheduler.Called("launch", 3*time.Millisecond, nil)
	scheduler.Called("launch", 3*time.Millisecond, cloud.ErrForbidden)
	scheduler.Called("change", time.Second, context.DeadlineExceeded)
	scheduler.Recorded(2)
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil), http.StatusOK)
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/nowhere", ""), http.StatusNotFound)
	r := b.Call(t, http.MethodGet, "/metrics", "")
	consoletest.WantStatus(t, r, http.StatusOK)
	// How long it took is not golden.
	got := regexp.MustCompile(`(?m)^(elasticjob_console_http_request_seconds_(?:bucket|sum)\{.*\}) .*$`).ReplaceAllString(r.Body, "$1 0")
	const golden = "testdata/metrics.txt"
	if *updateMetrics {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("want-, got+; if it is meant to change, run with -update-metrics and fix docs and deploy:\n%s", diff)
	}
}

// TestMetricsSayWhatIsAway: without registry or database, they are answered all
// the same, and say so.
func TestMetricsSayWhatIsAway(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.Known = known })
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Health.State = app.RegistryLost
		f.Ping = errors.New("no database")
		f.ReadErr = context.DeadlineExceeded
	})
	r := b.Call(t, http.MethodGet, "/metrics", "")
	consoletest.WantStatus(t, r, http.StatusOK)
	for _, want := range []string{
		`elasticjob_console_registry_state{state="lost"} 1`, `elasticjob_console_registry_state{state="connected"} 0`,
		"elasticjob_console_database_up 0", "elasticjob_console_settings_up 1", "elasticjob_console_snapshot_age_seconds +Inf",
	} {
		if !strings.Contains(r.Body, want+"\n") {
			t.Errorf("%s is not there:\n%s", want, r.Body)
		}
	}
}

// TestStrangersCannotFillTheMetrics: addresses and methods that are no route
// share their series.
func TestStrangersCannotFillTheMetrics(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	b := consoletest.New(t, func(o *app.Options) { o.Metrics = app.NewMetrics(reg) })
	series := func() (n int) {
		families, err := reg.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			n += len(f.GetMetric())
		}
		return n
	}
	ask := func(method, path string) {
		req, err := http.NewRequestWithContext(t.Context(), method, b.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		b.Do(t, req)
	}
	ask("PROPFIND", "/a")
	before := series()
	for _, path := range []string{"/b", "/c/d", "/e?f=g"} {
		ask("BREW", path)
	}
	if after := series(); after != before {
		t.Errorf("%d series, %d before", after, before)
	}
}
