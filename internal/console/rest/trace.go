package rest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// pageBody is a part of the history; nextCursor leads to the next part and is
// absent in the last one.
type pageBody[T any] struct {
	Total int `json:"total"`
	// TotalExact is false if there may be more than Total rows.
	TotalExact bool   `json:"totalExact"`
	Rows       []T    `json:"rows"`
	NextCursor string `json:"nextCursor,omitempty"`
}

// part reads a part of the history, and how many rows there are.
type part[R any] struct {
	count func() (n int, exact bool, err error)
	read  func(limit int, cursor string) (rows []R, next string, err error)
}

func (s *API) executionsOf(c *gin.Context, f rdb.ExecutionFilter) part[tracing.Execution] {
	return part[tracing.Execution]{func() (int, bool, error) { return s.CountExecutions(c, f) }, func(limit int, cursor string) ([]tracing.Execution, string, error) {
		f.Limit, f.Cursor = limit, cursor
		page, err := s.ReadExecutions(c, f)
		return page.Rows, page.NextCursor, err
	}}
}

func (s *API) statusesOf(c *gin.Context, f rdb.StatusFilter) part[tracing.Status] {
	return part[tracing.Status]{func() (int, bool, error) { return s.CountStatuses(c, f) }, func(limit int, cursor string) ([]tracing.Status, string, error) {
		f.Limit, f.Cursor = limit, cursor
		page, err := s.ReadStatuses(c, f)
		return page.Rows, page.NextCursor, err
	}}
}

// pageOf is a page of a part of the history.
func pageOf[R, T any](p part[R], skip, limit int, cursor string, bodyOf func(R) T) (body pageBody[T], err error) {
	if body.Total, body.TotalExact, err = p.count(); err != nil {
		return body, err
	}
	body.Rows, body.NextCursor, err = query.Leaf(skip, limit, cursor, func(limit int, cursor string) ([]T, string, error) {
		list, next, err := p.read(limit, cursor)
		rows := make([]T, 0, len(list))
		for _, row := range list {
			rows = append(rows, bodyOf(row))
		}
		return rows, next, err
	})
	return body, err
}

// answerPart answers with a page that the address asks for.
func answerPart[R, T any](s *API, c *gin.Context, p part[R], problems query.Problems, limit int, cursor string, bodyOf func(R) T) {
	if len(problems) > 0 {
		s.Fail(c, console.Misunderstood(problems, i18n.Lang.AddressCorrect))
		return
	}
	skip, problem := skipped(c, limit)
	if problem != nil {
		s.Fail(c, problem)
		return
	}
	body, err := pageOf(p, skip, limit, cursor, bodyOf)
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, http.StatusOK, body)
}

// executions answers with executions, newest first.
func (s *API) executions(c *gin.Context) {
	f, problems := query.ParseExecutions(c.Request.URL.Query())
	answerPart(s, c, s.executionsOf(c, f), problems, f.Limit, f.Cursor, executionJSON)
}

func executionJSON(e tracing.Execution) api.Execution {
	return api.Execution{
		ID: e.ID, Hostname: e.Hostname, IP: e.IP, TaskID: e.TaskID, JobName: e.JobName, Source: string(e.Source),
		ShardingItem: e.Item, StartTime: optionalTime(e.StartTime), CompleteTime: optionalTime(e.CompleteTime),
		State: string(rdb.StateOf(e)), Success: e.Success, FailureCause: e.FailureCause,
		RunID: e.RunID, Attempt: e.Attempt, Trigger: string(rdb.TriggerOf(e)), ScheduledAt: optionalTime(e.ScheduledAt),
	}
}

// statuses answers with the steps of tasks, newest first.
func (s *API) statuses(c *gin.Context) {
	f, problems := query.ParseStatuses(c.Request.URL.Query())
	answerPart(s, c, s.statusesOf(c, f), problems, f.Limit, f.Cursor, statusJSON)
}

func statusJSON(st tracing.Status) api.Status {
	return api.Status{
		ID: st.ID, JobName: st.JobName, OriginalTaskID: st.OriginalTaskID, TaskID: st.TaskID, SlaveID: st.SlaveID,
		Source: st.Source, ExecutionType: st.ExecutionType, ShardingItems: append([]int{}, st.Items...),
		State: string(st.State), Message: st.Message, CreationTime: optionalTime(st.CreationTime),
	}
}

// skipped is how many rows the page's number, which clients of 2.x give in the
// query, passes over.
func skipped(c *gin.Context, size int) (int, *console.Problem) {
	text := c.Query("page")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > query.Deepest/size {
		return 0, console.Invalid(fmt.Sprintf("page %q is not a number from 1 to %d.", view.Clip(text, 40), query.Deepest/size), "Go on with nextCursor instead.")
	}
	return (n - 1) * size, nil
}

// suggest answers with the first values of a column that begin with what the
// address ends with.
func (s *API) suggest(of rdb.Suggestion) gin.HandlerFunc {
	return func(c *gin.Context) {
		prefix, err := url.PathUnescape(c.Param("prefix"))
		if err != nil {
			s.Fail(c, console.Malformed("The prefix in the address is not escaped correctly.", "Write % as %25."))
			return
		}
		values, err := console.ReadHistory(s.Console, c, func(ctx context.Context, h console.History) ([]string, error) { return h.Suggest(ctx, of, prefix) })
		if err != nil {
			s.Fail(c, err)
			return
		}
		console.WriteJSON(c, http.StatusOK, values)
	}
}
