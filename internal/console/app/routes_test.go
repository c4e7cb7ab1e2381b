package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// TestA35A36C02EveryRouteForEveryCaller walks the route table, which the router is
// made of, so that a new route is in the matrix the moment it exists.
func TestA35A36C02EveryRouteForEveryCaller(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	declared := make(map[string]app.Access)
	for _, r := range b.Console.Routes() {
		declared[r.Method+" "+r.Path] = r.Access
		if r.Method == http.MethodGet {
			declared[http.MethodHead+" "+r.Path] = r.Access
		}
	}
	for where, demand := range declared {
		method, path, _ := strings.Cut(where, " ")
		route := gin.RouteInfo{Method: method, Path: path}
		for _, who := range consoletest.EveryCaller {
			t.Run(fmt.Sprintf("%s %s as %s", route.Method, strings.ReplaceAll(route.Path, "/", "|"), who), func(t *testing.T) {
				checkRoute(t, b, route, demand, who)
			})
		}
	}
}

func checkRoute(t *testing.T, b *consoletest.Bench, route gin.RouteInfo, demand app.Access, who string) {
	target := strings.NewReplacer(":job", "invoices", ":ip", "10.2.0.14", ":item", "0", ":name", "billing", ":prefix", "in", ":period", "lastHour", ":port", "9888", "*file", "nothing.css").Replace(route.Path)
	before := len(b.Registry.Given())
	req, err := http.NewRequestWithContext(t.Context(), route.Method, b.URL+target, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token := consoletest.CallerToken(t, b, who, app.SurfaceOf(target)); token != "" {
		if app.SurfaceOf(target) == app.API {
			req.Header.Set("Authorization", "Bearer "+token)
		} else {
			req.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: token})
		}
	}
	r := b.Do(t, req)

	known := who == consoletest.AsGuest || who == consoletest.AsOperator || who == consoletest.AsRoot
	toLogin := r.StatusCode == http.StatusSeeOther && strings.HasPrefix(r.Header.Get("Location"), "/login") && target != "/logout"
	switch {
	case demand == app.Anyone:
		if toLogin || r.StatusCode == http.StatusForbidden {
			t.Errorf("a public route answers %d", r.StatusCode)
		}
	case !known && app.SurfaceOf(target) == app.API && route.Method == http.MethodHead:
		if r.StatusCode != http.StatusUnauthorized {
			t.Errorf("status %d, want 401", r.StatusCode)
		}
	case !known && app.SurfaceOf(target) == app.API:
		var body api.ErrorBody
		if err := json.Unmarshal([]byte(r.Body), &body); err != nil || r.StatusCode != http.StatusUnauthorized {
			t.Fatalf("status %d, body %q, want 401 with a JSON body", r.StatusCode, view.Clip(r.Body, 200))
		}
		want := map[string]string{consoletest.AsNobody: "token_missing", consoletest.AsExpired: "token_expired", consoletest.AsForged: "token_invalid", consoletest.AsLoggedOut: "token_revoked"}[who]
		if body.Code != want || body.RequestID == "" || body.Message == "" {
			t.Errorf("error body %+v, want the code %s", body, want)
		}
	case !known:
		if !toLogin {
			t.Errorf("status %d to %q, want 303 to the login", r.StatusCode, r.Header.Get("Location"))
		}
	case who == consoletest.AsGuest && demand >= app.Operates, who == consoletest.AsOperator && demand == app.Configures:
		if r.StatusCode != http.StatusForbidden {
			t.Errorf("status %d, want 403", r.StatusCode)
		}
	default:
		if r.StatusCode == http.StatusUnauthorized || r.StatusCode == http.StatusForbidden || toLogin {
			t.Errorf("status %d to %q for a caller who may", r.StatusCode, r.Header.Get("Location"))
		}
	}
	if orders := b.Registry.Given(); len(orders) > before && (demand < app.Operates || demand == app.Operates && who == consoletest.AsGuest || demand == app.Configures && who != consoletest.AsRoot || !known) {
		t.Errorf("an action was carried out: %q", orders[before:])
	}
}

