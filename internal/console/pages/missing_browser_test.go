//go:build servers

package pages

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestCopyErrorInABrowser: the id of a request that failed and why a shard failed are
// copied with one press. Without scripts the button is not seen.
func TestCopyErrorInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, steps := consoletest.TheRun()
	b.History.Rows, b.History.Steps = append(rows, b.History.Rows...), steps
	tab, must := startBrowser(t)
	must(tab.SignIn(b.URL, "guest", "gu3st-Canary-7"))
	for path, of := range map[string]string{"/jobs/nope": "#request-id", "/jobs/invoices/runs/" + rows[0].RunID + "?shard=2": "#cause-text"} {
		must(tab.Open(b.URL + path))
		_, err := browser.Eval[bool](tab, `Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.took = text; } } }), true`)
		must(err, tab.Click(`[data-testid="copy"]`), tab.Wait(`[data-testid="copy"][data-copied]`))
		if took, want := evalText(t, tab, "window.took"), evalText(t, tab, "document.querySelector('"+of+"').textContent"); took != want || want == "" {
			t.Errorf("%s: copied %q, want %q", path, took, want)
		}
	}
	must(tab.Scripts(false), tab.Open(b.URL+"/jobs/nope"))
	if seen := evalText(t, tab, `getComputedStyle(document.querySelector('[data-testid="copy"]')).visibility`); seen != "hidden" {
		t.Errorf("without scripts the button is %s", seen)
	}
}

// TestFiltersFoldOnAPhoneInABrowser: the filters of executions and of steps are open on a
// wide screen. On a phone they are folded, and one press opens them.
func TestFiltersFoldOnAPhoneInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.SignIn(b.URL, "guest", "gu3st-Canary-7"))
	shown := func() string {
		return evalText(t, tab, `["summary", "form"].filter((e) => document.querySelector(".filter-fold > " + e).checkVisibility({ contentVisibilityAuto: true })).join()`)
	}
	for _, path := range []string{"/executions", "/runs?level=status"} {
		must(tab.Size(1440, 900), tab.Open(b.URL+path))
		if got := shown(); got != "form" {
			t.Errorf("%s on a desk shows %q", path, got)
		}
		must(tab.Size(390, 844))
		if got := shown(); got != "summary" {
			t.Errorf("%s on a phone shows %q", path, got)
		}
		must(tab.Click(".filter-fold > summary"))
		if got := shown(); got != "summary,form" {
			t.Errorf("%s on a phone, pressed, shows %q", path, got)
		}
	}
}
