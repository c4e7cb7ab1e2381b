//go:build servers

package pages

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestSelectingInABrowser: rows are selected by a press, a range by a press with
// shift, the row in sight by x, the page by the box in the head; the bar counts.
func TestSelectingInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	eval := func(script string) string { t.Helper(); return evalText(t, tab, script) }
	count := func(want string) {
		t.Helper()
		waittest.Until(t, "the bar to say "+want, func() bool {
			return readText(t, tab, `document.querySelector("[data-select-count]").textContent`) == want
		})
	}
	press := func(row int, shift bool) {
		t.Helper()
		init := "{bubbles: true}"
		if shift {
			init = "{bubbles: true, shiftKey: true}"
		}
		eval(`(() => { const box = document.querySelectorAll(".sel input")[` + string(rune('0'+row)) + `]; box.dispatchEvent(new MouseEvent("click", ` + init + `)); return "" })()`)
	}
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs"), tab.Wait(`input[data-select-page]`))
	if shown := eval(`getComputedStyle(document.querySelector(".bulk-bar")).display`); shown != "none" {
		t.Errorf("the bar is there without a selection: %s", shown)
	}
	press(1, false)
	count("1 selected")
	press(4, true)
	count("4 selected")
	press(3, false)
	count("3 selected")
	if shown := eval(`getComputedStyle(document.querySelector(".bulk-bar")).display`); shown != "flex" {
		t.Errorf("the bar is %s", shown)
	}
	eval(`document.querySelectorAll('[data-row] .lead a')[8].focus(); document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "x", bubbles: true})); ""`)
	count("4 selected")
	eval(`(() => { const q = document.querySelector('input[name="q"]'); q.focus(); q.dispatchEvent(new KeyboardEvent("keydown", {key: "x", bubbles: true})); return "" })()`)
	count("4 selected")

	// What changes meanwhile is held, and comes when nothing is selected any more.
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.List[0].Description = "changed by hand" })
	eval(`document.activeElement.blur(); document.dispatchEvent(new Event("visibilitychange")); ""`)
	must(tab.Wait(`[data-live-held]`), tab.Click(`[data-testid="select-clear"]`))
	waittest.Until(t, "nothing to be selected", func() bool {
		return readText(t, tab, `document.querySelectorAll(".sel input:checked").length + ""`) == "0"
	})
	must(tab.Click(`input[data-select-page]`))
	waittest.Until(t, "the page to be selected", func() bool {
		return eval(`document.querySelectorAll(".sel input:not(:checked)").length + ""`) == "0"
	})
}
