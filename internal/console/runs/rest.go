package runs

import (
	"context"
	"fmt"
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
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// body is a run for the REST interface.
func body(r rdb.Run) api.Run {
	return api.Run{
		JobName: r.JobName, ID: r.ID, Grouped: r.Grouped, State: string(r.State), Trigger: string(r.Trigger),
		ScheduledAt: console.OptionalTime(r.ScheduledAt), StartTime: console.OptionalTime(r.Start),
		CompleteTime: console.OptionalTime(r.End), Shards: r.Shards, Running: r.Running, Succeeded: r.Succeeded,
		Failed: r.Failed, Lost: r.Lost, Cancelled: r.Cancelled, FailedOver: r.FailedOver,
		Instances: append([]string{}, r.IPs...), FailureCause: r.Cause,
	}
}

// getRuns answers with runs, of one job if the address has one.
func (s *runs) getRuns(c *gin.Context) error {
	filter, problems := query.ParseRuns(c.Request.URL.Query(), query.DefaultPageSize)
	if len(problems) > 0 {
		return console.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	if c.Param("job") != "" {
		job, err := console.JobName(c)
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
	return console.Answer(c, answer, err)
}

func (s *runs) getRun(c *gin.Context) error {
	r, err := s.read(c)
	answer := api.RunDetail{
		Run: body(r.Run), Executions: []api.Execution{}, Truncated: r.Truncated, Statuses: []api.Status{}, Before: r.before,
		After: r.after,
	}
	for _, e := range r.Executions {
		answer.Executions = append(answer.Executions, console.ExecutionBody(e))
	}
	for _, st := range r.trail {
		answer.Statuses = append(answer.Statuses, console.StatusBody(st))
	}
	return console.Answer(c, answer, err)
}

// getLog answers with lines of the log of a shard's attempt.
func (s *runs) getLog(c *gin.Context) error {
	asked, err := console.LogAsked(c)
	if err != nil {
		return err
	}
	run, err := s.find(c)
	if err != nil {
		return err
	}
	logs, state := s.LogsOfRun(c, run, -1)
	if state != console.Recorded {
		return console.NoLog(state)
	}
	log, err := s.ReadLog(c, run.JobName, run.ID, logs, asked)
	ended := run.State != rdb.RunRunning
	return console.Answer(c, console.LogBody(run.JobName, run.ID, log, logs, asked.After, ended), err)
}

func (s *runs) getExecutions(c *gin.Context) error {
	f, problems := query.ParseExecutions(c.Request.URL.Query(), query.DefaultPageSize)
	return answerPage(c, console.ExecutionsOf(s.Console, c, f), problems, f.Limit, f.Cursor, console.ExecutionBody)
}

func (s *runs) getStatuses(c *gin.Context) error {
	f, problems := query.ParseStatuses(c.Request.URL.Query())
	return answerPage(c, console.StatusesOf(s.Console, c, f), problems, f.Limit, f.Cursor, console.StatusBody)
}

// answerPage answers with the page in the address: by a cursor, or by the number that clients of 2.x send.
func answerPage[R, T any](
	c *gin.Context, p console.Rows[R], problems query.Problems, limit int, cursor string, bodyOf func(R) T,
) error {
	if len(problems) > 0 {
		return console.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	number := 1
	if text := c.Query("page"); text != "" {
		var err error
		if number, err = strconv.Atoi(text); err != nil || number < 1 || number > query.Deepest/limit {
			return console.Invalid(
				fmt.Sprintf("page %q is not a number from 1 to %d.", view.Clip(text, 40), query.Deepest/limit),
				"Go on with nextCursor instead.",
			)
		}
	}
	page, err := console.PageOf(p, (number-1)*limit, limit, cursor, bodyOf)
	return console.Answer(c, page, err)
}

// suggest answers with the first values of a column that begin with the end of the address.
func (s *runs) suggest(of rdb.Suggestion) func(*gin.Context) error {
	return func(c *gin.Context) error {
		prefix, err := url.PathUnescape(c.Param("prefix"))
		if err != nil {
			return console.Malformed("The prefix in the address is not escaped correctly.", "Write % as %25.")
		}
		values, err := console.ReadHistory(s.Console, c, func(ctx context.Context, h console.History) ([]string, error) {
			return h.Suggest(ctx, of, prefix)
		})
		return console.Answer(c, values, err)
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
var last24Hours = console.Period{Word: "last24hours", Interval: rdb.Minute, From: func(now time.Time) time.Time {
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
	return console.Answer(c, rows, err)
}

// getResults answers with the results of a period.
func (s *runs) getResults(c *gin.Context) error {
	period := c.Param("period")
	r, err := console.ReadHistory(s.Console, c, func(ctx context.Context, h console.History) (rdb.Results, error) {
		return h.Results(ctx, period, s.Now())
	})
	return console.Answer(c, api.Results{
		Result: resultOf(r.To, r.Success, r.Failed, periodIntervals[period]), Complete: r.Complete,
		From: console.OptionalTime(r.From), To: view.IsoTime(r.To),
	}, err)
}
