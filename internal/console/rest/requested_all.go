package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// allRequestedRoute are the requested runs of all jobs. What ran of all jobs is /api/runs.
const allRequestedRoute = "/api/requested-runs"

// fromNowhere is the source of a page for which nothing could be read.
const fromNowhere = "none"

// listAll answers with requested runs of all jobs.
func (s requestAPI) listAll(c *gin.Context) {
	asked, problems := query.ParseRequested(c.Request.URL.Query())
	if len(problems) > 0 {
		s.Fail(c, console.Misunderstood(problems, i18n.Lang.AddressCorrect))
		return
	}
	page, err := s.ListAll(c, console.RequestedFilter{
		State: jobrun.State(asked.State), Origin: asked.Origin, Job: c.Query("job"), From: asked.From, To: asked.To, Limit: asked.Limit, Cursor: asked.Cursor,
	})
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := api.AllRequestedRuns{Rows: []api.RequestedRun{}, NextCursor: page.Next, Source: fromNowhere, Registry: string(page.Registry), Database: string(page.Database), Unreadable: page.Unreadable}
	switch registry, database := page.Registry == console.PlaceRead, page.Database == console.PlaceRead; {
	case registry && database:
		body.Source = fromBoth
	case registry:
		body.Source = console.FromRegistry
	case database:
		body.Source = console.FromDatabase
	}
	for _, r := range page.Runs {
		body.Rows = append(body.Rows, foundJSON(r.Job, r.FoundRun))
	}
	console.WriteJSON(c, http.StatusOK, body)
}
