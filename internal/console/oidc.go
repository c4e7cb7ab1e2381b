package console

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/openid"
	authpages "github.com/elasticjob-go/elasticjob/web/templates/auth"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// loginElsewhere is the other way to sign in that the login page offers.
func (s *Console) loginElsewhere(notice *ui.Notice, next string) *authpages.Elsewhere {
	if s.options().OIDC == nil {
		return nil
	}
	href := oidcRoute
	if next != "/" {
		href += "?" + url.Values{"next": {next}}.Encode()
	}
	e := &authpages.Elsewhere{Name: s.options().OIDC.Provider.Name(), Href: href}
	if why := s.options().OIDC.Provider.Trouble(); why != "" && notice == nil {
		e.Trouble = "It could not be used when last tried. " + why + " Click to try again."
	}
	return e
}

// loginOIDC sends the browser to the provider.
func (s *Console) loginOIDC(c *gin.Context) {
	next := safeNext(c.Query("next"))
	switch {
	case s.options().OIDC == nil:
		s.fail(c, noOIDC())
		return
	case caller(c).Name != "":
		s.redirect(c, next)
		return
	}
	f := s.auth.NewFlow(next)
	address, err := s.options().OIDC.Provider.Begin(c.Request.Context(), f.Flow)
	if err != nil {
		s.log.WarnContext(c, "sign-in by OpenID Connect not possible", slog.String("request_id", requestID(c)), slog.String("err", view.Clip(err.Error(), 500)))
		c.Header("Retry-After", "5")
		s.showLogin(c, http.StatusServiceUnavailable, &ui.Notice{
			Tone: ui.ToneBad, Heading: s.options().OIDC.Provider.Name() + " cannot be used now.",
			Text: openid.Reason(err) + " Try again, or sign in with an account of this console. Request " + requestID(c) + ".",
		}, "", next)
		return
	}
	s.flowCookie(c, s.auth.Seal(f), int(auth.FlowLifetime.Seconds()))
	c.Redirect(http.StatusSeeOther, address)
}

func noOIDC() *problem {
	return notFound("There is nothing at this address.", "Signing in by OpenID Connect is not set up on this console.")
}

// loginOIDCBack takes what the browser brings from the provider.
func (s *Console) loginOIDCBack(c *gin.Context) {
	if s.options().OIDC == nil {
		s.fail(c, noOIDC())
		return
	}
	f, ok := s.flowOf(c)
	if !ok {
		// Anybody's page can send browsers here; it costs nobody anything.
		s.failOIDC(c, noFlow(s.options().OIDC))
		return
	}
	attempt, wait := s.auth.BeginFrom(remote(c))
	if wait > 0 {
		s.failOIDC(c, tooMany(auth.RetryAfter(wait)))
		return
	}
	acc, err := s.vouched(c, f)
	if err != nil {
		s.failOIDC(c, err)
		return
	}
	attempt.Succeed()
	if wait := s.auth.Admit(acc.Name); wait > 0 {
		s.failOIDC(c, tooMany(auth.RetryAfter(wait)))
		return
	}
	token, expires, err := s.auth.Issue(acc, auth.ForPages)
	if err != nil {
		s.fail(c, err)
		return
	}
	if old := caller(c); old.TokenID != "" {
		if err := s.giveUp(c, old); err != nil { // as when signing in with a password
			s.fail(c, err)
			return
		}
	}
	s.log.InfoContext(c, "login", slog.String("remote", remote(c)), slog.String("user", acc.Name), slog.String("role", string(acc.Role)))
	s.cookie(c, sessionCookie(c), token, int(expires.Sub(s.now()).Seconds()))
	s.redirect(c, f.Next)
}

func noFlow(o *auth.OIDC) *problem {
	return &problem{
		kind: kindMalformed, code: "oidc_no_flow", message: "This sign-in was not begun in this browser, or too long ago.",
		hint: "Begin at " + o.Provider.Origin() + "/login, and sign in within ten minutes. Cookies must be allowed.",
	}
}

