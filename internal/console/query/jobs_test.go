package query

import (
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// A view has one address, and the address gives the view back.
func TestJobsQueryRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		want := Jobs{
			Text:       strings.TrimSpace(rapid.String().Draw(rt, "q")),
			Status:     rapid.SampledFrom(append([]statistics.Status{""}, JobStatuses...)).Draw(rt, "status"),
			State:      rapid.SampledFrom(append([]explain.State{""}, jobStates...)).Draw(rt, "state"),
			Sort:       rapid.SampledFrom(JobSorts).Draw(rt, "sort"),
			Descending: rapid.Bool().Draw(rt, "descending"),
			Page:       rapid.IntRange(1, 5000).Draw(rt, "page"),
			Size:       rapid.IntRange(1, 200).Draw(rt, "size"),
			forPage:    rapid.Bool().Draw(rt, "for a page"),
		}
		u, err := url.Parse(want.Href())
		if err != nil {
			rt.Fatal(err)
		}
		got, problems := ParseJobs(u.Query())
		if want.forPage {
			got, _ = ParseJobsPage(u.Query()) // a text may be full of what is no filter
		}
		if len(problems) > 0 || got != want {
			rt.Fatalf("%s gives %+v with %q, want %+v", want.Href(), got, problems.In(i18n.English), want)
		}
	})
}
