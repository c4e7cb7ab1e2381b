package local_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
	"github.com/elasticjob-go/elasticjob/internal/leftover"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestRunSucceeds: each shard has a task with its own environment and folder.
func TestRunSucceeds(t *testing.T) {
	t.Setenv("SECRET_OF_THE_CONSOLE", "1")
	f := open(t, config(t))
	r := job("settle.daily", 3, "env")
	r.Job.ShardParameters, r.Job.Parameter, r.Job.Props = "0=a,1=b", "p", map[string]string{"k": "v", "email.password": "SECRET"}
	r.Job.ErrorHandlerType = "EMAIL" // The scheduler sends mails, so the program gets no password.
	r.App.Env = map[string]string{"MINE": "m", "PATH": "/nowhere"}
	r.Parameters = []byte(`{"day":1}`)
	f.launch(r)
	status := f.finished(r)
	if status.State != cloud.RunSucceeded || status.Count != 3 || status.Started.IsZero() || status.Ended.Before(status.Started) || status.Message != "" {
		t.Errorf("%+v", status)
	}
	tasks := f.of(r)
	if len(tasks) != 3 {
		t.Fatalf("%+v", tasks)
	}
	for n, task := range tasks {
		if task.State != tracing.StateFinished || task.Shard != n || task.Attempt != 1 || task.Node != "node-1" || task.Started.IsZero() || task.Ended.Before(task.Started) || len(task.UID) != 36 {
			t.Errorf("%+v", task)
		}
	}
	text := f.log(tasks[1].TaskRef, cloud.LogOptions{})
	for _, want := range []string{
		"ELASTICJOB_ITEM=1\n", "ELASTICJOB_SHARDING_PARAMETER=b\n", "ELASTICJOB_SHARDING_TOTAL_COUNT=3\n", "ELASTICJOB_JOB_NAME=settle.daily\n",
		"ELASTICJOB_JOB_PARAMETER=p\n", `ELASTICJOB_PROPS={"k":"v"}` + "\n", `ELASTICJOB_RUN_PARAMETERS={"day":1}` + "\n",
		"ELASTICJOB_SCHEDULED_AT=2026-11-22T12:00:00Z\n", "ELASTICJOB_TASK_ID=" + tasks[1].ID("settle.daily") + "\n", "MINE=m\n", "PATH=/nowhere\n",
		"folder=" + filepath.Join(f.cfg.Dir, "runs", r.Name, "1", "work") + "\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the environment:\n%s", want, text)
		}
	}
	if strings.Contains(text, "SECRET") {
		t.Error("the environment is inherited, or has a notifier's password")
	}
}

// TestRunFails: the exit code and the last lines are the cause, and the other shards finish.
func TestRunFails(t *testing.T) {
	f := open(t, config(t))
	r := job("fails", 2, "exit", "7")
	f.launch(r)
	if s := f.finished(r); s.State != cloud.RunFailed || !strings.Contains(s.Message, "2 of 2 shards failed; shard 0: exit code 7 (Error): I end with 7") {
		t.Errorf("%+v", s)
	}
	for _, task := range f.of(r) {
		if task.State != tracing.StateFailed || task.Message != "exit code 7 (Error): I end with 7" {
			t.Errorf("%+v", task)
		}
	}
	// A file that can't be executed.
	bad := job("bad", 1)
	if err := os.WriteFile(filepath.Join(f.apps, "noise"), []byte("\x00\x01"), 0o700); err != nil {
		t.Fatal(err)
	}
	bad.App.Command = []string{"noise"}
	f.launch(bad)
	if s := f.finished(bad); s.State != cloud.RunFailed || f.of(bad)[0].State != tracing.StateError || !strings.Contains(s.Message, "could not be started") {
		t.Errorf("%+v", s)
	}
}

// TestCL32FailoverTriesAgain: with failover a failed shard is retried, alone, as often as
// configured. Each attempt is a separate task.
func TestCL32FailoverTriesAgain(t *testing.T) {
	f := open(t, config(t))
	r := job("again", 2, "fail-once", filepath.Join(t.TempDir(), "x"))
	r.Job.Failover = true
	f.launch(r)
	if s := f.finished(r); s.State != cloud.RunSucceeded {
		t.Errorf("%+v", s)
	}
	tasks := f.of(r)
	if len(tasks) != 4 || tasks[1].Type() != cloud.TaskFailover || tasks[1].FirstUID != tasks[0].UID || tasks[0].State != tracing.StateFailed || tasks[1].State != tracing.StateFinished {
		t.Errorf("%+v", tasks)
	}
	never := job("never", 1, "exit", "7")
	never.Job.Failover, never.Job.Props[cloud.PropFailoverMax] = true, "2"
	f.launch(never)
	if s := f.finished(never); s.State != cloud.RunFailed || len(f.of(never)) != 3 {
		t.Errorf("%+v, %d tasks", s, len(f.of(never)))
	}
}

