package runs

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	runpages "github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// overTime is how many bars the history of a selection has.
	overTime = 48
	// facetValues is how many values of a facet are shown.
	facetValues = 7
	// nowStep is what a time before now is rounded to, so that requests that follow each
	// other ask the same.
	nowStep = 5 * time.Second
	// levelStatus is the level of the status trail.
	levelStatus = "status"
)

// runsPage is the list of runs, or the status trail.
func (s *runs) runsPage(c *gin.Context) error {
	v := c.Request.URL.Query()
	if v.Get("level") == "execution" { // which has a page of its own
		v.Del("level")
		c.Redirect(http.StatusSeeOther, query.WithQuery("/executions", v))
		return nil
	}
	v, problems, changed := query.SpreadRuns(v, s.Now())
	if changed {
		s.RedirectHere(c, query.WithQuery("/runs", v))
		return nil
	}
	e, hints := s.askedRuns(c)
	hints = append(hints, problems.In(e.lang)...)
	more, err := s.ofJobs(c, &e.filter, e.label, e.name)
	if err != nil {
		return err
	}
	hints = append(hints, more.In(e.lang)...)
	if e.filter.JobPrefix == e.name { // which no job of now has
		e.name = ""
	}
	if e.status {
		s.stepsPage(c, e, hints)
		return nil
	}
	var (
		page  rdb.RunPage
		cards runsCards
	)
	whole := c.GetHeader(console.RegionHeader) == "" // else the list alone is kept up to date
	parts := []func() error{func() (err error) { page, err = s.ReadRuns(c, e.filter); return err }}
	if whole {
		parts = append(parts, cards.readers(s, c, e)...)
	}
	err = rethrow.Each(c.Request.Context(), len(parts), len(parts), func(_ context.Context, i int) error { return parts[i]() })
	p := e.props()
	s.addViews(c, &p)
	p.Frame = s.Frame(c, e.lang.RunsTitle(), console.AreaExecutions)
	p.Frame.Ignored = append(p.Frame.Ignored, hints...)
	if e.filter.Cursor == "" {
		p.Frame.LiveSeconds = console.LiveSeconds
	}
	if err != nil {
		var status int
		p.Empty, status = pageui.Unread(s.Console, c, &p.Frame, err, "runs-unavailable")
		p.CSV = ""
		s.Render(c, status, runpages.List(p))
		return nil
	}
	e.addRows(&p, page.Runs, page.NextCursor)
	if whole {
		s.addCards(c, e, cards, &p)
	}
	s.Render(c, http.StatusOK, runpages.List(p))
	return nil
}

// runsCards is what is about all runs of a filter.
type runsCards struct {
	lacks      []string
	sum        rdb.Summary
	sumErr     error
	buckets    []rdb.Bucket
	bucketsErr error
}

// readers are what reads the parts, side by side: each takes most of the time of the
// page. They keep their errors, for the card they are about.
func (r *runsCards) readers(s *runs, c *gin.Context, e explorer) []func() error {
	from, to := e.span()
	return []func() error{
		func() error { r.sum, r.sumErr = s.summarize(c, e.filter); return nil },
		func() error { r.buckets, r.bucketsErr = s.histogram(c, e.filter, from, to); return nil },
		func() error { r.lacks, _ = s.HistoryLacks(c); return nil }, // without them nothing is said
	}
}

// addCards adds what is about all runs of the filter. What cannot be read is said where
// it would stand.
func (s *runs) addCards(c *gin.Context, e explorer, r runsCards, p *runpages.ListProps) {
	if len(r.lacks) > 0 {
		p.Notices = append(p.Notices, pageui.MissingColumns(e.lang, r.lacks))
	}
	if r.sumErr != nil {
		p.FacetProblem = e.problem(s, c, r.sumErr)
	} else {
		e.addSummary(p, r.sum)
	}
	if r.bucketsErr != nil {
		p.ChartProblem = e.problem(s, c, r.bucketsErr)
		return
	}
	e.addBars(p, r.buckets)
	p.Frame.Scripts = append(p.Frame.Scripts, "brush.js")
}

