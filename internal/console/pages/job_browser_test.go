//go:build servers

package pages

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestTheFirstErrorHasRoom: of the columns of a job's recent runs the one with the first
// error is the widest. A rule for the lists of all jobs once gave it a tenth.
func TestTheFirstErrorHasRoom(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs/invoices"), tab.Wait(`[data-testid="runs-table"]`))
	widths, err := browser.Eval[[]float64](tab, `[...document.querySelectorAll('[data-testid="runs-table"] th')].map((th) => th.offsetWidth)`)
	must(err)
	for _, width := range widths[:len(widths)-1] {
		if last := widths[len(widths)-1]; width > last {
			t.Errorf("widths of columns: %v", widths)
			break
		}
	}
}
