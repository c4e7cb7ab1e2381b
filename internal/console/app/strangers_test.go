package app_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestW57StrangersCannotFillTheLog: a request has short log lines, however long its parts are,
// and only some requests of one network are logged.
func TestW57StrangersCannotFillTheLog(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("%01", 10_000)
	for name, change := range map[string]func(*http.Request){
		"page":       func(r *http.Request) { r.URL.Opaque = "/jobs/" + long },
		"rest":       func(r *http.Request) { r.URL.Opaque = "/api/jobs/" + long },
		"action":     func(r *http.Request) { r.Method, r.URL.Opaque = http.MethodPost, "/api/jobs/"+long+"/trigger" },
		"query":      func(r *http.Request) { r.URL.Opaque = "/jobs?q=" + long },
		"registry":   func(r *http.Request) { r.URL.Opaque = "/registry/" + long + "/jobs" },
		"method":     func(r *http.Request) { r.Method = strings.Repeat("X", 30_000) },
		"host":       func(r *http.Request) { r.Host = strings.Repeat("x", 30_000) },
		"wrong host": func(r *http.Request) { r.Host, r.URL.Opaque = "evil.example", "/jobs/"+long },
		"origin": func(r *http.Request) {
			r.Method = http.MethodPost
			r.Header.Set("Origin", "https://"+strings.Repeat("x", 30_000))
		},
		"cookie": func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: strings.Repeat("x", 30_000)})
		},
		"token": func(r *http.Request) {
			r.URL.Path = "/api/jobs"
			r.Header.Set("Authorization", "Bearer "+strings.Repeat("x", 30_000))
		},
		"basic": func(r *http.Request) {
			r.URL.Path = "/api/jobs"
			r.SetBasicAuth(strings.Repeat("x", 20_000), "x")
		},
		"sign-in": func(r *http.Request) {
			r.Method, r.URL.Path = http.MethodPost, "/login"
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Body = io.NopCloser(strings.NewReader("username=" + strings.Repeat("%01", 10_000) + "&password=x"))
		},
		"rest sign-in": func(r *http.Request) {
			r.Method, r.URL.Path = http.MethodPost, "/api/login"
			body := `{"username":"` + strings.Repeat("x", 30_000) + `","password":"x"}`
			r.Body = io.NopCloser(strings.NewReader(body))
		},
		"openid":    func(r *http.Request) { r.URL.Opaque = app.OIDCCallback + "?error=" + long },
		"forwarded": func(r *http.Request) { r.Header.Set("X-Forwarded-For", strings.Repeat("x", 30_000)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := consoletest.New(t, func(o *app.Options) {
				o.APIBasicAuth = true
				var err error
				if o.Hosts, err = app.ParseHosts(true, nil); err != nil {
					t.Fatal(err)
				}
			})
			for range 3 * app.RefusedBurst {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.URL, nil)
				if err != nil {
					t.Fatal(err)
				}
				change(req)
				b.Do(t, req)
			}
			log := b.Log.String()
			requests := make(map[string]bool)
			for line := range strings.Lines(log) {
				if len(line) > 2500 {
					t.Fatalf("a line of %d bytes: %.300s", len(line), line)
				}
				if _, id, ok := strings.Cut(line, "msg=request component=console request_id="); ok {
					requests[id[:16]] = true
				}
			}
			if len(requests) > app.RefusedBurst || len(log) > 3*2500*app.RefusedBurst {
				t.Errorf("%d requests have lines, of %d bytes in all", len(requests), len(log))
			}
			if len(log) == 0 {
				t.Error("nothing is logged")
			}
		})
	}
}

// TestW57LinesLeftOutAreCounted, and everything that an account does is logged.
func TestW57LinesLeftOutAreCounted(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for range app.RefusedBurst + 7 {
		b.As(t, "", http.MethodPost, "/api/jobs/invoices/trigger", nil)
	}
	if n := strings.Count(b.Log.String(), "msg=audit"); n != app.RefusedBurst {
		t.Errorf("%d lines of the audit, want %d", n, app.RefusedBurst)
	}
	from := len(b.Log.String())
	b.As(t, auth.RoleGuest, http.MethodPost, "/api/jobs/invoices/trigger", nil)
	account := url.Values{"username": {"guest"}, "password": {"gu3st-Canary-7"}}
	consoletest.WantStatus(t, b.As(t, "", http.MethodPost, "/login", account), http.StatusSeeOther)
	log := b.Log.String()[from:]
	for _, want := range []string{"outcome=forbidden", "msg=login ", "path=/login"} {
		if !strings.Contains(log, want) {
			t.Errorf("no %s in\n%s", want, log)
		}
	}
	b.Pass(app.StrangersRefill)
	from = len(b.Log.String())
	b.As(t, "", http.MethodGet, "/jobs", nil)
	if log := b.Log.String()[from:]; strings.Count(log, "not_logged_before=7") != 1 {
		t.Errorf("no count of 7 in\n%s", log)
	}
}
