package jobpage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// How much a grid shows: of a job with more shards those that did not succeed first, of a
// length of time with more runs the newest.
const (
	GridRuns  = 38
	gridMost  = 100
	gridTicks = 10 // each so many runs have their time below them
)

// gridAsked is the length of time up to now that the address asks for: "" and 0 for the
// last runs, whenever they were. What it does not know is said.
func gridAsked(c *gin.Context, l i18n.Lang) (text string, span time.Duration, hints []string) {
	if text = c.Query("last"); text == "" {
		return "", 0, nil
	}
	span, ok := query.ParseGridSpan(text)
	if !ok {
		return "", 0, []string{l.AddressUnknown("last", strconv.Quote(view.Clip(text, 40)), view.Join(query.GridSpans))}
	}
	return text, span, nil
}

// RunGrid is the runs of a job by shard: the last ones, or those of the length of time
// that the address asks for.
func RunGrid(s *app.Console, c *gin.Context, job statistics.JobDetail, list []rdb.Run) (p *runs.GridProps, hints []string) {
	l, now := i18n.From(c.Request.Context()), s.Now()
	text, span, hints := gridAsked(c, l)
	if span > 0 {
		p = gridOfSpan(s, c, job, span, pageui.RangeLabel(l, text), now)
	} else {
		p = gridOf(l, job, list, now)
	}
	here := app.JobPath("/jobs", job.Name)
	p.Ranges = append(p.Ranges, ui.Tab{Label: l.GridLast(GridRuns), Href: here, Active: text == ""})
	for _, key := range query.GridSpans {
		p.Ranges = append(p.Ranges, ui.Tab{Label: pageui.RangeLabel(l, key), Href: here + "?last=" + key, Active: text == key, TestID: "grid-" + key})
	}
	if lacks, err := s.HistoryLacks(c); err == nil && len(lacks) > 0 {
		p.Lacks = pageui.MissingColumns(l, lacks).Text
	}
	return p, hints
}

// gridOfSpan is the runs of a length of time up to now, the newest of many.
func gridOfSpan(s *app.Console, c *gin.Context, job statistics.JobDetail, span time.Duration, length string, now time.Time) *runs.GridProps {
	l := i18n.From(c.Request.Context())
	page, err := s.ReadRuns(c, rdb.RunFilter{JobName: job.Name, From: now.Add(-span), Limit: gridMost})
	if err != nil {
		problem := app.AsProblem(err)
		s.LogFailure(c, problem)
		return &runs.GridProps{Empty: pageui.ProblemEmpty(l, problem, "grid-problem")}
	}
	p := gridOf(l, job, page.Runs, now)
	switch {
	case len(page.Runs) == 0:
		p.Sub, p.Empty = "", &ui.Empty{Heading: l.GridSpanNone(length), TestID: "grid-none"}
	case page.NextCursor != "":
		p.Sub = l.GridSpanMore(len(page.Runs), length)
	default:
		p.Sub = l.GridSpanSub(len(page.Runs), length)
	}
	return p
}

// gridOf draws the runs of a job, of which the newest comes first.
func gridOf(l i18n.Lang, job statistics.JobDetail, list []rdb.Run, now time.Time) *runs.GridProps {
	list = slices.Clone(list)
	slices.Reverse(list)
	p := &runs.GridProps{Sub: l.GridSub(len(list))}
	if len(list) == 0 {
		return p
	}
	states := make([]map[int]rdb.RunState, len(list)) // by run and shard
	bad := map[int]int{}                              // by shard: in how many runs it did not succeed
	var longest time.Duration
	took := func(r rdb.Run) time.Duration { return pageui.RunTook(r, now) }
	failed := 0
	for i, r := range list {
		states[i] = map[int]rdb.RunState{}
		for _, e := range r.Executions { // the last attempt of a shard comes last
			states[i][e.Item] = rdb.StateOf(e)
		}
		for shard, state := range states[i] {
			bad[shard] += map[bool]int{true: 1}[state == rdb.RunFailed || state == rdb.RunLost]
		}
		if r.State == rdb.RunFailed || r.State == rdb.RunLost {
			failed++
		}
		longest = max(longest, took(r))
		p.Grouped = p.Grouped || r.Grouped
	}
	shards := gridRows(bad)
	p.LeftOut = len(bad) - len(shards)
	p.Grid.Label = l.GridLabel(len(list), job.Name, failed)
	p.Grid.Longest = l.GridLongest(view.ClockSpan(longest))
	if longest < time.Second {
		p.Grid.Longest = l.GridLongest(view.Took(longest))
	}
	p.Grid.Rows = gridLabels(job, shards, states[len(states)-1])
	for i, r := range list {
		run := chart.GridRun{Href: pageui.RunPath(job.Name, r.ID), Tone: pageui.RunTone(r.State), Duration: float64(took(r)) / float64(max(longest, 1)),
			Title: l.GridRun(view.DateTime(cmp.Or(r.ScheduledAt, r.Start)).Text, pageui.RunState(l, r.State), pageui.Took(l, took(r)), pageui.ShardsLabel(l, r))}
		if i%gridTicks == 0 && (i == 0 || i < len(list)-2) {
			run.Tick = gridTick(cmp.Or(r.ScheduledAt, r.Start), now)
		}
		for _, shard := range shards {
			tone := ui.ToneQuiet // it was not among them
			if state, ran := states[i][shard]; ran {
				tone = pageui.RunTone(state)
			}
			run.Cells = append(run.Cells, tone)
		}
		p.Grid.Runs = append(p.Grid.Runs, run)
	}
	return p
}

