package console

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

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/openid"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// lastRecord is the newest row of the audit.
func (b *bench) lastRecord(t *testing.T) settings.Record {
	t.Helper()
	b.settings.mu.Lock()
	defer b.settings.mu.Unlock()
	if len(b.settings.records) == 0 {
		t.Fatal("nothing in the audit")
	}
	return b.settings.records[len(b.settings.records)-1]
}

// TestA41SignIn: members of the groups get in, with the rights of their group,
// under a name that no account can have, to where they wanted.
func TestA41SignIn(t *testing.T) {
	t.Parallel()
	for role, groups := range map[auth.Role][]string{auth.RoleRoot: {"staff", "ops"}, auth.RoleGuest: {"staff", "other"}} {
		p := newIDP(t)
		p.claims["groups"] = groups
		b := newBench(t, withIDP(t, p))
		s := b.surfer(t)

		login := s.get(t, "/login?next=%2Fjobs%3Fstatus%3DOK")
		link := login.doc(t).Find(`[data-testid="login-other"] a`)
		if got := fold(link.Text()); got != "Sign in with Acme & Co" {
			t.Errorf("the button says %q", got)
		}
		start := s.get(t, link.AttrOr("href", ""))
		wantStatus(t, start, http.StatusSeeOther)
		flow := start.cookie("elasticjob_oidc")
		if flow == nil || !flow.HttpOnly || flow.SameSite != http.SameSiteLaxMode || flow.MaxAge != 600 || flow.Path != oidcCallback {
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

		back := s.get(t, asked.String())
		done := s.get(t, back.Header.Get("Location"))
		wantStatus(t, done, http.StatusSeeOther)
		if got := done.Header.Get("Location"); got != "/jobs?status=OK" {
			t.Errorf("after signing in: to %q", got)
		}
		session := done.cookie("elasticjob_session")
		if session == nil || !session.HttpOnly || session.SameSite != http.SameSiteLaxMode || session.MaxAge != 8*3600 || session.Path != "/" {
			t.Fatalf("session cookie %v", session)
		}
		if c := done.cookie("elasticjob_oidc"); c == nil || c.MaxAge >= 0 {
			t.Errorf("the flow's cookie is not deleted: %v", c)
		}
		if r := b.lastRecord(t); r.Action != "GET /login/oidc/callback" || r.Outcome != "done" || r.Detail != "account=oidc:alice subject=7f3c as="+string(role) {
			t.Errorf("audit %+v", r)
		}
		page := s.get(t, "/jobs")
		wantStatus(t, page, http.StatusOK)
		if got := page.text(t, "user"); got != "oidc:alice "+roleLabel(role) {
			t.Errorf("user %q", got)
		}
		if again := s.get(t, "/login/oidc?next=%2Fservers"); again.Header.Get("Location") != "/servers" {
			t.Errorf("signed in already, and sent to %q", again.Header.Get("Location"))
		}
		order := s.open(t, http.MethodPost, "/jobs/invoices/trigger")
		if want := map[auth.Role]int{auth.RoleRoot: http.StatusSeeOther, auth.RoleGuest: http.StatusForbidden}[role]; order.StatusCode != want {
			t.Errorf("an order: %d, want %d", order.StatusCode, want)
		}
		if r := b.lastRecord(t); r.User != "oidc:alice" || r.Role != string(role) {
			t.Errorf("audit of the order %+v", r)
		}
		if strings.Contains(b.log.String(), "Canary") || strings.Contains(b.log.String(), session.Value) {
			t.Error("a secret is in the log")
		}
	}
}

// TestA41Refusals: whatever is wrong with an answer, nobody is signed in, the
// page has a way back, and the audit says why.
func TestA41Refusals(t *testing.T) {
	t.Parallel()
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	claim := func(name string, value any) func(*idp) { return func(p *idp) { p.claims[name] = value } }
	signed := func(method jwt.SigningMethod, key any) func(*idp) {
		return func(p *idp) { p.sign = func(c jwt.MapClaims) string { return signWith(method, key, c) } }
	}
	answer := func(status int, text string) func(*idp) {
		return func(p *idp) {
			p.answer = func(w http.ResponseWriter) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				_, _ = io.WriteString(w, text)
			}
		}
	}
	edit := func(name, value string) func(*testing.T, *bench, *surfer, string) string {
		return func(_ *testing.T, _ *bench, _ *surfer, back string) string {
			u, _ := url.Parse(back)
			q := u.Query()
			q.Set(name, value)
			u.RawQuery = q.Encode()
			return u.String()
		}
	}
	for name, c := range map[string]struct {
		provider func(*idp)
		// between changes what comes back from the provider.
		between func(t *testing.T, b *bench, s *surfer, back string) string
		status  int
		code    string
	}{
		"wrong state": {between: edit("state", "STATESTATESTATESTATE"), status: 400, code: "oidc_wrong_state"},
		"no state":    {between: edit("state", ""), status: 400, code: "oidc_wrong_state"},
		"no cookie":   {between: func(t *testing.T, b *bench, s *surfer, back string) string { *s = *b.surfer(t); return back }, status: 400, code: "oidc_no_flow"},
		"another's flow": {between: func(t *testing.T, b *bench, s *surfer, back string) string {
			*s = *b.surfer(t)
			s.toProvider(t, "/")
			return back
		}, status: 400, code: "oidc_wrong_state"},
		"too late":     {between: func(_ *testing.T, b *bench, _ *surfer, back string) string { b.pass(auth.FlowLifetime); return back }, status: 400, code: "oidc_no_flow"},
		"another code": {between: edit("code", "guessed"), status: 401, code: "oidc_refused"},
		"code of another": {between: func(t *testing.T, b *bench, _ *surfer, back string) string {
			u, _ := url.Parse(b.surfer(t).toProvider(t, "/")) // PKCE: it does not fit this browser's verifier
			return edit("code", u.Query().Get("code"))(t, b, nil, back)
		}, status: 401, code: "oidc_refused"},
		"wrong nonce":        {provider: claim("nonce", "N"), status: 401, code: "oidc_refused"},
		"no nonce":           {provider: claim("nonce", nil), status: 401, code: "oidc_refused"},
		"wrong audience":     {provider: claim("aud", "grafana"), status: 401, code: "oidc_refused"},
		"made for another":   {provider: claim("azp", "grafana"), status: 401, code: "oidc_refused"},
		"several audiences":  {provider: claim("aud", []string{oidcClient, "grafana"}), status: 401, code: "oidc_refused"},
		"wrong issuer":       {provider: claim("iss", "https://evil.example"), status: 401, code: "oidc_refused"},
		"expired":            {provider: claim("exp", noon.Add(-time.Second).Unix()), status: 401, code: "oidc_refused"},
		"no expiry":          {provider: claim("exp", nil), status: 401, code: "oidc_refused"},
		"not yet":            {provider: claim("nbf", noon.Add(time.Hour).Unix()), status: 401, code: "oidc_refused"},
		"wrong signature":    {provider: signed(jwt.SigningMethodES256, other), status: 401, code: "oidc_refused"},
		"not signed":         {provider: signed(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType), status: 401, code: "oidc_refused"},
		"signed by a secret": {provider: signed(jwt.SigningMethodHS256, []byte(oidcSecret)), status: 401, code: "oidc_refused"},
		"no ID token":        {provider: answer(200, `{"access_token":"a","token_type":"Bearer"}`), status: 401, code: "oidc_refused"},
		"rubbish":            {provider: answer(200, `<script>alert(1)</script>`), status: 401, code: "oidc_refused"},
		"too much":           {provider: answer(200, strings.Repeat(" ", 2<<20)), status: 401, code: "oidc_refused"},
		"provider broken":    {provider: answer(502, `<script>alert(1)</script>`), status: 503, code: "oidc_unavailable"},
		"nobody":             {provider: func(p *idp) { p.claims["sub"], p.claims["preferred_username"] = "", "" }, status: 401, code: "oidc_refused"},
		"no group":           {provider: claim("groups", []string{"opsy", "OPS", ""}), status: 403, code: "oidc_no_group"},
		"no groups at all":   {provider: claim("groups", nil), status: 403, code: "oidc_no_group"},
		"groups misshapen":   {provider: claim("groups", map[string]any{"ops": true}), status: 403, code: "oidc_no_group"},
		"cancelled": {provider: func(p *idp) {
			p.deny = url.Values{"error": {"access_denied"}, "error_description": {"<script>alert(1)</script>"}}
		}, status: 403, code: "oidc_denied"},
		"provider's error": {provider: func(p *idp) { p.deny = url.Values{"error": {"<script>"}} }, status: 401, code: "oidc_refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newIDP(t)
			if c.provider != nil {
				p.set(c.provider)
			}
			b := newBench(t, withIDP(t, p))
			s := b.surfer(t)
			back := s.toProvider(t, "/jobs")
			if c.between != nil {
				back = c.between(t, b, s, back)
			}
			r := s.get(t, back)
			wantStatus(t, r, c.status)
			if r.cookie("elasticjob_session") != nil {
				t.Error("a session is given")
			}
			doc := r.doc(t)
			if id := r.Header.Get("X-Request-Id"); !strings.Contains(r.body, id) || doc.Find(`[data-testid="problem"] a[href="/login"]`).Length() != 1 {
				t.Errorf("the page has no way back or no id: %s", view.Clip(r.text(t, "problem"), 300))
			}
			if doc.Find("script:not([src])").Length() > 0 || strings.Contains(r.body, "alert(1)") || strings.Contains(r.body, "&lt;script&gt;") {
				t.Errorf("the provider's text is in the page: %s", r.text(t, "problem"))
			}
			if rec := b.lastRecord(t); rec.Action != "GET /login/oidc/callback" || rec.Outcome != c.code || rec.Status != c.status || rec.User != "" {
				t.Errorf("audit %+v", rec)
			}
			if !strings.Contains(b.log.String(), "authentication_failed=true") {
				t.Error("the log lacks the failed attempt")
			}
			wantStatus(t, s.get(t, "/jobs"), http.StatusSeeOther)
		})
	}
}

