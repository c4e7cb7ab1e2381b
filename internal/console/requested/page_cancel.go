package requested

import (
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// cancelPage asks before a run is cancelled.
func (s pages) cancelPage(c *gin.Context, job, id string) error {
	return s.askCancel(c, http.StatusOK, job, id, ui.Field{})
}

func (s pages) askCancel(c *gin.Context, status int, job, id string, reason ui.Field) error {
	run, err := s.read(c, job, id)
	if err != nil {
		return err
	}
	l := i18n.From(c.Request.Context())
	p := jobs.RequestCancelProps{
		Job: job, List: l.RequestTitle(), ListHref: jobs.RequestedPath(job), Back: l.RequestBackOne(), BackHref: jobs.RequestedPath(job, id),
		Submit: l.RequestCancelRun(), Post: jobs.RequestedPath(job, id, "cancel"), Reason: reason, Effects: []string{l.RequestCancelWaits(), l.RequestCancelNoRetry()},
	}
	if run.State == jobrun.Running {
		p.Effects = []string{l.RequestCancelRuns(), l.RequestCancelDeaf(), l.RequestCancelNoRetry()}
	}
	return s.renderCancel(c, status, p, l.RequestCancelTitle(jobs.ShortID(id), job), "requested-runs", id)
}

// renderCancel completes and shows the question whether to cancel a run or a backfill; at is its
// place in the REST interface.
func (s pages) renderCancel(c *gin.Context, status int, p jobs.RequestCancelProps, title string, at ...string) error {
	p.Frame = s.Frame(c, title, app.AreaJobs)
	body := ""
	if p.Reason.Value != "" {
		body = `{"reason":` + strconv.Quote(p.Reason.Value) + `}`
	}
	p.Curl = s.Curl(c, http.MethodPost, app.JobPath("/api/jobs", p.Job, append(at, "cancel")...), nil, body)
	s.Render(c, status, jobs.RequestCancel(p))
	return nil
}

// typedReason returns the reason of a form. A form with a reason that is too long isn't carried out.
func typedReason(c *gin.Context) ui.Field {
	reason := ui.Field{Value: strings.TrimSpace(c.PostForm("reason"))}
	if n := utf8.RuneCountInString(reason.Value); n > app.MaxReason {
		reason.Error = i18n.From(c.Request.Context()).RequestWrongNote(n, strconv.Itoa(app.MaxReason))
		app.Refused(c, "not_confirmed")
	}
	return reason
}

// cancelFromPage is the target of the question's form.
func (s pages) cancelFromPage(c *gin.Context, job, id string) error {
	reason := typedReason(c)
	if !pageui.Confirmed(c) || reason.Error != "" {
		return s.askCancel(c, app.FormStatus(c), job, id, reason)
	}
	l := i18n.From(c.Request.Context())
	state, err := s.cancel(c, job, id, reason.Value)
	flash := ui.Flash{Title: l.RequestDidCancel()}
	if state == jobrun.Running {
		flash = ui.Flash{Title: l.RequestDidAsk(), Lines: []string{l.RequestDidAskText()}}
	}
	return s.acted(c, job, id, flash, err)
}

// startFromPage is the target of the button that has a run begin now.
func (s pages) startFromPage(c *gin.Context, job, id string) error {
	err := s.start(c, job, id)
	return s.acted(c, job, id, ui.Flash{Title: i18n.From(c.Request.Context()).RequestDidStart()}, err)
}

// acted goes to the run, or to the list if there is no such run, with the outcome of an action.
func (s pages) acted(c *gin.Context, job, id string, flash ui.Flash, err error) error {
	if isNoRun(err) {
		return pageui.Done(s.Console, c, jobs.RequestedPath(job), flash, err)
	}
	return pageui.Done(s.Console, c, jobs.RequestedPath(job, id), flash, err)
}
