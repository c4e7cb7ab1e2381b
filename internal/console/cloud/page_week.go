package cloud

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
)

// cloudWeek is how far back the overview of ElasticJob-Cloud goes.
const cloudWeek = 7 * 24 * time.Hour

// addWeek draws how many tasks ran at a time, hour by hour. Without a history, or while it
// cannot be read, the overview is the same without it.
func (s cloudPages) addWeek(c *gin.Context, p *cloudui.OverviewProps) {
	now := s.Now()
	counts, err := readCounts(s.Console, c, rdb.Hour, now.Add(time.Hour-cloudWeek), now)
	if err != nil {
		return
	}
	l := i18n.From(c.Request.Context())
	var most int
	if p.Week, most = weekBars(l, counts); p.Week != nil {
		p.Most, p.WeekWord = view.Thousands(most), l.CloudWeekMost(most)
	}
}

// weekBars is nil if nobody has counted.
func weekBars(l i18n.Lang, counts []rdb.CloudCount) (*chart.Bars, int) {
	bars := &chart.Bars{UpOnly: true}
	most, known := 0, false
	for i, n := range counts {
		from := n.Time.UTC().Format("01-02 15:04")
		column := chart.Column{OK: n.TasksRunning, Unknown: !n.Known, Title: l.CloudWeekHour(from, n.TasksRunning, n.JobsRunning)}
		if !n.Known {
			column.Title = l.CloudWeekUnknown(from)
		}
		bars.Columns = append(bars.Columns, column)
		most, known = max(most, n.TasksRunning), known || n.Known
		if n.Time.UTC().Hour() == 0 {
			bars.Axis = append(bars.Axis, chart.Tick{At: float64(i) / float64(len(counts)), Label: n.Time.UTC().Format("01-02")})
		}
	}
	if !known {
		return nil, 0
	}
	bars.Label = l.CloudWeekLabel(most)
	return bars, most
}
