package lifecycle

import (
	"context"
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// ErrRunActive means that an instance works on a requested run. It comes with ErrConflict.
var ErrRunActive = errors.New("a requested run is active")

func (o *Operator) runs(job string) runs.Store {
	return runs.Store{Client: o.client, Tree: o.ns.Job(job), Now: time.Now}
}

// SubmitRun requests a run of the job. The ticket has the due time. If the key belongs to an
// existing run, the ticket is for that run.
func (o *Operator) SubmitRun(ctx context.Context, job string, r jobrun.Request) (jobrun.Ticket, error) {
	act := action{"run", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.Ticket{}, err
	}
	ticket, err := o.runs(job).Submit(ctx, r)
	return ticket, act.wrapRun(err)
}

// SubmitRuns requests runs of the job, in order. It stops at the first refused one and returns the
// tickets of the requests before it.
func (o *Operator) SubmitRuns(ctx context.Context, job string, list []jobrun.Request) ([]jobrun.Ticket, error) {
	act := action{"run", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return nil, err
	}
	tickets, err := o.runs(job).SubmitMany(ctx, list)
	return tickets, act.wrapRun(err)
}

// CancelWaitingRuns cancels the first waiting runs. A run that begins in the meantime isn't
// cancelled. If there's an error, the result has the runs cancelled before it.
func (o *Operator) CancelWaitingRuns(ctx context.Context, job string, w jobrun.Waiting, by jobrun.By, reason string) (jobrun.CancelledRuns, error) {
	act := action{"cancel the waiting runs of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.CancelledRuns{}, err
	}
	result, err := o.runs(job).CancelWaiting(ctx, w, jobtree.RunCancel{By: by.Name, Reason: reason})
	return result, act.wrapRun(err)
}

// CountWaitingRuns counts the waiting runs in one of the states. No states means all.
func (o *Operator) CountWaitingRuns(ctx context.Context, job string, states []jobrun.State) (int, error) {
	act := action{"count the waiting runs of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return 0, err
	}
	n, err := o.runs(job).CountWaiting(ctx, states)
	return n, act.wrapRun(err)
}

// LiveRuns lists the runs of a job that haven't ended: all active ones, and at most so many waiting
// ones.
func (o *Operator) LiveRuns(ctx context.Context, job string, most int) (jobrun.List, error) {
	act := action{"list runs of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.List{}, err
	}
	list, err := o.runs(job).Live(ctx, most)
	return list, act.wrapRun(err)
}

// CancelRun ends a run: at once if it waits, or when its handlers have returned. It returns the new
// state, which is [jobrun.Running] in the second case. If the run has already ended, the error is
// [jobrun.ErrRunEnded], with its state.
func (o *Operator) CancelRun(ctx context.Context, job, id string, by jobrun.By, reason string) (jobrun.State, error) {
	act := action{"cancel run of", job, id}
	if _, _, err := o.job(ctx, act); err != nil {
		return "", err
	}
	state, err := o.runs(job).Cancel(ctx, id, jobtree.RunCancel{By: by.Name, Reason: reason})
	return state, act.wrapRun(err)
}

// StartRun makes a scheduled run begin now. It returns ErrConflict if the run isn't scheduled.
func (o *Operator) StartRun(ctx context.Context, job, id string) error {
	act := action{"start run of", job, id}
	if _, _, err := o.job(ctx, act); err != nil {
		return err
	}
	return act.wrapRun(o.runs(job).Start(ctx, id))
}

// Run returns a run that waits, runs or has ended recently, and [jobrun.ErrUnknownRun] otherwise. A
// run on which no handler works has the reason too.
func (o *Operator) Run(ctx context.Context, job, id string) (jobrun.Run, error) {
	act := action{"read run of", job, id}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.Run{}, err
	}
	run, err := o.runs(job).Explained(ctx, id)
	return run.Run, act.wrapRun(err)
}

// Runs lists all active runs of a job, and at most so many waiting and recently ended ones.
func (o *Operator) Runs(ctx context.Context, job string, most int) (jobrun.List, error) {
	act := action{"list runs of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.List{}, err
	}
	list, err := o.runs(job).List(ctx, most)
	return list, act.wrapRun(err)
}

// RunSchema returns the schema of a job's parameters. The zero value allows anything.
func (o *Operator) RunSchema(ctx context.Context, job string) (jobrun.Schema, error) {
	act := action{"read the parameters of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.Schema{}, err
	}
	schema, err := o.runs(job).Schema(ctx)
	return schema, act.wrapRun(err)
}

// Hold stops the schedule of a job, its requests by programs, or both, until the release. Requests
// by people still run. It returns ErrConflict if the job is already held. Java agents don't know
// about holds and fire.
func (o *Operator) Hold(ctx context.Context, job string, what jobrun.Held, by jobrun.By, reason string) error {
	act := action{"hold", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return err
	}
	return act.wrapRun(o.runs(job).Hold(ctx, jobtree.Hold{What: what, By: by.Name, Reason: reason}))
}

