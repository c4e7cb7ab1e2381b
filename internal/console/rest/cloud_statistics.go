package rest

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// countBody is one bucket of what there was: the most of its minutes, null if nobody
// counted.
type countBody struct {
	Time  string `json:"time"`
	Count *int   `json:"count"`
}

// countsBody is a line of buckets; complete says that none is unknown.
type countsBody struct {
	Points   []countBody `json:"points"`
	Complete bool        `json:"complete"`
	Interval string      `json:"interval"`
	Timezone string      `json:"timezone"`
}

const week = 7 * 24 * time.Hour

// The numbers of a count, which upstream has in tables of their own.
func tasksRunning(c rdb.CloudCount) int   { return c.TasksRunning }
func jobsRunning(c rdb.CloudCount) int    { return c.JobsRunning }
func jobsRegistered(c rdb.CloudCount) int { return c.JobsRegistered }

// cloudCounts answers with one of the numbers. Without from it goes back as long as back
// says, in buckets of interval unless the request names another.
func (s *API) cloudCounts(number func(rdb.CloudCount) int, back time.Duration, interval rdb.Interval) gin.HandlerFunc {
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
		body := countsBody{Points: []countBody{}, Complete: true, Interval: string(asked), Timezone: "UTC"}
		for _, one := range counts {
			point := countBody{Time: view.IsoTime(one.Time)}
			if one.Known {
				point.Count = new(number(one))
			}
			body.Complete = body.Complete && one.Known
			body.Points = append(body.Points, point)
		}
		writeModel(c, http.StatusOK, body)
	}
}
