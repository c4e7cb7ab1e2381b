package jobrun

import (
	"errors"
	"strings"
)

// The possible errors of a request for a run or an action on one, for errors.Is. The wrapping
// errors' texts have the details.
var (
	// ErrParams means that the parameters are invalid; see [ParamsError].
	ErrParams = errors.New("parameters refused")
	// ErrTooLarge means that the parameters have too many bytes.
	ErrTooLarge = errors.New("parameters are too large")
	// ErrOptions means that another part of the request is invalid. The caller should correct it,
	// because a retry fails again.
	ErrOptions = errors.New("the request is wrong")
	// ErrQueueFull means that too many runs wait. Some must begin first.
	ErrQueueFull = errors.New("no room for another run")
	// ErrKeyInUse means that the key belongs to a run with other parameters.
	ErrKeyInUse = errors.New("the key belongs to another run")
	// ErrNotGo means that a shard belongs to an agent that doesn't accept requested runs, such as a
	// Java agent or an early version of our own.
	ErrNotGo = errors.New("some shards belong to agents that don't support parameters")
	// ErrJobName means that no job can have this name.
	ErrJobName = errors.New("this can't be the name of a job")
	// ErrNoSuchJob means that the registry has no job with this name.
	ErrNoSuchJob = errors.New("there is no such job")
	// ErrUnknownRun means that no run with this id waits, runs, or has ended recently.
	ErrUnknownRun = errors.New("there is no such run")
	// ErrOutcomeDropped means that the run has ended, but the registry has dropped its outcome.
	ErrOutcomeDropped = errors.New("the outcome of the run was dropped")
	// ErrRunEnded means that the run had already ended.
	ErrRunEnded = errors.New("the run has ended already")
	// ErrNotScheduled means that the run doesn't wait for a time.
	ErrNotScheduled = errors.New("the run isn't waiting for its time")
	// ErrNoSchedule means that the job has no fire times, or that they are unreadable.
	ErrNoSchedule = errors.New("the job has no schedule")
	// ErrUnknownBackfill means that the registry doesn't have the backfill.
	ErrUnknownBackfill = errors.New("there is no such backfill")
	// ErrBackfilling means that the job already has an active backfill, or an agent of a version
	// without backfills.
	ErrBackfilling = errors.New("the job can't begin a backfill now")
	// ErrFormat means that this version can't read the job's configuration, or its runs as stored
	// by a later version.
	ErrFormat = errors.New("this version can't read the job or its runs")
	// ErrHeld means that the job is already held, or that it isn't held.
	ErrHeld = errors.New("the job is held already, or is not held")
)

// ParamProblem is a problem of one parameter.
type ParamProblem struct {
	Path string // such as "tenants[3]"; empty for the whole
	Text string
}

// ParamsError lists the problems of parameters. It's an [ErrParams].
type ParamsError struct{ Problems []ParamProblem }

// Error returns every problem.
func (e *ParamsError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		if texts[i] = p.Text; p.Path != "" {
			texts[i] = p.Path + ": " + p.Text
		}
	}
	return "parameters refused: " + strings.Join(texts, "; ")
}

// Is makes it an [ErrParams].
func (e *ParamsError) Is(target error) bool { return target == ErrParams }
