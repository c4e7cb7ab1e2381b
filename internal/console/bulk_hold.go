package console

import (
	"context"
	"errors"
	"log/slog"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// CancelWaiting cancels the requested runs of a job that wait, on several jobs.
var CancelWaiting = Action{Verb: "cancel-waiting", Needs: Operates, Label: i18n.Lang.BulkCancelWaiting}

// MostCancelled bounds the runs of one job that one action cancels; the others are
// counted as left, and the action can be repeated.
const MostCancelled = 200

// OfRuns reports whether an action is about holds and requested runs, which cannot be taken
// back as a whole: what passed meanwhile is over.
func OfRuns(verb string) bool {
	return verb == Hold.Verb || verb == Release.Verb || verb == CancelWaiting.Verb
}

// unchanged is the outcome for a job that is so already.
func unchanged(job string) lifecycle.Outcome {
	return lifecycle.Outcome{Skipped: []lifecycle.Skip{{Target: job, Reason: i18n.English.ProblemSoAlready(), Why: lifecycle.SkipSame}}}
}

// foreseeRuns says what an action of [OfRuns] would do to a job as it stands. One that is
// held otherwise than asked has to be released first.
func foreseeRuns(s *Console, c *gin.Context, b Bulk, job statistics.JobDetail) (out lifecycle.Outcome, p *Problem) {
	switch {
	case b.Action.Verb == CancelWaiting.Verb:
		return foreseeCancelled(s, c, job.Name)
	case b.Action.Verb == Release.Verb && job.Held.What == "", b.Action.Verb == Hold.Verb && job.Held.What == b.What:
		return unchanged(job.Name), nil
	case b.Action.Verb == Hold.Verb && job.Held.What != "":
		return out, Problem{Kind: KindConflict, Code: "held"}.SaidAs(func(l i18n.Lang) string { return l.BulkHeldOtherwise(job.Held.By) }, noHint)
	}
	out.Affected = []string{job.Name}
	return out, nil
}

func foreseeCancelled(s *Console, c *gin.Context, job string) (out lifecycle.Outcome, p *Problem) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.RegistryOf(c).Operator.Runs(ctx, job, MostCancelled)
	switch {
	case err != nil:
		return out, RunsUnread(s, c, Target{Job: job}, err)
	case list.WaitingCount == 0:
		return unchanged(job), nil
	}
	for _, run := range list.Waiting {
		out.Affected = append(out.Affected, run.ID)
	}
	return left(out, list.WaitingCount-len(list.Waiting)), nil
}

// left adds to an outcome how many runs wait beyond those that are cancelled.
func left(out lifecycle.Outcome, n int) lifecycle.Outcome {
	if n > 0 {
		out.Skipped = append(out.Skipped, lifecycle.Skip{Target: strconv.Itoa(n), Reason: "these wait still: one action cancels " + strconv.Itoa(MostCancelled) + " runs of a job"})
	}
	return out
}

// submitRuns carries an action of [OfRuns] out on a job.
func submitRuns(s *Console, c *gin.Context, b Bulk, name string) (out lifecycle.Outcome, p *Problem) {
	var err error
	switch b.Action.Verb {
	case CancelWaiting.Verb:
		o := b.Action
		o.Call = func(op Operator, ctx context.Context, t Target) (lifecycle.Outcome, error) {
			return cancelWaiting(op, ctx, t.Job, RequestedBy(c, ""), b.Reason)
		}
		if out, err = s.Submit(c, o, Target{Job: name}); err == nil && len(out.Affected)+len(out.Skipped) == 0 {
			return unchanged(name), nil
		}
	case Hold.Verb:
		s.Note(c, slog.String("what", string(b.What)))
		err = ActOnRuns(s, c, Hold, Target{Job: name}, func(ctx context.Context, op Operator) error {
			err := op.Hold(ctx, name, b.What, RequestedBy(c, ""), b.Reason)
			if !errors.Is(err, jobrun.ErrHeld) {
				return err
			}
			if job, unread := s.LookUp(c, name); unread != nil || job.Held.What != b.What {
				return err
			}
			out = unchanged(name)
			return nil
		})
	default:
		err = ActOnRuns(s, c, Release, Target{Job: name}, func(ctx context.Context, op Operator) error {
			err := op.Release(ctx, name)
			if errors.Is(err, jobrun.ErrHeld) {
				out = unchanged(name)
				return nil
			}
			return err
		})
	}
	if err != nil {
		return out, AsProblem(err)
	}
	if b.Action.Verb != CancelWaiting.Verb && len(out.Skipped) == 0 {
		out.Affected = []string{name}
	}
	return out, nil
}

// cancelWaiting cancels the runs of a job that wait. One that began or ended meanwhile is
// left alone.
func cancelWaiting(op Operator, ctx context.Context, job string, by jobrun.By, reason string) (lifecycle.Outcome, error) {
	result, err := op.CancelWaitingRuns(ctx, job, jobrun.Waiting{Most: MostCancelled}, by, reason)
	return left(lifecycle.Outcome{Job: job, Affected: result.IDs}, result.Left), err
}
