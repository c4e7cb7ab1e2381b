package pages

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/servers"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// jobLanes is how many jobs are drawn, laneSpans how many spans of each.
	jobLanes  = 12
	laneSpans = 120
	// namedSpans is of how many spans of a lane it is said when they began: the newest
	// that did not succeed.
	namedSpans = 5
	// laneGap is the share of the window that two executions must be apart to be
	// drawn as two.
	laneGap = 0.002
	// laneTicks divides the axis.
	laneTicks = 5
)

// ranForm is the form for an instant and the choice of a span.
func (d serverDrawing) ranForm() servers.Ran {
	p := servers.Ran{Span: d.asked.Span, Action: query.ServerPath(d.IP), RunsHref: d.runsOnHref(), ExecutionsHref: query.WithQuery("/executions", url.Values{"ip": {d.IP}})}
	if !d.asked.At.IsZero() {
		p.At = query.InputTime(d.asked.At)
		p.AtTitle = d.lang.ServerAtTitle(d.asked.At.In(d.zone).Format(ui.FullTime))
	}
	for _, span := range query.ServerSpans {
		q := d.asked
		q.Span, q.Page = span, 1
		p.Spans = append(p.Spans, ui.Tab{Label: pageui.RangeLabel(d.lang, span), Href: q.Href(), Active: span == d.asked.Span})
	}
	return p
}

// draw makes a lane for each job, those that ran most first.
func (d serverDrawing) draw(p *servers.Ran, rows []tracing.Execution, complete bool) {
	from, to := d.asked.Window(d.now)
	byJob := make(map[string][]tracing.Execution)
	for _, e := range rows {
		byJob[e.JobName] = append(byJob[e.JobName], e)
	}
	names := view.SortedKeys(byJob)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(byJob[b]), len(byJob[a])) })
	shown := names[:min(jobLanes, len(names))]
	begin, end := d.clockOf(from), d.clockOf(to)
	p.Lanes.Label = d.lang.ServerRanLabel(d.IP, begin, end)
	p.Sub = d.lang.ServerRanSub(begin, end, d.zone.String(), len(shown), len(names))
	if !complete {
		p.Sub = d.lang.ServerRanSubNewest(begin, end, d.zone.String(), len(shown), len(names))
	}
	for _, name := range shown {
		tone, spans := d.spans(byJob[name], from, to)
		p.Lanes.Lanes = append(p.Lanes.Lanes, chart.Lane{
			Label: name, Href: console.JobPath("/jobs", name), Tone: tone, Spans: spans,
			Note: view.Thousands(len(byJob[name])),
		})
	}
	for i := range laneTicks {
		share := float64(i) / (laneTicks - 1)
		p.Lanes.Axis = append(p.Lanes.Axis, chart.Tick{At: share, Label: d.clockOf(from.Add(time.Duration(share * float64(to.Sub(from)))))})
	}
	if !d.asked.At.IsZero() {
		p.Lanes.Lines = []chart.Tick{{At: chart.Linear(float64(d.asked.At.Sub(from)), 0, float64(to.Sub(from)))}}
	}
}

// clockOf is a time of day in the zone of the page, with its date if it isn't today.
func (d serverDrawing) clockOf(t time.Time) string {
	t, now := t.In(d.zone), d.now.In(d.zone)
	if t.YearDay() != now.YearDay() || t.Year() != now.Year() {
		return t.Format(strings.TrimSuffix(ui.NearLayout(d.lang, t, now), " MST"))
	}
	return t.Format("15:04")
}

// spans are the executions of one job as parts of a lane. Those that follow each
// other closely and ended alike are drawn as one. The tone of the lane is that of
// the newest.
func (d serverDrawing) spans(rows []tracing.Execution, from, to time.Time) (ui.Tone, []chart.Span) {
	slices.SortFunc(rows, func(a, b tracing.Execution) int {
		return cmp.Or(a.StartTime.Compare(b.StartTime), cmp.Compare(a.Item, b.Item))
	})
	share := func(t time.Time) float64 { return chart.Linear(float64(t.Sub(from)), 0, float64(to.Sub(from))) }
	var list []chart.Span
	tone := ui.ToneQuiet
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
		span := chart.Span{From: share(e.StartTime), To: share(end), Tone: tone, Title: pageui.RunState(d.lang, state) + " " + view.DateTime(e.StartTime).Text}
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

// execution is a row of what went on at an instant.
func (d serverDrawing) execution(e tracing.Execution) servers.ExecutionRow {
	id, _ := rdb.RunOf(e)
	state := rdb.StateOf(e)
	r := servers.ExecutionRow{
		Job: e.JobName, JobHref: console.JobPath("/jobs", e.JobName), Shard: strconv.Itoa(e.Item),
		RunHref: query.WithQuery(pageui.RunPath(e.JobName, id), url.Values{"shard": {strconv.Itoa(e.Item)}}),
		State:   ui.State{Tone: pageui.RunTone(state), Label: pageui.RunState(d.lang, state)}, Took: d.lang.RunUnknown(), Cause: pageui.FirstLine(e.FailureCause),
	}
	switch {
	case state == rdb.RunRunning:
		r.Took = d.lang.RunSoFar(ui.Span(d.lang, d.now.Sub(e.StartTime)))
	case !e.CompleteTime.IsZero():
		r.Took = pageui.Took(d.lang, e.CompleteTime.Sub(e.StartTime))
	}
	return r
}
