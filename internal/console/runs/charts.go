package runs

import (
	"strconv"
	"time"

	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	runpages "github.com/elasticjob-go/elasticjob/web/templates/runs"
)

// addBars adds when executions began. Each bar leads to its time.
func (e explorer) addBars(p *runpages.ListProps, buckets []rdb.Bucket) {
	l := e.lang
	bars := &chart.Bars{Brush: true}
	began, failed, capped := 0, 0, false
	for _, b := range buckets {
		began, failed, capped = began+b.Began, failed+b.Failed, capped || b.Capped
		of := e.filter
		of.Cursor, of.From, of.To = "", b.From.Truncate(time.Second), b.To.Truncate(time.Second)
		title := l.RunsBar(bucketTime(b.From, buckets), bucketTime(b.To, buckets), counted(b.Began, !b.Capped), counted(b.Failed, !b.Capped))
		bars.Columns = append(bars.Columns, chart.Column{OK: b.Began - b.Failed, Bad: b.Failed, Title: title, Href: explorer{label: e.label, name: e.name}.href(of)})
	}
	first, last := buckets[0].From, buckets[len(buckets)-1].To
	bars.Label = l.RunsOverTimeLabel(view.DateTime(first).Text, view.DateTime(last).Text, began, failed)
	for _, at := range []float64{0, 0.25, 0.5, 0.75, 1} {
		bars.Axis = append(bars.Axis, chart.Tick{At: at, Label: bucketTime(first.Add(time.Duration(at*float64(last.Sub(first)))), buckets)})
	}
	p.Bars = bars
	if e.last == "" {
		of := e.filter
		of.Cursor, of.From, of.To = "", time.Time{}, time.Time{}
		p.AnyTime = explorer{label: e.label, name: e.name}.href(of)
	}
	if capped {
		p.BarsNote = l.RunsOverTimeMost(9_999)
	}
}

// bucketTime is an instant with as much date as the bars need.
func bucketTime(t time.Time, buckets []rdb.Bucket) string {
	if buckets[len(buckets)-1].To.Sub(buckets[0].From) > 26*time.Hour {
		return t.UTC().Format("01-02 15:04")
	}
	return t.UTC().Format("15:04")
}

// durations are how long executions took, and how that compares with the day before.
func (e explorer) durations(sum rdb.Summary) *runpages.Took {
	l, d := e.lang, sum.Took
	took := &runpages.Took{Sub: l.RunsDurationsSub(d.Count)}
	if !d.Exact && d.Count > 0 && !sum.Complete {
		took.Sub = l.RunsDurationsNewest(d.Count)
	}
	if d.Count == 0 {
		return took
	}
	took.Label = l.RunsDurationsLabel(pageui.Took(l, d.P50), pageui.Took(l, d.P95), pageui.Took(l, d.P99))
	took.Verdict, took.Worse = e.verdict(d, sum.Before)
	most, before := 0, 0
	for i := range d.Bins {
		most, before = max(most, d.Bins[i]), max(before, sum.Before.Bins[i])
	}
	const width = 100 / float64(rdb.DurationBins)
	for i, n := range d.Bins {
		bin := runpages.Bin{X: runpages.Percent(float64(i) * width), Width: runpages.Percent(width * 0.9), Now: float64(n) / float64(max(most, 1)),
			Title: pageui.Took(l, rdb.BinBegin(i)) + " – " + pageui.Took(l, rdb.BinBegin(i+1)) + ": " + strconv.Itoa(n)}
		if before > 0 {
			bin.Before = float64(sum.Before.Bins[i]) / float64(before)
		}
		took.Bins = append(took.Bins, bin)
	}
	for _, m := range []struct {
		name string
		at   time.Duration
	}{{"p50", d.P50}, {"p95", d.P95}, {"p99", d.P99}} {
		place := runpages.Percent((float64(rdb.BinOf(m.at)) + 0.5) * width)
		took.Marks = append(took.Marks, runpages.Tick{X: min(place, 78), Label: m.name + " " + pageui.Took(l, m.at)})
	}
	for bin := 0; bin < rdb.DurationBins; bin += 4 {
		took.Axis = append(took.Axis, runpages.Tick{X: runpages.Percent(float64(bin) * width), Label: axisTook(rdb.BinBegin(bin))})
	}
	return took
}

