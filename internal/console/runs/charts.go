package runs

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	runpages "github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
	"github.com/gin-gonic/gin"
)

// cards are about all runs of a filter. Each part that can't be read keeps its error.
type cards struct {
	lacks      []string
	sum        rdb.Summary
	sumErr     error
	buckets    []rdb.Bucket
	bucketsErr error
}

// readers read the parts at the same time, because each takes most of the time of the page.
func (r *cards) readers(s *runs, c *gin.Context, f rdb.RunFilter, now time.Time) []func() error {
	to := cmp.Or(f.To, now.Truncate(nowStep).Add(nowStep))
	from := f.From
	if from.IsZero() {
		from = to.AddDate(0, 0, -30)
	}
	if !to.After(from) {
		to = from.Add(time.Second)
	}
	return []func() error{
		func() error { r.sum, r.sumErr = s.summarize(c, f); return nil },
		func() error { r.buckets, r.bucketsErr = s.histogram(c, f, from, to); return nil },
		func() error { r.lacks, _ = s.HistoryLacks(c); return nil }, // without them the page has no notice
	}
}

// add adds the parts to the page, or the reason where one can't be read.
func (r *cards) add(s *runs, c *gin.Context, e explorer, p *runpages.ListProps) {
	problem := func(err error) *ui.Problem {
		p := app.AsProblem(err)
		s.LogFailure(c, p)
		return &ui.Problem{
			Title: e.lang.RunsUnavailable(), Text: pageui.ProblemText(e.lang, p), Again: e.lang.RunsTryAgain(), Href: e.with(),
		}
	}
	if len(r.lacks) > 0 {
		p.Notices = append(p.Notices, pageui.MissingColumns(e.lang, r.lacks))
	}
	if r.sumErr != nil {
		p.FacetProblem = problem(r.sumErr)
	} else {
		p.Selected, p.Took = counted(r.sum.Runs, r.sum.Complete), e.durations(r.sum)
		p.Facets = e.facets(r.sum)
	}
	if r.bucketsErr != nil {
		p.ChartProblem = problem(r.bucketsErr)
		return
	}
	e.addBars(p, r.buckets)
	p.Frame.Scripts = append(p.Frame.Scripts, "brush.js")
}

// addBars adds when executions began. Each bar leads to its time.
func (e explorer) addBars(p *runpages.ListProps, buckets []rdb.Bucket) {
	l := e.lang
	bars := &chart.Bars{Brush: true}
	began, failed := 0, 0
	clock := func(t time.Time) string { return bucketTime(t, buckets) }
	for _, b := range buckets {
		began, failed = began+b.Began, failed+b.Failed
		exact := !b.Capped
		bars.Columns = append(bars.Columns, chart.Column{
			OK: b.Began - b.Failed, Bad: b.Failed,
			Title: l.RunsBar(clock(b.From), clock(b.To), counted(b.Began, exact), counted(b.Failed, exact)),
			Href:  e.with("last", "", "from", query.InputTime(b.From), "to", query.InputTime(b.To)),
		})
	}
	first, last := buckets[0].From, buckets[len(buckets)-1].To
	bars.Label = l.RunsOverTimeLabel(view.DateTime(first).Text, view.DateTime(last).Text, began, failed)
	for _, at := range []float64{0, 0.25, 0.5, 0.75, 1} {
		then := first.Add(time.Duration(at * float64(last.Sub(first))))
		bars.Axis = append(bars.Axis, chart.Tick{At: at, Label: clock(then)})
	}
	p.Bars = bars
	if e.asked.Has("from") || e.asked.Has("to") {
		p.AnyTime = e.with("from", "", "to", "")
	}
	if slices.ContainsFunc(buckets, func(b rdb.Bucket) bool { return b.Capped }) {
		p.BarsNote = l.RunsOverTimeMost(mostCounted)
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
	for i, n := range d.Bins {
		bin := runpages.Bin{Now: float64(n) / float64(max(most, 1)),
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
		at := min((float64(rdb.BinOf(m.at))+0.5)/rdb.DurationBins, 0.78)
		took.Marks = append(took.Marks, chart.Tick{At: at, Label: m.name + " " + pageui.Took(l, m.at)})
	}
	for bin := 0; bin < rdb.DurationBins; bin += 4 {
		took.Axis = append(took.Axis, chart.Tick{At: float64(bin) / rdb.DurationBins, Label: axisTook(rdb.BinBegin(bin))})
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

// mostCounted is the number up to which runs are counted.
const mostCounted = 9_999

// counted is a number in words. There may be more unless it's exact.
func counted(n int, exact bool) string {
	if n > mostCounted || !exact {
		return view.Thousands(min(n, mostCounted)) + "+"
	}
	return view.Thousands(n)
}

// facets are the properties of the runs. Each value leads to the runs that have it or, if it's chosen, away from it.
func (e explorer) facets(sum rdb.Summary) (list []runpages.Facet) {
	l := e.lang
	label := func(c rdb.FacetCount) runpages.FacetValue { return runpages.FacetValue{Label: c.Label} }
	mono := func(c rdb.FacetCount) runpages.FacetValue { return runpages.FacetValue{Label: c.Value, Mono: true} }
	for _, facet := range []struct {
		name, param string
		counts      []rdb.FacetCount
		look        func(rdb.FacetCount) runpages.FacetValue
	}{
		{l.RunsState(), "state", sum.States, func(c rdb.FacetCount) runpages.FacetValue {
			state := rdb.RunState(c.Value)
			return runpages.FacetValue{Label: pageui.RunState(l, state), Tone: pageui.RunTone(state)}
		}},
		{l.RunsCause(), "failure", sum.Causes, label},
		{l.RunsTrigger(), "trigger", sum.Triggers, func(c rdb.FacetCount) runpages.FacetValue {
			return runpages.FacetValue{Label: pageui.RunTrigger(l, tracing.Trigger(c.Value))}
		}},
		{l.RunsJob(), "job", sum.Jobs, mono}, {l.RunsInstance(), "ip", sum.Instances, mono},
	} {
		shown := runpages.Facet{Name: facet.name, More: max(0, len(facet.counts)-facetValues)}
		for _, c := range facet.counts[:min(len(facet.counts), facetValues)] {
			v, to := facet.look(c), c.Value
			prefix := facet.param == "job" && e.asked.Has("match")
			if v.Chosen = e.asked.Has(facet.param) && e.asked.Get(facet.param) == c.Value && !prefix; v.Chosen {
				to = ""
			}
			v.Count, v.Href = counted(c.Count, sum.Complete), e.with(facet.param, to)
			if prefix {
				v.Href = e.with("job", to, "match", "")
			}
			shown.Values = append(shown.Values, v)
		}
		if len(shown.Values) > 0 {
			list = append(list, shown)
		}
	}
	return list
}
