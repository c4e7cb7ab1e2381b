package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// TestRequestsSignInOnce: many requests at a time share one session, and when it has ended, one of them
// begins the next.
func TestRequestsSignInOnce(t *testing.T) {
	t.Parallel()
	var logins, over atomic.Int64 // over: the newest session that has ended
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/login" {
			_ = json.NewEncoder(w).Encode(map[string]string{"accessToken": strconv.FormatInt(logins.Add(1), 10)})
			return
		}
		session, err := strconv.ParseInt(r.Header.Get("Authorization")[len("Bearer "):], 10, 64)
		if err != nil || session <= over.Load() {
			w.WriteHeader(http.StatusUnauthorized)
			_ = json.NewEncoder(w).Encode(api.ErrorBody{Code: "token_expired", Message: "It has ended."})
			return
		}
		_, _ = w.Write([]byte("true"))
	}))
	defer server.Close()
	c, err := api.New(api.Options{Console: server.URL, User: "root", Password: "root"})
	if err != nil {
		t.Fatal(err)
	}
	for sessions := int64(1); sessions <= 3; sessions++ {
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				var done bool
				if _, err := c.Ask(t.Context(), api.Call{Method: http.MethodGet, Path: "/api/me"}, &done); err != nil || !done {
					t.Errorf("session %d: %t, %v", sessions, done, err)
				}
			})
		}
		all.Wait()
		if logins.Load() != sessions {
			t.Errorf("%d sign-ins, want %d", logins.Load(), sessions)
		}
		over.Store(sessions)
	}
}
