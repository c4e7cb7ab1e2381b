package local_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// task is a task for an engine in its own process.
type task struct {
	Config  local.Config
	Runs    []cloud.Run
	Daemons []cloud.Daemon
}

// engineMain is a console that launches runs and is killed.
func engineMain(path string) {
	data, err := os.ReadFile(path)
	var t task
	if err == nil {
		err = json.Unmarshal(data, &t)
	}
	var e *local.Engine
	if err == nil {
		e, err = local.Open(t.Config)
	}
	for _, r := range t.Runs {
		if err == nil {
			_, err = e.Launch(context.Background(), r)
		}
	}
	for _, d := range t.Daemons {
		if err == nil {
			err = e.Daemon(context.Background(), d)
		}
	}
	fmt.Fprintln(os.Stdout, "launched", err)
	<-time.After(time.Hour)
}

// elsewhere launches a task's runs in another process, and returns how to kill it.
func elsewhere(t *testing.T, cfg local.Config, what task) (kill func()) {
	t.Helper()
	cfg.Logger = nil
	what.Config = cfg
	data, err := json.Marshal(what)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "task")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(cfg.Shim[0], engineWord, path)
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	t.Cleanup(kill)
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "launched <nil>\n" {
		t.Fatal(line, err)
	}
	return kill
}

// runningOn waits until a run's programs, started by another engine, are running.
func runningOn(t *testing.T, cfg local.Config, r cloud.Run) (folders []string) {
	t.Helper()
	for shard := range r.TaskCount() {
		folder := filepath.Join(cfg.Dir, "runs", r.Name, strconv.Itoa(shard), "1")
		waittest.Until(t, "the program runs", func() bool { _, err := os.Stat(filepath.Join(folder, "child.json")); return err == nil })
		folders = append(folders, folder)
	}
	return folders
}

// one returns the only file that matches a pattern.
func one(t *testing.T, folder, pattern string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	return names[0]
}

func pid(t *testing.T, folder, file string) int {
	t.Helper()
	data, err := os.ReadFile(one(t, folder, file))
	if err != nil {
		t.Fatal(err)
	}
	var p struct{ PID int }
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	return p.PID
}

