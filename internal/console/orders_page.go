package console

import (
	"fmt"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
	"github.com/gin-gonic/gin"
)

// jobActions are the buttons of a job for an operator.
func jobActions(j statistics.Job, back string) []ui.Action {
	var list []ui.Action
	for _, o := range orders {
		ok, why := o.applies(j)
		if !ok && why == "" {
			continue
		}
		list = append(list, ui.Action{
			Label: o.label, Href: jobPath("/jobs", j.Name, o.verb), Asks: o.asks, Danger: o.asks,
			Refused: why, Return: back, TestID: "do-" + o.verb, Subject: j.Name,
		})
	}
	return list
}

// orderFromPage is the target of a button's form. It goes back to where the
// button was, with the outcome as a message there.
func (s *Console) orderFromPage(o order) gin.HandlerFunc {
	return func(c *gin.Context) {
		name, err := jobName(c)
		if err != nil {
			s.fail(c, err)
			return
		}
		back := strings.TrimPrefix(s.backFrom(c, name), placeOf(c).prefix)
		if o.asks && !s.confirmed(c, o, name) {
			return
		}
		out, err := s.give(c, o, target{job: name})
		if err != nil {
			p := asProblem(err)
			s.logFailure(c, p)
			s.setFlash(c, ui.Flash{Tone: ui.ToneBad, Title: p.message, Lines: nonEmpty(p.hint)})
		} else {
			s.setFlash(c, outcomeFlash(o, name, out))
			if o.verb == remove.verb && strings.HasPrefix(back, jobPath("/jobs", name)) {
				back = "/jobs" // the job's own page is gone
			}
		}
		s.redirectHere(c, back)
	}
}

// backFrom is where to go after an order: where the form says, else the job.
func (s *Console) backFrom(c *gin.Context, job string) string {
	if back := c.PostForm("return"); back != "" {
		return safeNext(back)
	}
	return jobPath("/jobs", job)
}

// outcomeFlash tells what an order did: whom it reached, whom it skipped and
// why.
func outcomeFlash(o order, job string, out lifecycle.Outcome) ui.Flash {
	f := ui.Flash{Tone: ui.ToneOK}
	switch n := len(out.Affected); {
	case n > 0 && o.verb == remove.verb:
		f.Title = fmt.Sprintf("Removed %s.", job)
	case n > 0:
		f.Title = fmt.Sprintf("%s %s on %s: %s.", o.done, job, view.Plural(n, o.noun), view.Enumerate(out.Affected, 5))
	case o.verb == remove.verb:
		f.Title = fmt.Sprintf("Removed %s.", job)
	default:
		f.Tone, f.Title = ui.ToneWarn, fmt.Sprintf("%s: nothing to %s.", job, o.verb)
	}
	for _, skip := range out.Skipped {
		f.Tone = ui.ToneWarn
		f.Lines = append(f.Lines, fmt.Sprintf("Skipped %s: %s", skip.Target, skip.Reason))
	}
	return f
}

func nonEmpty(lines ...string) []string {
	var kept []string
	for _, l := range lines {
		if l != "" {
			kept = append(kept, l)
		}
	}
	return kept
}
