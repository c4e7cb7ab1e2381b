package app

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/openid"
)

// Access is the right that a route requires. Each one includes the rights before it. The zero
// value is not allowed: a console with such a route doesn't start.
type Access int

const (
	undecided Access = iota
	// Anyone: no session needed.
	Anyone
	// SignedIn: every account, and every token for programs.
	SignedIn
	// Operates: operators and admins, and tokens with the scope operate.
	Operates
	// Configures: admins, and tokens with the scope configure.
	Configures
)

// role is the smallest role that has the access.
func (a Access) role() auth.Role {
	switch a {
	case Configures:
		return auth.RoleRoot
	case Operates:
		return auth.RoleOperator
	}
	return auth.RoleGuest
}

// May reports whether the caller has an access.
func May(c *gin.Context, a Access) bool { return Caller(c).Role.Includes(a.role()) }

// The two addresses of a sign-in by OpenID Connect. Neither changes anything
// but who the browser is: the first sends it to the provider, the second takes
// what it brings from there.
const (
	OIDCRoute    = "/login/oidc"
	OIDCCallback = openid.CallbackPath
)

// Surface is the kind of caller a route answers: it decides where a token is
// looked for and how an error looks.
type Surface int

const (
	Page Surface = iota
	API
)

// SurfaceOf tells the surface of a path, also of one that has no route.
func SurfaceOf(path string) Surface {
	if path == "/api" || strings.HasPrefix(path, "/api/") || path == "/healthz" || path == "/readyz" || path == "/metrics" {
		return API
	}
	return Page
}

const identityKey = "console.identity"

// Caller returns who is signed in; the zero identity if nobody is.
func Caller(c *gin.Context) auth.Identity {
	id, _ := c.Get(identityKey)
	who, _ := id.(auth.Identity)
	return who
}

// guard is the middleware in front of every route's handler.
func (s *Console) guard(r Route) gin.HandlerFunc {
	demand, may := r.Access, r.Touches
	return func(c *gin.Context) {
		if c.FullPath() == StaticRoute {
			return // the same for everybody
		}
		kind := SurfaceOf(c.Request.URL.Path)
		who, denied, err := s.identify(c, kind)
		if denied != "" && demand != Anyone {
			by, asked, problem := s.basicAuth(c)
			if problem != nil {
				s.Fail(c, problem)
				return
			}
			if asked {
				who, denied = by, ""
			}
		}
		if denied == "" && err == nil {
			c.Set(identityKey, who)
		}
		if demand == Anyone {
			return
		}
		if err != nil {
			s.Fail(c, SettingProblem(err, nil))
			return
		}
		if denied != "" {
			s.refuse(c, kind, denied)
			return
		}
		if p := refusedProgram(c, r, who); p != nil {
			s.Fail(c, p)
			return
		}
		if !May(c, demand) {
			s.Fail(c, forbidden(c, demand))
			return
		}
		for _, place := range []struct {
			touched Touches
			enter   func(*gin.Context) (leave func(), err error)
		}{{TheRegistry, s.enter}, {TheHistory, s.recall}} {
			if !may.Any(place.touched) {
				continue
			}
			leave, err := place.enter(c)
			if err != nil {
				s.Fail(c, err)
				return
			}
			defer leave()
		}
		if may.Any(TheRegistry) {
			s.remember(c, demand)
		}
		c.Next()
	}
}

// identify finds and verifies the caller's token: a cookie on pages, a header
// on the API, never the other way round. A page's cookie on an API request
// counts for nothing, so the API cannot be driven from another site.
//
// A token that was given up, here or on another console, is refused. An error comes
// from the console's own database.
func (s *Console) identify(c *gin.Context, kind Surface) (who auth.Identity, why auth.Denial, err error) {
	token, audience := bearer(c.Request.Header), auth.ForAPI
	if kind == Page {
		cookie, err := c.Request.Cookie(SessionCookie(c))
		if err != nil {
			return who, auth.TokenMissing, nil
		}
		token, audience = cookie.Value, auth.ForPages
	} else if strings.HasPrefix(token, auth.ProgramPrefix) {
		return s.identifyProgram(c, token)
	}
	if who, why = s.Auth.Verify(token, audience); why == "" {
		why, err = s.givenUp(c, who)
	}
	return who, why, err
}

