package cloud

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// cloudEventsRequest is what clients of upstream's scheduler ask the history for, in the
// query, as a form or as JSON. Bounds of time are included.
type cloudEventsRequest struct {
	PerPage       json.RawMessage `json:"per_page,omitempty"`
	Page          json.RawMessage `json:"page,omitempty"`
	Sort          string          `json:"sort,omitempty"`
	Order         string          `json:"order,omitempty"`
	StartTime     api.Moment      `json:"startTime,omitempty"`
	EndTime       api.Moment      `json:"endTime,omitempty"`
	JobName       string          `json:"jobName,omitempty"`
	TaskID        string          `json:"taskId,omitempty"`
	IP            string          `json:"ip,omitempty"`
	IsSuccess     json.RawMessage `json:"isSuccess,omitempty"`
	SlaveID       string          `json:"slaveId,omitempty"`
	Source        string          `json:"source,omitempty"`
	ExecutionType string          `json:"executionType,omitempty"`
	State         string          `json:"state,omitempty"`
}

// eventsQuery are the names of a request, which are those of its query too.
var eventsQuery = [][2]string{
	{"per_page", "Rows of a page; 10 if absent."}, {"page", "The page, from 1."},
	{"sort", "The column to sort by."}, {"order", "ASC or DESC."},
	{"startTime", "From this time on, 2006-01-02 15:04:05 in UTC or as in RFC 3339."}, {"endTime", "Up to this time, which is included."},
	{"jobName", "Only this job."}, {"taskId", "Only this task."},
}

// eventsValues is the request as a query string, and how many rows to pass over.
func eventsValues(c *gin.Context) (v url.Values, skip, size int, err error) {
	v = c.Request.URL.Query()
	if c.Request.Method == http.MethodPost {
		if strings.HasPrefix(c.ContentType(), "application/x-www-form-urlencoded") {
			if err := c.Request.ParseForm(); err != nil {
				return nil, 0, 0, app.Malformed("The form cannot be read.", err.Error())
			}
			v = c.Request.PostForm
		} else if v, err = eventsInJSON(c); err != nil {
			return nil, 0, 0, err
		}
	}
	if strings.EqualFold(v.Get("sort"), "creationTime") {
		v.Del("sort") // the only order of the trail
	}
	size, page := 10, 1
	most := query.PageSizes[len(query.PageSizes)-1]
	for _, n := range []struct {
		name string
		at   *int
		most int
	}{{"per_page", &size, most}, {"page", &page, query.Deepest}} {
		if *n.at, err = boundedIn(v, n.name, *n.at, 1, n.most); err != nil {
			return nil, 0, 0, err
		}
	}
	if skip = (page - 1) * size; skip > query.Deepest {
		return nil, 0, 0, invalid(app.FieldBody{Field: "page", Value: fmt.Sprint(page), Want: fmt.Sprintf("a whole number from 1 to %d", query.Deepest/size)})
	}
	v.Del("per_page")
	return v, skip, size, nil
}

// eventsInJSON is a body of JSON as a query string.
func eventsInJSON(c *gin.Context) (url.Values, error) {
	var in map[string]json.RawMessage
	if err := app.ReadJSON(c, &in); err != nil {
		return nil, err
	}
	v := url.Values{}
	for name, value := range in {
		text := strings.Trim(string(value), `"`)
		if text == "null" || text == "" {
			continue
		}
		if json.Unmarshal(value, &text) != nil {
			text = string(value)
		}
		v.Set(view.Clip(name, 100), text)
	}
	return v, nil
}

// executions answers with the executions of the jobs of ElasticJob-Cloud, because the history has
// those of agents as well. A filter for one job stays, because the job may have been removed.
func executions(r *call) error {
	v, skip, size, err := eventsValues(r.c)
	if err != nil {
		return err
	}
	filter, problems := query.ParseExecutions(v, query.DefaultPageSize)
	switch {
	case len(problems) > 0:
		return app.Misunderstood(problems, i18n.Lang.AddressCorrect)
	case filter.JobName == "" && !r.Seen.Synced():
		return errNotSynced
	case filter.JobName == "":
		names := []string{}
		for _, d := range r.Seen.Jobs() {
			if !r.hidden(d.Job.Namespace) {
				names = append(names, d.Job.Name)
			}
		}
		if len(names) <= rdb.MaxJobs {
			filter.Jobs = names
		}
	}
	if r.s.HistoryOf(r.c) == nil {
		return r.answer(http.StatusOK, api.Total[api.ExecutionEvent]{Rows: []api.ExecutionEvent{}})
	}
	return app.WriteEvents(r.c, app.ExecutionsOf(r.s, r.c, filter), skip, size, app.ExecutionEvent)
}

// statuses answers with the steps of tasks of ElasticJob-Cloud.
func statuses(r *call) error {
	v, skip, size, err := eventsValues(r.c)
	if err != nil {
		return err
	}
	filter, problems := query.ParseStatuses(v)
	if len(problems) > 0 {
		return app.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	filter.Source = cmp.Or(filter.Source, cloud.SourceScheduler)
	ours := filter.Source == cloud.SourceScheduler || filter.Source == cloud.SourceExecutor
	if !ours || r.s.HistoryOf(r.c) == nil {
		return r.answer(http.StatusOK, api.Total[api.StatusEvent]{Rows: []api.StatusEvent{}})
	}
	return app.WriteEvents(r.c, app.StatusesOf(r.s, r.c, filter), skip, size, app.StatusEvent)
}
