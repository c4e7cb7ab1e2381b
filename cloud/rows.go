package cloud

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	// SourceScheduler is the source of status rows that a scheduler writes, SourceExecutor
	// of those that programs write, as in ElasticJob-Cloud.
	SourceScheduler = "CLOUD_SCHEDULER"
	SourceExecutor  = "CLOUD_EXECUTOR"
	// LateAfter is from which delay on a run of a pending fire time counts as a misfire.
	LateAfter = time.Minute
	// maxMachine is how much of a machine's name its column keeps.
	maxMachine = 50
)

// Rows are what the history says of a task: a status row for each state that it had as
// far as is known, and the row of the execution, nil before the process has begun. They
// are the same however often the task is reported, and by whom: their ids are made of the
// task's.
//
// A process that was over before anybody saw it running has a row TASK_RUNNING all the
// same, because Started says so.
//
// A process of a DAEMON job is no execution: it reports those itself.
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
			e.StartTime = e.CompleteTime // It never began; a row needs a beginning.
		}
		if e.Success = t.State == tracing.StateFinished; !e.Success {
			e.FailureCause = cause(t)
		}
	}
	return e
}

// cause is never empty: a row without one counts as running.
func cause(t Task) string {
	text := strings.TrimSpace(t.Message)
	if text == "" && t.State == tracing.StateUnknown {
		text = "nobody saw its end"
	}
	if text == "" {
		text = string(t.State)
	}
	return cut(text, tracing.MaxText)
}

// later is the first of the times that is not zero.
func later(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// cut keeps so many characters.
func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most])
}
