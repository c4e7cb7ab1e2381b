package pages

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

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

func TestLoginAndLogout(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("guest", "gu3st-Canary-7", "/jobs?status=OK"))
	consoletest.WantStatus(t, r, http.StatusSeeOther)
	if got := r.Header.Get("Location"); got != "/jobs?status=OK" {
		t.Errorf("after signing in: to %q", got)
	}
	session := r.Cookie("elasticjob_session")
	if session == nil || !session.HttpOnly || session.SameSite != http.SameSiteLaxMode || session.MaxAge != 8*3600 {
		t.Fatalf("session cookie %v", session)
	}
	with := func(r *http.Request) { r.AddCookie(session) }
	page := b.As(t, "", http.MethodGet, "/jobs", nil, with)
	consoletest.WantStatus(t, page, 200)
	if got := page.Text(t, "user"); got != "guest viewer, read only" {
		t.Errorf("user %q", got)
	}

	out := b.As(t, "", http.MethodPost, "/logout", url.Values{}, with)
	consoletest.WantStatus(t, out, http.StatusSeeOther)
	if c := out.Cookie("elasticjob_session"); c == nil || c.MaxAge >= 0 {
		t.Errorf("the cookie is not deleted: %v", c)
	}
	again := b.As(t, "", http.MethodGet, "/jobs", nil, with)
	consoletest.WantStatus(t, again, http.StatusSeeOther)
	if got := again.Header.Get("Location"); got != "/login?next=%2Fjobs&reason=token_revoked" {
		t.Errorf("a copy of the old cookie leads to %q", got)
	}
}

func TestLoginDoesNotLeave(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, next := range []string{"//evil.example", "https://evil.example/", `/\evil.example`, "/login"} {
		r := b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("root", "r00t-Canary-7", next))
		if got := r.Header.Get("Location"); got != "/" {
			t.Errorf("next %q leads to %q", next, got)
		}
		page := b.As(t, "", http.MethodGet, "/login?next="+url.QueryEscape(next), nil)
		if got := page.Doc(t).Find("input[name=next]").AttrOr("value", ""); got != "/" {
			t.Errorf("next %q is kept as %q", next, got)
		}
		signedIn := b.As(t, auth.RoleRoot, http.MethodGet, "/login?next="+url.QueryEscape(next), nil)
		if got := signedIn.Header.Get("Location"); got != "/" {
			t.Errorf("signed in already, next %q leads to %q", next, got)
		}
	}
}

// Nothing may tell an unknown name from a wrong password.
func TestC04LoginSameAnswer(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	wrong := b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("root", "wrong", "/"))
	unknown := b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("eve!", "wrong", "/"))
	consoletest.WantStatus(t, wrong, http.StatusUnauthorized)
	if strings.ReplaceAll(unknown.Body, "eve!", "root") != wrong.Body || unknown.StatusCode != wrong.StatusCode {
		t.Error("the pages differ")
	}
	if got := wrong.Text(t, "notice"); got != i18n.English.SignInWrong() {
		t.Errorf("notice %q", got)
	}
	if v := wrong.Doc(t).Find("input[name=password]").AttrOr("value", ""); v != "" {
		t.Error("the password comes back")
	}
	ask := func(user string) consoletest.Reply {
		return b.As(t, "", http.MethodPost, "/api/login", nil, consoletest.JSONBody(`{"username":"`+user+`","password":"wrong"}`))
	}
	a, e := ask("root"), ask("eve!")
	var wrongBody, unknownBody api.ErrorBody
	if json.Unmarshal([]byte(a.Body), &wrongBody) != nil || json.Unmarshal([]byte(e.Body), &unknownBody) != nil {
		t.Fatalf("bodies %q and %q", a.Body, e.Body)
	}
	wrongBody.RequestID, unknownBody.RequestID = "", ""
	if !cmp.Equal(wrongBody, unknownBody) || a.StatusCode != http.StatusUnauthorized || e.StatusCode != http.StatusUnauthorized {
		t.Errorf("%+v and %+v", wrongBody, unknownBody)
	}
	if !strings.Contains(b.Log.String(), "authentication_failed=true") || !strings.Contains(b.Log.String(), "remote=127.0.0.1") {
		t.Error("the log lacks the failed attempts")
	}
}

