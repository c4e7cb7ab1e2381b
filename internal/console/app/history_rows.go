package app

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// Rows reads a part of the history, and counts its rows.
type Rows[R any] struct {
	count func() (n int, exact bool, err error)
	Read  func(limit int, cursor string) (rows []R, next string, err error)
}

// ExecutionsOf is the part of the history with the executions of a filter.
func ExecutionsOf(s *Console, c *gin.Context, f rdb.ExecutionFilter) Rows[tracing.Execution] {
	return Rows[tracing.Execution]{func() (int, bool, error) { return s.CountExecutions(c, f) }, func(limit int, cursor string) ([]tracing.Execution, string, error) {
		f.Limit, f.Cursor = limit, cursor
		page, err := s.ReadExecutions(c, f)
		return page.Rows, page.NextCursor, err
	}}
}

// StatusesOf is the part of the history with the steps of a filter.
func StatusesOf(s *Console, c *gin.Context, f rdb.StatusFilter) Rows[tracing.Status] {
	return Rows[tracing.Status]{func() (int, bool, error) { return s.CountStatuses(c, f) }, func(limit int, cursor string) ([]tracing.Status, string, error) {
		f.Limit, f.Cursor = limit, cursor
		page, err := s.ReadStatuses(c, f)
		return page.Rows, page.NextCursor, err
	}}
}

// PageOf is a page of a part of the history.
func PageOf[R, T any](p Rows[R], skip, limit int, cursor string, bodyOf func(R) T) (body api.Page[T], err error) {
	if body.Total, body.TotalExact, err = p.count(); err != nil {
		return body, err
	}
	body.Rows, body.NextCursor, err = query.Leaf(skip, limit, cursor, func(limit int, cursor string) ([]T, string, error) {
		list, next, err := p.Read(limit, cursor)
		rows := make([]T, 0, len(list))
		for _, row := range list {
			rows = append(rows, bodyOf(row))
		}
		return rows, next, err
	})
	return body, err
}

// WriteEvents answers with a page of a part of the history in the form of 3.x.
func WriteEvents[R, T any](c *gin.Context, p Rows[R], skip, size int, bodyOf func(R) T) error {
	page, err := PageOf(p, skip, size, "", bodyOf)
	if err == nil {
		WriteJSON(c, http.StatusOK, api.Total[T]{Total: page.Total, Rows: page.Rows})
	}
	return err
}

// ExecutionBody is an execution for the REST interface.
func ExecutionBody(e tracing.Execution) api.Execution {
	return api.Execution{
		ID: e.ID, Hostname: e.Hostname, IP: e.IP, TaskID: e.TaskID, JobName: e.JobName, Source: string(e.Source),
		ShardingItem: e.Item, StartTime: OptionalTime(e.StartTime), CompleteTime: OptionalTime(e.CompleteTime),
		State: string(rdb.StateOf(e)), Success: e.Success, FailureCause: e.FailureCause,
		RunID: e.RunID, Attempt: e.Attempt, Trigger: string(rdb.TriggerOf(e)), ScheduledAt: OptionalTime(e.ScheduledAt),
	}
}

// ExecutionEvent is an execution in the form of 3.x.
func ExecutionEvent(e tracing.Execution) api.ExecutionEvent {
	row := api.ExecutionEvent{Execution: ExecutionBody(e), StartTime: e.StartTime.UnixMilli()}
	if e.FailureCause != "" {
		row.FailureCause = &e.FailureCause
	}
	if !e.CompleteTime.IsZero() {
		done := e.CompleteTime.UnixMilli()
		row.CompleteTime = &done
	}
	return row
}

// StatusBody is a step of a task for the REST interface.
func StatusBody(st tracing.Status) api.Status {
	return api.Status{
		ID: st.ID, JobName: st.JobName, OriginalTaskID: st.OriginalTaskID, TaskID: st.TaskID, SlaveID: st.SlaveID,
		Source: st.Source, ExecutionType: st.ExecutionType, ShardingItems: append([]int{}, st.Items...),
		State: string(st.State), Message: st.Message, CreationTime: OptionalTime(st.CreationTime),
	}
}

// StatusEvent is a step of a task in the form of 3.x.
func StatusEvent(st tracing.Status) api.StatusEvent {
	body := StatusBody(st)
	items := strings.ReplaceAll(fmt.Sprint(body.ShardingItems), " ", ", ")
	return api.StatusEvent{Status: body, ShardingItems: items, CreationTime: st.CreationTime.UnixMilli()}
}

// OptionalTime is an instant as precise as it is known, empty if it is not.
func OptionalTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// Period is the one word that consoles of upstream's scheduler have for a period.
type Period struct {
	Word     string
	Interval rdb.Interval
	From     func(now time.Time) time.Time
}

// Buckets reads the period of a request for statistics and the length of its buckets. Without from
// the period is as long as back.
func (s *Console) Buckets(
	c *gin.Context, back time.Duration, otherwise rdb.Interval, upstream Period,
) (from, to time.Time, interval rdb.Interval, err error) {
	now, v := s.Now(), c.Request.URL.Query()
	from, to, problems := query.ParseRange(v.Get("from"), v.Get("to"), nil)
	interval = rdb.Interval(cmp.Or(v.Get("interval"), string(otherwise)))
	switch v.Get("since") {
	case "":
	case upstream.Word:
		interval, from, to = upstream.Interval, upstream.From(now), now
	default:
		problems = append(problems, query.InEnglish("since is none but "+upstream.Word+" (use from and to)"))
	}
	if len(problems) > 0 {
		return from, to, interval, Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	if to.IsZero() {
		to = now
	}
	if from.IsZero() {
		from = to.Add(-back)
	}
	return from, to, interval, nil
}
