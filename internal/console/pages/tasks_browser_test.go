package pages

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestTaskRerunOneShardInABrowser: from the run in which it failed a shard runs again
// with two presses, on the instance that owns it and on no other.
func TestTaskRerunOneShardInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, steps := theRun()
	b.History.Rows, b.History.Steps = append(rows, b.History.Rows...), steps
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Outcome.Affected = []string{"10.2.0.16@-@40551"} })
	tab, must := startBrowser(t)
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"))
	must(tab.Open(b.URL + "/jobs/invoices/runs/" + rows[0].RunID + "?shard=2"))
	must(tab.Click(`[data-testid="shard"] [data-testid="rerun"]`))
	must(tab.Wait(`[data-testid="bulk-submit"]`))
	if text := evalText(t, tab, "document.querySelector('main').innerText"); !strings.Contains(text, "none of a shard") || !strings.Contains(text, "10.2.0.16@-@40551") {
		t.Errorf("the page that asks: %s", text)
	}
	must(tab.Click(`[data-testid="bulk-submit"]`))
	waittest.Until(t, "the runs of the job", func() bool {
		address, err := tab.Address()
		must(err)
		return strings.Contains(address, "/runs?job=invoices") && strings.Contains(evalText(t, tab, "document.body?.innerText ?? ''"), "Asked 10.2.0.16@-@40551 to run invoices.")
	})
	if diff := cmp.Diff([]string{"trigger invoices at 10.2.0.16@-@40551"}, b.Registry.Given()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

// TestTasksInABrowser: what operators come for takes as few presses as it may. Others
// of these tasks have tests of their own: TestDisablingManyInABrowser and
// TestTaskChangeACronInABrowser.
func TestTasksInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"))
	type step struct{ press, fill, with string }
	for _, task := range []struct {
		name, from string
		atMost     int // presses
		steps      []step
		at         string   // a part of the address in the end
		says       []string // parts of the page
	}{
		{"which job failed last, why and where", "/", 1,
			[]step{{press: `[data-testid="failures"] li a`}}, "/jobs/thumbnails", []string{"dial tcp 10.9.1.2:3306: i/o timeout", "10.2.0.1"}},
		{"which jobs are failing now", "/", 1,
			[]step{{press: `[data-testid="tile-failing"]`}}, "/jobs?state=failing", []string{"heartbeat-report", "loyalty-points", "thumbnails"}},
		{"why does a job not run", "/jobs/warehouse-sync", 1,
			nil, "", []string{"No instance of the job is registered"}},
		{"why does a job fail", "/jobs/thumbnails", 0,
			nil, "", []string{"Failing", "dial tcp 10.9.1.2:3306: i/o timeout"}},
		{"clean up dead servers", "/servers", 3,
			[]step{{press: `[data-testid="cleanup-all"]`}, {press: `[data-testid="confirm-form"] button[type="submit"]`}}, "/servers", []string{"Removed "}},
		{"compare yesterday's durations", "/", 1,
			[]step{{press: `nav a[href="/runs"]`}}, "/runs", []string{"day before"}},
		{"what ran at 11:30 on a server", "/servers", 2,
			[]step{{press: `main a[href="/servers/10.2.0.14"]`}, {fill: `[data-testid="at-form"] input[name="at"]`, with: "11:30"}, {press: `[data-testid="at-form"] button`}},
			"at=11", []string{"settlement.daily"}},
		{"disable one shard", "/jobs/invoices/shards", 2,
			[]step{{press: `tr[data-row="shard-2"] [data-testid="shard-disable"]`}, {fill: `[data-testid="bulk-reason"]`, with: "INC-4821"}, {press: `[data-testid="bulk-submit"]`}},
			"/jobs/invoices/shards", []string{"Disabled 1 shard of invoices."}},
		{"change the language", "/jobs", 1,
			[]step{{press: `[data-testid="language"] button:not([aria-pressed="true"])`}}, "/jobs", []string{"作业"}},
	} {
		must(tab.Open(b.URL + task.from))
		presses := 0
		for _, s := range task.steps {
			if s.fill != "" {
				must(tab.Wait(s.fill), tab.Fill(s.fill, s.with))
				continue
			}
			presses++
			must(tab.Click(s.press))
		}
		if presses > task.atMost {
			t.Errorf("%s: %d presses, at most %d", task.name, presses, task.atMost)
		}
		waittest.Until(t, task.name+" to be answered", func() bool {
			address, err := tab.Address()
			must(err)
			text := evalText(t, tab, "document.body?.innerText ?? ''")
			for _, said := range task.says {
				if !strings.Contains(text, said) {
					return false
				}
			}
			return strings.Contains(strings.TrimPrefix(address, b.URL), task.at)
		})
	}
}
