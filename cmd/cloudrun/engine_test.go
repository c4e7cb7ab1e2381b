//go:build linux

package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// shimWord makes a shim of the local engine of the test binary.
const shimWord = "local-task"

func init() {
	if len(os.Args) > 3 && os.Args[1] == shimWord {
		os.Exit(local.Shim(os.Args[2], os.Args[3]))
	}
}

// TestTheLocalEngineRunsIt: an application whose command is the wrapper and a script. A run
// that is ended ends the script.
func TestTheLocalEngineRunsIt(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	apps := t.TempDir()
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(apps, "cloudrun"), data, 0o700); err != nil {
		t.Fatal(err)
	}
	e, err := local.Open(local.Config{
		Dir: t.TempDir(), Apps: apps, CPU: 100, MemoryMB: 100_000, Shim: []string{self, shimWord},
		Node: "node-1", Backoff: time.Millisecond, Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	run := func(name, script string) cloud.Run {
		job, app := cloud.NewJob(name, "shop", 2), cloud.NewApp("shop")
		job.ShardParameters, app.Command = "0=Beijing,1=Turin", append([]string{"cloudrun"}, shell(script)...)
		app.Env = map[string]string{wrapperWord: "1"}
		fire := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
		return cloud.Run{Name: cloud.RunName(name, fire), Job: job, App: app, Owner: "uid", Fire: fire, Origin: cloud.OriginCron}
	}
	if s, _ := finish(t, e, run("well", `test "$ELASTICJOB_SHARDING_PARAMETER" && test "${1#*shardingParameter}" != "$1"`), nil); s.State != cloud.RunSucceeded {
		t.Errorf("%+v", s)
	}
	s, task := finish(t, e, run("fails", `echo "the ledger of $ELASTICJOB_SHARDING_PARAMETER is closed"; exit 7`), nil)
	if s.State != cloud.RunFailed || task.State != tracing.StateFailed || !strings.HasPrefix(task.Message, "exit code 7 (Error): the ledger of") {
		t.Errorf("%+v %+v", s, task)
	}
	waits := run("waits", `trap 'exit 0' TERM; while :; do sleep 0.05; done`)
	s, task = finish(t, e, waits, func() {
		if err := e.End(t.Context(), waits.Name, -1, cloud.Ending{Way: cloud.EndKill, By: "alice"}); err != nil {
			t.Error(err)
		}
	})
	if s.State != cloud.RunKilled || task.Message != "killed by alice" {
		t.Errorf("%+v %+v", s, task)
	}
}

// finish launches a run and waits for its end; running is called when a shard runs. It
// returns a task of the run.
func finish(t *testing.T, e *local.Engine, r cloud.Run, running func()) (status cloud.RunStatus, task cloud.Task) {
	t.Helper()
	if created, err := e.Launch(t.Context(), r); err != nil || !created {
		t.Fatal(created, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	acted := running == nil
	_ = e.Watch(ctx, func(event cloud.TaskEvent) { // It ends with ctx.
		switch {
		case event.Event != cloud.EventChanged || event.Run.Name != r.Name:
		case event.Task.UID != "":
			task = event.Task
		default:
			status = event.Run
		}
		if !acted && task.State == tracing.StateRunning {
			acted = true
			go running() // A watch must not wait for what it reports.
		}
		if status.State.Ended() && cloud.Ended(task.State) {
			cancel()
		}
	})
	if !status.State.Ended() {
		t.Fatalf("%s has not ended: %+v %+v", r.Name, status, task)
	}
	return status, task
}
