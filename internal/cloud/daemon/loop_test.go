package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// console stores reports.
type console struct {
	mu     sync.Mutex
	away   bool
	stored []event.Execution
}

func (c *console) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if c.away {
		return nil, errors.New("connection refused")
	}
	var report event.Report
	if err := json.Unmarshal(body, &report); err != nil {
		return nil, err
	}
	c.stored = append(c.stored, report.Executions...)
	return &http.Response{StatusCode: http.StatusAccepted, Body: http.NoBody, Request: r}, nil
}

func (c *console) set(away bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.away = away
}

// rows returns the executions as a database has them: the last report of each id.
func (c *console) rows() []event.Execution {
	var rows []event.Execution
	for _, e := range c.stored {
		if at := slices.IndexFunc(rows, func(r event.Execution) bool { return r.ID == e.ID }); at >= 0 {
			rows[at] = e
		} else {
			rows = append(rows, e)
		}
	}
	return rows
}

// fixture is a process in virtual time, which begins at midnight of 1 January 2000.
type fixture struct {
	*console
	mu   sync.Mutex
	runs []string // the runs, and after how long they started
	log  bytes.Buffer
	stop context.CancelCauseFunc
	done chan struct{}
}

var errStop = errors.New("SIGTERM")

// start starts a process with changes to its environment.
func start(t *testing.T, work func(context.Context, task.Task) error, changes ...string) *fixture {
	t.Helper()
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("token"), 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := task.Read(append([]string{
		"ELASTICJOB_JOB_NAME=settle", "ELASTICJOB_RUN=settle-daemon", "ELASTICJOB_ITEM=1", "ELASTICJOB_SHARDING_TOTAL_COUNT=3",
		"ELASTICJOB_EXECUTION_TYPE=DAEMON", "ELASTICJOB_TASK_ID=id", "ELASTICJOB_ATTEMPT=2", "ELASTICJOB_CRON=0/10 * * * * ?",
		"ELASTICJOB_EVENTS_URL=http://console" + event.Path, "ELASTICJOB_EVENTS_TOKEN_FILE=" + token,
	}, changes...))
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{console: new(console), done: make(chan struct{})}
	midnight := time.Now()
	ctx, stop := context.WithCancelCause(context.Background())
	f.stop = stop
	go func() {
		defer close(f.done)
		Loop(ctx, Config{Task: read, Transport: f.console, Log: slog.New(slog.NewTextHandler(&f.log, nil)), Work: func(ctx context.Context, r task.Task) error {
			word := fmt.Sprintf("%v@%v", r.ScheduledAt.Sub(midnight), time.Since(midnight))
			if r.Misfired {
				word += "!"
			}
			if r.FencingToken() != r.ScheduledAt.Unix()*1000+2 || r.ScheduledAt.Location() != time.UTC {
				t.Errorf("%+v", r)
			}
			f.mu.Lock()
			f.runs = append(f.runs, word)
			f.mu.Unlock()
			if work == nil {
				return nil
			}
			return work(ctx, r)
		}})
	}()
	return f
}

// end stops the process and returns how long that took.
func (f *fixture) end() time.Duration {
	began := time.Now()
	f.stop(errStop)
	<-f.done
	return time.Since(began)
}

func (f *fixture) began() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.runs, " ")
}

// TestFires: the process runs at each fire time and reports each run.
func TestFires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := start(t, func(_ context.Context, r task.Task) error {
			time.Sleep(3 * time.Second)
			if r.ScheduledAt.Second() == 20 {
				return errors.New("the ledger is closed, password=geheim")
			}
			if r.ScheduledAt.Second() == 30 {
				return errors.New("")
			}
			return nil
		})
		time.Sleep(39 * time.Second)
		if took := f.end(); took != 0 || f.began() != "10s@10s 20s@20s 30s@30s" {
			t.Errorf("%s; the end took %v", f.began(), took)
		}
		rows := f.rows()
		if len(f.stored) != 6 || len(rows) != 3 {
			t.Fatalf("%+v", f.stored)
		}
		for i, e := range rows {
			if at := time.Date(2000, 1, 1, 0, 0, 10*(i+1), 0, time.UTC); !e.Scheduled.Equal(at) || !e.Started.Equal(at) || !e.Ended.Equal(at.Add(3*time.Second)) ||
				e.TaskID != "id" || e.Item != 1 || e.IP == "" || len(e.ID) != 36 || e.ID[14] != '4' {
				t.Errorf("%+v", e)
			}
		}
		if rows[0].Cause != "" || !strings.HasPrefix(rows[1].Cause, "the ledger is closed") || rows[2].Cause != "it failed without an error text" {
			t.Errorf("%q, %q, %q", rows[0].Cause, rows[1].Cause, rows[2].Cause)
		}
		if text := f.log.String(); strings.Contains(text+rows[1].Cause, "geheim") || strings.Count(text, "a run failed") != 2 || !strings.Contains(text, `cron="0/10 * * * * ?" zone=UTC`) {
			t.Error(text)
		}
	})
}

