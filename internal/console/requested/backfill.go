package requested

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// backfillTimesShown bounds the times of a preview in an answer.
const backfillTimesShown = 1000

// ofBackfill calls a handler with the job and the backfill that the address names.
func ofBackfill(handle func(c *gin.Context, job, id string) error) func(*gin.Context) error {
	return ofJob(func(c *gin.Context, job string) error {
		id := c.Param("backfill")
		if !isRunID(id) {
			return app.NoSuchBackfill(job, id)
		}
		return handle(c, job, id)
	})
}

// planBackfill returns the fire times of a job for which a backfill would request runs.
func (s service) planBackfill(c *gin.Context, job string, b jobrun.Backfill) (jobrun.BackfillPlan, error) {
	return reading(s, c, job, "", func(ctx context.Context, op app.Operator) (jobrun.BackfillPlan, error) {
		return op.PlanBackfill(ctx, job, b)
	})
}

// beginBackfill begins a backfill. The audit has the two moments, and the number of fire times.
func (s service) beginBackfill(c *gin.Context, job, kind string, b jobrun.Backfill) (jobrun.BackfillProgress, error) {
	b.By = app.RequestedBy(c, kind)
	s.Note(c, slog.String("from", b.From.UTC().Format(time.RFC3339)), slog.String("to", b.To.UTC().Format(time.RFC3339)))
	s.noteParams(c, b.Params)
	p, err := acting(s, c, app.Backfill, job, "", func(ctx context.Context, op app.Operator) (jobrun.BackfillProgress, error) {
		return op.Backfill(ctx, job, b)
	})
	s.Note(c, slog.String("backfill", p.ID), slog.Int("runs", p.Total))
	return p, err
}

func (s service) readBackfill(c *gin.Context, job, id string) (jobrun.BackfillProgress, error) {
	return reading(s, c, job, id, func(ctx context.Context, op app.Operator) (jobrun.BackfillProgress, error) {
		return op.BackfillProgress(ctx, job, id)
	})
}

// backfills are the last backfills of a job, the newest first.
func (s service) backfills(c *gin.Context, job string) ([]jobrun.BackfillProgress, error) {
	return reading(s, c, job, "", func(ctx context.Context, op app.Operator) ([]jobrun.BackfillProgress, error) {
		return op.Backfills(ctx, job)
	})
}

// cancelBackfill ends a backfill and its runs.
func (s service) cancelBackfill(c *gin.Context, job, id, reason string) (jobrun.BackfillProgress, error) {
	s.noteReason(c, reason)
	return acting(s, c, app.CancelRun, job, id, func(ctx context.Context, op app.Operator) (jobrun.BackfillProgress, error) {
		return op.CancelBackfill(ctx, job, id, app.RequestedBy(c, ""), reason)
	})
}

func backfillBody(job string, p jobrun.BackfillProgress) api.Backfill {
	return api.Backfill{
		JobName: job, ID: p.ID, State: string(p.State), RequestedAt: app.OptionalTime(p.Requested), EndTime: app.OptionalTime(p.Ended),
		By: api.Requester(p.By), From: app.OptionalTime(p.From), To: app.OptionalTime(p.To), Parallel: p.Parallel, Count: p.Total,
		Runs: api.BackfillRuns{
			Waiting: p.Runs[jobrun.Queued], Running: p.Runs[jobrun.Running], Succeeded: p.Runs[jobrun.Succeeded], Failed: p.Runs[jobrun.Failed],
			Cancelled: p.Runs[jobrun.Cancelled], Skipped: p.Runs[jobrun.Skipped], Expired: p.Runs[jobrun.Expired], Unknown: p.Runs[jobrun.Unknown],
		},
		Next: app.OptionalTime(p.Next), Problem: p.Problem, Cancelled: cancelBody(p.Cancel),
	}
}

// backfill begins a backfill, or returns which fire times it would have.
func (s rest) backfill(c *gin.Context, job string) error {
	var in api.BackfillRequest
	if err := app.ReadJSON(c, &in); err != nil {
		return err
	}
	var wrong problems
	b := jobrun.Backfill{From: wrong.moment("from", in.From), To: wrong.moment("to", in.To), Params: paramsOf(in.Params), Parallel: in.Parallel}
	if err := wrong.err(); err != nil {
		return err
	}
	if !in.Preview {
		p, err := s.beginBackfill(c, job, fromAPI, b)
		if err == nil {
			app.WriteJSON(c, http.StatusAccepted, api.BackfillAnswer{Count: p.Total, Backfill: p.ID})
		}
		return err
	}
	plan, err := s.planBackfill(c, job, b)
	body := api.BackfillAnswer{Preview: true, Count: len(plan.Times), RefusedCount: plan.RefusedCount, ZoneAssumed: plan.ZoneAssumed}
	if n := len(plan.Times); n > 0 {
		body.First, body.Last = app.OptionalTime(plan.Times[0]), app.OptionalTime(plan.Times[n-1])
	}
	for _, at := range plan.Times[:min(len(plan.Times), backfillTimesShown)] {
		body.Times = append(body.Times, app.OptionalTime(at))
	}
	for _, refused := range plan.Refused {
		body.Refused = append(body.Refused, api.RefusedTime{Time: app.OptionalTime(refused.At), Property: refused.Property})
	}
	return app.Answer(c, body, err)
}

func (s rest) listBackfills(c *gin.Context, job string) error {
	list, err := s.backfills(c, job)
	body := api.Backfills{Rows: []api.Backfill{}}
	for _, p := range list {
		body.Rows = append(body.Rows, backfillBody(job, p))
	}
	return app.Answer(c, body, err)
}

func (s rest) oneBackfill(c *gin.Context, job, id string) error {
	p, err := s.readBackfill(c, job, id)
	return app.Answer(c, backfillBody(job, p), err)
}

func (s rest) endBackfill(c *gin.Context, job, id string) error {
	reason, err := readReason(c)
	if err != nil {
		return err
	}
	p, err := s.cancelBackfill(c, job, id, reason)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if !p.State.Ended() {
		status = http.StatusAccepted
	}
	app.WriteJSON(c, status, backfillBody(job, p))
	return nil
}
