package app

import (
	"cmp"
	"context"
	"errors"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// RunQueueFullRetry is the number of seconds after which a request can be sent again that the
// job had no room for.
const RunQueueFullRetry = 10

// FromConsole begins the address of a request for a run that came through a console.
const FromConsole = "console "

// Holds are the parts of a job that can be held, in the order of a form.
var Holds = []jobrun.Held{jobrun.HeldSchedule, jobrun.HeldRequests, jobrun.HeldAll}

// HoldBody is the hold of a job on the wire, nil if it isn't held.
func HoldBody(h jobrun.Hold) *api.Hold {
	if h.What == "" {
		return nil
	}
	return &api.Hold{What: h.What, By: h.By, At: OptionalTime(h.At), Reason: h.Reason}
}

// RequestedBy is the caller, for a run that the caller requests or cancels.
func RequestedBy(c *gin.Context, kind string) jobrun.By {
	return jobrun.By{Kind: kind, Name: Caller(c).Name, From: FromConsole + Remote(c)}
}

// ActOnRuns carries out an action on requested runs. It takes no longer than a read, so that a
// caller learns soon that the registry does not answer.
func ActOnRuns(s *Console, c *gin.Context, o Action, t Target, do func(context.Context, Operator) error) error {
	o.Call = func(op Operator, ctx context.Context, t Target) (lifecycle.Outcome, error) {
		ctx, cancel := context.WithTimeout(ctx, s.opts.ReadTimeout)
		defer cancel()
		out := lifecycle.Outcome{Job: t.Job}
		err := do(ctx, op)
		if err == nil {
			out.Affected = []string{cmp.Or(t.Run, t.Job)}
		}
		return out, err
	}
	_, err := s.Submit(c, o, t)
	return err
}

// RunsUnread is the answer while requested runs can't be read.
func RunsUnread(s *Console, c *gin.Context, t Target, err error) *Problem {
	if errors.Is(err, lifecycle.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
		return s.RegistryDown(c, err)
	}
	return s.ActionProblem(c, RequestRun, t, err)
}

// OpenRuns counts the requested runs of a job that haven't ended: removing the job cancels them.
func (s *Console) OpenRuns(c *gin.Context, job string) (int, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.RegistryOf(c).Operator.LiveRuns(ctx, job, 0)
	if err != nil {
		return 0, RunsUnread(s, c, Target{Job: job}, err)
	}
	return list.WaitingCount + len(list.Active), nil
}

// ExecutionsOfRun reads the executions of a run in the history, as the caller may see them. It has none
// without a history, or if the history can't be read.
func ExecutionsOfRun(s *Console, c *gin.Context, job, id string) rdb.Run {
	h := s.HistoryOf(c)
	if h == nil {
		return rdb.Run{}
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	run, err := h.Run(ctx, job, id)
	if err != nil {
		return rdb.Run{}
	}
	if LooksOnly(c) {
		run = MaskedRun(run)
	}
	return run
}
