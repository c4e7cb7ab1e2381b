package pages

import (
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
)

// lanes are the shards that are drawn, and how many are not.
func (d runDrawing) lanes(shards []shardRun) (list []runs.Lane, others int) {
	slowest := 0 // shards that succeeded come slowest first
	for _, s := range shards {
		succeeded := s.state() == rdb.RunSuccess
		shown := pageui.LaneShown(slowest, len(shards), !succeeded || s.item == d.opened || d.all)
		if succeeded {
			slowest++
		}
		if !shown || len(list) >= pageui.AllLanes {
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
	if d.laneHref != nil {
		lane.Href = d.laneHref(s.item)
	}
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

func (d runDrawing) axis() pageui.TimeAxis {
	return pageui.TimeAxis{Begin: d.Start, End: d.end(), Lang: d.lang}
}

// at is the place of an instant on the axis, which ends a little after the run.
func (d runDrawing) at(t time.Time) runs.Percent { return d.axis().At(t) }

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
		bar := runs.Bar{Kind: kinds[state], X: begin, Width: max(end-begin, pageui.NarrowestBar), Title: e.IP + ", " + pageui.RunState(d.lang, state)}
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
