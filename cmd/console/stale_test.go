//go:build servers && unix

package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestPagesWithoutZooKeeper stops a real ZooKeeper and starts it again: each page goes
// on to show what was known, says how old it is, offers no action, and comes back by
// itself. An open page does the same without being loaded again.
func TestPagesWithoutZooKeeper(t *testing.T) {
	t.Parallel()
	registry := zktest.StartZooKeeper(t)
	bundle := treetest.New(t, registry.Addr())
	bundle.Plant(t, consoletest.Plain("mail"))
	namespace := strings.TrimPrefix(bundle.NS.Root(), "/")
	_, site := startServe(t, "--zookeeper="+registry.Addr(), "--namespace="+namespace, "--session-timeout=10s")

	tab, end, err := browser.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	must := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	says := func(script string) func() bool {
		return func() bool {
			yes, err := browser.Eval[bool](tab, script)
			return err == nil && yes
		}
	}
	const stale = `document.querySelector(".live").dataset.state === "stale" && document.querySelector("[data-testid=age]").textContent.includes("Snapshot of ")`
	const live = `document.querySelector(".live").dataset.state === "live" && !document.querySelector("[data-testid=outage]")`
	const actionsOff = `[...document.querySelectorAll("main form[method=post] button, [data-testid=actions] button, .acts button")].every((button) => button.disabled)`
	const mail = `/mail|10\.0\.0\.1/.test(document.querySelector("main").textContent) || document.querySelector("h1").textContent.includes("mail")`
	pages := []string{"/", "/jobs", "/servers", "/jobs/mail", "/jobs/mail/explain"}

	must(tab.Size(1440, 900), tab.SignIn(site, "root", "root"))
	for _, path := range pages[1:] { // read once, so that details are known; the list is anyway
		must(tab.Open(site + path))
		eventually(t, path+" to show the job", says(mail))
	}
	must(tab.Open(site + "/jobs"))
	eventually(t, "the open page to be live", says(live))

	registry.Stop()
	eventually(t, "the open page to say that it is old", says(stale+" && "+actionsOff+" && ("+mail+")"))
	for _, path := range pages {
		must(tab.Open(site + path))
		eventually(t, path+" to show what was known", says(stale+" && "+actionsOff+` && !document.querySelector("[data-countdown]")`))
		if path != "/" && !says(mail)() {
			t.Errorf("%s: the job is not shown", path)
		}
	}
	a := (&fleet{site: site}).signIn(t, "root")
	if code := a.call(t, http.MethodGet, "/api/jobs", nil, nil); code != http.StatusServiceUnavailable {
		t.Errorf("the REST interface answers %d: it has no word for what may be old", code)
	}
	registry.Restart(t)
	eventually(t, "the page to come back by itself", says(live))
	must(tab.Open(site + "/jobs/mail"))
	eventually(t, "actions again", says(`document.querySelector("a[data-testid=do-run]") !== null`))
}
