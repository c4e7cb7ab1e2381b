package local_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// The test binary is also the shim, the programs and an engine that is killed.
const (
	shimWord    = "local-task"
	engineWord  = "engine"
	programWord = "program"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case shimWord:
			os.Exit(local.Shim(os.Args[2], os.Args[3]))
		case engineWord:
			engineMain(os.Args[2])
		case programWord:
			os.Exit(program(os.Args[2], os.Args[3:]))
		}
	}
	if detects {
		remove, err := buildProcesses()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
			remove()
			os.Exit(code)
		}))
	}
	goleak.VerifyTestMain(m)
}

// processes is the binary that tests start, "" for their own.
var processes string

// buildProcesses builds the tests' binary without the race detector. Tests start hundreds of
// single-threaded processes, and with the detector their start takes most of the package's time.
func buildProcesses() (remove func(), err error) {
	dir, err := os.MkdirTemp("", "local-processes")
	if err != nil {
		return nil, err
	}
	processes = filepath.Join(dir, "processes")
	if out, err := exec.Command("go", "test", "-race=false", "-vet=off", "-c", "-o", processes, ".").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the processes of the tests: %w\n%s", err, out)
	}
	return func() { _ = os.RemoveAll(dir) }, nil
}

// sealed is a program that seals itself.
var sealed = func() {}

func program(what string, args []string) int {
	switch what {
	case "env":
		for _, line := range os.Environ() {
			fmt.Fprintln(os.Stdout, line)
		}
		folder, _ := os.Getwd()
		fmt.Fprintln(os.Stdout, "folder="+folder)
	case "args":
		fmt.Fprintln(os.Stdout, strings.Join(args, "\n"))
	case "exit":
		fmt.Fprintln(os.Stdout, "I end with", args[0])
		code, _ := strconv.Atoi(args[0])
		return code
	case "descriptors":
		entries, _ := os.ReadDir("/proc/self/fd")
		for _, entry := range entries {
			if target, err := os.Readlink("/proc/self/fd/" + entry.Name()); err == nil { // without the descriptor of the listing
				fmt.Fprintln(os.Stdout, target)
			}
		}
	case "sealed":
		sealed()
	case "until": // until a file exists
		for range time.Tick(5 * time.Millisecond) {
			if _, err := os.Stat(args[0]); err == nil {
				return 0
			}
		}
	case "until-ended": // A file named after the task has the result.
		id := os.Getenv("ELASTICJOB_TASK_ID")
		path := filepath.Join(args[0], id[strings.LastIndex(id, "@-@")+3:])
		for range time.Tick(5 * time.Millisecond) {
			if data, err := os.ReadFile(path); err == nil {
				code, _ := strconv.Atoi(string(data))
				return code
			}
		}
	case "fail-once":
		path := args[0] + os.Getenv("ELASTICJOB_ITEM")
		if _, err := os.Stat(path); err == nil {
			return 0
		}
		_ = os.WriteFile(path, nil, 0o600)
		return 7
	case "leaves": // a child that holds the output, and an exit code
		_ = family("parent-ends")
		code, _ := strconv.Atoi(args[0])
		return code
	case "lines":
		w := bufio.NewWriterSize(os.Stdout, 1<<16)
		n, _ := strconv.Atoi(args[0])
		for i := range n {
			fmt.Fprintf(w, "line %d of a long log\n", i)
		}
		_ = w.Flush()
	default:
		return family(what)
	}
	return 0
}

// family has programs that ignore requests to end, and have children.
func family(what string) int {
	switch what {
	case "stubborn": // ignores SIGTERM
		signal.Ignore(syscall.SIGTERM)
		fmt.Fprintln(os.Stdout, "ready")
		<-time.After(time.Hour)
	case "family": // has a child in its group, and one in its own session
		for _, attributes := range []*syscall.SysProcAttr{{}, {Setsid: true}} {
			child := exec.Command(os.Args[0], programWord, "stubborn")
			child.SysProcAttr, child.Stdout = attributes, os.Stdout
			if err := child.Start(); err != nil {
				fmt.Fprintln(os.Stdout, err)
				return 1
			}
			fmt.Fprintln(os.Stdout, "child", child.Process.Pid)
		}
		fmt.Fprintln(os.Stdout, "all")
		<-time.After(time.Hour)
	case "parent-ends":
		child := exec.Command(os.Args[0], programWord, "stubborn")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			return 1
		}
		fmt.Fprintln(os.Stdout, "child", child.Process.Pid)
	}
	return 0
}

// fixture is an engine with its own folder, and the reports of its watch.
type fixture struct {
	*local.Engine

	t    *testing.T
	cfg  local.Config
	apps string

	mu     sync.Mutex
	runs   map[string]cloud.RunStatus
	tasks  map[string]cloud.Task
	events []cloud.TaskEvent
	end    func()
}

func config(t *testing.T) local.Config {
	t.Helper()
	apps := t.TempDir()
	self := processes
	if self == "" {
		var err error
		if self, err = os.Executable(); err != nil {
			t.Fatal(err)
		}
	}
	// Link, because a script outside would be resolved to the outside.
	if err := os.Link(self, filepath.Join(apps, "program")); err != nil {
		copyFile(t, self, filepath.Join(apps, "program"))
	}
	return local.Config{
		Dir: t.TempDir(), Apps: apps, CPU: 100, MemoryMB: 100_000, Shim: []string{self, shimWord},
		Node: "node-1", Backoff: time.Millisecond, Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o700); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, cfg local.Config) *fixture {
	t.Helper()
	e, err := local.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{Engine: e, t: t, cfg: cfg, apps: cfg.Apps, runs: map[string]cloud.RunStatus{}, tasks: map[string]cloud.Task{}}
	ctx, cancel := context.WithCancel(context.Background()) // continues while the test cleans up
	done := make(chan error, 1)
	go func() { done <- e.Watch(ctx, f.report) }()
	f.end = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err == nil {
			t.Error("a watch ended without an error")
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		f.killAll()
		f.end()
	})
	return f
}

