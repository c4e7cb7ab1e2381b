package console

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// apiDump answers with what a process sees of a job, in plain text. The address
// must be that of a live instance of the job.
func (s *Console) apiDump(c *gin.Context) {
	t, err := targetOf(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	port, err := strconv.Atoi(c.Param("port"))
	if err != nil {
		s.fail(c, invalid(fmt.Sprintf("%q is not a port.", view.Clip(c.Param("port"), 20)), fmt.Sprintf("Give the port of the dump service, %d to 65535.", lifecycle.MinDumpPort)))
		return
	}
	s.note(c, slog.String("order", "dump"), slog.String("target", t.String()), slog.Int("port", port))
	ctx, cancel := context.WithTimeout(c.Request.Context(), s.options().OrderTimeout)
	defer cancel()
	text, err := s.centreOf(c).Operator.Dump(ctx, t.job, t.ip, port)
	if err != nil {
		p := s.orderProblem(c, order{verb: "dump"}, t, err)
		if errors.Is(err, lifecycle.ErrNoAnswer) {
			p = &problem{
				kind: kindNoAnswer, code: "no_answer", cause: err,
				message: fmt.Sprintf("Nobody on %s gave a dump: %s", t.ip, because(err)),
				hint:    "The dump service is off unless the process configures it, and then listens on loopback unless told otherwise.",
			}
		}
		s.fail(c, p)
		return
	}
	if enveloped(c) {
		writeModel(c, http.StatusOK, text)
		return
	}
	c.String(http.StatusOK, "%s", text)
}
