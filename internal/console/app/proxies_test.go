package app_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestV22StrangerBehindTheProxy: all browsers come by one proxy. Somebody who
// guesses passwords there is held, and nobody else; what he writes into the
// header himself does not help him.
func TestV22StrangerBehindTheProxy(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) {
		proxies, err := app.ParseProxies([]string{"127.0.0.1"})
		if err != nil {
			t.Fatal(err)
		}
		o.Proxies = proxies
	})
	try := func(user, password, forwarded string) consoletest.Reply {
		return b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm(user, password, "/"), func(r *http.Request) {
			r.Header.Set("X-Forwarded-For", forwarded)
			r.Header.Set("X-Forwarded-Proto", "https")
		})
	}
	for i := range auth.AddressBurst {
		consoletest.WantStatus(t, try(fmt.Sprint("user", i), "wrong", fmt.Sprintf("1.1.1.%d, 203.0.113.66", i)), http.StatusUnauthorized)
	}
	consoletest.WantStatus(t, try("another", "wrong", "9.9.9.9, 203.0.113.66"), http.StatusTooManyRequests)
	in := try("root", "r00t-Canary-7", "203.0.113.5")
	consoletest.WantStatus(t, in, http.StatusSeeOther)
	if c := in.Cookie("__Host-elasticjob_session"); c == nil || !c.Secure || in.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("the proxy speaks TLS with the browser, but the cookie is %v", in.Cookies())
	}
	if r := b.LastRecord(t); r.Remote != "203.0.113.5" {
		t.Errorf("the audit says that it came from %s", r.Remote)
	}
}
