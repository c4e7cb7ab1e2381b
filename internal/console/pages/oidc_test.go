package pages

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/openid"
)

// TestA41SignIn: members of the groups get in, with the rights of their group,
// under a name that no account can have, to where they wanted.
func TestA41SignIn(t *testing.T) {
	t.Parallel()
	for role, groups := range map[auth.Role][]string{auth.RoleRoot: {"staff", "ops"}, auth.RoleGuest: {"staff", "other"}} {
		p := consoletest.NewIDP(t)
		p.Claims["groups"] = groups
		b := consoletest.New(t, consoletest.WithIDP(t, p))
		s := b.Surfer(t)

		login := s.Get(t, "/login?next=%2Fjobs%3Fstatus%3DOK")
		link := login.Doc(t).Find(`[data-testid="login-other"] a`)
		if got := consoletest.Fold(link.Text()); got != "Sign in with Acme & Co" {
			t.Errorf("the button says %q", got)
		}
		start := s.Get(t, link.AttrOr("href", ""))
		consoletest.WantStatus(t, start, http.StatusSeeOther)
		asked := flowCookie(t, start)

		back := s.Get(t, asked.String())
		done := s.Get(t, back.Header.Get("Location"))
		consoletest.WantStatus(t, done, http.StatusSeeOther)
		if got := done.Header.Get("Location"); got != "/jobs?status=OK" {
			t.Errorf("after signing in: to %q", got)
		}
		session := done.Cookie("elasticjob_session")
		if session == nil || !session.HttpOnly || session.SameSite != http.SameSiteLaxMode || session.MaxAge != 8*3600 || session.Path != "/" {
			t.Fatalf("session cookie %v", session)
		}
		if c := done.Cookie("elasticjob_oidc"); c == nil || c.MaxAge >= 0 {
			t.Errorf("the flow's cookie is not deleted: %v", c)
		}
		if r := b.LastRecord(t); r.Action != "GET /login/oidc/callback" || r.Outcome != "done" || r.Detail != "account=oidc:alice subject=7f3c as="+string(role) {
			t.Errorf("audit %+v", r)
		}
		page := s.Get(t, "/jobs")
		consoletest.WantStatus(t, page, http.StatusOK)
		if got := page.Text(t, "user"); got != "oidc:alice "+map[auth.Role]string{auth.RoleRoot: "admin", auth.RoleGuest: "viewer, read only"}[role] {
			t.Errorf("user %q", got)
		}
		if again := s.Get(t, "/login/oidc?next=%2Fservers"); again.Header.Get("Location") != "/servers" {
			t.Errorf("signed in already, and sent to %q", again.Header.Get("Location"))
		}
		order := s.Open(t, http.MethodPost, "/jobs/invoices/trigger")
		if want := map[auth.Role]int{auth.RoleRoot: http.StatusSeeOther, auth.RoleGuest: http.StatusForbidden}[role]; order.StatusCode != want {
			t.Errorf("an action: %d, want %d", order.StatusCode, want)
		}
		if r := b.LastRecord(t); r.User != "oidc:alice" || r.Role != string(role) {
			t.Errorf("audit of the action %+v", r)
		}
		if strings.Contains(b.Log.String(), "Canary") || strings.Contains(b.Log.String(), session.Value) {
			t.Error("a secret is in the log")
		}
	}
}

// flowCookie checks the cookie of a sign-in under way, and returns where the browser is sent.
func flowCookie(t *testing.T, start consoletest.Reply) *url.URL {
	flow := start.Cookie("elasticjob_oidc")
	if flow == nil || !flow.HttpOnly || flow.SameSite != http.SameSiteLaxMode || flow.MaxAge != 600 || flow.Path != app.OIDCCallback {
		t.Fatalf("flow cookie %v", flow)
	}
	asked, err := url.Parse(start.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"state", "nonce"} {
		if strings.Contains(flow.Value, asked.Query().Get(secret)) {
			t.Errorf("the %s can be read in the cookie", secret)
		}
	}
	return asked
}

