package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// runBody is a run: all executions of one fire, trigger or request. Grouped says
// that they do not name it, as those of Java engines, and were put together by the
// second in which they began.
type runBody struct {
	JobName      string   `json:"jobName"`
	ID           string   `json:"id"`
	Grouped      bool     `json:"grouped"`
	State        string   `json:"state"`
	Trigger      string   `json:"trigger,omitempty"`
	ScheduledAt  string   `json:"scheduledAt,omitempty"`
	StartTime    string   `json:"startTime"`
	CompleteTime string   `json:"completeTime,omitempty"`
	Shards       int      `json:"shards"`
	Running      int      `json:"running"`
	Succeeded    int      `json:"succeeded"`
	Failed       int      `json:"failed"`
	Lost         int      `json:"lost"`
	Cancelled    int      `json:"cancelled"`
	FailedOver   int      `json:"failedOver"`
	Instances    []string `json:"instances"`
	FailureCause string   `json:"failureCause,omitempty"`
}

// runsBody is a page of runs. Lacks names the columns of a run that the database
// has not: without them nothing says which run an execution belongs to.
type runsBody struct {
	Rows       []runBody `json:"rows"`
	NextCursor string    `json:"nextCursor,omitempty"`
	Lacks      []string  `json:"lacks"`
}

// runDetailBody is a run with its executions, the steps of its tasks, and the ids
// of the job's runs before and after it.
type runDetailBody struct {
	runBody
	Executions []executionBody `json:"executions"`
	Truncated  bool            `json:"truncated"`
	Statuses   []statusBody    `json:"statuses"`
	Before     string          `json:"before,omitempty"`
	After      string          `json:"after,omitempty"`
}

func runJSON(r rdb.Run) runBody {
	return runBody{JobName: r.JobName, ID: r.ID, Grouped: r.Grouped, State: string(r.State), Trigger: string(r.Trigger), ScheduledAt: optionalTime(r.ScheduledAt),
		StartTime: optionalTime(r.Start), CompleteTime: optionalTime(r.End), Shards: r.Shards, Running: r.Running, Succeeded: r.Succeeded, Failed: r.Failed,
		Lost: r.Lost, Cancelled: r.Cancelled, FailedOver: r.FailedOver, Instances: append([]string{}, r.IPs...), FailureCause: r.Cause}
}

// runs answers with runs, those that began last first.
func (s *API) runs(c *gin.Context) {
	filter, problems := query.ParseRuns(c.Request.URL.Query())
	if len(problems) > 0 {
		s.Fail(c, console.Misunderstood(problems, i18n.Lang.AddressCorrect))
		return
	}
	if c.Param("job") != "" {
		job, err := console.JobName(c)
		if err != nil {
			s.Fail(c, err)
			return
		}
		filter.JobName, filter.JobPrefix = job, ""
	}
	page, err := s.ReadRuns(c, filter)
	if err != nil {
		s.Fail(c, err)
		return
	}
	lacks, err := s.HistoryLacks(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := runsBody{Rows: []runBody{}, NextCursor: page.NextCursor, Lacks: append([]string{}, lacks...)}
	for _, r := range page.Runs {
		body.Rows = append(body.Rows, runJSON(r))
	}
	writeModel(c, http.StatusOK, body)
}

// run answers with one run.
func (s *API) run(c *gin.Context) {
	r, err := s.ReadRun(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := runDetailBody{runBody: runJSON(r.Run), Executions: []executionBody{}, Truncated: r.Truncated, Statuses: []statusBody{}, Before: r.Before, After: r.After}
	for _, e := range r.Executions {
		body.Executions = append(body.Executions, executionJSON(e))
	}
	for _, st := range r.Trail {
		body.Statuses = append(body.Statuses, statusJSON(st))
	}
	writeModel(c, http.StatusOK, body)
}

// exportRuns answers with the runs of a filter as a file.
func (s *API) exportRuns(c *gin.Context) {
	if err := s.ExportRuns(c); err != nil {
		s.Fail(c, err)
	}
}
