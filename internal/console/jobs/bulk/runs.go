package bulk

import (
	"context"
	"errors"
	"log/slog"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
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
	return verb == console.Hold.Verb || verb == console.Release.Verb || verb == console.CancelWaiting.Verb
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
	case b.action.Verb == console.CancelWaiting.Verb:
		return s.foreseeCancelled(c, job.Name)
	case b.action.Verb == console.Release.Verb && job.Held.What == "", b.action.Verb == console.Hold.Verb && job.Held.What == b.what:
		return unchanged(job.Name)
	case b.action.Verb == console.Hold.Verb && job.Held.What != "":
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
		return refuse(console.RunsUnread(s.Console, c, console.Target{Job: job}, err))
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
	o, t := b.action, console.Target{Job: name}
	if o.Verb == console.CancelWaiting.Verb {
		o.Call = func(op console.Operator, ctx context.Context, _ console.Target) (lifecycle.Outcome, error) {
			cancelled, err := op.CancelWaitingRuns(ctx, name, jobrun.Waiting{Most: maxCancelled}, console.RequestedBy(c, ""), b.reason)
			return left(lifecycle.Outcome{Job: name, Affected: cancelled.IDs}, cancelled.Left), err
		}
		out, err := s.Submit(c, o, t)
		if err == nil && len(out.Affected)+len(out.Skipped) == 0 {
			return unchanged(name)
		}
		return outcome(out, err)
	}
	if o.Verb == console.Hold.Verb {
		s.Note(c, slog.String("what", string(b.what)))
	}
	r := changed(name)
	err := console.ActOnRuns(s.Console, c, o, t, func(ctx context.Context, op console.Operator) error {
		if o.Verb == console.Release.Verb {
			err := op.Release(ctx, name)
			if errors.Is(err, jobrun.ErrHeld) {
				r = unchanged(name)
				return nil
			}
			return err
		}
		err := op.Hold(ctx, name, b.what, console.RequestedBy(c, ""), b.reason)
		if errors.Is(err, jobrun.ErrHeld) {
			if job, unread := s.LookUp(c, name); unread == nil && job.Held.What == b.what {
				r = unchanged(name)
				return nil
			}
		}
		return err
	})
	if err != nil {
		return refuse(console.AsProblem(err))
	}
	return r
}
