package console

import (
	"net/http"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
)

// TestV29RefreshIsBounded: a guest who renews a token as often as possible makes
// a bounded number of rows, and keeps a token that is good.
func TestV29RefreshIsBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	token, renewed := b.token(t, auth.RoleGuest, auth.ForAPI), 0
	for range auth.SessionBurst + 100 {
		r := b.call(t, http.MethodPost, refreshRoute, "", "Authorization: Bearer "+token)
		if r.StatusCode == http.StatusTooManyRequests {
			if r.Header.Get("Retry-After") == "" {
				t.Fatal("nothing says how long to wait")
			}
			continue
		}
		wantStatus(t, r, http.StatusOK)
		var fresh loginResponse
		r.into(t, &fresh)
		token = fresh.AccessToken
		renewed++
	}
	if rows := len(b.settings.revoked); renewed != auth.SessionBurst || rows != auth.SessionBurst {
		t.Errorf("renewed %d times, %d rows, want %d", renewed, rows, auth.SessionBurst)
	}
	wantStatus(t, b.call(t, http.MethodGet, "/api/me", "", "Authorization: Bearer "+token), http.StatusOK)
	// Signing in and out again is bounded by the same number, and nobody else's.
	login := func(user, password string) reply {
		return b.call(t, http.MethodPost, "/api/login", `{"username":"`+user+`","password":"`+password+`"}`, "Authorization: ")
	}
	wantStatus(t, login("guest", "gu3st-Canary-7"), http.StatusTooManyRequests)
	wantStatus(t, login("root", "r00t-Canary-7"), http.StatusOK)
	b.pass(auth.SessionRefill)
	wantStatus(t, login("guest", "gu3st-Canary-7"), http.StatusOK)
}
