package console

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
)

func TestV22WhereARequestCameFrom(t *testing.T) {
	t.Parallel()
	proxies, err := ParseProxies([]string{"10.0.0.7", "10.0.3.0/24", "fd00::/8"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		peer       string
		forwarded  []string
		proto      []string
		tls        bool
		wantRemote string
		wantSecure bool
	}{
		{"203.0.113.5:1", nil, nil, false, "203.0.113.5", false},
		{"203.0.113.5:1", nil, nil, true, "203.0.113.5", true},
		// Nobody but a proxy may say so.
		{"203.0.113.5:1", []string{"10.1.1.1"}, []string{"https"}, false, "203.0.113.5", false},
		{"10.0.0.8:1", []string{"192.0.2.1"}, []string{"https"}, false, "10.0.0.8", false},
		{"10.0.0.7:1", []string{"192.0.2.1"}, []string{"https"}, false, "192.0.2.1", true},
		{"10.0.0.7:1", []string{"192.0.2.1"}, []string{"http"}, false, "192.0.2.1", false},
		// What the browser wrote itself stands left of what proxies wrote.
		{"10.0.0.7:1", []string{"1.1.1.1, 192.0.2.1"}, []string{"https, http"}, false, "192.0.2.1", false},
		{"10.0.0.7:1", []string{"1.1.1.1", "192.0.2.1"}, nil, false, "192.0.2.1", false},
		{"10.0.0.7:1", []string{"1.1.1.1, 192.0.2.1, 10.0.3.9"}, nil, false, "192.0.2.1", false},
		{"10.0.0.7:1", []string{"192.0.2.1:4711"}, nil, false, "192.0.2.1", false},
		{"10.0.0.7:1", []string{"[2001:db8::1]:4711"}, nil, false, "2001:db8::1", false},
		{"10.0.0.7:1", []string{"::ffff:192.0.2.1"}, nil, false, "192.0.2.1", false},
		{"[fd00::1]:1", []string{"2001:db8::1"}, nil, false, "2001:db8::1", false},
		{"10.0.0.7:1", []string{"nonsense, 10.0.3.9"}, nil, false, "10.0.3.9", false},
		{"10.0.0.7:1", []string{""}, nil, false, "10.0.0.7", false},
		{"10.0.0.7:1", nil, nil, false, "10.0.0.7", false},
		{"10.0.0.7:1", []string{"10.0.3.1, 10.0.3.2"}, nil, false, "10.0.3.1", false},
	} {
		r := &http.Request{RemoteAddr: test.peer, Header: http.Header{"X-Forwarded-For": test.forwarded, "X-Forwarded-Proto": test.proto}}
		if test.tls {
			r.TLS = &tls.ConnectionState{}
		}
		if remote, secure := proxies.origin(r); remote != test.wantRemote || secure != test.wantSecure {
			t.Errorf("%s with %q and %q: from %s, encrypted %v", test.peer, test.forwarded, test.proto, remote, secure)
		}
	}
	for _, wrong := range []string{"", "proxy", "0.0.0.0/0", "::/0", "10.0.0.0/33", "fe80::1%eth0"} {
		if _, err := ParseProxies([]string{wrong}); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

// TestV22StrangerBehindTheProxy: all browsers come by one proxy. Somebody who
// guesses passwords there is held, and nobody else; what he writes into the
// header himself does not help him.
func TestV22StrangerBehindTheProxy(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *Options) {
		proxies, err := ParseProxies([]string{"127.0.0.1"})
		if err != nil {
			t.Fatal(err)
		}
		o.Proxies = proxies
	})
	try := func(user, password, forwarded string) reply {
		return b.as(t, "", http.MethodPost, "/login", loginForm(user, password, "/"), func(r *http.Request) {
			r.Header.Set("X-Forwarded-For", forwarded)
			r.Header.Set("X-Forwarded-Proto", "https")
		})
	}
	for i := range auth.AddressBurst {
		wantStatus(t, try(fmt.Sprint("user", i), "wrong", fmt.Sprintf("1.1.1.%d, 203.0.113.66", i)), http.StatusUnauthorized)
	}
	wantStatus(t, try("another", "wrong", "9.9.9.9, 203.0.113.66"), http.StatusTooManyRequests)
	in := try("root", "r00t-Canary-7", "203.0.113.5")
	wantStatus(t, in, http.StatusSeeOther)
	if c := in.cookie("__Host-elasticjob_session"); c == nil || !c.Secure || in.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("the proxy speaks TLS with the browser, but the cookie is %v", in.Cookies())
	}
	if r := b.lastRecord(t); r.Remote != "203.0.113.5" {
		t.Errorf("the audit says that it came from %s", r.Remote)
	}
}
