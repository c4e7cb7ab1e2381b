package jobrun

import (
	"errors"
	"strings"
)

// What can be wrong with a request for a run, or with an action on one; match with
// errors.Is. The texts of the errors that wrap them say what was wrong and where.
var (
	// ErrParams says that the parameters are wrong; see [ParamsError].
	ErrParams = errors.New("parameters refused")
	// ErrTooLarge says that the parameters have too many bytes.
	ErrTooLarge = errors.New("parameters are too large")
	// ErrOptions says that something else of the request is wrong.
	ErrOptions = errors.New("the request is wrong")
	// ErrQueueFull says that as many runs wait as may. Some have to begin first.
	ErrQueueFull = errors.New("no room for another run")
	// ErrKeyInUse says that the key belongs to a run with other parameters.
	ErrKeyInUse = errors.New("the key belongs to another run")
	// ErrNotGo says that a shard belongs to an agent that cannot take requested runs.
	ErrNotGo = errors.New("agents that take no parameters have shards of the job")
	// ErrNoSuchJob says that the registry has no job of that name.
	ErrNoSuchJob = errors.New("there is no such job")
	// ErrUnknownRun says that no run of that id waits, runs, or ended of late.
	ErrUnknownRun = errors.New("there is no such run")
	// ErrOutcomeDropped: the run has ended, but the registry has dropped its outcome.
	ErrOutcomeDropped = errors.New("the outcome of the run was dropped")
	// ErrRunEnded says that a run had ended before.
	ErrRunEnded = errors.New("the run has ended already")
	// ErrNotScheduled says that a run does not wait for a time.
	ErrNotScheduled = errors.New("the run does not wait for a time")
	// ErrNoSchedule says that a job has no fire times, or none that can be read.
	ErrNoSchedule = errors.New("the job has no schedule")
	// ErrUnknownBackfill means that the registry doesn't have the backfill.
	ErrUnknownBackfill = errors.New("there is no such backfill")
	// ErrBackfilling means that another backfill of the job is under way, or that an agent of the
	// job is of a version without backfills.
	ErrBackfilling = errors.New("the job can't begin a backfill now")
	// ErrFormat means that this version can't read the configuration of the job, or how a later
	// version stores its runs.
	ErrFormat = errors.New("this version can't read the job or its runs")
	// ErrHeld says that the job is held already, or is not held.
	ErrHeld = errors.New("the job is held already, or is not held")
)

// ParamProblem is what is wrong with one parameter.
type ParamProblem struct {
	Path string // "tenants[3]"; empty for the whole
	Text string
}

// ParamsError lists what is wrong with parameters. It is an [ErrParams].
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