// refusedSignIns are attempts to sign in, and how each is refused.
var refusedSignIns = map[string]struct {
	provider func(*consoletest.IDP)
	// between changes what comes back from the provider.
	between func(t *testing.T, b *consoletest.Bench, s *consoletest.Surfer, back string) string
	status  int
	code    string
}{
	"wrong state": {between: withQuery("state", "STATESTATESTATESTATE"), status: 400, code: "oidc_wrong_state"},
	"no state":    {between: withQuery("state", ""), status: 400, code: "oidc_wrong_state"},
	"no cookie": {between: func(t *testing.T, b *consoletest.Bench, s *consoletest.Surfer, back string) string {
		*s = *b.Surfer(t)
		return back
	}, status: 400, code: "oidc_no_flow"},
	"another's flow": {between: func(t *testing.T, b *consoletest.Bench, s *consoletest.Surfer, back string) string {
		*s = *b.Surfer(t)
		s.ToProvider(t, "/")
		return back
	}, status: 400, code: "oidc_wrong_state"},
	"too late": {between: func(_ *testing.T, b *consoletest.Bench, _ *consoletest.Surfer, back string) string {
		b.Pass(auth.FlowLifetime)
		return back
	}, status: 400, code: "oidc_no_flow"},
	"no code":      {between: withQuery("code", ""), status: 401, code: "oidc_refused"},
	"another code": {between: withQuery("code", "guessed"), status: 401, code: "oidc_refused"},
	"code of another": {between: func(t *testing.T, b *consoletest.Bench, _ *consoletest.Surfer, back string) string {
		u, _ := url.Parse(b.Surfer(t).ToProvider(t, "/")) // PKCE: it does not fit this browser's verifier
		return withQuery("code", u.Query().Get("code"))(t, b, nil, back)
	}, status: 401, code: "oidc_refused"},
	"wrong nonce":        {provider: withClaim("nonce", "N"), status: 401, code: "oidc_refused"},
	"no nonce":           {provider: withClaim("nonce", nil), status: 401, code: "oidc_refused"},
	"wrong audience":     {provider: withClaim("aud", "grafana"), status: 401, code: "oidc_refused"},
	"made for another":   {provider: withClaim("azp", "grafana"), status: 401, code: "oidc_refused"},
	"several audiences":  {provider: withClaim("aud", []string{consoletest.OidcClient, "grafana"}), status: 401, code: "oidc_refused"},
	"wrong issuer":       {provider: withClaim("iss", "https://evil.example"), status: 401, code: "oidc_refused"},
	"expired":            {provider: withClaim("exp", consoletest.Noon.Add(-time.Second).Unix()), status: 401, code: "oidc_refused"},
	"no expiry":          {provider: withClaim("exp", nil), status: 401, code: "oidc_refused"},
	"not yet":            {provider: withClaim("nbf", consoletest.Noon.Add(time.Hour).Unix()), status: 401, code: "oidc_refused"},
	"wrong signature":    {provider: signedBy(jwt.SigningMethodES256, anotherKey()), status: 401, code: "oidc_refused"},
	"not signed":         {provider: signedBy(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType), status: 401, code: "oidc_refused"},
	"signed by a secret": {provider: signedBy(jwt.SigningMethodHS256, []byte(consoletest.OidcSecret)), status: 401, code: "oidc_refused"},
	"no ID token":        {provider: answering(200, `{"access_token":"a","token_type":"Bearer"}`), status: 401, code: "oidc_refused"},
	"rubbish":            {provider: answering(200, `<script>alert(1)</script>`), status: 401, code: "oidc_refused"},
	"too much":           {provider: answering(200, strings.Repeat(" ", 2<<20)), status: 401, code: "oidc_refused"},
	"provider broken":    {provider: answering(502, `<script>alert(1)</script>`), status: 503, code: "oidc_unavailable"},
	"nobody":             {provider: func(p *consoletest.IDP) { p.Claims["sub"], p.Claims["preferred_username"] = "", "" }, status: 401, code: "oidc_refused"},
	"no group":           {provider: withClaim("groups", []string{"opsy", "OPS", ""}), status: 403, code: "oidc_no_group"},
	"no groups at all":   {provider: withClaim("groups", nil), status: 403, code: "oidc_no_group"},
	"groups misshapen":   {provider: withClaim("groups", map[string]any{"ops": true}), status: 403, code: "oidc_no_group"},
	"cancelled": {provider: func(p *consoletest.IDP) {
		p.Deny = url.Values{"error": {"access_denied"}, "error_description": {"<script>alert(1)</script>"}}
	}, status: 403, code: "oidc_denied"},
	"provider's error": {provider: func(p *consoletest.IDP) { p.Deny = url.Values{"error": {"<script>"}} }, status: 401, code: "oidc_refused"},
}

