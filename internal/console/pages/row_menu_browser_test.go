//go:build servers

package pages

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestMenuOfARowInABrowser: a press on the dots of a row, their key, or the key of an entry
// opens the menu of its job. Without scripts the dots are a link to the job's page, which has
// the same menu.
func TestMenuOfARowInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	eval := func(script string) string { t.Helper(); return evalText(t, tab, script) }
	const (
		dots    = `[data-job="a.b"] a[data-more]`
		entries = `[...document.querySelectorAll('[data-job="a.b"] .menu-list a')].map((a) => a.getAttribute("href")).join(" ")`
	)
	list := func() { must(tab.Open(b.URL+"/jobs?sort=name"), tab.Wait(dots)) }
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"))
	list()
	must(tab.Click(dots))
	const want = "/jobs/bulk?do=disable&job=a.b&return=%2Fjobs%3Fsort%3Dname /jobs/a.b/explain /jobs/a.b/shutdown"
	if got := eval(entries); got != want {
		t.Errorf("the menu leads to %q, want %q", got, want)
	}
	if at := eval(`document.activeElement.tagName + document.activeElement.parentElement.open`); at != "SUMMARYtrue" {
		t.Errorf("a press leaves the focus at %q", at)
	}
	eval(`(` + press + `)("Escape"); ""`)
	if open := eval(`document.querySelectorAll("details[data-menu][open]").length + ""`); open != "0" {
		t.Errorf("%s menus are open after Escape", open)
	}

	list()
	eval(`document.querySelector('[data-job="a.b"] .lead a').focus(); (` + press + `)("e"); (` + press + `)("."); ""`)
	if got := eval(entries); got != want {
		t.Errorf("the key opens a menu that leads to %q", got)
	}
	list()
	eval(`document.querySelector('[data-job="config"] .lead a').focus(); (` + press + `)("w"); ""`)
	waittest.Until(t, "the explanation", func() bool { return strings.HasSuffix(readText(t, tab, `location.pathname`), "/%63onfig/explain") })

	must(tab.Scripts(false), tab.Open(b.URL+"/jobs?sort=name"), tab.Click(dots), tab.Wait(`.head [data-testid="menu"]`), tab.Click(`.head [data-testid="menu"] summary`), tab.Click(`.head [data-testid="do-shutdown"]`), tab.Wait(`[data-testid="confirm"]`))
}
