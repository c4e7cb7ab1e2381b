package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// caller kinds of the matrix.
const (
	asNobody    = "nobody"
	asGuest     = "guest"
	asRoot      = "root"
	asExpired   = "expired"
	asForged    = "forged"
	asLoggedOut = "logged out"
)

var everyCaller = []string{asNobody, asGuest, asRoot, asExpired, asForged, asLoggedOut}

// TestA35A36C02EveryRouteForEveryCaller walks the router itself, so that a new route is
// in the matrix the moment it exists.
func TestA35A36C02EveryRouteForEveryCaller(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	declared := make(map[string]access)
	for _, r := range b.console.routes() {
		declared[r.method+" "+r.path] = r.access
		if r.method == http.MethodGet {
			declared[http.MethodHead+" "+r.path] = r.access
		}
	}
	registered := b.console.engine.Routes()
	if len(registered) != len(declared) {
		t.Errorf("%d routes are registered, %d declared", len(registered), len(declared))
	}
	for _, route := range registered {
		demand, ok := declared[route.Method+" "+route.Path]
		if !ok {
			t.Errorf("%s %s is registered but not declared", route.Method, route.Path)
			continue
		}
		for _, who := range everyCaller {
			t.Run(fmt.Sprintf("%s %s as %s", route.Method, strings.ReplaceAll(route.Path, "/", "|"), who), func(t *testing.T) {
				checkRoute(t, b, route, demand, who)
			})
		}
	}
}

func checkRoute(t *testing.T, b *bench, route gin.RouteInfo, demand access, who string) {
	target := strings.NewReplacer(":job", "invoices", ":ip", "10.2.0.14", ":item", "0", ":name", "billing", ":prefix", "in", ":period", "lastHour", ":port", "9888", "*file", "nothing.css").Replace(route.Path)
	before := len(b.registry.given())
	req, err := http.NewRequestWithContext(t.Context(), route.Method, b.URL+target, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token := callerToken(t, b, who, surfaceOf(target)); token != "" {
		if surfaceOf(target) == api {
			req.Header.Set("Authorization", "Bearer "+token)
		} else {
			req.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: token})
		}
	}
	r := b.do(t, req)

	known := who == asGuest || who == asRoot
	toLogin := r.StatusCode == http.StatusSeeOther && strings.HasPrefix(r.Header.Get("Location"), "/login") && target != "/logout"
	switch {
	case demand == anyone:
		if toLogin || r.StatusCode == http.StatusForbidden {
			t.Errorf("a public route answers %d", r.StatusCode)
		}
	case !known && surfaceOf(target) == api && route.Method == http.MethodHead:
		if r.StatusCode != http.StatusUnauthorized {
			t.Errorf("status %d, want 401", r.StatusCode)
		}
	case !known && surfaceOf(target) == api:
		var body errorBody
		if err := json.Unmarshal([]byte(r.body), &body); err != nil || r.StatusCode != http.StatusUnauthorized {
			t.Fatalf("status %d, body %q, want 401 with a JSON body", r.StatusCode, view.Clip(r.body, 200))
		}
		want := map[string]string{asNobody: "token_missing", asExpired: "token_expired", asForged: "token_invalid", asLoggedOut: "token_revoked"}[who]
		if body.Code != want || body.RequestID == "" || body.Message == "" {
			t.Errorf("error body %+v, want the code %s", body, want)
		}
	case !known:
		if !toLogin {
			t.Errorf("status %d to %q, want 303 to the login", r.StatusCode, r.Header.Get("Location"))
		}
	case who == asGuest && demand == operator:
		if r.StatusCode != http.StatusForbidden {
			t.Errorf("status %d, want 403", r.StatusCode)
		}
	default:
		if r.StatusCode == http.StatusUnauthorized || r.StatusCode == http.StatusForbidden || toLogin {
			t.Errorf("status %d to %q for a caller who may", r.StatusCode, r.Header.Get("Location"))
		}
	}
	if orders := b.registry.given(); len(orders) > before && (demand != operator || who != asRoot) {
		t.Errorf("an order was carried out: %q", orders[before:])
	}
}