// vouched returns the account of the person that the provider vouches for. The
// flow is over then, however it ended.
func (s *Console) vouched(c *gin.Context, f auth.Flow) (auth.Account, error) {
	o := s.options().OIDC
	if subtle.ConstantTimeCompare([]byte(c.Query("state")), []byte(f.State)) != 1 {
		// The cookie stays: somebody else's answer must not end this sign-in.
		return auth.Account{}, &problem{
			kind: kindMalformed, code: "oidc_wrong_state", message: "This is the answer to another sign-in.",
			hint: "If you began one in another tab, go on there, or begin again.",
		}
	}
	s.flowCookie(c, "", -1)
	if !s.auth.Spend(f.State, f.Ends) {
		return auth.Account{}, &problem{
			kind: kindMalformed, code: "oidc_replayed", message: "This sign-in was already completed.", hint: "Begin again.",
		}
	}
	if answer := c.Query("error"); answer != "" {
		// Their text goes into the log, never into the page.
		return auth.Account{}, refusedByProvider(o, answer, c.Query("error_description"))
	}
	person, err := o.Provider.Finish(c.Request.Context(), f.Flow, c.Query("code"))
	switch {
	case errors.Is(err, openid.ErrUnavailable):
		return auth.Account{}, &problem{
			kind: kindUnavailable, code: "oidc_unavailable", retry: 5, cause: err,
			message: o.Provider.Name() + " cannot be used now.", hint: openid.Reason(err) + " Begin again, or sign in with an account of this console.",
		}
	case err != nil:
		return auth.Account{}, &problem{
			kind: kindUnauthorized, code: "oidc_refused", cause: err,
			message: "What came from " + o.Provider.Name() + " does not prove who you are.", hint: "Begin again. If that does not help, the log has the reason under this request's id.",
		}
	}
	s.note(c, slog.String("account", auth.ProviderPrefix+person.Name), slog.String("subject", view.Clip(person.Subject, 255)))
	role, ok := o.Role(person.Groups)
	if !ok {
		return auth.Account{}, &problem{
			kind: kindForbidden, code: "oidc_no_group", message: "You are not in a group that may use this console.",
			hint: "You signed in as " + person.Name + ". Ask those who look after the console to add you to one, then sign in again.",
		}
	}
	s.note(c, slog.String("as", string(role)))
	acc, ok := o.Account(auth.ProviderPrefix+person.Name, role)
	if !ok {
		return auth.Account{}, internal(fmt.Errorf("no group for the role %s", role))
	}
	return acc, nil
}

// refusedByProvider is what a page says of the provider's error.
func refusedByProvider(o *auth.OIDC, code, description string) *problem {
	cause := fmt.Errorf("%s says %q: %q", o.Provider.Name(), view.Clip(code, 100), view.Clip(description, 300))
	if code == "access_denied" {
		return &problem{
			kind: kindForbidden, code: "oidc_denied", cause: cause,
			message: "You are not signed in: it was cancelled or denied at " + o.Provider.Name() + ".", hint: "Begin again, or sign in with an account of this console.",
		}
	}
	return &problem{
		kind: kindUnauthorized, code: "oidc_refused", cause: cause,
		message: o.Provider.Name() + " did not sign you in.", hint: "Begin again. If that does not help, the log has the reason under this request's id.",
	}
}

// failOIDC answers a sign-in that came to nothing, with a way back.
func (s *Console) failOIDC(c *gin.Context, err error) {
	p := asProblem(err)
	p.goTo, p.goToLabel = "/login", "Back to sign-in"
	s.log.WarnContext(c, "login failed", slog.Bool("authentication_failed", true), slog.String("request_id", requestID(c)),
		slog.String("remote", remote(c)), slog.String("reason", p.code), slog.String("err", view.Clip(p.Error(), 500)))
	s.fail(c, p)
}

// flowCookie sets the cookie of a sign-in, which only the callback gets to see;
// negative deletes it. Over TLS it is instead one that no other host of the same
// site can set, which needs the whole host as its path.
func (s *Console) flowCookie(c *gin.Context, value string, maxAge int) {
	path := s.options().BasePath + oidcCallback
	if strings.HasPrefix(flowCookieName(c), "__Host-") {
		path = "/"
	}
	http.SetCookie(c.Writer, &http.Cookie{
		Name: flowCookieName(c), Value: value, Path: path, MaxAge: maxAge,
		// Lax, since the provider's site is where the browser comes from.
		HttpOnly: true, Secure: secure(c), SameSite: http.SameSiteLaxMode,
	})
}

func flowCookieName(c *gin.Context) string { return c.GetString(prefixKey) + "elasticjob_oidc" }

// flowOf returns the flow in the request's cookie, if there is one of this
// console that has not ended.
func (s *Console) flowOf(c *gin.Context) (f auth.Flow, ok bool) {
	cookie, err := c.Request.Cookie(flowCookieName(c))
	if err != nil {
		return f, false
	}
	return s.auth.Unseal(cookie.Value)
}
