package pages

import (
	"slices"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestUpdatesAreHeldInABrowser: what changes is shown at once, but not where the
// reader is at work; what waits is counted, and shown when asked for.
func TestUpdatesAreHeldInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	eval := func(script string) string { t.Helper(); return evalText(t, tab, script) }
	const description = `document.querySelector('[data-region="jobs"]').innerHTML.includes("changed by hand") + ""`
	change := func(text string) {
		t.Helper()
		b.Registry.Set(func(f *consoletest.FakeRegistry) {
			f.List = slices.Clone(f.List)
			f.List[0].Description = text
		})
		eval(`document.dispatchEvent(new Event("visibilitychange")); ""`) // the tab is looked at again: refresh now
	}
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs"), tab.Wait(`[data-live-toggle]`))

	change("changed by hand")
	waittest.Until(t, "the change to be shown", func() bool { return eval(description) == "true" })

	eval(`document.querySelector('[data-region="jobs"] [data-testid="job"] a').focus(); ""`)
	change("and back")
	must(tab.Wait(`[data-live-held]`))
	if eval(description) != "true" {
		t.Error("the change was shown where the reader is at work")
	}
	must(tab.Click(`[data-live-held]`))
	waittest.Until(t, "what waited to be shown", func() bool { return eval(description) == "false" })
	if hidden := eval(`document.querySelector('[data-live-held]').hidden + ""`); hidden != "true" {
		t.Error("nothing waits, and the page says that something does")
	}
}

// TestTheListStaysInABrowser: what is read again changes in place. Rows keep their
// order, one that left the view stays, and the new order comes when asked for.
func TestTheListStaysInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	eval := func(script string) string { t.Helper(); return evalText(t, tab, script) }
	const order = `[...document.querySelectorAll("[data-job]")].map((row) => row.dataset.job).join()`
	const places = `JSON.stringify([...document.querySelectorAll(".grid-jobs th")].map((cell) => cell.getBoundingClientRect().x))`
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs"), tab.Wait(`[data-live-toggle]`))
	before, columns := eval(order), eval(places)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { // the last becomes one of the worst, with much to say
		f.List = slices.Clone(f.List)
		i := slices.IndexFunc(f.List, func(j statistics.JobDetail) bool { return j.Name == "token-rotation" })
		f.List[i].Status, f.List[i].ConfigError = statistics.StatusBroken, "an unreasonably long description of it"
	})
	eval(`document.dispatchEvent(new Event("visibilitychange")); ""`)
	must(tab.Wait(`[data-testid="moved"]`))
	if after := eval(order); after != before {
		t.Errorf("the rows moved by themselves:\n%s\n%s", before, after)
	}
	if after := eval(places); after != columns {
		t.Errorf("the columns moved: %s, %s", columns, after)
	}
	if state := eval(`document.querySelector('[data-job="token-rotation"] [data-testid="status"]').textContent.trim()`); !strings.HasPrefix(state, "Unreadable") {
		t.Errorf("the row says %q", state)
	}
	must(tab.Click(`[data-testid="moved"] a`))
	waittest.Until(t, "the new order", func() bool { return eval(order) != before })
}
