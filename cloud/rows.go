package cloud

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	// SourceScheduler is the source of a scheduler's status rows, SourceExecutor of a program's, as
	// in ElasticJob-Cloud.
	SourceScheduler = "CLOUD_SCHEDULER"
	SourceExecutor  = "CLOUD_EXECUTOR"
	// LateAfter is the delay after which a pending fire time's run counts as a misfire.
	LateAfter = time.Minute
	// maxMachine is the width of the column for machine names.
	maxMachine = 50
)

// Rows returns the history rows of a task: a status row for each known state, and the execution
// row, nil before the process has started. Ids depend only on the task, so repeated reports by any
// scheduler make the same rows.
//
// A process that ended before it was seen running still has a TASK_RUNNING row, because Started is set. We make no
// execution row for a process of a DAEMON job, because it reports its executions itself.
func Rows(r RunStatus, t Task) ([]tracing.Status, *tracing.Execution) {
	row := tracing.Status{
		JobName: r.JobName, TaskID: t.ID(r.JobName), OriginalTaskID: t.OriginalID(r.JobName), SlaveID: cut(t.Node, maxMachine),
		Source: SourceScheduler, ExecutionType: t.Type(), Items: []int{t.Shard},
	}
	var rows []tracing.Status
	add := func(state State, at time.Time, message string) {
		row.ID, row.State, row.CreationTime, row.Message = rowID(t.UID, string(state)), state, at, cut(message, tracing.MaxText)
		rows = append(rows, row)
	}
	message := func(state State) string {
		if t.State == state {
			return t.Message
		}
		return ""
	}
	if !t.Created.IsZero() {
		add(tracing.StateStaging, t.Created, message(tracing.StateStaging))
	}
	if !t.Started.IsZero() {
		add(tracing.StateRunning, t.Started, message(tracing.StateRunning))
	}
	switch t.State {
	case "", tracing.StateStaging, tracing.StateRunning:
	case tracing.StateUnreachable:
		add(t.State, later(t.Changed, t.Started, t.Created), t.Message)
	default:
		add(t.State, later(t.Ended, t.Started, t.Created), t.Message)
	}
	return rows, execution(r, t)
}

func execution(r RunStatus, t Task) *tracing.Execution {
	ended := Ended(t.State)
	if t.Started.IsZero() && !ended || r.Origin == OriginDaemon {
		return nil
	}
	e := &tracing.Execution{
		ID: rowID(t.UID, "execution"), JobName: r.JobName, TaskID: t.ID(r.JobName), Hostname: t.Host, IP: cut(t.IP, maxMachine),
		Item: t.Shard, StartTime: t.Started, RunID: RowRunID(r.Name), Attempt: t.Attempt, ScheduledAt: r.Fire,
	}
	if e.Hostname == "" {
		e.Hostname = t.Node
	}
	e.Source, e.Trigger = tracing.SourceNormal, tracing.TriggerSchedule
	switch {
	case t.Attempt > 1:
		e.Source, e.Trigger = tracing.SourceFailover, tracing.TriggerFailover
	case r.Origin == OriginManual:
		e.Trigger = tracing.TriggerManual
	case r.Created.Sub(r.Fire) > LateAfter:
		e.Source, e.Trigger = tracing.SourceMisfire, tracing.TriggerMisfire
	}
	if r.Origin == OriginManual {
		e.ScheduledAt = time.Time{}
	}
	if ended {
		e.CompleteTime = later(t.Ended, t.Started, t.Created)
		if e.StartTime.IsZero() {
			e.StartTime = e.CompleteTime // It never started, but a row needs a start.
		}
		if e.Success = t.State == tracing.StateFinished; !e.Success {
			e.FailureCause = cause(t)
		}
	}
	return e
}

// cause is never empty, because a row without a cause counts as running.
func cause(t Task) string {
	text := strings.TrimSpace(t.Message)
	if text == "" && t.State == tracing.StateUnknown {
		text = "its end was not observed"
	}
	if text == "" {
		text = string(t.State)
	}
	return cut(text, tracing.MaxText)
}

// later returns the first non-zero time.
func later(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most])
}

// Reported is a report of a DAEMON job's process about a run: at its start, and again with the same
// id at its end.
type Reported struct {
	ID       string
	TaskID   string
	Host, IP string
	// Ended is zero while the run is active.
	Fire, Started, Ended time.Time
	// Cause is the reason of a failure, or "".
	Cause string
}

// ReportedRow returns the execution row for a report of a DAEMON job's process. Its id includes job
// and shard, so no process can overwrite another's rows.
func ReportedRow(job string, shard int, r Reported) tracing.Execution {
	e := tracing.Execution{
		ID: rowID(strconv.Quote(job)+"/"+strconv.Itoa(shard)+"/"+r.ID, "reported"), JobName: job, TaskID: r.TaskID,
		Hostname: r.Host, IP: cut(r.IP, maxMachine), Item: shard, Source: tracing.SourceNormal, Trigger: tracing.TriggerSchedule,
		StartTime: r.Started, CompleteTime: r.Ended, Success: !r.Ended.IsZero() && r.Cause == "",
		RunID: RowRunID(RunName(job, r.Fire)), Attempt: 1, ScheduledAt: r.Fire,
	}
	if !e.Success && !r.Ended.IsZero() {
		e.FailureCause = cut(r.Cause, tracing.MaxText)
	}
	return e
}
