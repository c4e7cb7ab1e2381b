// Package explain is the part of the console about why a job runs or does not, now or at a past time. It's
// a part of package jobs.
//
//	explain.go   reads the findings of the registry, and judges them with the job's runs
//	past.go      reads the records about a past time
//	page.go, page_past.go   the pages; text.go: the same as plain text
//	words.go     the answer in one sentence or two
//	rest.go      the answer of the REST interface
package explain

import (
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
)

type service struct{ *app.Console }

// Routes are the page and the REST route.
func Routes(s *app.Console) []app.Route {
	p := service{s}
	return []app.Route{
		app.Get("/jobs/:job/explain", app.SignedIn, app.TheRegistry, p.explainPage).Asks("at", "format"),
		app.Get("/api/jobs/:job/explain", app.SignedIn, app.TheRegistry, p.explain).Documented(app.Operation{
			Summary: "Why the job did not, or would not, run. A finding lists the first 100 of its shards; after 50 findings with one code one more is about all the others. With at, past says what became of that time; missed means that by the record it didn't run.",
			Query:   [][2]string{{"at", "A time that has passed, 2006-01-02T15:04 in UTC or as in RFC 3339."}}, Answer: api.Explanation{}, Refusals: []int{404, 422},
		}),
	}
}
