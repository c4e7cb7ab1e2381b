package rdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

func requested(id, job string, submitted time.Time) tracing.RunRecord {
	return tracing.RunRecord{ID: id, JobName: job, State: "queued", Origin: "api", OriginName: "root", ParentID: "parent", BackfillID: "fill",
		Key: "key-" + id, Note: "数据 😀", Params: `{"month":"2026-10"}`, FireTime: noon.Add(-time.Hour), Due: submitted, Submitted: submitted, Attempt: 1, Retries: 3}
}

func inState(r tracing.RunRecord, state jobrun.State, attempt int) tracing.RunRecord {
	r.State, r.Attempt = state, attempt
	switch state {
	case "running":
		r.Started = r.Due.Add(time.Second)
	case "failed", "succeeded", "cancelled":
		r.Started, r.Ended, r.Reason, r.OK, r.Failed, r.Skipped = r.Due.Add(time.Second), r.Due.Add(time.Minute), "why", 5, 2, 1
		r.Error, r.Result = "0: boom", `{"0":{"rows":7}}`
	}
	return r
}

// life returns the states of a run that fails, waits, snoozes, is lost, and succeeds.
func life(r tracing.RunRecord) []tracing.RunRecord {
	snoozed := inState(r, "scheduled", 2)
	snoozed.Snoozes = 1
	again := inState(snoozed, "queued", 2)
	again.Losses = 1
	partly := inState(again, "running", 2)
	stopped := inState(again, "queued", 2)
	stopped.Returns = 1
	resumed := inState(stopped, "running", 2)
	half := resumed
	half.OK = 1
	retry := inState(r, "scheduled", 2)
	retry.Due = r.Due.Add(time.Hour)
	return []tracing.RunRecord{inState(r, "scheduled", 1), r, inState(r, "running", 1), retry, inState(r, "queued", 2), inState(r, "running", 2),
		snoozed, again, partly, stopped, resumed, half, inState(again, "succeeded", 2)}
}

func runEvents(runs ...tracing.RunRecord) []tracing.Event {
	var list []tracing.Event
	for _, r := range runs {
		list = append(list, tracing.Event{Run: &r})
	}
	return list
}

func lineOf(execution string, seq, item int) tracing.Event {
	return tracing.Event{Log: &tracing.LogLine{ExecutionID: execution, Seq: seq, RunID: "r", JobName: "j", Item: item, Attempt: 1,
		At: noon.Add(time.Duration(seq) * time.Millisecond), Level: "INFO", Message: fmt.Sprintf("line %d 数据\n", seq)}}
}

func stepOf(id string, at time.Time) tracing.Event {
	return tracing.Event{Step: &tracing.RunStep{ID: id, RunID: "r", JobName: "j", Attempt: 1, At: at, State: "cancelling", Actor: "root", Message: "why"}}
}

func progressOf(execution string, item int, fraction float64, at time.Time) tracing.Event {
	return tracing.Event{Progress: &tracing.Progress{ExecutionID: execution, RunID: "r", JobName: "j", Item: item, Attempt: 1, Fraction: fraction, Message: "half", At: at}}
}

