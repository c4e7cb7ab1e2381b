package ui

import (
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// ProblemText is the sentence of a problem in the reader's language, without the hint.
func ProblemText(l i18n.Lang, p *app.Problem) string {
	message, _ := p.In(l)
	return message
}

// ProblemSentences are the sentence and the hint of a problem.
func ProblemSentences(l i18n.Lang, p *app.Problem) string {
	message, hint := p.In(l)
	if l == i18n.Chinese {
		return message + hint
	}
	return message + " " + hint
}

// ProblemFlash is a problem as the message on the page to which an action comes back.
func ProblemFlash(l i18n.Lang, p *app.Problem) ui.Flash {
	message, hint := p.In(l)
	return ui.Flash{Tone: ui.ToneBad, Title: message, Lines: NonEmpty(hint)}
}

// ProblemNotice is a problem as a notice on the page itself.
func ProblemNotice(l i18n.Lang, p *app.Problem, tone ui.Tone, testID string) ui.Notice {
	message, hint := p.In(l)
	return ui.Notice{Tone: tone, Heading: message, Text: hint, TestID: testID}
}

// ProblemEmpty is a problem in the place of the rows, with a link to the remedy if there is one.
func ProblemEmpty(l i18n.Lang, p *app.Problem, testID string) *ui.Empty {
	message, hint := p.In(l)
	empty := &ui.Empty{Heading: message, Text: hint, TestID: testID}
	if p.GoToLabel != nil {
		empty.Href, empty.Label = p.GoTo, p.GoToLabel(l)
	}
	return empty
}

// Unread is shown in the place of rows that couldn't be read, with the page's status. It turns
// live updates of the page off, because they would request the rows again at once, and lets the
// browser reload the page after a while instead.
func Unread(
	s *app.Console, c *gin.Context, f *layout.Frame, err error, testID string,
) (empty *ui.Empty, status int) {
	p := app.AsProblem(err)
	s.LogFailure(c, p)
	f.LiveSeconds, f.ReloadSeconds = 0, app.ReloadSeconds
	return ProblemEmpty(i18n.From(c.Request.Context()), p, testID), p.Status()
}