// axisTook is a length of time in one word, as an axis has room for.
func axisTook(d time.Duration) string {
	switch {
	case d < time.Second:
		return strconv.Itoa(int(d.Milliseconds())) + " ms"
	case d < 5*time.Minute:
		return strconv.Itoa(int(d.Seconds())) + " s"
	default:
		return strconv.Itoa(int(d.Minutes())) + " min"
	}
}

// verdict says in words what became of durations: what is a fifth longer or shorter,
// and more than some milliseconds.
func (e explorer) verdict(now, before rdb.Durations) (words string, worse bool) {
	l := e.lang
	if before.Count == 0 {
		return l.RunsVerdictNone(), false
	}
	for _, p := range []struct {
		name      string
		now, then time.Duration
	}{{"p95", now.P95, before.P95}, {"p50", now.P50, before.P50}} {
		switch more := p.now - p.then; {
		case more > 50*time.Millisecond && more > p.then/5:
			return l.RunsVerdictSlower(p.name, pageui.Took(l, more)), true
		case -more > 50*time.Millisecond && -more > p.then/5:
			return l.RunsVerdictFaster(p.name, pageui.Took(l, -more)), false
		}
	}
	return l.RunsVerdictSame(), false
}

// counted is a number of which there may be more.
func counted(n int, exact bool) string {
	const most = 9_999
	if n > most {
		return view.Thousands(most) + "+"
	}
	if !exact {
		return view.Thousands(n) + "+"
	}
	return view.Thousands(n)
}

// addSummary adds the facets and the durations.
func (e explorer) addSummary(p *runpages.ListProps, sum rdb.Summary) {
	l, f := e.lang, e.filter
	f.Cursor = ""
	p.Selected = counted(sum.Runs, sum.Complete)
	add := func(name string, counts []rdb.FacetCount, of func(rdb.FacetCount) runpages.FacetValue) {
		facet := runpages.Facet{Name: name, More: max(0, len(counts)-facetValues)}
		for _, c := range counts[:min(len(counts), facetValues)] {
			value := of(c)
			value.Count = counted(c.Count, sum.Complete)
			facet.Values = append(facet.Values, value)
		}
		if len(facet.Values) > 0 {
			p.Facets = append(p.Facets, facet)
		}
	}
	add(l.RunsState(), sum.States, func(c rdb.FacetCount) runpages.FacetValue {
		of, state := f, rdb.RunState(c.Value)
		chosen := f.State == state
		if of.State = state; chosen {
			of.State = ""
		}
		return runpages.FacetValue{Label: pageui.RunState(l, state), Tone: pageui.RunTone(state), Href: e.href(of), Chosen: chosen}
	})
	add(l.RunsCause(), sum.Causes, func(c rdb.FacetCount) runpages.FacetValue {
		of := f
		chosen := f.FailureText != "" && f.FailureText == c.Value
		if of.FailureText = c.Value; chosen {
			of.FailureText = ""
		}
		return runpages.FacetValue{Label: c.Label, Href: e.href(of), Chosen: chosen}
	})
	add(l.RunsTrigger(), sum.Triggers, func(c rdb.FacetCount) runpages.FacetValue {
		of, trigger := f, tracing.Trigger(c.Value)
		chosen := f.Trigger == trigger
		if of.Trigger = trigger; chosen {
			of.Trigger = ""
		}
		return runpages.FacetValue{Label: pageui.RunTrigger(l, trigger), Href: e.href(of), Chosen: chosen}
	})
	add(l.RunsJob(), sum.Jobs, func(c rdb.FacetCount) runpages.FacetValue {
		of := f
		chosen := f.JobName == c.Value
		if of.JobName, of.JobPrefix = c.Value, ""; chosen {
			of.JobName = ""
		}
		return runpages.FacetValue{Label: c.Value, Href: e.href(of), Chosen: chosen, Mono: true}
	})
	add(l.RunsInstance(), sum.Instances, func(c rdb.FacetCount) runpages.FacetValue {
		of := f
		chosen := f.IP == c.Value
		if of.IP = c.Value; chosen {
			of.IP = ""
		}
		return runpages.FacetValue{Label: c.Value, Href: e.href(of), Chosen: chosen, Mono: true}
	})
	p.Took = e.durations(sum)
}
