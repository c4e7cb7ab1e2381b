package console

import (
	"context"
	"log/slog"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// backfillTimeout bounds a backfill: up to a thousand runs are requested one after the
// other. One that breaks off can be repeated.
const backfillTimeout = time.Minute

// PlanBackfill says for which fire times of a job a backfill would request runs.
func (s RequestedRuns) PlanBackfill(c *gin.Context, job string, b jobrun.Backfill) (jobrun.BackfillPlan, error) {
	if _, stale := SnapshotOf(c); stale {
		return jobrun.BackfillPlan{}, s.RegistryDown(c, lifecycle.ErrUnavailable)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	plan, err := s.RegistryOf(c).Operator.PlanBackfill(ctx, job, b)
	if err != nil {
		return plan, s.unread(c, Target{Job: job}, err)
	}
	return plan, nil
}

// Backfill requests a run for each fire time between two moments. The audit has the two,
// and how many runs there are.
func (s RequestedRuns) Backfill(c *gin.Context, job, kind string, b jobrun.Backfill) (result jobrun.BackfillResult, err error) {
	b.By = s.by(c, kind)
	s.Note(c, slog.String("from", b.From.UTC().Format(time.RFC3339)), slog.String("to", b.To.UTC().Format(time.RFC3339)),
		slog.Int("params_bytes", len(b.Params)), slog.String("params_keys", keysOf(b.Params)))
	o := Backfill
	o.Call = func(op Operator, ctx context.Context, t Target) (lifecycle.Outcome, error) {
		ctx, cancel := context.WithTimeout(ctx, backfillTimeout)
		defer cancel()
		var err error
		result, err = op.Backfill(ctx, t.Job, b)
		out := lifecycle.Outcome{Job: t.Job}
		if err == nil || result.Created+result.Repeated > 0 { // else nothing was carried out
			out.Affected = []string{t.Job}
		}
		return out, err
	}
	_, err = s.Console.Submit(c, o, Target{Job: job})
	s.Note(c, slog.String("backfill", result.ID), slog.Int("created", result.Created), slog.Int("repeated", result.Repeated))
	return result, err
}
