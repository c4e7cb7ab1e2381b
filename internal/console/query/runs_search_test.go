package query_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// TestSpreadRuns: the filters in the text of a search become parameters, what is not
// understood stays and is named, and the text that is shown for the parameters gives
// them back.
func TestSpreadRuns(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]struct{ values, problem string }{
		"state:failed job:mail":                      {"job=mail&state=failed", ""},
		"STATE:Succeeded trigger:Schedule":           {"state=success&trigger=schedule", ""},
		"job:mail*":                                  {"job=mail&match=prefix", ""},
		`cause:"connection refused" server:10.0.0.1`: {"failure=connection+refused&ip=10.0.0.1", ""},
		"mail label:night":                           {"label=night&name=mail", ""},
		"took:>5m":                                   {"took=5m", ""},
		"ran:<1d":                                    {"last=24h", ""},
		"ran:<7d":                                    {"last=7d", ""},
		"ran:<30m":                                   {"from=2026-11-23T11%3A30", ""},
		"ran:>12h":                                   {"to=2026-11-23T00%3A00", ""},
		"state:purple mail":                          {"name=mail&q=state%3Apurple", "use one of running, success, failed, lost"},
		"stat:failed":                                {"q=stat%3Afailed", "did you mean state:?"},
		"colour:red job:mail":                        {"job=mail&q=colour%3Ared", "use job:, label:, server:"},
		"trigger:luck":                               {"q=trigger%3Aluck", "trigger:luck is unknown"},
		"ran:yesterday took:x":                       {"q=ran%3Ayesterday+took%3Ax", "took:x is no length of time"},
		"cause:":                                     {"q=cause%3A", "has nothing after it"},
	} {
		v, problems, changed := query.SpreadRuns(url.Values{"q": {text}}, now)
		if got := v.Encode(); got != want.values || !strings.Contains(strings.Join(problems.In(i18n.English), "; "), want.problem) || want.problem == "" && len(problems) > 0 {
			t.Errorf("%s: %s, %q", text, got, problems.In(i18n.English))
		}
		if again, _, once := query.SpreadRuns(v, now); once || changed != (want.values != url.Values{"q": {text}}.Encode()) || again.Encode() != v.Encode() {
			t.Errorf("%s: led on to %s", text, again.Encode())
		}
		if strings.Contains(text, "ran:") {
			continue
		}
		f, _ := query.ParseRuns(v, query.DefaultPageSize)
		shown := query.RunSearch(f, v.Get("label"), v.Get("name"), v.Get("q"))
		if back, _, _ := query.SpreadRuns(url.Values{"q": {shown}}, now); back.Encode() != v.Encode() {
			t.Errorf("%s: is shown as %s, which means %s", text, shown, back.Encode())
		}
	}
	if v, _, _ := query.SpreadRuns(url.Values{"q": {"state:lost"}, "state": {"failed"}, "last": {"7d"}, "cursor": {"x"}}, now); v.Encode() != "last=7d&state=lost" {
		t.Errorf("beside other parameters: %s", v.Encode())
	}
}

// TestSuggestions: a search is continued by filters that it has not yet.
func TestSuggestions(t *testing.T) {
	t.Parallel()
	list := query.RunSuggestions("job:mail state:failed")
	all := strings.Join(list, "\n")
	if strings.Contains(all, "state:lost") || !strings.Contains(all, "job:mail state:failed trigger:manual") || !strings.Contains(all, "job:mail state:failed cause:") {
		t.Errorf("%s", all)
	}
	if all := strings.Join(query.JobSuggestions("", map[explain.State]int{explain.Failing: 1}), "\n"); !strings.Contains(all, "state:failing") || !strings.Contains(all, "last:lost") || !strings.Contains(all, "zone:") {
		t.Errorf("%s", all)
	}
}