// TestOverlap: fire times during a run are made up for by one run, with the newest fire time, if
// the job has misfire. Otherwise the next future one runs.
func TestOverlap(t *testing.T) {
	t.Parallel()
	for misfire, want := range map[string]string{
		"true":  "10s@10s 40s@45s! 50s@50s 1m0s@1m0s",
		"false": "10s@10s 50s@50s 1m0s@1m0s",
	} {
		t.Run(misfire, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				first := true
				f := start(t, func(context.Context, task.Task) error {
					if first {
						first = false
						time.Sleep(35 * time.Second)
					}
					return nil
				}, "ELASTICJOB_MISFIRE="+misfire)
				time.Sleep(65 * time.Second)
				if f.end(); f.began() != want {
					t.Errorf("%s\nwant %s", f.began(), want)
				}
			})
		})
	}
}

// TestLongerThanThePause: a job with misfire and runs longer than its period should run one after
// the other, never two at once.
func TestLongerThanThePause(t *testing.T) {
	t.Parallel()
	for misfire, want := range map[string]string{
		"true":  "1s@1s 3s@3.5s! 6s@6s! 8s@8.5s! 11s@11s!",
		"false": "1s@1s 4s@4s 7s@7s 10s@10s",
	} {
		synctest.Test(t, func(t *testing.T) {
			running := 0
			f := start(t, func(context.Context, task.Task) error {
				if running++; running > 1 {
					t.Error("two at once")
				}
				time.Sleep(2500 * time.Millisecond)
				running--
				return nil
			}, "ELASTICJOB_CRON=* * * * * ?", "ELASTICJOB_MISFIRE="+misfire)
			time.Sleep(12 * time.Second)
			if f.end(); f.began() != want {
				t.Errorf("misfire %s: %s", misfire, f.began())
			}
		})
	}
}

// TestStop: between runs it ends at once. It waits for an active run, which sees the end, and its result
// is reported.
func TestStop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := start(t, func(ctx context.Context, _ task.Task) error {
			select {
			case <-time.After(time.Hour):
			case <-ctx.Done():
				time.Sleep(7 * time.Second)
			}
			return context.Cause(ctx)
		})
		time.Sleep(15 * time.Second)
		if took := f.end(); took != 7*time.Second || f.began() != "10s@10s" {
			t.Errorf("%s; the end took %v", f.began(), took)
		}
		if rows := f.rows(); len(rows) != 1 || rows[0].Cause != "SIGTERM" {
			t.Errorf("%+v", rows)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		f := start(t, nil, "ELASTICJOB_CRON=0 0 0 1 1 ?")
		time.Sleep(24 * time.Hour)
		if took := f.end(); took != 0 || f.began() != "" || len(f.stored) != 0 {
			t.Errorf("%s; the end took %v", f.began(), took)
		}
	})
}

// TestNoFireTimeAnyMore: the process should not end, because the engine would restart it.
func TestNoFireTimeAnyMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := start(t, nil, "ELASTICJOB_END_TIME=2000-01-01T00:00:25Z")
		time.Sleep(time.Hour)
		select {
		case <-f.done:
			t.Error("it has ended")
		default:
		}
		if f.end(); f.began() != "10s@10s 20s@20s" || !strings.Contains(f.log.String(), "waiting to be stopped") {
			t.Errorf("%s %s", f.began(), f.log.String())
		}
	})
}

// TestSampling: the start and the end of each third run are reported.
func TestSampling(t *testing.T) {
	t.Parallel()
	for sampling, want := range map[string]int{"0": 12, "1": 12, "3": 4, "13": 0} {
		synctest.Test(t, func(t *testing.T) {
			f := start(t, func(context.Context, task.Task) error {
				time.Sleep(2 * time.Second)
				return nil
			}, "ELASTICJOB_EVENT_SAMPLING="+sampling)
			time.Sleep(2*time.Minute + 5*time.Second)
			f.end()
			rows := f.rows()
			if len(rows) != want || len(f.stored) != 2*want || want == 4 && rows[0].Scheduled.Second() != 30 {
				t.Errorf("sampling %s: %d rows, %d reports", sampling, len(rows), len(f.stored))
			}
		})
	}
}

