package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
)

// TestJobPrintsTheLogOfARun: of each shard its last attempt, and with --follow what comes
// until the run has ended, each line once.
func TestJobPrintsTheLogOfARun(t *testing.T) {
	t.Parallel()
	var looks atomic.Int32
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		const logs = `"logs":[{"shard":0,"attempt":1,"execution":"e0","lines":1},{"shard":0,"attempt":2,"execution":"e1","lines":2},{"shard":3,"attempt":1,"execution":"e3","lines":1}]`
		line := func(seq int, level, message string) string {
			return fmt.Sprintf(`{"seq":%d,"at":"2026-11-22T02:30:0%d.25Z","level":%q,"message":"%s"}`, seq, seq, level, message)
		}
		after, lines := q.Get("after"), ""
		switch of := q.Get("execution"); {
		case of == "": // which logs there are
			fmt.Fprintf(w, `{"lines":[],"ended":%t,%s}`, looks.Add(1) > 2, logs)
			return
		case of == "e0":
			lines = line(1, "INFO", "the first attempt")
		case of == "e1" && after == "0":
			lines, after = line(1, "INFO", `reads\u001b[31m 4,000`)+","+line(2, "WARN", "slow"), "2"
		case of == "e1" && after == "2" && looks.Load() > 1:
			lines, after = line(3, "ERROR", "gives up"), "3"
		case of == "e3" && after == "0":
			lines, after = line(1, "DEBUG", "there"), "1"
		}
		fmt.Fprintf(w, `{"shard":%s,"attempt":%s,"lines":[%s],"after":%s,%s}`, q.Get("item"), q.Get("attempt"), lines, after, logs)
	})
	const first = "2026-11-22T02:30:01.250Z shard 0 attempt 2 INFO  reads\uFFFD[31m 4,000\n2026-11-22T02:30:02.250Z shard 0 attempt 2 WARN  slow\n2026-11-22T02:30:01.250Z shard 3 attempt 1 DEBUG there\n"
	if stdout, _ := d.job(t, 0, nil, "logs", "j", aRun); stdout != first {
		t.Errorf("printed:\n%s", stdout)
	}
	if got := d.requests()[1].URI; got != "/api/jobs/j/requested-runs/"+aRun+"/log?after=0&attempt=2&execution=e1&item=0&limit=500" {
		t.Errorf("asked for %s", got)
	}
	looks.Store(0)
	if stdout, _ := d.job(t, 0, nil, "logs", "j", aRun, "--follow"); stdout != first+"2026-11-22T02:30:03.250Z shard 0 attempt 2 ERROR gives up\n" {
		t.Errorf("followed:\n%s", stdout)
	}
	looks.Store(0)
	if stdout, _ := d.job(t, 0, nil, "logs", "j", aRun, "--shard=3", "-o", "json"); stdout != `{"shard":3,"attempt":1,"seq":1,"at":"2026-11-22T02:30:01.25Z","level":"DEBUG","message":"there"}`+"\n" {
		t.Errorf("as JSON:\n%s", stdout)
	}
	if stdout, _ := d.job(t, 0, nil, "logs", "j", aRun, "--attempt=1", "--shard=0"); !strings.Contains(stdout, "the first attempt") {
		t.Errorf("the first attempt:\n%s", stdout)
	}
}

// TestW28LogOfAFireTime: `run logs` prints the log of a scheduled run like the log of a requested run.
func TestW28LogOfAFireTime(t *testing.T) {
	t.Parallel()
	const fire = "20261122T023000Z"
	var looks atomic.Int32
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		const logs = `"logs":[{"shard":2,"attempt":1,"execution":"e2","lines":1}]`
		switch {
		case r.URL.Path != "/api/jobs/j/runs/"+fire+"/log":
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"code":"no_run","message":"Job j has no requested run.","hint":"It may have ended long ago."}`)
		case r.URL.Query().Get("execution") == "":
			fmt.Fprintf(w, `{"lines":[],"ended":%t,%s}`, looks.Add(1) > 1, logs)
		case r.URL.Query().Get("after") == "0":
			fmt.Fprint(w, `{"shard":2,"attempt":1,"lines":[{"seq":1,"at":"2026-11-22T02:30:00.25Z","level":"ERROR","message":"no paper"}],"after":1,`+logs+`}`)
		default:
			fmt.Fprint(w, `{"shard":2,"attempt":1,"lines":[],"after":1,`+logs+`}`)
		}
	})
	const line = "2026-11-22T02:30:00.250Z shard 2 attempt 1 ERROR no paper\n"
	if stdout, _ := d.job(t, 0, nil, "logs", "j", fire); stdout != line {
		t.Errorf("printed:\n%s", stdout)
	}
	looks.Store(0)
	if stdout, _ := d.job(t, 0, nil, "logs", "j", fire, "--follow"); stdout != line {
		t.Errorf("followed:\n%s", stdout)
	}
	d.job(t, cli.ExitFailure, []string{"has no requested run"}, "logs", "other", fire)
}

func TestJobSaysThatThereIsNoLog(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"code":"no_log","message":"The trace database has no tables for requested runs.","hint":"Create them with console migrate."}`)
	})
	d.job(t, cli.ExitFailure, []string{"no tables for requested runs", "console migrate"}, "logs", "j", aRun)
}

