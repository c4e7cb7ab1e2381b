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

// ErrRunActive says that an instance works at a requested run. It comes with ErrConflict.
var ErrRunActive = errors.New("a requested run is active")

func (o *Operator) runs(job string) runs.Store {
	return runs.Store{Client: o.client, Tree: o.ns.Job(job), Now: time.Now}
}

// SubmitRun asks for a run of the job. The answer says when it is due; with the key of a
// run that there is, it is that run.
func (o *Operator) SubmitRun(ctx context.Context, job string, r jobrun.Request) (jobrun.Ticket, error) {
	act := action{"run", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.Ticket{}, err
	}
	ticket, err := o.runs(job).Submit(ctx, r)
	return ticket, act.wrapRun(err)
}

// SubmitRuns asks for runs of the job, in their order. It stops at the first that is
// refused: the answers are those of the requests before it.
func (o *Operator) SubmitRuns(ctx context.Context, job string, list []jobrun.Request) ([]jobrun.Ticket, error) {
	act := action{"run", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return nil, err
	}
	tickets, err := o.runs(job).SubmitMany(ctx, list)
	return tickets, act.wrapRun(err)
}

// CancelWaitingRuns cancels the first runs that wait. One that begins meanwhile goes on: it
// is not asked to end. With an error the result says which were cancelled before it.
func (o *Operator) CancelWaitingRuns(ctx context.Context, job string, w jobrun.Waiting, by jobrun.By, reason string) (jobrun.CancelledRuns, error) {
	act := action{"cancel the waiting runs of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.CancelledRuns{}, err
	}
	result, err := o.runs(job).CancelWaiting(ctx, w, jobtree.RunCancel{By: by.Name, Reason: reason})
	return result, act.wrapRun(err)
}

// CountWaitingRuns counts the runs that wait in one of the states, none of which is both.
func (o *Operator) CountWaitingRuns(ctx context.Context, job string, states []jobrun.State) (int, error) {
	act := action{"count the waiting runs of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return 0, err
	}
	n, err := o.runs(job).CountWaiting(ctx, states)
	return n, act.wrapRun(err)
}

// LiveRuns lists the runs of a job that have not ended: those under way, and at most so
// many of those that wait.
func (o *Operator) LiveRuns(ctx context.Context, job string, most int) (jobrun.List, error) {
	act := action{"list runs of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.List{}, err
	}
	list, err := o.runs(job).Live(ctx, most)
	return list, act.wrapRun(err)
}

// CancelRun ends a run: at once if it waits, and as soon as its handlers have returned
// if it runs. It returns the state after the action, [jobrun.Running] in the second case.
// A run that has ended already is [jobrun.ErrRunEnded], with the state it ended in.
func (o *Operator) CancelRun(ctx context.Context, job, id string, by jobrun.By, reason string) (jobrun.State, error) {
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

// Run returns a run that waits, runs, or is among the last that ended; [jobrun.ErrUnknownRun] if
// it is none of these. A run that waits has the reason, too.
func (o *Operator) Run(ctx context.Context, job, id string) (jobrun.Run, error) {
	act := action{"read run of", job, id}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.Run{}, err
	}
	run, err := o.runs(job).Explained(ctx, id)
	return run.Run, act.wrapRun(err)
}

// Runs lists the runs of a job: those under way, and at most so many of those that wait
// and of those that ended last.
func (o *Operator) Runs(ctx context.Context, job string, most int) (jobrun.List, error) {
	act := action{"list runs of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.List{}, err
	}
	list, err := o.runs(job).List(ctx, most)
	return list, act.wrapRun(err)
}

// RunSchema returns what parameters a job takes; its zero value is anything.
func (o *Operator) RunSchema(ctx context.Context, job string) (jobrun.Schema, error) {
	act := action{"read the parameters of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.Schema{}, err
	}
	schema, err := o.runs(job).Schema(ctx)
	return schema, act.wrapRun(err)
}