// TestConsoleAwayAndBack: runs should stay on time, and every row should arrive later.
func TestConsoleAwayAndBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := start(t, func(context.Context, task.Task) error {
			time.Sleep(5 * time.Second)
			return nil
		}, "ELASTICJOB_CRON=0 * * * * ?")
		f.set(true)
		time.Sleep(time.Hour + 30*time.Second)
		f.set(false)
		time.Sleep(2 * time.Minute)
		f.end()
		rows := f.rows()
		if len(rows) != 62 {
			t.Errorf("%d rows", len(rows))
		}
		for i, e := range rows {
			if at := time.Date(2000, 1, 1, 0, i+1, 0, 0, time.UTC); !e.Scheduled.Equal(at) || !e.Started.Equal(at) || e.Ended == nil {
				t.Errorf("%+v", e)
			}
		}
	})
	// If the console stays away, the oldest reports are dropped and the end takes 5 s.
	synctest.Test(t, func(t *testing.T) {
		f := start(t, nil, "ELASTICJOB_CRON=* * * * * ?")
		f.set(true)
		time.Sleep(30 * time.Minute)
		if took := f.end(); took != 5*time.Second || len(f.runs) != 1799 && len(f.runs) != 1800 {
			t.Errorf("%d runs; the end took %v", len(f.runs), took)
		}
		if text := f.log.String(); !strings.Contains(text, "undelivered=1000 dropped=") {
			t.Error(text[max(0, len(text)-1000):])
		}
	})
}

// TestWithoutAddress: nothing is reported.
func TestWithoutAddress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := start(t, nil, "ELASTICJOB_EVENTS_URL=")
		time.Sleep(25 * time.Second)
		if f.end(); f.began() != "10s@10s 20s@20s" || len(f.stored) > 0 {
			t.Errorf("%s %+v", f.began(), f.stored)
		}
	})
}

// processOf returns a process with a cron expression, without misfire.
func processOf(t *testing.T, cron string) *process {
	t.Helper()
	read, err := task.Read([]string{
		"ELASTICJOB_JOB_NAME=settle", "ELASTICJOB_ITEM=0", "ELASTICJOB_SHARDING_TOTAL_COUNT=1", "ELASTICJOB_TASK_ID=id",
		"ELASTICJOB_EXECUTION_TYPE=DAEMON", "ELASTICJOB_MISFIRE=false", "ELASTICJOB_CRON=" + cron,
	})
	if err != nil {
		t.Fatal(err)
	}
	return &process{daemon: read.Daemon}
}

// TestNewest: it searches from the end, however long the period is.
func TestNewest(t *testing.T) {
	t.Parallel()
	for cron, want := range map[string]string{
		"* * * * * ?":       "2030-06-15T12:00:00Z",
		"0/7 0 * * * ?":     "2030-06-15T12:00:00Z",
		"0 0 0 1 1 ?":       "2030-01-01T00:00:00Z",
		"0 0 0 29 2 ? 2000": "2000-02-29T00:00:00Z",
		"* * 3 * * ?":       "2030-06-15T03:59:59Z",
	} {
		p := processOf(t, cron)
		next, _ := p.daemon.Next(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
		if got := p.newest(next, time.Date(2030, 6, 15, 12, 0, 0, 0, time.UTC)).Format(time.RFC3339); got != want {
			t.Errorf("%s: %s, want %s", cron, got, want)
		}
	}
}

// TestFrozen: one of the fire times during a freeze runs, but without misfire only if it was within
// the last minute.
func TestFrozen(t *testing.T) {
	t.Parallel()
	noon := time.Date(2030, 6, 15, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		cron              string
		now               time.Duration // after noon
		idle              bool
		newest            time.Duration
		misfired, skipped bool
	}{
		{"0 0 * * * ?", 0, true, 0, false, false},
		{"0 0 * * * ?", time.Minute, true, 0, false, false},
		{"0 0 * * * ?", time.Minute + 1, true, 0, true, true},
		{"0 0 * * * ?", 3*time.Hour + time.Second, true, 3 * time.Hour, true, false},
		{"0 0 * * * ?", 1, false, 0, true, true},
	} {
		p := processOf(t, c.cron)
		for _, misfire := range []bool{false, true} {
			p.daemon.Misfire = misfire
			newest, misfired, skipped := p.due(noon, noon.Add(c.now), c.idle)
			if !newest.Equal(noon.Add(c.newest)) || misfired != c.misfired || skipped != (c.skipped && !misfire) {
				t.Errorf("%+v, misfire %t: %v %t %t", c, misfire, newest, misfired, skipped)
			}
		}
	}
}