// TestCL49ConsoleKilled: the console dies while runs are active. Shims finish their work, and the
// next console adopts the running ones and reads the results of the others.
func TestCL49ConsoleKilled(t *testing.T) {
	cfg := config(t)
	file := filepath.Join(t.TempDir(), "go")
	lasts, ends := job("lasts", 2, "until", file+"2"), job("ends", 2, "until", file)
	fails := job("fails", 1, "exit", "3")
	kill := elsewhere(t, cfg, task{Runs: []cloud.Run{lasts, ends, fails}})
	runningOn(t, cfg, lasts)
	ended := append(runningOn(t, cfg, ends), runningOn(t, cfg, fails)...)
	kill()
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, folder := range ended {
		waittest.Until(t, "its end is stored", func() bool { _, err := os.Stat(filepath.Join(folder, "end.json")); return err == nil })
	}
	f := open(t, cfg)
	if s := f.finished(ends); s.State != cloud.RunSucceeded || s.Ended.IsZero() || s.Started.IsZero() {
		t.Errorf("%+v", s)
	}
	if s := f.finished(fails); s.State != cloud.RunFailed || !strings.Contains(s.Message, "exit code 3") {
		t.Errorf("%+v", s)
	}
	f.running(lasts)
	if created, err := f.Launch(t.Context(), lasts); created || err != nil {
		t.Error("launched again:", created, err)
	}
	if err := os.WriteFile(file+"2", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := f.finished(lasts); s.State != cloud.RunSucceeded || len(f.of(lasts)) != 2 {
		t.Errorf("%+v", s)
	}
}

// TestCL49AdoptedTasksCanBeEnded: signals reach shims of another engine.
func TestCL49AdoptedTasksCanBeEnded(t *testing.T) {
	cfg := config(t)
	r := job("adopted", 2, "family")
	kill := elsewhere(t, cfg, task{Runs: []cloud.Run{r}})
	folders := runningOn(t, cfg, r)
	kill()
	f := open(t, cfg)
	f.running(r)
	if err := f.End(t.Context(), r.Name, -1, cloud.Ending{Way: cloud.EndKill, By: "root"}); err != nil {
		t.Fatal(err)
	}
	if s := f.finished(r); s.State != cloud.RunKilled || f.of(r)[0].State != tracing.StateKilled {
		t.Errorf("%+v", s)
	}
	for _, folder := range folders {
		if alive(pid(t, folder, "child.json")) {
			t.Error("a program lives")
		}
	}
}

// TestCL49Reboot: tasks interrupted by a restart of the machine are LOST, and failover retries
// them. Their process ids may be in use again.
func TestCL49Reboot(t *testing.T) {
	cfg := config(t)
	r := job("rebooted", 1, "until", filepath.Join(t.TempDir(), "go"))
	again := job("again", 1, "fail-once", filepath.Join(t.TempDir(), "x"))
	again.Job.Failover = true
	first := open(t, cfg)
	first.launch(r)
	first.running(r)
	first.launch(again)
	first.finished(again)
	first.end()
	folder := filepath.Join(cfg.Dir, "runs", r.Name, "0", "1")
	claimed := one(t, folder, "start-*.json")
	data, err := os.ReadFile(claimed)
	if err != nil {
		t.Fatal(err)
	}
	var claim map[string]any
	if err := json.Unmarshal(data, &claim); err != nil {
		t.Fatal(err)
	}
	shim := pid(t, folder, "start-*.json")
	if err := syscall.Kill(shim, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the shim and its program have ended", func() bool { return !alive(shim) && !alive(pid(t, folder, "child.json")) })
	claim["PID"], claim["Boot"] = os.Getpid(), "another"
	if data, err = json.Marshal(claim); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(claimed, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f := open(t, cfg)
	if s := f.finished(r); s.State != cloud.RunFailed || f.of(r)[0].State != tracing.StateLost || !strings.Contains(s.Message, "restarted") {
		t.Errorf("%+v", s)
	}
	if s := f.finished(again); s.State != cloud.RunSucceeded || len(f.of(again)) != 2 {
		t.Errorf("what had ended: %+v", s)
	}
}

// TestShimKilled: if the shim is killed, the program ends with it, and the task is LOST.
func TestShimKilled(t *testing.T) {
	f := open(t, config(t))
	r := job("orphan", 1, "family")
	f.launch(r)
	f.running(r)
	pids := f.children(f.of(r)[0].TaskRef, "all")
	folder := filepath.Join(f.cfg.Dir, "runs", r.Name, "0", "1")
	if err := syscall.Kill(pid(t, folder, "start-*.json"), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if s := f.finished(r); s.State != cloud.RunFailed || f.of(r)[0].State != tracing.StateLost {
		t.Errorf("%+v", s)
	}
	if alive(pids[0]) || alive(pid(t, folder, "child.json")) {
		t.Error("a process of the group lives")
	}
	// The other one made its own session, so without its shim it can't be found.
	if err := syscall.Kill(pids[1], syscall.SIGKILL); err != nil {
		t.Error(err)
	}
}

// TestHalfMadeThings: remains of a crash between two steps don't prevent the engine from starting,
// and an attempt that never started starts.
func TestHalfMadeThings(t *testing.T) {
	cfg := config(t)
	first := open(t, cfg)
	r := job("half", 1, "exit", "0")
	first.launch(r)
	first.finished(r)
	first.end()
	runs := filepath.Join(cfg.Dir, "runs")
	for _, folder := range []string{".tmp-x", "broken-1"} {
		if err := os.Mkdir(filepath.Join(runs, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	attempt := filepath.Join(runs, r.Name, "0", "1")
	for _, lost := range []string{filepath.Join(runs, r.Name, "state.json"), one(t, attempt, "start-*.json"), filepath.Join(attempt, "end.json")} {
		if err := os.Remove(lost); err != nil {
			t.Fatal(err)
		}
	}
	f := open(t, cfg)
	if s := f.finished(r); s.State != cloud.RunSucceeded || len(f.of(r)) != 1 {
		t.Errorf("%+v", s)
	}
	if _, err := os.Stat(filepath.Join(runs, ".tmp-x")); err == nil {
		t.Error("what was half made stays")
	}
	// The claim of an engine that died before it could clean up.
	f.end()
	for _, lost := range []string{filepath.Join(runs, r.Name, "state.json"), filepath.Join(attempt, "end.json")} {
		if err := os.Remove(lost); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(one(t, attempt, "start-*.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	f = open(t, cfg)
	if s := f.finished(r); s.State != cloud.RunSucceeded {
		t.Errorf("%+v", s)
	}
}

// TestLateShim: a shim that starts after its task was given to another one should do nothing.
func TestLateShim(t *testing.T) {
	f := open(t, config(t))
	r := job("late", 1, "stubborn")
	f.launch(r)
	f.running(r)
	folder := filepath.Join(f.cfg.Dir, "runs", r.Name, "0", "1")
	late := exec.Command(f.cfg.Shim[0], append(f.cfg.Shim[1:], folder, "TOKEN-OF-ANOTHER")...)
	if out, err := late.CombinedOutput(); err == nil || !strings.Contains(string(out), "given to another shim") {
		t.Errorf("it ran: %s, %v", out, err)
	}
	if names, err := filepath.Glob(filepath.Join(folder, "start-*")); err != nil || len(names) != 1 {
		t.Errorf("claims %q, %v", names, err)
	}
}
