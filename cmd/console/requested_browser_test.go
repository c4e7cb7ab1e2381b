//go:build servers && unix

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/demo"
)

// requestTab is a tab in which somebody requests runs of the demo's one-off job.
type requestTab struct {
	*browser.Tab
	t    *testing.T
	form string
}

// element is the text of one, empty if there is none.
func (r requestTab) element(selector string) string {
	r.t.Helper()
	text, err := browser.Read[string](r.Tab, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, selector))
	must(r.t, err)
	return text
}

// value is what stands in a field.
func (r requestTab) value(selector string) string {
	r.t.Helper()
	text, err := browser.Read[string](r.Tab, fmt.Sprintf(`document.querySelector(%q)?.value ?? ""`, selector))
	must(r.t, err)
	return text
}

// state waits until the page of a run, which nobody reloads, has a state.
func (r requestTab) state(want string) {
	r.t.Helper()
	eventually(r.t, "the page says that the run is "+want, func() bool {
		return strings.EqualFold(r.element(`[data-testid="requested-state"]`), want)
	})
}

// submit requests a run whose report is of some cities, and leads to its page.
func (r requestTab) submit(cities ...string) {
	r.t.Helper()
	must(r.t, r.Open(r.form), r.Fill(`[name="p.year"]`, "2026"), r.Fill(`[name="p.regions"]`, strings.Join(cities, "\n")), r.Click(`[data-testid="request-submit"]`))
	eventually(r.t, "the run's page is open", func() bool { return r.element(`[data-testid="requested-facts"]`) != "" })
}

// TestRequestedRunsInABrowser: what an operator does with runs that take parameters, press
// by press.
func TestRequestedRunsInABrowser(t *testing.T) {
	t.Parallel()
	_, f := startDemo(t, "--restart-after=0s")
	root := f.signIn(t, "root")
	eventually(t, "both shards are assigned", func() bool {
		owners := root.job(t, demo.OneOffJob).owners()
		return len(owners) > 0 && owners[""] == 0
	})
	r := requestTab{startBrowser(t), t, f.site + "/jobs/" + demo.OneOffJob + "/run"}
	must(t, r.Size(1440, 900), r.SignIn(f.site, "root", "root"))
	r.refusesAWrongYear()
	r.runsLaterOrNow()
	r.showsARetry()
	r.cancels()
	r.repeatsWhatFailed()
}

// refusesAWrongYear: the problem stands beside its field, which keeps what was typed.
func (r requestTab) refusesAWrongYear() {
	r.t.Helper()
	must(r.t, r.Open(r.form), r.Fill(`[name="p.year"]`, "1999"), r.Fill(`[name="p.regions"]`, "Berlin\nVienna"), r.Click(`[data-testid="request-submit"]`))
	const problem = `[data-testid="p.year-error"]`
	eventually(r.t, "the form says what is wrong", func() bool { return r.element(problem) != "" })
	if text := r.element(problem); !strings.Contains(text, "1999") || !strings.Contains(text, "2000") {
		r.t.Errorf("beside the year stands %q", text)
	}
	if year, cities := r.value(`[name="p.year"]`), r.value(`[name="p.regions"]`); year != "1999" || cities != "Berlin\nVienna" {
		r.t.Errorf("the form has %q and %q, not what was typed", year, cities)
	}
}

// runsLaterOrNow: a run in five minutes begins when somebody says so, and its page shows
// how far it is and what it logs while it runs.
func (r requestTab) runsLaterOrNow() {
	r.t.Helper()
	must(r.t, r.Open(r.form), r.Fill(`[name="p.year"]`, "2026"), r.Fill(`[name="p.regions"]`, strings.Join(demo.Cities, "\n")),
		r.Click(`input[name="when"][value="in"]`), r.Fill(`[data-testid="when-in"]`, "5"), r.Click(`[data-testid="request-submit"]`))
	r.state("scheduled")
	must(r.t, r.Click(`[data-testid="start-run"]`))
	eventually(r.t, "the page shows progress and log while the run runs", func() bool {
		part, err := browser.Read[float64](r.Tab, `document.querySelector('[data-testid="progress"]')?.value ?? 0`)
		must(r.t, err)
		return part > 0 && part < 1 && strings.Contains(r.element(`[data-testid="log-lines"]`), "branch reported")
	})
	r.state("succeeded")
}

// showsARetry: the branch that answers at the second attempt.
func (r requestTab) showsARetry() {
	r.t.Helper()
	r.submit("Turin", "Berlin")
	r.state("succeeded")
	eventually(r.t, "the steps have the retry", func() bool {
		steps := r.element(`[data-testid="requested-steps"]`)
		return strings.Contains(steps, "Turin does not answer") && strings.Contains(steps, "ttempt 2")
	})
}

// cancels by one press, and a second one that says that it is meant.
func (r requestTab) cancels() {
	r.t.Helper()
	r.submit(demo.Cities...)
	r.state("running")
	must(r.t, r.Click(`[data-testid="cancel-run"]`), r.Wait(`[data-testid="reason"]`), r.Fill(`[data-testid="reason"]`, "wrong year"), r.Click(`[data-testid="confirm-cancel"]`))
	r.state("cancelled")
	eventually(r.t, "the steps say who has cancelled and why", func() bool {
		steps := r.element(`[data-testid="requested-steps"]`)
		return strings.Contains(steps, "root") && strings.Contains(steps, "wrong year")
	})
}

// repeatsWhatFailed: only the shard that failed runs again, with the same parameters.
func (r requestTab) repeatsWhatFailed() {
	r.t.Helper()
	r.submit("Berlin", "Atlantis")
	r.state("failed")
	must(r.t, r.Click(`[data-testid="again-failed"]`), r.Wait(`[data-testid="request-submit"]`))
	if cities := r.value(`[name="p.regions"]`); cities != "Berlin\nAtlantis" {
		r.t.Errorf("the form of the repetition has the regions %q", cities)
	}
	must(r.t, r.Click(`[data-testid="request-submit"]`))
	eventually(r.t, "the page of the repetition is open", func() bool { return r.element(`[data-testid="to-parent"]`) != "" })
	r.state("failed")
	if rows := count(r.t, r.Tab, `[data-testid="requested-shards"] tbody tr`); rows != 1 {
		r.t.Errorf("%d shards ran again, want the one that failed", rows)
	}
}
