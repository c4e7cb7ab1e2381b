package local_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestCL50MemoryDoesNotFit: a run waits until all its shards fit, with a message. Later runs don't
// overtake it, unless it can never run.
func TestCL50MemoryDoesNotFit(t *testing.T) {
	cfg := config(t)
	cfg.CPU, cfg.MemoryMB = 10, 1000
	f := open(t, cfg)
	file := filepath.Join(t.TempDir(), "go")
	sized := func(name string, shards int, memory float64) cloud.Run {
		r := job(name, shards, "until", file)
		r.Job.CPU, r.Job.MemoryMB, r.App.CPU, r.App.MemoryMB = 0.5, memory-50, 0.5, 50
		return r
	}
	never, first, second, third := sized("never", 2, 600), sized("first", 2, 300), sized("second", 1, 500), sized("third", 1, 100)
	for _, r := range []cloud.Run{never, first, second, third} {
		f.launch(r)
	}
	f.running(first)
	f.until("both waiting runs report it", func() bool {
		return strings.Contains(f.runs[second.Name].Message, "waits for memory: needs 500 MB, 600 of 1000 MB are in use") &&
			f.runs[third.Name].Message == "waits for an earlier run that needs more"
	})
	for name, want := range map[string]string{never.Name: "Unschedulable", second.Name: "Unschedulable", third.Name: "Queued", first.Name: ""} {
		reasons, err := f.Explain(t.Context(), name)
		if err != nil || want == "" && len(reasons) != 0 || want != "" && (len(reasons) != 1 || reasons[0].Code != want) {
			t.Errorf("%s: %+v, %v", name, reasons, err)
		}
	}
	f.mu.Lock()
	if f.runs[second.Name].State != cloud.RunWaiting || f.count(second, tracing.StateStaging) != 1 || f.count(never, tracing.StateStaging) != 2 {
		t.Errorf("%+v", f.tasks)
	}
	f.mu.Unlock()
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, r := range []cloud.Run{first, second, third} {
		if s := f.finished(r); s.State != cloud.RunSucceeded || s.Message != "" {
			t.Errorf("%+v", s)
		}
	}
	if err := f.End(t.Context(), never.Name, -1, cloud.Ending{Way: cloud.EndError, By: "scheduler", Reason: "it did not start in 10m"}); err != nil {
		t.Fatal(err)
	}
	if s := f.finished(never); s.State != cloud.RunFailed || f.of(never)[0].State != tracing.StateError || f.of(never)[0].Message != "it did not start in 10m" {
		t.Errorf("%+v", s)
	}
}