func (f *fixture) killAll() {
	f.mu.Lock()
	names := slices.Collect(maps.Keys(f.runs))
	f.mu.Unlock()
	for _, name := range f.present() { // The last launched run may not be reported yet.
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		err := f.End(context.Background(), name, -1, cloud.Ending{Way: cloud.EndKill, By: "test"})
		if errors.Is(err, cloud.ErrRefused) { // a DAEMON
			f.mu.Lock()
			stop := cloud.Daemon{Job: cloud.Job{Name: cmp.Or(f.runs[name].JobName, strings.TrimSuffix(name, "-"+string(cloud.OriginDaemon)))}}
			f.mu.Unlock()
			err = f.Daemon(context.Background(), stop)
		}
		if err == nil {
			f.until(name+" has ended", func() bool { return f.runs[name].State.Ended() })
		} else if !errors.Is(err, cloud.ErrNotFound) && !errors.Is(err, local.ErrClosed) {
			f.t.Error(err)
		}
	}
}

// present returns the existing runs; none if the engine has ended.
func (f *fixture) present() (names []string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_ = f.Watch(ctx, func(e cloud.TaskEvent) { // It ends with ctx, or at once.
		switch {
		case e.Event == cloud.EventSynced:
			cancel()
		case e.Event == cloud.EventChanged && e.Task.UID == "":
			names = append(names, e.Run.Name)
		}
	})
	return names
}

func (f *fixture) report(e cloud.TaskEvent) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, e)
	switch {
	case e.Event == cloud.EventChanged && e.Task.UID != "":
		if _, ok := f.runs[e.Run.Name]; !ok {
			f.t.Errorf("a task was reported before its run: %+v", e)
		}
		f.tasks[e.Task.UID] = e.Task
	case e.Event == cloud.EventChanged:
		f.runs[e.Run.Name] = e.Run
	case e.Event == cloud.EventRemoved && e.Task.UID != "":
		delete(f.tasks, e.Task.UID)
	case e.Event == cloud.EventRemoved:
		delete(f.runs, e.Run.Name)
	}
}

func (f *fixture) until(what string, ok func() bool) {
	f.t.Helper()
	waittest.Until(f.t, what, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return ok()
	})
}

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func job(name string, shards int, words ...string) cloud.Run {
	j := cloud.NewJob(name, "app", shards)
	j.Props = map[string]string{}
	a := cloud.NewApp("app")
	a.Command = slices.Concat([]string{"program", programWord}, words)
	a.GraceSeconds = 1
	return cloud.Run{Name: cloud.RunName(name, noon), Job: j, App: a, Owner: "uid", Fire: noon, Origin: cloud.OriginCron}
}

func (f *fixture) launch(r cloud.Run) {
	f.t.Helper()
	if created, err := f.Launch(f.t.Context(), r); err != nil || !created {
		f.t.Fatal(created, err)
	}
}

func (f *fixture) finished(r cloud.Run) cloud.RunStatus {
	f.t.Helper()
	f.until(r.Name+" has ended", func() bool { return f.runs[r.Name].State.Ended() })
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.runs[r.Name]
}

// running waits until all shards of a run have a running program.
func (f *fixture) running(r cloud.Run) {
	f.t.Helper()
	f.until(r.Name+" runs", func() bool { return f.count(r, tracing.StateRunning) == r.TaskCount() })
}

func (f *fixture) count(r cloud.Run, state cloud.State) int {
	n := 0
	for _, t := range f.tasks {
		if t.Run == r.Name && t.State == state {
			n++
		}
	}
	return n
}

// of returns the tasks of a run by shard and attempt.
func (f *fixture) of(r cloud.Run) []cloud.Task {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []cloud.Task
	for _, t := range f.tasks {
		if t.Run == r.Name {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b cloud.Task) int {
		if a.Shard != b.Shard {
			return a.Shard - b.Shard
		}
		return a.Attempt - b.Attempt
	})
	return list
}

func (f *fixture) log(t cloud.TaskRef, o cloud.LogOptions) string {
	f.t.Helper()
	r, err := f.Logs(f.t.Context(), t, o)
	if err != nil {
		f.t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		f.t.Fatal(err)
	}
	return string(data)
}

// children returns the process ids that a program printed.
func (f *fixture) children(t cloud.TaskRef, last string) []int {
	f.t.Helper()
	var pids []int
	waittest.Until(f.t, "the program has printed "+last, func() bool {
		text := f.log(t, cloud.LogOptions{})
		pids = nil
		for line := range strings.Lines(text) {
			if pid, ok := strings.CutPrefix(strings.TrimSpace(line), "child "); ok {
				n, _ := strconv.Atoi(pid)
				pids = append(pids, n)
			}
		}
		return strings.Contains(text, last)
	})
	return pids
}

// alive reports whether a process exists and is no zombie.
func alive(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(data), ") Z ")
}
