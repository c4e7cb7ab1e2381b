package coreagent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Errors of requested runs; match with errors.Is. The texts have the details.
var (
	// ErrParams means that the parameters are wrong; [ParamsError] lists the problems.
	ErrParams = jobrun.ErrParams
	// ErrTooLarge means that the parameters have more than 64 KiB, or next to Java agents more than 8 KiB.
	ErrTooLarge = jobrun.ErrTooLarge
	// ErrRunOptions means that the [RunOptions] are wrong.
	ErrRunOptions = jobrun.ErrOptions
	// ErrQueueFull means that the limit of about ten thousand waiting runs is reached.
	ErrQueueFull = jobrun.ErrQueueFull
	// ErrKeyInUse means that the key belongs to a run with other parameters.
	ErrKeyInUse = jobrun.ErrKeyInUse
	// ErrNotGo means that Java agents, which take no parameters, have shards of the job.
	ErrNotGo = jobrun.ErrNotGo
	// ErrJobName means that no job can have the name.
	ErrJobName = jobrun.ErrJobName
	// ErrNoSuchJob means that the registry has no job of that name.
	ErrNoSuchJob = jobrun.ErrNoSuchJob
	// ErrUnknownRun means that no run with that id is waiting, active or recently ended.
	ErrUnknownRun = jobrun.ErrUnknownRun
	// ErrOutcomeDropped: the run has ended, but the registry has dropped its outcome; see [Requests.Keep].
	ErrOutcomeDropped = jobrun.ErrOutcomeDropped
	// ErrRunEnded means that the run had already ended.
	ErrRunEnded = jobrun.ErrRunEnded
)

// ParamsError lists the problems of parameters; it is an [ErrParams].
type ParamsError = jobrun.ParamsError

// ParamProblem is the problem of one parameter.
type ParamProblem = jobrun.ParamProblem

// RunOptions are the options of a requested run. The zero value is a run at once, with every shard
// that takes part.
type RunOptions struct {
	// Delay is how much later the run should start; NotBefore is a moment. Set only one; at most
	// 365 days ahead.
	Delay     time.Duration
	NotBefore time.Time
	// Shards selects shards of a job that assigns runs to each; nil is all. An empty list that
	// isn't nil is refused.
	Shards []int
	// Key makes the request idempotent: until the run with the key has ended, and for KeyFor
	// longer, a request with it returns that run. At most 200 characters. KeyFor defaults to ten
	// minutes, at most 24 hours; negative: only until the end.
	Key    string
	KeyFor time.Duration
	// Overlap defaults to the job's.
	Overlap Overlap
	// Expiry is how long after its time the run is given up if it hasn't started. Defaults to the
	// job's; negative is never.
	Expiry time.Duration
	// FireTime is the run's fire time, which becomes [Shard.ScheduledAt].
	FireTime time.Time
	// Manual means that a person asks, so the run starts even if the job is held.
	Manual bool
	// By is the person behind the request, such as a user of the program's pages; at most 100 characters.
	// The console shows it with [Config.Program]. By default the program itself requests the run.
	By string
	// Note is for operators: one line of at most 200 characters.
	Note string
}

// Ticket is the answer to a request.
type Ticket = jobrun.Ticket

// RunRequest is one of many requests.
type RunRequest struct {
	Params  any
	Options RunOptions
}

// MostAtOnce is the largest number of runs for [Agent.SubmitMany].
const MostAtOnce = 10_000

// RunState is the state of a run.
type RunState = jobrun.State

// The states. A run begins scheduled or queued, and ends in one of the last five.
const (
	StateScheduled = jobrun.Scheduled // it waits for a time
	StateQueued    = jobrun.Queued
	StateRunning   = jobrun.Running
	StateSucceeded = jobrun.Succeeded
	StateFailed    = jobrun.Failed
	StateCancelled = jobrun.Cancelled
	StateSkipped   = jobrun.Skipped
	StateExpired   = jobrun.Expired
)

// StateLost isn't a state of a run: [RunMoved] has it if an instance lost its session while it worked on a run.
const StateLost = jobrun.Lost

// Submit requests a run of a job, which this agent needn't serve: an agent without jobs is a
// client. Params are nil, a json.RawMessage, or anything that marshals to a JSON object of at most
// 64 KiB. It tries until ctx ends.
//
// A run answered with a ticket is in ZooKeeper and stays until it ends. Without an answer, the
// error wraps [context.Cause] or ZooKeeper's error, and the ticket has the id under which the run
// may have been placed; with a key, asking again is safe.
func (a *Agent) Submit(ctx context.Context, job string, params any, o RunOptions) (Ticket, error) {
	store, err := a.runs("submit a run of", job)
	if err != nil {
		return Ticket{}, err
	}
	request, err := a.request(params, o)
	if err != nil {
		return Ticket{}, jobError("submit a run of", job, err)
	}
	ticket, err := store.Submit(ctx, request)
	return ticket, jobError("submit a run of", job, err)
}