// TestA41Refusals: whatever is wrong with an answer, nobody is signed in, the
// page has a way back, and the audit says why.
func TestA41Refusals(t *testing.T) {
	t.Parallel()
	for name, c := range refusedSignIns {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := consoletest.NewIDP(t)
			if c.provider != nil {
				p.Set(c.provider)
			}
			b := consoletest.New(t, consoletest.WithIDP(t, p))
			s := b.Surfer(t)
			back := s.ToProvider(t, "/jobs")
			if c.between != nil {
				back = c.between(t, b, s, back)
			}
			r := s.Get(t, back)
			consoletest.WantStatus(t, r, c.status)
			if r.Cookie("elasticjob_session") != nil {
				t.Error("a session is given")
			}
			doc := r.Doc(t)
			if id := r.Header.Get("X-Request-Id"); !strings.Contains(r.Body, id) || doc.Find(`[data-testid="problem"] a[href="/login"]`).Length() != 1 {
				t.Errorf("the page has no way back or no id: %s", view.Clip(r.Text(t, "problem"), 300))
			}
			if doc.Find("script:not([src])").Length() > 0 || strings.Contains(r.Body, "alert(1)") || strings.Contains(r.Body, "&lt;script&gt;") {
				t.Errorf("the provider's text is in the page: %s", r.Text(t, "problem"))
			}
			if rec := b.LastRecord(t); rec.Action != "GET /login/oidc/callback" || rec.Outcome != c.code || rec.Status != c.status || rec.User != "" {
				t.Errorf("audit %+v", rec)
			}
			if !strings.Contains(b.Log.String(), "authentication_failed=true") {
				t.Error("the log lacks the failed attempt")
			}
			consoletest.WantStatus(t, s.Get(t, "/jobs"), http.StatusSeeOther)
		})
	}
}

// TestW64CallbackWithoutACode: without a code there's nothing to ask the provider.
func TestW64CallbackWithoutACode(t *testing.T) {
	t.Parallel()
	p := consoletest.NewIDP(t)
	b := consoletest.New(t, consoletest.WithIDP(t, p))
	s := b.Surfer(t)
	back := withQuery("code", "")(t, b, s, s.ToProvider(t, "/jobs"))
	consoletest.WantStatus(t, s.Get(t, back), http.StatusUnauthorized)
	if n := p.Requests("/token"); n != 0 {
		t.Errorf("the provider was asked %d times", n)
	}
}

func withClaim(name string, value any) func(*consoletest.IDP) {
	return func(p *consoletest.IDP) { p.Claims[name] = value }
}

func signedBy(method jwt.SigningMethod, key any) func(*consoletest.IDP) {
	return func(p *consoletest.IDP) {
		p.Sign = func(c jwt.MapClaims) string { return consoletest.SignWith(method, key, c) }
	}
}

func answering(status int, text string) func(*consoletest.IDP) {
	return func(p *consoletest.IDP) {
		p.Answer = func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, text)
		}
	}
}

func withQuery(name, value string) func(*testing.T, *consoletest.Bench, *consoletest.Surfer, string) string {
	return func(_ *testing.T, _ *consoletest.Bench, _ *consoletest.Surfer, back string) string {
		u, _ := url.Parse(back)
		q := u.Query()
		q.Set(name, value)
		u.RawQuery = q.Encode()
		return u.String()
	}
}

// anotherKey is one that the provider does not know.
func anotherKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

