package cloud

import (
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Reported is what a process of a DAEMON job says of one of its runs: when it begins, and
// again under the same id when it has ended.
type Reported struct {
	ID       string
	TaskID   string
	Host, IP string
	// Fire is the fire time; Ended is zero as long as it works.
	Fire, Started, Ended time.Time
	// Cause is why it has failed, "" if it has not.
	Cause string
}

// ReportedRow is the row of an execution that the process of a shard of a DAEMON job has
// reported. Its id is made of job and shard too: no process can write over the rows of
// another one.
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
