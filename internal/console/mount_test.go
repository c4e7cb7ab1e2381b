package console

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// mountedBench is a console below /ops behind a proxy that leaves everything else
// to another program, and passes paths on as they are or without the base.
func mountedBench(t *testing.T, strip bool, change ...func(*Options)) *bench {
	t.Helper()
	b := newBench(t, append(change, func(o *Options) { o.BasePath = "/ops" })...)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/ops" && !strings.HasPrefix(r.URL.Path, "/ops/") {
			http.Error(w, "another program", http.StatusTeapot)
			return
		}
		if strip {
			http.StripPrefix("/ops", b.console).ServeHTTP(w, r)
			return
		}
		b.console.ServeHTTP(w, r)
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
		in := b.as(t, "", http.MethodPost, "/ops/login", loginForm("root", "r00t-Canary-7", "/jobs?status=OK"))
		session := in.cookie("elasticjob_session")
		if wantStatus(t, in, http.StatusSeeOther); in.Header.Get("Location") != "/ops/jobs?status=OK" || session == nil || session.Path != "/ops" {
			t.Fatalf("signed in: to %q with %v", in.Header.Get("Location"), session)
		}
		with := func(r *http.Request) { r.AddCookie(session) }

		seen := []string{}
		for todo := []string{"/ops/", "/ops/login", "/ops/jobs/nope"}; len(todo) > 0; todo = todo[1:] {
			path, _, _ := strings.Cut(todo[0], "#")
			if slices.Contains(seen, path) || len(seen) > 150 {
				continue
			}
			seen = append(seen, path)
			r := b.as(t, "", http.MethodGet, path, nil, with)
			if r.StatusCode >= 400 && path != "/ops/jobs/nope" && !strings.HasPrefix(path, "/ops/registry/") {
				t.Errorf("%s: status %d", path, r.StatusCode)
			}
			if r.StatusCode/100 == 3 && !strings.HasPrefix(r.Header.Get("Location"), "/ops/") {
				t.Errorf("%s leads to %s", path, r.Header.Get("Location"))
			}
			if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
				continue
			}
			r.doc(t).Find("*").Each(func(_ int, s *goquery.Selection) {
				for _, name := range []string{"href", "action", "formaction", "src", "poster", "data", "srcset"} {
					target, ok := s.Attr(name)
					if !ok || strings.HasPrefix(target, "#") {
						continue
					}
					if !strings.HasPrefix(target, "/ops/") || strings.HasPrefix(target, "/ops/ops/") {
						t.Errorf("%s: %s leads to %s", path, name, target)
					} else if name != "action" {
						todo = append(todo, target)
					}
				}
			})
		}
		for _, want := range []string{"/ops/jobs", "/ops/jobs/invoices", "/ops/servers", "/ops/executions", "/ops/audit", "/ops/registries", "/ops/registry/billing/jobs"} {
			if !slices.Contains(seen, want) {
				t.Errorf("nothing leads to %s", want)
			}
		}
		if !slices.ContainsFunc(seen, func(path string) bool { return strings.HasPrefix(path, "/ops/static/app.") }) {
			t.Errorf("no file was loaded; seen %q", seen)
		}

		order := b.as(t, "", http.MethodPost, "/ops/jobs/invoices/trigger", url.Values{"return": {"/jobs"}}, with)
		if wantStatus(t, order, http.StatusSeeOther); order.Header.Get("Location") != "/ops/jobs" || order.cookie(flashCookie).Path != "/ops" {
			t.Errorf("after an order: to %q", order.Header.Get("Location"))
		}
		late := b.as(t, "", http.MethodPost, "/ops/jobs/invoices/trigger", url.Values{}, func(r *http.Request) { r.Header.Set("Referer", b.URL+"/ops/jobs/invoices") })
		if got := late.Header.Get("Location"); got != "/ops/login?next=%2Fjobs%2Finvoices" {
			t.Errorf("nobody: to %q", got)
		}
		api := b.as(t, "", http.MethodGet, "/ops"+openapiRoute, nil, func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+b.token(t, auth.RoleGuest, auth.ForAPI))
		})
		if wantStatus(t, api, http.StatusOK); !strings.Contains(api.body, `"servers":[{"url":"/ops"}]`) {
			t.Errorf("the document does not say where it is: %s", view.Clip(api.body, 200))
		}
		wantStatus(t, b.as(t, "", http.MethodGet, "/ops/healthz", nil), http.StatusOK)
		wantStatus(t, b.as(t, "", http.MethodGet, "/opsx", nil), http.StatusTeapot)
	}
}

// TestV29FlowCookieBelowAPath: a cookie for the whole host is not what a console
// below a path may set.
func TestV29FlowCookieBelowAPath(t *testing.T) {
	t.Parallel()
	b := mountedBench(t, false, withIDP(t, newIDP(t)), func(o *Options) { o.SecureCookies = true })
	c := b.surfer(t).get(t, "/ops/login/oidc").cookie("__Secure-elasticjob_oidc")
	if c == nil || !c.Secure || c.Path != "/ops"+oidcCallback {
		t.Errorf("flow cookie %v", c)
	}
}

func TestParseBasePath(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "/": "", "/ops": "/ops", "/ops/": "/ops", "/team/ops_1.2": "/team/ops_1.2"} {
		if got, err := ParseBasePath(text); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"ops", "//ops", "/ops//x", "/..", "/ops/../x", "/ops?x", "/o ps", "/ops%2Fx", `/ops"x`, "/jobs", "/api/x", "https://x/ops"} {
		if got, err := ParseBasePath(text); err == nil {
			t.Errorf("%q is taken as %q", text, got)
		}
	}
	if _, err := New(Options{BasePath: "/ops/"}); err == nil || !strings.Contains(err.Error(), "BasePath") {
		t.Errorf("options: %v", err)
	}
}

// TestV29LinksOfARegistryWithAnEntityInItsName: the name is escaped for the
// address and then for the page, or "a&lt;b" would become "a<b".
func TestV29LinksOfARegistryWithAnEntityInItsName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a&lt;b", "a&ltb", "a&amp", "a'b", "R&D", "a&quot;onclick=alert(1)"} {
		var page strings.Builder
		ctx := ui.WithLinks(t.Context(), func(path string) string { return registryPath(name) + path })
		for _, c := range []templ.Component{
			ui.EmptyView(ui.Empty{Href: "/jobs?q=1&p=2", Label: "x"}), ui.ActionView(ui.Action{Href: "/jobs/x/trigger"}),
		} {
			if err := c.Render(ctx, &page); err != nil {
				t.Fatal(err)
			}
		}
		doc := reply{body: page.String()}.doc(t)
		href, action := doc.Find("a").AttrOr("href", ""), doc.Find("form").AttrOr("action", "")
		if href != registryPath(name)+"/jobs?q=1&p=2" || action != registryPath(name)+"/jobs/x/trigger" {
			t.Errorf("%q: %s and %s in %s", name, href, action, page.String())
		}
		r := httptest.NewRequest(http.MethodGet, href, nil)
		if inner, ok := within(r); !ok || inner.URL.Path != "/jobs" || inner.Context().Value(placeKey{}).(place).name != name {
			t.Errorf("%q: the link %s leads to another registry", name, href)
		}
	}
}