// Hold has the schedule of a job, or requests made by programs, or both, stand still until
// it is released; what a person asks for runs all the same. What is "schedule", "requests" or
// "all". ErrConflict if the job is held already. Agents of Java do not know it and fire.
func (o *Operator) Hold(ctx context.Context, job, what string, by jobrun.By, reason string) error {
	act := action{"hold", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return err
	}
	return act.wrapRun(o.runs(job).Hold(ctx, jobtree.Hold{What: what, By: by.Name, Reason: reason}))
}

// Release ends a hold. Fire times that passed meanwhile are not made up for. ErrConflict if
// the job is not held.
func (o *Operator) Release(ctx context.Context, job string) error {
	act := action{"release", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return err
	}
	return act.wrapRun(o.runs(job).Release(ctx))
}

// Held returns what of a job is held; its zero value is nothing.
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

// PlanBackfill says for which fire times [Operator.Backfill] would request runs. It
// refuses parameters that the job does not take.
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

// Backfill begins a backfill, which requests a run for each fire time between two moments that are
// past, the oldest first, up to [jobrun.MostBackfilled]. It returns as soon as the backfill is
// stored: an agent requests the runs. They queue whatever the job's overlap policy is, and begin
// although the job is held. ErrConflict, with [jobrun.ErrBackfilling], if another backfill of the
// job is under way.
func (o *Operator) Backfill(ctx context.Context, job string, b jobrun.Backfill) (jobrun.BackfillProgress, error) {
	plan, err := o.PlanBackfill(ctx, job, b)
	if err != nil {
		return jobrun.BackfillProgress{}, err
	}
	p, err := o.runs(job).StartBackfill(ctx, plan.Times, b)
	return p, action{"backfill", job, ""}.wrapRun(err)
}

// BackfillProgress returns a backfill of the job and what became of its runs;
// [jobrun.ErrUnknownBackfill] if the registry doesn't have it. The last 20 of a job stay there.
func (o *Operator) BackfillProgress(ctx context.Context, job, id string) (jobrun.BackfillProgress, error) {
	act := action{"read backfill of", job, id}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.BackfillProgress{}, err
	}
	p, err := o.runs(job).Backfill(ctx, id)
	return p, act.wrapRun(err)
}

// Backfills lists the last backfills of the job, the newest first.
func (o *Operator) Backfills(ctx context.Context, job string) ([]jobrun.BackfillProgress, error) {
	act := action{"list backfills of", job, ""}
	if _, _, err := o.job(ctx, act); err != nil {
		return nil, err
	}
	list, err := o.runs(job).Backfills(ctx)
	return list, act.wrapRun(err)
}

// CancelBackfill ends a backfill: no further run is requested, its waiting runs are cancelled, and
// the handlers of the run under way are asked to return. If it breaks off, an agent completes it.
// [jobrun.ErrRunEnded] if the backfill has ended already.
func (o *Operator) CancelBackfill(ctx context.Context, job, id string, by jobrun.By, reason string) (jobrun.BackfillProgress, error) {
	act := action{"cancel backfill of", job, id}
	if _, _, err := o.job(ctx, act); err != nil {
		return jobrun.BackfillProgress{}, err
	}
	p, err := o.runs(job).CancelBackfill(ctx, id, jobtree.RunCancel{By: by.Name, Reason: reason})
	return p, act.wrapRun(err)
}

// wrapRun gives an error about a run its kind. The texts say what was wrong and where.
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
		return a.fail(ErrConflict, "only agents of this repository take requested runs; trigger the job without parameters", "%w", err)
	case errors.Is(err, jobrun.ErrKeyInUse), errors.Is(err, jobrun.ErrRunEnded), errors.Is(err, jobrun.ErrNotScheduled), errors.Is(err, jobrun.ErrFormat), errors.Is(err, jobrun.ErrHeld), errors.Is(err, jobrun.ErrNoSchedule), errors.Is(err, jobrun.ErrBackfilling):
		return a.fail(ErrConflict, "", "%w", err)
	case errors.Is(err, zk.ErrNoNode):
		return a.fail(ErrNotFound, "", "%w", err)
	}
	return a.wrap(err)
}