// SubmitMany requests up to [MostAtOnce] runs, a hundred in each transaction. Runs that are due at
// the same time start in the order of their requests. If one request is wrong for any job, it
// places none; if the job refuses one, it places the requests before it. The error names the index,
// and there is a ticket for each run that is placed. Without an answer from ZooKeeper, up to a
// hundred more may have been placed; with keys, asking again is safe.
func (a *Agent) SubmitMany(ctx context.Context, job string, requests []RunRequest) ([]Ticket, error) {
	const op = "submit runs of"
	store, err := a.runs(op, job)
	if err != nil {
		return nil, err
	}
	if len(requests) > MostAtOnce {
		return nil, jobError(op, job, fmt.Errorf("%d runs at once; at most %d", len(requests), MostAtOnce))
	}
	list := make([]jobrun.Request, len(requests))
	for i, r := range requests {
		if list[i], err = a.request(r.Params, r.Options); err == nil {
			err = runs.CheckRequest(list[i], store.Now())
		}
		if err != nil {
			return nil, jobError(op, job, fmt.Errorf("run %d: %w", i, err))
		}
	}
	placed, err := store.SubmitMany(ctx, list)
	if err != nil {
		return placed, jobError(op, job, fmt.Errorf("run %d: %w", len(placed), err))
	}
	return placed, nil
}

// CancelRun ends a run: at once if it's waiting, or when its handlers have returned if it's
// running; their contexts end with [ErrCancelled]. It returns the resulting state, [StateRunning]
// in the second case. For an ended run it returns [ErrRunEnded] with the state.
func (a *Agent) CancelRun(ctx context.Context, job, id, reason string) (RunState, error) {
	store, err := a.runs("cancel a run of", job)
	if err != nil {
		return "", err
	}
	state, err := store.Cancel(ctx, id, jobtree.RunCancel{By: a.cfg.Program + " " + a.instance(), Reason: reason})
	return state, jobError("cancel a run of", job, err)
}

// RunStatus returns a run that is waiting, running, or among the last ended ones, else [ErrUnknownRun].
// Its log, its progress and its steps are only in the trace database.
func (a *Agent) RunStatus(ctx context.Context, job, id string) (jobrun.Run, error) {
	store, err := a.runs("look at a run of", job)
	if err != nil {
		return jobrun.Run{}, err
	}
	status, err := store.Explained(ctx, id)
	return status.Run, jobError("look at a run of", job, err)
}

// AwaitRun waits until a run or ctx has ended. All waiters of a job share one watch, so thousands
// may wait. The error is [ErrUnknownRun] if the registry doesn't have the run when the wait begins,
// and [ErrOutcomeDropped] if its outcome is dropped during the wait, because ZooKeeper was away or
// more than a thousand runs ended at once.
func (a *Agent) AwaitRun(ctx context.Context, job, id string) (jobrun.Run, error) {
	const op = "await a run of"
	store, err := a.runs(op, job)
	if err != nil {
		return jobrun.Run{}, err
	}
	status, err := a.await(ctx, store, id, false)
	return status, jobError(op, job, err)
}

// await waits for the end of a run; placed means that this agent has just placed it.
func (a *Agent) await(ctx context.Context, store runs.Store, id string, placed bool) (jobrun.Run, error) {
	status, err := a.awaiter.Await(ctx, store, id, placed)
	if errors.Is(err, zk.ErrClosed) {
		err = ErrAgentClosed
	}
	return status.Run, err
}

func (a *Agent) runs(op, job string) (runs.Store, error) {
	a.mu.Lock()
	state, env := a.state, a.env
	a.mu.Unlock()
	switch state {
	case created:
		return runs.Store{}, jobError(op, job, ErrNotStarted)
	case stopped:
		return runs.Store{}, jobError(op, job, ErrAgentClosed)
	}
	if err := jobtree.ValidateNodeName(job); err != nil {
		return runs.Store{}, jobError(op, job, fmt.Errorf("%w: %w", ErrJobName, err))
	}
	return runs.Store{Client: env.Client, Tree: a.tree.Job(job), Now: a.cfg.Now}, nil
}

func (a *Agent) instance() string { return jobtree.NewInstanceID(a.cfg.Address, a.cfg.InstanceSuffix) }

func (a *Agent) request(params any, o RunOptions) (jobrun.Request, error) {
	r := jobrun.Request{
		Delay: o.Delay, NotBefore: o.NotBefore, Shards: o.Shards, Key: o.Key, KeyFor: o.KeyFor, Overlap: o.Overlap,
		Expiry: o.Expiry, FireTime: o.FireTime, Manual: o.Manual, Note: o.Note,
		By: jobrun.By{Kind: "code", Name: a.cfg.Program, From: a.instance()},
	}
	if o.By != "" {
		if err := checkName(o.By); err != nil {
			return r, fmt.Errorf("%w: By: %w", ErrRunOptions, err)
		}
		r.By.Name, r.By.From = o.By, a.cfg.Program+" "+a.instance()
	}
	switch p := params.(type) {
	case nil:
	case json.RawMessage:
		if p != nil && len(p) == 0 {
			return r, fmt.Errorf("%w: they are empty; want a JSON object such as {}, or nil for none", ErrParams)
		}
		r.Params = p
	default:
		data, err := json.Marshal(params)
		if err != nil {
			return r, fmt.Errorf("%w: %w", ErrParams, err)
		}
		r.Params = data
	}
	return r, nil
}
