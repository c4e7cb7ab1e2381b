package console

import (
	"encoding/json"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
)

func loginForm(username, password, next string) url.Values {
	return url.Values{"username": {username}, "password": {password}, "next": {next}}
}

func TestLoginAndLogout(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := b.as(t, "", http.MethodPost, "/login", loginForm("guest", "gu3st-Canary-7", "/jobs?status=OK"))
	wantStatus(t, r, http.StatusSeeOther)
	if got := r.Header.Get("Location"); got != "/jobs?status=OK" {
		t.Errorf("after signing in: to %q", got)
	}
	session := r.cookie("elasticjob_session")
	if session == nil || !session.HttpOnly || session.SameSite != http.SameSiteLaxMode || session.MaxAge != 8*3600 {
		t.Fatalf("session cookie %v", session)
	}
	with := func(r *http.Request) { r.AddCookie(session) }
	page := b.as(t, "", http.MethodGet, "/jobs", nil, with)
	wantStatus(t, page, 200)
	if got := page.text(t, "user"); got != "guest guest, read only" {
		t.Errorf("user %q", got)
	}

	out := b.as(t, "", http.MethodPost, "/logout", url.Values{}, with)
	wantStatus(t, out, http.StatusSeeOther)
	if c := out.cookie("elasticjob_session"); c == nil || c.MaxAge >= 0 {
		t.Errorf("the cookie is not deleted: %v", c)
	}
	again := b.as(t, "", http.MethodGet, "/jobs", nil, with)
	wantStatus(t, again, http.StatusSeeOther)
	if got := again.Header.Get("Location"); got != "/login?next=%2Fjobs&reason=token_revoked" {
		t.Errorf("a copy of the old cookie leads to %q", got)
	}
}

func TestLoginDoesNotLeave(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, next := range []string{"//evil.example", "https://evil.example/", `/\evil.example`, "/login"} {
		r := b.as(t, "", http.MethodPost, "/login", loginForm("root", "r00t-Canary-7", next))
		if got := r.Header.Get("Location"); got != "/" {
			t.Errorf("next %q leads to %q", next, got)
		}
		page := b.as(t, "", http.MethodGet, "/login?next="+url.QueryEscape(next), nil)
		if got := page.doc(t).Find("input[name=next]").AttrOr("value", ""); got != "/" {
			t.Errorf("next %q is kept as %q", next, got)
		}
		signedIn := b.as(t, auth.RoleRoot, http.MethodGet, "/login?next="+url.QueryEscape(next), nil)
		if got := signedIn.Header.Get("Location"); got != "/" {
			t.Errorf("signed in already, next %q leads to %q", next, got)
		}
	}
}

// Nothing may tell an unknown name from a wrong password.
func TestC04LoginSameAnswer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	wrong := b.as(t, "", http.MethodPost, "/login", loginForm("root", "wrong", "/"))
	unknown := b.as(t, "", http.MethodPost, "/login", loginForm("eve!", "wrong", "/"))
	wantStatus(t, wrong, http.StatusUnauthorized)
	if strings.ReplaceAll(unknown.body, "eve!", "root") != wrong.body || unknown.StatusCode != wrong.StatusCode {
		t.Error("the pages differ")
	}
	if got := wrong.text(t, "notice"); got != wrongPassword {
		t.Errorf("notice %q", got)
	}
	if v := wrong.doc(t).Find("input[name=password]").AttrOr("value", ""); v != "" {
		t.Error("the password comes back")
	}
	api := func(user string) reply {
		return b.as(t, "", http.MethodPost, "/api/login", nil, jsonBody(`{"username":"`+user+`","password":"wrong"}`))
	}
	a, e := api("root"), api("eve!")
	var wrongBody, unknownBody errorBody
	if json.Unmarshal([]byte(a.body), &wrongBody) != nil || json.Unmarshal([]byte(e.body), &unknownBody) != nil {
		t.Fatalf("bodies %q and %q", a.body, e.body)
	}
	wrongBody.RequestID, unknownBody.RequestID = "", ""
	if !cmp.Equal(wrongBody, unknownBody) || a.StatusCode != 401 || e.StatusCode != 401 {
		t.Errorf("%+v and %+v", wrongBody, unknownBody)
	}
	if !strings.Contains(b.log.String(), "authentication_failed=true") || !strings.Contains(b.log.String(), "remote=127.0.0.1") {
		t.Error("the log lacks the failed attempts")
	}
}

