package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
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
	StartTimeFrom    moment `json:"startTimeFrom"`
	StartTimeTo      moment `json:"startTimeTo"`
	CreationTimeFrom moment `json:"creationTimeFrom"`
	CreationTimeTo   moment `json:"creationTimeTo"`
	PageSize         *int   `json:"pageSize"`
	PageNumber       *int   `json:"pageNumber"`
	Sort             string `json:"sort"`
	Order            string `json:"order"`
}

// totalBody is a page of the history for clients of 3.x. Total counts up to
// [query.MostCounted]: counting all of them would read the whole table.
type totalBody[T any] struct {
	Total int `json:"total"`
	Rows  []T `json:"rows"`
}

// executionEventBody is an execution with times as 3.x has them: milliseconds
// since 1970, null for a run that goes on.
type executionEventBody struct {
	api.Execution
	StartTime    int64          `json:"startTime"`
	CompleteTime *int64         `json:"completeTime"`
	FailureCause console.OrNull `json:"failureCause"`
}

type statusEventBody struct {
	api.Status
	ShardingItems string `json:"shardingItems"`
	CreationTime  int64  `json:"creationTime"`
}

// moment is an instant in a request, as Jackson reads one: text, or milliseconds
// since 1970 as a number or as text; null and the empty text are none.
type moment string

// latest is the last millisecond that text can name, in the year 9999.
const latest = 253402300799999

// UnmarshalJSON implements [json.Unmarshaler]. What it does not know is left to
// those who check the request, so that they can name it.
func (m *moment) UnmarshalJSON(data []byte) error {
	var text string
	if data[0] == '"' {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
	} else if string(data) != "null" {
		text = string(data)
	}
	*m = moment(text)
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil && ms >= -latest && ms <= latest {
		*m = moment(time.UnixMilli(ms).UTC().Format(time.RFC3339Nano))
	} else if t, err := time.Parse("2006-01-02T15:04:05.999999999-0700", text); err == nil { // as Jackson writes it
		*m = moment(t.UTC().Format(time.RFC3339Nano))
	}
	return nil
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
func (s *API) executionEvents(c *gin.Context) {
	var in historyRequest
	if err := console.ReadJSON(c, &in); err != nil {
		s.Fail(c, err)
		return
	}
	skip, size, problems := in.page("")
	filter, more := query.ParseExecutions(in.values())
	if problems = append(problems, more...); len(problems) > 0 {
		s.Fail(c, console.Misunderstood(problems, i18n.Lang.AddressCorrectRequest))
		return
	}
	filter.From, filter.To = inside(filter.From, filter.To)
	s.answerExecutions(c, filter, skip, size)
}

// answerExecutions answers with a page of executions in the form of 3.x.
func (s *API) answerExecutions(c *gin.Context, filter rdb.ExecutionFilter, skip, size int) {
	answer3x(s, c, s.executionsOf(c, filter), skip, size, func(e tracing.Execution) executionEventBody {
		row := executionEventBody{Execution: executionJSON(e), StartTime: e.StartTime.UnixMilli(), FailureCause: console.OrNull(e.FailureCause)}
		if !e.CompleteTime.IsZero() {
			done := e.CompleteTime.UnixMilli()
			row.CompleteTime = &done
		}
		return row
	})
}

func answer3x[R, T any](s *API, c *gin.Context, p part[R], skip, size int, bodyOf func(R) T) {
	page, err := pageOf(p, skip, size, "", bodyOf)
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, http.StatusOK, totalBody[T]{Total: page.Total, Rows: page.Rows})
}

// statusEvents answers a 3.x client with the steps of tasks.
func (s *API) statusEvents(c *gin.Context) {
	var in historyRequest
	if err := console.ReadJSON(c, &in); err != nil {
		s.Fail(c, err)
		return
	}
	skip, size, problems := in.page("creationTime")
	filter, more := query.ParseStatuses(in.values())
	if problems = append(problems, more...); len(problems) > 0 {
		s.Fail(c, console.Misunderstood(problems, i18n.Lang.AddressCorrectRequest))
		return
	}
	filter.From, filter.To = inside(filter.From, filter.To)
	s.answerStatuses(c, filter, skip, size)
}

// answerStatuses answers with a page of the steps of tasks in the form of 3.x.
func (s *API) answerStatuses(c *gin.Context, filter rdb.StatusFilter, skip, size int) {
	answer3x(s, c, s.statusesOf(c, filter), skip, size, func(st tracing.Status) statusEventBody {
		body := statusJSON(st)
		return statusEventBody{Status: body, ShardingItems: itemsOf3x(body.ShardingItems), CreationTime: st.CreationTime.UnixMilli()}
	})
}

// itemsOf3x is a list of shards as Java prints one: [0, 3].
func itemsOf3x(items []int) string {
	return strings.ReplaceAll(fmt.Sprint(items), " ", ", ")
}
