//go:build servers

package pages

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// task is something that operators come for, with what they have to press for it. Two of
// them are done with real processes: TestTaskA74KillAnAgentInABrowser and
// TestTaskA76NewcomerInABrowser of the command.
type task struct {
	t       *testing.T
	tab     *browser.Tab
	site    string
	presses int
}

// startTask begins one as root on a page.
func startTask(t *testing.T, site, from string) *task {
	t.Helper()
	tab, must := startBrowser(t)
	must(tab.Size(1440, 900), tab.SignIn(site, "root", "r00t-Canary-7"), tab.Open(site+from))
	return &task{t: t, tab: tab, site: site}
}

func (k *task) must(err error) {
	k.t.Helper()
	if err != nil {
		k.t.Fatal(err)
	}
}

// press presses an element.
func (k *task) press(element string) *task {
	k.t.Helper()
	k.presses++
	k.must(k.tab.Click(element))
	return k
}

// wait waits for an element of the page that a press leads to.
func (k *task) wait(element string) *task {
	k.t.Helper()
	k.must(k.tab.Wait(element))
	return k
}

// fill types a text, which is no press.
func (k *task) fill(element, text string) *task {
	k.t.Helper()
	k.wait(element).must(k.tab.Fill(element, text))
	return k
}

// ends waits until a page at the address says all of the texts; it took most presses at
// most.
func (k *task) ends(most int, at string, says ...string) {
	k.t.Helper()
	if k.presses > most {
		k.t.Errorf("%d presses, at most %d", k.presses, most)
	}
	waittest.Until(k.t, "the task to be done: "+strings.Join(says, ", "), func() bool {
		address, err := k.tab.Address()
		k.must(err)
		text, err := browser.Read[string](k.tab, "document.body?.innerText ?? ''")
		k.must(err)
		for _, said := range says {
			if !strings.Contains(text, said) {
				return false
			}
		}
		return strings.Contains(strings.TrimPrefix(address, k.site), at)
	})
}

// TestTaskA64LastFailureInABrowser: the overview shows which jobs fail and why, and one press shows
// where.
func TestTaskA64LastFailureInABrowser(t *testing.T) {
	t.Parallel()
	startTask(t, consoletest.New(t).URL, "/").press(`[data-region="results"] [data-testid="failed"]`).
		ends(1, "/executions?state=failed", "thumbnails", "dial tcp 10.9.1.2:3306: i/o timeout", "10.2.0.1")
}

// TestTaskA65FailingNowInABrowser: all jobs that fail now, with one press.
func TestTaskA65FailingNowInABrowser(t *testing.T) {
	t.Parallel()
	startTask(t, consoletest.New(t).URL, "/").press(`[data-testid="tile-failing"]`).
		ends(1, "/jobs?state=failing", "heartbeat-report", "loyalty-points", "thumbnails")
}

// TestTaskA66DisableManyInABrowser: four presses disable all jobs of a view: the view,
// all of it, the action, and the button of the page that says what it does. The reason is
// typed between.
func TestTaskA66DisableManyInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Outcome = lifecycle.Outcome{Affected: []string{"10.2.0.14"}} })
	k := startTask(t, b.URL, "/jobs")
	failing, err := k.tab.Text(`[data-testid="tab-failing"] b`)
	k.must(err)
	k.press(`[data-testid="tab-failing"]`).wait(`[aria-current][data-testid="tab-failing"]`).
		press(`[data-testid="select-all"]`).wait(`[data-select-all]`).
		press(`[data-testid="bulk-disable"]`).
		fill(`[data-testid="bulk-reason"]`, "INC-4821").
		press(`[data-testid="bulk-submit"]`).
		ends(4, "/jobs", "Disabled "+failing+" jobs.")
	if got := strconv.Itoa(len(b.Registry.Given())); got != failing || failing == "0" {
		t.Errorf("%s jobs were disabled of %s that fail", got, failing)
	}
}

// TestTaskA67WhyNoRunInABrowser: the page of a job says why it does not run.
func TestTaskA67WhyNoRunInABrowser(t *testing.T) {
	t.Parallel()
	startTask(t, consoletest.New(t).URL, "/jobs?q=warehouse-sync").press(`[data-job="warehouse-sync"] a`).
		ends(1, "/jobs/warehouse-sync", "No instance of the job is registered")
}

// TestTaskA68WhyItFailsInABrowser: the page of a job says why it fails, and so does the
// page that explains it.
func TestTaskA68WhyItFailsInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	k := startTask(t, b.URL, "/jobs/thumbnails")
	k.ends(0, "/jobs/thumbnails", "Failing", "dial tcp 10.9.1.2:3306: i/o timeout")
	k.must(k.tab.Open(b.URL + "/jobs/thumbnails/explain"))
	k.ends(0, "/jobs/thumbnails/explain", "fail", "dial tcp 10.9.1.2:3306: i/o timeout")
}