// TestA41Replay: what came back from the provider is good once, also for
// whoever kept the cookie.
func TestA41Replay(t *testing.T) {
	t.Parallel()
	p := consoletest.NewIDP(t)
	b := consoletest.New(t, consoletest.WithIDP(t, p))
	s := b.Surfer(t)
	start := s.Get(t, "/login/oidc")
	kept := start.Cookie("elasticjob_oidc")
	back := s.Get(t, start.Header.Get("Location")).Header.Get("Location")
	consoletest.WantStatus(t, s.Get(t, back), http.StatusSeeOther)
	r := b.As(t, "", http.MethodGet, strings.TrimPrefix(back, "http://localhost"), nil, func(r *http.Request) { r.AddCookie(kept) })
	consoletest.WantStatus(t, r, http.StatusBadRequest)
	if rec := b.LastRecord(t); rec.Outcome != "oidc_replayed" || p.Requests("/token") != 1 {
		t.Errorf("outcome %q, %d codes sent", rec.Outcome, p.Requests("/token"))
	}
	// The browser itself has no cookie any more.
	consoletest.WantStatus(t, s.Get(t, back), http.StatusBadRequest)
	if rec := b.LastRecord(t); rec.Outcome != "oidc_no_flow" {
		t.Errorf("outcome %q", rec.Outcome)
	}
	// Nor does one of another console help, whatever it says.
	foreign := consoletest.New(t, consoletest.WithIDP(t, p), func(o *app.Options) { o.Key = nil }).Console
	forged := foreign.Auth.Seal(auth.Flow{Flow: openid.Flow{State: "S", Nonce: "N", Verifier: "V"}, Next: "/", Ends: consoletest.Noon.Add(time.Hour)})
	b.As(t, "", http.MethodGet, app.OIDCCallback+"?state=S&code=C", nil, func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "elasticjob_oidc", Value: forged}) })
	if rec := b.LastRecord(t); rec.Outcome != "oidc_no_flow" {
		t.Errorf("a cookie of another key: outcome %q", rec.Outcome)
	}
}

// TestA41AnotherTabDoesNotEndIt: an answer that is not this browser's does no
// harm to the one it waits for.
func TestA41AnotherTabDoesNotEndIt(t *testing.T) {
	t.Parallel()
	p := consoletest.NewIDP(t)
	b := consoletest.New(t, consoletest.WithIDP(t, p))
	s := b.Surfer(t)
	back := s.ToProvider(t, "/")
	consoletest.WantStatus(t, s.Get(t, app.OIDCCallback+"?state=evil&code=evil"), http.StatusBadRequest)
	consoletest.WantStatus(t, s.Get(t, back), http.StatusSeeOther)
}

// TestA41ProviderDown: a console starts without its provider, says why the
// button does not work, lets people in by password, and tries again.
func TestA41ProviderDown(t *testing.T) {
	t.Parallel()
	p := consoletest.NewIDP(t)
	p.Set(func(p *consoletest.IDP) { p.Down = true })
	b := consoletest.New(t, consoletest.WithIDP(t, p))
	s := b.Surfer(t)
	if login := s.Get(t, "/login"); consoletest.Fold(login.Text(t, "login-other")) != "Sign in with Acme & Co" {
		t.Errorf("nobody tried, and the page says %q", login.Text(t, "login-other"))
	}
	const discovery = "/.well-known/openid-configuration"
	for range 3 {
		r := s.Get(t, "/login/oidc?next=%2Fservers")
		consoletest.WantStatus(t, r, http.StatusServiceUnavailable)
		if got := r.Text(t, "notice"); !strings.Contains(got, "Acme & Co cannot be used now. It does not answer as OpenID Connect demands.") || !strings.Contains(got, r.Header.Get("X-Request-Id")) {
			t.Errorf("notice %q", got)
		}
		if strings.Contains(r.Body, "maintenance") || strings.Contains(r.Body, "last tried") || r.Doc(t).Find("input[name=next]").AttrOr("value", "") != "/servers" || r.Cookie("elasticjob_oidc") != nil {
			t.Errorf("%s", r.Body)
		}
	}
	if n := p.Requests(discovery); n != 1 {
		t.Errorf("asked %d times at once", n)
	}
	if login := s.Get(t, "/login"); !strings.Contains(login.Text(t, "login-other"), "It could not be used when last tried") {
		t.Errorf("the page says %q", login.Text(t, "login-other"))
	}
	consoletest.WantStatus(t, b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("root", "r00t-Canary-7", "/")), http.StatusSeeOther)

	p.Set(func(p *consoletest.IDP) { p.Down = false })
	b.Pass(6 * time.Second)
	consoletest.WantStatus(t, s.SignIn(t, "/"), http.StatusSeeOther)
	if n := p.Requests(discovery); n != 2 {
		t.Errorf("asked %d times", n)
	}
	if login := b.Surfer(t).Get(t, "/login"); strings.Contains(login.Body, "last tried") {
		t.Error("the trouble is over, but the page tells of it")
	}

	// Down between the two steps.
	again := b.Surfer(t)
	back := again.ToProvider(t, "/")
	p.Set(func(p *consoletest.IDP) { p.Down = true })
	consoletest.WantStatus(t, again.Get(t, back), http.StatusServiceUnavailable)
}

