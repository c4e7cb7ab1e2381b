//go:build servers

package pages

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestMenuOfAJobInABrowser: the menu opens by a press and by a key, closes by Escape and by
// a press outside of it, and fits on a phone. It also opens without scripts.
func TestMenuOfAJobInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	eval := func(script string) string { t.Helper(); return evalText(t, tab, script) }
	const (
		menu  = `document.querySelector('.head [data-testid="menu"]')`
		entry = `.head [data-testid="do-shutdown"]`
	)
	open := func(want string) {
		t.Helper()
		waittest.Until(t, "the menu to be open: "+want, func() bool { return eval(menu+`.open + ""`) == want })
	}
	must(tab.Size(390, 844), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs/invoices"), tab.Click(`.head [data-testid="menu"] summary`), tab.Wait(entry))
	if at := eval(`(() => { const r = ` + menu + `.querySelector(".menu-list").getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth ? "" : r.left + "-" + r.right })()`); at != "" {
		t.Errorf("the menu leaves the phone: %s", at)
	}
	eval(`document.querySelector('.head [data-testid="do-shutdown"]').focus(); document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true})); ""`)
	open("false")
	if at := eval(`document.activeElement.tagName`); at != "SUMMARY" {
		t.Errorf("after Escape the focus is at %s", at)
	}
	must(tab.Click(`.head [data-testid="menu"] summary`))
	open("true")
	must(tab.Click("h1"))
	open("false")
	must(tab.Scripts(false), tab.Size(1440, 900), tab.Open(b.URL+"/jobs/invoices"), tab.Click(`.head [data-testid="menu"] summary`), tab.Click(entry), tab.Wait(`[data-testid="confirm"]`))
}

// TestRunsOfAPhoneAreShortInABrowser: on a phone a run is a card of four lines at most, on
// the page of its job and in the list of all.
func TestRunsOfAPhoneAreShortInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.Size(390, 844), tab.SignIn(b.URL, "root", "r00t-Canary-7"))
	for _, path := range []string{"/jobs/invoices", "/runs"} {
		must(tab.Open(b.URL+path), tab.Wait(`[data-testid="run"]`))
		tall := evalText(t, tab, `[...document.querySelectorAll('[data-testid="run"]')].map(r => [Math.round(r.getBoundingClientRect().height), r.querySelectorAll(".cause").length]).filter(([h, causes]) => h > (causes ? 130 : 110) || h < 40).join("; ")`)
		if tall != "" {
			t.Errorf("%s has cards of so many pixels: %s", path, tall)
		}
		if aside := evalText(t, tab, `[...document.querySelectorAll('[data-testid="run"]')].filter(r => r.querySelector('[data-testid="to-run"]').getBoundingClientRect().bottom <= r.querySelector('[data-testid="run-state"]').getBoundingClientRect().top).length + ""`); aside != "0" {
			t.Errorf("%s: in %s cards the time and the state don't share a line", path, aside)
		}
	}
}