// TestTaskA70RerunOneShardInABrowser: from the run in which it failed a shard runs again
// with two presses, on the instance that owns it and on no other.
func TestTaskA70RerunOneShardInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, steps := consoletest.TheRun()
	b.History.Rows, b.History.Steps = append(rows, b.History.Rows...), steps
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Outcome.Affected = []string{"10.2.0.16@-@40551"} })
	b.Registry.Set(consoletest.JavaAgents)
	k := startTask(t, b.URL, "/jobs/invoices/runs/"+rows[0].RunID+"?shard=2")
	k.press(`[data-testid="shard"] [data-testid="rerun"]`).wait(`[data-testid="bulk-submit"]`)
	if text := evalText(t, k.tab, "document.querySelector('dialog').innerText"); !strings.Contains(text, "none of a shard") || !strings.Contains(text, "10.2.0.16@-@40551") {
		t.Errorf("the page that asks: %s", text)
	}
	k.press(`[data-testid="bulk-submit"]`).ends(2, "/runs?job=invoices", "Asked 10.2.0.16@-@40551 to run invoices.")
	if diff := cmp.Diff([]string{"trigger invoices at 10.2.0.16@-@40551"}, b.Registry.Given()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

// TestTaskA71CleanUpInABrowser: from the overview, three presses remove the entries of dead servers.
func TestTaskA71CleanUpInABrowser(t *testing.T) {
	t.Parallel()
	startTask(t, consoletest.New(t).URL, "/").press(`nav a[href="/servers"]`).press(`[data-testid="cleanup-all"]`).press(`[data-testid="confirm-form"] button[type="submit"]`).
		ends(3, "/servers", "Removed ")
}

// TestTaskA72CompareDurationsInABrowser: how long runs take, beside the day before, with
// one press.
func TestTaskA72CompareDurationsInABrowser(t *testing.T) {
	t.Parallel()
	startTask(t, consoletest.New(t).URL, "/").press(`nav a[href="/runs"]`).ends(1, "/runs", "day before")
}

// TestTaskA73WhatRanOnAServerInABrowser: from the overview, two presses lead to what ran on a server
// at a time.
func TestTaskA73WhatRanOnAServerInABrowser(t *testing.T) {
	t.Parallel()
	startTask(t, consoletest.New(t).URL, "/").press(`[data-testid="boxes"] a[href="/servers/10.2.0.14"]`).
		fill(`[data-testid="at-form"] input[name="at"]`, "11:30").
		press(`[data-testid="at-form"] button`).
		ends(2, "at=11", "settlement.daily")
}

// TestTaskA75ChangeTheLanguageInABrowser: one press, on every page.
func TestTaskA75ChangeTheLanguageInABrowser(t *testing.T) {
	t.Parallel()
	startTask(t, consoletest.New(t).URL, "/jobs").press(`[data-testid="language"] button:not([aria-pressed="true"])`).
		wait(`html[lang^="zh"]`).
		ends(1, "/jobs", "最近运行")
}

// TestW37RerunOneShardInABrowser: from the page of the job, two presses run one shard again.
func TestW37RerunOneShardInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	k := startTask(t, b.URL, "/jobs/settlement.daily").press(`[data-testid="matrix"] th:nth-child(3) a`).wait(`dialog [data-testid="request-submit"]`)
	if chosen := evalText(t, k.tab, `[...document.querySelectorAll("dialog input[name=shard]:checked")].map((box) => box.value).join()`); chosen != "1" {
		t.Errorf("shards %s are chosen", chosen)
	}
	k.press(`dialog [data-testid="request-submit"]`).ends(2, "/jobs/settlement.daily/requested-runs/")
	if got := b.Registry.Given(); len(got) != 1 || got[0] != "run settlement.daily" {
		t.Errorf("actions %q", got)
	}
}

// TestW37FiresIsFoundInABrowser: the list of jobs explains its search terms, and a press searches for
// the jobs that fire in a part of the day.
func TestW37FiresIsFoundInABrowser(t *testing.T) {
	t.Parallel()
	startTask(t, consoletest.New(t).URL, "/jobs").press(`[data-testid="terms"] summary`).press(`[data-testid="terms"] a[href*="fires"]`).
		ends(2, "q=fires", "Jobs that fire between 2026-11-22 02:00 and 2026-11-22 03:00, UTC", "invoices")
}

// TestTaskA77JobsThatFireInABrowser: typed into the search of jobs, and one press.
func TestTaskA77JobsThatFireInABrowser(t *testing.T) {
	t.Parallel()
	startTask(t, consoletest.New(t).URL, "/jobs").fill(`[data-testid="filter"] input[name="q"]`, "fires:02:00-03:00").
		press(`[data-testid="filter"] button[type="submit"]`).
		ends(2, "q=fires", "Jobs that fire between 2026-11-22 02:00 and 2026-11-22 03:00, UTC", "invoices")
}

// TestDisableOneShardInABrowser: two presses on the page of the shards.
func TestDisableOneShardInABrowser(t *testing.T) {
	t.Parallel()
	startTask(t, consoletest.New(t).URL, "/jobs/invoices/shards").press(`tr[data-row="shard-2"] [data-testid="shard-disable"]`).
		fill(`[data-testid="bulk-reason"]`, "INC-4821").
		press(`[data-testid="bulk-submit"]`).
		ends(2, "/jobs/invoices/shards", "Disabled 1 shard of invoices.")
}
