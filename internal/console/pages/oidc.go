package pages

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/openid"
	authpages "github.com/elasticjob-go/elasticjob/web/templates/auth"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// loginElsewhere is the other way to sign in that the login page offers.
func (s *Pages) loginElsewhere(notice *ui.Notice, next string) *authpages.Elsewhere {
	if s.Options().OIDC == nil {
		return nil
	}
	href := app.OIDCRoute
	if next != "/" {
		href += "?" + url.Values{"next": {next}}.Encode()
	}
	e := &authpages.Elsewhere{Name: s.Options().OIDC.Provider.Name(), Href: href}
	if why := s.Options().OIDC.Provider.Trouble(); why != "" && notice == nil {
		e.Trouble = "It could not be used when last tried. " + why + " Click to try again."
	}
	return e
}

// loginOIDC sends the browser to the provider.
func (s *Pages) loginOIDC(c *gin.Context) {
	next := app.SafeNext(c.Query("next"))
	switch {
	case s.Options().OIDC == nil:
		s.Fail(c, noOIDC())
		return
	case app.Caller(c).Name != "":
		s.Redirect(c, next)
		return
	}
	f := s.Auth.NewFlow(next)
	l := i18n.From(c.Request.Context())
	address, err := s.Options().OIDC.Provider.Begin(c.Request.Context(), f.Flow)
	if err != nil {
		s.Log.WarnContext(c, "sign-in by OpenID Connect not possible", slog.String("request_id", app.RequestID(c)), slog.String("err", view.Clip(err.Error(), 500)))
		c.Header("Retry-After", "5")
		s.showLogin(c, http.StatusServiceUnavailable, &ui.Notice{
			Tone: ui.ToneBad, Heading: l.ProblemOidcDown(s.Options().OIDC.Provider.Name()), Text: l.ProblemOidcRetry(providerFault(l, err), app.RequestID(c)),
		}, "", next)
		return
	}
	s.flowCookie(c, s.Auth.Seal(f), int(auth.FlowLifetime.Seconds()))
	c.Redirect(http.StatusSeeOther, address)
}

func noOIDC() *app.Problem {
	return app.NotFound("", "").SaidAs(i18n.Lang.ProblemNothingHere, i18n.Lang.ProblemOidcOffHint)
}

// loginOIDCBack takes what the browser brings from the provider.
func (s *Pages) loginOIDCBack(c *gin.Context) {
	if s.Options().OIDC == nil {
		s.Fail(c, noOIDC())
		return
	}
	f, ok := s.flowOf(c)
	if !ok {
		// Anybody's page can send browsers here; it costs nobody anything.
		s.failOIDC(c, noFlow(s.Options().OIDC))
		return
	}
	attempt, wait := s.Auth.BeginFrom(app.Remote(c))
	if wait > 0 {
		s.failOIDC(c, app.TooMany(auth.RetryAfter(wait)))
		return
	}
	acc, err := s.vouched(c, f)
	if err != nil {
		s.failOIDC(c, err)
		return
	}
	attempt.Succeed()
	if wait := s.Auth.Admit(acc.Name); wait > 0 {
		s.failOIDC(c, app.TooMany(auth.RetryAfter(wait)))
		return
	}
	token, expires, err := s.Auth.Issue(acc, auth.ForPages)
	if err != nil {
		s.Fail(c, err)
		return
	}
	if old := app.Caller(c); old.TokenID != "" {
		if err := s.GiveUp(c, old); err != nil { // as when signing in with a password
			s.Fail(c, err)
			return
		}
	}
	s.LogSignIn(c, acc.Name, slog.String("role", string(acc.Role)))
	s.Cookie(c, app.SessionCookie(c), token, int(expires.Sub(s.Now()).Seconds()))
	s.Redirect(c, f.Next)
}

func noFlow(o *auth.OIDC) *app.Problem {
	return app.Problem{Kind: app.KindMalformed, Code: "oidc_no_flow"}.Said(func(l i18n.Lang) (string, string) {
		return l.ProblemOidcNoFlow(), l.ProblemOidcNoFlowHint(o.Provider.Origin() + "/login")
	})
}

