package cloud

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestRowsOfADaemon: a process of a DAEMON job has steps but is no execution, and its run isn't
// part of a history.
func TestRowsOfADaemon(t *testing.T) {
	t.Parallel()
	run := RunStatus{Name: DaemonRunName("feed"), JobName: "feed", AppName: "shop", Origin: OriginDaemon, Shards: 1, Count: 1, Created: created, State: RunRunning}
	for _, state := range []State{tracing.StateRunning, tracing.StateFailed} {
		task := Task{TaskRef: TaskRef{Run: run.Name, UID: "uid", Attempt: 2}, State: state, Message: "words", Created: created, Started: started}
		rows, execution := Rows(run, task)
		if execution != nil || len(rows) < 2 || rows[1].State != tracing.StateRunning || rows[1].ExecutionType != TaskFailover {
			t.Errorf("%s: %+v and %+v", state, rows, execution)
		}
	}
	ended := []RunStatus{run}
	for i := range ended {
		ended[i].State, ended[i].Ended = RunKilled, ending
	}
	for range 20 {
		ended = append(ended, ended[0])
	}
	if names := Trim(ended, ending.Add(time.Hour)); len(names) != 0 {
		t.Errorf("to be forgotten are %v", names)
	}
}

// TestReportedRow: the start and the end of a run have the same id, different for other jobs and shards.
func TestReportedRow(t *testing.T) {
	t.Parallel()
	begun := Reported{ID: "id", TaskID: "feed@-@1@-@READY@-@node@-@uid", Host: "host", IP: strings.Repeat("1", 60), Fire: instant, Started: started}
	first := ReportedRow("feed", 1, begun)
	want := tracing.Execution{
		ID: first.ID, JobName: "feed", TaskID: begun.TaskID, Hostname: "host", IP: strings.Repeat("1", maxMachine), Item: 1,
		Source: tracing.SourceNormal, Trigger: tracing.TriggerSchedule, StartTime: started, RunID: "cloud-1795344540", Attempt: 1, ScheduledAt: instant,
	}
	if diff := cmp.Diff(want, first); diff != "" || !first.Running() {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for cause, success := range map[string]bool{"": true, "no stock": false} {
		ended := begun
		ended.Ended, ended.Cause = ending, cause
		row := ReportedRow("feed", 1, ended)
		want := want
		want.CompleteTime, want.Success, want.FailureCause = ending, success, cause
		if diff := cmp.Diff(want, row); diff != "" {
			t.Errorf("cause %q (-want +got):\n%s", cause, diff)
		}
	}
	seen := map[string]string{}
	for _, of := range []struct {
		job, id string
		shard   int
	}{{"feed", "id", 1}, {"feed", "id", 2}, {"feed", "1/id", 0}, {"feed/1", "id", 0}, {`feed"`, "id", 1}, {"other", "id", 1}, {"feed", "ID", 1}} {
		row := ReportedRow(of.job, of.shard, Reported{ID: of.id, Fire: instant})
		if before, known := seen[row.ID]; known || len(row.ID) > 40 {
			t.Errorf("%+v has the id of %s", of, before)
		}
		seen[row.ID] = row.JobName
	}
}
