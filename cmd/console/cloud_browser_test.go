//go:build servers && linux

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/demo"
)

// TestCloudInABrowser: with --cloud the demo shows, within a minute and by the links of its
// pages alone, a run of processes and what one of them wrote.
func TestCloudInABrowser(t *testing.T) {
	t.Parallel()
	_, f := startDemo(t, "--cloud", "--restart-after=0s")
	tab := startBrowser(t)
	must(t, tab.Size(1440, 900), tab.SignIn(f.site, "guest", "guest"))
	text := func(selector string) string {
		got, err := browser.Read[string](tab, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, selector))
		must(t, err)
		return got
	}
	must(t, tab.Open(f.site), tab.Click(`.nav a[href="/cloud"]`), tab.Wait(`[data-region="cloud-overview"]`), tab.Click(`[data-testid="tab-runs"]`), tab.Wait(`[data-region="cloud-runs"]`))
	// Nobody reloads the page: it offers the run when there is one, below that of the daemons.
	run := `[data-testid="run"]:has([href="/cloud/jobs/` + demo.CloudJob + `"]) [data-testid="to-run"]`
	eventually(t, "the list has a run", func() bool {
		_, err := browser.Read[bool](tab, `(() => { const more = document.querySelector("[data-live-held]"); if (!more.hidden) more.click(); return true })()`)
		must(t, err)
		return text(run) != ""
	})
	must(t, tab.Click(run), tab.Wait(`[data-testid="lane"]`))
	if n := count(t, tab, `[data-testid="lane"]`); n != 3 {
		t.Errorf("the run has %d shards, want 3", n)
	}
	eventually(t, "the page says that the run has succeeded", func() bool { return strings.EqualFold(text(`[data-testid="run-state"]`), "succeeded") })
	must(t, tab.Click(`[data-testid="lane"]:last-of-type`), tab.Wait(`[data-testid="log-text"]`))
	if log := text(`[data-testid="log-text"]`); !strings.Contains(log, "stocktake of ") || !strings.Contains(log, "is done") {
		t.Errorf("the log is %q", log)
	}
}
