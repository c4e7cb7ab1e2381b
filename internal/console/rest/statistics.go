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

// statistics answers with the results of executions, bucket by bucket.
func (s *API) statistics(c *gin.Context) {
	now := s.Now()
	v := c.Request.URL.Query()
	from, to, problems := query.ParseRange(v.Get("from"), v.Get("to"), nil)
	interval := rdb.Interval(cmp.Or(v.Get("interval"), string(rdb.Hour)))
	switch v.Get("since") {
	case "":
	case "last24hours": // all that consoles of ElasticJob's cloud ask for
		interval, from, to = rdb.Minute, now.Add(-24*time.Hour).Truncate(time.Hour), now
	default:
		problems = append(problems, query.InEnglish("since is none but last24hours (use from and to)"))
	}
	if len(problems) > 0 {
		s.Fail(c, console.Misunderstood(problems, i18n.Lang.AddressCorrect))
		return
	}
	if to.IsZero() {
		to = now
	}
	if from.IsZero() {
		from = to.Add(-24 * time.Hour)
	}
	points, err := s.ReadStatistics(c, v.Get("job"), interval, from, to)
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
