package tracing

import (
	"context"
	"errors"
	"strings"
	"time"
)

// Source is the cause of an execution, with the values of column execution_source of ElasticJob's
// JOB_EXECUTION_LOG.
type Source string

// The sources of an execution. ElasticJob's Lite engine never writes [SourceFailover], but its
// tables and consoles know the value.
const (
	SourceNormal   Source = "NORMAL_TRIGGER"
	SourceMisfire  Source = "MISFIRE"
	SourceFailover Source = "FAILOVER"
)

// Trigger is why a run was started. It's more precise than [Source], which has ElasticJob's values
// and knows no manual run.
type Trigger string

// The triggers of a run. It's empty if a Java engine, or a version before there were runs, recorded
// the execution.
const (
	TriggerSchedule Trigger = "schedule" // the cron expression
	TriggerManual   Trigger = "manual"   // a person
	TriggerAPI      Trigger = "api"      // a program
	TriggerMisfire  Trigger = "misfire"  // a make-up run of a missed fire time
	TriggerFailover Trigger = "failover" // another instance was lost
	TriggerRetry    Trigger = "retry"    // the previous attempt failed
)

// State is a step in a task's status trail, with the values of column state of ElasticJob's
// JOB_STATUS_TRACE_LOG.
type State string

// The states of ElasticJob's enumeration. Agents only write staging, running, finished and error.
// The others are in rows of ElasticJob's cloud scheduler.
const (
	StateStaging        State = "TASK_STAGING"
	StateRunning        State = "TASK_RUNNING"
	StateFinished       State = "TASK_FINISHED"
	StateKilled         State = "TASK_KILLED"
	StateLost           State = "TASK_LOST"
	StateFailed         State = "TASK_FAILED"
	StateError          State = "TASK_ERROR"
	StateDropped        State = "TASK_DROPPED"
	StateGone           State = "TASK_GONE"
	StateGoneByOperator State = "TASK_GONE_BY_OPERATOR"
	StateUnreachable    State = "TASK_UNREACHABLE"
	StateUnknown        State = "TASK_UNKNOWN"
)

// Values of the status columns source and execution_type. ElasticJob's Lite engine writes exactly these.
const (
	StatusSourceLite   = "LITE_EXECUTOR"
	ExecutionTypeReady = "READY"
)

// MaxText is the width in characters of the columns for failure causes and status messages. Longer
// texts are cut when they are stored.
const MaxText = 4000

// Execution is one run of one shard. It's recorded twice with the same ID: at the start, with a
// zero CompleteTime, and at the end. They may arrive in either order; a sink makes one row of them.
type Execution struct {
	// ID is the row id, unique per execution, at most 40 characters.
	ID string
	// JobName has at most 255 characters in our tables and 100 in tables that a Java engine created.
	JobName string
	// TaskID is ElasticJob's five-part task id. If it has more than 255 characters, the database
	// keeps its beginning and a hash.
	TaskID string
	// Hostname and IP are where the shard ran.
	Hostname, IP string
	Source       Source
	// Item is the shard's number.
	Item int
	// CompleteTime is zero while the shard is running.
	StartTime, CompleteTime time.Time
	// Success is true once the execution has ended without an error.
	Success bool
	// FailureCause is the text of the error, empty unless the execution failed. If a handler skipped a
	// shard or put it off, it's the reason, although Success is true.
	FailureCause string
	// RunID names the run, at most 40 characters and unique within the job. All shards of one fire,
	// on all instances and in all attempts, have the same RunID. It's empty in rows of Java engines.
	RunID string
	// Attempt counts the attempts at a shard within a run from 1, or is 0 if unknown. A shard that
	// fails over continues with the number of the lost attempt.
	Attempt int
	// Trigger is "" if it was not recorded.
	Trigger Trigger
	// ScheduledAt is the run's fire time, zero if it has none or it was not recorded.
	ScheduledAt time.Time
	// Lost is set by a history for an execution that is over although its end was not recorded.
	// Recorders leave it false.
	Lost bool
	// Superseded is set by a history for an execution that didn't succeed although its requested run did:
	// another shard did the work. Recorders leave it false.
	Superseded bool
	// Unfinished is set by a history for an execution that didn't succeed, of a requested run that isn't over.
	// If the execution was lost, its shard runs again. Recorders leave it false.
	Unfinished bool
}

