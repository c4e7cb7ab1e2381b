package ui

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// StripExecutions is how many executions are read for a strip. A run has one for each shard.
const StripExecutions = 60

// OldestRunsFirst are the runs that executions belong to, oldest first.
func OldestRunsFirst(executions []tracing.Execution) []rdb.Run {
	list := rdb.GroupRuns(executions)
	slices.Reverse(list)
	return list
}

// outcome is the tone of a run in a strip. A failed shard counts more than a running shard.
func outcome(r rdb.Run) ui.Tone {
	switch {
	case r.Failed > 0, r.Lost > 0:
		return ui.ToneBad
	case r.Running > 0:
		return ui.ToneRun
	case r.Cancelled > 0:
		return ui.ToneOff
	}
	return ui.ToneOK
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

	count := map[ui.Tone]int{}
	for i, r := range list {
		tone := outcome(r)
		count[tone]++
		height := int(float64(ui.MaxBar) / 2 * float64(lengths[i]) / float64(median))
		s.Bars = append(s.Bars, ui.Bar{Tone: tone, Height: min(max(height, 2), ui.MaxBar)})
	}
	var parts []string
	for _, p := range []struct {
		tone ui.Tone
		word func(i18n.Lang, int) string
	}{
		{ui.ToneOK, i18n.Lang.JobsNOk}, {ui.ToneBad, i18n.Lang.JobsNFailed},
		{ui.ToneOff, i18n.Lang.BackfillCancelled}, {ui.ToneRun, i18n.Lang.JobsNRunning},
	} {
		if n := count[p.tone]; n > 0 {
			parts = append(parts, p.word(l, n))
		}
	}
	s.Label = l.JobsStrip(len(list), l.List(parts))
	if len(list) == 1 {
		s.Label = l.JobsStripOne(outcomeWord(l, list[0]))
	}
	return s
}

func outcomeWord(l i18n.Lang, r rdb.Run) string {
	switch outcome(r) {
	case ui.ToneBad:
		switch {
		case r.Lost == 0:
			return l.JobsBarFailed(r.Failed)
		case r.Failed == 0:
			return l.JobsBarLost(r.Lost)
		}
		return l.JobsBarFailedLost(r.Failed, r.Lost)
	case ui.ToneRun:
		return l.JobsBarRunning()
	case ui.ToneOff:
		return l.RunLegendCancelled()
	}
	return l.JobsBarOk()
}