func jsonBody(text string) func(*http.Request) {
	return func(r *http.Request) {
		fresh, err := http.NewRequest(r.Method, r.URL.String(), strings.NewReader(text))
		if err != nil {
			panic(err)
		}
		r.Body, r.ContentLength, r.GetBody = fresh.Body, fresh.ContentLength, fresh.GetBody
		r.Header.Set("Content-Type", "application/json")
	}
}

func TestLoginIsThrottled(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range auth.AccountBurst {
		wantStatus(t, b.as(t, "", http.MethodPost, "/login", loginForm("root", "wrong"+strconv.Itoa(i), "/")), http.StatusUnauthorized)
	}
	page := b.as(t, "", http.MethodPost, "/login", loginForm("root", "r00t-Canary-7", "/"))
	wantStatus(t, page, http.StatusTooManyRequests)
	seconds, err := strconv.Atoi(page.Header.Get("Retry-After"))
	if err != nil || seconds < 1 || seconds > int(auth.AccountRefill.Seconds()) {
		t.Errorf("Retry-After %q", page.Header.Get("Retry-After"))
	}
	api := b.as(t, "", http.MethodPost, "/api/login", nil, jsonBody(`{"username":"root","password":"r00t-Canary-7"}`))
	wantStatus(t, api, http.StatusTooManyRequests)
	if api.Header.Get("Retry-After") == "" || !strings.Contains(api.body, `"too_many_attempts"`) {
		t.Errorf("API: Retry-After %q, body %s", api.Header.Get("Retry-After"), api.body)
	}
	b.pass(time.Duration(seconds) * time.Second)
	wantStatus(t, b.as(t, "", http.MethodPost, "/login", loginForm("root", "r00t-Canary-7", "/")), http.StatusSeeOther)
}

func TestExpiredSession(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	pageToken, apiToken := b.token(t, auth.RoleRoot, auth.ForPages), b.token(t, auth.RoleRoot, auth.ForAPI)
	b.pass(8*time.Hour + time.Second)
	cookie := func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: pageToken}) }

	r := b.as(t, "", http.MethodGet, "/jobs?q=mail", nil, cookie)
	wantStatus(t, r, http.StatusSeeOther)
	login := b.as(t, "", http.MethodGet, r.Header.Get("Location"), nil)
	if got := login.text(t, "notice"); !strings.Contains(got, "Your session has expired.") {
		t.Errorf("notice %q", got)
	}
	if got := login.doc(t).Find("input[name=next]").AttrOr("value", ""); got != "/jobs?q=mail" {
		t.Errorf("next %q", got)
	}

	// An order that came too late leads back to its page, not to itself.
	order := b.as(t, "", http.MethodPost, "/jobs/invoices/trigger", url.Values{}, cookie, func(r *http.Request) { r.Header.Set("Referer", b.URL+"/jobs/invoices") })
	if got := order.Header.Get("Location"); got != "/login?next=%2Fjobs%2Finvoices&reason=token_expired" {
		t.Errorf("an order after the end leads to %q", got)
	}
	foreign := b.as(t, "", http.MethodPost, "/jobs/invoices/trigger", url.Values{}, cookie, func(r *http.Request) { r.Header.Set("Referer", "https://evil.example/jobs/invoices") })
	if got := foreign.Header.Get("Location"); got != "/login?reason=token_expired" {
		t.Errorf("a foreign referer leads to %q", got)
	}
	if len(b.registry.given()) > 0 {
		t.Error("the order was carried out")
	}

	api := b.as(t, "", http.MethodGet, "/api/jobs", nil, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+apiToken) })
	wantStatus(t, api, http.StatusUnauthorized)
	if !strings.Contains(api.body, `"code":"token_expired"`) || !strings.Contains(api.body, "expired") || api.Header.Get("WWW-Authenticate") == "" {
		t.Errorf("API: %s", api.body)
	}
}

