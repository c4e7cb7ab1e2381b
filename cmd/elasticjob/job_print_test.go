package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

func TestJobListsRuns(t *testing.T) {
	t.Parallel()
	page := `{"rows":[` +
		stateOf("running", `,"startTime":"2026-11-22T02:30:01.5Z","completeTime":"2026-11-22T02:31:13Z","shards":{"total":4,"succeeded":3,"running":1},"note":"INC-4821\nsee \u202e there"`) + `,` +
		strings.Replace(stateOf("running", ""), `"state"`, `"cancelling":true,"state"`, 1) + `],"nextCursor":"c","waiting":7,"ended":9,"source":"registry"}`
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, page) })
	stdout, stderr := d.job(t, 0, nil, "runs", "j", "--state=running", "--limit=2")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines:\n%s", len(lines), stdout)
	}
	for i, want := range []string{
		"ID STATE REQUESTED BY DUE BEGAN TOOK ATTEMPT SHARDS NOTE",
		aRun + " running root (api) 2026-11-22 02:30:00Z 2026-11-22 02:30:01Z 1m12s 1 3/4 INC-4821 see \uFFFD there",
		aRun + " cancelling root (api) 2026-11-22 02:30:00Z - - 1 -",
	} {
		if got := strings.Join(strings.Fields(lines[i]), " "); got != want {
			t.Errorf("line %d: %q, want %q", i, got, want)
		}
	}
	if !strings.Contains(stderr, "in all 7 wait and 9 have ended") {
		t.Errorf("standard error:\n%s", stderr)
	}
	if got := d.requests()[0].URI; got != "/api/jobs/j/requested-runs?limit=2&state=running" {
		t.Errorf("asked for %s", got)
	}
	if stdout, _ := d.job(t, 0, nil, "runs", "j", "-o", "json"); stdout != page+"\n" {
		t.Errorf("as JSON:\n%s", stdout)
	}
}

func TestJobShowsARun(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, stateOf("failed", `,"reason":"1 of 2 shards failed","startTime":"2026-11-22T02:30:01Z","completeTime":"2026-11-22T02:30:02.25Z","losses":2,"assign":"each","key":"k","note":"n",`+
			`"parent":"p","params":{"month":"2026-10"},"shards":{"total":2,"succeeded":1,"failed":1},"cancelled":{"by":"root","at":"2026-11-22T02:30:02Z","reason":"wrong"},`+
			`"details":[{"shard":1,"state":"failed","instance":"10.0.0.1@-@7","since":"2026-11-22T02:30:01Z","error":"panic: x\n\u001b[31mline two"},{"shard":0,"state":"","result":{"n":3}}]`))
	})
	stdout, _ := d.job(t, 0, nil, "show", "j", aRun)
	const want = `run         ` + aRun + `
job         j
state       failed
reason      1 of 2 shards failed
requested   2026-11-22 02:30:00Z by root (api)
due         2026-11-22 02:30:00Z
began       2026-11-22 02:30:01Z
ended       2026-11-22 02:30:02Z
took        1.25s
attempt     1, after 2 losses
assign      each
key         k
note        n
repeats     p
parameters  {"month":"2026-10"}
cancelled   2026-11-22 02:30:02Z by root: wrong
shards      2: 1 succeeded, 1 failed, 0 skipped, 0 cancelled, 0 running, 0 waiting
shard 1: failed on 10.0.0.1@-@7 since 2026-11-22 02:30:01Z
  error   panic: x
          ` + "\uFFFD" + `[31mline two
shard 0
  result  {"n":3}
`
	if stdout != want {
		t.Errorf("got\n%s\nwant\n%s", stdout, want)
	}
}