// CauseNotStarted is the beginning of the FailureCause of an execution if no handler was called: its run
// ended while the shard waited for a place.
const CauseNotStarted = "not started: "

// CauseCancelled is the beginning of the FailureCause of an execution if its requested run was cancelled.
const CauseCancelled = "the run was cancelled"

// Cancelled reports whether the execution ended because its requested run was cancelled.
func (e Execution) Cancelled() bool {
	return !e.Success && strings.HasPrefix(e.FailureCause, CauseCancelled)
}

// Running reports whether the execution has not ended. A row with a failure has ended even without a completion
// time, because ElasticJob's Java engine leaves that out if the end of a failed run is stored before its start.
func (e Execution) Running() bool {
	return e.CompleteTime.IsZero() && e.FailureCause == "" && !e.Lost
}

// Status is one step of a task. A task is one fire of a job in one process, with all the shards that run there.
type Status struct {
	// ID is the row id, at most 40 characters.
	ID      string
	JobName string
	// OriginalTaskID is the task that a failed-over task came from. Agents leave it empty.
	OriginalTaskID string
	// TaskID is ElasticJob's five-part task id. It groups the steps of a task.
	TaskID string
	// SlaveID is the address of the process.
	SlaveID string
	// Source is [StatusSourceLite] for agents. ElasticJob 3.0.5 doesn't have this column, so it's
	// empty in its rows.
	Source string
	// ExecutionType is [ExecutionTypeReady] for agents.
	ExecutionType string
	// Items are the shards that the task runs, stored as "[0, 1, 2]".
	Items []int
	State State
	// Message explains the step: a reason, or the errors by shard.
	Message      string
	CreationTime time.Time
}

// Recorder takes events from a running job. Implementations must not block the caller and must be
// safe for concurrent use. They should keep the order of events from each goroutine.
type Recorder interface {
	RecordExecution(Execution)
	RecordStatus(Status)
}

// AgentRecorder is a [Recorder] that its agent closes, such as rdb.Recorder.
type AgentRecorder interface {
	Recorder
	// AgentStopped is called once, when the agent has stopped and records nothing more. It writes
	// the waiting events and gives up when ctx ends.
	AgentStopped(ctx context.Context) error
}

// Discard is a [Recorder] that drops everything, the default of an agent without tracing.
var Discard Recorder = discard{}

type discard struct{}

func (discard) RecordExecution(Execution) {}
func (discard) RecordStatus(Status)       {}

// Event is one recorded fact on its way to a [Sink]. Exactly one field is set.
type Event struct {
	Execution *Execution `json:",omitempty"`
	Status    *Status    `json:",omitempty"`
	Run       *RunRecord `json:",omitempty"`
	Step      *RunStep   `json:",omitempty"`
	Log       *LogLine   `json:",omitempty"`
	Progress  *Progress  `json:",omitempty"`
}

// ErrRejected marks an error of a [Sink] that a retry won't fix, because the store answered and refused
// the content. [Async] then halves the batch until the refused event is alone, and drops that event.
var ErrRejected = errors.New("trace events rejected")

// Sink stores batches of events. [Async] calls it from one goroutine at a time. After an error it
// repeats the batch, so Write must be idempotent by event id.
type Sink interface {
	// Write stores all of the events or none, in the given order, and returns once they are safe. It gives
	// up when ctx ends, must not keep or change events, and wraps [ErrRejected] if a retry is useless.
	Write(ctx context.Context, events []Event) error
}
