package ui

import (
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// FormNotice is the notice above a form that was refused, with the fields that are wrong.
func FormNotice(l i18n.Lang, p *app.Problem, id string) ui.Notice {
	notice := ProblemNotice(l, p, ui.ToneBad, id)
	for _, f := range p.Fields {
		notice.Text += " " + l.WantFieldsWant(f.Field, app.WantIn(l, f.Want))
	}
	return notice
}

// Confirmed reports whether a form that asks for confirmation was confirmed and may be carried
// out. Otherwise it marks the audit record, and the caller shows the question again.
func Confirmed(c *gin.Context) bool {
	if c.PostForm("confirm") == "yes" && !app.Resumed(c) {
		return true
	}
	app.Refused(c, "not_confirmed")
	return false
}

// SameName reports whether the typed text is a name as the page shows it.
func SameName(typed, name string) bool {
	return typed == name || typed == string(app.Inert([]byte(name)))
}

// FormID is the id of a form that is carried out once, see [ui.Once]; empty if it has none.
func FormID(v url.Values) string {
	if id := v.Get("once"); ui.IsFormID(id) {
		return id
	}
	return ""
}

// RefuseForm answers a form that can't be carried out: show gets the status and a notice with the
// reason. It returns the faults of the console itself, which are an error page.
func RefuseForm(c *gin.Context, err error, testID string, show func(status int, notice ui.Notice) error) error {
	p := app.AsProblem(err)
	if p.Status() >= http.StatusInternalServerError {
		return p
	}
	app.Refused(c, p.Code)
	return show(p.Status(), FormNotice(i18n.From(c.Request.Context()), p, testID))
}

// FailedFlash logs why an action failed, marks its audit record and returns the message for the
// page to which the action comes back.
func FailedFlash(s *app.Console, c *gin.Context, err error) ui.Flash {
	p := app.AsProblem(err)
	s.LogFailure(c, p)
	app.Refused(c, p.Code)
	return ProblemFlash(i18n.From(c.Request.Context()), p)
}

// Done goes to a page, with the outcome of an action as a message there.
func Done(s *app.Console, c *gin.Context, to string, flash ui.Flash, err error) error {
	if flash.Tone == "" {
		flash.Tone = ui.ToneOK
	}
	if err != nil {
		flash = FailedFlash(s, c, err)
	}
	s.SetFlash(c, flash)
	s.RedirectHere(c, to)
	return nil
}
