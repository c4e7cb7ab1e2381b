package pages

import (
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// cancelPage asks before a run is cancelled.
func (s requestPages) cancelPage(c *gin.Context) { s.askCancel(c, http.StatusOK, jobs.RequestField{}) }

// askCancel shows the question, with what was typed and what is wrong with it.
func (s requestPages) askCancel(c *gin.Context, status int, reason jobs.RequestField) {
	job, id, err := s.requested().Named(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	run, err := s.requested().Read(c, job, id)
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	p := jobs.RequestCancelProps{
		Heading: l.RequestCancelTitle(shortID(id), job), Job: job, JobHref: console.JobPath("/jobs", job), ListHref: console.RequestedPath(job), RunHref: console.RequestedPath(job, id),
		List: l.RequestTitle(), Submit: l.RequestCancelRun(), Back: l.RequestBackOne(), Post: console.RequestedPath(job, id, "cancel"), Reason: reason,
		Effects: []string{l.RequestCancelWaits(), l.RequestCancelNoRetry()},
	}
	if run.State == jobrun.Running {
		p.Effects = []string{l.RequestCancelRuns(), l.RequestCancelDeaf(), l.RequestCancelNoRetry()}
	}
	s.renderCancel(c, status, p, console.JobPath("/api/jobs", job, "requested-runs", id, "cancel"))
}

// renderCancel completes and shows the question whether to cancel a run or a backfill. api is the
// address that does the same.
func (s requestPages) renderCancel(c *gin.Context, status int, p jobs.RequestCancelProps, api string) {
	p.ReasonMost = strconv.Itoa(console.MaxReason)
	p.Frame = s.Frame(c, p.Heading, console.AreaJobs)
	body := ""
	if p.Reason.Value != "" {
		body = `{"reason":` + strconv.Quote(p.Reason.Value) + `}`
	}
	p.Curl = s.Curl(c, http.MethodPost, api, nil, body)
	s.Render(c, status, jobs.RequestCancel(p))
}

// cancel is the target of the question's form.
func (s requestPages) cancel(c *gin.Context) {
	job, id, err := s.requested().Named(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	reason := typedReason(c, l)
	if c.PostForm("confirm") != "yes" || reason.Error != "" || console.Resumed(c) {
		console.Refused(c, "not_confirmed")
		s.askCancel(c, console.FormStatus(c), reason)
		return
	}
	state, err := s.requested().Cancel(c, job, id, reason.Value)
	flash := ui.Flash{Tone: ui.ToneOK, Title: l.RequestDidCancel()}
	if state == jobrun.Running {
		flash = ui.Flash{Tone: ui.ToneOK, Title: l.RequestDidAsk(), Lines: []string{l.RequestDidAskText()}}
	}
	s.acted(c, job, id, flash, err)
}

// typedReason returns the reason for a cancel, and an error if it is too long.
func typedReason(c *gin.Context, l i18n.Lang) jobs.RequestField {
	reason := jobs.RequestField{Value: strings.TrimSpace(c.PostForm("reason"))}
	if n := utf8.RuneCountInString(reason.Value); n > console.MaxReason {
		reason.Error = l.RequestWrongNote(n, strconv.Itoa(console.MaxReason))
	}
	return reason
}

// start is the target of the button that has a run begin now.
func (s requestPages) start(c *gin.Context) {
	job, id, err := s.requested().Named(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	err = s.requested().Start(c, job, id)
	s.acted(c, job, id, ui.Flash{Tone: ui.ToneOK, Title: i18n.From(c.Request.Context()).RequestDidStart()}, err)
}

// acted goes to the run, with what became of an action as a message there.
func (s requestPages) acted(c *gin.Context, job, id string, flash ui.Flash, err error) {
	if err != nil {
		flash = pageui.FailedFlash(s.Console, c, err)
	}
	s.SetFlash(c, flash)
	to := console.RequestedPath(job, id)
	if err != nil && console.AsProblem(err).Code == "no_run" {
		to = console.RequestedPath(job)
	}
	s.RedirectHere(c, to)
}