// givenUp asks the console's memory whether a token that is good in itself was
// given up, here or on another console.
func (s *Console) givenUp(c *gin.Context, who auth.Identity) (auth.Denial, error) {
	if s.opts.Settings == nil {
		return "", nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	token, err := s.opts.Settings.Token(ctx, who.TokenID)
	if err == nil && token.Revoked {
		return auth.TokenRevoked, nil
	}
	return "", err
}

// GiveUp makes a token worthless on every console.
func (s *Console) GiveUp(c *gin.Context, who auth.Identity) error {
	if who.TokenID == "" {
		return nil // HTTP Basic: there is nothing to give up
	}
	s.Auth.Revoke(who)
	s.EndStreamsOf(who.TokenID)
	if s.opts.Settings == nil {
		return nil
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	if err := s.opts.Settings.RevokeToken(ctx, who.TokenID, who.Expires, s.opts.Clock()); err != nil {
		return SettingsDown(err).SaidAs(i18n.Lang.ProblemOwnDown, i18n.Lang.ProblemOwnDownSignOut)
	}
	return nil
}

// bearer returns the token of an Authorization or, as ElasticJob's 3.x clients
// send it, an Access-Token header; those of its cloud scheduler call it accessToken.
func bearer(h http.Header) string {
	if scheme, token, ok := strings.Cut(h.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	return cmp.Or(h.Get("Access-Token"), h.Get("accessToken"))
}

// refuse answers a caller without a valid token: the API with 401 and the
// reason, a page with the way to the login and back.
func (s *Console) refuse(c *gin.Context, kind Surface, why auth.Denial) {
	s.Log.InfoContext(c, "request refused", slog.String("reason", string(why)),
		slog.String("remote", Remote(c)), pathAttr(c))
	Refused(c, why.Code())
	if kind == API {
		s.Fail(c, Unauthorized(why))
		return
	}
	next := outside(c, c.Request.URL.RequestURI())
	if c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead {
		// Coming back must not repeat the action: return to the page it was
		// given on.
		next = s.refererPath(c.Request)
		if c.GetBool(resumesKey) {
			if id := s.kept.keep(c, s.Now()); id != "" {
				next = ResumeRoute + "?form=" + id
			}
		}
	}
	q := url.Values{}
	if next = SafeNext(next); next != "/" {
		q.Set("next", next)
	}
	if why != auth.TokenMissing {
		q.Set("reason", string(why))
		s.ClearCookie(c, SessionCookie(c))
	}
	target := "/login"
	if len(q) > 0 {
		target += "?" + q.Encode()
	}
	s.Redirect(c, target)
	c.Abort()
}

// refererPath is the path of the page a request came from, if it was ours.
func (s *Console) refererPath(r *http.Request) string {
	u, err := url.Parse(r.Referer())
	if err != nil || u.Host != r.Host {
		return "/"
	}
	path := u.RequestURI()
	if rest, ok := strings.CutPrefix(path, s.opts.BasePath); ok && strings.HasPrefix(rest, "/") {
		return rest
	}
	return path
}

// SafeNext returns a path of this console to go to, or "/" if s is anything
// else: another host, a scheme, something browsers would take for a host, or
// the login itself.
func SafeNext(s string) string {
	if len(s) > 2000 || !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") {
		return "/"
	}
	for _, r := range s {
		// Browsers drop tabs and line ends and read a backslash as a slash.
		if r < 0x20 || r == 0x7f || r == '\\' {
			return "/"
		}
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil {
		return "/"
	}
	switch u.Path {
	case "/login", OIDCRoute, OIDCCallback, "/logout", "/theme", LanguageRoute, ZoneRoute:
		return "/"
	}
	return u.RequestURI()
}

// Cookie sets one of the console's cookies. maxAge in seconds; 0 is a cookie of
// the browser session, negative deletes.
func (s *Console) Cookie(c *gin.Context, name, value string, maxAge int) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name:     name,
		Value:    value,
		Path:     s.cookiePath(),
		MaxAge:   maxAge,
		HttpOnly: true,
		Secure:   Secure(c),
		SameSite: http.SameSiteLaxMode,
	})
}

// ClearCookie deletes one of the console's cookies.
func (s *Console) ClearCookie(c *gin.Context, name string) { s.Cookie(c, name, "", -1) }

// SessionCookie is the name of the cookie with the page token.
func SessionCookie(c *gin.Context) string { return CookiePrefix(c) + "elasticjob_session" }

// CookiePrefix begins the names of cookies that only this host may set.
func CookiePrefix(c *gin.Context) string { return c.GetString(prefixKey) }