// TestA41Replay: what came back from the provider is good once, also for
// whoever kept the cookie.
func TestA41Replay(t *testing.T) {
	t.Parallel()
	p := newIDP(t)
	b := newBench(t, withIDP(t, p))
	s := b.surfer(t)
	start := s.get(t, "/login/oidc")
	kept := start.cookie("elasticjob_oidc")
	back := s.get(t, start.Header.Get("Location")).Header.Get("Location")
	wantStatus(t, s.get(t, back), http.StatusSeeOther)
	r := b.as(t, "", http.MethodGet, strings.TrimPrefix(back, "http://localhost"), nil, func(r *http.Request) { r.AddCookie(kept) })
	wantStatus(t, r, http.StatusBadRequest)
	if rec := b.lastRecord(t); rec.Outcome != "oidc_replayed" || p.requests("/token") != 1 {
		t.Errorf("outcome %q, %d codes sent", rec.Outcome, p.requests("/token"))
	}
	// The browser itself has no cookie any more.
	wantStatus(t, s.get(t, back), http.StatusBadRequest)
	if rec := b.lastRecord(t); rec.Outcome != "oidc_no_flow" {
		t.Errorf("outcome %q", rec.Outcome)
	}
	// Nor does one of another console help, whatever it says.
	foreign := newBench(t, withIDP(t, p), func(o *Options) { o.Key = nil }).console
	forged := foreign.auth.Seal(auth.Flow{Flow: openid.Flow{State: "S", Nonce: "N", Verifier: "V"}, Next: "/", Ends: noon.Add(time.Hour)})
	b.as(t, "", http.MethodGet, oidcCallback+"?state=S&code=C", nil, func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "elasticjob_oidc", Value: forged}) })
	if rec := b.lastRecord(t); rec.Outcome != "oidc_no_flow" {
		t.Errorf("a cookie of another key: outcome %q", rec.Outcome)
	}
}

