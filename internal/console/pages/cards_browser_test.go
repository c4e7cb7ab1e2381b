//go:build servers

package pages

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// TestCardsAreShortInABrowser: on a phone a record of the audit and a shard are cards of a
// few lines, nothing runs over the edge, and what belongs together stands on one line.
func TestCardsAreShortInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Settings.Write(settings.Record{ID: 1, At: consoletest.Noon, User: "root", Action: "POST /jobs/:job/disable", Target: "mail", Outcome: settings.EndedDone, Detail: "reason=INC-4821", Remote: "10.1.0.8"})
	b.Settings.Write(settings.Record{ID: 2, At: consoletest.Noon, User: "root", Action: "POST /login", Outcome: settings.EndedDone, Remote: "10.1.0.8"})
	rows, steps := consoletest.TheRun()
	b.History.Rows, b.History.Steps = rows, steps
	tab, must := startBrowser(t)
	must(tab.Size(390, 844), tab.SignIn(b.URL, "root", "r00t-Canary-7"))
	for _, c := range []struct {
		path, card string
		most       int // pixels
	}{
		{"/audit?kind=all", `[data-testid="audit-row"]`, 130},
		{"/jobs/invoices/shards", `[data-testid="shard"]`, 150},
	} {
		must(tab.Open(b.URL + c.path))
		tall, err := browser.Eval[int](tab, `((l) => l.sort((a, b) => a - b)[l.length >> 1])([...document.querySelectorAll('`+c.card+`')].map((e) => Math.ceil(e.getBoundingClientRect().height)))`)
		if must(err); tall < 40 || tall > c.most {
			t.Errorf("%s: half of the cards are %d px tall or more, want at most %d", c.path, tall, c.most)
		}
		if over, err := browser.Eval[int](tab, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); err != nil || over > 0 {
			t.Errorf("%s is %d px too wide (%v)", c.path, over, err)
		}
	}
	// Without a target the outcome begins a line all the same.
	must(tab.Open(b.URL + "/audit?kind=all"))
	if got := evalText(t, tab, `[...new Set([...document.querySelectorAll('[data-testid="audit-outcome"]')].map((e) => Math.round(e.getBoundingClientRect().left)))].join()`); got == "" || len(got) > 3 {
		t.Errorf("outcomes begin at %s px", got)
	}
	must(tab.Open(b.URL + "/runs"))
	if got := evalText(t, tab, `[...new Set([...document.querySelectorAll('[data-testid^="export-"]')].map((e) => e.getBoundingClientRect().top))].length.toString()`); got != "1" {
		t.Error("the two exports stand on two lines")
	}
}
