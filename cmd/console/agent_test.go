//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// agentUnderTest is `console agent` as a process of its own.
type agentUnderTest struct {
	t      *testing.T
	cmd    *exec.Cmd
	file   string
	said   output
	exited chan error
}

// startAgent runs the program with a job file.
func startAgent(t *testing.T, jobs string, args ...string) *agentUnderTest {
	t.Helper()
	a := &agentUnderTest{t: t, file: filepath.Join(t.TempDir(), "jobs.yaml"), exited: make(chan error, 1)}
	a.write(jobs)
	a.cmd = exec.Command(os.Args[0], append([]string{"agent", "--config=" + a.file, "--address=127.0.0.1"}, args...)...)
	a.cmd.Stdout, a.cmd.Stderr = &a.said, &a.said
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { a.exited <- a.cmd.Wait() }()
	t.Cleanup(func() {
		_ = a.cmd.Process.Kill() // Usually it has ended.
		if t.Failed() {
			t.Logf("the agent said:\n%s", a.said.String())
		}
	})
	return a
}

func (a *agentUnderTest) write(jobs string) {
	a.t.Helper()
	if err := os.WriteFile(a.file, []byte(jobs), 0o600); err != nil {
		a.t.Fatal(err)
	}
}

func (a *agentUnderTest) await(text string) {
	a.t.Helper()
	eventually(a.t, "the agent says "+text, func() bool { return strings.Contains(a.said.String(), text) })
}

func (a *agentUnderTest) signal(s os.Signal) {
	a.t.Helper()
	if err := a.cmd.Process.Signal(s); err != nil {
		a.t.Fatal(err)
	}
}

// code waits for the end and returns the exit code.
func (a *agentUnderTest) code() int {
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

// gatedScript is a shell script that says it has started, waits until it may go
// on, and says that it has finished.
type gatedScript struct {
	t                       *testing.T
	path, started, finished string
	gate                    string
}

func newGatedScript(t *testing.T) gatedScript {
	t.Helper()
	dir := t.TempDir()
	s := gatedScript{
		t: t, path: filepath.Join(dir, "job.sh"), started: filepath.Join(dir, "started"),
		finished: filepath.Join(dir, "finished"), gate: filepath.Join(dir, "gate"),
	}
	if err := syscall.Mkfifo(s.gate, 0o600); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("#!/bin/sh\necho \"$1\" >%[1]s.new && mv %[1]s.new %[1]s\nread -r _ <%[2]s\necho done >%[3]s\n", s.started, s.gate, s.finished)
	if err := os.WriteFile(s.path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s gatedScript) awaitStart() {
	s.t.Helper()
	eventually(s.t, "the script runs", func() bool { return exists(s.started) })
}

// open lets the script go on.
func (s gatedScript) open() {
	s.t.Helper()
	gate, err := os.OpenFile(s.gate, os.O_WRONLY, 0)
	if err == nil {
		_, err = gate.WriteString("\n")
		err = errors.Join(err, gate.Close())
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// shardsOf counts the recorded runs of a job that ended, by success.
func shardsOf(t *testing.T, db *store.DB, job string) (good, bad int) {
	t.Helper()
	var rows []struct{ IsSuccess int }
	if err := db.Raw("SELECT CASE WHEN is_success THEN 1 ELSE 0 END AS is_success FROM JOB_EXECUTION_LOG WHERE job_name = ? AND complete_time IS NOT NULL", job).Scan(&rows).Error; err != nil {
		return 0, 0 // The agent has not made the tables yet.
	}
	for _, row := range rows {
		if row.IsSuccess == 1 {
			good++
		} else {
			bad++
		}
	}
	return good, bad
}

// drains: an agent that is asked to end lets the running script end, and says so.
func drains(t *testing.T, a *agentUnderTest, site string, script gatedScript, db *store.DB) {
	a.signal(syscall.SIGTERM)
	a.await("draining")
	if got := status(t, "http://"+site+"/readyz"); got != http.StatusServiceUnavailable {
		t.Errorf("/readyz answers %d while draining", got)
	}
	if exists(script.finished) {
		t.Fatal("the script ended before it was allowed to go on: the test proves nothing")
	}
	script.open()
	if code := a.code(); code != exitOK {
		t.Errorf("exit code %d after a drain", code)
	}
	if !exists(script.finished) {
		t.Error("the running script was not let end")
	}
	if good, bad := shardsOf(t, db, "long"); good != 1 || bad != 0 {
		t.Errorf("the drained run is recorded as %d good and %d bad", good, bad)
	}
}

// readsAgain: a changed file counts after a hangup; one with a mistake does not.
func readsAgain(t *testing.T, a *agentUnderTest, jobs string, db *store.DB) {
	a.write(jobs + "    nonsense\n")
	a.signal(syscall.SIGHUP)
	a.await("job file not read again")
	a.write(strings.Replace(jobs, "    ping:\n", "    pong:\n", 1))
	a.signal(syscall.SIGHUP)
	a.await("added=1 removed=1")
	eventually(t, "the job of the changed file is recorded", func() bool {
		good, _ := shardsOf(t, db, "pong")
		return good >= 1
	})
}

// TestW02ReloadKeepsWhatServes: a changed file gives a job another type, which the registry
// refuses. The job is served as before, and /readyz has a line about a new job that is
// refused.
func TestW02ReloadKeepsWhatServes(t *testing.T) {
	t.Parallel()
	registry := startFake(t)
	other := startAgent(t, strings.ReplaceAll(oneScript(registry, "HTTP"), "nightly", "taken"))
	other.await("serving 1 jobs")
	jobs := oneScript(registry, "SCRIPT")
	a := startAgent(t, jobs, "--health=127.0.0.1:0")
	a.await("serving 1 jobs")
	site := strings.Fields(after(a.said.String(), "http://"))[0]
	_, taken, _ := strings.Cut(strings.ReplaceAll(jobs, "nightly", "taken"), "  jobs:\n")
	a.write(strings.Replace(jobs, "SCRIPT", "HTTP", 1) + taken)
	a.signal(syscall.SIGHUP)
	a.await("job not added, or its old form ended badly")
	a.await("added=1 removed=0")
	a.await("the job isn't served here")
	eventually(t, "/readyz names the refused job alone", func() bool {
		response, err := http.Get("http://" + site + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode == http.StatusOK && strings.HasPrefix(string(text), "ok\nserve job \"taken\": job conflict") && !strings.Contains(string(text), "nightly")
	})
	a.write(jobs)
	a.signal(syscall.SIGHUP)
	a.await("added=0 removed=1") // The refused job goes, and the other one never changed.
}
