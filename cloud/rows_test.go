package cloud

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/tracing"
)

var (
	instant = time.Date(2026, 11, 22, 10, 49, 0, 0, time.UTC)
	created = instant.Add(20 * time.Millisecond)
	started = instant.Add(time.Second)
	ending  = instant.Add(3 * time.Second)
)

func sampleRun() RunStatus {
	return RunStatus{Name: "settlement-1795344540", JobName: "settlement", AppName: "shop", Fire: instant, Origin: OriginCron, Shards: 3, Count: 3, Created: created}
}

// TestRowsOfStates: the rows in both tables for each state of a task.
func TestRowsOfStates(t *testing.T) {
	t.Parallel()
	for state, want := range map[State]struct {
		trail   string
		running bool
		success bool
		failure bool
	}{
		tracing.StateStaging:        {"STAGING", false, false, false},
		tracing.StateRunning:        {"STAGING RUNNING", true, false, false},
		tracing.StateFinished:       {"STAGING RUNNING FINISHED", false, true, false},
		tracing.StateFailed:         {"STAGING RUNNING FAILED", false, false, true},
		tracing.StateKilled:         {"STAGING RUNNING KILLED", false, false, false},
		tracing.StateError:          {"STAGING ERROR", false, false, true},
		tracing.StateLost:           {"STAGING RUNNING LOST", false, false, true},
		tracing.StateDropped:        {"STAGING RUNNING DROPPED", false, false, true},
		tracing.StateGone:           {"STAGING RUNNING " + strings.TrimPrefix(string(tracing.StateGone), "TASK_"), false, false, true},
		tracing.StateGoneByOperator: {"STAGING RUNNING GONE_BY_OPERATOR", false, false, true},
		tracing.StateUnreachable:    {"STAGING RUNNING UNREACHABLE", true, false, true},
		tracing.StateUnknown:        {"STAGING RUNNING UNKNOWN", false, false, true},
	} {
		task := Task{TaskRef: TaskRef{Run: "settlement-1795344540", Shard: 1, UID: "uid-1", Attempt: 1}, State: state, Message: "words", Node: "node-a", IP: "10.0.0.7", Created: created}
		if state != tracing.StateStaging && state != tracing.StateError {
			task.Started = started
		}
		if Ended(state) {
			task.Ended = ending
		}
		rows, execution := Rows(sampleRun(), task)
		var trail []string
		for _, r := range rows {
			trail = append(trail, strings.TrimPrefix(string(r.State), "TASK_"))
		}
		if got := strings.Join(trail, " "); got != want.trail {
			t.Errorf("%s: the trail is %q, want %q", state, got, want.trail)
		}
		if Failure(state) != want.failure {
			t.Errorf("%s: Failure = %v", state, Failure(state))
		}
		if execution == nil {
			if state != tracing.StateStaging {
				t.Errorf("%s: no execution", state)
			}
			continue
		}
		if execution.Running() != want.running || execution.Success != want.success {
			t.Errorf("%s: running %v, success %v", state, execution.Running(), execution.Success)
		}
		if !execution.Running() && !execution.Success && execution.FailureCause == "" {
			t.Errorf("%s: no cause", state)
		}
	}
}

// TestRowsOfOneTask: every field in the rows of a retried shard.
func TestRowsOfOneTask(t *testing.T) {
	t.Parallel()
	task := Task{
		TaskRef: TaskRef{Run: "settlement-1795344540", Shard: 1, UID: "uid-2", Attempt: 2}, State: tracing.StateFailed,
		Message: "exit code 137 (OOMKilled): " + strings.Repeat("x", 5000), Node: "node-b", Host: "pod-1", IP: "10.0.0.8",
		FirstUID: "uid-1", FirstNode: "node-a", Created: created, Started: started, Ended: ending,
	}
	rows, execution := Rows(sampleRun(), task)
	cause := cut(task.Message, tracing.MaxText)
	id := "settlement@-@1@-@FAILOVER@-@node-b@-@uid-2"
	want := tracing.Status{
		ID: rowID("uid-2", "TASK_FAILED"), JobName: "settlement", TaskID: id, OriginalTaskID: "settlement@-@1@-@READY@-@node-a@-@uid-1",
		SlaveID: "node-b", Source: SourceScheduler, ExecutionType: TaskFailover, Items: []int{1}, State: tracing.StateFailed, Message: cause, CreationTime: ending,
	}
	if diff := cmp.Diff(want, rows[len(rows)-1]); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	wantExecution := &tracing.Execution{
		ID: rowID("uid-2", "execution"), JobName: "settlement", TaskID: id, Hostname: "pod-1", IP: "10.0.0.8", Source: tracing.SourceFailover, Item: 1,
		StartTime: started, CompleteTime: ending, FailureCause: cause, RunID: "cloud-1795344540", Attempt: 2, Trigger: tracing.TriggerFailover, ScheduledAt: instant,
	}
	if diff := cmp.Diff(wantExecution, execution); diff != "" {
		t.Errorf("execution (-want +got):\n%s", diff)
	}
	if parts, err := jobtree.ParseTaskID(id); err != nil || parts.IP != "node-b" || parts.ExecutionType != TaskFailover {
		t.Errorf("the task id reads as %+v, %v", parts, err)
	}
	if len(want.ID) != 36 || want.ID[14] != '5' {
		t.Errorf("row id %q is not a UUID of version 5", want.ID)
	}
}

// TestCL46RowsHaveOneID: a task reported by two leaders should make the same rows.
func TestCL46RowsHaveOneID(t *testing.T) {
	t.Parallel()
	task := Task{TaskRef: TaskRef{Run: "settlement-1795344540", UID: "uid", Attempt: 1}, State: tracing.StateFinished, Created: created, Started: started, Ended: ending}
	first, execution := Rows(sampleRun(), task)
	again, executionAgain := Rows(sampleRun(), task)
	if diff := cmp.Diff(first, again); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(execution, executionAgain); diff != "" {
		t.Error(diff)
	}
	task.State, task.Ended = tracing.StateRunning, time.Time{}
	if _, before := Rows(sampleRun(), task); before.ID != execution.ID {
		t.Error("the start and the end of an execution are two rows")
	}
}

// TestSourceOfRuns: a late run counts as a misfire, and a manual run has no fire time.
func TestSourceOfRuns(t *testing.T) {
	t.Parallel()
	task := Task{TaskRef: TaskRef{UID: "uid", Attempt: 1}, State: tracing.StateRunning, Started: started}
	for name, c := range map[string]struct {
		change  func(*RunStatus)
		source  tracing.Source
		trigger tracing.Trigger
		fire    time.Time
	}{
		"in time": {func(*RunStatus) {}, tracing.SourceNormal, tracing.TriggerSchedule, instant},
		"late": {func(r *RunStatus) {
			r.Origin, r.Created = OriginPending, instant.Add(LateAfter+time.Second)
		}, tracing.SourceMisfire, tracing.TriggerMisfire, instant},
		"manual": {func(r *RunStatus) { r.Origin = OriginManual }, tracing.SourceNormal, tracing.TriggerManual, time.Time{}},
	} {
		run := sampleRun()
		c.change(&run)
		_, execution := Rows(run, task)
		if execution.Source != c.source || execution.Trigger != c.trigger || !execution.ScheduledAt.Equal(c.fire) {
			t.Errorf("%s: %s, %s, %v", name, execution.Source, execution.Trigger, execution.ScheduledAt)
		}
	}
}
