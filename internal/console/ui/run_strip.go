package ui

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// StripExecutions is how many executions are read for a strip: a run of a job is one
	// execution per shard.
	StripExecutions = 60
)

// OldestRunsFirst are the runs that executions belong to, oldest first.
func OldestRunsFirst(executions []tracing.Execution) []rdb.Run {
	list := rdb.GroupRuns(executions)
	slices.Reverse(list)
	return list
}

func barKind(r rdb.Run) ui.BarKind {
	switch {
	case r.Failed > 0, r.Lost > 0:
		return ui.BarFailed
	case r.Running > 0:
		return ui.BarRunning
	case r.Cancelled > 0:
		return ui.BarCancelled
	}
	return ui.BarOK
}

// RunStrip draws the last runs of a job. The height of a bar is its duration
// relative to the median: half the height is as long as usual.
func RunStrip(l i18n.Lang, list []rdb.Run, now time.Time, href string) ui.Strip {
	list = list[max(0, len(list)-StripRuns):]
	s := ui.Strip{Href: href}
	if len(list) == 0 {
		s.Label = l.JobsStripNone()
		return s
	}
	var lengths []time.Duration
	for _, r := range list {
		lengths = append(lengths, RunTook(r, now))
	}
	sorted := slices.Sorted(slices.Values(lengths))
	median := max(sorted[len(sorted)/2], time.Millisecond)

	count := map[ui.BarKind]int{}
	for i, r := range list {
		kind := barKind(r)
		count[kind]++
		height := int(float64(ui.MaxBar) / 2 * float64(lengths[i]) / float64(median))
		s.Bars = append(s.Bars, ui.Bar{Kind: kind, Height: min(max(height, 2), ui.MaxBar)})
	}
	var parts []string
	for _, p := range []struct {
		kind ui.BarKind
		word func(i18n.Lang, int) string
	}{
		{ui.BarOK, i18n.Lang.JobsNOk}, {ui.BarFailed, i18n.Lang.JobsNFailed},
		{ui.BarCancelled, i18n.Lang.BackfillCancelled}, {ui.BarRunning, i18n.Lang.JobsNRunning},
	} {
		if n := count[p.kind]; n > 0 {
			parts = append(parts, p.word(l, n))
		}
	}
	s.Label = l.JobsStrip(len(list), l.List(parts))
	if len(list) == 1 {
		s.Label = l.JobsStripOne(barWord(l, barKind(list[0]), list[0]))
	}
	return s
}

func barWord(l i18n.Lang, kind ui.BarKind, r rdb.Run) string {
	switch kind {
	case ui.BarFailed:
		switch {
		case r.Lost == 0:
			return l.JobsBarFailed(r.Failed)
		case r.Failed == 0:
			return l.JobsBarLost(r.Lost)
		}
		return l.JobsBarFailedLost(r.Failed, r.Lost)
	case ui.BarRunning:
		return l.JobsBarRunning()
	case ui.BarCancelled:
		return l.RunLegendCancelled()
	}
	return l.JobsBarOk()
}
