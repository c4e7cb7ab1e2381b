package tracing

import (
	"context"
	"strings"
	"time"
)

// Source says what made a shard run: the values of the execution_source
// column of ElasticJob's JOB_EXECUTION_LOG.
type Source string

// The sources an execution can have. ElasticJob's Lite engine never writes
// [SourceFailover] itself, but its tables and consoles know the value.
const (
	SourceNormal   Source = "NORMAL_TRIGGER"
	SourceMisfire  Source = "MISFIRE"
	SourceFailover Source = "FAILOVER"
)

// Trigger says why a run was started. It tells more than [Source], whose values
// are those of ElasticJob and know no manual run.
type Trigger string

// The triggers of a run. An execution that says none was recorded by a Java
// engine, or by a version before there were runs.
const (
	TriggerSchedule Trigger = "schedule" // the cron expression
	TriggerManual   Trigger = "manual"   // a person
	TriggerAPI      Trigger = "api"      // a program
	TriggerMisfire  Trigger = "misfire"  // a missed fire time was made up for
	TriggerFailover Trigger = "failover" // another instance was lost
	TriggerRetry    Trigger = "retry"    // the attempt before had failed
)

// State is a step of a task's status trail: the values of the state column of
// ElasticJob's JOB_STATUS_TRACE_LOG.
type State string

// The states of ElasticJob's enumeration. Agents write only staging, running,
// finished and error; the rest appears in rows of ElasticJob's cloud scheduler.
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

// Values of the two columns of a status row that name the engine and the kind
// of execution. ElasticJob's Lite engine writes exactly these.
const (
	// StatusSourceLite is the source of every status row of an agent.
	StatusSourceLite = "LITE_EXECUTOR"
	// ExecutionTypeReady is the execution type of every status row of an agent.
	ExecutionTypeReady = "READY"
)

// MaxText is the number of characters kept of a failure cause or a status
// message; the columns are that wide. Longer texts are cut when they are
// stored, not when they are recorded.
const MaxText = 4000

// Execution is one run of one shard. It is recorded twice with the same ID:
// when the run starts, with a zero CompleteTime, and when it has ended. The
// two may arrive in either order; a sink makes one row of them.
type Execution struct {
	// ID is the row id, at most 40 characters, unique per run of a shard.
	ID string
	// JobName is the job's name, at most 255 characters in the database, and 100 in
	// tables that a Java engine created.
	JobName string
	// TaskID is ElasticJob's five-part task id. If it has more than 255 characters, the
	// database keeps its beginning and a hash.
	TaskID string
	// Hostname and IP say where the shard ran.
	Hostname, IP string
	// Source says what triggered the run.
	Source Source
	// Item is the shard's number.
	Item int
	// StartTime is when the run began; CompleteTime when it ended, zero while
	// it is still running.
	StartTime, CompleteTime time.Time
	// Success is true once the run has ended without an error.
	Success bool
	// FailureCause is the text of the error, empty unless the run failed. If a handler skipped a
	// requested run or put it off, it's the reason, although Success is true.
	FailureCause string
	// RunID names the run that the execution is a part of, at most 40 characters
	// and unique within the job: all shards of one fire, on whatever instance, and
	// all attempts at them have the same. It is empty in rows of Java engines.
	RunID string
	// Attempt counts the attempts at a shard within a run from 1 on, 0 if nobody
	// counted. A shard that fails over goes on with the attempt that was lost.
	Attempt int
	// Trigger says why the run was started, "" if nobody said.
	Trigger Trigger
	// ScheduledAt is the fire time that the run stands for, zero if it has none
	// or nobody said.
	ScheduledAt time.Time
	// Lost is what a history says of a run whose end nobody recorded and which
	// is over nevertheless. Recorders leave it false.
	Lost bool
}

// CauseCancelled is the beginning of the FailureCause of an execution whose requested run was cancelled.
const CauseCancelled = "the run was cancelled"

// Cancelled reports whether the execution ended because its requested run was cancelled.
func (e Execution) Cancelled() bool {
	return !e.Success && strings.HasPrefix(e.FailureCause, CauseCancelled)
}

// Running reports whether the execution has not ended. A row that names a
// failure has ended even without a completion time: ElasticJob's Java engine
// leaves it out when the end of a failed run is stored before its start.
func (e Execution) Running() bool {
	return e.CompleteTime.IsZero() && e.FailureCause == "" && !e.Lost
}

// Status is one step of a task: a task is one firing of a job in one process,
// with all the shards it runs there.
type Status struct {
	// ID is the row id, at most 40 characters.
	ID string
	// JobName is the job's name.
	JobName string
	// OriginalTaskID is the task a failed-over task came from. It is empty in
	// everything agents write.
	OriginalTaskID string
	// TaskID is ElasticJob's five-part task id; it groups the steps of a task.
	TaskID string
	// SlaveID is the address of the process.
	SlaveID string
	// Source is [StatusSourceLite] for agents. ElasticJob 3.0.5 has no such
	// column; rows of its making read as empty.
	Source string
	// ExecutionType is [ExecutionTypeReady] for agents.
	ExecutionType string
	// Items are the shards the task runs, stored as "[0, 1, 2]".
	Items []int
	// State is the step.
	State State
	// Message explains the step: a reason, or the errors by shard.
	Message string
	// CreationTime is when the step happened.
	CreationTime time.Time
}

// Recorder takes events from a running job. Implementations never block the
// caller, may be called from any number of goroutines, and keep the order of
// the events each goroutine hands them.
type Recorder interface {
	RecordExecution(Execution)
	RecordStatus(Status)
}

// AgentRecorder is a [Recorder] that its agent closes, such as rdb.Recorder.
type AgentRecorder interface {
	Recorder
	// AgentStopped is called once when the agent has stopped and records nothing more. It writes
	// the waiting events and gives up when ctx ends.
	AgentStopped(ctx context.Context) error
}

// Discard is the [Recorder] that forgets everything: the default of an agent
// without tracing.
var Discard Recorder = discard{}

type discard struct{}

func (discard) RecordExecution(Execution) {}
func (discard) RecordStatus(Status)       {}

// Event is one recorded fact on its way to a [Sink]; exactly one of its fields
// is set.
type Event struct {
	Execution *Execution `json:",omitempty"`
	Status    *Status    `json:",omitempty"`
	Run       *Run       `json:",omitempty"`
	Step      *RunStep   `json:",omitempty"`
	Log       *LogLine   `json:",omitempty"`
	Progress  *Progress  `json:",omitempty"`
}
