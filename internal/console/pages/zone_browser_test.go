//go:build servers

package pages

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestZoneOfTheReader: the browser knows it, so the script fills its button in.
func TestZoneOfTheReader(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs"))
	if filled := evalText(t, tab, `(() => {
		const mine = document.querySelector("[data-zone-mine]");
		return String(!mine.hidden && mine.value === Intl.DateTimeFormat().resolvedOptions().timeZone && mine.title.endsWith(mine.value));
	})()`); filled != "true" {
		t.Errorf("the button of the reader's zone: %s", evalText(t, tab, `document.querySelector("[data-zone-mine]").outerHTML`))
	}
}