func TestAPILoginAndLogout(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := b.as(t, "", http.MethodPost, "/api/login", nil, jsonBody(`{"username":"root","password":"r00t-Canary-7","remember":true}`))
	wantStatus(t, r, 200)
	var body loginResponse
	if err := json.Unmarshal([]byte(r.body), &body); err != nil || body.Username != "root" || body.AccessToken == "" || body.ExpiresAt != "2026-11-21T20:00:07Z" {
		t.Fatalf("body %s", r.body)
	}
	token := func(r *http.Request) { r.Header.Set("Authorization", "bearer "+body.AccessToken) }
	wantStatus(t, b.as(t, "", http.MethodGet, "/api/jobs/count", nil, token), 200)
	wantStatus(t, b.as(t, "", http.MethodPost, "/api/logout", nil, token), 204)
	wantStatus(t, b.as(t, "", http.MethodGet, "/api/jobs/count", nil, token), 401)

	for _, bad := range []string{"", "nonsense", `{"username":1}`, `{"username":"root"} {"more":1}`, `[]`} {
		wantStatus(t, b.as(t, "", http.MethodPost, "/api/login", nil, jsonBody(bad)), 400)
	}
}

func TestTheme(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := b.as(t, "", http.MethodPost, "/theme", url.Values{"theme": {"dark"}, "return": {"/jobs?q=x"}})
	wantStatus(t, r, http.StatusSeeOther)
	if r.Header.Get("Location") != "/jobs?q=x" || r.cookie(themeCookie).Value != "dark" {
		t.Errorf("to %q with %v", r.Header.Get("Location"), r.Cookies())
	}
	dark := b.as(t, "", http.MethodGet, "/login", nil, func(req *http.Request) { req.AddCookie(r.cookie(themeCookie)) })
	if got := dark.doc(t).Find("html").AttrOr("data-theme", ""); got != "dark" {
		t.Errorf("data-theme %q", got)
	}
	hostile := b.as(t, "", http.MethodGet, "/login", nil, func(req *http.Request) { req.AddCookie(&http.Cookie{Name: themeCookie, Value: "purple"}) })
	if got := hostile.doc(t).Find("html").AttrOr("data-theme", ""); got != "auto" {
		t.Errorf("data-theme of a made-up theme %q", got)
	}
	away := b.as(t, "", http.MethodPost, "/theme", url.Values{"theme": {"light"}, "return": {"//evil.example"}})
	if got := away.Header.Get("Location"); got != "/" {
		t.Errorf("leads to %q", got)
	}
}

// TestV29PasswordsComparedAtOnce: comparing passwords never takes all processors.
// Whose turn does not come is told to try again, and it costs no attempt.
func TestV29PasswordsComparedAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *Options) { o.ReadTimeout = 20 * time.Millisecond })
	if auth.Judges() > max(1, runtime.GOMAXPROCS(0)/2) {
		t.Fatalf("%d passwords are compared at once", auth.Judges())
	}
	taken, release := make(chan struct{}), make(chan struct{})
	var others sync.WaitGroup
	for range auth.Judges() {
		others.Go(func() {
			b.console.auth.Judge(t.Context(), func() {
				taken <- struct{}{}
				<-release
			})
		})
		<-taken
	}
	for range 2 * auth.AccountBurst {
		r := b.as(t, "", http.MethodPost, "/login", loginForm("root", "r00t-Canary-7", "/"))
		wantStatus(t, r, http.StatusTooManyRequests)
		if r.Header.Get("Retry-After") != "1" {
			t.Errorf("Retry-After %q", r.Header.Get("Retry-After"))
		}
	}
	close(release)
	others.Wait()
	wantStatus(t, b.as(t, "", http.MethodPost, "/login", loginForm("root", "r00t-Canary-7", "/")), http.StatusSeeOther)
}
