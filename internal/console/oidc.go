package console

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/openid"
	"github.com/elasticjob-go/elasticjob/web/templates/auth"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// The two addresses of a sign-in by OpenID Connect. Neither changes anything
// but who the browser is: the first sends it to the provider, the second takes
// what it brings from there.
const (
	oidcRoute    = "/login/oidc"
	oidcCallback = openid.CallbackPath
)

const (
	// oidcPrefix begins the names of people from the provider; accounts of
	// auth.properties cannot have it.
	oidcPrefix = "oidc:"
	// flowLifetime is how long a person may take at the provider.
	flowLifetime = 10 * time.Minute
	// maxFlowCookie is what browsers are sure to keep.
	maxFlowCookie = 3800
)

// OIDC is the sign-in by OpenID Connect. Whoever is in neither group is
// refused.
type OIDC struct {
	Provider *openid.Provider
	// RootGroup and GuestGroup are the groups whose members become root and
	// guest; empty for none. Who is in both is root.
	RootGroup, GuestGroup string
}

// role is what the members of groups may do.
func (o *OIDC) role(groups []string) (Role, bool) {
	for _, g := range []struct {
		group string
		role  Role
	}{{o.RootGroup, RoleRoot}, {o.GuestGroup, RoleGuest}} {
		if g.group != "" && slices.Contains(groups, g.group) {
			return g.role, true
		}
	}
	return "", false
}

// account is the account of somebody whom the provider vouched for. Its mark
// is made of the configuration: with another provider, or other groups, the
// sessions that the old one made are over.
func (o *OIDC) account(name string, role Role) (account, bool) {
	group := map[Role]string{RoleRoot: o.RootGroup, RoleGuest: o.GuestGroup}[role]
	if group == "" {
		return account{}, false
	}
	return account{name: name, role: role, secret: fmt.Sprintf("%s %q", o.Provider.Fingerprint(), group)}, true
}

// account finds who a token names: an account of auth.properties, or somebody
// from the provider.
func (s *Console) account(name string, role Role) (account, bool) {
	if strings.HasPrefix(name, oidcPrefix) {
		if s.opts.OIDC == nil {
			return account{}, false
		}
		return s.opts.OIDC.account(name, role)
	}
	return s.accounts.Load().find(name, role)
}

// loginElsewhere is the other way to sign in that the login page offers.
func (s *Console) loginElsewhere(notice *ui.Notice, next string) *auth.Elsewhere {
	if s.opts.OIDC == nil {
		return nil
	}
	href := oidcRoute
	if next != "/" {
		href += "?" + url.Values{"next": {next}}.Encode()
	}
	e := &auth.Elsewhere{Name: s.opts.OIDC.Provider.Name(), Href: href}
	if why := s.opts.OIDC.Provider.Trouble(); why != "" && notice == nil {
		e.Trouble = "It could not be used when last tried. " + why + " Click to try again."
	}
	return e
}

// flow is what the cookie carries from one address to the other.
type flow struct {
	openid.Flow
	Next string
	Ends time.Time
}

// loginOIDC sends the browser to the provider.
func (s *Console) loginOIDC(c *gin.Context) {
	next := safeNext(c.Query("next"))
	switch {
	case s.opts.OIDC == nil:
		s.fail(c, noOIDC())
		return
	case caller(c).Name != "":
		s.redirect(c, next)
		return
	}
	f := flow{Flow: openid.NewFlow(), Next: next, Ends: s.opts.Clock().Add(flowLifetime)}
	address, err := s.opts.OIDC.Provider.Begin(c.Request.Context(), f.Flow)
	if err != nil {
		s.log.WarnContext(c, "sign-in by OpenID Connect not possible", slog.String("request_id", requestID(c)), slog.String("err", clip(err.Error(), 500)))
		c.Header("Retry-After", "5")
		s.showLogin(c, http.StatusServiceUnavailable, &ui.Notice{
			Tone: ui.ToneBad, Heading: s.opts.OIDC.Provider.Name() + " cannot be used now.",
			Text: openid.Reason(err) + " Try again, or sign in with an account of this console. Request " + requestID(c) + ".",
		}, "", next)
		return
	}
	s.flowCookie(c, s.seal(f), int(flowLifetime.Seconds()))
	c.Redirect(http.StatusSeeOther, address)
}