// Release ends a hold. Fire times during the hold aren't made up. It returns ErrConflict if the job
// isn't held.
func (o *Operator) Release(ctx context.Context, job string) error {
	act := action{"release", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return err
	}
	return act.wrapRun(o.runs(job).Release(ctx))
}

// Held returns the hold of a job. The zero value means that it isn't held.
func (o *Operator) Held(ctx context.Context, job string) (jobrun.Hold, error) {
	act := action{"look at the hold of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.Hold{}, err
	}
	h, held, err := o.runs(job).Held(ctx)
	if err != nil || !held {
		return jobrun.Hold{}, act.wrapRun(err)
	}
	return h.Shown(), nil
}

// PlanBackfill returns the fire times for which [Operator.Backfill] would request runs. It refuses
// parameters that the job doesn't accept.
func (o *Operator) PlanBackfill(ctx context.Context, job string, b jobrun.Backfill) (jobrun.BackfillPlan, error) {
	act := action{"plan a backfill of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.BackfillPlan{}, err
	}
	config, err := o.runs(job).Config(ctx)
	if err != nil {
		return jobrun.BackfillPlan{}, act.wrapRun(err)
	}
	plan, err := runs.PlanBackfill(job, config, b, time.Now())
	if err == nil {
		err = o.runs(job).CheckBackfill(ctx, b)
	}
	if err != nil {
		return jobrun.BackfillPlan{}, act.wrapRun(err)
	}
	return plan, nil
}

// Backfill starts a backfill. It requests a run for each fire time between two past times, oldest
// first, up to [jobrun.MostBackfilled]. It returns as soon as the backfill is stored, and an agent
// requests the runs. They queue under any overlap policy, and begin although the job is held. It
// returns ErrConflict with [jobrun.ErrBackfilling] if the job already has an active backfill.
func (o *Operator) Backfill(ctx context.Context, job string, b jobrun.Backfill) (jobrun.BackfillProgress, error) {
	plan, err := o.PlanBackfill(ctx, job, b)
	if err != nil {
		return jobrun.BackfillProgress{}, err
	}
	p, err := o.runs(job).StartBackfill(ctx, plan.Times, b)
	return p, action{"backfill", job, ""}.wrapRun(err)
}

// BackfillProgress returns a backfill of the job and the progress of its runs. The error is
// [jobrun.ErrUnknownBackfill] if the registry doesn't have it. It keeps the last 20 of a job.
func (o *Operator) BackfillProgress(ctx context.Context, job, id string) (jobrun.BackfillProgress, error) {
	act := action{"read backfill of", job, id}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.BackfillProgress{}, err
	}
	p, err := o.runs(job).Backfill(ctx, id)
	return p, act.wrapRun(err)
}

// Backfills lists the recent backfills of the job, newest first.
func (o *Operator) Backfills(ctx context.Context, job string) ([]jobrun.BackfillProgress, error) {
	act := action{"list backfills of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return nil, err
	}
	list, err := o.runs(job).Backfills(ctx)
	return list, act.wrapRun(err)
}

// CancelBackfill ends a backfill: no further run is requested, waiting runs are cancelled, and the
// handlers of the current run are asked to return. If it's interrupted, an agent completes it. The
// error is [jobrun.ErrRunEnded] if the backfill has already ended.
func (o *Operator) CancelBackfill(ctx context.Context, job, id string, by jobrun.By, reason string) (jobrun.BackfillProgress, error) {
	act := action{"cancel backfill of", job, id}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.BackfillProgress{}, err
	}
	p, err := o.runs(job).CancelBackfill(ctx, id, jobtree.RunCancel{By: by.Name, Reason: reason})
	return p, act.wrapRun(err)
}

// wrapRun adds the kind to an error about a run. The text has the details.
func (a action) wrapRun(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jobrun.ErrNoSuchJob), errors.Is(err, jobrun.ErrUnknownRun), errors.Is(err, jobrun.ErrUnknownBackfill):
		return a.fail(ErrNotFound, "", "%w", err)
	case errors.Is(err, jobrun.ErrParams), errors.Is(err, jobrun.ErrTooLarge), errors.Is(err, jobrun.ErrOptions):
		return a.fail(ErrInvalid, "", "%w", err)
	case errors.Is(err, jobrun.ErrQueueFull):
		return a.fail(ErrConflict, "wait until some have begun, or cancel some", "%w", err)
	case errors.Is(err, jobrun.ErrNotGo):
		return a.fail(ErrConflict, "only Go agents accept requested runs; trigger the job without parameters", "%w", err)
	case errors.Is(err, jobrun.ErrKeyInUse), errors.Is(err, jobrun.ErrRunEnded), errors.Is(err, jobrun.ErrNotScheduled), errors.Is(err, jobrun.ErrFormat), errors.Is(err, jobrun.ErrHeld), errors.Is(err, jobrun.ErrNoSchedule), errors.Is(err, jobrun.ErrBackfilling):
		return a.fail(ErrConflict, "", "%w", err)
	case errors.Is(err, zk.ErrNoNode):
		return a.fail(ErrNotFound, "", "%w", err)
	}
	return a.wrap(err)
}
