package rest

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// The bodies of upstream's counts.
type (
	runningBody struct {
		statisticBody
		Count int `json:"runningCount"`
	}
	registeredBody struct {
		statisticBody
		Count int `json:"registeredCount"`
	}
)

const week = 7 * 24 * time.Hour

// The rows of a count, which upstream has in tables of their own.
func tasksRunning(c rdb.CloudCount) runningBody {
	return runningBody{statisticAt(c.Time), c.TasksRunning}
}
func jobsRunning(c rdb.CloudCount) runningBody {
	return runningBody{statisticAt(c.Time), c.JobsRunning}
}
func jobsRegistered(c rdb.CloudCount) registeredBody {
	return registeredBody{statisticAt(c.Time), c.JobsRegistered}
}

// cloudCounts answers with the most of each bucket that was counted. Without from it goes back by
// back, in buckets of interval unless the request names another.
func cloudCounts[T any](s *API, row func(rdb.CloudCount) T, back time.Duration, interval rdb.Interval) gin.HandlerFunc {
	return func(c *gin.Context) {
		from, to, asked, ok := s.bucketsOf(c, back, interval, lastWeek)
		if !ok {
			return
		}
		counts, err := console.ReadCloudCounts(s.Console, c, asked, from, to)
		if err != nil {
			s.Fail(c, err)
			return
		}
		rows := []T{}
		for _, one := range counts {
			if one.Known {
				rows = append(rows, row(one))
			}
		}
		console.WriteJSON(c, http.StatusOK, rows)
	}
}
