package console

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// jobsPage is the list of jobs.
func (s *Console) jobsPage(c *gin.Context) {
	all, err := s.readJobs(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	query, hints := parseJobsQuery(c.Request.URL.Query())
	now := s.opts.Clock()
	view := query.sel(all, now)
	names := make([]string, len(view.rows))
	for i, j := range view.rows {
		names[i] = j.Name
	}
	runs, historyErr := s.readLastRuns(c, names, runsPerJob)

	f := s.frame(c, "Jobs", areaJobs)
	f.LiveSeconds = liveSeconds
	props := jobsProps(f, query, view, runs, caller(c).Role == auth.RoleRoot, now)
	if len(hints) > 0 {
		props.Notices = append(props.Notices, ui.Notice{
			Tone: ui.ToneWarn, Heading: "A part of the address was ignored", Text: strings.Join(hints, "; ") + ".", TestID: "query-hint",
		})
	}
	if historyErr != nil {
		props.Notices = append(props.Notices, historyNotice(historyErr))
	}
	s.render(c, 200, jobs.List(props))
}

// historyNotice says on a page about jobs that their runs cannot be shown.
func historyNotice(p *problem) ui.Notice {
	return ui.Notice{Tone: ui.ToneWarn, Heading: p.message, Text: p.hint, TestID: "history-notice"}
}

// jobsProps builds the list's view model.
func jobsProps(f layout.Frame, q jobsQuery, v jobsView, runs map[string][]tracing.Execution, operates bool, now time.Time) jobs.ListProps {
	p := jobs.ListProps{
		Frame:    f,
		Operates: operates,
		Filter: jobs.Filter{
			Query: q.text, Sizes: sizeChoices(q.size), Active: q.text != "" || q.status != "",
			Status: string(q.status), Sort: q.sort, Order: direction(q.descending),
		},
		Tabs:    statusTabs(q, v),
		Columns: jobColumns(q, operates),
		Pager:   jobsPager(q, v),
	}
	for _, j := range v.rows {
		p.Rows = append(p.Rows, jobRow(j, groupFires(runs[j.Name]), operates, q.onPage(v.page).href(), now))
	}
	if len(p.Rows) == 0 {
		p.Empty = jobsEmpty(q, v)
	}
	return p
}

func direction(descending bool) string {
	if descending {
		return "desc"
	}
	return "asc"
}

func sizeChoices(current int) []ui.Choice {
	var list []ui.Choice
	found := false
	for _, n := range pageSizes {
		list = append(list, ui.Choice{Value: strconv.Itoa(n), Label: strconv.Itoa(n), Selected: n == current})
		found = found || n == current
	}
	if !found {
		list = append(list, ui.Choice{Value: strconv.Itoa(current), Label: strconv.Itoa(current), Selected: true})
	}
	return list
}

func statusTabs(q jobsQuery, v jobsView) []jobs.Tab {
	tabs := []jobs.Tab{{
		Label: "All", Count: thousands(v.all), Href: q.withStatus("").href(), Tone: ui.ToneQuiet, Active: q.status == "", TestID: "tab-all",
	}}
	for _, status := range jobStatuses {
		if status == statistics.StatusReading && v.counts[status] == 0 && q.status != status {
			continue // As nearly always.
		}
		tone, label := statusLook(status)
		tabs = append(tabs, jobs.Tab{
			Label: label, Count: thousands(v.counts[status]), Href: q.withStatus(status).href(), Tone: tone,
			Active: q.status == status, TestID: "tab-" + strings.ToLower(string(status)),
		})
	}
	return tabs
}

// statusLook is how a job's status appears.
func statusLook(s statistics.Status) (ui.Tone, string) {
	switch s {
	case statistics.StatusOK:
		return ui.ToneOK, "OK"
	case statistics.StatusDisabled:
		return ui.ToneOff, "Disabled"
	case statistics.StatusCrashed:
		return ui.ToneBad, "Crashed"
	case statistics.StatusShardingFlag:
		return ui.ToneWarn, "Resharding"
	case statistics.StatusBroken:
		return ui.ToneBad, "Unreadable"
	case statistics.StatusReading:
		return ui.ToneWarn, "Still reading"
	}
	return ui.ToneQuiet, string(s)
}

func statusChip(j statistics.Job) ui.Chip {
	tone, label := statusLook(j.Status)
	title := string(j.Status)
	if j.Reason != "" {
		title += ": " + j.Reason
	}
	return ui.Chip{Tone: tone, Label: label, Title: title, TestID: "status"}
}

func jobColumns(q jobsQuery, operates bool) []ui.Column {
	column := func(label, sort, class string) ui.Column {
		col := ui.Column{Label: label, Class: class}
		if sort == "" {
			return col
		}
		col.Href = q.sortedBy(sort).href()
		if q.sort == sort {
			col.Sorted = "ascending"
			if q.descending {
				col.Sorted = "descending"
			}
		}
		return col
	}
	cols := []ui.Column{
		column("Job", "name", ""),
		column("Status", "status", ""),
		column("Next fire", "next", ""),
		column("Cron", "", ""),
		column("Shards", "shards", "num"),
		column("Instances", "instances", "num"),
		column("Last runs", "", ""),
		column("Last result", "", ""),
	}
	if operates {
		cols = append(cols, column("Orders", "", "acts"))
	}
	return cols
}

func jobRow(j plannedJob, fires []fire, operates bool, here string, now time.Time) jobs.Row {
	r := jobs.Row{
		Name: j.Name, Href: jobPath("/jobs", j.Name), Description: j.Description,
		Status: statusChip(j.Job),
		Cron:   jobtree.Shown(j.Cron), Zone: j.plan.zoneLabel(j.Job),
		Shards:    strconv.Itoa(j.Shards),
		Off:       offNote(j.Job),
		Instances: strconv.Itoa(j.Instances),
		Strip:     stripOf(fires, now, executionsHref(j.Name)),
	}
	if j.Status != statistics.StatusOK {
		r.Reason = j.Reason
	}
	if j.Status == statistics.StatusBroken {
		r.Shards = "?"
	}
	if j.plan.note != "" {
		r.NextNote = j.plan.note
	} else {
		r.Next = inTime(j.plan.fires[0], now)
		r.NextAt = nearTime(j.plan.fires[0], now)
	}
	r.Last, r.LastAt = lastResult(fires, now)
	if operates {
		r.Actions = jobActions(j.Job, here)
	}
	return r
}

// offNote tells what of a job that still runs is switched off.
func offNote(j statistics.Job) string {
	var parts []string
	if j.DisabledItems > 0 {
		parts = append(parts, plural(j.DisabledItems, "shard")+" off")
	}
	if j.DisabledServers > 0 && j.DisabledServers < j.Servers {
		parts = append(parts, plural(j.DisabledServers, "server")+" off")
	}
	return strings.Join(parts, ", ")
}

func jobsPager(q jobsQuery, v jobsView) ui.Pager {
	p := ui.Pager{PrevLabel: "Previous", NextLabel: "Next"}
	if v.total == 0 {
		return p
	}
	p.Summary = fmt.Sprintf("%s–%s of %s", thousands(v.first), thousands(v.first+len(v.rows)-1), plural(v.total, "job"))
	if v.page > 1 {
		p.Prev = q.onPage(v.page - 1).href()
	}
	if v.page < v.pages(q.size) {
		p.Next = q.onPage(v.page + 1).href()
	}
	return p
}

func jobsEmpty(q jobsQuery, v jobsView) *ui.Empty {
	switch {
	case q.text != "" && v.all == 0:
		return &ui.Empty{Heading: fmt.Sprintf("No job matches %q.", q.text), Text: "The search looks at names and descriptions.", Href: "/jobs", Label: "Show all jobs", TestID: "jobs-empty"}
	case q.status != "":
		_, label := statusLook(q.status)
		return &ui.Empty{Heading: fmt.Sprintf("No job is in the state %s.", label), Href: q.withStatus("").href(), Label: "Show every state", TestID: "jobs-empty"}
	}
	return &ui.Empty{
		Heading: "No jobs in this namespace yet.",
		Text:    "A job appears here as soon as an agent registers it. If agents run already, check that they use the namespace shown in the head of this page.",
		TestID:  "jobs-empty",
	}
}
