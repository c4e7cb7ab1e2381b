//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// console keeps what is reported: the last word of each run.
type console struct {
	*httptest.Server
	mu   sync.Mutex
	ids  []string // in the order in which they came
	runs map[string]event.Execution
}

func newConsole(t *testing.T) *console {
	t.Helper()
	c := &console{runs: make(map[string]event.Execution)}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		var report event.Report
		if err := json.NewDecoder(r.Body).Decode(&report); err != nil || r.Header.Get("Authorization") != "Bearer geheim" {
			t.Error(err, r.Header)
		}
		for _, e := range report.Executions {
			if _, known := c.runs[e.ID]; !known {
				c.ids = append(c.ids, e.ID)
			}
			c.runs[e.ID] = e
		}
		w.WriteHeader(http.StatusAccepted)
	}))
	t.Cleanup(c.Close)
	return c
}

// run is the n-th one that ended, nil if there is none yet.
func (c *console) run(n int) *event.Execution {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n >= len(c.ids) || c.runs[c.ids[n]].Ended == nil {
		return nil
	}
	e := c.runs[c.ids[n]]
	return &e
}

// daemon is the environment of a process of a DAEMON job that reports to a console.
func (c *console) daemon(t *testing.T, cron string) []string {
	t.Helper()
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("geheim"), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{
		"ELASTICJOB_EXECUTION_TYPE=DAEMON", "ELASTICJOB_SCHEDULED_AT=", "ELASTICJOB_CRON=" + cron, "ELASTICJOB_TIME_ZONE=Europe/Berlin",
		"ELASTICJOB_EVENTS_URL=" + c.URL + event.Path, "ELASTICJOB_EVENTS_TOKEN_FILE=" + token,
	}
}

// TestDaemon starts the program for each fire time, reports how it ended, and ends with 0.
func TestDaemon(t *testing.T) {
	t.Parallel()
	c := newConsole(t)
	counter := filepath.Join(t.TempDir(), "counter")
	cmd := command(t, c.daemon(t, "* * * * * ?"), shell(`echo x >> `+counter+`
echo "$ELASTICJOB_SCHEDULED_AT $ELASTICJOB_EXECUTION_TYPE $ELASTICJOB_SHARDING_PARAMETER ${ELASTICJOB_EVENTS_TOKEN_FILE-}$# $1"
test $(wc -l < `+counter+`) -eq 1 || exit 0
seq 2000; echo "the ledger is closed, password=geheim"; setsid sleep 1000 & echo $! > `+counter+`.pid; exit 7`)...)
	_, lines := begin(t, cmd, 1)
	waittest.Until(t, "two runs are reported", func() bool { return c.run(0) != nil && c.run(1) != nil })
	pid, err := os.ReadFile(counter + ".pid")
	if err != nil {
		t.Fatal(err)
	}
	var number int
	if _, err := fmt.Sscan(string(pid), &number); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(number, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		t.Error(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	first, second := c.run(0), c.run(1)
	want := first.Scheduled.Format(time.RFC3339) + ` TRANSIENT Turin 1 {"jobName":"settle.daily","taskId":"id",`
	if !strings.HasPrefix(lines[0], want) || first.TaskID != "id" || first.Item != 1 || first.Started.Before(first.Scheduled) {
		t.Errorf("%s\nwant %s\n%+v", lines[0], want, first)
	}
	if !strings.HasPrefix(first.Cause, "exit code 7: ") || !strings.Contains(first.Cause, "\n2000\nthe ledger is closed") || strings.Contains(first.Cause, "geheim") || len(first.Cause) > event.MaxCause {
		t.Errorf("%q", first.Cause)
	}
	if second.Cause != "" || !second.Scheduled.After(first.Scheduled) {
		t.Errorf("%+v", second)
	}
	if message(t, cmd) != "" {
		t.Error(message(t, cmd))
	}
}

// TestDaemonSignals: SIGTERM reaches the program that runs, which is waited for, and the end is
// 0 whatever the program says; between two runs there is nothing to wait for.
func TestDaemonSignals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cron, script string
		signals      []syscall.Signal
		cause        string
	}{
		{"* * * * * ?", `trap 'echo asked; exit 0' TERM; echo ready >&2; while :; do sleep 0.05; done`, []syscall.Signal{syscall.SIGTERM}, ""},
		{"* * * * * ?", `trap 'exit 5' INT; echo ready >&2; while :; do sleep 0.05; done`, []syscall.Signal{syscall.SIGINT}, "exit code 5: ready"},
		{"* * * * * ?", `trap 'trap "exit 6" TERM; echo ready >&2' HUP; echo ready >&2; while :; do sleep 0.05; done`, []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM}, "exit code 6: ready"},
		{"0 0 0 1 1 ?", "exit 1", []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM}, "none"},
	} {
		console := newConsole(t)
		cmd := command(t, console.daemon(t, c.cron), shell(c.script)...)
		errs, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		text := ""
		for lines := bufio.NewScanner(errs); lines.Scan(); {
			text += lines.Text() + "\n"
			if lines.Text() != "ready" && (c.cause != "none" || !strings.Contains(lines.Text(), "firing until stopped")) {
				continue
			}
			now := 1 // Each line is a request for a signal.
			if c.cause == "none" {
				now = len(c.signals)
			}
			for _, s := range c.signals[:now] {
				if err := cmd.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
			}
			c.signals = c.signals[now:]
		}
		_ = cmd.Wait() // The state says it.
		if cmd.ProcessState.ExitCode() != 0 {
			t.Errorf("%s: %v\n%s", c.script, cmd.ProcessState, text)
		}
		if e := console.run(0); c.cause == "none" && e != nil || c.cause != "none" && (e == nil || !strings.HasPrefix(e.Cause, c.cause) || c.cause == "" && e.Cause != "") {
			t.Errorf("%s: %+v\n%s", c.script, e, text)
		}
	}
}

// TestFailure keeps the last lines within the bound of a cause.
func TestFailure(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string]string{
		"":                          "exit code 7",
		"a\nb":                      "exit code 7: a\nb",
		strings.Repeat("ü", 4090/2): "exit code 7: …ü",
	} {
		err := failure(7, lines)
		if !strings.HasPrefix(err.Error(), want) || len(err.Error()) > event.MaxCause || len(lines) > 10 && len(err.Error()) < event.MaxCause-4 || errors.Unwrap(err) != nil {
			t.Errorf("%d bytes: %.40s", len(err.Error()), err)
		}
	}
}