// TestA41AnotherTabDoesNotEndIt: an answer that is not this browser's does no
// harm to the one it waits for.
func TestA41AnotherTabDoesNotEndIt(t *testing.T) {
	t.Parallel()
	p := newIDP(t)
	b := newBench(t, withIDP(t, p))
	s := b.surfer(t)
	back := s.toProvider(t, "/")
	wantStatus(t, s.get(t, oidcCallback+"?state=evil&code=evil"), http.StatusBadRequest)
	wantStatus(t, s.get(t, back), http.StatusSeeOther)
}

// TestA41ProviderDown: a console starts without its provider, says why the
// button does not work, lets people in by password, and tries again.
func TestA41ProviderDown(t *testing.T) {
	t.Parallel()
	p := newIDP(t)
	p.set(func(p *idp) { p.down = true })
	b := newBench(t, withIDP(t, p))
	s := b.surfer(t)
	if login := s.get(t, "/login"); fold(login.text(t, "login-other")) != "Sign in with Acme & Co" {
		t.Errorf("nobody tried, and the page says %q", login.text(t, "login-other"))
	}
	const discovery = "/.well-known/openid-configuration"
	for range 3 {
		r := s.get(t, "/login/oidc?next=%2Fservers")
		wantStatus(t, r, http.StatusServiceUnavailable)
		if got := r.text(t, "notice"); !strings.Contains(got, "Acme & Co cannot be used now. It does not answer as OpenID Connect demands.") || !strings.Contains(got, r.Header.Get("X-Request-Id")) {
			t.Errorf("notice %q", got)
		}
		if strings.Contains(r.body, "maintenance") || strings.Contains(r.body, "last tried") || r.doc(t).Find("input[name=next]").AttrOr("value", "") != "/servers" || r.cookie("elasticjob_oidc") != nil {
			t.Errorf("%s", r.body)
		}
	}
	if n := p.requests(discovery); n != 1 {
		t.Errorf("asked %d times at once", n)
	}
	if login := s.get(t, "/login"); !strings.Contains(login.text(t, "login-other"), "It could not be used when last tried") {
		t.Errorf("the page says %q", login.text(t, "login-other"))
	}
	wantStatus(t, b.as(t, "", http.MethodPost, "/login", loginForm("root", "r00t-Canary-7", "/")), http.StatusSeeOther)

	p.set(func(p *idp) { p.down = false })
	b.pass(6 * time.Second)
	wantStatus(t, s.signIn(t, "/"), http.StatusSeeOther)
	if n := p.requests(discovery); n != 2 {
		t.Errorf("asked %d times", n)
	}
	if login := b.surfer(t).get(t, "/login"); strings.Contains(login.body, "last tried") {
		t.Error("the trouble is over, but the page tells of it")
	}

	// Down between the two steps.
	again := b.surfer(t)
	back := again.toProvider(t, "/")
	p.set(func(p *idp) { p.down = true })
	wantStatus(t, again.get(t, back), http.StatusServiceUnavailable)
}

