package pages

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestC06EveryAnswerIsHardened: of every route to everybody, and of what is none.
func TestC06EveryAnswerIsHardened(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	check := func(r consoletest.Reply, target string) {
		t.Helper()
		for header, want := range map[string]string{
			"Content-Security-Policy": app.ContentPolicy,
			"X-Content-Type-Options":  "nosniff",
			"X-Frame-Options":         "DENY",
			"Referrer-Policy":         "same-origin",
			"Cache-Control":           "no-store",
		} {
			if got := r.Header.Get(header); got != want {
				t.Errorf("%s: %s is %q, want %q", target, header, got, want)
			}
		}
		if r.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s: no request id", target)
		}
	}
	for _, target := range []string{"/nowhere", "/api/nowhere", "/api/jobs/invoices/trigger", "/jobs/nope"} {
		check(b.As(t, auth.RoleRoot, http.MethodGet, target, nil), "GET "+target)
	}
	for _, r := range b.Console.Routes() {
		if r.Path == app.StaticRoute {
			continue // the same for everybody, and kept
		}
		for _, who := range []auth.Role{auth.RoleRoot, auth.RoleGuest, ""} {
			check(b.As(t, who, r.Method, consoletest.Filled(r.Path), nil), r.Method+" "+r.Path)
		}
	}
	if strings.Contains(app.ContentPolicy, "unsafe") || !strings.Contains(app.ContentPolicy, "frame-ancestors 'none'") {
		t.Error("the policy allows something unsafe")
	}
}

func TestCookiesOverTLS(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.SecureCookies = true })
	r := b.As(t, "", http.MethodPost, "/login", url.Values{"username": {"root"}, "password": {"r00t-Canary-7"}})
	consoletest.WantStatus(t, r, 303)
	c := r.Cookie("__Host-elasticjob_session")
	if c == nil || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" {
		t.Errorf("session cookie %v", c)
	}
	if r.Header.Get("Strict-Transport-Security") == "" {
		t.Error("no Strict-Transport-Security")
	}
}