func callerToken(t *testing.T, b *bench, who string, kind surface) string {
	t.Helper()
	aud := auth.ForPages
	if kind == api {
		aud = auth.ForAPI
	}
	// minted is a token of another gate, whose clock shows another time.
	minted := func(key []byte, at time.Time) string {
		gate, err := auth.New(auth.Config{Accounts: b.console.opts.Accounts, Key: key, Lifetime: time.Hour, Clock: func() time.Time { return at }})
		if err != nil {
			t.Fatal(err)
		}
		root, _ := gate.Account("root", auth.RoleRoot)
		token, _, err := gate.Issue(root, aud)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	switch who {
	case asGuest, asRoot:
		return b.token(t, auth.Role(who), aud)
	case asExpired:
		return minted(testKey, noon.Add(-time.Hour-time.Minute))
	case asForged:
		return minted([]byte("another key of the right length!!"), noon)
	case asLoggedOut:
		token := b.token(t, auth.RoleRoot, aud)
		id, _ := b.console.auth.Verify(token, aud)
		b.console.auth.Revoke(id)
		return token
	}
	return ""
}

func TestRouteWithoutAccessDoesNotStart(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	err := b.console.build([]route{{method: "GET", path: "/new", handler: func(*gin.Context) {}}})
	if err == nil || !strings.Contains(err.Error(), "GET /new does not say who may call it") {
		t.Errorf("build: %v", err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	t.Parallel()
	_, err := New(Options{ReadTimeout: -1})
	for _, want := range []string{"Options.Jobs", "Options.Operator", "Options.Health", "Options.Accounts", "Options.ReadTimeout is negative"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New: %v, want it to mention %s", err, want)
		}
	}
	b := newBench(t)
	if _, err := New(Options{Jobs: b.registry, Operator: b.registry, Health: b.registry, Accounts: b.console.opts.Accounts, Key: []byte("short")}); err == nil {
		t.Error("a short key is accepted")
	}
}

// A page's cookie must not open the API, or another site could drive it; a
// bearer token is no cookie.
func TestTokensDoNotChangeSurface(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	cookie := func(value string) func(*http.Request) {
		return func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: value}) }
	}
	wantStatus(t, b.as(t, "", "GET", "/api/jobs", nil, cookie(b.token(t, auth.RoleRoot, auth.ForPages))), 401)
	wantStatus(t, b.as(t, "", "GET", "/jobs", nil, cookie(b.token(t, auth.RoleRoot, auth.ForAPI))), 303)
	wantStatus(t, b.as(t, "", "GET", "/jobs", nil, func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+b.token(t, auth.RoleRoot, auth.ForPages))
	}), 303)
	wantStatus(t, b.as(t, "", "GET", "/api/jobs", nil, func(r *http.Request) { r.Header.Set("Access-Token", b.token(t, auth.RoleGuest, auth.ForAPI)) }), 200)
}

func TestStateChangingGetsAreNotAllowed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for target, allow := range map[string]string{
		"/api/jobs/invoices/trigger":  "POST",
		"/api/jobs/invoices/shutdown": "POST, PUT",
		"/api/jobs/invoices/disable":  "POST, DELETE",
		"/api/login":                  "POST",
		"/logout":                     "POST",
		"/jobs/invoices/trigger":      "POST",
	} {
		r := b.as(t, auth.RoleRoot, http.MethodGet, target, nil)
		wantStatus(t, r, http.StatusMethodNotAllowed)
		if got := r.Header.Get("Allow"); got != allow {
			t.Errorf("GET %s: Allow %q, want %q", target, got, allow)
		}
	}
	if got := b.registry.given(); len(got) > 0 {
		t.Errorf("orders were carried out: %q", got)
	}
}

