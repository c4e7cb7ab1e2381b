package servers

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	serverpages "github.com/elasticjob-go/elasticjob/web/templates/servers"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// jobLanes is how many jobs are drawn, and laneSpans how many spans of each.
	jobLanes  = 12
	laneSpans = 120
	// namedSpans is how many spans of a lane have their time: the newest that did not succeed.
	namedSpans = 5
	// laneGap is the share of the window between two executions that are drawn apart.
	laneGap = 0.002
	// laneTicks divides the axis.
	laneTicks = 5
)

// ranOn reads and draws what ran on a server. If the history can't be read, the rest of the page stays.
func (s servers) ranOn(c *gin.Context, d drawing) serverpages.Ran {
	p := serverpages.Ran{Asked: d.asked}
	for _, span := range query.ServerSpans {
		q := d.asked
		q.Span, q.Page = span, 1
		p.Spans = append(p.Spans, ui.Tab{Label: pageui.RangeLabel(d.lang, span), Href: q.Href(), Active: span == d.asked.Span})
	}
	from, to := d.asked.Window(d.now)
	rows, complete, err := s.ran(c, d.ip, from, to)
	var at []tracing.Execution
	if err == nil && !d.asked.At.IsZero() {
		var all bool
		at, all, err = s.ranAt(c, d.ip, d.asked.At)
		p.More = !all
	}
	if err != nil {
		problem := app.AsProblem(err)
		s.LogFailure(c, problem)
		p.Problem = &ui.Problem{
			Title: d.lang.ServerNoHistory() + ":", Text: pageui.ProblemText(d.lang, problem), Again: d.lang.ProblemTryNow(),
			Href: d.asked.Href(),
		}
		return p
	}
	d.draw(&p, rows, complete)
	for _, e := range at {
		p.Rows = append(p.Rows, pageui.ExecutionOf(d.lang, e, d.now))
	}
	return p
}

// draw makes a lane for each job, the jobs with most executions first.
func (d drawing) draw(p *serverpages.Ran, rows []tracing.Execution, complete bool) {
	from, to := d.asked.Window(d.now)
	byJob := make(map[string][]tracing.Execution)
	for _, e := range rows {
		byJob[e.JobName] = append(byJob[e.JobName], e)
	}
	names := view.SortedKeys(byJob)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(byJob[b]), len(byJob[a])) })
	shown := names[:min(jobLanes, len(names))]
	begin, end := d.clockOf(from), d.clockOf(to)
	p.Lanes.Label = d.lang.ServerRanLabel(d.ip, begin, end)
	sub := d.lang.ServerRanSub
	if !complete {
		sub = d.lang.ServerRanSubNewest
	}
	p.Sub = sub(begin, end, d.zone.String(), len(shown), len(names))
	share := func(t time.Time) float64 { return chart.Linear(float64(t.Sub(from)), 0, float64(to.Sub(from))) }
	for _, name := range shown {
		tone, spans := d.spans(byJob[name], share)
		p.Lanes.Lanes = append(p.Lanes.Lanes, chart.Lane{
			Label: name, Href: app.JobPath("/jobs", name), Tone: tone, Spans: spans,
			Note: view.Thousands(len(byJob[name])),
		})
	}
	for i := range laneTicks {
		at := float64(i) / (laneTicks - 1)
		label := d.clockOf(from.Add(time.Duration(at * float64(to.Sub(from)))))
		p.Lanes.Axis = append(p.Lanes.Axis, chart.Tick{At: at, Label: label})
	}
	if !d.asked.At.IsZero() {
		p.Lanes.Lines = []chart.Tick{{At: share(d.asked.At)}}
	}
}

// clockOf is a time of day in the zone of the page, with its date if it isn't today.
func (d drawing) clockOf(t time.Time) string {
	t, now := t.In(d.zone), d.now.In(d.zone)
	if t.YearDay() != now.YearDay() || t.Year() != now.Year() {
		return t.Format(strings.TrimSuffix(ui.NearLayout(d.lang, t, now), " MST"))
	}
	return t.Format("15:04")
}

// spans are the executions of a job as parts of a lane. Executions that follow each other closely and
// ended alike are drawn as one. The lane has the tone of the newest execution.
func (d drawing) spans(rows []tracing.Execution, share func(time.Time) float64) (tone ui.Tone, list []chart.Span) {
	slices.SortFunc(rows, func(a, b tracing.Execution) int {
		return cmp.Or(a.StartTime.Compare(b.StartTime), cmp.Compare(a.Item, b.Item))
	})
	for _, e := range rows {
		state := rdb.StateOf(e)
		tone = pageui.RunTone(state)
		end := e.CompleteTime
		switch {
		case state == rdb.RunRunning:
			end = d.now
		case end.IsZero():
			end = e.StartTime
		}
		title := pageui.RunState(d.lang, state) + " " + view.DateTime(e.StartTime).Text
		span := chart.Span{From: share(e.StartTime), To: share(end), Tone: tone, Title: title}
		if n := len(list); n > 0 && (list[n-1].Tone == span.Tone && span.From-list[n-1].To < laneGap || n == laneSpans) {
			list[n-1].To = max(list[n-1].To, span.To)
			continue
		}
		list = append(list, span)
	}
	named := 0
	for i, span := range slices.Backward(list) {
		if span.Tone == ui.ToneOK || named == namedSpans {
			list[i].Title = ""
			continue
		}
		named++
	}
	return tone, list
}
