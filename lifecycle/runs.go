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

// ofRuns does an action with the runs of a job, if the job exists.
func ofRuns[T any](ctx context.Context, o *Operator, act action, do func(runs.Store) (T, error)) (result T, err error) {
	if _, _, err := o.job(ctx, act); err != nil {
		return result, err
	}
	result, err = do(o.runs(act.job))
	return result, act.wrapRun(err)
}

func (o *Operator) withRuns(ctx context.Context, act action, do func(runs.Store) error) error {
	_, err := ofRuns(ctx, o, act, func(s runs.Store) (struct{}, error) { return struct{}{}, do(s) })
	return err
}

// SubmitRun requests a run of the job. The ticket has the due time. If the key belongs to an
// existing run, the ticket is for that run.
func (o *Operator) SubmitRun(ctx context.Context, job string, r jobrun.Request) (jobrun.Ticket, error) {
	return ofRuns(ctx, o, action{"run", job, ""}, func(s runs.Store) (jobrun.Ticket, error) {
		return s.Submit(ctx, r)
	})
}

// SubmitRuns requests runs of the job, in order. It stops at the first refused one and returns the
// tickets of the requests before it.
func (o *Operator) SubmitRuns(ctx context.Context, job string, list []jobrun.Request) ([]jobrun.Ticket, error) {
	return ofRuns(ctx, o, action{"run", job, ""}, func(s runs.Store) ([]jobrun.Ticket, error) {
		return s.SubmitMany(ctx, list)
	})
}

// CancelWaitingRuns cancels the first waiting runs. A run that begins in the meantime isn't
// cancelled. If there's an error, the result has the runs cancelled before it.
func (o *Operator) CancelWaitingRuns(ctx context.Context, job string, w jobrun.Waiting, by jobrun.By, reason string) (jobrun.CancelledRuns, error) {
	return ofRuns(ctx, o, action{"cancel the waiting runs of", job, ""}, func(s runs.Store) (jobrun.CancelledRuns, error) {
		return s.CancelWaiting(ctx, w, jobtree.RunCancel{By: by.Name, Reason: reason})
	})
}

// CountWaitingRuns counts the waiting runs in one of the states. No states means all.
func (o *Operator) CountWaitingRuns(ctx context.Context, job string, states []jobrun.State) (int, error) {
	return ofRuns(ctx, o, action{"count the waiting runs of", job, ""}, func(s runs.Store) (int, error) {
		return s.CountWaiting(ctx, states)
	})
}

// LiveRuns lists the runs of a job that haven't ended: all active ones, and at most so many waiting
// ones.
func (o *Operator) LiveRuns(ctx context.Context, job string, most int) (jobrun.List, error) {
	return ofRuns(ctx, o, action{"list runs of", job, ""}, func(s runs.Store) (jobrun.List, error) {
		return s.Live(ctx, most)
	})
}

// CancelRun ends a run: at once if it waits, or when its handlers have returned. It returns the new
// state, which is [jobrun.Running] in the second case. If the run has already ended, the error is
// [jobrun.ErrRunEnded], with its state.
func (o *Operator) CancelRun(ctx context.Context, job, id string, by jobrun.By, reason string) (jobrun.State, error) {
	return ofRuns(ctx, o, action{"cancel run of", job, id}, func(s runs.Store) (jobrun.State, error) {
		return s.Cancel(ctx, id, jobtree.RunCancel{By: by.Name, Reason: reason})
	})
}

// StartRun makes a scheduled run begin now. It returns ErrConflict if the run isn't scheduled.
func (o *Operator) StartRun(ctx context.Context, job, id string) error {
	return o.withRuns(ctx, action{"start run of", job, id}, func(s runs.Store) error { return s.Start(ctx, id) })
}

// Run returns a run that waits, runs or has ended recently, and [jobrun.ErrUnknownRun] otherwise. A
// run on which no handler works has the reason too.
func (o *Operator) Run(ctx context.Context, job, id string) (jobrun.Run, error) {
	return ofRuns(ctx, o, action{"read run of", job, id}, func(s runs.Store) (jobrun.Run, error) {
		run, err := s.Explained(ctx, id)
		return run.Run, err
	})
}

