package pages

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	authpages "github.com/elasticjob-go/elasticjob/web/templates/auth"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// loginPage shows the form; whoever is signed in already goes on.
func (s *Pages) loginPage(c *gin.Context) {
	next := app.SafeNext(c.Query("next"))
	if app.Caller(c).Name != "" {
		s.Redirect(c, next)
		return
	}
	s.showLogin(c, http.StatusOK, loginNotice(c.Query("reason"), i18n.From(c.Request.Context())), "", next)
}

// loginNotice says why the reader is at the login page.
func loginNotice(reason string, l i18n.Lang) *ui.Notice {
	switch reason {
	case string(auth.TokenExpired):
		return &ui.Notice{Tone: ui.ToneWarn, Heading: l.SignInExpired(), Text: l.SignInExpiredText()}
	case string(auth.TokenRevoked):
		return &ui.Notice{Tone: ui.ToneWarn, Heading: l.SignInRevoked(), Text: l.SignInContinue()}
	case string(auth.TokenInvalid):
		return &ui.Notice{Tone: ui.ToneWarn, Heading: l.SignInInvalid(), Text: l.SignInContinue()}
	case "signed_out":
		return &ui.Notice{Tone: ui.ToneOK, Heading: l.SignInSignedOut()}
	}
	return nil
}

func (s *Pages) showLogin(c *gin.Context, status int, notice *ui.Notice, username, next string) {
	f := s.Frame(c, i18n.From(c.Request.Context()).SignInTitle(), "")
	f.User, f.Registry, f.Outage, f.Scripts = "", nil, nil, []string{"show.js"}
	s.Render(c, status, authpages.Login(authpages.LoginProps{Frame: f, Notice: notice, Username: username, Next: next, Elsewhere: s.loginElsewhere(notice, next)}))
}

// login is the form's target.
func (s *Pages) login(c *gin.Context) {
	username, password := c.PostForm("username"), c.PostForm("password")
	next := app.SafeNext(c.PostForm("next"))
	l := i18n.From(c.Request.Context())
	acc, wait, ok := s.SignIn(c, username, password)
	switch {
	case wait > 0:
		seconds := auth.RetryAfter(wait)
		c.Header("Retry-After", strconv.Itoa(seconds))
		s.showLogin(c, http.StatusTooManyRequests, &ui.Notice{
			Tone: ui.ToneBad, Heading: l.SignInTooMany(), Text: l.SignInTryAgainIn(seconds),
		}, username, next)
		return
	case !ok:
		s.showLogin(c, http.StatusUnauthorized, &ui.Notice{Tone: ui.ToneBad, Heading: l.SignInWrong()}, username, next)
		return
	}
	token, expires, err := s.Auth.Issue(acc, auth.ForPages)
	if err != nil {
		s.Fail(c, err)
		return
	}
	if old := app.Caller(c); old.TokenID != "" {
		if err := s.GiveUp(c, old); err != nil { // signing in again ends the session before
			s.Fail(c, err)
			return
		}
	}
	s.Cookie(c, app.SessionCookie(c), token, int(expires.Sub(s.Now()).Seconds()))
	s.Redirect(c, next)
}
