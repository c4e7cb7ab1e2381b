package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

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
	StartTimeFrom    string `json:"startTimeFrom"`
	StartTimeTo      string `json:"startTimeTo"`
	CreationTimeFrom string `json:"creationTimeFrom"`
	CreationTimeTo   string `json:"creationTimeTo"`
	PageSize         *int   `json:"pageSize"`
	PageNumber       *int   `json:"pageNumber"`
	Sort             string `json:"sort"`
	Order            string `json:"order"`
}

// totalBody is a page of the history for clients of 3.x. Total counts the rows
// up to the page's end and one more if there are more: counting all of them
// would read the whole table.
type totalBody[T any] struct {
	Total int `json:"total"`
	Rows  []T `json:"rows"`
}

// executionEventBody is an execution with times as 3.x has them: milliseconds
// since 1970, null for a run that goes on.
type executionEventBody struct {
	executionBody
	StartTime    int64  `json:"startTime"`
	CompleteTime *int64 `json:"completeTime"`
}

type statusEventBody struct {
	statusBody
	ShardingItems string `json:"shardingItems"`
	CreationTime  int64  `json:"creationTime"`
}

// deepest is the last row that can be asked for by page number: leafing through
// reads everything before it.
const deepest = 10_000

// page reads the paging of a request: how many rows to pass over, how many to
// give.
func (r historyRequest) page(sortedBy string) (skip, size int, problems []string) {
	size, number := 10, 1
	if r.PageSize != nil {
		size = *r.PageSize
	}
	if r.PageNumber != nil {
		number = *r.PageNumber
	}
	most := pageSizes[len(pageSizes)-1]
	switch {
	case size < 1 || size > most:
		problems = append(problems, fmt.Sprintf("pageSize %d is not a number from 1 to %d", size, most))
	case number < 1 || number > deepest/size:
		problems = append(problems, fmt.Sprintf("pageNumber %d is not a number from 1 to %d", number, deepest/size))
	}
	if r.Sort != "" && r.Sort != sortedBy || r.Order != "" && !strings.EqualFold(r.Order, "DESC") {
		problems = append(problems, fmt.Sprintf("sort %q %q is not possible (%s DESC is)", clip(r.Sort, 40), clip(r.Order, 40), sortedBy))
	}
	return (number - 1) * size, size, problems
}

// values is the request as the query string that means the same.
func (r historyRequest) values() url.Values {
	v := url.Values{}
	for name, value := range map[string]string{
		"jobName": r.JobName, "ip": r.IP, "source": r.Source, "executionType": r.ExecutionType, "state": r.State,
		"startTime": r.StartTimeFrom + r.CreationTimeFrom, "endTime": r.StartTimeTo + r.CreationTimeTo,
	} {
		v.Set(name, value)
	}
	if ok := strings.Trim(string(r.IsSuccess), `"`); ok != "null" {
		v.Set("isSuccess", ok)
	}
	return v
}

// after makes an inclusive bound exclusive; rows are exact to the millisecond at
// most.
func after(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Add(time.Millisecond)
}

// apiExecutionEvents answers a 3.x client with executions.
func (s *Console) apiExecutionEvents(c *gin.Context) {
	var in historyRequest
	if err := readJSON(c, &in); err != nil {
		s.fail(c, err)
		return
	}
	skip, size, problems := in.page("startTime")
	filter, more := parseExecutionFilter(in.values())
	if problems = append(problems, more...); len(problems) > 0 {
		s.fail(c, invalid(strings.Join(problems, "; ")+".", "Correct the request."))
		return
	}
	filter.From = after(filter.From)
	rows, total, err := leaf(skip, size, func(limit int, cursor string) ([]executionEventBody, string, error) {
		filter.Limit, filter.Cursor = limit, cursor
		page, err := s.readExecutions(c, filter)
		var rows []executionEventBody
		for _, e := range page.Rows {
			row := executionEventBody{executionBody: executionJSON(e), StartTime: e.StartTime.UnixMilli()}
			if !e.CompleteTime.IsZero() {
				done := e.CompleteTime.UnixMilli()
				row.CompleteTime = &done
			}
			rows = append(rows, row)
		}
		return rows, page.NextCursor, err
	})
	if err != nil {
		s.fail(c, err)
		return
	}
	writeJSON(c, http.StatusOK, totalBody[executionEventBody]{Total: total, Rows: rows})
}

// apiStatusEvents answers a 3.x client with the steps of tasks.
func (s *Console) apiStatusEvents(c *gin.Context) {
	var in historyRequest
	if err := readJSON(c, &in); err != nil {
		s.fail(c, err)
		return
	}
	skip, size, problems := in.page("creationTime")
	filter, more := parseStatusFilter(in.values())
	if problems = append(problems, more...); len(problems) > 0 {
		s.fail(c, invalid(strings.Join(problems, "; ")+".", "Correct the request."))
		return
	}
	filter.From = after(filter.From)
	rows, total, err := leaf(skip, size, func(limit int, cursor string) ([]statusEventBody, string, error) {
		filter.Limit, filter.Cursor = limit, cursor
		page, err := s.readStatuses(c, filter)
		var rows []statusEventBody
		for _, st := range page.Rows {
			body := statusJSON(st)
			items, _ := json.Marshal(body.ShardingItems) // numbers always marshal
			rows = append(rows, statusEventBody{statusBody: body, ShardingItems: string(items), CreationTime: st.CreationTime.UnixMilli()})
		}
		return rows, page.NextCursor, err
	})
	if err != nil {
		s.fail(c, err)
		return
	}
	writeJSON(c, http.StatusOK, totalBody[statusEventBody]{Total: total, Rows: rows})
}

// leaf turns pages of a list that is read with cursors until skip rows are
// passed, and returns the size rows there.
func leaf[T any](skip, size int, read func(limit int, cursor string) ([]T, string, error)) (rows []T, total int, err error) {
	cursor := ""
	for passed := 0; passed < skip; {
		page, next, err := read(min(skip-passed, rdb.MaxLimit), cursor)
		if err != nil {
			return nil, 0, err
		}
		passed += len(page)
		if cursor = next; cursor == "" || len(page) == 0 {
			return []T{}, passed, nil
		}
	}
	page, next, err := read(size, cursor)
	if err != nil {
		return nil, 0, err
	}
	total = skip + len(page)
	if next != "" {
		total++
	}
	return slices.Concat([]T{}, page), total, nil
}