// TestW41WaitsForItsNextAttempt: a task waiting for its retry has Retry set, until the shard is ended.
func TestW41WaitsForItsNextAttempt(t *testing.T) {
	cfg := config(t)
	cfg.Backoff = 5 * time.Minute
	f := open(t, cfg)
	r := job("again", 2, "fail-once", filepath.Join(t.TempDir(), "x"))
	r.Job.Failover = true
	f.launch(r)
	waiting := func() []cloud.Task { return cloud.NextAttempts(f.runs[r.Name], slices.Collect(maps.Values(f.tasks))) }
	f.until("both shards wait", func() bool { return len(waiting()) == 2 })
	if err := f.End(t.Context(), r.Name, 1, cloud.Ending{Way: cloud.EndKill, By: "ann"}); err != nil {
		t.Fatal(err)
	}
	f.until("one shard waits", func() bool { return len(waiting()) == 1 && waiting()[0].Shard == 0 })
}

// TestCL33CodesThatForbidAnotherAttempt: 78 isn't retried.
func TestCL33CodesThatForbidAnotherAttempt(t *testing.T) {
	f := open(t, config(t))
	r := job("config", 1, "exit", "78")
	r.Job.Failover = true
	f.launch(r)
	if s := f.finished(r); s.State != cloud.RunFailed || len(f.of(r)) != 1 {
		t.Errorf("%+v, %d tasks", s, len(f.of(r)))
	}
}

// TestCL35TimeOut: a run beyond its time limit should end, no matter how its programs behave.
func TestCL35TimeOut(t *testing.T) {
	f := open(t, config(t))
	r := job("slow", 2, "stubborn")
	r.Job.Failover, r.Job.Props[cloud.PropTimeout], r.Job.Props[cloud.PropParallelism] = true, "1s", "1"
	f.launch(r)
	if s := f.finished(r); s.State != cloud.RunFailed || !strings.Contains(s.Message, "deadline: the run took longer than 1s") {
		t.Errorf("%+v", s)
	}
	tasks := f.of(r)
	if len(tasks) != 1 || tasks[0].State != tracing.StateFailed || !strings.HasPrefix(tasks[0].Message, "deadline") {
		t.Errorf("%+v", tasks)
	}
}

// TestCL36StubbornProgram: a program that ignores SIGTERM is killed after its grace, with all its
// descendants, in its group or not.
func TestCL36StubbornProgram(t *testing.T) {
	f := open(t, config(t))
	stubborn, family := job("stubborn", 1, "stubborn"), job("family", 1, "family")
	f.launch(stubborn)
	f.launch(family)
	f.running(stubborn)
	f.running(family)
	f.children(f.of(stubborn)[0].TaskRef, "ready")
	pids := f.children(f.of(family)[0].TaskRef, "all")
	if len(pids) != 2 || !alive(pids[0]) || !alive(pids[1]) {
		t.Fatalf("children %v", pids)
	}
	for _, r := range []cloud.Run{stubborn, family} {
		if err := f.End(t.Context(), r.Name, -1, cloud.Ending{Way: cloud.EndKill, By: "root", Reason: "enough"}); err != nil {
			t.Fatal(err)
		}
		if s := f.finished(r); s.State != cloud.RunKilled || !strings.Contains(s.Message, "killed by root: enough") {
			t.Errorf("%+v", s)
		}
	}
	if task := f.of(stubborn)[0]; task.State != tracing.StateKilled || !strings.Contains(task.Message, "it ignored SIGTERM") {
		t.Errorf("%+v", task)
	}
	for _, pid := range pids {
		waittest.Until(t, "a child has ended", func() bool { return !alive(pid) })
	}
}

