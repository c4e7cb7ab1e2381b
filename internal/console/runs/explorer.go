package runs

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	runpages "github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	overTime    = 48 // bars in the history of a selection
	facetValues = 7  // values of a facet that are shown
	// nowStep rounds times before now, so that requests in a row ask the same.
	nowStep = 5 * time.Second
)

// explorer is a list at one of its levels: runs, executions or steps.
type explorer struct {
	level runpages.Level
	asked url.Values // the address without the cursor
	from  time.Time  // the lower bound, also if the address has a span up to now
	lang  i18n.Lang
	now   time.Time
}

// with is the address of the list with other values of some parameters.
func (e explorer) with(pairs ...string) string { return query.With(e.level.Path(), e.asked, pairs...) }

// page is the page without its rows and without what is about all rows.
func (e explorer) page(s *runs, c *gin.Context, limit int, cursor string, problems query.Problems) runpages.ListProps {
	l := e.lang
	p := runpages.ListProps{
		Frame: s.Frame(c, l.RunsTitle(), app.AreaExecutions), Level: e.level, Asked: e.asked, Levels: e.levels(),
		Sizes: pageui.PageSizes(limit), Now: e.now,
		Pager: ui.Pager{PrevLabel: l.RunsNewest(), NextLabel: l.RunsOlder()},
	}
	p.Frame.Ignored = append(p.Frame.Ignored, problems.In(l)...)
	if e.level == runpages.Steps {
		p.States = choices(e, "state", query.TraceStates, func(_ i18n.Lang, s tracing.State) string { return string(s) })
	} else {
		p.States = choices(e, "state", query.RunStates, pageui.RunState)
	}
	if cursor != "" {
		p.Pager.Prev = e.with()
	} else if e.level != runpages.Steps {
		p.Frame.LiveSeconds = app.LiveSeconds
	}
	if e.level == runpages.Executions {
		return p
	}
	for _, span := range query.Spans {
		asked := span
		if span == query.DefaultSpan {
			asked = ""
		}
		p.Ranges = append(p.Ranges, ui.Tab{
			Label: pageui.RangeLabel(l, span), Href: e.with("last", asked, "from", "", "to", ""),
			Active: e.asked.Get("last") == asked && !e.asked.Has("from") && !e.asked.Has("to"),
		})
	}
	saved := pageui.ReadViews(s.Console, c, query.AreaRuns) // their runs aren't counted
	p.Views, _ = saved.Tabs(nil)
	p.SaveHref = saved.SaveHref(c)
	if saved.Notice != nil {
		p.Notices = append(p.Notices, *saved.Notice)
	}
	return p
}

// choices are the values of a parameter, with one for any value.
func choices[S ~string](e explorer, name string, values []S, word func(i18n.Lang, S) string) []ui.Choice {
	asked := e.asked.Get(name)
	list := []ui.Choice{{Label: e.lang.RunsAny(), Selected: asked == ""}}
	for _, v := range values {
		list = append(list, ui.Choice{Value: string(v), Label: word(e.lang, v), Selected: string(v) == asked})
	}
	return list
}

// levels lead to the same selection at the other levels, as far as these have its parameters.
func (e explorer) levels() (tabs []ui.Tab) {
	asked, l := e.asked, e.lang
	for _, to := range []struct {
		level  runpages.Level
		label  string
		testID string
		names  []string
	}{
		{runpages.Runs, l.RunsLevelRuns(), "level-runs", slices.Concat(query.RunsNames, query.RunsPageNames)},
		{runpages.Executions, l.RunsLevelExecutions(), "level-executions", query.ExecutionsNames},
		{runpages.Steps, l.RunsLevelStatus(), "level-status", []string{"job", "from", "to", "last"}},
	} {
		v := url.Values{}
		for name, values := range asked {
			own := name == "level" || name == "limit" || name == "state" && e.level == runpages.Steps
			if !own && slices.Contains(to.names, name) {
				v[name] = values
			}
		}
		switch {
		case to.level == runpages.Executions && !e.from.IsZero():
			v.Set("from", query.InputTime(e.from))
		case to.level == runpages.Steps:
			if v.Set("level", "status"); asked.Get("match") == "prefix" {
				v.Del("job")
			}
		}
		href := query.WithQuery(to.level.Path(), v)
		tabs = append(tabs, ui.Tab{Label: to.label, Href: href, Active: to.level == e.level, TestID: to.testID})
	}
	return tabs
}

