package jobs

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// actionFromPage is the target of a button's form. It goes back to where the
// button was, with the outcome as a message there.
func (s service) actionFromPage(o app.Action) func(*gin.Context) error {
	return func(c *gin.Context) error {
		name, err := app.JobName(c)
		if err != nil {
			return err
		}
		back := strings.TrimPrefix(s.backFrom(c, name), app.PlaceOf(c).Prefix)
		if o.Asks {
			if ok, err := s.confirmed(c, o, name); !ok {
				return err
			}
		}
		out, err := s.Submit(c, o, app.Target{Job: name})
		if err != nil {
			s.SetFlash(c, pageui.FailedFlash(s.Console, c, err))
		} else {
			s.SetFlash(c, pageui.OutcomeFlash(i18n.From(c.Request.Context()), o, name, out))
			if o.Verb == app.Remove.Verb && strings.HasPrefix(back, app.JobPath("/jobs", name)) {
				back = "/jobs" // the job has no page any more
			}
		}
		s.RedirectHere(c, back)
		return nil
	}
}

// backFrom is where to go after an action: where the form says, else the job.
func (s service) backFrom(c *gin.Context, job string) string {
	if back := c.PostForm("return"); back != "" {
		return app.SafeNext(back)
	}
	return app.JobPath("/jobs", job)
}