// TestCL50ProgramsOutsideTheFolder: programs outside the folder aren't started, not even by a link,
// and the error has the remedy.
func TestCL50ProgramsOutsideTheFolder(t *testing.T) {
	f := open(t, config(t))
	plain := filepath.Join(f.apps, "plain")
	if err := errors.Join(
		os.Symlink("/bin/sh", filepath.Join(f.apps, "link")), os.Symlink("/bin", filepath.Join(f.apps, "folder")),
		os.WriteFile(plain, []byte("text"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		app  cloud.App
		want string
	}{
		"absolute": {cloud.App{Command: []string{"/bin/sh"}}, "not below"},
		"climbs":   {cloud.App{Command: []string{"../../../../../../bin/sh"}}, "not below"},
		"a link":   {cloud.App{Command: []string{"link"}}, "not below"},
		"a folder": {cloud.App{Command: []string{"folder/sh"}}, "not below"},
		"absent":   {cloud.App{Command: []string{"absent"}}, "put it below"},
		"plain":    {cloud.App{Command: []string{"plain"}}, "chmod +x"},
		"itself":   {cloud.App{Command: []string{"."}}, "not an executable file"},
		"nothing":  {cloud.App{URL: "https://repo.example/x.tar.gz"}, "neither a command nor"},
		"a shell":  {cloud.App{BootstrapScript: "program; id"}, "shell: true"},
		"preload":  {cloud.App{Command: []string{"program"}, Env: map[string]string{"LD_PRELOAD": "/x"}}, "LD_PRELOAD"},
		"blank":    {cloud.App{BootstrapScript: " \t"}, "blank"},
	} {
		r := job("refused", 1)
		c.app.Name, r.App = "app", c.app
		if err := launchError(f, r); !errors.Is(err, cloud.ErrRefused) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(f.cfg.Dir, "runs")); err != nil || len(entries) != 0 {
		t.Errorf("%v, %v", entries, err)
	}
	cfg := config(t)
	cfg.Apps = ""
	if err := launchError(open(t, cfg), job("off", 1, "env")); !errors.Is(err, cloud.ErrRefused) || !strings.Contains(err.Error(), "--cloud-local-apps") {
		t.Error(err)
	}
}

// TestReplacedProgram: a program that was replaced by a link to the outside after the launch isn't started.
func TestReplacedProgram(t *testing.T) {
	cfg := config(t)
	cfg.MemoryMB = 1000
	f := open(t, cfg)
	blocks, r := job("blocks", 1, "stubborn"), job("replaced", 1, "env")
	blocks.Job.MemoryMB, r.Job.MemoryMB = 800, 800
	f.launch(blocks)
	f.running(blocks)
	path := filepath.Join(f.apps, "copy")
	copyFile(t, filepath.Join(f.apps, "program"), path)
	r.App.Command = []string{"copy"}
	f.launch(r)
	if err := errors.Join(os.Remove(path), os.Symlink("/bin/true", path)); err != nil {
		t.Fatal(err)
	}
	if err := f.End(t.Context(), blocks.Name, -1, cloud.Ending{Way: cloud.EndKill, By: "root"}); err != nil {
		t.Fatal(err)
	}
	if s := f.finished(r); s.State != cloud.RunFailed || !strings.Contains(s.Message, "not below") {
		t.Errorf("%+v", s)
	}
}

// TestShellOnRequest: an application gets a shell on request.
func TestShellOnRequest(t *testing.T) {
	f := open(t, config(t))
	r := job("shell", 1)
	r.App.Command, r.App.BootstrapScript, r.App.Args, r.App.Shell = nil, `echo "$1 of $ELASTICJOB_JOB_NAME" && exit 4`, []string{"arg"}, true
	f.launch(r)
	if s := f.finished(r); s.State != cloud.RunFailed || !strings.Contains(s.Message, "exit code 4 (Error): arg of shell") {
		t.Errorf("%+v", s)
	}
	words := job("words", 1)
	words.App.Command, words.App.BootstrapScript = nil, "program "+programWord+" exit"
	words.App.Args = []string{"5"}
	f.launch(words)
	if s := f.finished(words); !strings.Contains(s.Message, "exit code 5") {
		t.Errorf("%+v", s)
	}
}

// TestProgramsInheritNoSignals: a program ignores and blocks no signal, as if started by hand.
func TestProgramsInheritNoSignals(t *testing.T) {
	f := open(t, config(t))
	r := job("signals", 1)
	r.App.Command, r.App.BootstrapScript, r.App.Shell = nil, `grep -E "^Sig(Ign|Blk)" /proc/self/status`, true
	f.launch(r)
	f.finished(r)
	lines := strings.Split(strings.TrimSpace(f.log(f.of(r)[0].TaskRef, cloud.LogOptions{})), "\n")
	if len(lines) != 2 {
		t.Fatalf("%q", lines)
	}
	for _, line := range lines {
		what, text, _ := strings.Cut(line, ":\t")
		const ofTheLibrary = 1<<31 | 1<<32 // glibc reserves 32 and 33; programs started by make ignore them.
		if signals, err := strconv.ParseUint(text, 16, 64); err != nil || signals&^ofTheLibrary != 0 {
			t.Errorf("%s: %s (%v)", what, text, err)
		}
	}
}

// TestCL50BigLog: 10⁶ lines should never block the program. The log has its beginning, its end and
// a note about the gap.
func TestCL50BigLog(t *testing.T) {
	f := open(t, config(t))
	r := job("big", 1, "lines", "1000000")
	f.launch(r)
	if s := f.finished(r); s.State != cloud.RunSucceeded {
		t.Errorf("%+v", s)
	}
	task := f.of(r)[0].TaskRef
	text := f.log(task, cloud.LogOptions{})
	if !strings.HasPrefix(text, "line 0 of a long log\nline 1 ") || !strings.Contains(text, "are left out here") || len(text) > cloud.MaxLogBytes {
		t.Errorf("%d bytes, beginning with %.60q", len(text), text)
	}
	tail := f.log(task, cloud.LogOptions{Tail: 2})
	if want := "line 999998 of a long log\nline 999999 of a long log\n"; tail != want {
		t.Errorf("the tail is %q", tail)
	}
	if got := f.log(task, cloud.LogOptions{MaxBytes: 7}); got != "line 0 " {
		t.Errorf("%q", got)
	}
	size := int64(0)
	names, err := filepath.Glob(filepath.Join(f.cfg.Dir, "runs", r.Name, "0", "1", "log.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > local.MaxLog || size < local.MaxLog-1<<20 {
		t.Errorf("%d bytes are kept in %q", size, names)
	}
}

// TestFollow: a followed log continues until the task ends or the caller stops.
func TestFollow(t *testing.T) {
	f := open(t, config(t))
	file := filepath.Join(t.TempDir(), "go")
	r := job("followed", 1)
	r.App.Command, r.App.Shell = nil, true
	r.App.BootstrapScript = fmt.Sprintf(`echo first; while [ ! -e %s ]; do sleep 0.01; done; echo second; exit 1`, file)
	r.Job.Failover, r.Job.Props[cloud.PropFailoverMax] = true, "1"
	f.launch(r)
	f.running(r)
	task := f.of(r)[0].TaskRef
	follow, err := f.Logs(t.Context(), task, cloud.LogOptions{Follow: true})
	if err != nil {
		t.Fatal(err)
	}
	defer follow.Close()
	first := make([]byte, len("first\n"))
	if _, err := io.ReadFull(follow, first); err != nil || string(first) != "first\n" {
		t.Fatalf("%q, %v", first, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	other, err := f.Logs(ctx, task, cloud.LogOptions{Follow: true, Tail: 1})
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	time.AfterFunc(50*time.Millisecond, func() { cancel(stop) })
	if data, err := io.ReadAll(other); !errors.Is(err, stop) || string(data) != "first\n" {
		t.Errorf("%q, %v", data, err)
	}
	if err := errors.Join(other.Close(), os.WriteFile(file, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(follow)
	if err != nil || string(rest) != "second\n" {
		t.Errorf("%q, %v", rest, err)
	}
	f.finished(r)
	if got := f.log(task, cloud.LogOptions{Tail: 1}); got != "second\n" {
		t.Errorf("%q", got)
	}
}

// TestManyRuns: no run should be lost during concurrent launches and Forgets.
func TestManyRuns(t *testing.T) {
	f := open(t, config(t))
	const runs = 20
	errs := make(chan error, runs)
	for n := range runs {
		go func() { errs <- launchError(f, job(fmt.Sprint("many", n), 2, "exit", "0")) }()
	}
	for range runs {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	for n := range runs {
		r := job(fmt.Sprint("many", n), 2)
		if s := f.finished(r); s.State != cloud.RunSucceeded {
			t.Errorf("%+v", s)
		}
		if err := f.Forget(t.Context(), r.Name); err != nil {
			t.Error(err)
		}
	}
	waittest.Until(t, "the folder is empty", func() bool {
		entries, err := os.ReadDir(filepath.Join(f.cfg.Dir, "runs"))
		return err == nil && len(entries) == 0
	})
}