// runsPage is the list of runs, or the status trail.
func (s *runs) runsPage(c *gin.Context) error {
	v := c.Request.URL.Query()
	if v.Get("level") == "execution" {
		v.Del("level")
		c.Redirect(http.StatusSeeOther, query.WithQuery("/executions", v))
		return nil
	}
	e := explorer{lang: i18n.From(c.Request.Context()), now: s.Now()}
	v, problems, changed := query.SpreadRuns(v, e.now)
	if changed {
		s.RedirectHere(c, query.WithQuery("/runs", v))
		return nil
	}
	asked, more := query.ParseRunsPage(v)
	problems = append(problems, more...)
	more, err := s.ofJobs(c, &asked.Filter, asked.Label, asked.Name)
	if err != nil {
		return err
	}
	problems = append(problems, more...)
	if asked.Filter.JobPrefix == asked.Name { // no job has it in its name now
		asked.Name = ""
	}
	e.asked = asked.Values()
	f := asked.Filter
	if span, _ := query.ParseSpan(asked.Last); span > 0 {
		f.From = e.now.Add(-span).Truncate(nowStep)
	}
	if e.from = f.From; asked.Status {
		e.level = runpages.Steps
		s.stepsPage(c, e, rdb.StatusFilter{
			JobName: f.JobName, State: asked.State, From: f.From, To: f.To, Limit: f.Limit, Cursor: f.Cursor,
		}, problems)
		return nil
	}
	var (
		page  rdb.RunPage
		cards cards
	)
	whole := c.GetHeader(app.RegionHeader) == "" // otherwise only the list is updated
	parts := []func() error{func() (err error) { page, err = s.ReadRuns(c, f); return err }}
	if whole {
		parts = append(parts, cards.readers(s, c, f, e.now)...)
	}
	read := func(_ context.Context, i int) error { return parts[i]() }
	err = rethrow.Each(c.Request.Context(), len(parts), len(parts), read)
	l, status := e.lang, http.StatusOK
	p := e.page(s, c, f.Limit, f.Cursor, problems)
	p.Triggers = choices(e, "trigger", query.Triggers, pageui.RunTrigger)
	p.Search = query.RunSearch(asked.Filter, asked.Label, asked.Name, asked.Left)
	p.Suggestions = query.RunSuggestions(p.Search)
	p.Rows, p.Pager.Summary = pageui.RunRows(l, page.Runs, e.now), l.RunsCount(len(page.Runs))
	p.Grouped = slices.ContainsFunc(page.Runs, func(r rdb.Run) bool { return r.Grouped })
	if page.NextCursor != "" {
		p.Pager.Next = e.with("cursor", page.NextCursor)
	}
	if err == nil { // the file has fixed bounds
		p.CSV = query.With("/runs/export", e.asked, "last", "", "from", query.InputTime(f.From), "format", "csv")
		p.JSON = query.With("/runs/export", e.asked, "last", "", "from", query.InputTime(f.From), "format", "json")
	}
	switch {
	case err != nil:
		p.Empty, status = pageui.Unread(s.Console, c, &p.Frame, err, "runs-unavailable")
		whole = false
	case len(page.Runs) > 0:
	case page.NextCursor != "":
		p.Empty = e.partial(p.Pager.Next, l.RunsPartialText(), "runs-partial")
	default:
		p.Empty = &ui.Empty{
			Heading: l.RunsEmpty(), Text: l.RunsEmptyText(), Href: "/runs?last=all", Label: l.RunsEmptyAll(), TestID: "runs-empty",
		}
	}
	if whole {
		cards.add(s, c, e, &p)
	}
	s.Render(c, status, runpages.List(p))
	return nil
}

// partial is shown if the rows that were looked at don't match, and there are more.
func (e explorer) partial(next, text, testID string) *ui.Empty {
	return &ui.Empty{Heading: e.lang.RunsPartial(), Text: text, Href: next, Label: e.lang.RunsLookFurther(), TestID: testID}
}

