package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestV21RebindingPageCannotSignIn: a page of another site makes its own name
// mean 127.0.0.1. To the browser its requests are then same-origin. It must not
// get in, whatever it asks for.
func TestV21RebindingPageCannotSignIn(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) {
		hosts, err := app.ParseHosts(true, nil)
		if err != nil {
			t.Fatal(err)
		}
		o.Hosts = hosts
	})
	evil := func(r *http.Request) {
		r.Host = "evil.example:8899"
		r.Header.Set("Origin", "http://evil.example:8899")
	}
	for _, r := range []consoletest.Reply{
		b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("root", "r00t-Canary-7", "/"), evil),
		b.As(t, "", http.MethodGet, "/login", nil, evil),
		b.As(t, auth.RoleRoot, http.MethodGet, "/jobs", nil, evil),
		b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", url.Values{}, evil),
		b.As(t, auth.RoleRoot, http.MethodPut, "/api/jobs/config", nil, consoletest.JSONBody(`{"jobName":"invoices"}`), evil),
		b.As(t, "", http.MethodGet, "/api/openapi.json", nil, evil),
	} {
		consoletest.WantStatus(t, r, http.StatusMisdirectedRequest)
		if r.Cookie("elasticjob_session") != nil || !strings.Contains(r.Body, "--allowed-hosts") {
			t.Errorf("%s: cookies %v, body %q", r.Request.URL.Path, r.Cookies(), r.Body)
		}
	}
	if given := b.Registry.Given(); len(given) > 0 {
		t.Errorf("carried out: %q", given)
	}
	consoletest.WantStatus(t, b.As(t, "", http.MethodGet, "/healthz", nil, evil), http.StatusOK)

	// Root goes on working, and so do rebinding's honest relatives.
	for _, host := range []string{"127.0.0.1:8899", "localhost:8899", "LOCALHOST", "localhost.", "[::1]:8899", "127.9.9.9", "[::ffff:127.0.0.1]:80"} {
		own := func(r *http.Request) { r.Host = host; r.Header.Set("Origin", "http://"+host) }
		consoletest.WantStatus(t, b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("root", "r00t-Canary-7", "/"), own), http.StatusSeeOther)
	}
}
