package query

import (
	"net/url"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// The lists whose selections can be saved as views.
const (
	AreaJobs = "jobs"
	AreaRuns = "runs"
)

// Areas are those lists.
var Areas = []string{AreaJobs, AreaRuns}

// RunsPageNames are the parameters that the page of the runs has besides [RunsNames].
var RunsPageNames = []string{"q", "label", "name", "level", "last"}

// DefaultSpan is how far back the list of runs looks if its address says nothing.
const DefaultSpan = "24h"

// ViewQuery is the query of a list's address in one spelling, as a view keeps it:
// without the page, and without what is so anyway. What is not understood is left out
// and named in problems.
func ViewQuery(area, text string) (asked string, problems Problems) {
	v, err := url.ParseQuery(strings.TrimPrefix(text, "?"))
	if err != nil {
		return "", Problems{i18n.Lang.AddressNoQuery}
	}
	var known []string
	var kept url.Values
	switch area {
	case AreaJobs:
		known = append(slices.Clone(JobsNames), "select")
		var q Jobs
		q, problems = ParseJobsPage(v)
		kept = q.OnPage(1).values()
	case AreaRuns:
		known = slices.Concat(RunsNames, RunsPageNames)
		kept, problems = viewOfRuns(v)
	default:
		return "", Problems{unknown("area", area, strings.Join(Areas, ", "))}
	}
	for _, name := range view.SortedKeys(v) {
		if !slices.Contains(known, name) {
			problems = append(problems, about(name, i18n.Lang.FrameUnknownParameter))
		}
	}
	return kept.Encode(), problems
}

// viewOfRuns is what a view of runs keeps.
func viewOfRuns(v url.Values) (kept url.Values, problems Problems) {
	status := v.Get("level") == "status"
	state := v.Get("state")
	if status { // its states are of another kind
		v = url.Values{"job": v["job"], "from": v["from"], "to": v["to"], "last": v["last"]}
	}
	f, problems := ParseRunsPage(v)
	f.Cursor = ""
	kept = RunValues(f)
	if text := strings.TrimSpace(v.Get("q")); text != "" {
		problems = append(problems, about("q="+text, i18n.Lang.FrameUnknownParameter))
	}
	for _, name := range []string{"label", "name"} {
		if value := strings.TrimSpace(v.Get(name)); value != "" {
			kept.Set(name, value)
		}
	}
	if last := v.Get("last"); f.From.IsZero() && f.To.IsZero() && last != "" && last != DefaultSpan {
		if _, ok := ParseSpan(last); ok {
			kept.Set("last", last)
		} else {
			problems = append(problems, unknown("last", last, view.Join(Spans)))
		}
	}
	if status {
		kept.Set("level", "status")
		if state != "" {
			kept.Set("state", state)
		}
	}
	return kept, problems
}