// stepsPage is the status trail of all jobs.
func (s *runs) stepsPage(c *gin.Context, e explorer, f rdb.StatusFilter, problems query.Problems) {
	page, err := s.ReadStatuses(c, f)
	p, status := e.page(s, c, f.Limit, f.Cursor, problems), http.StatusOK
	switch {
	case err != nil:
		p.Empty, status = pageui.Unread(s.Console, c, &p.Frame, err, "runs-unavailable")
	case len(page.Rows) == 0:
		p.Empty = &ui.Empty{
			Heading: e.lang.RunsNoSteps(), Href: "/runs?last=all&level=status", Label: e.lang.RunsNoStepsAll(), TestID: "runs-empty",
		}
	}
	if p.Steps = page.Rows; page.NextCursor != "" {
		p.Pager.Next = e.with("cursor", page.NextCursor)
	}
	s.Render(c, status, runpages.List(p))
}

// executionsPage is the list of executions.
func (s *runs) executionsPage(c *gin.Context) error {
	f, problems := query.ParseExecutions(c.Request.URL.Query(), query.ScreenRows)
	read := app.ExecutionsOf(s.Console, c, f)
	rows, next, err := query.Leaf(0, f.Limit, f.Cursor, read.Read)
	cursor, l := f.Cursor, i18n.From(c.Request.Context())
	f.Cursor = ""
	e := explorer{level: runpages.Executions, asked: query.ExecutionValues(f), from: f.From, lang: l, now: s.Now()}
	p, status := e.page(s, c, f.Limit, cursor, problems), http.StatusOK
	if lacks, err := s.HistoryLacks(c); err == nil && len(lacks) > 0 {
		p.Notices = append(p.Notices, pageui.MissingColumns(l, lacks))
	}
	for _, r := range rows {
		p.Executions = append(p.Executions, pageui.ExecutionOf(l, r, e.now))
	}
	p.Columns, p.Pager.Summary = e.columns(f), l.ExecutionsCount(len(rows))
	switch {
	case f.Sort != "" && f.Sort != rdb.SortStart:
		p.Pager.PrevLabel, p.Pager.NextLabel = l.ExecutionsFirst(), l.ExecutionsNext()
	case f.Ascending:
		p.Pager.PrevLabel, p.Pager.NextLabel = l.ExecutionsOldest(), l.ExecutionsNewer()
	}
	if next != "" {
		p.Pager.Next = e.with("cursor", next)
	}
	switch {
	case err != nil:
		p.Empty, status = pageui.Unread(s.Console, c, &p.Frame, err, "executions-unavailable")
	case len(rows) > 0:
	case next != "":
		looked := l.ExecutionsPartialText((query.MostTurns + 1) * rdb.MaxLooked)
		p.Empty = e.partial(p.Pager.Next, looked, "executions-partial")
	case p.Filtered() || cursor != "":
		p.Empty = &ui.Empty{
			Heading: l.ExecutionsNoMatch(), Text: l.ExecutionsNoMatchText(), Href: "/executions", Label: l.ExecutionsShowAll(),
			TestID: "executions-empty",
		}
	default:
		p.Empty = &ui.Empty{Heading: l.ExecutionsEmpty(), Text: l.ExecutionsEmptyText(), TestID: "executions-empty"}
	}
	s.Render(c, status, runpages.List(p))
	return nil
}

// columns are the headings of the executions, with links that sort.
func (e explorer) columns(f rdb.ExecutionFilter) []ui.Column {
	l, sorted := e.lang, f.Sort
	if sorted == "" {
		sorted = rdb.SortStart
	}
	column := func(label string, key rdb.SortKey, class string) ui.Column {
		col := ui.Column{Label: label, Class: class}
		if key == "" {
			return col
		}
		by, order := string(key), ""
		if key == rdb.SortStart {
			by = ""
		}
		if key == sorted {
			if col.Sorted = "descending"; f.Ascending {
				col.Sorted = "ascending"
			} else {
				order = "asc"
			}
		}
		col.Href = e.with("sort", by, "order", order)
		return col
	}
	return []ui.Column{
		column(l.RunsJob(), rdb.SortJob, "c-name"), column(l.RunShard(), "", "num c-shards"),
		column(l.RunResult(), "", "c-next"), column(l.RunStarted(), rdb.SortStart, "c-next"),
		column(l.RunDuration(), rdb.SortDuration, "num c-last p1"),
		column(l.RunEnded(), rdb.SortComplete, "c-last p3"), column(l.RunsTrigger(), "", "c-last p3"),
		column(l.RunsInstance(), rdb.SortIP, "c-here p2"), column(l.RunsCause(), "", "wide"),
	}
}
