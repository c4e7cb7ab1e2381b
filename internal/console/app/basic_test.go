package app_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

func basic(name, password string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(name+":"+password))
}

// TestV10BasicAuthOfTheAPI: scripts for ElasticJob 2.x send name and password
// with every request. That is taken only where the console was configured to, only on
// the API, and costs a guesser as much as the login.
func TestV10BasicAuthOfTheAPI(t *testing.T) {
	t.Parallel()
	root, guest := basic("root", "r00t-Canary-7"), basic("guest", "gu3st-Canary-7")

	t.Run("off by default", func(t *testing.T) {
		t.Parallel()
		b := consoletest.New(t)
		r := b.Call(t, http.MethodGet, "/api/jobs", "", root)
		consoletest.WantStatus(t, r, http.StatusUnauthorized)
		if challenges := r.Header.Values("WWW-Authenticate"); len(challenges) != 1 || !strings.HasPrefix(challenges[0], "Bearer ") {
			t.Errorf("challenges %q", challenges)
		}
	})
	t.Run("on", func(t *testing.T) {
		t.Parallel()
		b := consoletest.New(t, withBasicAuth)
		r := b.Call(t, http.MethodGet, "/api/jobs", "", root)
		consoletest.WantStatus(t, r, http.StatusOK)
		if strings.Contains(r.Body, `"success"`) {
			t.Errorf("in an envelope: %s", r.Body[:100])
		}
		for request, want := range map[string]int{
			"POST /api/jobs/invoices/trigger": 200, "GET /api/me": 200, "POST /api/logout": 204, "POST /api/refresh": 200,
			"GET /metrics": 401, "GET /jobs": 303, "GET /healthz": 200,
			`POST /api/registry-center/connect {"name":"default"}`: 200, `POST /api/registry-center/connect {"name":"billing"}`: 422,
		} {
			parts := append(strings.SplitN(request, " ", 3), "")
			if r := b.Call(t, parts[0], parts[1], parts[2], root); r.StatusCode != want {
				t.Errorf("%s: %d, want %d: %s", request, r.StatusCode, want, view.Clip(r.Body, 200))
			}
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs", "", guest), http.StatusOK)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/invoices/trigger", "", guest), http.StatusForbidden)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/invoices/trigger", "", root, "Sec-Fetch-Site: cross-site"), http.StatusForbidden)
		if n := len(b.Registry.Given()); n != 1 {
			t.Errorf("%d actions: %v", n, b.Registry.Given())
		}
		for header, want := range map[string]int{"Authorization: ": 2, "Sec-Fetch-Site: same-origin": 1} {
			r := b.Call(t, http.MethodGet, "/api/jobs", "", "Authorization: ", header)
			consoletest.WantStatus(t, r, http.StatusUnauthorized)
			if got := len(r.Header.Values("WWW-Authenticate")); got != want {
				t.Errorf("with %q: %d challenges, want %d", header, got, want)
			}
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs", ""), http.StatusOK) // a token, as ever
		if strings.Contains(b.Log.String(), "Canary") {
			t.Error("a password is in the log")
		}
	})
	t.Run("guessing", guessOverBasicAuth)
}

func withBasicAuth(o *app.Options) { o.APIBasicAuth = true }

// guessOverBasicAuth: guesses count as those at the login do.
func guessOverBasicAuth(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, withBasicAuth)
	judged := 0
	for range 2 * auth.AccountBurst {
		r := b.Call(t, http.MethodGet, "/api/jobs", "", basic("root", "guess"))
		if r.StatusCode == http.StatusUnauthorized {
			judged++
		} else if r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" {
			t.Fatalf("%d: %s", r.StatusCode, r.Body)
		}
	}
	if judged != auth.AccountBurst {
		t.Errorf("%d guesses were judged, want %d", judged, auth.AccountBurst)
	}
	// The login knows of these guesses, and a token still works.
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/login", `{"username":"root","password":"guess"}`, "Authorization: "), http.StatusTooManyRequests)
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs", ""), http.StatusOK)
}

// TestV29BasicBeginsNoSession: whoever sends the password with every request is
// not held by the number of sessions an account may begin.
func TestV29BasicBeginsNoSession(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.APIBasicAuth = true })
	for range auth.SessionBurst + 20 {
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/version", "", basic("root", "r00t-Canary-7")), http.StatusOK)
	}
}
