//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/store"
)

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
func drains(t *testing.T, a *clitest.Agent, site string, script gatedScript, db *store.DB) {
	a.Signal(syscall.SIGTERM)
	a.Await("draining")
	if got := status(t, "http://"+site+"/readyz"); got != http.StatusServiceUnavailable {
		t.Errorf("/readyz answers %d while draining", got)
	}
	if exists(script.finished) {
		t.Fatal("the script ended before it was allowed to go on: the test proves nothing")
	}
	script.open()
	if code := a.Code(); code != cli.ExitOK {
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
func readsAgain(t *testing.T, a *clitest.Agent, jobs string, db *store.DB) {
	a.Write(jobs + "    nonsense\n")
	a.Signal(syscall.SIGHUP)
	a.Await("job file not read again")
	a.Write(strings.Replace(jobs, "    ping:\n", "    pong:\n", 1))
	a.Signal(syscall.SIGHUP)
	a.Await("added=1 removed=1")
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
	other.Await("serving 1 jobs")
	jobs := oneScript(registry, "SCRIPT")
	a := startAgent(t, jobs, "--health=127.0.0.1:0")
	a.Await("serving 1 jobs")
	site := strings.Fields(after(a.Said.String(), "http://"))[0]
	_, taken, _ := strings.Cut(strings.ReplaceAll(jobs, "nightly", "taken"), "  jobs:\n")
	a.Write(strings.Replace(jobs, "SCRIPT", "HTTP", 1) + taken)
	a.Signal(syscall.SIGHUP)
	a.Await("job not added, or its old form ended badly")
	a.Await("added=1 removed=0")
	a.Await("the job isn't served here")
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
	a.Write(jobs)
	a.Signal(syscall.SIGHUP)
	a.Await("added=0 removed=1") // The refused job goes, and the other one never changed.
}
