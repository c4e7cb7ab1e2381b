package rest

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// resultBody is how many executions ended in a bucket.
type resultBody struct {
	api.Statistic
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
	return resultBody{api.StatisticAt(at), success, failed, strings.ToUpper(string(interval))}
}

// last24Hours is the word that consoles of upstream's scheduler have for results.
var last24Hours = console.Period{Word: "last24hours", Interval: rdb.Minute, From: func(now time.Time) time.Time { return now.Add(-24 * time.Hour).Truncate(time.Hour) }}

// statistics answers with the results of executions, bucket by bucket, as upstream's scheduler does.
// Upstream repeats the last counts for a bucket that wasn't counted; here there's no row for it.
func (s *API) statistics(c *gin.Context) error {
	from, to, interval, err := s.Buckets(c, 24*time.Hour, rdb.Hour, last24Hours)
	if err != nil {
		return err
	}
	points, err := s.ReadStatistics(c, c.Query("job"), interval, from, to)
	if err != nil {
		return err
	}
	rows := []resultBody{}
	for _, p := range points {
		if p.Known {
			rows = append(rows, resultOf(p.Time, p.Success, p.Failed, interval))
		}
	}
	console.WriteJSON(c, http.StatusOK, rows)
	return nil
}

// results answers with the results of a period.
func (s *API) results(c *gin.Context) error {
	r, err := console.ReadHistory(s.Console, c, func(ctx context.Context, h console.History) (rdb.Results, error) {
		return h.Results(ctx, c.Param("period"), s.Now())
	})
	if err != nil {
		return err
	}
	body := resultsBody{resultBody: resultOf(r.To, r.Success, r.Failed, periodIntervals[c.Param("period")]), Complete: r.Complete, From: console.OptionalTime(r.From), To: view.IsoTime(r.To)}
	return console.Answer(c, body, nil)
}