// TestLaterStateOfARunWins records any states of a run in any order, in any batches and twice. The
// latest state must win, with all details of the request.
func TestLaterStateOfARunWins(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		sink, reader, round := rdb.NewSink(db.Database), rdb.NewStore(db.Database), 0
		rapid.Check(t, func(rt *rapid.T) {
			round++
			id := fmt.Sprintf("run-%d", round)
			all := life(requested(id, "j", noon))
			states := all[:rapid.IntRange(1, len(all)).Draw(rt, "states")]
			want := states[len(states)-1]
			// A record of an agent that didn't see the request.
			if n := len(states); n > 1 && rapid.Bool().Draw(rt, "bare") {
				bare := want
				bare.Origin, bare.OriginName, bare.ParentID, bare.BackfillID, bare.Key, bare.Note, bare.Params = "", "", "", "", "", "", ""
				bare.FireTime, bare.Submitted, bare.Retries = time.Time{}, time.Time{}, 0
				states = append(slices.Clone(states[:n-1]), bare)
			}
			list := rapid.Permutation(runEvents(states...)).Draw(rt, "order")
			for len(list) > 0 {
				n := rapid.IntRange(1, len(list)).Draw(rt, "batch")
				for range rapid.IntRange(1, 2).Draw(rt, "deliveries") {
					if err := sink.Write(t.Context(), list[:n]); err != nil {
						rt.Fatal(err)
					}
				}
				list = list[n:]
			}
			got, err := reader.RequestedRun(t.Context(), "j", id)
			if err != nil {
				rt.Fatal(err)
			}
			want.Returns = 0 // It only affects the order.
			if diff := cmp.Diff(want, got); diff != "" {
				rt.Fatal(diff)
			}
		})
	})
}

// TestRunStepsLogsAndProgress: each row is stored once, the latest progress wins, and all are read in order.
func TestRunStepsLogsAndProgress(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		queued := stepOf("c", noon) // before the other step with the same time
		queued.Step.State = "queued"
		list := []tracing.Event{stepOf("b", noon.Add(time.Second)), stepOf("a", noon), queued, progressOf("x", 0, 0.5, noon.Add(time.Second)), progressOf("y", 1, 0.25, noon),
			progressOf("x", 0, 0.1, noon), progressOf("x2", 0, 1, noon)}
		for seq := 5; seq > 0; seq-- {
			list = append(list, lineOf("x", seq, 0), lineOf("x2", seq, 0), lineOf("y", seq, 1))
		}
		write(t, db, list)
		write(t, db, list)
		slices.Reverse(list)
		for _, event := range list {
			write(t, db, []tracing.Event{event})
		}
		write(t, db, []tracing.Event{progressOf("y", 1, 0.75, noon.Add(time.Minute))})
		s := rdb.NewStore(db.Database)

		steps, err := s.RunSteps(t.Context(), "j", "r")
		if diff := cmp.Diff([]tracing.RunStep{*queued.Step, *stepOf("a", noon).Step, *stepOf("b", noon.Add(time.Second)).Step}, steps); diff != "" || err != nil {
			t.Error(diff, err)
		}
		progress, err := s.RunProgress(t.Context(), "j", "r")
		slices.SortFunc(progress, func(a, b tracing.Progress) int { return strings.Compare(a.ExecutionID, b.ExecutionID) })
		want := []tracing.Progress{*progressOf("x", 0, 0.5, noon.Add(time.Second)).Progress, *progressOf("x2", 0, 1, noon).Progress, *progressOf("y", 1, 0.75, noon.Add(time.Minute)).Progress}
		if diff := cmp.Diff(want, progress); diff != "" || err != nil {
			t.Error(diff, err)
		}
		logs, err := s.RunLogs(t.Context(), "j", "r")
		if diff := cmp.Diff([]rdb.LogOf{{"x", 0, 1, 5}, {"x2", 0, 1, 5}, {"y", 1, 1, 5}}, logs); diff != "" || err != nil {
			t.Error(diff, err)
		}
		line := func(execution string, seq, item int) tracing.LogLine { return *lineOf(execution, seq, item).Log }
		for name, tt := range map[string]struct {
			ask  rdb.LogFilter
			want []tracing.LogLine
		}{
			"one shard":     {rdb.LogFilter{JobName: "j", RunID: "r", Item: 1, Attempt: 1, After: 3}, []tracing.LogLine{line("y", 4, 1), line("y", 5, 1)}},
			"a page":        {rdb.LogFilter{JobName: "j", RunID: "r", Item: 1, Attempt: 1, Limit: 1}, []tracing.LogLine{line("y", 1, 1)}},
			"a Seq whole":   {rdb.LogFilter{JobName: "j", RunID: "r", Attempt: 1, After: 1, Limit: 1}, []tracing.LogLine{line("x", 2, 0), line("x2", 2, 0)}},
			"one execution": {rdb.LogFilter{JobName: "j", RunID: "r", Attempt: 1, Executions: []string{"x2"}, After: 2, Limit: 2}, []tracing.LogLine{line("x2", 3, 0), line("x2", 4, 0)}},
			"other attempt": {rdb.LogFilter{JobName: "j", RunID: "r", Attempt: 2}, nil},
			"another job":   {rdb.LogFilter{JobName: "other", RunID: "r", Attempt: 1}, nil},
			"no text":       {rdb.LogFilter{JobName: "j", RunID: "r\x00", Attempt: 1}, nil},
		} {
			got, err := s.RunLog(t.Context(), tt.ask)
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("%s: %s %v", name, diff, err)
			}
		}
		oddQuestions(t, s)
	})
}

