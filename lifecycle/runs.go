package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// A run that was requested, with parameters or without, and what there is to say about it.
type (
	// RunRequest is what somebody asks for.
	RunRequest = runs.Request
	// RunBy says who asks, and from where.
	RunBy = jobtree.RunBy
	// RunTicket is what came of a request.
	RunTicket = runs.Ticket
	// Run is a run as the registry has it.
	Run = runs.Status
	// RunList is one look at the runs of a job.
	RunList = runs.List
	// RunState is what became of a run so far.
	RunState = runs.State
	// RunOverlap says what becomes of a run whose time comes while another one is under
	// way.
	RunOverlap = runs.Overlap
	// ParamsError lists what is wrong with the parameters of a request.
	ParamsError = runs.ParamsError
)

// The states of a run. It begins scheduled or queued, and ends in one of the last five.
const (
	RunScheduled = runs.Scheduled
	RunQueued    = runs.Queued
	RunRunning   = runs.Running
	RunSucceeded = runs.Succeeded
	RunFailed    = runs.Failed
	RunCancelled = runs.Cancelled
	RunSkipped   = runs.Skipped
	RunExpired   = runs.Expired
)

// The ways in which runs of a job overlap.
const (
	RunOverlapQueue  = runs.OverlapQueue  // it waits; one after the other
	RunOverlapOne    = runs.OverlapOne    // one may wait, further ones are skipped
	RunOverlapSkip   = runs.OverlapSkip   // it is skipped
	RunOverlapCancel = runs.OverlapCancel // the one under way is cancelled, and this one follows
)

// What can be wrong with a request for a run, or an action on one, besides the kinds of
// failure of every action. Match with errors.Is; each comes with one of these kinds.
var (
	ErrRunParams    = runs.ErrParams    // ErrInvalid; see ParamsError
	ErrRunTooLarge  = runs.ErrTooLarge  // ErrInvalid
	ErrRunOptions   = runs.ErrOptions   // ErrInvalid: something else of the request
	ErrRunQueueFull = runs.ErrQueueFull // ErrConflict
	ErrRunKeyInUse  = runs.ErrKeyInUse  // ErrConflict
	ErrRunNotGo     = runs.ErrNotGo     // ErrConflict: agents of Java have shards of the job
	ErrUnknownRun   = runs.ErrUnknownRun
	ErrRunEnded     = runs.ErrRunEnded // ErrConflict
)

// CheckRunParams says what is wrong with the parameters of a request, as SubmitRun
// would: an ErrRunParams or ErrRunTooLarge.
func CheckRunParams(params json.RawMessage) error { return runs.CheckParams(params) }

func (o *Operator) runs(job string) runs.Store {
	return runs.Store{Client: o.client, Tree: o.ns.Job(job), Now: time.Now}
}

// SubmitRun asks for a run of the job. The answer says when it is due; with the key of a
// run that there is, it is that run.
func (o *Operator) SubmitRun(ctx context.Context, job string, r RunRequest) (RunTicket, error) {
	act := action{"run", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return RunTicket{}, err
	}
	ticket, err := o.runs(job).Submit(ctx, r)
	return ticket, act.wrapRun(err)
}

// CancelRun ends a run: at once if it waits, and as soon as its handlers have returned
// if it runs. It returns the state after the action, RunRunning in the second case. A
// run that has ended already is ErrRunEnded, with the state it ended in.
func (o *Operator) CancelRun(ctx context.Context, job, id string, by RunBy, reason string) (RunState, error) {
	act := action{"cancel run of", job, id}
	if _, _, err := o.job(ctx, act); err != nil {
		return "", err
	}
	state, err := o.runs(job).Cancel(ctx, id, jobtree.RunCancel{By: by.Name, Reason: reason})
	return state, act.wrapRun(err)
}

// StartRun has a run that waits for its time begin now. ErrConflict if it does not wait.
func (o *Operator) StartRun(ctx context.Context, job, id string) error {
	act := action{"start run of", job, id}
	if _, _, err := o.job(ctx, act); err != nil {
		return err
	}
	return act.wrapRun(o.runs(job).Start(ctx, id))
}

// Run returns a run that waits, runs, or is among the last that ended; ErrUnknownRun if
// it is none of these.
func (o *Operator) Run(ctx context.Context, job, id string) (Run, error) {
	act := action{"read run of", job, id}
	if _, _, err := o.job(ctx, act); err != nil {
		return Run{}, err
	}
	run, err := o.runs(job).Get(ctx, id)
	return run, act.wrapRun(err)
}

// Runs lists the runs of a job: those under way, and at most so many of those that wait
// and of those that ended last.
func (o *Operator) Runs(ctx context.Context, job string, most int) (RunList, error) {
	act := action{"list runs of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return RunList{}, err
	}
	list, err := o.runs(job).List(ctx, most)
	return list, act.wrapRun(err)
}

// wrapRun gives an error about a run its kind. The texts say what was wrong and where.
func (a action) wrapRun(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, runs.ErrNoSuchJob), errors.Is(err, runs.ErrUnknownRun):
		return a.fail(ErrNotFound, "", "%w", err)
	case errors.Is(err, runs.ErrParams), errors.Is(err, runs.ErrTooLarge), errors.Is(err, runs.ErrOptions):
		return a.fail(ErrInvalid, "", "%w", err)
	case errors.Is(err, runs.ErrQueueFull):
		return a.fail(ErrConflict, "wait until some have begun, or cancel some", "%w", err)
	case errors.Is(err, runs.ErrNotGo):
		return a.fail(ErrConflict, "only agents of this repository take requested runs; trigger the job without parameters", "%w", err)
	case errors.Is(err, runs.ErrKeyInUse), errors.Is(err, runs.ErrRunEnded), errors.Is(err, runs.ErrFormat):
		return a.fail(ErrConflict, "", "%w", err)
	case errors.Is(err, zk.ErrNoNode):
		return a.fail(ErrNotFound, "", "%w", err)
	}
	return a.wrap(err)
}
