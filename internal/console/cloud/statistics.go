package cloud

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

const week = 7 * 24 * time.Hour

var lastWeek = console.Period{Word: "lastWeek", Interval: rdb.Hour, From: func(now time.Time) time.Time { return now.Add(-week) }}

// The rows of a count, which upstream has in tables of their own.
func tasksRunning(c rdb.CloudCount) api.RunningCount {
	return api.RunningCount{Statistic: api.StatisticAt(c.Time), Count: c.TasksRunning}
}
func jobsRunning(c rdb.CloudCount) api.RunningCount {
	return api.RunningCount{Statistic: api.StatisticAt(c.Time), Count: c.JobsRunning}
}
func jobsRegistered(c rdb.CloudCount) api.RegisteredCount {
	return api.RegisteredCount{Statistic: api.StatisticAt(c.Time), Count: c.JobsRegistered}
}

// cloudCounts answers with the most of each bucket that was counted. Without from it goes back by
// back, in buckets of interval unless the request names another.
func cloudCounts[T any](s cloudAPI, row func(rdb.CloudCount) T, back time.Duration, interval rdb.Interval) func(*gin.Context) error {
	return func(c *gin.Context) error {
		from, to, asked, err := s.Buckets(c, back, interval, lastWeek)
		if err != nil {
			return err
		}
		counts, err := readCounts(s.Console, c, asked, from, to)
		if err != nil {
			return err
		}
		rows := []T{}
		for _, one := range counts {
			if one.Known {
				rows = append(rows, row(one))
			}
		}
		console.WriteJSON(c, http.StatusOK, rows)
		return nil
	}
}
