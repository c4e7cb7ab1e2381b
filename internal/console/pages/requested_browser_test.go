//go:build servers

package pages

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestARequestedRunIsFollowedInABrowser: the page shows by itself how the run ends, and
// asks no more after that.
func TestARequestedRunIsFollowedInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	eval := func(script string) string { t.Helper(); return evalText(t, tab, script) }
	const state = `document.querySelector('[data-testid="requested-state"]').textContent.trim()`
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+app.RequestedPath("invoices", consoletest.SampleActive)), tab.Wait(`[data-live-toggle]`))
	if got := eval(state); got != "Running" {
		t.Fatalf("state %q", got)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		run := &f.Requested[0]
		run.State, run.Ended, run.Claims, run.Waiting, run.CountOK = jobrun.Succeeded, consoletest.Noon, nil, nil, 8
	})
	waittest.Until(t, "the end of the run to be shown", func() bool { return readText(t, tab, state) == "Succeeded" })
	if again := eval(`document.querySelector('[data-testid="again-run"]') ? "again" : ""`); again != "again" {
		t.Error("a run that has ended cannot be requested again")
	}
	if end := eval(`document.querySelectorAll("[data-live-end]").length + ""`); end != "1" {
		t.Error("the page goes on asking")
	}
}

// TestTheFormOfARunInABrowser fills the fields in, has a value refused beside its field,
// corrects it and submits.
func TestTheFormOfARunInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	takes(b, "invoices", everyField(t))
	tab, must := startBrowser(t)
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs/invoices/run"))
	for name, text := range map[string]string{"month": "2026-10", "count": "50000", "address.city": "Bonn", "tenants": "Munich"} {
		must(tab.Fill(`[name="p.`+name+`"]`, text))
	}
	evalText(t, tab, `document.querySelector('[name="p.dryRun"]').click(), ""`) // wherever the bar with the buttons stands
	must(tab.Click(`[data-testid="request-submit"]`), tab.Wait(`[id="p.count-error"]`))
	if got := evalText(t, tab, `[...document.querySelectorAll(".field-error[id]")].map((e) => e.textContent).join("|") + document.querySelector('[name="p.month"]').value + document.querySelector('[name="p.dryRun"]').checked`); got != "50000 is not allowed; want a whole number from 1 to 5000.2026-10true" {
		t.Errorf("refused with %q", got)
	}
	must(tab.Fill(`[name="p.count"]`, "500"), tab.Click(`[data-testid="request-submit"]`), tab.Wait(`[data-testid="requested-params"]`))
	if got, want := string(lastRun(b).Params), `{"month":"2026-10","count":500,"size":"large","dryRun":true,"sure":false,"mails":true,"tenants":["Munich"],"address":{"city":"Bonn"}}`; got != want {
		t.Errorf("parameters %s, want %s", got, want)
	}
}

func lastRun(b *consoletest.Bench) (run jobrun.Run) {
	b.Registry.Set(func(f *consoletest.FakeRegistry) { run = f.Requested[len(f.Requested)-1] })
	return run
}