// stepsPage is the status trail of all jobs.
func (s *runs) stepsPage(c *gin.Context, e explorer, hints []string) {
	f, more := query.ParseStatuses(url.Values{"job": {e.filter.JobName}, "state": c.Request.URL.Query()["state"], "cursor": {e.filter.Cursor}, "limit": {strconv.Itoa(e.filter.Limit)}})
	f.From, f.To = e.filter.From, e.filter.To
	for _, name := range []string{"failure", "took", "ip", "trigger", "started", "match"} {
		if c.Query(name) != "" {
			hints = append(hints, e.lang.AddressNotSteps(name))
		}
	}
	p := e.props()
	s.addViews(c, &p)
	p.Frame = s.Frame(c, e.lang.RunsTitle(), console.AreaExecutions)
	p.Frame.Ignored = slices.Concat(p.Frame.Ignored, more.In(e.lang), hints)
	page, err := s.ReadStatuses(c, f)
	status := http.StatusOK
	switch {
	case err != nil:
		p.Empty, status = pageui.Unread(s.Console, c, &p.Frame, err, "runs-unavailable")
	case len(page.Rows) == 0:
		p.Empty = &ui.Empty{Heading: e.lang.RunsNoSteps(), Href: "/runs?last=all&level=status", Label: e.lang.RunsNoStepsAll(), TestID: "runs-empty"}
	}
	p.Filter.States = p.Filter.States[:1]
	for _, state := range query.TraceStates {
		p.Filter.States = append(p.Filter.States, ui.Choice{Value: string(state), Label: string(state), Selected: state == f.State})
	}
	for _, st := range page.Rows {
		p.Steps = append(p.Steps, runpages.StepRow{At: pageui.ListTime(e.lang, st.CreationTime, e.now), Job: st.JobName, JobHref: console.JobPath("/jobs", st.JobName), State: string(st.State),
			Where: st.SlaveID, Shards: strings.Join(jobtree.ItemNames(st.Items), ", "), Message: view.Clip(st.Message, 300),
			Bad: badStep(st.State), Task: st.TaskID})
	}
	e.filter.Cursor, e.state = "", f.State
	p.Pager = ui.Pager{PrevLabel: e.lang.RunsNewest(), NextLabel: e.lang.RunsOlder()}
	if f.Cursor != "" {
		p.Pager.Prev = e.href(e.filter)
	}
	if page.NextCursor != "" {
		next := e.filter
		next.Cursor = page.NextCursor
		p.Pager.Next = e.href(next)
	}
	s.Render(c, status, runpages.List(p))
}

// badStep reports whether a step says that something went wrong.
func badStep(state tracing.State) bool {
	return slices.Contains([]tracing.State{tracing.StateError, tracing.StateFailed, tracing.StateLost, tracing.StateKilled}, state)
}

// addViews adds the saved views. Their runs aren't counted.
func (s *runs) addViews(c *gin.Context, p *runpages.ListProps) {
	saved := pageui.ReadViews(s.Console, c, query.AreaRuns)
	p.Views, _ = saved.Tabs(nil)
	if saved.Notice != nil {
		p.Notices = append(p.Notices, *saved.Notice)
	}
	p.SaveHref = saved.SaveHref(c)
}

// explorer is what a reader asked the list of runs for.
type explorer struct {
	filter rdb.RunFilter
	// last is the span up to now that was asked for, "" if from or to were.
	last string
	// label and name are what its jobs must have; left is what the text of the
	// search has besides.
	label, name, left string
	status            bool
	state             tracing.State // of the status trail
	lang              i18n.Lang
	now               time.Time
}

// askedRuns reads what was asked for; hints say what was not understood.
func (s *runs) askedRuns(c *gin.Context) (explorer, []string) {
	v := c.Request.URL.Query()
	e := explorer{lang: i18n.From(c.Request.Context()), now: s.Now(), status: v.Get("level") == levelStatus,
		label: strings.TrimSpace(v.Get("label")), name: strings.TrimSpace(v.Get("name")), left: strings.TrimSpace(v.Get("q"))}
	if e.status {
		v.Del("state") // of another kind
	}
	filter, problems := query.ParseRunsPage(v)
	e.filter = filter
	hints := problems.In(e.lang)
	switch level := v.Get("level"); level {
	case "", "run", levelStatus:
	default:
		hints = append(hints, e.lang.AddressLevel(strconv.Quote(view.Clip(level, 40))))
	}
	if e.filter.From.IsZero() && e.filter.To.IsZero() {
		e.last = cmp.Or(v.Get("last"), query.DefaultSpan)
		span, ok := query.ParseSpan(e.last)
		if !ok {
			hints = append(hints, e.lang.AddressUnknown("last", strconv.Quote(view.Clip(e.last, 40)), view.Join(query.Spans)))
			e.last = query.DefaultSpan
			span, _ = query.ParseSpan(e.last)
		}
		if span > 0 {
			e.filter.From = e.now.Add(-span).Truncate(nowStep)
		}
	}
	return e, hints
}

