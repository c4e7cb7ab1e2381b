//go:build servers

package pages

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestATokenIsMadeAndRevokedInABrowser: the form creates one, its button copies exactly the
// token, and the page of its row revokes it.
func TestATokenIsMadeAndRevokedInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+app.TokensRoute))
	must(
		tab.Fill("input[name=name]", "deploy"), tab.Fill("input[name=jobs]", "invoices"),
		tab.Click(`[data-testid="create-token"] button[type=submit]`), tab.Wait(`[data-testid="new-token"]`),
	)
	token := readText(t, tab, `document.querySelector('[data-testid="new-token"]')?.textContent ?? ""`)
	if !strings.HasPrefix(token, auth.ProgramPrefix) {
		t.Fatalf("shown %q", token)
	}
	copied := evalText(t, tab, `(() => {
		let text = "";
		Object.defineProperty(navigator, "clipboard", { value: { writeText: async (t) => { text = t; } }, configurable: true });
		document.querySelector('[data-testid="made"] [data-testid="copy"]').click();
		return text;
	})()`)
	if copied != token {
		t.Errorf("copied %q of %q", copied, token)
	}
	must(
		tab.Open(b.URL+app.TokensRoute), tab.Click(`[data-testid="revoke"]`), tab.Wait(`[data-testid="confirm-form"]`),
		tab.Click(`[data-testid="confirm-form"] button[type=submit]`), tab.Wait(`[data-testid="flash"]`),
	)
	if got := readText(t, tab, `document.querySelector('[data-testid="flash"]')?.textContent ?? ""`); !strings.Contains(got, "Revoked") {
		t.Errorf("after the revocation %q", got)
	}
}
