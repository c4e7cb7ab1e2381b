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
		var p RunsPage
		p, problems = ParseRunsPage(v)
		if p.Left != "" {
			problems = append(problems, About("q="+p.Left, i18n.Lang.FrameUnknownParameter))
		}
		kept = p.Values()
	default:
		return "", Problems{unknown("area", area, strings.Join(Areas, ", "))}
	}
	for _, name := range view.SortedKeys(v) {
		if !slices.Contains(known, name) {
			problems = append(problems, About(name, i18n.Lang.FrameUnknownParameter))
		}
	}
	return kept.Encode(), problems
}
