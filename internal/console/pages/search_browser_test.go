//go:build servers

package pages

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestPaletteInABrowser: the palette opens with ⌘K and by its link, and finds while the user
// types. Enter opens the first line, and closing it gives the focus back.
func TestPaletteInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	eval := func(script string) string { t.Helper(); return evalText(t, tab, script) }
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/servers"), tab.Wait(`[data-palette]`))
	eval(`document.querySelector("[data-palette]").focus(); (` + press + `)("k", { ctrlKey: true }); ""`)
	must(tab.Wait(`dialog.pal[open] a`)) // the areas, before a letter is typed
	typed := func(text string) {
		eval(`document.querySelector(".pal-q").value = "` + text + `"; document.querySelector(".pal-q").dispatchEvent(new Event("input")); ""`)
	}
	typed("inv")
	waittest.Until(t, "the jobs", func() bool { return eval(`document.querySelector(".pal a")?.dataset.palJob ?? ""`) == "invoices" })
	if n := eval(`String(document.querySelectorAll(".pal [data-testid=found-actions] .btn").length > 1)`); n != "true" {
		t.Error("no action on the first job")
	}
	eval(`(` + press + `)("ArrowDown"); (` + press + `)("ArrowDown"); ""`)
	if second := eval(`document.activeElement.dataset.palJob ?? ""`); second == "invoices" || second == "" {
		t.Errorf("two lines down is %q", second)
	}
	eval(`window.second = document.activeElement.dataset.palJob; (` + press + `)("ArrowRight"); ""`)
	waittest.Until(t, "actions on the second", func() bool {
		return eval(`String(document.querySelector(".pal a")?.dataset.palJob === second)`) == "true"
	})
	eval(`document.querySelector(".pal").close(); ""`)
	if back := eval(`String(document.activeElement.matches("[data-palette]"))`); back != "true" {
		t.Error("the focus did not go back")
	}
	must(tab.Click(`[data-palette]`), tab.Wait(`dialog.pal[open] a`))
	typed("invoices")
	waittest.Until(t, "the job", func() bool { return eval(`document.querySelector(".pal a")?.dataset.palJob ?? ""`) == "invoices" })
	eval(`(` + press + `)("Enter"); ""`)
	waittest.Until(t, "the page of the job", func() bool { return readText(t, tab, `location.pathname`) == "/jobs/invoices" })
}

// TestKeysInABrowser: they move, open and explain; in a field they are letters.
func TestKeysInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	eval := func(script string) string { t.Helper(); return evalText(t, tab, script) }
	key := func(keys ...string) {
		t.Helper()
		for _, k := range keys {
			eval(`(` + press + `)("` + k + `"); ""`)
		}
	}
	const row = `[...document.querySelectorAll("[data-row]")].indexOf(document.activeElement.closest("[data-row]")) + ""`
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "guest", "gu3st-Canary-7"), tab.Open(b.URL+"/jobs"), tab.Wait(`[data-row]`))
	key("j")
	if at := eval(row); at != "0" {
		t.Errorf("j goes to row %s", at)
	}
	key("j", "j", "k")
	if at := eval(row); at != "1" {
		t.Errorf("j, j and k go to row %s", at)
	}
	key("/")
	if focus := eval(`document.activeElement.name ?? ""`); focus != "q" {
		t.Errorf("/ goes to %q", focus)
	}
	key("j", "w", "?")
	if focus := eval(`document.activeElement.name + location.pathname`); focus != "q/jobs" {
		t.Errorf("keys act in a field: %q", focus)
	}
	must(tab.Open(b.URL+"/jobs/invoices"), tab.Wait(`[data-testid="why"]`))
	key("t", "d") // a guest has nothing to press
	key("w")
	// Its keys work once its scripts have run.
	waittest.Until(t, "the explanation", func() bool {
		return readText(t, tab, `location.pathname + document.readyState`) == "/jobs/invoices/explaincomplete"
	})
	key("?")
	waittest.Until(t, "the page about keys", func() bool { return readText(t, tab, `location.pathname`) == "/keys" })
	if given := b.Registry.Given(); len(given) > 0 {
		t.Errorf("a guest's keys did %v", given)
	}
}

// TestW25NoKeyActsInABrowser: keys and links open the dialog that asks, on the job's page, in the list
// and in the palette. Escape closes it, Enter confirms, and the answer leads to the run. Without
// scripts the same links lead to a page.
func TestW25NoKeyActsInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	eval := func(script string) { t.Helper(); evalText(t, tab, script) }
	const focus = `document.querySelector("dialog[open]") ? document.activeElement.dataset.testid ?? "" : "no dialog"`
	opened := func(how, want string) {
		t.Helper()
		waittest.Until(t, how+" to open the dialog", func() bool { return readText(t, tab, focus) == want })
		if given := b.Registry.Given(); len(given) > 0 {
			t.Fatalf("%s did %v", how, given)
		}
	}
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs/reindex"), tab.Wait(`[data-testid="do-run"]`))
	eval(`(` + press + `)("t"); ""`)
	opened("t", "request-submit")
	must(tab.Key("\u001b"))
	waittest.Until(t, "Escape to close the dialog", func() bool { return readText(t, tab, focus) == "no dialog" })
	must(tab.Open(b.URL+"/jobs"), tab.Wait(`[data-job="reindex"] .acts a`), tab.Click(`[data-job="reindex"] .acts a`))
	opened("the button of a row", "request-submit")
	must(tab.Open(b.URL + "/jobs/geo-update"))
	eval(`(` + press + `)("e"); ""`)
	must(tab.Wait(`[data-testid="bulk-submit"]`))
	must(tab.Open(b.URL+"/jobs/reindex"), tab.Wait(`[data-palette]`))
	eval(`(` + press + `)("k", { ctrlKey: true }); ""`)
	must(tab.Fill(".pal-q", "reindex"))
	eval(`document.querySelector(".pal-q").dispatchEvent(new Event("input")); ""`)
	must(tab.Click(`.pal [data-testid="do-run"]`))
	opened("the palette", "request-submit")
	must(tab.Key("\r"))
	atRun := func() bool {
		return strings.HasPrefix(readText(t, tab, `location.pathname`), "/jobs/reindex/requested-runs/")
	}
	waittest.Until(t, "Enter to lead to the run", atRun)
	if given := strings.Join(b.Registry.Given(), ", "); given != "run reindex" {
		t.Errorf("Enter did %q", given)
	}

	must(tab.Open(b.URL+"/jobs/invoices"), tab.Click(`[data-testid="do-run"]`)) // its schema requires a month
	waittest.Until(t, "the required field to have the focus", func() bool { return readText(t, tab, focus) == "p.month" })
	must(tab.Scripts(false), tab.Open(b.URL+"/jobs"), tab.Click(`[data-job="reindex"] .acts a`), tab.Wait(`[data-testid="request-form"]`), tab.Click(`[data-testid="request-submit"]`))
	waittest.Until(t, "the page to lead to the run", atRun)
}