// vouched returns the account of the person that the provider vouches for. The
// flow is over then, however it ended.
func (s *Pages) vouched(c *gin.Context, f auth.Flow) (auth.Account, error) {
	o := s.Options().OIDC
	if subtle.ConstantTimeCompare([]byte(c.Query("state")), []byte(f.State)) != 1 {
		// The cookie stays: somebody else's answer must not end this sign-in.
		return auth.Account{}, app.Problem{Kind: app.KindMalformed, Code: "oidc_wrong_state"}.SaidAs(i18n.Lang.ProblemOidcState, i18n.Lang.ProblemOidcStateHint)
	}
	s.flowCookie(c, "", -1)
	if !s.Auth.Spend(f.State, f.Ends) {
		return auth.Account{}, app.Problem{Kind: app.KindMalformed, Code: "oidc_replayed"}.SaidAs(i18n.Lang.ProblemOidcReplayed, i18n.Lang.ProblemOidcAgain)
	}
	if answer := c.Query("error"); answer != "" {
		// Their text goes into the log, never into the page.
		return auth.Account{}, refusedByProvider(o, answer, c.Query("error_description"))
	}
	code := c.Query("code")
	if code == "" { // Then there's nothing to ask the provider.
		return auth.Account{}, refusedByProvider(o, "no code", "")
	}
	person, err := o.Provider.Finish(c.Request.Context(), f.Flow, code)
	switch {
	case errors.Is(err, openid.ErrUnavailable):
		return auth.Account{}, app.Problem{Kind: app.KindUnavailable, Code: "oidc_unavailable", Retry: 5, Cause: err}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemOidcDown(o.Provider.Name()), l.ProblemOidcDownHint(providerFault(l, err))
		})
	case err != nil:
		return auth.Account{}, app.Problem{Kind: app.KindUnauthorized, Code: "oidc_refused", Cause: err}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemOidcProof(o.Provider.Name()), l.ProblemOidcLogHint()
		})
	}
	s.Note(c, slog.String("account", auth.ProviderPrefix+person.Name), slog.String("subject", view.Clip(person.Subject, 255)))
	role, ok := o.Role(person.Groups)
	if !ok {
		return auth.Account{}, app.Problem{Kind: app.KindForbidden, Code: "oidc_no_group"}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemOidcNoGroup(), l.ProblemOidcNoGroupHint(person.Name)
		})
	}
	s.Note(c, slog.String("as", string(role)))
	acc, ok := o.Account(auth.ProviderPrefix+person.Name, role)
	if !ok {
		return auth.Account{}, app.Internal(fmt.Errorf("no group for the role %s", role))
	}
	return acc, nil
}

// refusedByProvider is what a page says of the provider's error.
func refusedByProvider(o *auth.OIDC, code, description string) *app.Problem {
	cause := fmt.Errorf("%s says %q: %q", o.Provider.Name(), view.Clip(code, 100), view.Clip(description, 300))
	if code == "access_denied" {
		return app.Problem{Kind: app.KindForbidden, Code: "oidc_denied", Cause: cause}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemOidcDenied(o.Provider.Name()), l.ProblemOidcDeniedHint()
		})
	}
	return app.Problem{Kind: app.KindUnauthorized, Code: "oidc_refused", Cause: cause}.Said(func(l i18n.Lang) (string, string) {
		return l.ProblemOidcNotIn(o.Provider.Name()), l.ProblemOidcLogHint()
	})
}

// failOIDC answers a sign-in that came to nothing, with a way back.
func (s *Pages) failOIDC(c *gin.Context, err error) {
	p := app.AsProblem(err)
	p.GoTo, p.GoToLabel = "/login", i18n.Lang.ProblemBackToSignIn
	s.Log.WarnContext(c, "login failed", slog.Bool("authentication_failed", true), slog.String("request_id", app.RequestID(c)),
		slog.String("remote", app.Remote(c)), slog.String("reason", p.Code), slog.String("err", view.Clip(p.Error(), 500)))
	s.Fail(c, p)
}

// flowCookie sets the cookie of a sign-in, which only the callback gets to see;
// negative deletes it. Over TLS it is instead one that no other host of the same
// site can set, which needs the whole host as its path.
func (s *Pages) flowCookie(c *gin.Context, value string, maxAge int) {
	path := s.Options().BasePath + app.OIDCCallback
	if strings.HasPrefix(flowCookieName(c), "__Host-") {
		path = "/"
	}
	http.SetCookie(c.Writer, &http.Cookie{
		Name: flowCookieName(c), Value: value, Path: path, MaxAge: maxAge,
		// Lax, since the provider's site is where the browser comes from.
		HttpOnly: true, Secure: app.Secure(c), SameSite: http.SameSiteLaxMode,
	})
}

func flowCookieName(c *gin.Context) string { return app.CookiePrefix(c) + "elasticjob_oidc" }

// flowOf returns the flow in the request's cookie, if there is one of this
// console that has not ended.
func (s *Pages) flowOf(c *gin.Context) (f auth.Flow, ok bool) {
	cookie, err := c.Request.Cookie(flowCookieName(c))
	if err != nil {
		return f, false
	}
	return s.Auth.Unseal(cookie.Value)
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
