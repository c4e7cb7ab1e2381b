package pages

import (
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
)

// lanes are the shards that are drawn, and how many are not.
func (d runDrawing) lanes(shards []shardRun) (list []runs.Lane, others int) {
	slowest := 0
	for _, s := range shards {
		if s.state() == rdb.RunSuccess {
			slowest++
		}
		shown := len(shards) <= mostLanes || slowest <= slowestLanes || s.state() != rdb.RunSuccess || s.item == d.opened || d.all
		if !shown || len(list) >= allLanes {
			others++
			continue
		}
		list = append(list, d.lane(s))
	}
	return list, others
}

func (d runDrawing) lane(s shardRun) runs.Lane {
	item := strconv.Itoa(s.item)
	lane := runs.Lane{Item: item, Took: pageui.Took(d.lang, s.took), Tone: pageui.RunTone(s.state()), Opened: s.item == d.opened, Bars: d.bars(s),
		Href: query.WithQuery(pageui.RunPath(d.JobName, d.ID), map[string][]string{"shard": {item}}) + "#shard"}
	for i, e := range s.attempts {
		if i == 0 || e.IP != s.attempts[i-1].IP {
			lane.Instances += map[bool]string{true: " → "}[i > 0] + e.IP
		}
	}
	if e := s.last(); e.CompleteTime.IsZero() && s.state() != rdb.RunRunning {
		lane.Took = d.lang.RunUnknown()
	}
	lane.Label = d.lang.RunLane(item, pageui.RunState(d.lang, s.state()))
	return lane
}

// timeAxis places instants between a begin and an end, after which there is some room.
type timeAxis struct {
	begin, end time.Time
	lang       i18n.Lang
}

func (a timeAxis) at(t time.Time) runs.Percent {
	whole := float64(a.end.Sub(a.begin)) * 1.02
	return runs.Percent(min(max(100*float64(t.Sub(a.begin))/whole, 0), 100))
}

func (d runDrawing) axis() timeAxis { return timeAxis{d.Start, d.end(), d.lang} }

// at is the place of an instant on the axis, which ends a little after the run.
func (d runDrawing) at(t time.Time) runs.Percent { return d.axis().at(t) }

// narrowest is how wide the shortest bar is.
const narrowest = runs.Percent(0.4)

// bars are the executions of a shard and what lies between them.
func (d runDrawing) bars(s shardRun) (list []runs.Bar) {
	kinds := map[rdb.RunState]runs.BarKind{rdb.RunRunning: runs.BarRunning, rdb.RunSuccess: runs.BarOK, rdb.RunFailed: runs.BarFailed, rdb.RunLost: runs.BarLost,
		rdb.RunCancelled: runs.BarCancelled}
	for i, e := range s.attempts {
		state := rdb.StateOf(e)
		begin, end := d.at(e.StartTime), d.at(e.CompleteTime)
		var next *tracing.Execution
		if i+1 < len(s.attempts) {
			next = &s.attempts[i+1]
		}
		switch {
		case !e.CompleteTime.IsZero():
		case state == rdb.RunFailed, state == rdb.RunCancelled:
			end = begin
		case state == rdb.RunLost && !d.lostAt(e, next).IsZero():
			end = d.at(d.lostAt(e, next))
		case next != nil: // nobody knows when it was lost
			end = max(begin, d.at(next.StartTime)-1.5)
		default:
			end = d.at(d.end())
		}
		bar := runs.Bar{Kind: kinds[state], X: begin, Width: max(end-begin, narrowest), Title: e.IP + ", " + pageui.RunState(d.lang, state)}
		switch {
		case state == rdb.RunLost:
			bar.Text = d.lang.RunLegendLost()
		case state == rdb.RunCancelled:
			bar.Text = d.lang.RunLegendCancelled()
		case len(s.attempts) > 1:
			bar.Text = attemptNumber(s.attempts, i)
		}
		list = append(list, bar)
		if next == nil {
			continue
		}
		gap := runs.Bar{Kind: runs.BarWait, X: bar.End(), Width: d.at(next.StartTime) - bar.End(), Title: d.lang.RunLegendWait()}
		if next.IP != e.IP {
			gap.Kind, gap.Title = runs.BarFailover, d.lang.RunLegendFailover()
			if at := d.lostAt(e, next); !at.IsZero() {
				gap.Title = d.lang.LossHop(pageui.Took(d.lang, next.StartTime.Sub(at)))
			}
		}
		if gap.Width > 0 {
			list = append(list, gap)
		}
	}
	return list
}

// attemptNumber is what an execution says itself, else its place among those that
// were not lost. One that was lost has none: the failover goes on with it.
func attemptNumber(attempts []tracing.Execution, i int) string {
	if attempts[i].Lost {
		return "–"
	}
	n := attempts[i].Attempt
	if n == 0 {
		for _, e := range attempts[:i+1] {
			if !e.Lost {
				n++
			}
		}
	}
	return strconv.Itoa(n)
}

// tickSteps are the distances between the marks of an axis of time.
var tickSteps = []time.Duration{
	time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second,
	30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour,
	6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour,
}

// ticks are at most five ticks of the axis, the first of which says when it begins.
func (a timeAxis) ticks() []runs.Tick {
	whole := a.end.Sub(a.begin)
	step := tickSteps[len(tickSteps)-1]
	for _, s := range tickSteps {
		if whole/s <= 4 {
			step = s
			break
		}
	}
	list := []runs.Tick{{X: 0, Label: a.begin.UTC().Format("15:04:05")}}
	for after := step; after < whole && len(list) < 6; after += step {
		list = append(list, runs.Tick{X: a.at(a.begin.Add(after)), Label: "+" + pageui.Took(a.lang, after)})
	}
	return list
}