func TestA41DoesNotLeave(t *testing.T) {
	t.Parallel()
	b := newBench(t, withIDP(t, newIDP(t)))
	for next, want := range map[string]string{
		"//evil.example": "/", "https://evil.example/": "/", `/\evil.example`: "/", "/login": "/", "/login/oidc": "/", "/login/oidc/callback?code=1": "/",
		"/jobs?q=" + strings.Repeat("&", 1900): "/", // too long for a cookie
		"/jobs?q=a%26b#c":                      "/jobs?q=a%26b",
	} {
		if got := b.surfer(t).signIn(t, next).Header.Get("Location"); got != want {
			t.Errorf("next %q leads to %q, want %q", view.Clip(next, 60), got, want)
		}
	}
}

func TestA41Logout(t *testing.T) {
	t.Parallel()
	b := newBench(t, withIDP(t, newIDP(t)))
	s := b.surfer(t)
	session := s.signIn(t, "/").cookie("elasticjob_session")
	with := func(r *http.Request) { r.AddCookie(session) }
	wantStatus(t, b.as(t, "", http.MethodGet, "/jobs", nil, with), http.StatusOK)
	out := s.open(t, http.MethodPost, "/logout")
	wantStatus(t, out, http.StatusSeeOther)
	again := b.as(t, "", http.MethodGet, "/jobs", nil, with)
	if got := again.Header.Get("Location"); got != "/login?next=%2Fjobs&reason=token_revoked" {
		t.Errorf("a copy of the old cookie leads to %q", got)
	}
	wantStatus(t, s.get(t, "/jobs"), http.StatusSeeOther)
}

