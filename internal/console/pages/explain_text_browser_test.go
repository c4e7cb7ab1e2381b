//go:build servers

package pages

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestCopyExplanation: with scripts the button copies the text and confirms it. Without
// scripts it's a link that opens the text.
func TestCopyExplanation(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.SignIn(b.URL, "guest", "gu3st-Canary-7"), tab.Open(b.URL+"/jobs/invoices/explain"))
	_, err := browser.Eval[bool](tab, `Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.took = text; } } }), true`)
	must(err, tab.Click(`[data-testid="copy-text"]`), tab.Wait(`[data-testid="copy-text"][data-copied]`))
	if says := evalText(t, tab, `document.querySelector("[data-testid=copy-text]").textContent`); says != "Copied" {
		t.Errorf("the button says %q", says)
	}
	if took := evalText(t, tab, "window.took"); !strings.HasPrefix(took, "invoices: The job is unstable.") {
		t.Errorf("copied %q", took)
	}
	must(tab.Wait(`[data-testid="copy-text"]:not([data-copied])`))
	must(tab.Scripts(false), tab.Open(b.URL+"/jobs/invoices/explain"), tab.Click(`[data-testid="copy-text"]`), tab.Wait("body > pre"))
	if text := evalText(t, tab, "document.body.innerText"); !strings.HasPrefix(text, "invoices: The job is unstable.") {
		t.Errorf("without scripts it opens %q", text)
	}
}
