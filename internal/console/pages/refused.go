package pages

import (
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/openid"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// What a page says of a problem, in the reader's language.

// problemText is its sentence, without the hint.
func problemText(l i18n.Lang, p *console.Problem) string {
	message, _ := p.In(l)
	return message
}

// problemSentences are its sentence and its hint.
func problemSentences(l i18n.Lang, p *console.Problem) string {
	message, hint := p.In(l)
	if l == i18n.Chinese {
		return message + hint
	}
	return message + " " + hint
}

// problemFlash is the message on the page that an action comes back to.
func problemFlash(l i18n.Lang, p *console.Problem) ui.Flash {
	message, hint := p.In(l)
	return ui.Flash{Tone: ui.ToneBad, Title: message, Lines: nonEmpty(hint)}
}

// problemNotice is a message on the page itself.
func problemNotice(l i18n.Lang, p *console.Problem, tone ui.Tone, testID string) ui.Notice {
	message, hint := p.In(l)
	return ui.Notice{Tone: tone, Heading: message, Text: hint, TestID: testID}
}

// problemEmpty stands where the rows would be, with the way out if there is one.
func problemEmpty(l i18n.Lang, p *console.Problem, testID string) *ui.Empty {
	message, hint := p.In(l)
	empty := &ui.Empty{Heading: message, Text: hint, TestID: testID}
	if p.GoToLabel != nil {
		empty.Href, empty.Label = p.GoTo, p.GoToLabel(l)
	}
	return empty
}

// unread is what stands where the rows of a page would be that could not be read. The
// page does not ask for them as one does that is kept up to date, which would load it
// again at once, and again: it is loaded again after a while.
func unread(c *gin.Context, s *Pages, f *layout.Frame, err error, testID string) (empty *ui.Empty, status int) {
	p := console.AsProblem(err)
	s.LogFailure(c, p)
	f.LiveSeconds, f.ReloadSeconds = 0, console.ReloadSeconds
	return problemEmpty(i18n.From(c.Request.Context()), p, testID), p.Status()
}

// providerFault says why an identity provider cannot be used.
func providerFault(l i18n.Lang, err error) string {
	switch openid.Reason(err) {
	case openid.TooSlow:
		return l.SignInProviderSlow()
	case openid.NoSuchHost:
		return l.SignInProviderName()
	case openid.Untrusted:
		return l.SignInProviderCertificate()
	case openid.Refused:
		return l.SignInProviderRefuses()
	case openid.OtherIssuer:
		return l.SignInProviderIssuer()
	}
	return l.SignInProviderProtocol()
}