// TestA41Sessions: a session from the provider ends as any other, is drawn out
// by nothing, opens pages only, and is over when the configuration changes.
func TestA41Sessions(t *testing.T) {
	t.Parallel()
	p := newIDP(t)
	key := []byte(strings.Repeat("k", 48))
	make := func(change ...func(*Options)) *bench {
		return newBench(t, append([]func(*Options){func(o *Options) { o.Key = key }}, change...)...)
	}
	b := make(withIDP(t, p))
	session := b.surfer(t).signIn(t, "/").cookie("elasticjob_session")
	opens := func(b *bench) bool {
		r := b.as(t, "", http.MethodGet, "/jobs", nil, func(r *http.Request) { r.AddCookie(session) })
		return r.StatusCode == http.StatusOK
	}
	if !opens(b) || !opens(make(withIDP(t, p))) {
		t.Error("another console with the same key and provider does not know the session")
	}
	for name, other := range map[string]*bench{
		"off":                make(),
		"another root group": make(withIDP(t, p), func(o *Options) { o.OIDC.RootGroup = "admins" }),
		"no root group":      make(withIDP(t, p), func(o *Options) { o.OIDC.RootGroup = "" }),
		"another provider":   make(withIDP(t, newIDP(t))),
	} {
		if opens(other) {
			t.Errorf("%s: the session goes on", name)
		}
	}
	wantStatus(t, b.as(t, "", http.MethodGet, "/api/me", nil, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+session.Value) }), http.StatusUnauthorized)
	who, why := b.console.auth.Verify(session.Value, auth.ForPages)
	if why != "" {
		t.Fatal(why)
	}
	if _, _, why := b.console.auth.Renew(who, auth.ForAPI); why != auth.TokenExpired {
		t.Errorf("renewed: %q", why)
	}
	b.pass(8*time.Hour + time.Second)
	if opens(b) {
		t.Error("the session lasts for more than eight hours")
	}
}

func TestA41IsThrottled(t *testing.T) {
	t.Parallel()
	p := newIDP(t)
	b := newBench(t, withIDP(t, p))
	s := b.surfer(t)
	for range 2 * auth.AddressBurst { // who is let in is not counted
		wantStatus(t, b.surfer(t).signIn(t, "/"), http.StatusSeeOther)
	}
	s.toProvider(t, "/") // without a flow nothing is counted
	for range auth.AddressBurst {
		wantStatus(t, s.get(t, oidcCallback+"?state=x&code=x"), http.StatusBadRequest)
	}
	back := s.toProvider(t, "/")
	r := s.get(t, back)
	wantStatus(t, r, http.StatusTooManyRequests)
	if r.Header.Get("Retry-After") == "" || b.lastRecord(t).Outcome != "too_many_attempts" {
		t.Errorf("Retry-After %q, audit %+v", r.Header.Get("Retry-After"), b.lastRecord(t))
	}
	b.pass(auth.AddressRefill)
	wantStatus(t, s.get(t, back), http.StatusSeeOther)
}

// TestV22CallbackWithoutAFlowCostsNothing: 30 answers that nobody asked for, as
// any page can make a browser of the same address send, keep nobody from signing
// in, with a password or at the provider.
func TestV22CallbackWithoutAFlowCostsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, withIDP(t, newIDP(t)))
	for range 3 * auth.AddressBurst {
		wantStatus(t, b.as(t, "", http.MethodGet, oidcCallback+"?state=x&code=x", nil), http.StatusBadRequest)
	}
	wantStatus(t, b.as(t, "", http.MethodPost, "/login", loginForm("guest", "wrong", "/")), http.StatusUnauthorized)
	wantStatus(t, b.as(t, "", http.MethodPost, "/login", loginForm("root", "r00t-Canary-7", "/")), http.StatusSeeOther)
	wantStatus(t, b.surfer(t).signIn(t, "/"), http.StatusSeeOther)
}

func TestA41Off(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, address := range []string{oidcRoute, oidcCallback} {
		wantStatus(t, b.as(t, "", http.MethodGet, address, nil), http.StatusNotFound)
		wantStatus(t, b.as(t, auth.RoleRoot, http.MethodPost, address, url.Values{}), http.StatusMethodNotAllowed)
	}
	if strings.Contains(b.as(t, "", http.MethodGet, "/login", nil).body, "login-other") {
		t.Error("a button for nothing")
	}
	if _, err := auth.ParseAccounts([]byte("root.username=oidc:alice\nroot.password=x\n")); err == nil {
		t.Error("an account can be named like somebody from a provider")
	}
	if _, err := New(Options{OIDC: &auth.OIDC{}}); err == nil || !strings.Contains(err.Error(), "OIDC.Provider") || !strings.Contains(err.Error(), "OIDC.RootGroup") {
		t.Errorf("options: %v", err)
	}
}

// TestV29FlowCookieOverTLS: no other host of the same site can plant a flow.
func TestV29FlowCookieOverTLS(t *testing.T) {
	t.Parallel()
	b := newBench(t, withIDP(t, newIDP(t)), func(o *Options) { o.SecureCookies = true })
	c := b.surfer(t).get(t, "/login/oidc").cookie("__Host-elasticjob_oidc")
	if c == nil || !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" {
		t.Errorf("flow cookie %v", c)
	}
}
