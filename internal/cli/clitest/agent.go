package clitest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// OneJob is a file with one job of a type.
func OneJob(registry, kind string) string {
	return fmt.Sprintf(`elasticjob:
  regCenter: {serverLists: %q, namespace: test}
  jobs:
    nightly:
      elasticJobType: %s
      cron: 0 0 3 * * ?
      timeZone: GMT+08:00
      shardingTotalCount: 2
      props: {script.command.line: /bin/true, http.uri: "http://127.0.0.1:1/", http.method: GET}
`, registry, kind)
}

// Agent is `elasticjob agent` as a process of its own.
type Agent struct {
	Said Output

	t      *testing.T
	cmd    *exec.Cmd
	file   string
	exited chan error
}

// StartAgent runs the program with a job file.
func StartAgent(t *testing.T, elasticjob, jobs string, args ...string) *Agent {
	t.Helper()
	a := &Agent{t: t, file: filepath.Join(t.TempDir(), "jobs.yaml"), exited: make(chan error, 1)}
	a.Write(jobs)
	a.cmd = exec.Command(elasticjob, append([]string{"agent", "--config=" + a.file, "--address=127.0.0.1"}, args...)...)
	a.cmd.Stdout, a.cmd.Stderr = &a.Said, &a.Said
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { a.exited <- a.cmd.Wait() }()
	t.Cleanup(func() {
		_ = a.cmd.Process.Kill() // Usually it has ended.
		if t.Failed() {
			t.Logf("the agent said:\n%s", a.Said.String())
		}
	})
	return a
}

// Write replaces the job file.
func (a *Agent) Write(jobs string) {
	a.t.Helper()
	if err := os.WriteFile(a.file, []byte(jobs), 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// Await waits until the agent has printed a text.
func (a *Agent) Await(text string) {
	a.t.Helper()
	Eventually(a.t, "the agent says "+text, func() bool { return strings.Contains(a.Said.String(), text) })
}

// Signal sends a signal.
func (a *Agent) Signal(s os.Signal) {
	a.t.Helper()
	if err := a.cmd.Process.Signal(s); err != nil {
		a.t.Fatal(err)
	}
}

// Code waits for the end and returns the exit code.
func (a *Agent) Code() int {
	a.t.Helper()
	select {
	case err := <-a.exited:
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			a.t.Fatal(err)
		}
		return a.cmd.ProcessState.ExitCode()
	case <-time.After(waittest.Patience):
		a.t.Fatal("the agent does not end")
		return -1
	}
}

// built are the programs that Build has built, by package.
var built sync.Map

// Build builds a program of this module, once per test process, and returns its file.
func Build(t *testing.T, name string) string {
	t.Helper()
	build, _ := built.LoadOrStore(name, sync.OnceValues(func() (string, error) {
		folder, err := os.MkdirTemp("", "elasticjob-test")
		if err != nil {
			return "", err
		}
		file := filepath.Join(folder, name)
		cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", file, "github.com/elasticjob-go/elasticjob/cmd/"+name)
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
		return file, nil
	}))
	file, err := build.(func() (string, error))()
	if err != nil {
		t.Fatalf("build %s: %v", name, err)
	}
	return file
}

// RemoveBuilt removes the programs that Build has built. TestMain calls it.
func RemoveBuilt() {
	built.Range(func(_, build any) bool {
		if file, err := build.(func() (string, error))(); err == nil {
			_ = os.RemoveAll(filepath.Dir(file)) // Or the system removes it.
		}
		return true
	})
}
