package local_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// feed returns a DAEMON job with a test program.
func feed(name string, shards int, words ...string) cloud.Daemon {
	r := job(name, shards, words...)
	r.Job.Type, r.Job.Cron, r.Job.TimeZone = cloud.TypeDaemon, "0/5 * * * * ?", "Europe/Berlin"
	return cloud.Daemon{Name: cloud.Slug(name), Job: r.Job, App: r.App, Owner: "uid", Count: shards}
}

func runOf(d cloud.Daemon) cloud.Run {
	return cloud.Run{Name: cloud.DaemonRunName(d.Job.Name), Job: d.Job, Origin: cloud.OriginDaemon}
}

// daemon calls Daemon, again while the engine asks for a retry.
func (f *fixture) daemon(d cloud.Daemon) {
	f.t.Helper()
	waittest.Until(f.t, "the daemon is taken", func() bool {
		err := f.Daemon(f.t.Context(), d)
		var later *cloud.RetryAfterError
		if err != nil && !errors.As(err, &later) {
			f.t.Fatal(err)
		}
		return err == nil
	})
}

// stopped ends all processes.
func (f *fixture) stopped(d cloud.Daemon) cloud.RunStatus {
	f.t.Helper()
	d.Count = 0
	f.daemon(d)
	return f.finished(runOf(d))
}

// TestDaemonStopped: its processes get SIGTERM, and their run ends. It can be forgotten, or
// replaced by another run of the same name.
func TestDaemonStopped(t *testing.T) {
	f := open(t, config(t))
	d := feed("feed", 2, "stubborn")
	f.daemon(d)
	f.running(runOf(d))
	if s := f.stopped(d); s.State != cloud.RunKilled || !strings.Contains(s.Message, "killed by scheduler: the job should have no processes") {
		t.Errorf("%+v", s)
	}
	for _, task := range f.of(runOf(d)) {
		if task.State != tracing.StateKilled || task.Attempt != 1 {
			t.Errorf("%+v", task)
		}
	}
	f.daemon(d)
	f.until("it goes on", func() bool { return f.runs[runOf(d).Name].State == cloud.RunRunning })
	f.running(runOf(d))
	f.stopped(d)
	if err := f.Forget(t.Context(), runOf(d).Name); err != nil {
		t.Error(err)
	}
	f.until("nothing is left", func() bool { return len(f.runs) == 0 && len(f.tasks) == 0 })
}

// TestDaemonBeginsAgain: a process that ends is restarted again and again. The last attempts are
// kept with their logs, and the run has a message.
func TestDaemonBeginsAgain(t *testing.T) {
	cfg := config(t)
	f := open(t, cfg)
	d := feed("feed", 1, "exit", "7")
	f.daemon(d)
	run := runOf(d)
	attempts := func() []cloud.Task { return f.of(run) }
	f.until("it has begun twenty times", func() bool {
		for _, task := range f.tasks {
			if task.Attempt >= 20 {
				return true
			}
		}
		return false
	})
	f.until("it reports why", func() bool {
		return strings.HasPrefix(f.runs[run.Name].Message, "1 of 1 processes have ended and are started again; shard 0: exit code 7 (Error): I end with 7")
	})
	if s := f.runs[run.Name]; s.State != cloud.RunRunning || !s.Fire.IsZero() {
		t.Errorf("%+v", s)
	}
	waittest.Until(t, "earlier attempts are forgotten", func() bool { return len(attempts()) <= 13 })
	reasons, err := f.Explain(t.Context(), run.Name)
	if err != nil {
		t.Error(err)
	}
	for _, r := range reasons {
		if r.Code != "BackOff" {
			t.Errorf("%+v", r)
		}
	}
	last := attempts()[len(attempts())-2]
	if last.Type() != cloud.TaskFailover || last.OriginalID("feed") == "" || last.State != tracing.StateFailed {
		t.Errorf("%+v", last)
	}
	if text := f.log(last.TaskRef, cloud.LogOptions{}); text != "I end with 7\n" {
		t.Errorf("the log is %q", text)
	}
	// The next console continues to count.
	f.end()
	before := attempts()
	f = open(t, cfg)
	f.until("it has begun once more", func() bool {
		for _, task := range f.tasks {
			if task.Attempt > before[len(before)-1].Attempt {
				return task.FirstUID == last.FirstUID
			}
		}
		return false
	})
	f.stopped(d)
	if folders, err := os.ReadDir(filepath.Join(cfg.Dir, "runs", run.Name, "0")); err != nil || len(folders) > 15 {
		t.Errorf("%d folders are left, %v", len(folders), err)
	}
}

