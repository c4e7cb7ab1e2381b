package rdb

import (
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Limits of a page. A Limit of zero or less means [DefaultLimit]. [MaxLimit] is the most rows per page.
const (
	DefaultLimit = 50
	MaxLimit     = 1000
)

// Errors of queries; match with errors.Is.
var (
	// ErrNotFound means that no row has the id.
	ErrNotFound = errors.New("no such trace row")
	// ErrInvalidCursor means that a Cursor was not made by this package.
	ErrInvalidCursor = errors.New("invalid cursor")
	// ErrInvalidFilter means that a filter is contradictory or out of range.
	ErrInvalidFilter = errors.New("invalid filter")
)

// RunState is the outcome of an execution in the history.
type RunState string

// The states of an execution. A row without a completion time counts as running unless it has a
// failure, because ElasticJob's Java engine never sets the completion time of some failed rows.
//
// An execution is lost if its end was not recorded and the same shard of the same job has started
// again since. A shard never runs twice at a time, so the execution must be over, with an unknown
// outcome. Nothing else counts as evidence: not its age, because an execution may take days; and
// not a missing instance, because the database may have rows of agents in other registries. If its
// agent was killed, we therefore show an execution as running until its shard runs again.
//
// An execution is cancelled, and not failed, if it ended because its requested run was cancelled; see
// [tracing.Execution.Cancelled].
const (
	RunAny       RunState = ""
	RunRunning   RunState = "running"
	RunSuccess   RunState = "success"
	RunFailed    RunState = "failed"
	RunLost      RunState = "lost"
	RunCancelled RunState = "cancelled"
)

// SortKey is a column to sort executions by.
type SortKey string

// The sort keys. Rows with the same key are ordered by start and id, in the same direction.
// Executions without an end sort lowest by completion or duration.
const (
	SortStart    SortKey = "start"
	SortComplete SortKey = "complete"
	SortDuration SortKey = "duration"
	SortJob      SortKey = "job"
	SortIP       SortKey = "ip"
)

// StateOf returns the state of an execution; see [RunState]. It never returns [RunAny].
func StateOf(e tracing.Execution) RunState {
	switch {
	case e.Lost:
		return RunLost
	case e.Running():
		return RunRunning
	case e.Success:
		return RunSuccess
	case e.Cancelled():
		return RunCancelled
	default:
		return RunFailed
	}
}

// ExecutionFilter selects rows of JOB_EXECUTION_LOG. Zero fields select everything.
type ExecutionFilter struct {
	JobName, IP, TaskID string
	// JobPrefix is the beginning of job names, "" for all.
	JobPrefix string
	// Jobs are the allowed job names, at most [MaxJobs]; nil allows all.
	Jobs []string
	// Item is the shard's number, nil for all shards.
	Item *int
	// Source is "" for all sources.
	Source tracing.Source
	// Trigger is compared with [TriggerOf]; "" for all triggers.
	Trigger tracing.Trigger
	// State is [RunAny] for all states.
	State RunState
	// FailureText is a part of the failure cause. The case of the letters A to Z is ignored.
	FailureText string
	// MinDuration selects executions that have ended and took at least this long.
	MinDuration time.Duration
	// From and To limit the start time: From <= start <= To.
	From, To time.Time
	// Sort defaults to [SortStart]. The order is descending unless Ascending is set.
	Sort      SortKey
	Ascending bool
	// Limit is the number of rows: [DefaultLimit] if it's 0, at most [MaxLimit].
	Limit int
	// Cursor is the NextCursor of the previous page in the same order, "" for the first page.
	Cursor string
}

// MaxJobs is the largest number of job names in a filter.
const MaxJobs = 500

// ExecutionPage is a page of executions.
type ExecutionPage struct {
	// Rows are in the requested order. Times are UTC.
	Rows []tracing.Execution
	// NextCursor continues after the last row, "" if there are no more rows. It stays valid while
	// newer rows arrive.
	//
	// If no index answers the filter, a page may have fewer rows than requested, or none, and still
	// a NextCursor, because a query checks at most [MaxLooked] rows. The next query continues there.
	NextCursor string
}

// MaxLooked is how many rows a query checks one by one if no index answers the filter, for example
// for a part of a failure cause.
const MaxLooked = 2_000

// StatusFilter selects rows of JOB_STATUS_TRACE_LOG. Zero fields select everything.
type StatusFilter struct {
	// JobName, TaskID, SlaveID, Source and ExecutionType are compared exactly. If the table has no
	// source column, as in ElasticJob 3.0.5, every row counts as [tracing.StatusSourceLite].
	JobName, TaskID, SlaveID, Source, ExecutionType string
	// State is "" for all states.
	State tracing.State
	// From and To limit the creation time: From <= creation <= To.
	From, To time.Time
	// Limit is the number of rows: [DefaultLimit] if it's 0, at most [MaxLimit].
	Limit int
	// Cursor is the NextCursor of the previous page, "" for the newest rows.
	Cursor string
}

// StatusPage is a page of the status trail, newest first.
type StatusPage struct {
	// Rows are in descending order of creation time. Steps of one task with the same creation time
	// are ordered by state.
	Rows []tracing.Status
	// NextCursor continues below the last row, "" if there are no more.
	NextCursor string
}
