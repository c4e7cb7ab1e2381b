package metrics_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/metrics"
)

// TestText: values are written as Prometheus reads them, with their labels by name. The golden file of
// package coreagentprom compares the format with Prometheus' own library.
func TestText(t *testing.T) {
	t.Parallel()
	var set metrics.Set
	odd := set.Add(metrics.Counter, "odd_total", "A \\ and\na line.", nil, "z", "a")
	odd.With("2", "quote \" \\ \n").Add(1e21)
	odd.With("1", "x").Inc()
	took := set.Add(metrics.Histogram, "took_seconds", "Took.", []float64{0.5, 1})
	for _, v := range []float64{0.25, 0.5, 0.75, 1.5} {
		took.With().Observe(v)
	}
	set.Add(metrics.Gauge, "empty", "Without a series.", nil, "job")
	set.AddFunc(metrics.Gauge, "asked", "Asked.", func() float64 { return -0.5 })
	const want = `# HELP asked Asked.
# TYPE asked gauge
asked -0.5
# HELP odd_total A \\ and\na line.
# TYPE odd_total counter
odd_total{a="x",z="1"} 1
odd_total{a="quote \" \\ \n",z="2"} 1e+21
# HELP took_seconds Took.
# TYPE took_seconds histogram
took_seconds_bucket{le="0.5"} 2
took_seconds_bucket{le="1"} 3
took_seconds_bucket{le="+Inf"} 4
took_seconds_sum 3
took_seconds_count 4
`
	w := httptest.NewRecorder()
	set.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if got := w.Body.String(); got != want || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Errorf("%v, %s", w.Header(), got)
	}
	set.Delete("a", "x")
	if len(odd.Samples()) != 1 || len(took.Samples()) != 1 {
		t.Errorf("after a deletion: %v, %v", odd.Samples(), took.Samples())
	}
}

// TestConcurrentCounts: no count is lost.
func TestConcurrentCounts(t *testing.T) {
	t.Parallel()
	var set metrics.Set
	count := set.Add(metrics.Counter, "n_total", "N.", nil, "job")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 1000 {
				count.With("j").Inc()
				_ = count.Samples()
			}
		})
	}
	group.Wait()
	if got := count.Samples()[0].Value; got != 8000 {
		t.Error(got)
	}
}

// TestProcess: a process has metrics of its memory, and on Linux of its processor time and files.
func TestProcess(t *testing.T) {
	t.Parallel()
	var set metrics.Set
	set.AddProcess()
	values := map[string]float64{}
	for _, f := range set.Families() {
		values[f.Name] = f.Samples()[0].Value
	}
	if values["go_goroutines"] < 1 || values["go_memstats_heap_alloc_bytes"] < 1000 || values["process_start_time_seconds"] < 1e9 {
		t.Errorf("%v", values)
	}
	if linux := runtime.GOOS == "linux"; linux && (values["process_resident_memory_bytes"] < 1e6 || values["process_open_fds"] < 3) {
		t.Errorf("%v", values)
	} else if _, has := values["process_cpu_seconds_total"]; has != linux {
		t.Errorf("%v", values)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }

// TestWriteFails: an error of the writer is returned.
func TestWriteFails(t *testing.T) {
	t.Parallel()
	var set metrics.Set
	set.AddFunc(metrics.Gauge, "asked", "Asked.", func() float64 { return 1 })
	if err := set.Write(brokenPipe{}); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}
