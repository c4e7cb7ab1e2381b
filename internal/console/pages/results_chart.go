package pages

import (
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// chartHours is how many hours the chart of a job's page has, the one that goes
// on among them.
const chartHours = 24

// resultsChart draws the results of a job by hour. It is nil if there is nothing
// to draw, because nobody has counted yet.
func resultsChart(l i18n.Lang, points []rdb.Point) *ui.Chart {
	most, success, failed, unknown := 0, 0, 0, 0
	for _, p := range points {
		most = max(most, p.Success+p.Failed)
		success, failed = success+p.Success, failed+p.Failed
		if !p.Known {
			unknown++
		}
	}
	if unknown == len(points) {
		return nil
	}
	chart := &ui.Chart{Top: view.Thousands(most), From: clock(points[0].Time), To: clock(points[len(points)-1].Time.Add(time.Hour))}
	for _, p := range points {
		var what string
		column := ui.ChartColumn{Unknown: !p.Known}
		switch {
		case !p.Known:
			what = l.ResultsUnknown()
		case p.Success+p.Failed == 0:
			what = l.ResultsNone()
		default:
			what = l.ResultsBoth(l.JobsNOk(p.Success), l.JobsNFailed(p.Failed))
			column.Failed = height(p.Failed, most)
			column.OK = max(height(p.Success+p.Failed, most)-column.Failed, 0)
		}
		column.Title = l.ResultsHour(clock(p.Time), clock(p.Time.Add(time.Hour)), what)
		chart.Columns = append(chart.Columns, column)
	}
	parts := []string{l.JobsNOk(success), l.JobsNFailed(failed)}
	if unknown > 0 {
		parts = append(parts, l.ResultsHoursUnknown(unknown))
	}
	chart.Label = l.ResultsLabel(l.List(parts))
	return chart
}

// height is the part of a chart's height for n of most; whatever happened can be
// seen.
func height(n, most int) int {
	if n == 0 {
		return 0
	}
	return max(n*ui.ChartHeight/most, 2)
}

func clock(t time.Time) string { return t.UTC().Format("15:04") }