// TestDaemonShardKilled: a killed process of a shard restarts at once; the whole run can't be killed.
func TestDaemonShardKilled(t *testing.T) {
	cfg := config(t)
	cfg.Backoff = time.Minute
	f := open(t, cfg)
	d := feed("feed", 2, "until", filepath.Join(t.TempDir(), "never"))
	f.daemon(d)
	run := runOf(d)
	f.running(run)
	how := cloud.Ending{Way: cloud.EndKill, By: "root"}
	if err := f.End(t.Context(), run.Name, 1, how); err != nil {
		t.Fatal(err)
	}
	f.until("it has restarted", func() bool {
		return f.count(run, tracing.StateRunning) == 2 && f.count(run, tracing.StateKilled) == 1
	})
	for name, err := range map[string]error{
		"the run":       f.End(t.Context(), run.Name, -1, how),
		"to suspend it": f.End(t.Context(), run.Name, -1, cloud.Ending{Way: cloud.EndSuspend}),
		"as an error":   f.End(t.Context(), run.Name, 0, cloud.Ending{Way: cloud.EndError}),
	} {
		if !errors.Is(err, cloud.ErrRefused) || !strings.Contains(err.Error(), "disable the job") {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.stopped(d)
}

// TestDaemonChanged: a change replaces one process after the other, and another number of shards
// all at once, but no two processes ever have the same part.
func TestDaemonChanged(t *testing.T) {
	f := open(t, config(t))
	d := feed("feed", 3, "until", filepath.Join(t.TempDir(), "never"))
	f.daemon(d)
	run := runOf(d)
	f.running(run)
	before := f.of(run)
	d.Job.Description = "a text that no process sees"
	f.daemon(d)
	d.Job.Parameter = "another"
	f.daemon(d)
	f.until("all have restarted", func() bool {
		return f.count(run, tracing.StateRunning) == 3 && f.count(run, tracing.StateKilled) == 3
	})
	f.mu.Lock()
	running, least := map[string]bool{}, 3
	for _, e := range f.events {
		if e.Task.UID == "" {
			continue
		}
		if running[e.Task.UID] = e.Task.State == tracing.StateRunning; !running[e.Task.UID] {
			delete(running, e.Task.UID)
		}
		if e.Task.State == tracing.StateKilled {
			least = min(least, len(running))
		}
	}
	f.mu.Unlock()
	if tasks := f.of(run); least != 2 || len(tasks) != 2*len(before) {
		t.Errorf("at least %d ran at each time, %d tasks", least, len(tasks))
	}
	for _, change := range []func(){func() { d.Job.Shards, d.Count = 2, 2 }, func() { d.Owner = "another" }} {
		change()
		f.daemon(d)
		f.until("the new ones work", func() bool {
			return f.runs[run.Name].Owner == d.Owner && f.runs[run.Name].Count == 2 && f.count(run, tracing.StateRunning) == 2 && len(f.tasks) == 2
		})
	}
	// Another owner's processes aren't stopped.
	other := d
	other.Owner = "uid"
	other.Count = 0
	f.daemon(other)
	f.running(runOf(d))
	f.stopped(d)
}

// TestDaemonSurvivesTheConsole: the processes continue without a console, and the next one adopts them.
func TestDaemonSurvivesTheConsole(t *testing.T) {
	cfg := config(t)
	cfg.EventsURL = "http://127.0.0.1:8088/api/cloud/events"
	d := feed("feed", 2, "until", filepath.Join(t.TempDir(), "never"))
	kill := elsewhere(t, cfg, task{Daemons: []cloud.Daemon{d}})
	folders := runningOn(t, cfg, runOf(d))
	kill()
	pids := []int{pid(t, folders[0], "child.json"), pid(t, folders[1], "child.json")}
	f := open(t, cfg)
	f.daemon(d)
	f.running(runOf(d))
	for _, task := range f.of(runOf(d)) {
		if task.Attempt != 1 || !alive(pids[task.Shard]) {
			t.Errorf("%+v", task)
		}
	}
	// An earlier token stays valid.
	data, err := os.ReadFile(filepath.Join(folders[1], "token"))
	if err != nil {
		t.Fatal(err)
	}
	if name, shard, err := f.Reporter(t.Context(), string(data)); err != nil || name != "feed" || shard != 1 {
		t.Errorf("%s %d %v", name, shard, err)
	}
	// A console with another address restarts them.
	f.end()
	cfg.EventsURL = "http://127.0.0.1:8089/api/cloud/events"
	f = open(t, cfg)
	f.daemon(d)
	f.until("all have restarted", func() bool { return f.count(runOf(d), tracing.StateRunning) == 2 && len(f.tasks) == 4 })
	f.stopped(d)
	for _, pid := range pids {
		if alive(pid) {
			t.Errorf("process %d lives", pid)
		}
	}
}

// TestDaemonEnvironment: the schedule, the address for reports, and its own token.
func TestDaemonEnvironment(t *testing.T) {
	cfg := config(t)
	cfg.EventsURL = "http://127.0.0.1:8088/api/cloud/events"
	f := open(t, cfg)
	d := feed("feed.of warehouses", 2, "env")
	d.App.Env, d.App.EventSampling = map[string]string{"ELASTICJOB_CRON": "mine", "ELASTICJOB_READY_PORT": "mine"}, 3
	d.Job.Props = map[string]string{cloud.PropReadyPort: "8088"}
	f.daemon(d)
	run := runOf(d)
	f.until("the first of both shards has ended", func() bool {
		first := 0 // One shard may have ended twice before the other has.
		for _, t := range f.tasks {
			if t.Run == run.Name && t.Attempt == 1 && t.State == tracing.StateFinished {
				first++
			}
		}
		return first == 2
	})
	tasks := f.of(run)
	tokens := map[int]string{}
	for _, task := range []cloud.Task{tasks[0], tasks[slices.IndexFunc(tasks, func(t cloud.Task) bool { return t.Shard == 1 })]} {
		text := f.log(task.TaskRef, cloud.LogOptions{})
		path := filepath.Join(cfg.Dir, "runs", run.Name, string(rune('0'+task.Shard)), "1", "token")
		for _, want := range []string{
			"ELASTICJOB_EXECUTION_TYPE=DAEMON\n", "ELASTICJOB_RUN=" + run.Name + "\n", "ELASTICJOB_CRON=0/5 * * * * ?\n", "ELASTICJOB_TIME_ZONE=Europe/Berlin\n",
			"ELASTICJOB_EVENT_SAMPLING=3\n", "ELASTICJOB_MISFIRE=false\n", "ELASTICJOB_EVENTS_URL=" + cfg.EventsURL + "\n", "ELASTICJOB_EVENTS_TOKEN_FILE=" + path + "\n",
			"ELASTICJOB_TASK_ID=" + task.ID(d.Job.Name) + "\n", "ELASTICJOB_ATTEMPT=1\n", "ELASTICJOB_READY_PORT=\n",
		} {
			if !strings.Contains("\n"+text, "\n"+want) {
				t.Errorf("%q is not in the environment:\n%s", want, text)
			}
		}
		if strings.Contains(text, "SCHEDULED_AT") || strings.Contains(text, "=mine") {
			t.Errorf("the environment is\n%s", text)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode() != 0o600 {
			t.Fatal(info, err)
		}
		data, err := os.ReadFile(path)
		if err != nil || strings.Contains(text, string(data)) {
			t.Error(err)
		}
		tokens[task.Shard] = string(data)
		if name, shard, err := f.Reporter(t.Context(), string(data)); err != nil || name != d.Job.Name || shard != task.Shard {
			t.Errorf("%s %d %v", name, shard, err)
		}
	}
	if info, err := os.Stat(filepath.Join(cfg.Dir, "secret")); err != nil || info.Mode() != 0o600 {
		t.Error(info, err)
	}
	f.attackTokens(tokens[0], tokens[1])
	d.Count = 0
	f.daemon(d)
	f.finished(run)
	if err := f.Forget(t.Context(), run.Name); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Reporter(t.Context(), tokens[0]); !errors.Is(err, cloud.ErrRefused) {
		t.Errorf("the token of a job that is forgotten: %v", err)
	}
}

// attackTokens: only exact tokens of this engine are accepted.
func (f *fixture) attackTokens(first, second string) {
	f.t.Helper()
	parts, others := strings.Split(first, "."), strings.Split(second, ".")
	elsewhere := open(f.t, config(f.t))
	for name, token := range map[string]string{
		"none": "", "a dot": ".", "dots": "..", "no sum": parts[0] + ".0.", "no token": "secret", "half": first[:len(first)/2],
		"another shard": parts[0] + ".1." + parts[2], "another one's sum": parts[0] + ".0." + others[2], "another job": "b3RoZXI.0." + parts[2],
		"more": first + "A", "a prefix": "x" + first, "no base64": parts[0] + ".0.%%%", "long": strings.Repeat(first, 100), "a negative shard": parts[0] + ".-1." + parts[2],
	} {
		if job, shard, err := f.Reporter(f.t.Context(), token); !errors.Is(err, cloud.ErrRefused) || job != "" || shard != 0 {
			f.t.Errorf("%s: %q %d %v", name, job, shard, err)
		}
	}
	if _, _, err := elsewhere.Reporter(f.t.Context(), first); !errors.Is(err, cloud.ErrRefused) {
		f.t.Errorf("another engine takes it: %v", err)
	}
}

// TestW64TokenEndsWithItsJob: if a job is deleted and created again, its earlier tokens are invalid.
func TestW64TokenEndsWithItsJob(t *testing.T) {
	cfg := config(t)
	cfg.EventsURL = "http://127.0.0.1:8088/api/cloud/events"
	f := open(t, cfg)
	d := feed("feed", 1, "until", filepath.Join(t.TempDir(), "never"))
	token := func() string {
		f.daemon(d)
		f.until("the process of "+d.Owner+" runs", func() bool {
			return f.runs[runOf(d).Name].Owner == d.Owner && f.count(runOf(d), tracing.StateRunning) == 1
		})
		tasks := f.of(runOf(d))
		data, err := os.ReadFile(filepath.Join(cfg.Dir, "runs", runOf(d).Name, "0", strconv.Itoa(tasks[len(tasks)-1].Attempt), "token"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	first := token()
	d.Owner = "another"
	second := token()
	if _, _, err := f.Reporter(t.Context(), first); !errors.Is(err, cloud.ErrRefused) {
		t.Errorf("the token of the earlier job: %v, want ErrRefused", err)
	}
	if name, shard, err := f.Reporter(t.Context(), second); err != nil || name != "feed" || shard != 0 {
		t.Errorf("the token of the job: %q %d %v", name, shard, err)
	}
	f.stopped(d)
}

func TestDaemonRefused(t *testing.T) {
	f := open(t, config(t))
	works := feed("feed", 1, "until", filepath.Join(t.TempDir(), "never"))
	f.daemon(works)
	f.running(runOf(works))
	wrong := map[string]func(*cloud.Daemon){
		"a program that is not there": func(d *cloud.Daemon) { d.App.Command = []string{"absent"} },
		"many shards":                 func(d *cloud.Daemon) { d.Job.Shards, d.Count = local.MaxShards+1, local.MaxShards+1 },
		"a part of the shards":        func(d *cloud.Daemon) { d.Job.Shards = 3 },
		"a transient job":             func(d *cloud.Daemon) { d.Job.Type = cloud.TypeTransient },
	}
	for name, change := range wrong {
		d := works
		change(&d)
		if err := f.Daemon(t.Context(), d); !errors.Is(err, cloud.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.running(runOf(works)) // unchanged
	f.stopped(works)
}

// TestDaemonWaitsForRoom: it's admitted like other runs, with all its shards.
func TestDaemonWaitsForRoom(t *testing.T) {
	cfg := config(t)
	cfg.CPU = 5
	f := open(t, cfg)
	r := job("first", 2, "until", filepath.Join(t.TempDir(), "never")) // Needs 4 with the application's.
	f.launch(r)
	f.running(r)
	d := feed("feed", 2, "until", filepath.Join(t.TempDir(), "never"))
	d.Job.Props = map[string]string{cloud.PropParallelism: "1", cloud.PropTimeout: "1s"}
	f.daemon(d)
	f.until("it waits", func() bool {
		return strings.HasPrefix(f.runs[runOf(d).Name].Message, "waits for CPU: needs 4, 4 of 5 are in use")
	})
	if err := f.End(t.Context(), r.Name, -1, cloud.Ending{Way: cloud.EndKill}); err != nil {
		t.Fatal(err)
	}
	f.running(runOf(d))
	if s := f.runs[runOf(d).Name]; s.Message != "" {
		t.Errorf("%+v", s)
	}
	f.stopped(d)
}