// TestJobSaysHowFarARunIs: `job show` of each shard, --wait of the whole.
func TestJobSaysHowFarARunIs(t *testing.T) {
	t.Parallel()
	const running = `,"shards":{"total":4,"succeeded":1,"running":1},"details":[{"shard":2,"state":"running","instance":"10.0.0.1@-@7"}],` +
		`"steps":[{"at":"2026-11-22T02:30:01Z","state":"running","attempt":1,"actor":"10.0.0.1@-@7","message":"4 shards"}],` +
		`"progress":[{"shard":2,"attempt":1,"fraction":0.425,"message":"1,700 of 4,000","at":"2026-11-22T02:30:02Z"},{"shard":1,"attempt":1,"fraction":0.9,"at":"2026-11-22T02:30:01Z"}]`
	var looks atomic.Int32
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet && looks.Add(1) > 2:
			fmt.Fprint(w, stateOf("succeeded", ""))
		default:
			fmt.Fprint(w, stateOf("running", running))
		}
	})
	d.job(t, 0, []string{
		"shard 2: running on 10.0.0.1@-@7\n  progress 42%, 1,700 of 4,000\n", "2026-11-22 02:30:01Z  attempt 1  running by 10.0.0.1@-@7: 4 shards\n",
	}, "show", "j", aRun)
	d.job(t, 0, []string{"run " + aRun + ": running, 30%\n"}, "run", "j", "--wait")
}

// TestJobFollowsThroughAnOutage: the console is away for a moment, which is said once, and no
// line is printed twice; if it stays away, the command ends.
func TestJobFollowsThroughAnOutage(t *testing.T) {
	t.Parallel()
	following := func(away func(n int32) bool) (*consoleDouble, *atomic.Int32) {
		asked := new(atomic.Int32)
		return answering(t, func(w http.ResponseWriter, r *http.Request) {
			n := asked.Add(1)
			q := r.URL.Query()
			switch lines := ""; {
			case away(n) && n%3 == 0:
				w.WriteHeader(http.StatusServiceUnavailable)
				fmt.Fprint(w, `{"code":"database_unavailable","message":"The trace database is away."}`)
			case away(n):
				panic(http.ErrAbortHandler)
			case q.Get("execution") == "":
				fmt.Fprintf(w, `{"lines":[],"ended":%t,"logs":[{"shard":0,"attempt":1,"execution":"e0","lines":1}]}`, n > 12)
			default:
				if q.Get("after") == "0" {
					lines = `{"seq":1,"at":"2026-11-22T02:30:00.25Z","level":"INFO","message":"reads"}`
				}
				fmt.Fprintf(w, `{"lines":[%s],"after":1}`, lines)
			}
		}), asked
	}
	show := runLogsCommand{ofRun: ofRun{ofJob: ofJob{Job: "j"}, ID: aRun}, Follow: true, Shard: -1}
	const line = "2026-11-22T02:30:00.250Z shard 0 attempt 1 INFO  reads\n"

	d, _ := following(func(n int32) bool { return n > 2 && n < 9 })
	c, p, stderr := waiter(t, d)
	stdout := &clitest.Output{}
	p.Stdout = stdout
	if err := show.printLog(t.Context(), p, c); err != nil || stdout.String() != line {
		t.Errorf("%v, printed:\n%s", err, stdout.String())
	}
	if said := stderr.String(); strings.Count(said, "it is asked again for 1m0s\n") != 1 || strings.Count(said, "the console answers again\n") != 1 {
		t.Errorf("it said:\n%s", said)
	}

	d, asked := following(func(n int32) bool { return n > 2 })
	c, p, stderr = waiter(t, d)
	stdout = &clitest.Output{}
	p.Stdout, c.patience = stdout, 20*time.Millisecond
	if err := show.printLog(t.Context(), p, c); err == nil || !strings.Contains(err.Error(), "is not followed any more") || stdout.String() != line || asked.Load() < 4 {
		t.Errorf("%v after %d requests, it said %q, printed:\n%s", err, asked.Load(), stderr.String(), stdout.String())
	}

	d, _ = following(func(int32) bool { return true })
	d.job(t, cli.ExitFailure, []string{"no answer from the console"}, "logs", "j", aRun, "--follow")
}

// TestJobRunsOfAllJobs: without a name the runs of all jobs are listed, with what is missing.
func TestJobRunsOfAllJobs(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"rows":[`+stateOf("running", "")+`],"nextCursor":"x","registry":"read","database":"no_tables","unreadable":["k"]}`)
	})
	stdout, stderr := d.job(t, 0, []string{"the first 1; there may be more", "console migrate", "runs that have ended are missing", "may not read the runs of k"}, "runs", "--state=running", "--limit=1")
	if !strings.HasPrefix(stdout, "JOB  ID ") || !strings.Contains(stdout, "\nj    "+aRun) {
		t.Errorf("printed:\n%s%s", stdout, stderr)
	}
	if got := d.requests()[0].URI; got != "/api/requested-runs?limit=1&state=running" {
		t.Errorf("asked for %s", got)
	}
	d.job(t, 0, nil, "runs", "j")
	if got := d.requests()[1].URI; got != "/api/jobs/j/requested-runs" {
		t.Errorf("asked for %s", got)
	}
}

// TestW03ARunWhoseEndIsNotRecorded: `job show` has no time that grows, --wait and --follow end.
func TestW03ARunWhoseEndIsNotRecorded(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/log") {
			fmt.Fprint(w, `{"lines":[],"ended":true,"logs":[]}`)
			return
		}
		fmt.Fprint(w, stateOf("unknown", `,"startTime":"2026-11-22T02:30:00Z","reason":"its end was not recorded"`))
	})
	if stdout, _ := d.job(t, 0, []string{"state       unknown", "its end was not recorded"}, "show", "j", aRun); strings.Contains(stdout, "took") {
		t.Errorf("its time grows:\n%s", stdout)
	}
	d.job(t, 0, nil, "logs", "j", aRun, "--follow")
	d.job(t, cli.ExitFailure, []string{"unknown: its end was not recorded"}, "run", "j", "--wait")
}
