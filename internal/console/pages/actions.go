package pages

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// whyNotRun is the reason why a job can't run at all; empty if it can. Without instances, or
// disabled, a requested run waits, so the page that asks explains that.
func whyNotRun(l i18n.Lang, j statistics.Job) string {
	if j.Status == statistics.StatusBroken {
		return l.ActionUnreadable()
	}
	return ""
}

// jobActions are the buttons of a job for an operator. Each leads to a page that asks.
func jobActions(c *gin.Context, l i18n.Lang, j statistics.Job, back string) []ui.Button {
	var list []ui.Button
	for _, o := range console.Actions {
		if ok, why := o.Applies(l, j); !ok && why == "" || !console.May(c, o.Needs) {
			continue
		}
		b := ui.Button{Label: o.Label(l) + "…", Href: console.JobPath("/jobs", j.Name, o.Verb), TestID: "do-" + o.Verb, Subject: j.Name}
		switch o.Verb {
		case console.Trigger.Verb:
			b = ui.Button{Kind: ui.ButtonMain, Icon: "play", Label: l.RequestRun(), Href: askRunPath(j.Name), Disabled: whyNotRun(l, j), TestID: "do-run", Subject: j.Name}
		case console.Disable.Verb, console.Enable.Verb:
			b.Icon, b.Href = "pause", bulkHref(o, j.Name, back)
		default:
			b.Kind = ui.ButtonDanger
		}
		list = append(list, b)
	}
	return list
}

// actionFromPage is the target of a button's form. It goes back to where the
// button was, with the outcome as a message there.
func (s *Pages) actionFromPage(o console.Action) func(*gin.Context) error {
	return func(c *gin.Context) error {
		name, err := console.JobName(c)
		if err != nil {
			return err
		}
		back := strings.TrimPrefix(s.backFrom(c, name), console.PlaceOf(c).Prefix)
		if o.Asks {
			if ok, err := s.confirmed(c, o, name); !ok {
				return err
			}
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
		return nil
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
			f.Links = append(f.Links, ui.FlashLink{Label: l.RunsOf(job), Href: runsOf(job), TestID: "runs-of"})
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