func noOIDC() *problem {
	return notFound("There is nothing at this address.", "Signing in by OpenID Connect is not set up on this console.")
}

// loginOIDCBack takes what the browser brings from the provider.
func (s *Console) loginOIDCBack(c *gin.Context) {
	if s.opts.OIDC == nil {
		s.fail(c, noOIDC())
		return
	}
	f, ok := s.unseal(c)
	if !ok {
		// Anybody's page can send browsers here; it costs nobody anything.
		s.failOIDC(c, noFlow(s.opts.OIDC))
		return
	}
	attempt, wait := s.throttle.beginFrom(remote(c))
	if wait > 0 {
		s.failOIDC(c, tooMany(retryAfter(wait)))
		return
	}
	acc, err := s.vouched(c, f)
	if err != nil {
		s.failOIDC(c, err)
		return
	}
	attempt.succeed()
	if wait := s.tokens.admit(acc); wait > 0 {
		s.failOIDC(c, tooMany(retryAfter(wait)))
		return
	}
	token, expires, err := s.tokens.issue(acc, forPages)
	if err != nil {
		s.fail(c, err)
		return
	}
	if old := caller(c); old.tokenID != "" {
		if err := s.giveUp(c, old); err != nil { // as when signing in with a password
			s.fail(c, err)
			return
		}
	}
	s.log.InfoContext(c, "login", slog.String("remote", remote(c)), slog.String("user", acc.name), slog.String("role", string(acc.role)))
	s.cookie(c, sessionCookie(c), token, int(expires.Sub(s.opts.Clock()).Seconds()))
	s.redirect(c, f.Next)
}

func noFlow(o *OIDC) *problem {
	return &problem{
		status: http.StatusBadRequest, code: "oidc_no_flow", message: "This sign-in was not begun in this browser, or too long ago.",
		hint: "Begin at " + o.Provider.Origin() + "/login, and sign in within ten minutes. Cookies must be allowed.",
	}
}

// vouched returns the account of the person that the provider vouches for. The
// flow is over then, however it ended.
func (s *Console) vouched(c *gin.Context, f flow) (account, error) {
	o := s.opts.OIDC
	if subtle.ConstantTimeCompare([]byte(c.Query("state")), []byte(f.State)) != 1 {
		// The cookie stays: somebody else's answer must not end this sign-in.
		return account{}, &problem{
			status: http.StatusBadRequest, code: "oidc_wrong_state", message: "This is the answer to another sign-in.",
			hint: "If you began one in another tab, go on there, or begin again.",
		}
	}
	s.flowCookie(c, "", -1)
	if !s.tokens.spend(f.State, f.Ends) {
		return account{}, &problem{
			status: http.StatusBadRequest, code: "oidc_replayed", message: "This sign-in was already completed.", hint: "Begin again.",
		}
	}
	if answer := c.Query("error"); answer != "" {
		// Their text goes into the log, never into the page.
		return account{}, refusedByProvider(o, answer, c.Query("error_description"))
	}
	person, err := o.Provider.Finish(c.Request.Context(), f.Flow, c.Query("code"))
	switch {
	case errors.Is(err, openid.ErrUnavailable):
		return account{}, &problem{
			status: http.StatusServiceUnavailable, code: "oidc_unavailable", retry: 5, cause: err,
			message: o.Provider.Name() + " cannot be used now.", hint: openid.Reason(err) + " Begin again, or sign in with an account of this console.",
		}
	case err != nil:
		return account{}, &problem{
			status: http.StatusUnauthorized, code: "oidc_refused", cause: err,
			message: "What came from " + o.Provider.Name() + " does not prove who you are.", hint: "Begin again. If that does not help, the log has the reason under this request's id.",
		}
	}
	s.note(c, slog.String("account", oidcPrefix+person.Name), slog.String("subject", clip(person.Subject, 255)))
	role, ok := o.role(person.Groups)
	if !ok {
		return account{}, &problem{
			status: http.StatusForbidden, code: "oidc_no_group", message: "You are not in a group that may use this console.",
			hint: "You signed in as " + person.Name + ". Ask those who look after the console to add you to one, then sign in again.",
		}
	}
	s.note(c, slog.String("as", string(role)))
	acc, ok := o.account(oidcPrefix+person.Name, role)
	if !ok {
		return account{}, internal(fmt.Errorf("no group for the role %s", role))
	}
	return acc, nil
}

