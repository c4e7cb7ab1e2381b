//go:build servers

package pages

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestTaskA69ChangeACronInABrowser: three presses from the overview. The assistant follows what is
// typed, so the form can be saved as soon as the differences are in sight.
func TestTaskA69ChangeACronInABrowser(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		k := startTask(t, b.URL, "/").press(`nav a[href="/jobs"]`).press(`td.cron a`).wait(`[data-testid="cron-words"]`).
			fill(`[name="cron"]`, "0 30 2 ? * MON-FRI")
		waittest.Until(t, "the assistant to follow", func() bool {
			return strings.Contains(evalText(t, k.tab, `document.querySelector('[data-testid="cron-fields"]').textContent`), "MON-FRI")
		})
		if diff := evalText(t, k.tab, `document.querySelector('.diff').textContent`); !strings.Contains(diff, "cron: 0 30 2 ? * MON-FRI") {
			t.Errorf("the difference beside the form: %q", diff)
		}
		if state := evalText(t, k.tab, `document.querySelector('.cfg-save [data-config-state]').textContent`); !strings.Contains(state, "1 change") {
			t.Errorf("the bar says %q", state)
		}
		k.press(`[data-testid="config-save-now"]`).wait(`[data-testid="flash"]`).
			ends(3, "/jobs/j")
		if got := b.Node(t, "j/config"); !strings.Contains(got, "cron: 0 30 2 ? * MON-FRI") {
			t.Errorf("stored %q", got)
		}
	})
}

// TestTwoEditorsInTwoBrowsers: each opens the same revision and saves. What they have
// changed apart is merged, and for the field that both have changed the second is
// asked; nothing of either is lost.
func TestTwoEditorsInTwoBrowsers(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		open := func() (tab *browser.Tab, must func(...error)) {
			tab, must = startBrowser(t)
			must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs/j/config"), tab.Wait(`[name="cron"]`))
			return tab, must
		}
		first, must := open()
		second, _ := open()
		review := func(tab *browser.Tab, page string) {
			must(tab.Click(`.cfg-save [data-testid="config-review"]`), tab.Wait(page))
		}
		must(first.Fill(`[name="cron"]`, "0 0 3 * * ?"), first.Fill(`[name="shardingTotalCount"]`, "4"))
		review(first, `[data-testid="config-save"]`)
		must(first.Click(`[data-testid="config-save"]`), first.Wait(`[data-testid="flash"]`))

		must(second.Fill(`[name="cron"]`, "0 0 5 * * ?"), second.Fill(`[name="jobParameter"]`, "mine"))
		review(second, `[data-testid="conflicts"]`)
		if rows := evalText(t, second, `document.querySelector('[data-testid="conflicts"] tbody').innerText`); !strings.Contains(rows, "0 0 3 * * ?") || !strings.Contains(rows, "0 0 5 * * ?") || strings.Contains(rows, "shardingTotalCount") {
			t.Errorf("the conflict: %q", rows)
		}
		must(second.Click(`[data-testid="conflict-use"]`), second.Wait(`[data-testid="config-merged"]`), second.Wait(`[data-testid="config-save"]`))
		must(second.Click(`[data-testid="config-save"]`), second.Wait(`[data-testid="flash"]`))
		got := b.Node(t, "j/config")
		for _, want := range []string{"cron: 0 0 5 * * ?", "shardingTotalCount: 4", "jobParameter: mine"} {
			if !strings.Contains(got, want) {
				t.Errorf("stored %q without %q", got, want)
			}
		}
	})
}

// TestChangedFieldsAreMarked: a field that differs from what is stored gets a tag and
// says what stood there, while it is typed in; it loses both when it is as before.
func TestChangedFieldsAreMarked(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		tab, must := startBrowser(t)
		must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs/j/config"), tab.Wait(`[name="shardingTotalCount"]`))
		before := evalText(t, tab, `document.querySelector('[name="shardingTotalCount"]').value`)
		must(tab.Fill(`[name="shardingTotalCount"]`, "7"), tab.Wait(`[data-testid="changed-shardingTotalCount"]`))
		if tags := evalText(t, tab, `[...document.querySelectorAll("[data-config-tag]")].filter((e) => e.checkVisibility()).map((e) => e.dataset.testid).join()`); tags != "changed-shardingTotalCount" {
			t.Errorf("tags %q", tags)
		}
		must(tab.Wait(`[data-field="shardingTotalCount"] [data-config-was]`), tab.Fill(`[name="shardingTotalCount"]`, before), tab.Wait(`[data-testid="config-nothing"]`))
		if tags := evalText(t, tab, `[...document.querySelectorAll("[data-config-tag], [data-config-was]")].filter((e) => e.checkVisibility()).length + " left"`); tags != "0 left" {
			t.Errorf("as before there are %s", tags)
		}
		must(tab.Scripts(false), tab.Open(b.URL+"/jobs/j/config"), tab.Fill(`[name="shardingTotalCount"]`, "7"), tab.Click(`[data-testid="config-preview"]`), tab.Wait(`[data-testid="changed-shardingTotalCount"]`), tab.Wait(`[data-field="shardingTotalCount"] [data-config-was]`))
	})
}
