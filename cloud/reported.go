package cloud

import (
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

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