func TestA41DoesNotLeave(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, consoletest.WithIDP(t, consoletest.NewIDP(t)))
	for next, want := range map[string]string{
		"//evil.example": "/", "https://evil.example/": "/", `/\evil.example`: "/", "/login": "/", "/login/oidc": "/", "/login/oidc/callback?code=1": "/",
		"/jobs?q=" + strings.Repeat("&", 1900): "/", // too long for a cookie
		"/jobs?q=a%26b#c":                      "/jobs?q=a%26b",
	} {
		if got := b.Surfer(t).SignIn(t, next).Header.Get("Location"); got != want {
			t.Errorf("next %q leads to %q, want %q", view.Clip(next, 60), got, want)
		}
	}
}

func TestA41Logout(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, consoletest.WithIDP(t, consoletest.NewIDP(t)))
	s := b.Surfer(t)
	session := s.SignIn(t, "/").Cookie("elasticjob_session")
	with := func(r *http.Request) { r.AddCookie(session) }
	consoletest.WantStatus(t, b.As(t, "", http.MethodGet, "/jobs", nil, with), http.StatusOK)
	out := s.Open(t, http.MethodPost, "/logout")
	consoletest.WantStatus(t, out, http.StatusSeeOther)
	again := b.As(t, "", http.MethodGet, "/jobs", nil, with)
	if got := again.Header.Get("Location"); got != "/login?next=%2Fjobs&reason=token_revoked" {
		t.Errorf("a copy of the old cookie leads to %q", got)
	}
	consoletest.WantStatus(t, s.Get(t, "/jobs"), http.StatusSeeOther)
}

// TestA41Sessions: a session from the provider ends as any other, is drawn out
// by nothing, opens pages only, and is over when the configuration changes.
func TestA41Sessions(t *testing.T) {
	t.Parallel()
	p := consoletest.NewIDP(t)
	key := []byte(strings.Repeat("k", 48))
	make := func(change ...func(*app.Options)) *consoletest.Bench {
		return consoletest.New(t, append([]func(*app.Options){func(o *app.Options) { o.Key = key }}, change...)...)
	}
	b := make(consoletest.WithIDP(t, p))
	session := b.Surfer(t).SignIn(t, "/").Cookie("elasticjob_session")
	opens := func(b *consoletest.Bench) bool {
		r := b.As(t, "", http.MethodGet, "/jobs", nil, func(r *http.Request) { r.AddCookie(session) })
		return r.StatusCode == http.StatusOK
	}
	if !opens(b) || !opens(make(consoletest.WithIDP(t, p))) {
		t.Error("another console with the same key and provider does not know the session")
	}
	for name, other := range map[string]*consoletest.Bench{
		"off":                make(),
		"another root group": make(consoletest.WithIDP(t, p), func(o *app.Options) { o.OIDC.RootGroup = "admins" }),
		"no root group":      make(consoletest.WithIDP(t, p), func(o *app.Options) { o.OIDC.RootGroup = "" }),
		"another provider":   make(consoletest.WithIDP(t, consoletest.NewIDP(t))),
	} {
		if opens(other) {
			t.Errorf("%s: the session goes on", name)
		}
	}
	consoletest.WantStatus(t, b.As(t, "", http.MethodGet, "/api/me", nil, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+session.Value) }), http.StatusUnauthorized)
	who, why := b.Console.Auth.Verify(session.Value, auth.ForPages)
	if why != "" {
		t.Fatal(why)
	}
	if _, _, why := b.Console.Auth.Renew(who, auth.ForAPI); why != auth.TokenExpired {
		t.Errorf("renewed: %q", why)
	}
	b.Pass(8*time.Hour + time.Second)
	if opens(b) {
		t.Error("the session lasts for more than eight hours")
	}
}

