//go:build servers

package pages

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestSearchShardsWithoutScripts: the form leads to the shards that it finds.
func TestSearchShardsWithoutScripts(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	consoletest.ManyShards(b)
	tab, must := startBrowser(t)
	must(tab.SignIn(b.URL, "guest", "gu3st-Canary-7"), tab.Scripts(false), tab.Open(b.URL+"/jobs/invoices/shards"), tab.Fill(`[data-testid="shard-search"] [name="q"]`, "10-12"),
		tab.Click(`[data-testid="shard-search"] button`), tab.Wait(`[data-testid="shard-search"] [value="10-12"]`))
	if rows := evalText(t, tab, `String(document.querySelectorAll('[data-testid="shard"]').length)`); rows != "3" {
		t.Errorf("%s rows", rows)
	}
}