func TestRouteWithoutAccessDoesNotStart(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	opts := *b.Console.Options()
	opts.Metrics = nil
	_, err := app.New(opts, func(*app.Console) []app.Route {
		return []app.Route{app.Get("/new", 0, 0, func(*gin.Context) {})}
	})
	if err == nil || !strings.Contains(err.Error(), "GET /new does not say who may call it") {
		t.Errorf("build: %v", err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	t.Parallel()
	_, err := app.New(app.Options{ReadTimeout: -1})
	for _, want := range []string{"Options.Jobs", "Options.Operator", "Options.Health", "Options.Accounts", "Options.ReadTimeout is negative"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New: %v, want it to mention %s", err, want)
		}
	}
	b := consoletest.New(t)
	if _, err := app.New(app.Options{Jobs: b.Registry, Operator: b.Registry, Health: b.Registry, Accounts: b.Console.Options().Accounts, Key: []byte("short")}); err == nil {
		t.Error("a short key is accepted")
	}
}

// A page's cookie must not open the API, or another site could drive it; a
// bearer token is no cookie.
func TestTokensDoNotChangeSurface(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	cookie := func(value string) func(*http.Request) {
		return func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: value}) }
	}
	consoletest.WantStatus(t, b.As(t, "", "GET", "/api/jobs", nil, cookie(b.Token(t, auth.RoleRoot, auth.ForPages))), 401)
	consoletest.WantStatus(t, b.As(t, "", "GET", "/jobs", nil, cookie(b.Token(t, auth.RoleRoot, auth.ForAPI))), 303)
	consoletest.WantStatus(t, b.As(t, "", "GET", "/jobs", nil, func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+b.Token(t, auth.RoleRoot, auth.ForPages))
	}), 303)
	consoletest.WantStatus(t, b.As(t, "", "GET", "/api/jobs", nil, func(r *http.Request) { r.Header.Set("Access-Token", b.Token(t, auth.RoleGuest, auth.ForAPI)) }), 200)
}

func TestStateChangingGetsAreNotAllowed(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for target, allow := range map[string]string{
		"/api/jobs/invoices/trigger":  "POST",
		"/api/jobs/invoices/shutdown": "POST, PUT",
		"/api/jobs/invoices/disable":  "POST, DELETE",
		"/api/login":                  "POST",
		"/logout":                     "POST",
		"/jobs/invoices/trigger":      "POST",
	} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, target, nil)
		consoletest.WantStatus(t, r, http.StatusMethodNotAllowed)
		if got := r.Header.Get("Allow"); got != allow {
			t.Errorf("GET %s: Allow %q, want %q", target, got, allow)
		}
	}
	if got := b.Registry.Given(); len(got) > 0 {
		t.Errorf("actions were carried out: %q", got)
	}
}

// TestA40C03ActionsFromAnotherSiteAreRefused: of every route that is no reading,
// whatever else is right about the request, and without a header that would let
// another site read the answer.
func TestA40C03ActionsFromAnotherSiteAreRefused(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for name, edit := range map[string]func(*http.Request){
		"cross-site":     func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"same-site":      func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
		"foreign origin": func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"no origin":      func(r *http.Request) { r.Header.Set("Origin", "null") },
	} {
		for _, route := range b.Console.Routes() {
			if route.Method == http.MethodGet {
				continue
			}
			r := b.As(t, auth.RoleRoot, route.Method, consoletest.Filled(route.Path), url.Values{"username": {"root"}, "password": {"r00t-Canary-7"}, "confirm": {"yes"}, "name": {"invoices"}}, edit)
			if r.StatusCode != http.StatusForbidden {
				t.Errorf("%s %s %s: status %d, want 403", name, route.Method, route.Path, r.StatusCode)
			}
			if r.Header.Get("Access-Control-Allow-Origin") != "" || len(r.Cookies()) > 0 {
				t.Errorf("%s %s %s: CORS header or cookies", name, route.Method, route.Path)
			}
		}
	}
	if kept := b.Settings; len(kept.Entered()) != 1 || len(kept.Sources()) != 1 || kept.Rows("token") != 0 {
		t.Error("something was changed")
	}
	if got := b.Registry.Given(); len(got) > 0 {
		t.Errorf("actions were carried out: %q", got)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", url.Values{}, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") }), 303)
}

