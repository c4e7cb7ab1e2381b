//go:build servers

package pages

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestA41InABrowser signs in with a real browser and a provider of another
// site: its rules for cookies and for what a page may lead to are stricter than
// those of a cookie jar.
func TestA41InABrowser(t *testing.T) {
	t.Parallel()
	p := consoletest.NewIDP(t)
	var handler http.Handler // known when the server's address is
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	defer server.Close()
	site := strings.Replace(server.URL, "127.0.0.1", "localhost", 1) // another site than the provider's
	p.Back = site + app.OIDCCallback
	b := consoletest.New(t, consoletest.WithIDP(t, p))
	handler = b.Console

	tab, must := startBrowser(t)
	must(tab.Open(site+"/jobs?status=OK"), tab.Wait(`[data-testid="login-other"]`))
	for _, width := range []int64{1440, 390} {
		must(tab.Size(width, 900))
		if over, err := browser.Eval[int](tab, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); err != nil || over > 0 {
			t.Errorf("the login page is %d px too wide at %d (%v)", over, width, err)
		}
	}
	must(tab.Size(1440, 900), tab.Click(`[data-testid="login-other"] a`), tab.Wait(`[data-testid="user"]`))
	user, err := tab.Text(`[data-testid="user"] b`)
	must(err)
	address, err := tab.Address()
	must(err)
	if user != "oidc:alice" || address != site+"/jobs?status=OK" {
		t.Errorf("signed in as %q at %q", user, address)
	}
	must(tab.Click(`[data-testid="logout"]`), tab.Wait(`[data-testid="login-form"]`))

	p.Set(func(p *consoletest.IDP) { p.Claims["groups"] = []string{} })
	must(tab.Click(`[data-testid="login-other"] a`), tab.Wait(`[data-testid="problem"]`))
	if text, err := tab.Text(`[data-testid="problem"] h1`); err != nil || text != "You are not in a group that may use this console." {
		t.Errorf("refused with %q (%v)", text, err)
	}
}
