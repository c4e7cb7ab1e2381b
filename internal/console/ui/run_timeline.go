package ui

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
)

// RunTimeline draws the shards of a run over time.
type RunTimeline struct {
	rdb.Run
	Lang   i18n.Lang
	Now    time.Time
	Opened int             // the shard that is shown in full, -1 for none
	All    bool            // every lane
	Left   []members.Event // instances of the run that left while it went on
	// LaneHref is the address of a shard; nil for the page of the run.
	LaneHref func(item int) string
}

// ShardRun is a shard with its executions, in their order.
type ShardRun struct {
	Item     int
	Attempts []tracing.Execution
	Took     time.Duration
}

func (s ShardRun) Last() tracing.Execution { return s.Attempts[len(s.Attempts)-1] }
func (s ShardRun) State() rdb.RunState     { return rdb.StateOf(s.Last()) }

// ByShard are the shards of the run: first the failed and the lost ones, then the slowest.
func (d RunTimeline) ByShard() []ShardRun {
	var list []ShardRun
	for _, e := range d.Executions { // by shard
		if len(list) == 0 || list[len(list)-1].Item != e.Item {
			list = append(list, ShardRun{Item: e.Item})
		}
		s := &list[len(list)-1]
		s.Attempts = append(s.Attempts, e)
	}
	for i := range list {
		s := &list[i]
		end := s.Last().CompleteTime
		if end.IsZero() {
			end = s.Last().StartTime
		}
		if s.State() == rdb.RunRunning {
			end = d.Now
		}
		s.Took = end.Sub(s.Attempts[0].StartTime)
	}
	rank := map[rdb.RunState]int{rdb.RunFailed: 2, rdb.RunLost: 1}
	slices.SortStableFunc(list, func(a, b ShardRun) int {
		return cmp.Or(rank[b.State()]-rank[a.State()], cmp.Compare(b.Took, a.Took))
	})
	return list
}

// Until is the end of the timeline: the end of the run, or now.
func (d RunTimeline) Until() time.Time {
	end := d.End
	if d.State == rdb.RunRunning {
		end = d.Now
	}
	for _, e := range d.Executions {
		for _, t := range []time.Time{e.StartTime, e.CompleteTime} {
			if t.After(end) {
				end = t
			}
		}
	}
	for _, left := range d.Left {
		if left.At.After(end) {
			end = left.At
		}
	}
	if end.Sub(d.Start) < time.Millisecond {
		end = d.Start.Add(time.Millisecond)
	}
	return end
}

// lostAt is when the instance of an execution that was lost left, before the next
// attempt began; zero if it is unknown.
func (d RunTimeline) lostAt(e tracing.Execution, next *tracing.Execution) (at time.Time) {
	for _, left := range d.Left {
		if RanOn(e, left.Instance) && !left.At.Before(e.StartTime) && (next == nil || !left.At.After(next.StartTime)) {
			at = left.At
		}
	}
	return at
}

// Timeline draws the shards of the run, for its page.
func (d RunTimeline) Timeline(page string) runs.Timeline {
	l, axis, shards := d.Lang, d.axis(), d.ByShard()
	p := runs.Timeline{
		Label: l.RunTimelineLabel(len(shards), Took(l, axis.End.Sub(d.Start))), Ticks: axis.Ticks(),
		AllHref: query.WithQuery(page, url.Values{"lanes": {"all"}}),
	}
	for _, e := range d.Left {
		p.Losses = append(p.Losses, chart.Tick{At: d.At(e.At), Label: l.LossLine(e.Instance, Took(l, e.At.Sub(d.Start)))})
	}
	slowest := 0 // shards that succeeded come slowest first
	for _, s := range shards {
		succeeded := s.State() == rdb.RunSuccess
		shown := LaneShown(slowest, len(shards), !succeeded || s.Item == d.Opened || d.All)
		if succeeded {
			slowest++
		}
		if !shown || len(p.Lanes) >= AllLanes {
			p.Others++
			continue
		}
		p.Lanes = append(p.Lanes, d.lane(s))
	}
	return p
}

func (d RunTimeline) lane(s ShardRun) runs.Lane {
	item := strconv.Itoa(s.Item)
	lane := runs.Lane{Item: item, Took: Took(d.Lang, s.Took), Tone: RunTone(s.State()), Opened: s.Item == d.Opened, Bars: d.Bars(s),
		Href: query.WithQuery(RunPath(d.JobName, d.ID), map[string][]string{"shard": {item}}) + "#shard"}
	if d.LaneHref != nil {
		lane.Href = d.LaneHref(s.Item)
	}
	for i, e := range s.Attempts {
		if i == 0 || e.IP != s.Attempts[i-1].IP {
			lane.Instances += map[bool]string{true: " → "}[i > 0] + e.IP
		}
	}
	if e := s.Last(); e.CompleteTime.IsZero() && s.State() != rdb.RunRunning {
		lane.Took = d.Lang.RunUnknown()
	}
	lane.Label = d.Lang.RunLane(item, RunState(d.Lang, s.State()))
	return lane
}

func (d RunTimeline) axis() TimeAxis { return TimeAxis{Begin: d.Start, End: d.Until(), Lang: d.Lang} }

// At is the place of an instant on the axis, which ends a little after the run.
func (d RunTimeline) At(t time.Time) float64 { return d.axis().At(t) }

// Bars are the executions of a shard and what lies between them.
func (d RunTimeline) Bars(s ShardRun) (list []runs.Bar) {
	for i, e := range s.Attempts {
		state := rdb.StateOf(e)
		begin, end := d.At(e.StartTime), d.At(e.CompleteTime)
		var next *tracing.Execution
		if i+1 < len(s.Attempts) {
			next = &s.Attempts[i+1]
		}
		switch {
		case !e.CompleteTime.IsZero():
		case state == rdb.RunFailed, state == rdb.RunCancelled:
			end = begin
		case state == rdb.RunLost && !d.lostAt(e, next).IsZero():
			end = d.At(d.lostAt(e, next))
		case next != nil: // the time of the loss is unknown
			end = max(begin, d.At(next.StartTime)-0.015)
		default:
			end = d.At(d.Until())
		}
		bar := runs.Bar{Tone: RunTone(state), X: begin, Width: max(end-begin, NarrowestBar), Title: e.IP + ", " + RunState(d.Lang, state)}
		switch {
		case state == rdb.RunLost:
			bar.Text = d.Lang.RunLegendLost()
		case state == rdb.RunCancelled:
			bar.Text = d.Lang.RunLegendCancelled()
		case len(s.Attempts) > 1:
			bar.Text = AttemptNumber(s.Attempts, i)
		}
		list = append(list, bar)
		if next == nil {
			continue
		}
		gap := runs.Bar{Tone: runs.Waiting, X: bar.End(), Width: d.At(next.StartTime) - bar.End(), Title: d.Lang.RunLegendWait()}
		if next.IP != e.IP {
			gap.Tone, gap.Title = runs.FailingOver, d.Lang.RunLegendFailover()
			if at := d.lostAt(e, next); !at.IsZero() {
				gap.Title = d.Lang.LossHop(Took(d.Lang, next.StartTime.Sub(at)))
			}
		}
		if gap.Width > 0 {
			list = append(list, gap)
		}
	}
	return list
}

// AttemptNumber is the attempt of an execution, or its place among the executions that weren't lost if it
// does not name the attempt. A lost execution has none, because the failover continues the attempt.
func AttemptNumber(attempts []tracing.Execution, i int) string {
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
