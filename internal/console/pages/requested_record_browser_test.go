//go:build servers

package pages

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestTheLogOfARunIsFollowedInABrowser: lines and progress come by themselves.
func TestTheLogOfARunIsFollowedInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+app.RequestedPath("invoices", consoletest.SampleActive)+"?shard=5"), tab.Wait(`[data-testid="log-lines"]`))
	b.History.Change(func() {
		b.History.Progress[0].Fraction = 0.9
		b.History.Lines = append(b.History.Lines, tracing.LogLine{ExecutionID: "e5", Seq: 3, RunID: consoletest.SampleActive, JobName: "invoices", Item: 5, Attempt: 1, At: consoletest.Noon, Level: "INFO", Message: "3,600 of 4,000 invoices"})
	})
	waittest.Until(t, "the line that came to be shown", func() bool {
		return evalText(t, tab, `document.querySelector('[data-testid="log-lines"]').textContent.includes("3,600 of") + document.querySelector("progress").getAttribute("value")`) == "true0.900"
	})
	if got, err := tab.Audit(); err != nil || len(got) > 0 {
		t.Errorf("%v, and complaints %q", err, got)
	}
}
