package rest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// dump answers with what a process sees of a job, in plain text. The address
// must be that of a live instance of the job.
func (s *API) dump(c *gin.Context) {
	t, err := targetOf(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	port, err := strconv.Atoi(c.Param("port"))
	if err != nil {
		s.Fail(c, console.Invalid(fmt.Sprintf("%q is not a port.", view.Clip(c.Param("port"), 20)), fmt.Sprintf("Give the port of the dump service, %d to 65535.", lifecycle.MinDumpPort)))
		return
	}
	s.Note(c, slog.String("order", "dump"), slog.String("target", t.String()), slog.Int("port", port))
	ctx, cancel := context.WithTimeout(c.Request.Context(), s.Options().ActionTimeout)
	defer cancel()
	text, err := s.RegistryOf(c).Operator.Dump(ctx, t.Job, t.IP, port)
	if err != nil {
		p := s.ActionProblem(c, console.Action{Verb: "dump"}, t, err)
		switch {
		case errors.Is(err, outbound.ErrForbidden):
			p = console.AddressForbidden(errors.New(strings.TrimSuffix(console.Because(err), ".")))
		case errors.Is(err, lifecycle.ErrNoAnswer):
			p = &console.Problem{
				Kind: console.KindNoAnswer, Code: "no_answer", Cause: err,
				Message: fmt.Sprintf("Nobody on %s gave a dump: %s", t.IP, console.Because(err)),
				Hint:    "The dump service is off unless the process configures it, and then listens on loopback by default.",
			}
		}
		s.Fail(c, p)
		return
	}
	if console.Enveloped(c) {
		console.WriteJSON(c, http.StatusOK, text)
		return
	}
	c.String(http.StatusOK, "%s", text)
}
