package coreagent

import (
	"errors"
	"fmt"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/control"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/requested"
)

// Causes of the end of a shard's context; see context.Cause.
var (
	// ErrStopping: the agent stops and the drain deadline has passed.
	ErrStopping = host.ErrStopping
	// ErrSessionLost: ZooKeeper may have given the shard to another instance.
	ErrSessionLost = host.ErrSessionLost
	// ErrTimeout: the run took longer than [Job.Timeout].
	ErrTimeout = host.ErrTimeout
	// ErrCancelled: the requested run was cancelled.
	ErrCancelled = requested.ErrCancelled
)

var (
	// ErrAgentClosed is returned by calls after [Agent.Stop].
	ErrAgentClosed = errors.New("agent closed")
	// ErrNotStarted is returned by calls that need a started agent.
	ErrNotStarted = errors.New("agent not started")
	// ErrDuplicateJob means that the agent already has a job of that name.
	ErrDuplicateJob = errors.New("a job of this name was added already")
	// ErrUnknownJob means that the agent has no job of that name.
	ErrUnknownJob = errors.New("no job of this name was added to this agent")
	// ErrOwnCall is returned by [Agent.Stop] and [Agent.Remove] if a handler or a listener of the
	// job calls them, because they would wait for each other.
	ErrOwnCall = errors.New("called with the context of the job's own handler or listener, so the call would wait for itself; " +
		"return first, or call it from another goroutine with a context of its own")
	// ErrJobConflict means that the registry has a job of that name with another class; see
	// [Job.Class] and [Agent.Refused].
	ErrJobConflict = errors.New("job conflict")
)

// JobError is an error about one job.
type JobError struct {
	Op  string // the failed operation
	Job string
	Err error
}

// Error returns "<op> job <name>: <cause>".
func (e *JobError) Error() string { return fmt.Sprintf("%s job %q: %v", e.Op, e.Job, e.Err) }

func (e *JobError) Unwrap() error { return e.Err }

// jobError wraps err for op on a job, and gives a conflict its sentinel.
func jobError(op, job string, err error) error {
	if err == nil {
		return nil
	}
	if conflict := (*control.ConflictError)(nil); errors.As(err, &conflict) {
		err = fmt.Errorf("%w: %w", ErrJobConflict, err)
	}
	return &JobError{Op: op, Job: job, Err: err}
}
