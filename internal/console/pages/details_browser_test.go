//go:build servers

package pages

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestW36OfflineInABrowser: without a network, buttons and links that change something are off, with
// the reason; they work again afterwards.
func TestW36OfflineInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs/invoices"), tab.Wait(`[data-testid="do-run"]`))
	online := func(is string) {
		evalText(t, tab, `Object.defineProperty(navigator, "onLine", { value: `+is+`, configurable: true }); dispatchEvent(new Event(`+is+` ? "online" : "offline")); ""`)
	}
	const state = `(() => { const run = document.querySelector('[data-testid="do-run"]'); return run.ariaDisabled + run.title; })()`
	online("false")
	if got, want := evalText(t, tab, state), "trueThis browser is offline. Nothing can be changed until it's connected again."; got != want {
		t.Errorf("offline: %q, want %q", got, want)
	}
	evalText(t, tab, `document.querySelector('[data-testid="do-run"]').click(); document.querySelector('[data-testid="do-disable"]').click(); ""`)
	if at := evalText(t, tab, `location.pathname + document.querySelectorAll("dialog[open]").length`); at != "/jobs/invoices0" {
		t.Errorf("a press leads to %q", at)
	}
	online("true")
	if got := evalText(t, tab, state); got != "null" {
		t.Errorf("online again: %q", got)
	}
	must(tab.Click(`[data-testid="do-run"]`))
	waittest.Until(t, "the dialog", func() bool { return readText(t, tab, `document.querySelectorAll("dialog[open]").length + ""`) == "1" })
}

// TestW36EightJobsOnAPhone: a phone shows eight jobs above its bar, each with name, state, last runs
// and next fire.
func TestW36EightJobsOnAPhone(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.Size(390, 844), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs?sort=name"), tab.Wait(`.tabbar`))
	shown := evalText(t, tab, `(() => {
		const bar = document.querySelector(".tabbar").getBoundingClientRect().top;
		return [...document.querySelectorAll("tr[data-job]")].filter((row) => row.getBoundingClientRect().bottom <= bar).length + "";
	})()`)
	if shown < "8" || len(shown) > 1 {
		t.Errorf("%s jobs are in sight, want at least 8", shown)
	}
}
