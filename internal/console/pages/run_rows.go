package pages

import (
	"cmp"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// runRowsOf are runs as lines of a table.
func runRowsOf(l i18n.Lang, list []rdb.Run, now time.Time) []runs.Row {
	var longest time.Duration
	for _, r := range list {
		longest = max(longest, runTook(r, now))
	}
	rows := make([]runs.Row, 0, len(list))
	for _, r := range list {
		row := runs.Row{
			Href: pageui.RunPath(r.JobName, r.ID), Key: query.RowKey(r.JobName + "/" + r.ID), Start: runBegan(l, r, now), Job: r.JobName, JobHref: console.JobPath("/jobs", r.JobName),
			State: ui.State{Tone: pageui.RunTone(r.State), Label: pageui.RunState(l, r.State), TestID: "run-state"}, Cells: cells(r),
			Shards: shardsLabel(l, r), Words: shardsWords(l, r), Took: pageui.Took(l, runTook(r, now)), Tone: pageui.RunTone(r.State),
			Trigger: pageui.RunTrigger(l, r.Trigger), Error: explain.Short(pageui.FirstLine(r.Cause)), Title: view.Clip(r.Cause, 160),
		}
		switch {
		case r.State == rdb.RunRunning:
			row.Took = l.RunSoFar(ui.Span(l, runTook(r, now)))
		case r.End.IsZero():
			row.Took = l.RunUnknown()
		}
		if r.State == rdb.RunLost && row.Error == "" {
			row.Error = l.RunsLostNote()
		}
		row.Share = runs.Percent(100 * float64(runTook(r, now)) / float64(max(longest, 1)))
		rows = append(rows, row)
	}
	return rows
}

// runBegan is the fire time of a run, or when it began, with as much date as it needs.
func runBegan(l i18n.Lang, r rdb.Run, now time.Time) ui.Time {
	return pageui.ListTime(l, cmp.Or(r.ScheduledAt, r.Start), now)
}

// shardsLabel counts the shards of a run in a sentence.
func shardsLabel(l i18n.Lang, r rdb.Run) string {
	label := l.RunsShardsLabel(r.Shards, r.Failed, r.Lost, r.Running)
	if r.Cancelled > 0 {
		return pageui.JoinNotes(label, l.BackfillCancelled(r.Cancelled))
	}
	return label
}

// shardsWords counts the shards of a run by how they ended.
func shardsWords(l i18n.Lang, r rdb.Run) string {
	var parts []string
	for _, p := range []struct {
		n    int
		word func(i18n.Lang, int) string
	}{
		{r.Succeeded, i18n.Lang.RunsNOk}, {r.Failed, i18n.Lang.JobsNFailed}, {r.Lost, i18n.Lang.RunsNLost},
		{r.Cancelled, i18n.Lang.BackfillCancelled}, {r.Running, i18n.Lang.JobsNRunning},
	} {
		if p.n > 0 {
			parts = append(parts, p.word(l, p.n))
		}
	}
	return strings.Join(parts, " · ")
}

// durationBars is how many bars the durations of a job have.
const durationBars = 16

// jobDurations are how long the last runs of a job took, of which the newest comes
// first; nil if none has ended.
func jobDurations(l i18n.Lang, list []rdb.Run, now time.Time) *jobs.Durations {
	var took []time.Duration
	var ended []rdb.Run
	for _, r := range list {
		if r.State != rdb.RunRunning && !r.End.IsZero() {
			took, ended = append(took, runTook(r, now)), append(ended, r)
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
		bin := min(int(durationBars*(runTook(r, now)-shortest)/span), durationBars-1)
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
