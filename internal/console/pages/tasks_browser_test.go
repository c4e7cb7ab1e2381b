package pages

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

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