// TestNothingIsLeftBehind: the children of an ended program should be killed.
func TestNothingIsLeftBehind(t *testing.T) {
	f := open(t, config(t))
	r := job("leaves", 1, "parent-ends")
	f.launch(r)
	if s := f.finished(r); s.State != cloud.RunSucceeded {
		t.Errorf("%+v", s)
	}
	for _, pid := range f.children(f.of(r)[0].TaskRef, "child") {
		if alive(pid) {
			t.Errorf("child %d lives", pid)
		}
	}
}

// TestW01HeldOutput: if a program leaves a child that holds its output, its exit code still
// decides, the log has a warning, and 65 isn't retried.
func TestW01HeldOutput(t *testing.T) {
	f := open(t, config(t))
	for code, want := range map[string]cloud.RunState{"0": cloud.RunSucceeded, "65": cloud.RunFailed} {
		r := job("held-"+code, 1, "leaves", code)
		r.Job.Failover = true
		f.launch(r)
		if s := f.finished(r); s.State != want || len(f.of(r)) != 1 {
			t.Errorf("exit code %s: %+v, %d tasks", code, s, len(f.of(r)))
		}
		if text := f.log(f.of(r)[0].TaskRef, cloud.LogOptions{}); !strings.Contains(text, "warning: "+leftover.Warning) {
			t.Errorf("exit code %s: the log has no warning:\n%s", code, text)
		}
	}
}

// TestCL47Suspend: the processes end, and Resume continues with the unfinished shards.
func TestCL47Suspend(t *testing.T) {
	f := open(t, config(t))
	file := filepath.Join(t.TempDir(), "go")
	r := job("suspended", 2, "until", file)
	f.launch(r)
	f.running(r)
	how := cloud.Ending{Way: cloud.EndSuspend, By: "root"}
	if err := f.End(t.Context(), r.Name, -1, how); err != nil {
		t.Fatal(err)
	}
	f.until("both have ended", func() bool {
		return f.runs[r.Name].State == cloud.RunSuspended && f.count(r, tracing.StateKilled) == 2
	})
	if reasons, err := f.Explain(t.Context(), r.Name); err != nil || len(reasons) != 1 || reasons[0].Code != "Suspended" {
		t.Errorf("%+v, %v", reasons, err)
	}
	if err := errors.Join(f.End(t.Context(), r.Name, -1, how), f.Resume(t.Context(), r.Name), f.Resume(t.Context(), r.Name)); err != nil {
		t.Fatal(err)
	}
	f.running(r)
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := f.finished(r); s.State != cloud.RunSucceeded || len(f.of(r)) != 4 {
		t.Errorf("%+v", s)
	}
}

// TestKillWhatIsSuspended: it ends although it has no process.
func TestKillWhatIsSuspended(t *testing.T) {
	f := open(t, config(t))
	r := job("both", 2, "stubborn")
	f.launch(r)
	f.running(r)
	err := errors.Join(
		f.End(t.Context(), r.Name, -1, cloud.Ending{Way: cloud.EndSuspend, By: "root"}),
		f.End(t.Context(), r.Name, -1, cloud.Ending{Way: cloud.EndKill, By: "root"}), // while they are ending
	)
	if err != nil {
		t.Fatal(err)
	}
	if s := f.finished(r); s.State != cloud.RunKilled {
		t.Errorf("%+v", s)
	}
}

// TestEndOneShard: the others continue.
func TestEndOneShard(t *testing.T) {
	f := open(t, config(t))
	file := filepath.Join(t.TempDir(), "go")
	r := job("one", 3, "until", file)
	r.Job.Failover = true
	f.launch(r)
	f.running(r)
	if err := f.End(t.Context(), r.Name, 1, cloud.Ending{Way: cloud.EndKill, By: "root"}); err != nil {
		t.Fatal(err)
	}
	f.until("one has ended", func() bool { return f.count(r, tracing.StateKilled) == 1 })
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := f.finished(r); s.State != cloud.RunKilled || !strings.Contains(s.Message, "shard 1: killed by root") || len(f.of(r)) != 3 {
		t.Errorf("%+v", s)
	}
}

