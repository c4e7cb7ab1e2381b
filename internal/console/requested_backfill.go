package console

import (
	"context"
	"log/slog"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

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

// Backfill begins a backfill. The audit has the two moments, and how many fire times there are.
func (s RequestedRuns) Backfill(c *gin.Context, job, kind string, b jobrun.Backfill) (p jobrun.BackfillProgress, err error) {
	b.By = s.by(c, kind)
	s.Note(c, slog.String("from", b.From.UTC().Format(time.RFC3339)), slog.String("to", b.To.UTC().Format(time.RFC3339)),
		slog.Int("params_bytes", len(b.Params)), slog.String("params_keys", keysOf(b.Params)))
	err = s.act(c, Backfill, Target{Job: job}, func(ctx context.Context, op Operator) (err error) {
		p, err = op.Backfill(ctx, job, b)
		return err
	})
	s.Note(c, slog.String("backfill", p.ID), slog.Int("runs", p.Total))
	return p, err
}

// NamedBackfill returns the job and the backfill that the address names.
func (s RequestedRuns) NamedBackfill(c *gin.Context) (job, id string, err error) {
	if job, err = JobName(c); err != nil {
		return "", "", err
	}
	if id = c.Param("backfill"); !isRunID(id) {
		return "", "", noSuchBackfill(job, id)
	}
	return job, id, nil
}

// ReadBackfill returns a backfill and what became of its runs.
func (s RequestedRuns) ReadBackfill(c *gin.Context, job, id string) (p jobrun.BackfillProgress, err error) {
	err = s.readBackfills(c, job, id, func(ctx context.Context, op Operator) (err error) {
		p, err = op.BackfillProgress(ctx, job, id)
		return err
	})
	return p, err
}

// Backfills lists the last backfills of a job, the newest first.
func (s RequestedRuns) Backfills(c *gin.Context, job string) (list []jobrun.BackfillProgress, err error) {
	err = s.readBackfills(c, job, "", func(ctx context.Context, op Operator) (err error) {
		list, err = op.Backfills(ctx, job)
		return err
	})
	return list, err
}

func (s RequestedRuns) readBackfills(c *gin.Context, job, id string, read func(context.Context, Operator) error) error {
	if _, stale := SnapshotOf(c); stale {
		return s.RegistryDown(c, lifecycle.ErrUnavailable)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	if err := read(ctx, s.RegistryOf(c).Operator); err != nil {
		return s.unread(c, Target{Job: job, Run: id}, err)
	}
	return nil
}

// CancelBackfill ends a backfill and its runs.
func (s RequestedRuns) CancelBackfill(c *gin.Context, job, id, reason string) (p jobrun.BackfillProgress, err error) {
	if reason != "" {
		s.Note(c, slog.String("reason", reason))
	}
	err = s.act(c, CancelRun, Target{Job: job, Run: id}, func(ctx context.Context, op Operator) (err error) {
		p, err = op.CancelBackfill(ctx, job, id, s.by(c, ""), reason)
		return err
	})
	return p, err
}

// BackfillPath is the page of the backfills of a job, or below it.
func BackfillPath(job string, more ...string) string {
	return JobPath("/jobs", job, append([]string{Backfill.Verb}, more...)...)
}

// noSuchBackfill is the answer about a backfill that the registry does not have.
func noSuchBackfill(job, id string) *Problem {
	return Problem{Kind: KindNotFound, Code: "no_backfill", GoTo: BackfillPath(job), GoToLabel: i18n.Lang.BackfillBack}.Said(func(l i18n.Lang) (string, string) {
		return l.BackfillNone(view.Clip(job, 100), view.Clip(id, 60)), l.BackfillNoneHint()
	})
}
