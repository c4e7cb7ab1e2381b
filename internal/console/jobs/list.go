package jobs

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// windowTime is how the ends of a part of the day are written.
const windowTime = "2006-01-02 15:04"

// jobsPage is the list of jobs.
func (s service) jobsPage(c *gin.Context) error {
	all, err := s.ReadJobs(c)
	if err != nil {
		return err
	}
	asked, problems := query.ParseJobsPage(c.Request.URL.Query())
	now := s.Now()
	seen := s.ReadHealth(c, all).Seen()
	seen.Keep = app.RowsShown(c)
	if seen.OnServer, err = s.JobsOn(c, asked.Server()); err != nil {
		return err
	}
	saved := pageui.ReadViews(s.Console, c, query.AreaJobs)
	for _, v := range saved.List {
		values, _ := url.ParseQuery(v.Query) // what was understood when it was saved
		one, _ := query.ParseJobsPage(values)
		seen.Views = append(seen.Views, one)
	}
	found := asked.Select(all, now, seen)
	names := make([]string, len(found.Rows))
	for i, j := range found.Rows {
		names[i] = j.Name
	}
	runs, historyErr := s.ReadLastRuns(c, names, pageui.StripExecutions)

	f := s.Frame(c, "", app.AreaJobs)
	f.LiveSeconds = app.LiveSeconds
	l := i18n.From(c.Request.Context())
	props := jobsProps(l, f, asked, found, runs, app.May(c, app.Operates), now)
	s.addReasons(c, props.Rows)
	addViews(c, &props, saved, found)
	if app.May(c, app.Create.Needs) {
		props.NewHref = pageui.NewJobRoute
	}
	if props.Operates && len(props.Rows) > 0 {
		props.Frame.Scripts = append(props.Frame.Scripts, "select.js", "menu.js")
		props.Bulk = bulkBar(c, l, asked, found, c.Query("select") == "all")
		for i := range props.Rows {
			addRowActions(c, l, &props.Rows[i], *found.Rows[i].Job)
		}
	}
	hints := problems.In(l)
	if selected := c.Query("select"); selected != "" && selected != "all" {
		hints = append(hints, l.JobsUnknownSelect(strconv.Quote(view.Clip(selected, 40))))
	}
	props.Frame.Ignored = append(props.Frame.Ignored, hints...)
	if from, to, zone, ok := asked.Window(now); ok {
		props.Notices = append(props.Notices, ui.Notice{
			Tone: ui.ToneQuiet, Heading: l.JobsWindow(from.Format(windowTime), to.Format(windowTime), zone), Text: l.JobsWindowText(), TestID: "fires-window",
		})
	}
	if historyErr != nil {
		props.Notices = append(props.Notices, historyNotice(l, historyErr))
	}
	s.Render(c, 200, jobs.List(props))
	return nil
}

// addViews adds the views that were saved to the tabs.
func addViews(c *gin.Context, p *jobs.ListProps, saved pageui.SavedViews, found query.JobsPage) {
	tabs, active := saved.Tabs(found.InViews)
	for i := range p.Tabs {
		p.Tabs[i].Active = p.Tabs[i].Active && !active
	}
	p.Tabs = append(p.Tabs, tabs...)
	if saved.Notice != nil {
		p.Notices = append(p.Notices, *saved.Notice)
	}
	p.SaveHref = saved.SaveHref(c)
}

// historyNotice says on a page about jobs that their runs cannot be shown.
func historyNotice(l i18n.Lang, p *app.Problem) ui.Notice {
	return pageui.ProblemNotice(l, p, ui.ToneWarn, "history-notice")
}

// mostToken bounds what is shown of a filter of the search.
const mostToken = 60

// jobTerms are examples of search terms, each with its meaning.
func jobTerms(l i18n.Lang) (list []jobs.Term) {
	for _, t := range []jobs.Term{
		{Text: "fires:02:00-03:00", Means: l.JobsTermFires()}, {Text: "fires:22:00-06:00@Asia/Shanghai", Means: l.JobsTermZone()}, {Text: "last:failed", Means: l.JobsTermLast()},
		{Text: "ran:<1d", Means: l.JobsTermRan()}, {Text: "cron:MON-FRI", Means: l.JobsTermCron()},
	} {
		t.Href = query.WithQuery("/jobs", url.Values{"q": {t.Text}})
		list = append(list, t)
	}
	return list
}

