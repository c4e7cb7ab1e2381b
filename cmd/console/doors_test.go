package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestV21ServeOnLoopback: a console that is started without any flag about it
// answers to nobody who made a name of his own mean this machine; root/root goes
// on working, and names that were given do, too.
func TestV21ServeOnLoopback(t *testing.T) {
	t.Parallel()
	_, site := startServe(t, "--zookeeper=127.0.0.1:1", "--namespace=n", "--allowed-hosts=jobs.example.com",
		"--oidc-issuer=http://127.0.0.1:1", "--oidc-client-id=c", "--oidc-guest-group=g", "--oidc-redirect-url=http://localhost:8899/login/oidc/callback")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for host, want := range map[string]int{
		"": http.StatusSeeOther, "localhost:8899": http.StatusSeeOther, "jobs.example.com": http.StatusSeeOther,
		"evil.example:8899": http.StatusMisdirectedRequest,
	} {
		form := url.Values{"username": {"root"}, "password": {"root"}}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, site+"/login", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if host != "" {
			req.Host = host
		}
		req.Header.Set("Origin", "http://"+req.Host)
		r, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("Host %q: %s, want %d", host, r.Status, want)
		}
	}
}

// TestV21HostsOfFlags: the host of the redirect URL is a name of the console, but
// does not restrict where nothing else does.
func TestV21HostsOfFlags(t *testing.T) {
	t.Parallel()
	oidc := oidcFlags{RedirectURL: "https://jobs.example.com:8443/login/oidc/callback"}
	if got := oidc.host(); len(got) != 1 || got[0] != "jobs.example.com" {
		t.Errorf("host of the redirect URL: %q", got)
	}
	if got := (&oidcFlags{}).host(); got != nil {
		t.Errorf("without a redirect URL: %q", got)
	}
	for _, listen := range []string{"127.0.0.1:8899", "0.0.0.0:8899"} {
		if _, err := (&doorFlags{}).hosts(listen, oidc.host()...); err != nil {
			t.Errorf("%s: %v", listen, err)
		}
	}
	if _, err := (&doorFlags{AllowedHosts: []string{"a b"}}).hosts("127.0.0.1:8899"); err == nil {
		t.Error("a name with a blank is taken")
	}
}