// span is the time that the bars show.
func (e explorer) span() (from, to time.Time) {
	from, to = e.filter.From, cmp.Or(e.filter.To, e.now.Truncate(nowStep).Add(nowStep))
	if from.IsZero() {
		from = to.AddDate(0, 0, -30)
	}
	if !to.After(from) {
		to = from.Add(time.Second)
	}
	return from, to
}

// href is the list with another filter.
func (e explorer) href(f rdb.RunFilter) string { return query.WithQuery("/runs", e.values(f)) }

func (e explorer) values(f rdb.RunFilter) url.Values {
	if e.last != "" && f.From.Equal(e.filter.From) && f.To.IsZero() {
		f.From = time.Time{}
	}
	v := query.RunValues(f)
	for name, value := range map[string]string{"label": e.label, "name": e.name} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if e.last != "" && f.From.IsZero() && f.To.IsZero() && e.last != query.DefaultSpan {
		v.Set("last", e.last)
	}
	if e.status {
		v.Set("level", levelStatus)
		if e.state != "" {
			v.Set("state", string(e.state))
		}
	}
	return v
}

func (e explorer) problem(s *runs, c *gin.Context, err error) *ui.Problem {
	p := console.AsProblem(err)
	s.LogFailure(c, p)
	return &ui.Problem{Title: e.lang.RunsUnavailable(), Text: pageui.ProblemText(e.lang, p), Again: e.lang.RunsTryAgain(), Href: e.href(e.filter)}
}

// props are the parts of the page that need no history.
func (e explorer) props() runpages.ListProps {
	l, f := e.lang, e.filter
	p := runpages.ListProps{Status: e.status}
	first := f
	first.Cursor = ""
	p.Levels = e.levels()
	for _, span := range query.Spans {
		of := first
		of.From, of.To = time.Time{}, time.Time{}
		p.Ranges = append(p.Ranges, ui.Tab{Label: pageui.RangeLabel(l, span), Href: explorer{last: span, status: e.status, state: e.state, label: e.label, name: e.name}.href(of), Active: e.last == span})
	}
	if !e.status {
		exported := explorer{label: e.label, name: e.name}.values(first)
		exported.Set("format", "csv")
		p.CSV = query.WithQuery("/runs/export", exported)
		exported.Set("format", "json")
		p.JSON = query.WithQuery("/runs/export", exported)
	}
	p.Filter = e.form()
	return p
}

// levels lead to the same selection by run, by execution and by step.
func (e explorer) levels() []ui.Tab {
	l, f := e.lang, e.filter
	f.Cursor = ""
	fires, steps := explorer{filter: f, last: e.last, label: e.label, name: e.name}, explorer{filter: f, last: e.last, status: true}
	executions := query.ExecutionValues(rdb.ExecutionFilter{JobName: f.JobName, JobPrefix: f.JobPrefix, IP: f.IP, State: f.State, FailureText: f.FailureText, MinDuration: f.MinDuration, From: f.From, To: f.To})
	return []ui.Tab{
		{Label: l.RunsLevelRuns(), Href: fires.href(f), Active: !e.status, TestID: "level-runs"},
		{Label: l.RunsLevelExecutions(), Href: query.WithQuery("/executions", executions), TestID: "level-executions"},
		{Label: l.RunsLevelStatus(), Href: steps.href(rdb.RunFilter{JobName: f.JobName, From: f.From, To: f.To}), Active: e.status, TestID: "level-status"},
	}
}