// jobsProps builds the list's view model.
func jobsProps(l i18n.Lang, f layout.Frame, q query.Jobs, v query.JobsPage, runs map[string][]tracing.Execution, operates bool, now time.Time) jobs.ListProps {
	p := jobs.ListProps{
		Frame:    f,
		Operates: operates,
		Filter: jobs.Filter{
			Query: q.Text, Terms: jobTerms(l), Suggestions: query.JobSuggestions(q.Text, v.States), Sizes: pageui.PageSizes(q.Size), Active: q.Text != "" || q.Status != "" || q.State != "",
			Status: string(q.Status), State: strings.ToLower(string(q.State)), Sort: q.Sort, Order: direction(q.Descending),
		},
		Tabs:    stateTabs(l, q, v),
		Columns: jobColumns(l, q, operates),
		Pager:   jobsPager(l, q, v),
	}
	for _, token := range q.Tokens() {
		p.Filter.Tokens = append(p.Filter.Tokens, jobs.Token{Text: view.Clip(token.Text, mostToken), Href: token.Without.Href()})
	}
	for _, j := range v.Rows {
		p.Rows = append(p.Rows, jobRow(l, j, pageui.OldestRunsFirst(runs[j.Name]), now))
	}
	if len(p.Rows) == 0 {
		p.Empty = pageui.JobsEmpty(l, q, v, p.Frame.Registry)
		if operates && p.Empty.Href == "" {
			p.Empty.Href, p.Empty.Label = "/jobs/new", l.ConfigNew()+"…"
		}
	}
	if v.Moved > 0 {
		p.Moved, p.MovedHref = l.JobsMoved(v.Moved), q.OnPage(v.Page).Href()
	}
	return p
}

func direction(descending bool) string {
	if descending {
		return "desc"
	}
	return "asc"
}

// jobViews are the tabs of the list, in their order.
var jobViews = []explain.State{explain.Failing, explain.Down, explain.Late, explain.Running, explain.Disabled, query.NeverRan, explain.Unreadable}

// stateTabs are the views: those of other states are there while one is chosen or has
// jobs that are to be looked at.
func stateTabs(l i18n.Lang, q query.Jobs, v query.JobsPage) []ui.Tab {
	tabs := []ui.Tab{{Label: l.JobsAll(), Count: view.Thousands(v.All), Href: q.WithState("").Href(), Active: q.State == "" && q.Status == "", TestID: "tab-all"}}
	list := jobViews
	for _, extra := range []explain.State{query.Held, explain.Resharding, explain.Reading, explain.Healthy} {
		if q.State == extra || extra != explain.Healthy && v.States[extra] > 0 {
			list = append(slices.Clone(list), extra)
		}
	}
	for _, state := range list {
		tone, label := pageui.JobState(l, state)
		if state == query.NeverRan {
			tone, label = "", l.HealthNever()
		}
		tabs = append(tabs, ui.Tab{
			Label: label, Count: view.Thousands(v.States[state]), Href: q.WithState(state).Href(), Tone: tone,
			Active: q.State == state, TestID: "tab-" + strings.ReplaceAll(strings.ToLower(string(state)), "_", "-"),
		})
	}
	return tabs
}

func jobColumns(l i18n.Lang, q query.Jobs, operates bool) []ui.Column {
	column := func(label, sort, class string) ui.Column {
		col := ui.Column{Label: label, Class: class}
		if sort == "" {
			return col
		}
		col.Href = q.SortedBy(sort).Href()
		if q.Sort == sort {
			col.Sorted = "ascending"
			if q.Descending {
				col.Sorted = "descending"
			}
		}
		return col
	}
	cols := []ui.Column{
		column(l.JobsJob(), "name", ""),
		column(l.JobsState(), "state", "c-state"),
		column(l.JobsLastRuns(), "", "c-runs"),
		column(l.JobsLastRun(), "last", "c-last"),
		column(l.JobsNextFire(), "next", "c-next"),
		column(l.JobsSchedule(), "", "c-cron"),
		column(l.JobsShards(), "shards", "num c-shards"),
		column(l.JobsInstancesShort(), "instances", "num c-shards"),
	}
	if operates {
		cols = append(cols, column(l.JobsActions(), "", "acts c-acts"))
	}
	return cols
}

