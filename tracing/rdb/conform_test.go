package rdb_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestK62RowsOfAFailedItem checks both tables after three shards, of which the second failed.
func TestK62RowsOfAFailedItem(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		const task = "jt@-@0,1,2@-@READY@-@10.0.0.1@-@9833"
		state := func(id string, s tracing.State, message string, after time.Duration) tracing.Event {
			return tracing.Event{Status: &tracing.Status{
				ID: id, JobName: "jt", TaskID: task, SlaveID: "10.0.0.1", Source: tracing.StatusSourceLite, ExecutionType: tracing.ExecutionTypeReady,
				Items: []int{0, 1, 2}, State: s, Message: message, CreationTime: noon.Add(after),
			}}
		}
		list := []tracing.Event{state("a", tracing.StateStaging, "Job 'jt' execute begin.", 0), state("b", tracing.StateRunning, "", 1*time.Millisecond)}
		for item, id := range []string{"x", "y", "z"} {
			start := tracing.Execution{ID: id, JobName: "jt", TaskID: task, Hostname: "h1", IP: "10.0.0.1", Source: tracing.SourceNormal, Item: item, StartTime: noon}
			list = append(list, events(start, ended(start, time.Second, map[int]string{1: "boom"}[item]))...)
		}
		write(t, db, append(list, state("c", tracing.StateError, "{1=boom}", time.Second)))

		type execution struct {
			JobName, TaskID, Hostname, IP, ExecutionSource string
			ShardingItem, IsSuccess                        int
			FailureCause                                   *string
			StartTime, CompleteTime                        *time.Time
		}
		var executions []execution
		if err := db.Raw("SELECT job_name, task_id, hostname, ip, execution_source, sharding_item, CASE WHEN is_success THEN 1 ELSE 0 END AS is_success, " +
			"failure_cause, start_time, complete_time FROM JOB_EXECUTION_LOG ORDER BY sharding_item").Scan(&executions).Error; err != nil {
			t.Fatal(err)
		}
		for i, row := range executions {
			if row.StartTime == nil || row.CompleteTime == nil || row.CompleteTime.Sub(*row.StartTime) != time.Second {
				t.Errorf("shard %d ran from %v to %v", i, row.StartTime, row.CompleteTime)
			}
			executions[i].StartTime, executions[i].CompleteTime = nil, nil
		}
		boom := "boom"
		want := []execution{
			{"jt", task, "h1", "10.0.0.1", "NORMAL_TRIGGER", 0, 1, nil, nil, nil},
			{"jt", task, "h1", "10.0.0.1", "NORMAL_TRIGGER", 1, 0, &boom, nil, nil},
			{"jt", task, "h1", "10.0.0.1", "NORMAL_TRIGGER", 2, 1, nil, nil, nil},
		}
		if diff := cmp.Diff(want, executions); diff != "" {
			t.Errorf("executions (-want +got)\n%s", diff)
		}

		type status struct{ JobName, OriginalTaskID, TaskID, SlaveID, Source, ExecutionType, ShardingItem, State, Message string }
		var statuses []status
		if err := db.Raw("SELECT * FROM JOB_STATUS_TRACE_LOG ORDER BY creation_time").Scan(&statuses).Error; err != nil {
			t.Fatal(err)
		}
		row := status{"jt", "", task, "10.0.0.1", "LITE_EXECUTOR", "READY", "[0, 1, 2]", "TASK_STAGING", "Job 'jt' execute begin."}
		running, failed := row, row
		running.State, running.Message = "TASK_RUNNING", ""
		failed.State, failed.Message = "TASK_ERROR", "{1=boom}"
		if diff := cmp.Diff([]status{row, running, failed}, statuses); diff != "" {
			t.Errorf("statuses (-want +got)\n%s", diff)
		}
	})
}

// TestK63LongFailure: 4000 of 5000 characters are kept.
func TestK63LongFailure(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		text := strings.Repeat("0123456789", 500)
		write(t, db, events(ended(run("long", "j", 0, noon), time.Second, text)))
		var stored string
		if err := db.Raw("SELECT failure_cause FROM JOB_EXECUTION_LOG WHERE id = 'long'").Scan(&stored).Error; err != nil {
			t.Fatal(err)
		}
		if stored != text[:4000] {
			t.Errorf("%d characters are stored", len(stored))
		}
	})
}

// TestK64CompletionBeforeStart: a completion stored before its start should make one row, and the
// start should not undo it.
func TestK64CompletionBeforeStart(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		start := run("swapped", "j", 0, noon)
		write(t, db, events(ended(start, time.Second, "")))
		write(t, db, events(start))
		var rows []struct {
			IsSuccess    int
			CompleteTime *time.Time
		}
		if err := db.Raw("SELECT CASE WHEN is_success THEN 1 ELSE 0 END AS is_success, complete_time FROM JOB_EXECUTION_LOG").Scan(&rows).Error; err != nil {
			t.Fatal(err)
		}
		if len(rows) != 1 || rows[0].IsSuccess != 1 || rows[0].CompleteTime == nil || !rows[0].CompleteTime.Equal(noon.Add(time.Second)) {
			t.Errorf("rows %+v", rows)
		}
	})
}
