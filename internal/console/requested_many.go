package console

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// Bounds of one action on many requested runs of a job.
const (
	MostSubmitted        = 1000 // requests
	MostWaitingCancelled = 1000 // runs that wait
	// manyTimeout is how long it takes at most. What it has done by then stays done.
	manyTimeout = time.Minute
)

// RefusedRequest is one of many requests that made no run, and why.
type RefusedRequest struct {
	Index   int
	Problem *Problem
}

// SubmittedRuns are what became of many requests, each by its number among them.
type SubmittedRuns struct {
	Tickets map[int]jobrun.Ticket
	Refused []RefusedRequest
}

// repeated counts the requests whose keys were known.
func (r SubmittedRuns) repeated() (n int) {
	for _, ticket := range r.Tickets {
		if ticket.Repeated {
			n++
		}
	}
	return n
}

// SubmitMany requests runs of a job, in the order of their numbers, of which those that were
// refused already have none in list. One that is refused does not keep it from the others; it
// fails only if nothing can be requested of the job at all. The audit has how many there are.
func (s RequestedRuns) SubmitMany(c *gin.Context, job, kind string, list []jobrun.Request, numbers []int) (result SubmittedRuns, err error) {
	by := s.by(c, kind)
	for i := range list {
		list[i].By = by
	}
	result.Tickets = make(map[int]jobrun.Ticket, len(list))
	o := RequestRun
	o.Call = func(op Operator, ctx context.Context, t Target) (out lifecycle.Outcome, err error) {
		ctx, cancel := context.WithTimeout(ctx, manyTimeout)
		defer cancel()
		err = s.submitMany(c, op, ctx, t, list, numbers, &result)
		for _, n := range numbers {
			if ticket, placed := result.Tickets[n]; placed {
				out.Affected = append(out.Affected, ticket.ID)
			}
		}
		return out, err
	}
	_, err = s.Console.Submit(c, o, Target{Job: job})
	repeated := result.repeated()
	s.Note(c, slog.Int("requests", len(list)), slog.Int("created", len(result.Tickets)-repeated), slog.Int("repeated", repeated), slog.Int("refused", len(result.Refused)))
	return result, err
}

func (s RequestedRuns) submitMany(c *gin.Context, op Operator, ctx context.Context, t Target, list []jobrun.Request, numbers []int, result *SubmittedRuns) error {
	for at := 0; at < len(list); {
		tickets, err := op.SubmitRuns(ctx, t.Job, list[at:])
		for i, ticket := range tickets {
			result.Tickets[numbers[at+i]] = ticket
		}
		at += len(tickets)
		if err == nil {
			return nil
		}
		whole := errors.Is(err, lifecycle.ErrNotFound) || errors.Is(err, jobrun.ErrFormat) || errors.Is(err, lifecycle.ErrForbidden)
		p := s.ActionProblem(c, RequestRun, t, err)
		if whole = whole || p.Status() >= 500; whole && len(result.Tickets) == 0 {
			return err
		}
		result.Refused = append(result.Refused, RefusedRequest{numbers[at], p})
		if at++; !whole {
			continue
		}
		for ; at < len(list); at++ {
			result.Refused = append(result.Refused, RefusedRequest{numbers[at], notTried()})
		}
	}
	return nil
}

// notTried is the answer about a request that comes after one that could not be answered.
func notTried() *Problem {
	p := Invalid("It was not tried, as one before it could not be answered.", "Send it again.")
	p.Kind, p.Code = KindUnavailable, "not_tried"
	return p
}

// CancelWaiting cancels the first [MostWaitingCancelled] runs of a job that wait in some
// states. One that begins meanwhile goes on. Left is how many wait besides.
func (s RequestedRuns) CancelWaiting(c *gin.Context, job string, states []jobrun.State, reason string) (result jobrun.CancelledRuns, err error) {
	if reason != "" {
		s.Note(c, slog.String("reason", reason))
	}
	o := CancelWaiting
	o.Call = func(op Operator, ctx context.Context, t Target) (lifecycle.Outcome, error) {
		ctx, cancel := context.WithTimeout(ctx, manyTimeout)
		defer cancel()
		var err error
		result, err = op.CancelWaitingRuns(ctx, t.Job, jobrun.Waiting{States: states, Most: MostWaitingCancelled}, s.by(c, ""), reason)
		return lifecycle.Outcome{Job: t.Job, Affected: result.IDs}, err
	}
	_, err = s.Console.Submit(c, o, Target{Job: job})
	return result, err
}

// CountWaiting counts the runs of a job that wait in some states.
func (s RequestedRuns) CountWaiting(c *gin.Context, job string, states []jobrun.State) (int, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	n, err := s.RegistryOf(c).Operator.CountWaitingRuns(ctx, job, states)
	if err != nil {
		return 0, s.unread(c, Target{Job: job}, err)
	}
	return n, nil
}
