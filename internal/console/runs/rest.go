package runs

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// body is a run for the REST interface.
func body(r rdb.Run) api.Run {
	return api.Run{
		JobName: r.JobName, ID: r.ID, Grouped: r.Grouped, State: string(r.State), Trigger: string(r.Trigger),
		ScheduledAt: app.OptionalTime(r.ScheduledAt), StartTime: app.OptionalTime(r.Start),
		CompleteTime: app.OptionalTime(r.End), Shards: r.Shards, Running: r.Running, Succeeded: r.Succeeded,
		Failed: r.Failed, Lost: r.Lost, Cancelled: r.Cancelled, FailedOver: r.FailedOver,
		Instances: append([]string{}, r.IPs...), FailureCause: r.Cause,
	}
}

// getRuns answers with runs, of one job if the address has one.
func (s *runs) getRuns(c *gin.Context) error {
	filter, problems := query.ParseRuns(c.Request.URL.Query(), query.DefaultPageSize)
	if len(problems) > 0 {
		return app.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	if c.Param("job") != "" {
		job, err := app.JobName(c)
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
	answer := api.Runs{Rows: []api.Run{}, NextCursor: page.NextCursor, Lacks: append([]string{}, lacks...)}
	for _, r := range page.Runs {
		answer.Rows = append(answer.Rows, body(r))
	}
	return app.Answer(c, answer, err)
}

func (s *runs) getRun(c *gin.Context) error {
	r, err := s.read(c)
	answer := api.RunDetail{
		Run: body(r.Run), Executions: []api.Execution{}, Truncated: r.Truncated, Statuses: []api.Status{}, Before: r.before,
		After: r.after,
	}
	for _, e := range r.Executions {
		answer.Executions = append(answer.Executions, app.ExecutionBody(e))
	}
	for _, st := range r.trail {
		answer.Statuses = append(answer.Statuses, app.StatusBody(st))
	}
	return app.Answer(c, answer, err)
}

// getLog answers with lines of the log of a shard's attempt.
func (s *runs) getLog(c *gin.Context) error {
	asked, err := app.LogAsked(c)
	if err != nil {
		return err
	}
	run, err := s.find(c)
	if err != nil {
		return err
	}
	logs, state := s.LogsOfRun(c, run, -1)
	if state != app.Recorded {
		return app.NoLog(state)
	}
	log, err := s.ReadLog(c, run.JobName, run.ID, logs, asked)
	ended := run.State != rdb.RunRunning
	return app.Answer(c, app.LogBody(run.JobName, run.ID, log, logs, asked.After, ended), err)
}

func (s *runs) getExecutions(c *gin.Context) error {
	f, problems := query.ParseExecutions(c.Request.URL.Query(), query.DefaultPageSize)
	return answerPage(c, app.ExecutionsOf(s.Console, c, f), problems, f.Limit, f.Cursor, app.ExecutionBody)
}

func (s *runs) getStatuses(c *gin.Context) error {
	f, problems := query.ParseStatuses(c.Request.URL.Query())
	return answerPage(c, app.StatusesOf(s.Console, c, f), problems, f.Limit, f.Cursor, app.StatusBody)
}

// answerPage answers with the page in the address: by a cursor, or by the number that clients of 2.x send.
func answerPage[R, T any](
	c *gin.Context, p app.Rows[R], problems query.Problems, limit int, cursor string, bodyOf func(R) T,
) error {
	if len(problems) > 0 {
		return app.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	number := 1
	if text := c.Query("page"); text != "" {
		var err error
		if number, err = strconv.Atoi(text); err != nil || number < 1 || number > query.Deepest/limit {
			return app.Invalid(
				fmt.Sprintf("page %q is not a number from 1 to %d.", view.Clip(text, 40), query.Deepest/limit),
				"Go on with nextCursor instead.",
			)
		}
	}
	page, err := app.PageOf(p, (number-1)*limit, limit, cursor, bodyOf)
	return app.Answer(c, page, err)
}

// suggest answers with the first values of a column that begin with the end of the address.
func (s *runs) suggest(of rdb.Suggestion) func(*gin.Context) error {
	return func(c *gin.Context) error {
		prefix, err := url.PathUnescape(c.Param("prefix"))
		if err != nil {
			return app.Malformed("The prefix in the address is not escaped correctly.", "Write % as %25.")
		}
		values, err := app.ReadHistory(s.Console, c, func(ctx context.Context, h app.History) ([]string, error) {
			return h.Suggest(ctx, of, prefix)
		})
		return app.Answer(c, values, err)
	}
}

// periodIntervals are the intervals of upstream's periods.
var periodIntervals = map[string]rdb.Interval{
	"lastMinute": rdb.Minute, "lastHour": rdb.Hour, "lastWeek": rdb.Day, "online": rdb.Day,
}

func resultOf(at time.Time, success, failed int, interval rdb.Interval) api.Result {
	return api.Result{
		Statistic: api.StatisticAt(at), SuccessCount: success, FailedCount: failed,
		Interval: strings.ToUpper(string(interval)),
	}
}

// last24Hours is the word for a period that consoles of upstream's scheduler send.
var last24Hours = app.Period{Word: "last24hours", Interval: rdb.Minute, From: func(now time.Time) time.Time {
	return now.Add(-24 * time.Hour).Truncate(time.Hour)
}}

// getStatistics answers with the results of executions, bucket by bucket, as upstream's scheduler does. Upstream repeats
// the last counts for a bucket that wasn't counted. We omit the row.
func (s *runs) getStatistics(c *gin.Context) error {
	from, to, interval, err := s.Buckets(c, 24*time.Hour, rdb.Hour, last24Hours)
	if err != nil {
		return err
	}
	points, err := s.ReadStatistics(c, c.Query("job"), interval, from, to)
	rows := []api.Result{}
	for _, p := range points {
		if p.Known {
			rows = append(rows, resultOf(p.Time, p.Success, p.Failed, interval))
		}
	}
	return app.Answer(c, rows, err)
}

// getResults answers with the results of a period.
func (s *runs) getResults(c *gin.Context) error {
	period := c.Param("period")
	r, err := app.ReadHistory(s.Console, c, func(ctx context.Context, h app.History) (rdb.Results, error) {
		return h.Results(ctx, period, s.Now())
	})
	return app.Answer(c, api.Results{
		Result: resultOf(r.To, r.Success, r.Failed, periodIntervals[period]), Complete: r.Complete,
		From: app.OptionalTime(r.From), To: view.IsoTime(r.To),
	}, err)
}
