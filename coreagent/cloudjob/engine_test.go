package cloudjob_test

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

// TestTheLocalEngineRunsIt: the engine's environment is sufficient, and the program's last lines
// are the engine's cause.
func TestTheLocalEngineRunsIt(t *testing.T) {
	t.Parallel()
	apps := t.TempDir()
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(apps, "program"), data, 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
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
	run := func(what string) cloud.Run {
		job, app := cloud.NewJob(what+".daily", "shop", 2), cloud.NewApp("shop")
		job.ShardParameters, job.Failover, app.Command = "0=Beijing,1=Turin", true, []string{"program", what}
		job.Props = map[string]string{cloud.PropFailoverMax: "1"}
		fire := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
		return cloud.Run{Name: cloud.RunName(job.Name, fire), Job: job, App: app, Owner: "uid", Fire: fire, Origin: cloud.OriginCron}
	}

	if s, tasks := finish(t, e, run("print")); s.State != cloud.RunSucceeded || len(tasks) != 2 {
		t.Errorf("%+v %+v", s, tasks)
	}
	s, tasks := finish(t, e, run("fail"))
	if s.State != cloud.RunFailed || len(tasks) != 4 {
		t.Errorf("%+v, %d tasks", s, len(tasks))
	}
	for _, task := range tasks {
		want := map[int]string{0: "the ledger of Beijing is closed", 1: "the ledger of Turin is closed"}[task.Shard]
		if task.State != tracing.StateFailed || !strings.HasPrefix(task.Message, "exit code 1 (Error): ") || !strings.Contains(task.Message, want) {
			t.Errorf("%+v", task)
		}
	}
	// 78 isn't retried.
	s, tasks = finish(t, e, run("permanent"))
	if s.State != cloud.RunFailed || len(tasks) != 2 || !strings.Contains(s.Message, "no such month") {
		t.Errorf("%+v, %d tasks", s, len(tasks))
	}
}

// finish launches a run, waits for its end, and returns its tasks by id.
func finish(t *testing.T, e *local.Engine, r cloud.Run) (cloud.RunStatus, map[string]cloud.Task) {
	t.Helper()
	if created, err := e.Launch(t.Context(), r); err != nil || !created {
		t.Fatal(created, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var status cloud.RunStatus
	tasks := make(map[string]cloud.Task)
	_ = e.Watch(ctx, func(event cloud.TaskEvent) { // It ends with ctx.
		switch {
		case event.Event != cloud.EventChanged || event.Run.Name != r.Name:
		case event.Task.UID != "":
			tasks[event.Task.UID] = event.Task
		default:
			status = event.Run
		}
		open := len(tasks) < r.TaskCount()
		for _, task := range tasks {
			open = open || !cloud.Ended(task.State)
		}
		if status.State.Ended() && !open {
			cancel()
		}
	})
	if !status.State.Ended() {
		t.Fatalf("%s has not ended: %+v %+v", r.Name, status, tasks)
	}
	return status, tasks
}
