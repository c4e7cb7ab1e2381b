package rest

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// trigger runs a job once, now: on all its instances, or on those that the body
// names.
func (s *API) trigger(c *gin.Context) {
	var in api.TriggerRequest
	if c.Request.ContentLength != 0 && c.ContentType() == "application/json" {
		if err := console.ReadJSON(c, &in); err != nil {
			s.Fail(c, err)
			return
		}
	}
	if n := len(in.Instances); n > console.MostAtOnce || in.Instances != nil && n == 0 {
		s.Fail(c, console.Invalid(fmt.Sprintf("%d instances are named; want 1 to %d.", n, console.MostAtOnce), "Name fewer, or leave instances out for all. Nothing was changed."))
		return
	}
	in.Reason = strings.TrimSpace(in.Reason)
	if p := console.CheckReason(in.Reason); p != nil {
		s.Fail(c, p)
		return
	}
	if in.Reason != "" {
		s.Note(c, slog.String("reason", in.Reason))
	}
	if len(in.Instances) == 0 {
		s.actionFromAPI(console.Trigger)(c)
		return
	}
	t, err := targetOf(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	t.Instances = slices.Compact(slices.Sorted(slices.Values(in.Instances)))
	s.answerAction(c, console.TriggerInstances, t)
}
