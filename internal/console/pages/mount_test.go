package pages

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// mountedBench is a console below /ops behind a proxy that leaves everything else
// to another program, and passes paths on as they are or without the base.
func mountedBench(t *testing.T, strip bool, change ...func(*app.Options)) *consoletest.Bench {
	t.Helper()
	b := consoletest.New(t, append(change, func(o *app.Options) { o.BasePath = "/ops" })...)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/ops" && !strings.HasPrefix(r.URL.Path, "/ops/") {
			http.Error(w, "another program", http.StatusTeapot)
			return
		}
		if strip {
			http.StripPrefix("/ops", b.Console).ServeHTTP(w, r)
			return
		}
		b.Console.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	b.URL = proxy.URL
	return b
}

// TestA57V31BelowAPath: every link, form, file and redirect of a console below a
// path stays there, and works, whether the proxy takes the path off or not.
func TestA57V31BelowAPath(t *testing.T) {
	t.Parallel()
	for _, strip := range []bool{false, true} {
		b := mountedBench(t, strip)
		in := b.As(t, "", http.MethodPost, "/ops/login", consoletest.LoginForm("root", "r00t-Canary-7", "/jobs?status=OK"))
		session := in.Cookie("elasticjob_session")
		if consoletest.WantStatus(t, in, http.StatusSeeOther); in.Header.Get("Location") != "/ops/jobs?status=OK" || session == nil || session.Path != "/ops" {
			t.Fatalf("signed in: to %q with %v", in.Header.Get("Location"), session)
		}
		with := func(r *http.Request) { r.AddCookie(session) }

		followLinks(t, b, with)

		order := b.As(t, "", http.MethodPost, "/ops/jobs/invoices/trigger", url.Values{"return": {"/jobs"}}, with)
		if consoletest.WantStatus(t, order, http.StatusSeeOther); order.Header.Get("Location") != "/ops/jobs" || order.Cookie(app.FlashCookie).Path != "/ops" {
			t.Errorf("after an action: to %q", order.Header.Get("Location"))
		}
		late := b.As(t, "", http.MethodPost, "/ops/jobs/invoices/trigger", url.Values{}, func(r *http.Request) { r.Header.Set("Referer", b.URL+"/ops/jobs/invoices") })
		if got := late.Header.Get("Location"); got != "/ops/login?next=%2Fjobs%2Finvoices" {
			t.Errorf("nobody: to %q", got)
		}
		api := b.As(t, "", http.MethodGet, "/ops/api/openapi.json", nil, func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+b.Token(t, auth.RoleGuest, auth.ForAPI))
		})
		if consoletest.WantStatus(t, api, http.StatusOK); !strings.Contains(api.Body, `"servers":[{"url":"/ops"}]`) {
			t.Errorf("the document does not say where it is: %s", view.Clip(api.Body, 200))
		}
		consoletest.WantStatus(t, b.As(t, "", http.MethodGet, "/ops/healthz", nil), http.StatusOK)
		consoletest.WantStatus(t, b.As(t, "", http.MethodGet, "/opsx", nil), http.StatusTeapot)
	}
}

// followLinks: each link of each page stays below the path.
func followLinks(t *testing.T, b *consoletest.Bench, with func(r *http.Request)) {
	seen := []string{}
	for todo := []string{"/ops/", "/ops/login", "/ops/jobs/nope"}; len(todo) > 0; todo = todo[1:] {
		path, _, _ := strings.Cut(todo[0], "#")
		if slices.Contains(seen, path) || len(seen) > 150 {
			continue
		}
		seen = append(seen, path)
		r := b.As(t, "", http.MethodGet, path, nil, with)
		if r.StatusCode >= 400 && path != "/ops/jobs/nope" && !strings.HasPrefix(path, "/ops/registry/") {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
		if r.StatusCode/100 == 3 && !strings.HasPrefix(r.Header.Get("Location"), "/ops/") {
			t.Errorf("%s leads to %s", path, r.Header.Get("Location"))
		}
		if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
			continue
		}
		r.Doc(t).Find("*").Each(func(_ int, s *goquery.Selection) {
			for _, name := range []string{"href", "action", "formaction", "src", "poster", "data", "srcset"} {
				target, ok := s.Attr(name)
				if !ok || strings.HasPrefix(target, "#") {
					continue
				}
				if !strings.HasPrefix(target, "/ops/") || strings.HasPrefix(target, "/ops/ops/") {
					t.Errorf("%s: %s leads to %s", path, name, target)
				} else if name != "action" && name != "formaction" && s.Closest("template").Length() == 0 {
					todo = append(todo, target)
				}
			}
		})
	}
	for _, want := range []string{"/ops/jobs", "/ops/jobs/invoices", "/ops/servers", "/ops/runs", "/ops/audit", "/ops/registries", "/ops/registry/billing/jobs"} {
		if !slices.Contains(seen, want) {
			t.Errorf("nothing leads to %s", want)
		}
	}
	if !slices.ContainsFunc(seen, func(path string) bool { return strings.HasPrefix(path, "/ops/static/app.") }) {
		t.Errorf("no file was loaded; seen %q", seen)
	}
}

// TestV29FlowCookieBelowAPath: a cookie for the whole host is not what a console
// below a path may set.
func TestV29FlowCookieBelowAPath(t *testing.T) {
	t.Parallel()
	b := mountedBench(t, false, consoletest.WithIDP(t, consoletest.NewIDP(t)), func(o *app.Options) { o.SecureCookies = true })
	c := b.Surfer(t).Get(t, "/ops/login/oidc").Cookie("__Secure-elasticjob_oidc")
	if c == nil || !c.Secure || c.Path != "/ops"+app.OIDCCallback {
		t.Errorf("flow cookie %v", c)
	}
}