func TestLoginIsThrottled(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for i := range auth.AccountBurst {
		consoletest.WantStatus(t, b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("root", "wrong"+strconv.Itoa(i), "/")), http.StatusUnauthorized)
	}
	page := b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("root", "r00t-Canary-7", "/"))
	consoletest.WantStatus(t, page, http.StatusTooManyRequests)
	seconds, err := strconv.Atoi(page.Header.Get("Retry-After"))
	if err != nil || seconds < 1 || seconds > int(auth.AccountRefill.Seconds()) {
		t.Errorf("Retry-After %q", page.Header.Get("Retry-After"))
	}
	api := b.As(t, "", http.MethodPost, "/api/login", nil, consoletest.JSONBody(`{"username":"root","password":"r00t-Canary-7"}`))
	consoletest.WantStatus(t, api, http.StatusTooManyRequests)
	if api.Header.Get("Retry-After") == "" || !strings.Contains(api.Body, `"too_many_attempts"`) {
		t.Errorf("API: Retry-After %q, body %s", api.Header.Get("Retry-After"), api.Body)
	}
	b.Pass(time.Duration(seconds) * time.Second)
	consoletest.WantStatus(t, b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("root", "r00t-Canary-7", "/")), http.StatusSeeOther)
}

func TestExpiredSession(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	pageToken, apiToken := b.Token(t, auth.RoleRoot, auth.ForPages), b.Token(t, auth.RoleRoot, auth.ForAPI)
	b.Pass(8*time.Hour + time.Second)
	cookie := func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: pageToken}) }

	r := b.As(t, "", http.MethodGet, "/jobs?q=mail", nil, cookie)
	consoletest.WantStatus(t, r, http.StatusSeeOther)
	login := b.As(t, "", http.MethodGet, r.Header.Get("Location"), nil)
	if got := login.Text(t, "notice"); !strings.Contains(got, "Your session has expired.") {
		t.Errorf("notice %q", got)
	}
	if got := login.Doc(t).Find("input[name=next]").AttrOr("value", ""); got != "/jobs?q=mail" {
		t.Errorf("next %q", got)
	}

	// An action that came too late leads back to its page, not to itself.
	order := b.As(t, "", http.MethodPost, "/jobs/invoices/trigger", url.Values{}, cookie, func(r *http.Request) { r.Header.Set("Referer", b.URL+"/jobs/invoices") })
	if got := order.Header.Get("Location"); got != "/login?next=%2Fjobs%2Finvoices&reason=token_expired" {
		t.Errorf("an action after the end leads to %q", got)
	}
	foreign := b.As(t, "", http.MethodPost, "/jobs/invoices/trigger", url.Values{}, cookie, func(r *http.Request) { r.Header.Set("Referer", "https://evil.example/jobs/invoices") })
	if got := foreign.Header.Get("Location"); got != "/login?reason=token_expired" {
		t.Errorf("a foreign referer leads to %q", got)
	}
	if len(b.Registry.Given()) > 0 {
		t.Error("the action was carried out")
	}

	api := b.As(t, "", http.MethodGet, "/api/jobs", nil, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+apiToken) })
	consoletest.WantStatus(t, api, http.StatusUnauthorized)
	if !strings.Contains(api.Body, `"code":"token_expired"`) || !strings.Contains(api.Body, "expired") || api.Header.Get("WWW-Authenticate") == "" {
		t.Errorf("API: %s", api.Body)
	}
}

func TestTheme(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := b.As(t, "", http.MethodPost, "/theme", url.Values{"theme": {"dark"}, "return": {"/jobs?q=x"}})
	consoletest.WantStatus(t, r, http.StatusSeeOther)
	if r.Header.Get("Location") != "/jobs?q=x" || r.Cookie(app.ThemeCookie).Value != "dark" {
		t.Errorf("to %q with %v", r.Header.Get("Location"), r.Cookies())
	}
	dark := b.As(t, "", http.MethodGet, "/login", nil, func(req *http.Request) { req.AddCookie(r.Cookie(app.ThemeCookie)) })
	if got := dark.Doc(t).Find("html").AttrOr("data-theme", ""); got != "dark" {
		t.Errorf("data-theme %q", got)
	}
	hostile := b.As(t, "", http.MethodGet, "/login", nil, func(req *http.Request) { req.AddCookie(&http.Cookie{Name: app.ThemeCookie, Value: "purple"}) })
	if got := hostile.Doc(t).Find("html").AttrOr("data-theme", ""); got != "auto" {
		t.Errorf("data-theme of a made-up theme %q", got)
	}
	away := b.As(t, "", http.MethodPost, "/theme", url.Values{"theme": {"light"}, "return": {"//evil.example"}})
	if got := away.Header.Get("Location"); got != "/" {
		t.Errorf("leads to %q", got)
	}
}