// TestA40C03OrdersFromAnotherSiteAreRefused: of every route that is no reading,
// whatever else is right about the request, and without a header that would let
// another site read the answer.
func TestA40C03OrdersFromAnotherSiteAreRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, edit := range map[string]func(*http.Request){
		"cross-site":     func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"same-site":      func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
		"foreign origin": func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"no origin":      func(r *http.Request) { r.Header.Set("Origin", "null") },
	} {
		for _, route := range b.console.routes() {
			if route.method == http.MethodGet {
				continue
			}
			r := b.as(t, auth.RoleRoot, route.method, filled(route.path), url.Values{"username": {"root"}, "password": {"r00t-Canary-7"}, "confirm": {"yes"}, "name": {"invoices"}}, edit)
			if r.StatusCode != http.StatusForbidden {
				t.Errorf("%s %s %s: status %d, want 403", name, route.method, route.path, r.StatusCode)
			}
			if r.Header.Get("Access-Control-Allow-Origin") != "" || len(r.Cookies()) > 0 {
				t.Errorf("%s %s %s: CORS header or cookies", name, route.method, route.path)
			}
		}
	}
	if before := b.settings; len(before.registries) != 1 || len(before.sources) != 1 || len(before.revoked) != 0 {
		t.Error("something was changed")
	}
	if got := b.registry.given(); len(got) > 0 {
		t.Errorf("orders were carried out: %q", got)
	}
	wantStatus(t, b.as(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", url.Values{}, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") }), 303)
}

func TestJobPathRoundTrip(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, name := range []string{"a.b", "a b", "作业", "50%", "config", "count", "c++", "x?y=1&z", "semi;colon", "#1", `quo"te`, "trigger", "..a", "%41"} {
		b.registry.set(func(f *fakeRegistry) {
			job := f.jobs[0]
			job.Name = name
			f.jobs[0] = job
		})
		for _, target := range []string{jobPath("/jobs", name), jobPath("/api/jobs", name), jobPath("/api/jobs", name, "sharding"), jobPath("/api/jobs", name, "explain"), jobPath("/api/jobs", name, "reshard-plan")} {
			wantStatus(t, b.as(t, auth.RoleRoot, http.MethodGet, target, nil), 200)
		}
		for _, target := range []string{jobPath("/jobs", name, "trigger"), jobPath("/api/jobs", name, "trigger")} {
			b.as(t, auth.RoleRoot, http.MethodPost, target, url.Values{})
			if got := b.registry.given(); got[len(got)-1] != "trigger "+name {
				t.Errorf("POST %s: order %q", target, got[len(got)-1])
			}
		}
		wantStatus(t, b.as(t, auth.RoleRoot, http.MethodDelete, jobPath("/api/jobs/config", name), nil), 204)
		if got := b.registry.given(); got[len(got)-1] != "remove "+name {
			t.Errorf("removing %q: order %q", name, got[len(got)-1])
		}
		wantStatus(t, b.as(t, auth.RoleRoot, http.MethodDelete, jobPath("/api/jobs", name, "disable"), nil), 200)
		if got := b.registry.given(); got[len(got)-1] != "enable "+name {
			t.Errorf("enabling %q: order %q", name, got[len(got)-1])
		}
	}
}

func TestNamesThatCannotBeJobs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, escaped := range []string{"a%2Fb", "..", "%2e%2e", "a%00b", "%2F", "nope"} {
		for _, target := range []string{"/jobs/" + escaped, "/api/jobs/" + escaped, "/api/jobs/" + escaped + "/sharding"} {
			r := b.as(t, auth.RoleRoot, http.MethodGet, target, nil)
			if r.StatusCode != http.StatusNotFound {
				t.Errorf("GET %s: status %d, want 404", target, r.StatusCode)
			}
		}
		b.as(t, auth.RoleRoot, http.MethodPost, "/api/jobs/"+escaped+"/trigger", url.Values{})
	}
	for _, order := range b.registry.given() {
		if order != "trigger nope" {
			t.Errorf("order for a name that cannot be: %q", order)
		}
	}
	if r := b.as(t, auth.RoleRoot, http.MethodGet, "/api/jobs/nope", nil); !strings.Contains(r.body, "nope") {
		t.Errorf("404 does not name the job: %s", r.body)
	}
}
