package rest

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestV29RefreshIsBounded: a guest who renews a token as often as possible makes
// a bounded number of rows, and keeps a token that is good.
func TestV29RefreshIsBounded(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	token, renewed := b.Token(t, auth.RoleGuest, auth.ForAPI), 0
	for range auth.SessionBurst + 100 {
		r := b.Call(t, http.MethodPost, app.RefreshRoute, "", "Authorization: Bearer "+token)
		if r.StatusCode == http.StatusTooManyRequests {
			if r.Header.Get("Retry-After") == "" {
				t.Fatal("nothing says how long to wait")
			}
			continue
		}
		consoletest.WantStatus(t, r, http.StatusOK)
		var fresh loginResponse
		r.Into(t, &fresh)
		token = fresh.AccessToken
		renewed++
	}
	if rows := b.Settings.Rows("token"); renewed != auth.SessionBurst || rows != auth.SessionBurst {
		t.Errorf("renewed %d times, %d rows, want %d", renewed, rows, auth.SessionBurst)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/me", "", "Authorization: Bearer "+token), http.StatusOK)
	// Signing in and out again is bounded by the same number, and nobody else's.
	login := func(user, password string) consoletest.Reply {
		return b.Call(t, http.MethodPost, "/api/login", `{"username":"`+user+`","password":"`+password+`"}`, "Authorization: ")
	}
	consoletest.WantStatus(t, login("guest", "gu3st-Canary-7"), http.StatusTooManyRequests)
	consoletest.WantStatus(t, login("root", "r00t-Canary-7"), http.StatusOK)
	b.Pass(auth.SessionRefill)
	consoletest.WantStatus(t, login("guest", "gu3st-Canary-7"), http.StatusOK)
}

func TestAPILoginAndLogout(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := b.As(t, "", http.MethodPost, "/api/login", nil, consoletest.JSONBody(`{"username":"root","password":"r00t-Canary-7","remember":true}`))
	consoletest.WantStatus(t, r, 200)
	var body loginResponse
	if err := json.Unmarshal([]byte(r.Body), &body); err != nil || body.Username != "root" || body.AccessToken == "" || body.ExpiresAt != "2026-11-21T20:00:07Z" {
		t.Fatalf("body %s", r.Body)
	}
	token := func(r *http.Request) { r.Header.Set("Authorization", "bearer "+body.AccessToken) }
	consoletest.WantStatus(t, b.As(t, "", http.MethodGet, "/api/jobs/count", nil, token), 200)
	consoletest.WantStatus(t, b.As(t, "", http.MethodPost, "/api/logout", nil, token), 204)
	consoletest.WantStatus(t, b.As(t, "", http.MethodGet, "/api/jobs/count", nil, token), 401)

	for _, bad := range []string{"", "nonsense", `{"username":1}`, `{"username":"root"} {"more":1}`, `[]`} {
		consoletest.WantStatus(t, b.As(t, "", http.MethodPost, "/api/login", nil, consoletest.JSONBody(bad)), 400)
	}
}
