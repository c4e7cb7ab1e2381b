package pages

import (
	"cmp"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// stripRuns is how many runs a strip shows at most.
	stripRuns = 20
	// runsPerJob is how many executions are read for it: a run of a job is one
	// execution per shard.
	runsPerJob = 60
	// fireSpread is how far apart the shards of one fire may start: the
	// tolerated difference of the agents' clocks.
	fireSpread = 2 * time.Second
)

// fire is one run of a job: the executions of its shards.
type fire struct {
	start, end      time.Time
	shards          int
	failed, running int
	lost            int
}

func (f fire) kind() ui.BarKind {
	switch {
	case f.failed > 0, f.lost > 0:
		return ui.BarFailed
	case f.running > 0:
		return ui.BarRunning
	}
	return ui.BarOK
}

// groupFires puts executions together that came from one fire, oldest first.
// The trace has no run id that spans processes, so a fire is what starts within
// [fireSpread] without a shard coming twice.
func groupFires(runs []tracing.Execution) []fire {
	runs = slices.Clone(runs)
	slices.SortFunc(runs, func(a, b tracing.Execution) int {
		return cmp.Or(a.StartTime.Compare(b.StartTime), cmp.Compare(a.Item, b.Item))
	})
	var fires []fire
	var items map[int]bool
	for _, r := range runs {
		if n := len(fires); n == 0 || items[r.Item] || r.StartTime.Sub(fires[n-1].start) > fireSpread {
			fires = append(fires, fire{start: r.StartTime})
			items = make(map[int]bool)
		}
		items[r.Item] = true
		f := &fires[len(fires)-1]
		f.shards++
		switch {
		case r.Lost:
			f.lost++
		case r.Running():
			f.running++
		case !r.Success:
			f.failed++
		}
		if r.CompleteTime.After(f.end) {
			f.end = r.CompleteTime
		}
	}
	return fires
}

// stripOf draws the last runs of a job. The height of a bar is its duration
// relative to the median: half the height is as long as usual.
func stripOf(l i18n.Lang, fires []fire, now time.Time, href string) ui.Strip {
	fires = fires[max(0, len(fires)-stripRuns):]
	s := ui.Strip{Href: href}
	if len(fires) == 0 {
		s.Label = l.JobsStripNone()
		return s
	}
	length := func(f fire) time.Duration {
		if f.running > 0 {
			return now.Sub(f.start)
		}
		return f.end.Sub(f.start)
	}
	var lengths []time.Duration
	for _, f := range fires {
		lengths = append(lengths, length(f))
	}
	sorted := slices.Sorted(slices.Values(lengths))
	median := max(sorted[len(sorted)/2], time.Millisecond)

	count := map[ui.BarKind]int{}
	for i, f := range fires {
		kind := f.kind()
		count[kind]++
		height := int(float64(ui.MaxBar) / 2 * float64(lengths[i]) / float64(median))
		title := l.JobsStripBar(view.DateTime(f.start).Text, f.shards, barWord(l, kind, f))
		if f.running == 0 {
			title = l.JobsStripBarTook(title, tookIn(l, lengths[i]))
		}
		s.Bars = append(s.Bars, ui.Bar{Kind: kind, Height: min(max(height, 2), ui.MaxBar), Title: title})
	}
	var parts []string
	for _, p := range []struct {
		kind ui.BarKind
		word func(i18n.Lang, int) string
	}{{ui.BarOK, i18n.Lang.JobsNOk}, {ui.BarFailed, i18n.Lang.JobsNFailed}, {ui.BarRunning, i18n.Lang.JobsNRunning}} {
		if n := count[p.kind]; n > 0 {
			parts = append(parts, p.word(l, n))
		}
	}
	s.Label = l.JobsStrip(len(fires), l.List(parts))
	if len(fires) == 1 {
		s.Label = l.JobsStripOne(barWord(l, fires[0].kind(), fires[0]))
	}
	return s
}

func barWord(l i18n.Lang, kind ui.BarKind, f fire) string {
	switch kind {
	case ui.BarFailed:
		switch {
		case f.lost == 0:
			return l.JobsBarFailed(f.failed)
		case f.failed == 0:
			return l.JobsBarLost(f.lost)
		}
		return l.JobsBarFailedLost(f.failed, f.lost)
	case ui.BarRunning:
		return l.JobsBarRunning()
	}
	return l.JobsBarOk()
}
