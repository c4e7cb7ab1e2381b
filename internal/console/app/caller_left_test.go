package app_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestW34CallerLeft asks every route that reads, for a caller who disconnects before
// the answer. Neither the log nor the metrics may show a failure, with all that
// the console depends on and without its own database.
func TestW34CallerLeft(t *testing.T) {
	t.Parallel()
	left, leave := context.WithCancel(t.Context())
	leave()
	for _, away := range []string{"registry and history", "settings"} {
		b := consoletest.New(t)
		if away == "settings" {
			b.Settings.Fail(context.Canceled)
		} else {
			b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ReadErr = context.Canceled })
			b.History.Mu.Lock()
			b.History.Err = errors.New("interrupted (9)") // SQLite's error of a statement that was cancelled
			b.History.Mu.Unlock()
		}
		for _, r := range b.Console.Routes() {
			if r.Method != http.MethodGet || strings.Contains(r.Path, "*") || r.Path == "/readyz" || r.Path == "/metrics" || r.Path == app.OIDCCallback {
				continue // The last isn't only a read: it signs in, and is on record.
			}
			b.Settings.Reset()
			ctx, cancel := context.WithTimeout(left, time.Minute)
			ask := httptest.NewRequestWithContext(ctx, r.Method, b.URL+consoletest.Filled(r.Path), nil)
			if app.SurfaceOf(r.Path) == app.API {
				ask.Header.Set("Authorization", "Bearer "+b.Token(t, auth.RoleRoot, auth.ForAPI))
			} else {
				ask.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: b.Token(t, auth.RoleRoot, auth.ForPages)})
			}
			answer := httptest.NewRecorder()
			b.Console.ServeHTTP(answer, ask)
			cancel()
			if answer.Code >= http.StatusInternalServerError {
				t.Errorf("%s away, GET %s: %d", away, r.Path, answer.Code)
			}
		}
		for line := range strings.Lines(b.Log.String()) {
			if strings.Contains(line, "level=ERROR") || strings.Contains(line, "level=WARN") {
				t.Errorf("%s away: %s", away, line)
			}
		}
	}
}

// TestW34ActionOfCallerWhoLeft is carried out and on record: a caller who disconnects isn't a
// failure of the audit.
func TestW34ActionOfCallerWhoLeft(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, consoletest.OwnDatabase(t, "sqlite://"+t.TempDir()+"/own.db"))
	left, leave := context.WithCancel(t.Context())
	leave()
	ask := httptest.NewRequestWithContext(left, http.MethodPost, b.URL+"/api/jobs/invoices/trigger", nil)
	ask.Header.Set("Authorization", "Bearer "+b.Token(t, auth.RoleRoot, auth.ForAPI))
	b.Console.ServeHTTP(httptest.NewRecorder(), ask)
	if strings.Contains(b.Log.String(), "an audit record is in the log only") {
		t.Errorf("a lost record:\n%s", b.Log)
	}
}
