package jobs

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
)

// trigger runs a job once, now: on all its instances, or on the instances that the body names.
func (s service) trigger(c *gin.Context) error {
	var in api.TriggerRequest
	if c.Request.ContentLength != 0 && c.ContentType() == "application/json" {
		if err := app.ReadJSON(c, &in); err != nil {
			return err
		}
	}
	if n := len(in.Instances); n > app.MostAtOnce || in.Instances != nil && n == 0 {
		return app.Invalid(
			fmt.Sprintf("%d instances are named; want 1 to %d.", n, app.MostAtOnce),
			"Name fewer, or leave instances out for all. Nothing was changed.",
		)
	}
	in.Reason = strings.TrimSpace(in.Reason)
	if p := app.CheckReason(in.Reason); p != nil {
		return p
	}
	if in.Reason != "" {
		s.Note(c, slog.String("reason", in.Reason))
	}
	if len(in.Instances) == 0 {
		return s.Act(app.Trigger)(c)
	}
	t, err := app.TargetOf(c)
	if err != nil {
		return err
	}
	t.Instances = slices.Compact(slices.Sorted(slices.Values(in.Instances)))
	return s.ActOn(c, app.TriggerInstances, t)
}