// oddQuestions sends queries for missing rows, and invalid ones.
func oddQuestions(t *testing.T, s *rdb.Store) {
	if _, err := s.RunLog(t.Context(), rdb.LogFilter{JobName: "j", RunID: "r", Item: 1 << 40}); !errors.Is(err, rdb.ErrInvalidFilter) {
		t.Error(err)
	}
	if logs, err := s.RunLogs(t.Context(), "other", "r"); err != nil || len(logs) != 0 {
		t.Error(logs, err)
	}
	for _, id := range []string{"none", "\xff"} {
		if _, err := s.RequestedRun(t.Context(), "j", id); !errors.Is(err, rdb.ErrNoRun) {
			t.Error(err)
		}
	}
}

// TestRequestedRuns reads all pages with each filter.
func TestRequestedRuns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		var all []tracing.RunRecord
		for i := range 60 {
			r := requested(fmt.Sprintf("id-%02d", i), fmt.Sprintf("job%d", i%3), noon.Add(time.Duration(i/2)*time.Second))
			r.Key, r.Origin = fmt.Sprintf("key%d", i%5), []string{"api", "page"}[i%2]
			if i%4 == 0 {
				r = inState(r, "failed", 1)
			}
			if i == 59 { // too long for a list
				r.Params = `{"text":"` + strings.Repeat("x", 2000) + `"}`
			}
			all = append(all, r)
		}
		write(t, db, runEvents(all...))
		s := rdb.NewStore(db.Database)
		for name, tt := range map[string]struct {
			ask  rdb.RequestedFilter
			want func(tracing.RunRecord) bool
		}{
			"all":              {rdb.RequestedFilter{}, func(tracing.RunRecord) bool { return true }},
			"of a job":         {rdb.RequestedFilter{JobName: "job1"}, func(r tracing.RunRecord) bool { return r.JobName == "job1" }},
			"of a state":       {rdb.RequestedFilter{State: "failed"}, func(r tracing.RunRecord) bool { return r.State == "failed" }},
			"with a key":       {rdb.RequestedFilter{Key: "key3"}, func(r tracing.RunRecord) bool { return r.Key == "key3" }},
			"of a job and key": {rdb.RequestedFilter{JobName: "job1", Key: "key3"}, func(r tracing.RunRecord) bool { return r.JobName == "job1" && r.Key == "key3" }},
			"from a page":      {rdb.RequestedFilter{Origin: "page", JobName: "job2"}, func(r tracing.RunRecord) bool { return r.Origin == "page" && r.JobName == "job2" }},
			"of a time": {rdb.RequestedFilter{From: noon.Add(5 * time.Second), To: noon.Add(20 * time.Second), State: "failed"}, func(r tracing.RunRecord) bool {
				return r.State == "failed" && !r.Submitted.Before(noon.Add(5*time.Second)) && !r.Submitted.After(noon.Add(20*time.Second))
			}},
			"nobody's": {rdb.RequestedFilter{JobName: "\xff"}, func(tracing.RunRecord) bool { return false }},
		} {
			var want, got []tracing.RunRecord
			for _, r := range slices.Backward(all) {
				if tt.want(r) {
					if len(r.Params) > rdb.MaxListed {
						r.Params = ""
					}
					want = append(want, r)
				}
			}
			tt.ask.Limit = 7
			for range 20 {
				page, err := s.RequestedRuns(t.Context(), tt.ask)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, page.Runs...)
				if tt.ask.Cursor = page.Next; page.Next == "" {
					break
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		oddRequests(t, s, all[59])
	})
}

