package jobs

import (
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
)

// activityRows is how many lines the page has.
const activityRows = 100

// activityPage is what people did to a job, and what its instances did.
func (s service) activityPage(c *gin.Context) error {
	job, err := s.ReadJob(c)
	if err != nil {
		return err
	}
	runs := jobpage.LastRunsIfLeft(s.Console, c, job.Job)
	p := jobs.ActivityProps{Job: jobpage.Head(s.Console, c, job, "activity", runs)}
	p.Rows, p.Notes = jobpage.Activity(s.Console, c, job, runs, activityRows)
	if app.May(c, app.Configures) {
		p.AuditHref = query.WithQuery("/audit", url.Values{"target": {job.Name}})
	}
	s.Render(c, http.StatusOK, jobs.Activity(p))
	return nil
}
