//go:build servers && unix

package main

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/demo"
)

// startBrowser starts a browser for the test.
func startBrowser(t *testing.T) *browser.Tab {
	t.Helper()
	tab, stop, err := browser.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return tab
}

// operate is what an operator does on the first day, in a browser: the same
// against the demo and against real servers.
func operate(t *testing.T, f fleet) {
	t.Helper()
	rootAPI := f.signIn(t, "root")
	f.awaitAssigned(t, rootAPI, "orders-import")
	f.awaitAssigned(t, rootAPI, demo.LongJob)
	tab := startBrowser(t)

	t.Log("root runs the one-off job and sees it run")
	must(t, tab.SignIn(f.site, "root", "root"), tab.Open(f.site+"/jobs/"+demo.OneOffJob))
	if n := count(t, tab, `[data-testid="run"]`); n != 0 {
		t.Fatalf("%d executions before the trigger", n)
	}
	must(t, tab.Click(`[data-testid="do-run"]`), tab.Fill(`dialog [name="p.year"]`, "2026"), tab.Click(`dialog [data-testid="request-submit"]`), tab.Wait(`[data-testid="requested-state"]`))
	if address, err := tab.Address(); err != nil || !strings.Contains(address, "/jobs/"+demo.OneOffJob+"/requested-runs/") {
		t.Fatalf("after the request the browser is at %q (%v), want the run's page", address, err)
	}
	eventually(t, "both shards of the triggered job have succeeded", func() bool {
		must(t, tab.Open(f.site+"/executions?job="+demo.OneOffJob))
		text, err := browser.Eval[string](tab, `[...document.querySelectorAll('[data-testid="run-state"]')].map(e => e.textContent.trim()).join()`)
		must(t, err)
		return text == "Succeeded,Succeeded"
	})

	noPageScrollsSideways(t, tab, f)

	t.Log("a killed agent's shards move")
	address := "127.0.0.12"
	victim := address + "@-@" + strconv.Itoa(f.agents[address])
	// The table names owners by address, and their instances in full behind it.
	shardTable := func() (table string) {
		must(t, tab.Open(f.site+"/jobs/orders-import/shards"), tab.Wait(`[data-testid="shards"]`))
		table, err := browser.Eval[string](tab, `document.querySelector('[data-testid="shards"]').outerHTML`)
		must(t, err)
		return table
	}
	if shards := shardTable(); !strings.Contains(shards, victim) {
		t.Fatalf("the shard table does not show %s:\n%s", victim, shards)
	}
	f.kill(t, address)
	eventually(t, "the job page shows the shards with the two others", func() bool {
		if owners := rootAPI.job(t, "orders-import").owners(); len(owners) != 2 || owners[""] != 0 {
			return false // A page takes the browser a tenth of a second.
		}
		shards := shardTable()
		return !strings.Contains(shards, victim) && !strings.Contains(shards, "nobody")
	})

	guestLooks(t, tab, f)
}

func TestDemo(t *testing.T) {
	p, f := startDemo(t, "--restart-after=0s")
	operate(t, f)

	printed := p.Stdout.String()
	for _, want := range []string{"root / root", "guest / guest", "kill -9 " + strconv.Itoa(f.agents["127.0.0.11"]), "its shards move to the others", "stays away"} {
		if !strings.Contains(printed, want) {
			t.Errorf("the demo did not print %q:\n%s", want, printed)
		}
	}
	if code := p.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d:\n%s", code, p.Stderr.String())
	}
	if text := p.Stdout.String(); !strings.Contains(text, "The demo has ended") {
		t.Errorf("the demo did not say that it has ended:\n%s", text)
	}
	awaitEnd(t, f)
	if _, err := http.Get(f.site + "/login"); err == nil {
		t.Error("the console still answers")
	}
}
