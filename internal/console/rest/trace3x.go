package rest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// historyRequest is the body with which clients of ElasticJob's 3.x console ask
// for executions and for the status trail.
type historyRequest struct {
	JobName       string          `json:"jobName"`
	IP            string          `json:"ip"`
	IsSuccess     json.RawMessage `json:"isSuccess"`
	Source        string          `json:"source"`
	ExecutionType string          `json:"executionType"`
	State         string          `json:"state"`
	// Bounds are exclusive, as in ElasticJob.
	StartTimeFrom    api.Moment `json:"startTimeFrom"`
	StartTimeTo      api.Moment `json:"startTimeTo"`
	CreationTimeFrom api.Moment `json:"creationTimeFrom"`
	CreationTimeTo   api.Moment `json:"creationTimeTo"`
	PageSize         *int       `json:"pageSize"`
	PageNumber       *int       `json:"pageNumber"`
	Sort             string     `json:"sort"`
	Order            string     `json:"order"`
}

// page reads the paging of a request: how many rows to pass over, how many to
// give. A list that has one order only names it.
func (r historyRequest) page(sortedBy string) (skip, size int, problems query.Problems) {
	size, number := 10, 1
	if r.PageSize != nil {
		size = *r.PageSize
	}
	if r.PageNumber != nil {
		number = *r.PageNumber
	}
	most := query.PageSizes[len(query.PageSizes)-1]
	switch {
	case size < 1 || size > most:
		problems = append(problems, query.InEnglish(fmt.Sprintf("pageSize %d is not a number from 1 to %d", size, most)))
	case number < 1 || number > query.Deepest/size:
		problems = append(problems, query.InEnglish(fmt.Sprintf("pageNumber %d is not a number from 1 to %d", number, query.Deepest/size)))
	}
	if sortedBy != "" && (r.Sort != "" && r.Sort != sortedBy || r.Order != "" && !strings.EqualFold(r.Order, "DESC")) {
		problems = append(problems, query.InEnglish(fmt.Sprintf("sort %q %q is not possible (%s DESC is)", view.Clip(r.Sort, 40), view.Clip(r.Order, 40), sortedBy)))
	}
	return (number - 1) * size, size, problems
}

// values is the request as the query string that means the same.
func (r historyRequest) values() url.Values {
	v := url.Values{}
	for name, value := range map[string]string{
		"jobName": r.JobName, "ip": r.IP, "source": r.Source, "executionType": r.ExecutionType, "state": r.State,
		"startTime": string(r.StartTimeFrom + r.CreationTimeFrom), "endTime": string(r.StartTimeTo + r.CreationTimeTo), "sort": r.Sort, "order": r.Order,
	} {
		v.Set(name, value)
	}
	if ok := strings.Trim(string(r.IsSuccess), `"`); ok != "null" {
		v.Set("isSuccess", ok)
	}
	return v
}

// inside makes inclusive bounds exclusive; rows are exact to the millisecond at
// most.
func inside(from, to time.Time) (a, b time.Time) {
	if !from.IsZero() {
		from = from.Add(time.Millisecond)
	}
	if !to.IsZero() {
		to = to.Add(-time.Millisecond)
	}
	if !from.IsZero() && to.Before(from) && !to.IsZero() {
		to = from.Add(-1) // nothing is between them: an instant that no row has
		from = to
	}
	return from, to
}

// executionEvents answers a 3.x client with executions.
func (s *API) executionEvents(c *gin.Context) error {
	var in historyRequest
	if err := console.ReadJSON(c, &in); err != nil {
		return err
	}
	skip, size, problems := in.page("")
	filter, more := query.ParseExecutions(in.values())
	if problems = append(problems, more...); len(problems) > 0 {
		return console.Misunderstood(problems, i18n.Lang.AddressCorrectRequest)
	}
	filter.From, filter.To = inside(filter.From, filter.To)
	return console.WriteEvents(c, console.ExecutionsOf(s.Console, c, filter), skip, size, console.ExecutionEvent)
}

// statusEvents answers a 3.x client with the steps of tasks.
func (s *API) statusEvents(c *gin.Context) error {
	var in historyRequest
	if err := console.ReadJSON(c, &in); err != nil {
		return err
	}
	skip, size, problems := in.page("creationTime")
	filter, more := query.ParseStatuses(in.values())
	if problems = append(problems, more...); len(problems) > 0 {
		return console.Misunderstood(problems, i18n.Lang.AddressCorrectRequest)
	}
	filter.From, filter.To = inside(filter.From, filter.To)
	return console.WriteEvents(c, console.StatusesOf(s.Console, c, filter), skip, size, console.StatusEvent)
}