// refusedByProvider is what a page says of the provider's error.
func refusedByProvider(o *OIDC, code, description string) *problem {
	cause := fmt.Errorf("%s says %q: %q", o.Provider.Name(), clip(code, 100), clip(description, 300))
	if code == "access_denied" {
		return &problem{
			status: http.StatusForbidden, code: "oidc_denied", cause: cause,
			message: "You are not signed in: it was cancelled or denied at " + o.Provider.Name() + ".", hint: "Begin again, or sign in with an account of this console.",
		}
	}
	return &problem{
		status: http.StatusUnauthorized, code: "oidc_refused", cause: cause,
		message: o.Provider.Name() + " did not sign you in.", hint: "Begin again. If that does not help, the log has the reason under this request's id.",
	}
}

// failOIDC answers a sign-in that came to nothing, with a way back.
func (s *Console) failOIDC(c *gin.Context, err error) {
	p := asProblem(err)
	p.goTo, p.goToLabel = "/login", "Back to sign-in"
	s.log.WarnContext(c, "login failed", slog.Bool("authentication_failed", true), slog.String("request_id", requestID(c)),
		slog.String("remote", remote(c)), slog.String("reason", p.code), slog.String("err", clip(p.Error(), 500)))
	s.fail(c, p)
}

// flowCookie sets the cookie of a sign-in, which only the callback gets to see;
// negative deletes it. Over TLS it is instead one that no other host of the same
// site can set, which needs the whole host as its path.
func (s *Console) flowCookie(c *gin.Context, value string, maxAge int) {
	path := s.opts.BasePath + oidcCallback
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

// flowCipher encrypts flows with a key of its own, made of the one that signs
// sessions.
func (s *Console) flowCipher() cipher.AEAD {
	mac := hmac.New(sha256.New, s.tokens.key)
	mac.Write([]byte("oidc flow"))
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil {
		panic(fmt.Sprintf("console: flow cipher: %v", err)) // the key has 32 bytes
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(fmt.Sprintf("console: flow cipher: %v", err)) // AES has the right block size
	}
	return aead
}

// seal is a flow as the cookie's value. A place to go back to that is too long
// for a cookie is given up.
func (s *Console) seal(f flow) string {
	text, err := json.Marshal(f)
	if err != nil {
		panic(fmt.Sprintf("console: flow: %v", err)) // strings and a time always marshal
	}
	value := encode(s.flowCipher().Seal(nil, nil, text, nil))
	if len(value) > maxFlowCookie {
		f.Next = "/"
		return s.seal(f)
	}
	return value
}

// unseal returns the flow in the request's cookie, if there is one of this
// console that has not ended.
func (s *Console) unseal(c *gin.Context) (f flow, ok bool) {
	cookie, err := c.Request.Cookie(flowCookieName(c))
	if err != nil {
		return f, false
	}
	sealed, err := decode(cookie.Value)
	if err != nil {
		return f, false
	}
	text, err := s.flowCipher().Open(nil, nil, sealed, nil)
	if err != nil || json.Unmarshal(text, &f) != nil {
		return flow{}, false
	}
	return f, f.State != "" && s.opts.Clock().Before(f.Ends)
}