// form is the filter as it was sent.
func (e explorer) form() runpages.Filter {
	l, f := e.lang, e.filter
	form := runpages.Filter{
		Job: f.JobName + f.JobPrefix, IP: f.IP, Failure: f.FailureText,
		Matches:  []ui.Choice{{Value: "exact", Label: l.RunsMatchExact(), Selected: f.JobPrefix == ""}, {Value: "prefix", Label: l.RunsMatchPrefix(), Selected: f.JobPrefix != ""}},
		States:   []ui.Choice{{Label: l.RunsAny(), Selected: f.State == ""}},
		Triggers: []ui.Choice{{Label: l.RunsAny(), Selected: f.Trigger == ""}},
		Started:  []ui.Choice{{Value: "any", Label: l.RunsStartedAny(), Selected: !f.StartedIn}, {Value: "in", Label: l.RunsStartedIn(), Selected: f.StartedIn}},
		Sizes:    pageui.PageSizes(f.Limit),
	}
	for _, state := range query.RunStates {
		form.States = append(form.States, ui.Choice{Value: string(state), Label: pageui.RunState(l, state), Selected: state == f.State})
	}
	for _, trigger := range query.Triggers {
		form.Triggers = append(form.Triggers, ui.Choice{Value: string(trigger), Label: pageui.RunTrigger(l, trigger), Selected: trigger == f.Trigger})
	}
	if f.MinDuration > 0 {
		form.Took = query.SpanText(f.MinDuration)
	}
	if e.last == "" {
		form.From, form.To = query.InputTime(f.From), query.InputTime(f.To)
	}
	form.ClearHref = "/runs"
	if e.status {
		form.Level, form.ClearHref = levelStatus, "/runs?level="+levelStatus
	}
	if e.last != query.DefaultSpan {
		form.Last = e.last
	}
	bare := f
	bare.Cursor, bare.Limit = "", 0
	if e.last != "" {
		bare.From = time.Time{}
	}
	form.Active = len(query.RunValues(bare)) > 0
	form.Active = form.Active || e.label != "" || e.name != ""
	form.More = e.last == "" || f.StartedIn || f.Limit != query.ScreenRows
	e.addSearch(&form)
	return form
}

// addSearch adds the filter as the text of a search, with what it does not say.
func (e explorer) addSearch(form *runpages.Filter) {
	form.Search = query.RunSearch(e.filter, e.label, e.name, e.left)
	form.Suggestions = query.RunSuggestions(form.Search)
	kept := e.values(rdb.RunFilter{From: e.filter.From, To: e.filter.To, StartedIn: e.filter.StartedIn, Limit: e.filter.Limit})
	for _, name := range []string{"last", "from", "to", "started", "limit"} {
		if value := kept.Get(name); value != "" {
			form.Kept = append(form.Kept, [2]string{name, value})
		}
	}
	for name, value := range map[string]string{"label": e.label, "name": e.name} { // of the other form
		if value != "" {
			form.KeptJobs = append(form.KeptJobs, [2]string{name, value})
		}
	}
}

// addRows adds the table.
func (e explorer) addRows(p *runpages.ListProps, rows []rdb.Run, next string) {
	l := e.lang
	p.Rows = pageui.RunRows(l, rows, e.now)
	p.Grouped = slices.ContainsFunc(rows, func(r rdb.Run) bool { return r.Grouped })
	p.Pager = ui.Pager{Summary: l.RunsCount(len(rows)), PrevLabel: l.RunsNewest(), NextLabel: l.RunsOlder()}
	first := e.filter
	first.Cursor = ""
	if e.filter.Cursor != "" {
		p.Pager.Prev = e.href(first)
	}
	if next != "" {
		older := e.filter
		older.Cursor = next
		p.Pager.Next = e.href(older)
	}
	switch {
	case len(rows) > 0:
	case next != "":
		p.Empty = &ui.Empty{Heading: l.RunsPartial(), Text: l.RunsPartialText(), Href: p.Pager.Next, Label: l.RunsLookFurther(), TestID: "runs-partial"}
	default:
		p.Empty = &ui.Empty{Heading: l.RunsEmpty(), Text: l.RunsEmptyText(), Href: "/runs?last=all", Label: l.RunsEmptyAll(), TestID: "runs-empty"}
	}
}
