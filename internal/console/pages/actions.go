package pages

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// actionFromPage is the target of a button's form. It goes back to where the
// button was, with the outcome as a message there.
func (s *Pages) actionFromPage(o console.Action) gin.HandlerFunc {
	return func(c *gin.Context) {
		name, err := console.JobName(c)
		if err != nil {
			s.Fail(c, err)
			return
		}
		back := strings.TrimPrefix(s.backFrom(c, name), console.PlaceOf(c).Prefix)
		if o.Asks && !s.confirmed(c, o, name) {
			return
		}
		out, err := s.Submit(c, o, console.Target{Job: name})
		if err != nil {
			s.SetFlash(c, pageui.FailedFlash(s.Console, c, err))
		} else {
			s.SetFlash(c, outcomeFlash(i18n.From(c.Request.Context()), o, name, out))
			if o.Verb == console.Remove.Verb && strings.HasPrefix(back, console.JobPath("/jobs", name)) {
				back = "/jobs" // the job has no page any more
			}
		}
		s.RedirectHere(c, back)
	}
}

// backFrom is where to go after an action: where the form says, else the job.
func (s *Pages) backFrom(c *gin.Context, job string) string {
	if back := c.PostForm("return"); back != "" {
		return console.SafeNext(back)
	}
	return console.JobPath("/jobs", job)
}

// outcomeFlash tells what an action did: whom it reached, whom it skipped and
// why.
func outcomeFlash(l i18n.Lang, o console.Action, job string, out lifecycle.Outcome) ui.Flash {
	f := ui.Flash{Tone: ui.ToneOK}
	if n := len(out.Affected); n > 0 || o.Verb == console.Remove.Verb {
		f.Title = o.Did(l, job, n, pageui.FirstNames(l, out.Affected, 5))
		if o.Verb == console.Trigger.Verb {
			f.Links = append(f.Links, ui.FlashLink{Label: l.RunsOf(job), Href: pageui.RunsPath(job), TestID: "runs-of"})
		}
	} else {
		f.Tone, f.Title = ui.ToneWarn, l.ActionNothing(job, o.Label(l))
	}
	if out.CancelledRuns > 0 {
		f.Lines = append(f.Lines, l.ActionCancelledRuns(out.CancelledRuns))
	}
	for _, skip := range out.Skipped {
		f.Tone = ui.ToneWarn
		f.Lines = append(f.Lines, l.ActionSkipped(skip.Target, console.SkipReason(l, skip)))
	}
	return f
}