func TestJobPathRoundTrip(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, name := range []string{"a.b", "a b", "作业", "50%", "config", "count", "c++", "x?y=1&z", "semi;colon", "#1", `quo"te`, "trigger", "..a", "%41"} {
		b.Registry.Set(func(f *consoletest.FakeRegistry) {
			job := f.List[0]
			job.Name = name
			f.List[0] = job
		})
		for _, target := range []string{app.JobPath("/jobs", name), app.JobPath("/api/jobs", name), app.JobPath("/api/jobs", name, "sharding"), app.JobPath("/api/jobs", name, "explain"), app.JobPath("/api/jobs", name, "reshard-plan")} {
			consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, target, nil), 200)
		}
		for _, target := range []string{app.JobPath("/jobs", name, "trigger"), app.JobPath("/api/jobs", name, "trigger")} {
			b.As(t, auth.RoleRoot, http.MethodPost, target, url.Values{})
			if got := b.Registry.Given(); got[len(got)-1] != "trigger "+name {
				t.Errorf("POST %s: action %q", target, got[len(got)-1])
			}
		}
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodDelete, app.JobPath("/api/jobs/config", name), nil), 204)
		if got := b.Registry.Given(); got[len(got)-1] != "remove "+name {
			t.Errorf("removing %q: action %q", name, got[len(got)-1])
		}
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodDelete, app.JobPath("/api/jobs", name, "disable"), nil), 200)
		if got := b.Registry.Given(); got[len(got)-1] != "enable "+name {
			t.Errorf("enabling %q: action %q", name, got[len(got)-1])
		}
	}
}

func TestNamesThatCannotBeJobs(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, escaped := range []string{"a%2Fb", "..", "%2e%2e", "a%00b", "%2F", "nope"} {
		for _, target := range []string{"/jobs/" + escaped, "/api/jobs/" + escaped, "/api/jobs/" + escaped + "/sharding"} {
			r := b.As(t, auth.RoleRoot, http.MethodGet, target, nil)
			if r.StatusCode != http.StatusNotFound {
				t.Errorf("GET %s: status %d, want 404", target, r.StatusCode)
			}
		}
		b.As(t, auth.RoleRoot, http.MethodPost, "/api/jobs/"+escaped+"/trigger", url.Values{})
	}
	for _, order := range b.Registry.Given() {
		if order != "trigger nope" {
			t.Errorf("action for a name that cannot be: %q", order)
		}
	}
	if r := b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs/nope", nil); !strings.Contains(r.Body, "nope") {
		t.Errorf("404 does not name the job: %s", r.Body)
	}
}

// TestEveryPageAtOnce reads every page and answer three times at once: what they share is for
// the race detector to see, which looks at no tests of the pages themselves.
func TestEveryPageAtOnce(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, reader := range []string{"one", "two", "three"} {
		t.Run(reader, func(t *testing.T) {
			t.Parallel()
			for _, r := range b.Console.Routes() {
				if r.Method != http.MethodGet || strings.Contains(r.Path, "*") {
					continue
				}
				if got := b.As(t, auth.RoleRoot, r.Method, consoletest.Filled(r.Path), nil); got.StatusCode >= http.StatusInternalServerError {
					t.Errorf("%s answers %d: %s", r.Path, got.StatusCode, view.Clip(got.Body, 200))
				}
			}
		})
	}
}