// Text from the registry and the database is text, whatever is in it.
func TestA42C07HostileTextIsInert(t *testing.T) {
	t.Parallel()
	const markup = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`
	const hostile = markup + "\u202e\u200b\a"
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		j := &f.List[1]
		j.Description, j.Reason, j.Cron, j.TimeZone = hostile, hostile, hostile, hostile
		j.Name = strings.ReplaceAll(markup, "/", "")
		j.RawConfig, j.ConfigError, j.Leader = []byte(hostile), hostile, hostile
		j.Shards[7].Parameter, j.Shards[7].Reason, j.Shards[7].Instance, j.Shards[7].Failover = hostile, hostile, hostile, hostile
		j.Servers[0].IP, j.Servers[0].Data, j.Servers[0].Enabled = hostile, hostile, false
		j.Instances[0].ID = hostile
		f.Machines[0].IP = hostile
		f.Health.Namespace, f.Health.Address = hostile, hostile
		f.Outcome.Affected = []string{hostile}
	})
	name := strings.ReplaceAll(markup, "/", "")
	b.History.Rows = []tracing.Execution{{ID: "1", JobName: name, TaskID: hostile, Hostname: hostile, IP: hostile, Source: tracing.Source(hostile), StartTime: consoletest.Noon, CompleteTime: consoletest.Noon, FailureCause: hostile + "\n" + hostile}}

	check := func(r consoletest.Reply) { t.Helper(); wantInert(t, r) }
	q := url.QueryEscape(hostile)
	targets := []string{
		"/jobs?q=" + q, "/jobs?status=" + q, "/executions?job=" + q + "&from=" + q, "/servers?q=" + q + "&state=" + q, "/jobs/" + url.PathEscape(name+"x"), "/runs?job=" + q + "&state=" + q,
	}
	for _, r := range pageRoutes(b, http.MethodGet) {
		targets = append(targets, consoletest.Filled(strings.ReplaceAll(r.Path, ":job", url.PathEscape(name))))
	}
	for _, target := range targets {
		for _, l := range i18n.Languages {
			r := b.As(t, auth.RoleRoot, http.MethodGet, target, nil, func(r *http.Request) { r.Header.Set("Accept-Language", l.Tag()) })
			if r.StatusCode >= 500 {
				t.Errorf("GET %s: status %d", target, r.StatusCode)
			}
			if strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
				check(r)
			}
		}
	}
	login := b.As(t, "", http.MethodPost, "/login", url.Values{"username": {hostile}, "password": {"x"}, "next": {hostile}})
	check(login)

	order := b.As(t, auth.RoleRoot, http.MethodPost, app.JobPath("/jobs", name, "trigger"), url.Values{})
	flash := order.Cookie(app.FlashCookie)
	page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs", nil, func(r *http.Request) { r.AddCookie(flash) })
	if !strings.Contains(page.Text(t, "flash"), "<script>alert(1)</script>") {
		t.Errorf("the message does not show the text as text: %q", page.Text(t, "flash"))
	}
	check(page)
}

// wantInert fails the test for scripts, elements and attributes that a page has of
// its texts.
func wantInert(t *testing.T, r consoletest.Reply) {
	t.Helper()
	doc := r.Doc(t)
	doc.Find("script").Each(func(_ int, s *goquery.Selection) {
		if src, ok := s.Attr("src"); !ok || !strings.HasPrefix(src, "/static/") || s.Text() != "" {
			h, _ := goquery.OuterHtml(s)
			t.Errorf("%s: script %s", r.Request.URL, h)
		}
	})
	doc.Find("img, style, [style], iframe, object").Each(func(_ int, s *goquery.Selection) {
		h, _ := goquery.OuterHtml(s)
		t.Errorf("%s: element %s", r.Request.URL, view.Clip(h, 200))
	})
	doc.Find("*").Each(func(_ int, s *goquery.Selection) {
		for _, a := range s.Nodes[0].Attr {
			if strings.HasPrefix(a.Key, "on") || (a.Key == "href" || a.Key == "action") && !strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("%s: attribute %s=%q", r.Request.URL, a.Key, a.Val)
			}
		}
	})
}

func TestPagesHaveNothingInline(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, story := range stories {
		r := b.As(t, story.role, http.MethodGet, story.path, nil)
		doc := r.Doc(t)
		if n := doc.Find("style, [style]").Length(); n > 0 {
			t.Errorf("%s: %d inline styles", story.name, n)
		}
		doc.Find("script").Each(func(_ int, s *goquery.Selection) {
			if s.Text() != "" {
				t.Errorf("%s: inline script", story.name)
			}
		})
		doc.Find("link[href], script[src]").Each(func(_ int, s *goquery.Selection) {
			ref := s.AttrOr("href", s.AttrOr("src", ""))
			if !regexp.MustCompile(`^/static/[a-z]+\.[0-9a-f]{12}\.[a-z]+$`).MatchString(ref) {
				t.Errorf("%s: %q has no fingerprint", story.name, ref)
			}
		})
	}
}

func TestSecretsStayInside(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.As(t, "", http.MethodPost, "/login", url.Values{"username": {"root"}, "password": {"wrong-Canary-3"}})
	b.As(t, "", http.MethodPost, "/login", url.Values{"username": {"root"}, "password": {"r00t-Canary-7"}})
	for _, story := range stories {
		if r := b.As(t, story.role, http.MethodGet, story.path, nil); strings.Contains(r.Body, "t-Canary-7") {
			t.Errorf("%s shows a password", story.name)
		}
	}
	if strings.Contains(b.Log.String(), "Canary") {
		t.Error("the log has a password")
	}
	// Props of a configuration may be secrets: operators edit them, guests do
	// not see them.
	for _, target := range []string{"/jobs/invoices/config?view=yaml", "/api/jobs/invoices"} {
		if r := b.As(t, auth.RoleGuest, http.MethodGet, target, nil); strings.Contains(r.Body, "s3cret-Canary-9") || !strings.Contains(r.Body, "***") {
			t.Errorf("GET %s shows a guest the secrets of the configuration", target)
		}
		if r := b.As(t, auth.RoleRoot, http.MethodGet, target, nil); !strings.Contains(r.Body, "s3cret-Canary-9") {
			t.Errorf("GET %s hides the configuration from root", target)
		}
	}
}

func TestPanicIsAnErrorPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Panics = true })
	r := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs", nil)
	consoletest.WantStatus(t, r, 500)
	if strings.Contains(r.Body, "goroutine") || !strings.Contains(r.Text(t, "problem"), r.Header.Get("X-Request-Id")) {
		t.Errorf("page: %s", r.Text(t, "problem"))
	}
	if !strings.Contains(b.Log.String(), "the fake was asked to") {
		t.Error("the log lacks the cause")
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs", nil), 500)
}

func TestC09BodiesAreBounded(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.URL+"/api/login", strings.NewReader(`{"username":"`+strings.Repeat("x", app.MaxBody)+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	consoletest.WantStatus(t, b.Do(t, req), http.StatusRequestEntityTooLarge)
}

func TestSafeNext(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"/jobs":                         "/jobs",
		"/jobs?q=a%20b&page=2":          "/jobs?q=a%20b&page=2",
		"/jobs/50%25":                   "/jobs/50%25",
		"":                              "/",
		"jobs":                          "/",
		"//evil.example":                "/",
		"///evil.example":               "/",
		"/\\evil.example":               "/",
		"/\t/evil.example":              "/",
		"/\n/evil.example":              "/",
		"https://evil.example":          "/",
		"javascript:alert(1)":           "/",
		"/login":                        "/",
		"/login?next=/jobs":             "/",
		"/logout":                       "/",
		"/%zz":                          "/",
		"/" + strings.Repeat("a", 3000): "/",
	} {
		if got := app.SafeNext(in); got != want {
			t.Errorf("safeNext(%q) = %q, want %q", in, got, want)
		}
	}
}

// Whatever comes in, what goes out stays on this host as browsers read it.
func TestSafeNextNeverLeaves(t *testing.T) {
	t.Parallel()
	base, err := url.Parse("http://console.example/login")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		in := rapid.StringMatching(`[/\\a-z.:@?#%\x00-\x20]{0,12}`).Draw(rt, "next")
		out := app.SafeNext(in)
		u, err := base.Parse(out)
		if err != nil || u.Host != base.Host || !strings.HasPrefix(out, "/") || strings.HasPrefix(out, "//") || strings.ContainsAny(out, "\\\t\n\r") {
			rt.Fatalf("safeNext(%q) = %q leads to %v", in, out, u)
		}
	})
}