// mostSentence bounds what is said of a state on hover; the job's page says it all.
const mostSentence = 72

// jobRow is one job.
func jobRow(l i18n.Lang, j query.PlannedJob, runs []rdb.Run, now time.Time) jobs.Row {
	tone, label := pageui.JobState(l, j.State)
	r := jobs.Row{
		Name: j.Name, Key: query.RowKey(j.Name), Left: j.Left, Href: app.JobPath("/jobs", j.Name), Description: jobpage.About(*j.Job),
		State: ui.State{Tone: tone, Label: label, Reason: j.Health.Reason, Title: view.Clip(j.Health.Sentence, mostSentence)},
		Cron:  jobtree.Shown(j.Cron), CronWords: pageui.CronTitle(l, j.Plan, *j.Job),
		Shards:    strconv.Itoa(j.Shards),
		Instances: strconv.Itoa(j.Instances),
		Strip:     pageui.RunStrip(l, runs, now, query.ExecutionsHref(j.Name)),
	}
	if r.Held = heldState(l, j.Held, now); r.Held != nil && j.State == explain.Healthy {
		r.State.Reason = "" // which would say it twice
	}
	if j.State == explain.Healthy && r.State.Reason == "" {
		r.State.Title = "" // which would say the same
	}
	if n := j.Shards - j.UnassignedShards; j.UnassignedShards > 0 {
		r.Shards = fmt.Sprintf("%d/%d", max(n, 0), j.Shards)
	}
	if j.Status == statistics.StatusBroken {
		r.Shards = "?"
	}
	switch {
	case j.State == explain.Late:
		r.Late = view.DateTime(j.Health.Due)
		r.Late.Form, r.Late.Span = ui.TimeLate, now.Sub(j.Health.Due)
	case j.Plan.Why != "":
		r.NextNote = pageui.NoFire(l, j.Plan.Why)
	case j.State.Stops():
		r.NextNote = label
	default:
		r.Next = view.InTime(j.Plan.Fires[0], now)
	}
	if len(runs) > 0 {
		r.LastAt = view.AgoTime(runs[len(runs)-1].Start, now)
	}
	return r
}

// offNote tells what of a job that still runs is switched off.
func offNote(l i18n.Lang, j statistics.Job) string {
	var parts []string
	if j.DisabledItems > 0 {
		parts = append(parts, l.JobsShardsOff(j.DisabledItems))
	}
	if j.DisabledServers > 0 && j.DisabledServers < j.Servers {
		parts = append(parts, l.JobsServersOff(j.DisabledServers))
	}
	return l.List(parts)
}

func jobsPager(l i18n.Lang, q query.Jobs, v query.JobsPage) ui.Pager {
	p := ui.Pager{PrevLabel: l.JobsPrevious(), NextLabel: l.JobsNext()}
	if v.Total == 0 {
		return p
	}
	p.Summary = l.JobsRange(view.Thousands(v.First), view.Thousands(v.First+len(v.Rows)-1), v.Total)
	if v.Page > 1 {
		p.Prev = q.OnPage(v.Page - 1).Href()
	}
	if v.Page < v.Pages(q.Size) {
		p.Next = q.OnPage(v.Page + 1).Href()
	}
	return p
}

// addReasons adds to a list who disabled the jobs, and why.
func (s service) addReasons(c *gin.Context, rows []jobs.Row) {
	var names []string
	for _, r := range rows {
		if r.State.Tone == ui.ToneOff {
			names = append(names, r.Name)
		}
	}
	by := s.Switches(c, names)
	for i := range rows {
		if w, ok := by[rows[i].Name]; ok && rows[i].State.Tone == ui.ToneOff {
			rows[i].State.Reason = pageui.SwitchedBy(w)
			rows[i].State.Title = rows[i].State.Title + "\n" + pageui.SwitchedBy(w)
		}
	}
}
