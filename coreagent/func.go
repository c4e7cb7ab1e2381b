package coreagent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

// ErrNoResult is the error of a run that succeeded without the single result that [Func.Call] needs.
var ErrNoResult = errors.New("the run has no result to return")

// Func is a [Trigger] with a result: its handler returns an R, and Call waits for it. [NewFunc]
// creates it. A run needs exactly one shard for that: a job with [AssignOne], or with a single shard.
type Func[P, R any] struct{ Trigger[P] }

// NewFunc returns the function of a job with parameters of type P and results of type R. It panics
// like [NewTrigger].
func NewFunc[P, R any](job string) Func[P, R] { return Func[P, R]{NewTrigger[P](job)} }

// Handler returns a handler that calls fn as [Trigger.Handler] does, and keeps the returned R as
// the result of the shard. A result of more than 2 KiB of JSON fails the run permanently.
func (f Func[P, R]) Handler(fn func(ctx context.Context, s *Shard, p P) (R, error)) Handler {
	if fn == nil {
		return nil // [Agent.Add] refuses it.
	}
	return f.Trigger.Handler(func(ctx context.Context, s *Shard, p P) error {
		result, err := fn(ctx, s, p)
		if err != nil {
			return err
		}
		return Permanent(s.Result(result))
	})
}

// Call requests a run as [Trigger.Submit] does, waits until it has ended, and returns its result.
//
// If the run was placed and there is no result, the error is a [RunError] with the id of the run.
// The end of ctx ends the wait but not the run; [Agent.CancelRun] does that. With a
// [RunOptions.Key], calling again returns the result of the earlier run.
func (f Func[P, R]) Call(ctx context.Context, a *Agent, p P, o RunOptions) (R, error) {
	var result, none R
	store, err := a.runs("call", f.job)
	if err != nil {
		return none, err
	}
	ticket, err := f.Submit(ctx, a, p, o)
	if ticket.ID == "" {
		return none, err
	}
	status := jobrun.Run{ID: ticket.ID}
	if err == nil {
		status, err = a.await(ctx, store, ticket.ID, !ticket.Repeated)
		status.ID = ticket.ID
	}
	if ticket.Repeated && errors.Is(err, ErrUnknownRun) {
		err = fmt.Errorf("%w: the run of the key has ended and its outcome was dropped; raise Requests.Keep to keep more outcomes", ErrOutcomeDropped)
	}
	if err == nil && status.State == StateSucceeded {
		if err = resultOf(status, &result); err == nil {
			return result, nil
		}
	}
	return none, jobError("call", f.job, &RunError{Run: status, Err: err})
}

func resultOf(r jobrun.Run, into any) error {
	if ok := r.Counts().OK; ok != 1 || len(r.Results) != 1 {
		return fmt.Errorf("%w: %d shards succeeded and %d results are kept; Call needs one of each",
			ErrNoResult, ok, len(r.Results))
	}
	for shard, text := range r.Results {
		if err := json.Unmarshal(text, into); err != nil {
			return fmt.Errorf("result of shard %d: %w", shard, err)
		}
	}
	return nil
}

// RunError is the error of [Func.Call] for a run that was placed but has no result.
type RunError struct {
	// Run is the ended run. Only its ID is set if the wait failed.
	Run jobrun.Run
	// Err is why the wait failed or the result can't be used; nil if the run didn't succeed.
	Err error
}

// Error has the run, its state and the reason.
func (e *RunError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("run %s: %v", e.Run.ID, e.Err)
	}
	text := fmt.Sprintf("run %s: %s", e.Run.ID, e.Run.State)
	if e.Run.Reason != "" {
		text += ": " + e.Run.Reason
	}
	for _, shard := range slices.Sorted(maps.Keys(e.Run.Errors)) {
		text += fmt.Sprintf("; shard %d: %s", shard, e.Run.Errors[shard])
	}
	return text
}

func (e *RunError) Unwrap() error { return e.Err }