// oddRequests checks texts that a list leaves out, and invalid queries.
func oddRequests(t *testing.T, s *rdb.Store, wide tracing.RunRecord) {
	if one, err := s.RequestedRun(t.Context(), wide.JobName, wide.ID); err != nil || one.Params != wide.Params {
		t.Errorf("%.40s %v", one.Params, err)
	}
	if _, err := s.RequestedRuns(t.Context(), rdb.RequestedFilter{Cursor: "x"}); !errors.Is(err, rdb.ErrInvalidCursor) {
		t.Error(err)
	}
	if _, err := s.RequestedRuns(t.Context(), rdb.RequestedFilter{From: noon, To: noon.Add(-time.Second)}); !errors.Is(err, rdb.ErrInvalidFilter) {
		t.Error(err)
	}
}

// TestAbsentRunTables: on tables of a Java engine only the four kinds of requested runs are lost,
// with one log line. A reader gets an error. Our migrations should help without a restart.
func TestAbsentRunTables(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		storetest.CreateJavaTables(t, db, storetest.Java305)
		var log bytes.Buffer
		sink, s := rdb.NewSink(db.Database), rdb.NewStore(db.Database)
		sink.Logger = slog.New(slog.NewTextHandler(&log, nil))
		all := func(n int) []tracing.Event {
			id := fmt.Sprint("x", n)
			return append(append(events(run(id, "j", 0, noon)), trail(step(id, tracing.StateRunning, noon))...),
				tracing.Event{Run: new(requested("r", "j", noon))}, stepOf(id, noon), lineOf(id, 1, 0), progressOf(id, 0, 0.5, noon))
		}
		for n := range 3 {
			if err := sink.Write(t.Context(), all(n)); err != nil {
				t.Fatal(err)
			}
		}
		if executions, statuses := count(t, db, "JOB_EXECUTION_LOG"), count(t, db, "JOB_STATUS_TRACE_LOG"); executions != 3 || statuses != 3 {
			t.Errorf("%d executions, %d statuses", executions, statuses)
		}
		if n := strings.Count(log.String(), "console migrate"); n != 4 {
			t.Errorf("%d lines of the log of four tables:\n%s", n, log.String())
		}
		reads(t, s, func(what string, err error) {
			if !errors.Is(err, rdb.ErrNoRunTables) {
				t.Errorf("%s: %v", what, err)
			}
		})
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		sink.LookAgain()
		if err := sink.Write(t.Context(), all(3)); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(log.String(), "left_out=3"); n != 4 {
			t.Errorf("%d tables are back:\n%s", n, log.String())
		}
		reads(t, s, func(what string, err error) {
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		})
		// One of the tables is missing.
		if err := db.Exec("DROP TABLE JOB_RUN_LOG").Error; err != nil {
			t.Fatal(err)
		}
		if err := sink.Write(t.Context(), all(4)); err != nil {
			t.Fatal(err)
		}
		if n := count(t, db, "JOB_RUN_STEP"); n != 2 {
			t.Errorf("%d steps", n)
		}
	})
}

// reads sends each query for requested runs.
func reads(t *testing.T, s *rdb.Store, answered func(string, error)) {
	t.Helper()
	_, err := s.RequestedRun(t.Context(), "j", "r")
	answered("run", err)
	_, err = s.RunSteps(t.Context(), "j", "r")
	answered("steps", err)
	_, err = s.RunProgress(t.Context(), "j", "r")
	answered("progress", err)
	_, err = s.RunLogs(t.Context(), "j", "r")
	answered("logs", err)
	_, err = s.RunLog(t.Context(), rdb.LogFilter{JobName: "j", RunID: "r", Attempt: 1})
	answered("log", err)
	_, err = s.RequestedRuns(t.Context(), rdb.RequestedFilter{})
	answered("runs", err)
}

