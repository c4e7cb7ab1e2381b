package runs

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// read3x reads the request of a 3.x client as a query string, with the number of rows to pass over and to return. Only
// sortedBy is allowed as the order, unless it's empty.
func read3x(c *gin.Context, sortedBy string) (v url.Values, skip, size int, problems query.Problems, err error) {
	var in api.HistoryRequest
	if err = app.ReadJSON(c, &in); err != nil {
		return nil, 0, 0, nil, err
	}
	size, number := 10, 1
	if in.PageSize != nil {
		size = *in.PageSize
	}
	if in.PageNumber != nil {
		number = *in.PageNumber
	}
	refuse := func(format string, args ...any) {
		problems = append(problems, query.InEnglish(fmt.Sprintf(format, args...)))
	}
	most := query.PageSizes[len(query.PageSizes)-1]
	switch {
	case size < 1 || size > most:
		refuse("pageSize %d is not a number from 1 to %d", size, most)
	case number < 1 || number > query.Deepest/size:
		refuse("pageNumber %d is not a number from 1 to %d", number, query.Deepest/size)
	}
	if sortedBy != "" && (in.Sort != "" && in.Sort != sortedBy || in.Order != "" && !strings.EqualFold(in.Order, "DESC")) {
		refuse("sort %q %q is not possible (%s DESC is)", view.Clip(in.Sort, 40), view.Clip(in.Order, 40), sortedBy)
	}
	v = url.Values{}
	for name, value := range map[string]string{
		"jobName": in.JobName, "ip": in.IP, "source": in.Source, "executionType": in.ExecutionType, "state": in.State,
		"startTime": string(in.StartTimeFrom + in.CreationTimeFrom), "sort": in.Sort,
		"endTime": string(in.StartTimeTo + in.CreationTimeTo), "order": in.Order,
	} {
		v.Set(name, value)
	}
	if ok := strings.Trim(string(in.IsSuccess), `"`); ok != "null" {
		v.Set("isSuccess", ok)
	}
	return v, (number - 1) * size, size, problems, nil
}

// inside makes inclusive bounds exclusive. Rows are exact to the millisecond at most.
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

// postExecutions answers a 3.x client with executions.
func (s *runs) postExecutions(c *gin.Context) error {
	v, skip, size, problems, err := read3x(c, "")
	if err != nil {
		return err
	}
	f, more := query.ParseExecutions(v, query.DefaultPageSize)
	if problems = append(problems, more...); len(problems) > 0 {
		return app.Misunderstood(problems, i18n.Lang.AddressCorrectRequest)
	}
	f.From, f.To = inside(f.From, f.To)
	return app.WriteEvents(c, app.ExecutionsOf(s.Console, c, f), skip, size, app.ExecutionEvent)
}

// postStatuses answers a 3.x client with the steps of tasks.
func (s *runs) postStatuses(c *gin.Context) error {
	v, skip, size, problems, err := read3x(c, "creationTime")
	if err != nil {
		return err
	}
	f, more := query.ParseStatuses(v)
	if problems = append(problems, more...); len(problems) > 0 {
		return app.Misunderstood(problems, i18n.Lang.AddressCorrectRequest)
	}
	f.From, f.To = inside(f.From, f.To)
	return app.WriteEvents(c, app.StatusesOf(s.Console, c, f), skip, size, app.StatusEvent)
}
