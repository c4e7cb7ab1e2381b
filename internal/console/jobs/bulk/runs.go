package bulk

import (
	"context"
	"errors"
	"log/slog"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// maxCancelled bounds the runs of one job that one action cancels; the others are
// counted as left, and the action can be repeated.
const maxCancelled = 200

// ofRuns reports whether an action is about holds and requested runs. It can't be undone, because
// the runs that passed in between are over.
func ofRuns(verb string) bool {
	return verb == app.Hold.Verb || verb == app.Release.Verb || verb == app.CancelWaiting.Verb
}

// unchanged is the result for a job that already is as asked.
func unchanged(job string) result {
	return result{Outcome: lifecycle.Outcome{Skipped: []lifecycle.Skip{{Target: job, Reason: i18n.English.ProblemSoAlready(), Why: lifecycle.SkipSame}}}}
}

// changed is the result for a job that the action changes.
func changed(job string) result { return result{Outcome: lifecycle.Outcome{Affected: []string{job}}} }

// foreseeRuns returns what an action of [ofRuns] would do to a job. A job that is held otherwise than
// asked must be released first.
func (s service) foreseeRuns(c *gin.Context, b bulk, job statistics.JobDetail) result {
	switch {
	case b.action.Verb == app.CancelWaiting.Verb:
		return s.foreseeCancelled(c, job.Name)
	case b.action.Verb == app.Release.Verb && job.Held.What == "", b.action.Verb == app.Hold.Verb && job.Held.What == b.what:
		return unchanged(job.Name)
	case b.action.Verb == app.Hold.Verb && job.Held.What != "":
		return refuse(conflict("held", func(l i18n.Lang) string { return l.BulkHeldOtherwise(job.Held.By) }))
	}
	return changed(job.Name)
}

func (s service) foreseeCancelled(c *gin.Context, job string) result {
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.RegistryOf(c).Operator.Runs(ctx, job, maxCancelled)
	switch {
	case err != nil:
		return refuse(app.RunsUnread(s.Console, c, app.Target{Job: job}, err))
	case list.WaitingCount == 0:
		return unchanged(job)
	}
	var out lifecycle.Outcome
	for _, run := range list.Waiting {
		out.Affected = append(out.Affected, run.ID)
	}
	return result{Outcome: left(out, list.WaitingCount-len(list.Waiting))}
}

// left adds to an outcome how many runs wait beyond the cancelled ones.
func left(out lifecycle.Outcome, n int) lifecycle.Outcome {
	if n > 0 {
		out.Skipped = append(out.Skipped, lifecycle.Skip{Target: strconv.Itoa(n), Reason: "these wait still: one action cancels " + strconv.Itoa(maxCancelled) + " runs of a job"})
	}
	return out
}

// submitRuns carries an action of [ofRuns] out on a job.
func (s service) submitRuns(c *gin.Context, b bulk, name string) result {
	o, t := b.action, app.Target{Job: name}
	if o.Verb == app.CancelWaiting.Verb {
		o.Call = func(op app.Operator, ctx context.Context, _ app.Target) (lifecycle.Outcome, error) {
			cancelled, err := op.CancelWaitingRuns(ctx, name, jobrun.Waiting{Most: maxCancelled}, app.RequestedBy(c, ""), b.reason)
			return left(lifecycle.Outcome{Job: name, Affected: cancelled.IDs}, cancelled.Left), err
		}
		out, err := s.Submit(c, o, t)
		if err == nil && len(out.Affected)+len(out.Skipped) == 0 {
			return unchanged(name)
		}
		return outcome(out, err)
	}
	if o.Verb == app.Hold.Verb {
		s.Note(c, slog.String("what", string(b.what)))
	}
	r := changed(name)
	err := app.ActOnRuns(s.Console, c, o, t, func(ctx context.Context, op app.Operator) error {
		if o.Verb == app.Release.Verb {
			err := op.Release(ctx, name)
			if errors.Is(err, jobrun.ErrHeld) {
				r = unchanged(name)
				return nil
			}
			return err
		}
		err := op.Hold(ctx, name, b.what, app.RequestedBy(c, ""), b.reason)
		if errors.Is(err, jobrun.ErrHeld) {
			if job, unread := s.LookUp(c, name); unread == nil && job.Held.What == b.what {
				r = unchanged(name)
				return nil
			}
		}
		return err
	})
	if err != nil {
		return refuse(app.AsProblem(err))
	}
	return r
}