// TestLargeBatchesOfRuns writes a thousand rows of each kind at once from several writers. The runs
// have the maximum width.
func TestLargeBatchesOfRuns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		var list []tracing.Event
		for i := range 1000 {
			r := inState(requested(fmt.Sprintf("id-%04d", i), "j", noon), "failed", 1)
			if i < 150 {
				r.Params, r.Result, r.Error = `"`+strings.Repeat("p", tracing.MaxParams-2)+`"`, strings.Repeat("r", tracing.MaxResult), strings.Repeat("😀", tracing.MaxText)
			}
			list = append(list, tracing.Event{Run: &r}, stepOf(r.ID, noon), lineOf("x", i+1, 0), progressOf(r.ID, i, 0.5, noon))
		}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if err := rdb.NewSink(db.Database).Write(t.Context(), list); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, table := range []string{"JOB_RUN", "JOB_RUN_STEP", "JOB_RUN_LOG", "JOB_RUN_PROGRESS"} {
			if n := count(t, db, table); n != 1000 {
				t.Errorf("%s has %d rows", table, n)
			}
		}
		wide, err := rdb.NewStore(db.Database).RequestedRun(t.Context(), "j", "id-0000")
		if diff := cmp.Diff(*list[0].Run, wide); diff != "" || err != nil {
			t.Errorf("%.300s %v", diff, err)
		}
	})
}

// TestOddRunEvents: invalid rows should be refused, and wide texts cut.
func TestOddRunEvents(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		sink := rdb.NewSink(db.Database)
		for name, bad := range map[string]tracing.Event{
			"run without an id": {Run: &tracing.RunRecord{JobName: "j", State: "queued", Submitted: noon}}, "run without a time": {Run: &tracing.RunRecord{ID: "r", JobName: "j", State: "queued"}},
			"step without a run": {Step: &tracing.RunStep{ID: "s", JobName: "j", At: noon}}, "line without an execution": {Log: &tracing.LogLine{RunID: "r", JobName: "j", At: noon}},
			"wide line": {Log: &tracing.LogLine{ExecutionID: "x", RunID: "r", JobName: "j", At: noon, Seq: 1 << 40}}, "progress without a time": {Progress: &tracing.Progress{ExecutionID: "x", RunID: "r", JobName: "j"}},
		} {
			if err := sink.Write(t.Context(), []tracing.Event{bad}); !errors.Is(err, tracing.ErrRejected) {
				t.Errorf("%s: %v", name, err)
			}
		}
		r := requested("r", "j", noon)
		r.Params, r.Note, r.State, r.Attempt = strings.Repeat("x", tracing.MaxParams+1), strings.Repeat("数", 1000), jobrun.State(strings.Repeat("s", 100)), 1<<40
		write(t, db, []tracing.Event{{Run: &r}, {Log: &tracing.LogLine{ExecutionID: "x", Seq: 1, RunID: "r", JobName: "j", At: noon, Level: "WARNING", Message: strings.Repeat("😀", 5000)}}})
		got, err := rdb.NewStore(db.Database).RequestedRun(t.Context(), "j", "r")
		if err != nil || got.Params != "" || got.Note != strings.Repeat("数", 200) || got.State != jobrun.State(strings.Repeat("s", 12)) || got.Attempt != 1<<31-1 {
			t.Errorf("%+v %v", got, err)
		}
		lines, err := rdb.NewStore(db.Database).RunLog(t.Context(), rdb.LogFilter{JobName: "j", RunID: "r"})
		if err != nil || len(lines) != 1 || lines[0].Level != "WARNI" || lines[0].Message != strings.Repeat("😀", tracing.MaxLogLine) {
			t.Errorf("%d lines, %v", len(lines), err)
		}
	})
}