func TestJobIsHeldAndReleased(t *testing.T) {
	t.Parallel()
	held := false
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if hold := strings.HasSuffix(r.URL.Path, "/hold"); hold == held {
			w.WriteHeader(http.StatusConflict)
			fmt.Fprint(w, `{"code":"held","message":"It is so already.","hint":"Look.","requestId":"r"}`)
			return
		}
		held = !held
		fmt.Fprint(w, `{"what":"requests","by":"root","at":"2026-11-22T02:30:00Z","reason":"INC-4821"}`)
	})
	hold := []string{"hold", "a b", "--what=requests", "--reason=INC-4821"}
	d.job(t, 0, []string{`job "a b" is held: requests, by root at 2026-11-22 02:30:00Z: INC-4821`}, hold...)
	d.job(t, cli.ExitFailure, []string{"refused: It is so already"}, hold...)
	d.job(t, 0, []string{`job "a b" is released`}, "release", "a b")
	d.job(t, cli.ExitFailure, []string{"refused: It is so already"}, "release", "a b")
	asked := d.requests()
	if asked[0].URI != "/api/jobs/a%20b/hold" || asked[0].Body != `{"what":"requests","reason":"INC-4821"}` || asked[2].URI != "/api/jobs/a%20b/release" || asked[2].Body != "" {
		t.Errorf("asked %+v", asked)
	}
}

func TestR39BackfillAsksUnlessItIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	var d *consoleDouble
	d = answering(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked := d.requests(); strings.Contains(asked[len(asked)-1].Body, `"preview":true`) {
			fmt.Fprint(w, `{"preview":true,"count":2,"first":"2026-11-19T00:00:00Z","last":"2026-11-19T01:00:00Z","times":["2026-11-19T00:00:00Z","2026-11-19T01:00:00Z"],"refused":[{"time":"2026-11-19T02:00:00Z","property":"schedule.until"}],"refusedCount":1}`)
			return
		}
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprint(w, `{"count":2,"backfill":"0193a5b0-7c11-7000-8000-5f2a9c31d0e4"}`)
	})
	backfill := []string{"backfill", "j", "--from=2026-11-19T00:00:00Z", "--to=2026-11-19T02:00:00Z", `--params={"a":1}`}
	d.job(t, cli.ExitFailure, []string{`job "j" has 2 fire times, from 2026-11-19 00:00:00Z to 2026-11-19 01:00:00Z`, "2026-11-19 01:00:00Z", "1 times get no run", "schedule.until", "nothing was changed"}, backfill...)
	d.job(t, 0, []string{"0193a5b0-7c11-7000-8000-5f2a9c31d0e4"}, append(backfill, "--yes", "--parallel=3")...)
	d.job(t, cli.ExitUsage, []string{"--to"}, "backfill", "j", "--from=2026-11-19T00:00:00Z", "--to=the day before")
	asked := d.requests()
	if len(asked) != 3 || asked[2].URI != "/api/jobs/j/backfill" || asked[2].Body != `{"from":"2026-11-19T00:00:00Z","to":"2026-11-19T02:00:00Z","params":{"a":1},"parallel":3}` {
		t.Errorf("asked %+v", asked)
	}
}

// TestW07BackfillCommands: a list has the progress of each backfill, and a cancel its reason.
func TestW07BackfillCommands(t *testing.T) {
	t.Parallel()
	const one = `{"id":"0193a5b0-7c11-7000-8000-5f2a9c31d0e4","state":"running","from":"2026-11-19T00:00:00Z","to":"2026-11-22T00:00:00Z",
		"count":73,"runs":{"waiting":40,"running":1,"succeeded":30,"failed":2},"problem":"it is wrong"}`
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusAccepted)
			fmt.Fprint(w, one)
			return
		}
		fmt.Fprint(w, `{"rows":[`+one+`]}`)
	})
	line := "0193a5b0-7c11-7000-8000-5f2a9c31d0e4  running  2026-11-19 00:00:00Z to 2026-11-22 00:00:00Z  73 fire times, 40 waiting, 1 running, " +
		"30 succeeded, 2 failed; the next run can't be requested: it is wrong"
	d.job(t, 0, []string{line}, "backfills", "j")
	d.job(t, 0, []string{line}, "cancel-backfill", "j", "0193a5b0-7c11-7000-8000-5f2a9c31d0e4", "--reason=INC-4821")
	asked := d.requests()
	if len(asked) != 2 || asked[0].URI != "/api/jobs/j/backfills" || asked[1].URI != "/api/jobs/j/backfills/0193a5b0-7c11-7000-8000-5f2a9c31d0e4/cancel" ||
		asked[1].Body != `{"reason":"INC-4821"}` {
		t.Errorf("asked %+v", asked)
	}
}