// TestV29PasswordsComparedAtOnce: comparing passwords never takes all processors.
// Whose turn does not come is asked to try again, and it costs no attempt.
func TestV29PasswordsComparedAtOnce(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.ReadTimeout = 20 * time.Millisecond })
	if auth.Judges() > max(1, runtime.GOMAXPROCS(0)/2) {
		t.Fatalf("%d passwords are compared at once", auth.Judges())
	}
	taken, release := make(chan struct{}), make(chan struct{})
	var others sync.WaitGroup
	for range auth.Judges() {
		others.Go(func() {
			b.Console.Auth.Judge(t.Context(), func() {
				taken <- struct{}{}
				<-release
			})
		})
		<-taken
	}
	for range 2 * auth.AccountBurst {
		r := b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("root", "r00t-Canary-7", "/"))
		consoletest.WantStatus(t, r, http.StatusTooManyRequests)
		if r.Header.Get("Retry-After") != "1" {
			t.Errorf("Retry-After %q", r.Header.Get("Retry-After"))
		}
	}
	close(release)
	others.Wait()
	consoletest.WantStatus(t, b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("root", "r00t-Canary-7", "/")), http.StatusSeeOther)
}

// TestLanguageOfPages: the choice of the reader comes before that of the browser,
// whether signed in or not; the REST interface speaks English.
func TestLanguageOfPages(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	prefers := func(header string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Accept-Language", header) }
	}
	chosen := b.As(t, "", http.MethodPost, "/language", url.Values{"language": {"zh-CN"}, "return": {"/jobs?q=x"}})
	consoletest.WantStatus(t, chosen, http.StatusSeeOther)
	if chosen.Header.Get("Location") != "/jobs?q=x" || chosen.Cookie(app.LanguageCookie).Value != "zh-CN" {
		t.Errorf("after the choice: to %q with %v", chosen.Header.Get("Location"), chosen.Cookie(app.LanguageCookie))
	}
	chinese := func(r *http.Request) { r.AddCookie(chosen.Cookie(app.LanguageCookie)) }
	// As it comes over the wire: net/http would drop what no cookie may have, and log it.
	hostile := func(r *http.Request) { r.Header.Add("Cookie", app.LanguageCookie+`="><b>`) }
	for _, c := range []struct {
		name, path string
		role       auth.Role
		with       []func(*http.Request)
		lang, word string
	}{
		{"nothing said", "/login", "", nil, "en", "Password"},
		{"the browser's", "/login", "", []func(*http.Request){prefers("zh-CN,zh;q=0.9,en;q=0.8")}, "zh-CN", "密码"},
		{"another", "/login", "", []func(*http.Request){prefers("fr")}, "en", "Password"},
		{"the reader's", "/login", "", []func(*http.Request){chinese, prefers("en")}, "zh-CN", "密码"},
		{"a cookie of somebody else", "/login", "", []func(*http.Request){hostile}, "en", "Password"},
		{"signed in", "/jobs", auth.RoleGuest, []func(*http.Request){chinese}, "zh-CN", "退出登录"},
		{"an error", "/nowhere", auth.RoleRoot, []func(*http.Request){chinese}, "zh-CN", "此地址没有内容。"},
	} {
		r := b.As(t, c.role, http.MethodGet, c.path, nil, c.with...)
		if lang := r.Doc(t).Find("html").AttrOr("lang", ""); lang != c.lang || !strings.Contains(r.Body, c.word) {
			t.Errorf("%s: lang=%q, with %q: %t", c.name, lang, c.word, strings.Contains(r.Body, c.word))
		}
	}
	if r := b.As(t, auth.RoleRoot, http.MethodGet, "/api/nowhere", nil, chinese); !strings.Contains(r.Body, "There is nothing at this address.") {
		t.Errorf("the REST interface in Chinese: %s", r.Body)
	}
	away := b.As(t, "", http.MethodPost, "/language", url.Values{"language": {"tlh"}, "return": {"//evil.example"}})
	if away.Header.Get("Location") != "/" || away.Cookie(app.LanguageCookie).MaxAge >= 0 {
		t.Errorf("a language that nobody speaks: to %q with %v", away.Header.Get("Location"), away.Cookie(app.LanguageCookie))
	}
}
