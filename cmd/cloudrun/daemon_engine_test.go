//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestTheLocalEngineRunsADaemon: both shards fire for themselves, and report with the token of
// their shard; they end when the engine stops the job.
func TestTheLocalEngineRunsADaemon(t *testing.T) {
	t.Parallel()
	type reported struct {
		token string
		event.Execution
	}
	reports := make(chan reported, 1000)
	console := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body event.Report
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		for _, e := range body.Executions {
			reports <- reported{r.Header.Get("Authorization"), e}
		}
		w.WriteHeader(http.StatusAccepted)
	}))
	defer console.Close()
	e := openEngine(t, console.URL+event.Path)
	job, app := cloud.NewJob("settle", "shop", 2), cloud.NewApp("shop")
	job.Type, job.Cron, job.ShardParameters = cloud.TypeDaemon, "* * * * * ?", "0=Beijing,1=Turin"
	app.Command = append([]string{"cloudrun"}, shell(`echo "the ledger of $ELASTICJOB_SHARDING_PARAMETER is closed"; exit 7`)...)
	app.Env = map[string]string{wrapperWord: "1"}
	d := cloud.Daemon{Name: cloud.Slug(job.Name), Job: job, App: app, Owner: "uid", Count: 2}
	keep(t, e, d)
	tokens := make([]string, 2)
	for slices.Contains(tokens, "") {
		r := <-reports
		if r.Ended == nil {
			continue
		}
		tokens[r.Item] = r.token
		want := "exit code 7: the ledger of " + []string{"Beijing", "Turin"}[r.Item] + " is closed"
		if r.Cause != want || !strings.HasPrefix(r.TaskID, []string{"settle@-@0@-@", "settle@-@1@-@"}[r.Item]) || !strings.HasPrefix(r.token, "Bearer ") {
			t.Errorf("%+v", r)
		}
	}
	if tokens[0] == tokens[1] {
		t.Error("both have one token")
	}
	d.Count = 0
	keep(t, e, d)
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	defer cancel()
	var state cloud.RunState
	_ = e.Watch(ctx, func(event cloud.TaskEvent) { // It ends with ctx.
		if event.Event == cloud.EventChanged && event.Task.UID == "" {
			if state = event.Run.State; state.Ended() {
				cancel()
			}
		}
	})
	if state != cloud.RunKilled {
		t.Errorf("the run is %s", state)
	}
}

// openEngine is a local engine of this binary, whose applications find the wrapper.
func openEngine(t *testing.T, events string) *local.Engine {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	apps := t.TempDir()
	if err := os.WriteFile(filepath.Join(apps, "cloudrun"), data, 0o700); err != nil {
		t.Fatal(err)
	}
	e, err := local.Open(local.Config{
		Dir: t.TempDir(), Apps: apps, CPU: 100, MemoryMB: 100_000, Shim: []string{self, shimWord}, EventsURL: events,
		Node: "node-1", Backoff: time.Millisecond, Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// keep asks for the processes of a daemon until the engine has taken it.
func keep(t *testing.T, e *local.Engine, d cloud.Daemon) {
	t.Helper()
	waittest.Until(t, "the daemon is taken", func() bool {
		err := e.Daemon(t.Context(), d)
		if later := (*cloud.RetryAfterError)(nil); err != nil && !errors.As(err, &later) {
			t.Fatal(err)
		}
		return err == nil
	})
}
