package pages

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/events"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// liveRegions are the regions of the pages that are kept up to date, and the changes
// that each may show. The pages of a job are about that job alone. A test compares
// them with what the pages have.
var liveRegions = map[string][]events.Topic{
	"/": {
		{Region: "summary", On: events.Jobs | events.Runs}, {Region: "attention", On: events.Jobs | events.Runs}, {Region: "results", On: events.Runs},
		{Region: "fleet", On: events.Jobs}, {Region: "fires", On: events.Jobs}, {Region: "registries", On: events.Jobs}, {Region: "changes", On: events.Jobs},
	},
	"/jobs": {{Region: "views", On: events.Jobs | events.Runs}, {Region: "jobs", On: events.Jobs | events.Runs}},
	"/jobs/:job": {
		{Region: "actions", On: events.Jobs}, {Region: "health", On: events.Jobs | events.Runs}, {Region: "tabs", On: events.Jobs | events.Runs}, {Region: "state", On: events.Jobs | events.Runs}, {Region: "matrix", On: events.Jobs | events.Runs},
		{Region: "facts", On: events.Jobs | events.Runs}, {Region: "grid", On: events.Runs}, {Region: "runs", On: events.Runs},
	},
	"/jobs/:job/shards": {
		{Region: "actions", On: events.Jobs}, {Region: "health", On: events.Jobs | events.Runs}, {Region: "tabs", On: events.Jobs | events.Runs}, {Region: "state", On: events.Jobs | events.Runs}, {Region: "matrix", On: events.Jobs | events.Runs},
		{Region: "shards", On: events.Jobs | events.Runs}, {Region: "servers", On: events.Jobs},
	},
	"/jobs/:job/activity": {{Region: "actions", On: events.Jobs}, {Region: "health", On: events.Jobs | events.Runs}, {Region: "tabs", On: events.Jobs | events.Runs}, {Region: "state", On: events.Jobs | events.Runs}, {Region: "activity", On: events.Jobs}},
	"/jobs/:job/explain": {
		{Region: "actions", On: events.Jobs}, {Region: "health", On: events.Jobs | events.Runs}, {Region: "tabs", On: events.Jobs | events.Runs}, {Region: "state", On: events.Jobs | events.Runs},
		{Region: "checks", On: events.Jobs | events.Runs}, {Region: "activity", On: events.Jobs},
	},
	"/jobs/:job/runs/:run": {{Region: "health", On: events.Jobs | events.Runs}, {Region: "run", On: events.Jobs | events.Runs}},
	"/servers":             {{Region: "servers", On: events.Jobs}},
	"/servers/:ip":         {{Region: "health", On: events.Jobs}, {Region: "server-jobs", On: events.Jobs}, {Region: "server-ran", On: events.Jobs | events.Runs}},
	"/runs":                {{Region: "runs", On: events.Runs}},
	"/executions":          {{Region: "runs", On: events.Runs}},
}

// frameRegions are those around every page.
var frameRegions = []events.Topic{{Region: "outage", On: events.Connection}, {Region: "registry", On: events.Connection}}

// topicsOf are the regions of the page at an address; nil if it is not kept up to
// date.
func topicsOf(address string) []events.Topic {
	u, err := url.ParseRequestURI(address)
	if err != nil || len(address) > maxAddress {
		return nil
	}
	parts := strings.Split(u.EscapedPath(), "/")
	for route, regions := range liveRegions {
		job, ok := fits(parts, strings.Split(route, "/"))
		if !ok {
			continue
		}
		topics := slices.Concat(frameRegions, regions)
		for i := range topics {
			if topics[i].On&events.Connection == 0 {
				topics[i].On |= events.Connection
				topics[i].Job = job
			}
		}
		return topics
	}
	return nil
}

// maxAddress bounds the address of a page that asks for events.
const maxAddress = 4000

// fits reports whether a path is one of a route, and for which job.
func fits(path, route []string) (job string, ok bool) {
	if len(path) != len(route) {
		return "", false
	}
	for i, part := range route {
		switch {
		case part == ":job":
			name, err := url.PathUnescape(path[i])
			if err != nil || name == "" {
				return "", false
			}
			job = name
		case !strings.HasPrefix(part, ":") && part != path[i]:
			return "", false
		}
	}
	return job, true
}

// eventsPage is the stream of what changes on the page at ?path=.
func (s *Pages) eventsPage(c *gin.Context) {
	topics := topicsOf(c.Query("path"))
	if topics == nil {
		s.Fail(c, app.NotFound("", "").SaidAs(i18n.Lang.ProblemNotLive, i18n.Lang.ProblemNotLiveHint))
		return
	}
	s.StreamChanges(c, topics)
}
