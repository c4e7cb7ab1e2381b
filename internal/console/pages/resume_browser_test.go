//go:build servers

package pages

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestSessionEndsInAFormInABrowser: the reader signs in and goes on where the form was.
func TestSessionEndsInAFormInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Outcome.Affected = []string{"10.2.0.14"} })
	tab, must := startBrowser(t)
	must(tab.SignIn(b.URL, "root", "r00t-Canary-7"))
	must(tab.Open(b.URL + "/jobs/bulk?do=disable&job=invoices"))
	must(tab.Wait(`[data-testid="bulk-reason"]`), tab.Fill(`[data-testid="bulk-reason"]`, "INC-4821"))
	b.Pass(48 * time.Hour) // the session is over
	must(tab.Click(`[data-testid="bulk-submit"]`), tab.Wait(`[data-testid="login-form"]`))
	must(tab.Fill(`input[name="username"]`, "root"), tab.Fill(`input[name="password"]`, "r00t-Canary-7"), tab.Click(`[data-testid="login-form"] button[type="submit"]`))
	must(tab.Wait(`[data-testid="bulk-reason"]`))
	if got, err := browser.Eval[string](tab, `document.querySelector('[data-testid="bulk-reason"]').value`); err != nil || got != "INC-4821" {
		t.Errorf("the reason came back as %q, %v", got, err)
	}
	if len(b.Registry.Given()) > 0 {
		t.Fatalf("actions %q", b.Registry.Given())
	}
	must(tab.Click(`[data-testid="bulk-submit"]`))
	waittest.Until(t, "the action", func() bool { return len(b.Registry.Given()) == 1 })
}
