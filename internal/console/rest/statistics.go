package rest

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// statisticBody is what all rows of upstream's statistics have. Times are milliseconds since 1970.
type statisticBody struct {
	ID             int64 `json:"id"`
	StatisticsTime int64 `json:"statisticsTime"`
	CreationTime   int64 `json:"creationTime"`
}

func statisticAt(t time.Time) statisticBody {
	return statisticBody{ID: t.Unix(), StatisticsTime: t.UnixMilli(), CreationTime: t.UnixMilli()}
}

// resultBody is how many executions ended in a bucket.
type resultBody struct {
	statisticBody
	SuccessCount int    `json:"successCount"`
	FailedCount  int    `json:"failedCount"`
	Interval     string `json:"statisticInterval"`
}

// resultsBody is how many executions ended in a period. If not complete, a part of the period wasn't
// counted. From is absent if the period has no begin.
type resultsBody struct {
	resultBody
	Complete bool   `json:"complete"`
	From     string `json:"from,omitempty"`
	To       string `json:"to"`
}

// periodIntervals are the intervals of upstream's periods.
var periodIntervals = map[string]rdb.Interval{"lastMinute": rdb.Minute, "lastHour": rdb.Hour, "lastWeek": rdb.Day, "online": rdb.Day}

func resultOf(at time.Time, success, failed int, interval rdb.Interval) resultBody {
	return resultBody{statisticAt(at), success, failed, strings.ToUpper(string(interval))}
}

// upstreamPeriod is the one word that consoles of ElasticJob's cloud have for a period.
type upstreamPeriod struct {
	word     string
	interval rdb.Interval
	from     func(now time.Time) time.Time
}

var (
	last24Hours = upstreamPeriod{"last24hours", rdb.Minute, func(now time.Time) time.Time { return now.Add(-24 * time.Hour).Truncate(time.Hour) }}
	lastWeek    = upstreamPeriod{"lastWeek", rdb.Hour, func(now time.Time) time.Time { return now.Add(-week) }}
)

// bucketsOf reads which period a request asks for, and how long its buckets are. Without
// from it goes back as long as back says. It reports false if it has answered with what is
// wrong.
func (s *API) bucketsOf(c *gin.Context, back time.Duration, otherwise rdb.Interval, upstream upstreamPeriod) (from, to time.Time, interval rdb.Interval, ok bool) {
	now, v := s.Now(), c.Request.URL.Query()
	from, to, problems := query.ParseRange(v.Get("from"), v.Get("to"), nil)
	interval = rdb.Interval(cmp.Or(v.Get("interval"), string(otherwise)))
	switch v.Get("since") {
	case "":
	case upstream.word:
		interval, from, to = upstream.interval, upstream.from(now), now
	default:
		problems = append(problems, query.InEnglish("since is none but "+upstream.word+" (use from and to)"))
	}
	if len(problems) > 0 {
		s.Fail(c, console.Misunderstood(problems, i18n.Lang.AddressCorrect))
		return from, to, interval, false
	}
	if to.IsZero() {
		to = now
	}
	if from.IsZero() {
		from = to.Add(-back)
	}
	return from, to, interval, true
}

// statistics answers with the results of executions, bucket by bucket, as upstream's scheduler does.
// Upstream repeats the last counts for a bucket that wasn't counted; here there's no row for it.
func (s *API) statistics(c *gin.Context) {
	from, to, interval, ok := s.bucketsOf(c, 24*time.Hour, rdb.Hour, last24Hours)
	if !ok {
		return
	}
	points, err := s.ReadStatistics(c, c.Query("job"), interval, from, to)
	if err != nil {
		s.Fail(c, err)
		return
	}
	rows := []resultBody{}
	for _, p := range points {
		if p.Known {
			rows = append(rows, resultOf(p.Time, p.Success, p.Failed, interval))
		}
	}
	console.WriteJSON(c, http.StatusOK, rows)
}

// results answers with the results of a period.
func (s *API) results(c *gin.Context) {
	r, err := console.ReadHistory(s.Console, c, func(ctx context.Context, h console.History) (rdb.Results, error) {
		return h.Results(ctx, c.Param("period"), s.Now())
	})
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := resultsBody{resultBody: resultOf(r.To, r.Success, r.Failed, periodIntervals[c.Param("period")]), Complete: r.Complete, From: optionalTime(r.From), To: view.IsoTime(r.To)}
	console.WriteJSON(c, http.StatusOK, body)
}