// Runs lists all active runs of a job, and at most so many waiting and recently ended ones.
func (o *Operator) Runs(ctx context.Context, job string, most int) (jobrun.List, error) {
	return ofRuns(ctx, o, action{"list runs of", job, ""}, func(s runs.Store) (jobrun.List, error) {
		return s.List(ctx, most)
	})
}

// RunSchema returns the schema of a job's parameters. The zero value allows anything.
func (o *Operator) RunSchema(ctx context.Context, job string) (jobrun.Schema, error) {
	return ofRuns(ctx, o, action{"read the parameters of", job, ""}, func(s runs.Store) (jobrun.Schema, error) {
		return s.Schema(ctx)
	})
}

// Hold stops the schedule of a job, its requests by programs, or both, until the release. Requests
// by people still run. It returns ErrConflict if the job is already held. Java agents don't know
// about holds and fire.
func (o *Operator) Hold(ctx context.Context, job string, what jobrun.Held, by jobrun.By, reason string) error {
	return o.withRuns(ctx, action{"hold", job, ""}, func(s runs.Store) error {
		return s.Hold(ctx, jobtree.Hold{What: what, By: by.Name, Reason: reason})
	})
}

// Release ends a hold. Fire times during the hold aren't made up. It returns ErrConflict if the job
// isn't held.
func (o *Operator) Release(ctx context.Context, job string) error {
	return o.withRuns(ctx, action{"release", job, ""}, func(s runs.Store) error { return s.Release(ctx) })
}

// Held returns the hold of a job. The zero value means that it isn't held.
func (o *Operator) Held(ctx context.Context, job string) (jobrun.Hold, error) {
	return ofRuns(ctx, o, action{"look at the hold of", job, ""}, func(s runs.Store) (jobrun.Hold, error) {
		h, held, err := s.Held(ctx)
		if err != nil || !held {
			return jobrun.Hold{}, err
		}
		return h.Shown(), nil
	})
}

// PlanBackfill returns the fire times for which [Operator.Backfill] would request runs. It refuses
// parameters that the job doesn't accept.
func (o *Operator) PlanBackfill(ctx context.Context, job string, b jobrun.Backfill) (jobrun.BackfillPlan, error) {
	return ofRuns(ctx, o, action{"plan a backfill of", job, ""}, func(s runs.Store) (jobrun.BackfillPlan, error) {
		config, err := s.Config(ctx)
		if err != nil {
			return jobrun.BackfillPlan{}, err
		}
		plan, err := runs.PlanBackfill(job, config, b, time.Now())
		if err == nil {
			err = s.CheckBackfill(ctx, b)
		}
		return plan, err
	})
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
	return ofRuns(ctx, o, action{"read backfill of", job, id}, func(s runs.Store) (jobrun.BackfillProgress, error) {
		return s.Backfill(ctx, id)
	})
}

// Backfills lists the recent backfills of the job, newest first.
func (o *Operator) Backfills(ctx context.Context, job string) ([]jobrun.BackfillProgress, error) {
	return ofRuns(ctx, o, action{"list backfills of", job, ""}, func(s runs.Store) ([]jobrun.BackfillProgress, error) {
		return s.Backfills(ctx)
	})
}

// CancelBackfill ends a backfill: no further run is requested, waiting runs are cancelled, and the
// handlers of the current run are asked to return. If it's interrupted, an agent completes it. The
// error is [jobrun.ErrRunEnded] if the backfill has already ended.
func (o *Operator) CancelBackfill(ctx context.Context, job, id string, by jobrun.By, reason string) (jobrun.BackfillProgress, error) {
	return ofRuns(ctx, o, action{"cancel backfill of", job, id}, func(s runs.Store) (jobrun.BackfillProgress, error) {
		return s.CancelBackfill(ctx, id, jobtree.RunCancel{By: by.Name, Reason: reason})
	})
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
