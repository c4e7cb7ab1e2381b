package daemon

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
)

// TestReadinessSays checks the answers before the start, while the process fires, and while it stops.
func TestReadinessSays(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	r := &Readiness{ctx: ctx}
	says := func(code int, words string) {
		t.Helper()
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, task.ReadyPath, http.NoBody))
		if w.Code != code || !strings.Contains(w.Body.String(), words) {
			t.Errorf("%d %s; want %d %s", w.Code, w.Body, code, words)
		}
	}
	says(http.StatusServiceUnavailable, "has not started")
	r.Begin()
	says(http.StatusOK, "fires")
	stop()
	says(http.StatusServiceUnavailable, "is being stopped")
}

// TestReadyPort: only one path is served, a taken port is an error that names it, and the port is
// free after the end.
func TestReadyPort(t *testing.T) {
	t.Parallel()
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	port := taken.Addr().(*net.TCPAddr).Port
	read, err := task.Read([]string{
		"ELASTICJOB_JOB_NAME=settle", "ELASTICJOB_ITEM=0", "ELASTICJOB_SHARDING_TOTAL_COUNT=1", "ELASTICJOB_TASK_ID=id",
		"ELASTICJOB_EXECUTION_TYPE=DAEMON", "ELASTICJOB_CRON=* * * * * ?", "ELASTICJOB_READY_PORT=" + strconv.Itoa(port),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	c := Config{Task: read, Log: slog.New(slog.DiscardHandler), Work: func(context.Context, task.Task) error {
		for path, code := range map[string]int{task.ReadyPath: 200, "/": 404, "/readyz/x": 404} {
			if got := status(t, http.MethodGet, port, path); got != code {
				t.Errorf("%s: %d, want %d", path, got, code)
			}
		}
		if got := status(t, http.MethodPost, port, task.ReadyPath); got != http.StatusMethodNotAllowed {
			t.Errorf("POST: %d", got)
		}
		stop()
		return nil
	}}
	err = Loop(ctx, c)
	if problem, is := errors.AsType[*task.Error](err); !is || task.ExitCode(err) != task.ExitConfig || !strings.Contains(problem.Error(), "ELASTICJOB_READY_PORT is "+strconv.Itoa(port)+", and listening on it failed: address already in use") {
		t.Errorf("of a port that is taken: %v", err)
	}
	if err := taken.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Loop(ctx, c); err != nil || ctx.Err() == nil {
		t.Errorf("%v, %v", err, ctx.Err())
	}
	if code := status(t, http.MethodGet, port, task.ReadyPath); code != 0 {
		t.Errorf("%d after the end", code)
	}
}

// status returns the HTTP status, or 0 without an answer.
func status(t *testing.T, method string, port int, path string) int {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), method, "http://127.0.0.1:"+strconv.Itoa(port)+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}
