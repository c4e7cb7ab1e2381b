package runs

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// export answers with the runs of a filter as a file, JSON or CSV: at most [app.MostExported].
func (s *runs) export(c *gin.Context) error {
	f, problems := query.ParseRuns(c.Request.URL.Query(), query.DefaultPageSize)
	more, err := s.ofJobs(c, &f, c.Query("label"), c.Query("name"))
	if err != nil {
		return err
	}
	problems = append(problems, more...)
	format := c.DefaultQuery("format", "json")
	if format != "json" && format != "csv" {
		problems = append(problems, query.Neither("format", format, "csv", "json"))
	}
	if len(problems) > 0 {
		return app.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	all := api.RunsExport{Rows: []api.Run{}}
	for f.Limit, f.Cursor = 500, ""; !all.Complete && len(all.Rows) < app.MostExported; {
		page, err := s.ReadRuns(c, f)
		if err != nil {
			return err
		}
		for _, r := range page.Runs {
			all.Rows = append(all.Rows, body(r))
		}
		f.Cursor, all.Complete = page.NextCursor, page.NextCursor == ""
	}
	c.Header("Content-Disposition", `attachment; filename="runs.`+format+`"`)
	if format == "json" {
		text, err := json.Marshal(all)
		c.Data(http.StatusOK, "application/json; charset=utf-8", text)
		return err
	}
	c.Header("X-Complete", strconv.FormatBool(all.Complete))
	const columns = "job run grouped state trigger scheduled_at started ended shards failed lost instances failure"
	rows := [][]string{strings.Fields(columns)}
	for _, r := range all.Rows {
		rows = append(rows, []string{
			r.JobName, r.ID, strconv.FormatBool(r.Grouped), r.State, r.Trigger, r.ScheduledAt, r.StartTime,
			r.CompleteTime, strconv.Itoa(r.Shards), strconv.Itoa(r.Failed), strconv.Itoa(r.Lost),
			strings.Join(r.Instances, " "), r.FailureCause,
		})
	}
	return app.WriteRows(c, rows)
}