// gridTick is the time below a run, with its day if that is another.
func gridTick(at, now time.Time) string {
	if at.UTC().YearDay() != now.UTC().YearDay() {
		return at.UTC().Format("01-02 15:04")
	}
	return pageui.Clock(at)
}

// gridLabels name the rows: shards with their parameters. Those that the last run did
// not bring to an end stand out.
func gridLabels(job statistics.JobDetail, shards []int, last map[int]rdb.RunState) []chart.GridRow {
	parameters := make(map[int]string)
	for _, s := range job.Shards {
		parameters[s.Item] = s.Parameter
	}
	var rows []chart.GridRow
	for _, shard := range shards {
		rows = append(rows, chart.GridRow{
			Label: strings.TrimSpace(strconv.Itoa(shard) + " " + view.Clip(parameters[shard], 12)),
			Bad:   last[shard] == rdb.RunFailed || last[shard] == rdb.RunLost,
		})
	}
	return rows
}

// gridRows are the shards that have a row, in order: all, or of more than
// [pageui.GridShards] those that failed most often.
func gridRows(bad map[int]int) []int {
	var shards []int
	for shard := range bad {
		shards = append(shards, shard)
	}
	slices.SortFunc(shards, func(a, b int) int { return cmp.Or(bad[b]-bad[a], a-b) })
	shards = shards[:min(len(shards), pageui.GridShards)]
	slices.Sort(shards)
	return shards
}

// durationBars is how many bars the durations of a job have.
const durationBars = 16

// Durations are how long the last runs of a job took, of which the newest comes
// first; nil if none has ended.
func Durations(l i18n.Lang, list []rdb.Run, now time.Time) *jobs.Durations {
	var took []time.Duration
	var ended []rdb.Run
	for _, r := range list {
		if r.State != rdb.RunRunning && !r.End.IsZero() {
			took, ended = append(took, pageui.RunTook(r, now)), append(ended, r)
		}
	}
	if len(took) == 0 {
		return nil
	}
	last := took[0]
	d := rdb.DurationsOf(took, true) // sorts them
	p := &jobs.Durations{Sub: l.JobDurationsSub(len(took)), Numbers: []ui.Fact{
		{Label: "p50", Value: pageui.Took(l, d.P50)}, {Label: "p95", Value: pageui.Took(l, d.P95)}, {Label: l.JobDurationsLast(), Value: pageui.Took(l, last)},
	}}
	p.MoreHref = query.WithQuery("/runs", map[string][]string{"job": {list[0].JobName}, "last": {"7d"}})
	if change := 100*float64(last)/float64(max(d.P50, time.Millisecond)) - 100; len(took) > 2 {
		p.Numbers = append(p.Numbers, ui.Fact{Label: l.JobDurationsChange(), Value: signed(change)})
		p.Slower = change > 50 && last-d.P50 > time.Second
	}
	p.Label = l.JobDurationsLabel(len(took), pageui.Took(l, d.P50), pageui.Took(l, d.P95))
	shortest, span := took[0], max(took[len(took)-1]-took[0], time.Millisecond)
	var all, bad [durationBars]int
	for _, r := range ended {
		bin := min(int(durationBars*(pageui.RunTook(r, now)-shortest)/span), durationBars-1)
		all[bin]++
		if r.State == rdb.RunFailed || r.State == rdb.RunLost {
			bad[bin]++
		}
	}
	most := 0
	for _, n := range all {
		most = max(most, n)
	}
	for i, n := range all {
		p.Bars = append(p.Bars, jobs.DurationBar{All: n, Bad: bad[i], Most: most})
	}
	for _, at := range []time.Duration{0, span / 2, span} {
		p.Axis = append(p.Axis, pageui.Took(l, shortest+at))
	}
	return p
}

// signed is a change in per cent.
func signed(percent float64) string {
	n := int(max(percent, -percent) + 0.5)
	text := view.Thousands(n) + " %"
	switch {
	case n == 0:
		return text
	case percent < 0:
		return "−" + text
	}
	return "+" + text
}
