package cloudjob_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/cloudjob"
	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// daemon returns the environment of a DAEMON job's process.
func daemon(changes ...string) []string {
	return environment(append([]string{
		"ELASTICJOB_EXECUTION_TYPE=DAEMON", "ELASTICJOB_SCHEDULED_AT=", "ELASTICJOB_RUN=settle-daily-daemon", "ELASTICJOB_CRON=0 * * * * ?",
		"ELASTICJOB_TIME_ZONE=Europe/Berlin", "ELASTICJOB_ATTEMPT=4",
	}, changes...)...)
}

// TestDaemon: the handler is called at each fire time, whatever the previous run returned, with the
// same shard as a TRANSIENT job's process for that fire time.
func TestDaemon(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancelCause(t.Context())
		midnight := time.Now()
		runs := 0
		code := cloudjob.Run(ctx, daemon("ELASTICJOB_MISFIRE=true"), coreagent.HandlerFunc(func(ctx context.Context, s *coreagent.Shard) error {
			runs++
			fire := midnight.Add(time.Duration(runs) * time.Minute)
			want := tracing.SourceNormal
			if runs == 8 {
				fire, want = fire.Add(time.Minute), tracing.SourceMisfire
			}
			if s.Item != 1 || s.Parameter != "Turin" || s.Props["k"] != "v" || s.Source != want || s.Run.Requested || s.Run.ID != fmt.Sprintf("settle-daily-daemon-%d", fire.Unix()) ||
				!s.ScheduledAt.Equal(fire) || s.FencingToken != fire.Unix()*1000+4 || runs < 8 && time.Since(fire) != 0 {
				t.Errorf("run %d at %v: %+v", runs, time.Since(midnight), s)
			}
			switch runs {
			case 1:
				return errors.New("no")
			case 2:
				return coreagent.Permanent(errors.New("never"))
			case 3:
				panic("oh")
			case 4:
				runtime.Goexit()
			case 5:
				return coreagent.SkipRun("nothing to do")
			case 6:
				return coreagent.Snooze(time.Second)
			case 7:
				time.Sleep(150 * time.Second)
			case 8:
				stop(coreagent.ErrStopping)
				if <-ctx.Done(); !errors.Is(context.Cause(ctx), coreagent.ErrStopping) {
					t.Error(context.Cause(ctx))
				}
				return ctx.Err()
			}
			return nil
		}))
		if code != 0 || runs != 8 {
			t.Errorf("exit code %d after %d runs", code, runs)
		}
	})
}

// TestDaemonOfAHandlerThatCannotRun ends before the first fire time.
func TestDaemonOfAHandlerThatCannotRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		for name, h := range map[string]coreagent.Handler{"none": nil, "no command": coreagent.Script("")} {
			if code := cloudjob.Run(t.Context(), daemon(), h); code != 78 || !time.Now().Equal(began) {
				t.Errorf("%s: %d", name, code)
			}
		}
	})
}

// console accepts reports. It returns its environment variables, and a function that closes it and
// returns the last report.
func console(t *testing.T) (env []string, reported func() (last event.Execution)) {
	t.Helper()
	reports := make(chan event.Execution, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var report event.Report
		if err := json.NewDecoder(r.Body).Decode(&report); err != nil || r.Header.Get("Authorization") != "Bearer geheim" {
			t.Error(err, r.Header)
		}
		for _, e := range report.Executions {
			reports <- e
		}
		w.WriteHeader(http.StatusAccepted)
	}))
	t.Cleanup(server.Close)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("geheim"), 0o600); err != nil {
		t.Fatal(err)
	}
	env = []string{"ELASTICJOB_EVENTS_URL=" + server.URL + event.Path, "ELASTICJOB_EVENTS_TOKEN_FILE=" + token}
	return env, func() (last event.Execution) {
		server.Close() // It waits for requests.
		close(reports)
		for e := range reports {
			last = e
		}
		return last
	}
}

// TestDaemonSignals: SIGTERM ends a process with 0, between two runs and during one, which it
// awaits and reports. A second signal ends it at once.
func TestDaemonSignals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, cron string
		code       int
		cause      string
	}{
		{"print", "0 0 0 1 1 ?", 0, "none"},
		{"wait", "* * * * * ?", 0, coreagent.ErrStopping.Error()},
		{"finish", "* * * * * ?", 0, ""},
		{"stubborn", "* * * * * ?", 143, "none"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			env, reported := console(t)
			cmd := exec.CommandContext(t.Context(), program, c.what)
			cmd.Env = daemon(append(env, "ELASTICJOB_CRON="+c.cron)...)
			reader, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdout, cmd.Stderr = writer, writer
			if err := errors.Join(cmd.Start(), writer.Close()); err != nil {
				t.Fatal(err)
			}
			var all bytes.Buffer
			for lines := bufio.NewScanner(reader); lines.Scan(); {
				line := lines.Text()
				fmt.Fprintln(&all, line)
				idle := c.what == "print" && strings.Contains(line, "firing until stopped")
				if idle || line == "ready" || line == "asked to end" {
					if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
						t.Fatal(err)
					}
				}
			}
			_ = cmd.Wait() // the state has the result
			if cmd.ProcessState.ExitCode() != c.code {
				t.Errorf("%v\n%s", cmd.ProcessState, &all)
			}
			last := reported()
			if c.cause == "none" {
				if last.Ended != nil {
					t.Errorf("%+v", last)
				}
			} else if last.Cause != c.cause || last.Ended == nil || last.TaskID != "settle.daily@-@1@-@READY@-@node-1@-@u" || last.Item != 1 {
				t.Errorf("%+v\n%s", last, &all)
			}
		})
	}
}
