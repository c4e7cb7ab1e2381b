package console

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
)

// TestV21RebindingPageCannotSignIn: a page of another site makes its own name
// mean 127.0.0.1. To the browser its requests are then same-origin. It must not
// get in, whatever it asks for.
func TestV21RebindingPageCannotSignIn(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *Options) {
		hosts, err := ParseHosts(true, nil)
		if err != nil {
			t.Fatal(err)
		}
		o.Hosts = hosts
	})
	evil := func(r *http.Request) {
		r.Host = "evil.example:8899"
		r.Header.Set("Origin", "http://evil.example:8899")
	}
	for _, r := range []reply{
		b.as(t, "", http.MethodPost, "/login", loginForm("root", "r00t-Canary-7", "/"), evil),
		b.as(t, "", http.MethodGet, "/login", nil, evil),
		b.as(t, auth.RoleRoot, http.MethodGet, "/jobs", nil, evil),
		b.as(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", url.Values{}, evil),
		b.as(t, auth.RoleRoot, http.MethodPut, configRoute, nil, jsonBody(`{"jobName":"invoices"}`), evil),
		b.as(t, "", http.MethodGet, "/api/openapi.json", nil, evil),
	} {
		wantStatus(t, r, http.StatusMisdirectedRequest)
		if r.cookie("elasticjob_session") != nil || !strings.Contains(r.body, "--allowed-hosts") {
			t.Errorf("%s: cookies %v, body %q", r.Request.URL.Path, r.Cookies(), r.body)
		}
	}
	if given := b.registry.given(); len(given) > 0 {
		t.Errorf("carried out: %q", given)
	}
	wantStatus(t, b.as(t, "", http.MethodGet, "/healthz", nil, evil), http.StatusOK)

	// Root goes on working, and so do rebinding's honest relatives.
	for _, host := range []string{"127.0.0.1:8899", "localhost:8899", "LOCALHOST", "localhost.", "[::1]:8899", "127.9.9.9", "[::ffff:127.0.0.1]:80"} {
		own := func(r *http.Request) { r.Host = host; r.Header.Set("Origin", "http://"+host) }
		wantStatus(t, b.as(t, "", http.MethodPost, "/login", loginForm("root", "r00t-Canary-7", "/"), own), http.StatusSeeOther)
	}
}

func TestV21Hosts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		loopback bool
		entries  []string
		host     string
		allowed  bool
	}{
		{true, nil, "127.0.0.1.evil.example", false},
		{true, nil, "localhost.evil.example", false},
		{true, nil, "", false},
		{true, nil, "127.0.0.1:80:80", false},
		{true, nil, "127.1", false}, // some resolvers take it for an address; no browser sends it
		{true, nil, "2130706433", false},
		{true, nil, "[::1%25evil]:80", false},
		{true, nil, "0.0.0.0:8899", false}, // reaches loopback on some systems, from any site
		{true, []string{"jobs.example.com"}, "jobs.example.com", true},
		{true, []string{"jobs.example.com"}, "Jobs.Example.com.:443", true},
		{true, []string{"jobs.example.com"}, "xjobs.example.com", false},
		{true, []string{"*.example.com"}, "a.example.com:80", true},
		{true, []string{"*.example.com"}, "a.example.com.evil.example", false},
		{false, nil, "anything.example", true},
		{false, []string{"jobs.example.com"}, "evil.example", false},
		{false, []string{"jobs.example.com"}, "10.0.0.7:8899", false},
		{false, []string{"jobs.example.com", "10.0.0.0/8"}, "10.0.0.7:8899", true},
		{false, []string{"jobs.example.com"}, "localhost:8899", true}, // kubectl port-forward
	} {
		hosts, err := ParseHosts(test.loopback, test.entries)
		if err != nil {
			t.Fatal(err)
		}
		if got := hosts.allows(test.host); got != test.allowed {
			t.Errorf("loopback %v with %q: Host %q allowed: %v", test.loopback, test.entries, test.host, got)
		}
	}
	if _, err := ParseHosts(true, []string{"http://jobs.example.com"}); err == nil {
		t.Error("an address with a scheme is taken for a name")
	}
}
