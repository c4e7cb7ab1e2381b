package rdb_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// fired returns the end of an execution for a fire time, with its log lines.
func fired(job, id string, shard int, at time.Time, lines ...string) (list []tracing.Event) {
	run := at.Format("20060102T150405Z")
	list = []tracing.Event{{Execution: &tracing.Execution{
		ID: id, JobName: job, TaskID: "t", IP: "10.0.0.1", Item: shard, StartTime: at, CompleteTime: at.Add(time.Second), Success: true,
		RunID: run, Attempt: 1, Trigger: tracing.TriggerSchedule, ScheduledAt: at,
	}}}
	for i, text := range lines {
		list = append(list, tracing.Event{Log: &tracing.LogLine{
			ExecutionID: id, Seq: i + 1, RunID: run, JobName: job, Item: shard, Attempt: 1, At: at.Add(time.Duration(i) * time.Millisecond), Level: "INFO", Message: text,
		}})
	}
	return list
}

// TestW28LogOfAFireTime: the runs of all jobs for one fire time have the same id, but each should have its own log.
func TestW28LogOfAFireTime(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		write(t, db, fired("a", "a0", 0, noon, "one", "two"))
		write(t, db, fired("a", "a1", 1, noon))
		write(t, db, fired("b", "b0", 0, noon, "three"))
		s := rdb.NewStore(db.Database)
		for job, want := range map[string]struct {
			logs  []rdb.LogOf
			lines []string
		}{"a": {[]rdb.LogOf{{"a0", 0, 1, 2}}, []string{"one", "two"}}, "b": {[]rdb.LogOf{{"b0", 0, 1, 1}}, []string{"three"}}} {
			run, err := s.Run(t.Context(), job, noon.Format("20060102T150405Z"))
			if err != nil {
				t.Fatal(err)
			}
			logs, err := s.ExecutionLogs(t.Context(), run.Executions)
			if diff := cmp.Diff(want.logs, logs); diff != "" || err != nil {
				t.Errorf("%s: %s %v", job, diff, err)
			}
			lines, err := s.RunLog(t.Context(), rdb.LogFilter{JobName: job, Executions: []string{logs[0].ExecutionID}})
			var texts []string
			for _, l := range lines {
				texts = append(texts, l.Message)
			}
			if diff := cmp.Diff(want.lines, texts); diff != "" || err != nil {
				t.Errorf("%s: %s %v", job, diff, err)
			}
		}
		if lines, err := s.RunLog(t.Context(), rdb.LogFilter{JobName: "b", Executions: []string{"a0"}}); err != nil || len(lines) != 0 {
			t.Errorf("lines of another job: %+v, %v", lines, err)
		}
		var many []tracing.Execution
		for i := range 450 {
			many = append(many, tracing.Execution{ID: fmt.Sprint("none", i)})
		}
		many = append(many, tracing.Execution{ID: "b0", Attempt: 1})
		if logs, err := s.ExecutionLogs(t.Context(), many); err != nil || len(logs) != 1 || logs[0].ExecutionID != "b0" {
			t.Errorf("%+v, %v", logs, err)
		}
	})
}

// TestW28LogsGoWithTheirExecutions: pruning should delete the lines of fire times with their executions, even if
// only the number of rows is limited and there are no requested runs.
func TestW28LogsGoWithTheirExecutions(t *testing.T) {
	for name, keep := range map[string]rdb.Retention{
		"rows": {Rows: 3, Pause: -1}, "age": {Age: 3*time.Hour - time.Minute, Pause: -1}, "logs": {LogAge: 3*time.Hour - time.Minute, Pause: -1},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, db *store.DB) {
				for i := range 10 {
					at := noon.Add(-time.Duration(i) * time.Hour)
					write(t, db, fired("a", fmt.Sprint("a", i), 0, at, "one", "two"))
				}
				done, err := rdb.Prune(t.Context(), db.Database, keep, noon)
				want := map[string]int{"rows": 7, "age": 7}[name]
				if err != nil || done.Executions != want || done.LogLines != 14 {
					t.Errorf("%+v, %v", done, err)
				}
				if n := count(t, db, "JOB_RUN_LOG"); n != 6 {
					t.Errorf("%d lines are left", n)
				}
			})
		})
	}
}
