package pages

import (
	"context"
	"slices"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestUpdatesAreHeldInABrowser: what changes is shown at once, but not where the
// reader is at work; what waits is counted, and shown when asked for.
func TestUpdatesAreHeldInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, stop, err := browser.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	must := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	eval := func(script string) string {
		t.Helper()
		text, err := browser.Eval[string](tab, script)
		must(err)
		return text
	}
	const description = `document.querySelector('[data-region="jobs"]').textContent.includes("changed by hand") + ""`
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
