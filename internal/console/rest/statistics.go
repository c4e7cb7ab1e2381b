package rest

import (
	"cmp"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// pointBody is one bucket of the statistics. Both counts are null if nobody
// counted, which is not the same as nothing.
type pointBody struct {
	Time    string `json:"time"`
	Success *int   `json:"success"`
	Failed  *int   `json:"failed"`
}

// pointsBody is a line of buckets; complete says that none is unknown.
type pointsBody struct {
	Points   []pointBody `json:"points"`
	Complete bool        `json:"complete"`
	Interval string      `json:"interval"`
	Timezone string      `json:"timezone"`
}

// resultsBody is what ended in a period; without complete it is the part of it
// that was counted. From is absent if the period has no begin.
type resultsBody struct {
	SuccessCount int    `json:"successCount"`
	FailedCount  int    `json:"failedCount"`
	Complete     bool   `json:"complete"`
	From         string `json:"from,omitempty"`
	To           string `json:"to"`
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

// statistics answers with the results of executions, bucket by bucket.
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
	body := pointsBody{Points: []pointBody{}, Complete: true, Interval: string(interval), Timezone: "UTC"}
	for _, p := range points {
		one := pointBody{Time: view.IsoTime(p.Time)}
		if p.Known {
			one.Success, one.Failed = &p.Success, &p.Failed
		}
		body.Complete = body.Complete && p.Known
		body.Points = append(body.Points, one)
	}
	writeModel(c, http.StatusOK, body)
}

// results answers with the results of a period.
func (s *API) results(c *gin.Context) {
	if s.HistoryOf(c) == nil {
		s.Fail(c, console.NoHistory(c))
		return
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	r, err := s.HistoryOf(c).Results(ctx, c.Param("period"), s.Now())
	if err != nil {
		s.Fail(c, console.HistoryProblem(err))
		return
	}
	writeModel(c, http.StatusOK, resultsBody{SuccessCount: r.Success, FailedCount: r.Failed, Complete: r.Complete, From: optionalTime(r.From), To: view.IsoTime(r.To)})
}
