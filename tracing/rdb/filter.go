package rdb

import (
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Limits of a page. A filter with a Limit of zero or less gets
// [DefaultLimit] rows; more than [MaxLimit] are never returned at once.
const (
	DefaultLimit = 50
	MaxLimit     = 1000
)

// Errors a query can be answered with; match with errors.Is.
var (
	// ErrNotFound says that no row has the id asked for.
	ErrNotFound = errors.New("no such trace row")
	// ErrInvalidCursor says that a Cursor was not made by this package.
	ErrInvalidCursor = errors.New("invalid cursor")
	// ErrInvalidFilter says that a filter asks for something that cannot be.
	ErrInvalidFilter = errors.New("invalid filter")
)

// RunState is the outcome of an execution as the history shows it.
type RunState string

// The states of a run. A row without a completion time counts as running
// unless it already names a failure: ElasticJob's Java engine leaves the
// completion time of some failed rows empty for ever.
//
// A run is lost if its end was not recorded and the same shard of the same job
// has begun again since: a shard is never run twice at a time, so the run is
// over, and how it ended nobody wrote down. Nothing else counts as evidence. Age
// does not, because a run may take days; a missing instance does not, because
// the database may hold what agents of other registries wrote. Until its shard
// runs again, a run whose agent was killed is shown as running.
const (
	RunAny     RunState = ""
	RunRunning RunState = "running"
	RunSuccess RunState = "success"
	RunFailed  RunState = "failed"
	RunLost    RunState = "lost"
)

// SortKey is a column that executions can be sorted by.
type SortKey string

// The keys. Rows that agree in one are ordered by their start and their id, in
// the same direction. Runs without an end come before all others when sorted
// ascending by completion or duration.
const (
	SortStart    SortKey = "start"
	SortComplete SortKey = "complete"
	SortDuration SortKey = "duration"
	SortJob      SortKey = "job"
	SortIP       SortKey = "ip"
)

// StateOf tells the state of an execution, by the rule of [RunState]. It
// never returns [RunAny].
func StateOf(e tracing.Execution) RunState {
	switch {
	case e.Lost:
		return RunLost
	case e.Running():
		return RunRunning
	case e.Success:
		return RunSuccess
	default:
		return RunFailed
	}
}

// ExecutionFilter selects rows of JOB_EXECUTION_LOG; zero fields select
// everything.
type ExecutionFilter struct {
	// JobName, IP and TaskID are compared exactly.
	JobName, IP, TaskID string
	// JobPrefix is what the names of the jobs begin with, "" for anything.
	JobPrefix string
	// Jobs are the names of which the job must be one, at most [MaxJobs]; nil for
	// every job.
	Jobs []string
	// Item is the shard's number, nil for every shard.
	Item *int
	// Source is what triggered the run, "" for every source.
	Source tracing.Source
	// Trigger is why the run was started, as [TriggerOf] says; "" for every one.
	Trigger tracing.Trigger
	// State is the outcome, [RunAny] for every one.
	State RunState
	// FailureText is a part of the failure cause. Upper and lower case of the
	// letters A to Z are the same.
	FailureText string
	// MinDuration selects runs that have ended and took at least so long.
	MinDuration time.Duration
	// From and To bound the start time: From <= start <= To.
	From, To time.Time
	// Sort is the order, [SortStart] if empty; descending, the newest or largest
	// first, unless Ascending.
	Sort      SortKey
	Ascending bool
	// Limit is the number of rows wanted: 0 means [DefaultLimit], at most
	// [MaxLimit].
	Limit int
	// Cursor is the NextCursor of the page before, which was in the same order;
	// "" for the first rows.
	Cursor string
}

// MaxJobs is how many names a filter has at most.
const MaxJobs = 500

// ExecutionPage is a part of the history.
type ExecutionPage struct {
	// Rows are in the order asked for. Times are UTC.
	Rows []tracing.Execution
	// NextCursor continues after the last row; "" when there is no more. It
	// stays valid while newer rows arrive.
	//
	// With a filter that no index answers a page may have fewer rows than asked
	// for, or none, and yet a NextCursor: a query looks at [MaxLooked] rows at
	// most, and the next one goes on from there.
	NextCursor string
}

// MaxLooked is how many rows a query looks at to find those that match what no
// index knows, such as a part of a failure cause.
const MaxLooked = 2_000

// StatusFilter selects rows of JOB_STATUS_TRACE_LOG; zero fields select
// everything.
type StatusFilter struct {
	// JobName, TaskID, SlaveID, Source and ExecutionType are compared exactly.
	// On a database whose table has no source column, as ElasticJob 3.0.5
	// creates it, every row counts as [tracing.StatusSourceLite].
	JobName, TaskID, SlaveID, Source, ExecutionType string
	// State is the step, "" for every one.
	State tracing.State
	// From and To bound the creation time: From <= creation <= To.
	From, To time.Time
	// Limit is the number of rows wanted: 0 means [DefaultLimit], at most
	// [MaxLimit].
	Limit int
	// Cursor is the NextCursor of the page before, "" for the newest rows.
	Cursor string
}

// StatusPage is a part of the status trail, newest first.
type StatusPage struct {
	// Rows are ordered by creation time, descending; steps of one task with
	// the same creation time are ordered by the rank of their state.
	Rows []tracing.Status
	// NextCursor continues below the last row; "" when there is no more.
	NextCursor string
}
