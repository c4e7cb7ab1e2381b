package console

import (
	"context"
	"log/slog"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Holds are what of a job can be held, in the order of a form.
var Holds = []jobrun.Held{jobrun.HeldSchedule, jobrun.HeldRequests, jobrun.HeldAll}

// Hold has the schedule of a job, or what programs request, or both, stand still.
func (s RequestedRuns) Hold(c *gin.Context, job string, what jobrun.Held, reason string) error {
	s.Note(c, slog.String("what", string(what)))
	if reason != "" {
		s.Note(c, slog.String("reason", reason))
	}
	return s.act(c, Hold, Target{Job: job}, func(ctx context.Context, op Operator) error {
		return op.Hold(ctx, job, what, s.by(c, ""), reason)
	})
}

// Release ends the hold of a job.
func (s RequestedRuns) Release(c *gin.Context, job string) error {
	return s.act(c, Release, Target{Job: job}, func(ctx context.Context, op Operator) error { return op.Release(ctx, job) })
}