// TestLaunchAgain: the same run succeeds, another one with the name is refused, and Forget frees the name.
func TestLaunchAgain(t *testing.T) {
	f := open(t, config(t))
	r := job("twice", 1, "exit", "0")
	f.launch(r)
	if created, err := f.Launch(t.Context(), r); created || err != nil {
		t.Error(created, err)
	}
	other := r
	other.Owner = "another"
	if _, err := f.Launch(t.Context(), other); !errors.Is(err, cloud.ErrForeign) {
		t.Error(err)
	}
	f.finished(r)
	if created, err := f.Launch(t.Context(), r); created || err != nil {
		t.Error("after its end:", created, err)
	}
	if err := f.Forget(t.Context(), r.Name); err != nil {
		t.Fatal(err)
	}
	f.until("it is removed", func() bool { return len(f.runs) == 0 && len(f.tasks) == 0 })
	if err := f.Forget(t.Context(), r.Name); !errors.Is(err, cloud.ErrNotFound) {
		t.Error(err)
	}
	f.launch(r)
	f.finished(r)
}

// TestRefusals checks invalid calls and their errors.
func TestRefusals(t *testing.T) {
	f := open(t, config(t))
	goes := job("goes", 1, "stubborn")
	f.launch(goes)
	kill := cloud.Ending{Way: cloud.EndKill, By: "root"}
	_, explain := f.Explain(t.Context(), "x-1")
	_, logs := f.Logs(t.Context(), cloud.TaskRef{Run: "x-1"}, cloud.LogOptions{})
	many, daemon, path := job("many", local.MaxShards+1, "env"), job("daemon", 1, "env"), job("path", 1, "env")
	daemon.Job.Type, path.Name = cloud.TypeDaemon, "../x"
	for what, c := range map[string]struct{ err, want error }{
		"end":             {f.End(t.Context(), "x-1", -1, kill), cloud.ErrNotFound},
		"end a shard":     {f.End(t.Context(), goes.Name, 5, kill), cloud.ErrNotFound},
		"suspend a shard": {f.End(t.Context(), goes.Name, 0, cloud.Ending{Way: cloud.EndSuspend}), cloud.ErrRefused},
		"a way":           {f.End(t.Context(), goes.Name, -1, cloud.Ending{}), cloud.ErrRefused},
		"resume":          {f.Resume(t.Context(), "x-1"), cloud.ErrNotFound},
		"explain":         {explain, cloud.ErrNotFound},
		"logs":            {logs, cloud.ErrNotFound},
		"forget":          {f.Forget(t.Context(), "x-1"), cloud.ErrNotFound},
		"forget too soon": {f.Forget(t.Context(), goes.Name), cloud.ErrRefused},
		"many shards":     {launchError(f, many), cloud.ErrRefused},
		"a daemon":        {launchError(f, daemon), cloud.ErrUnsupported},
		"a path":          {launchError(f, path), cloud.ErrRefused},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", what, c.err, c.want)
		}
	}
	f.end()
	if err := launchError(f, job("late", 1, "env")); !errors.Is(err, local.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	again := open(t, f.cfg) // It adopts the active run and ends it.
	again.until("it is adopted", func() bool { return len(again.runs) == 1 })
}

func launchError(f *fixture, r cloud.Run) error {
	_, err := f.Launch(f.t.Context(), r)
	return err
}

// TestTwoEnginesOnOneFolder: the second one fails with the remedy.
func TestTwoEnginesOnOneFolder(t *testing.T) {
	f := open(t, config(t))
	if _, err := local.Open(f.cfg); err == nil || !strings.Contains(err.Error(), "another engine uses this folder") {
		t.Errorf("%v", err)
	}
	if _, err := local.Open(local.Config{CPU: -1, Node: "a@-@b"}); err == nil || !strings.Contains(err.Error(), "Dir is empty") || !strings.Contains(err.Error(), "CPU is -1") || !strings.Contains(err.Error(), "a@-@b") {
		t.Errorf("%v", err)
	}
}

func TestParallelism(t *testing.T) {
	f := open(t, config(t))
	file := filepath.Join(t.TempDir(), "go")
	r := job("parallel", 5, "until", file)
	r.Job.Props[cloud.PropParallelism] = "2"
	f.launch(r)
	f.until("two run", func() bool { return f.count(r, tracing.StateRunning) == 2 })
	if n := len(f.of(r)); n != 2 {
		t.Errorf("%d tasks", n)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := f.finished(r); s.State != cloud.RunSucceeded || len(f.of(r)) != 5 {
		t.Errorf("%+v", s)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	at := map[string]bool{}
	for _, e := range f.events {
		if e.Task.State == tracing.StateRunning {
			at[e.Task.UID] = true
		} else {
			delete(at, e.Task.UID)
		}
		if len(at) > 2 {
			t.Errorf("%d run at a time", len(at))
		}
	}
}
