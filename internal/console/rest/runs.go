package rest

import (
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

func runJSON(r rdb.Run) api.Run {
	return api.Run{JobName: r.JobName, ID: r.ID, Grouped: r.Grouped, State: string(r.State), Trigger: string(r.Trigger), ScheduledAt: console.OptionalTime(r.ScheduledAt),
		StartTime: console.OptionalTime(r.Start), CompleteTime: console.OptionalTime(r.End), Shards: r.Shards, Running: r.Running, Succeeded: r.Succeeded, Failed: r.Failed,
		Lost: r.Lost, Cancelled: r.Cancelled, FailedOver: r.FailedOver, Instances: append([]string{}, r.IPs...), FailureCause: r.Cause}
}

// runs answers with runs, those that began last first.
func (s *API) runs(c *gin.Context) error {
	filter, problems := query.ParseRuns(c.Request.URL.Query())
	if len(problems) > 0 {
		return console.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	if c.Param("job") != "" {
		job, err := console.JobName(c)
		if err != nil {
			return err
		}
		filter.JobName, filter.JobPrefix = job, ""
	}
	page, err := s.ReadRuns(c, filter)
	if err != nil {
		return err
	}
	lacks, err := s.HistoryLacks(c)
	if err != nil {
		return err
	}
	body := api.Runs{Rows: []api.Run{}, NextCursor: page.NextCursor, Lacks: append([]string{}, lacks...)}
	for _, r := range page.Runs {
		body.Rows = append(body.Rows, runJSON(r))
	}
	return console.Answer(c, body, nil)
}

// run answers with one run.
func (s *API) run(c *gin.Context) error {
	r, err := s.ReadRun(c)
	if err != nil {
		return err
	}
	body := api.RunDetail{Run: runJSON(r.Run), Executions: []api.Execution{}, Truncated: r.Truncated, Statuses: []api.Status{}, Before: r.Before, After: r.After}
	for _, e := range r.Executions {
		body.Executions = append(body.Executions, console.ExecutionBody(e))
	}
	for _, st := range r.Trail {
		body.Statuses = append(body.Statuses, console.StatusBody(st))
	}
	return console.Answer(c, body, nil)
}