func TestA41IsThrottled(t *testing.T) {
	t.Parallel()
	p := consoletest.NewIDP(t)
	b := consoletest.New(t, consoletest.WithIDP(t, p))
	s := b.Surfer(t)
	for range 2 * auth.AddressBurst { // who is let in is not counted
		consoletest.WantStatus(t, b.Surfer(t).SignIn(t, "/"), http.StatusSeeOther)
	}
	s.ToProvider(t, "/") // without a flow nothing is counted
	for range auth.AddressBurst {
		consoletest.WantStatus(t, s.Get(t, app.OIDCCallback+"?state=x&code=x"), http.StatusBadRequest)
	}
	back := s.ToProvider(t, "/")
	r := s.Get(t, back)
	consoletest.WantStatus(t, r, http.StatusTooManyRequests)
	if r.Header.Get("Retry-After") == "" || b.LastRecord(t).Outcome != "too_many_attempts" {
		t.Errorf("Retry-After %q, audit %+v", r.Header.Get("Retry-After"), b.LastRecord(t))
	}
	b.Pass(auth.AddressRefill)
	consoletest.WantStatus(t, s.Get(t, back), http.StatusSeeOther)
}

// TestV22CallbackWithoutAFlowCostsNothing: 30 answers that nobody asked for, as
// any page can make a browser of the same address send, keep nobody from signing
// in, with a password or at the provider.
func TestV22CallbackWithoutAFlowCostsNothing(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, consoletest.WithIDP(t, consoletest.NewIDP(t)))
	for range 3 * auth.AddressBurst {
		consoletest.WantStatus(t, b.As(t, "", http.MethodGet, app.OIDCCallback+"?state=x&code=x", nil), http.StatusBadRequest)
	}
	consoletest.WantStatus(t, b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("guest", "wrong", "/")), http.StatusUnauthorized)
	consoletest.WantStatus(t, b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("root", "r00t-Canary-7", "/")), http.StatusSeeOther)
	consoletest.WantStatus(t, b.Surfer(t).SignIn(t, "/"), http.StatusSeeOther)
}

func TestA41Off(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, address := range []string{app.OIDCRoute, app.OIDCCallback} {
		consoletest.WantStatus(t, b.As(t, "", http.MethodGet, address, nil), http.StatusNotFound)
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, address, url.Values{}), http.StatusMethodNotAllowed)
	}
	if strings.Contains(b.As(t, "", http.MethodGet, "/login", nil).Body, "login-other") {
		t.Error("a button for nothing")
	}
	if _, err := auth.ParseAccounts([]byte("root.username=oidc:alice\nroot.password=x\n")); err == nil {
		t.Error("an account can be named like somebody from a provider")
	}
	if _, err := app.New(app.Options{OIDC: &auth.OIDC{}}); err == nil || !strings.Contains(err.Error(), "OIDC.Provider") || !strings.Contains(err.Error(), "OIDC.RootGroup") {
		t.Errorf("options: %v", err)
	}
}

// TestV29FlowCookieOverTLS: no other host of the same site can plant a flow.
func TestV29FlowCookieOverTLS(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, consoletest.WithIDP(t, consoletest.NewIDP(t)), func(o *app.Options) { o.SecureCookies = true })
	c := b.Surfer(t).Get(t, "/login/oidc").Cookie("__Host-elasticjob_oidc")
	if c == nil || !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" {
		t.Errorf("flow cookie %v", c)
	}
}
