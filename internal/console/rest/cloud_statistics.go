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
		v := c.Request.URL.Query()
		from, to, problems := query.ParseRange(v.Get("from"), v.Get("to"), nil)
		asked := rdb.Interval(cmp.Or(v.Get("interval"), string(interval)))
		switch v.Get("since") {
		case "":
		case "lastWeek": // All that consoles of ElasticJob's cloud ask for.
			asked, from, to = rdb.Hour, s.Now().Add(-week), s.Now()
		default:
			problems = append(problems, query.InEnglish("since is none but lastWeek (use from and to)"))
		}
		if len(problems) > 0 {
			s.Fail(c, console.Misunderstood(problems, i18n.Lang.AddressCorrect))
			return
		}
		if to.IsZero() {
			to = s.Now()
		}
		if from.IsZero() {
			from = to.Add(-back)
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
