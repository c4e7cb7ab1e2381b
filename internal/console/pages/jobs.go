package pages

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// jobsPage is the list of jobs.
func (s *Pages) jobsPage(c *gin.Context) {
	all, err := s.ReadJobs(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	asked, hints := query.ParseJobs(c.Request.URL.Query())
	now := s.Now()
	found := asked.Select(all, now)
	names := make([]string, len(found.Rows))
	for i, j := range found.Rows {
		names[i] = j.Name
	}
	runs, historyErr := s.ReadLastRuns(c, names, runsPerJob)

	f := s.Frame(c, "", console.AreaJobs)
	f.LiveSeconds = console.LiveSeconds
	props := jobsProps(f, asked, found, runs, console.Caller(c).Role == auth.RoleRoot, now)
	if len(hints) > 0 {
		props.Notices = append(props.Notices, ui.Notice{
			Tone: ui.ToneWarn, Heading: "A part of the address was ignored", Text: strings.Join(hints, "; ") + ".", TestID: "query-hint",
		})
	}
	if historyErr != nil {
		props.Notices = append(props.Notices, historyNotice(historyErr))
	}
	s.Render(c, 200, jobs.List(props))
}

// historyNotice says on a page about jobs that their runs cannot be shown.
func historyNotice(p *console.Problem) ui.Notice {
	return ui.Notice{Tone: ui.ToneWarn, Heading: p.Message, Text: p.Hint, TestID: "history-notice"}
}

// jobsProps builds the list's view model.
func jobsProps(f layout.Frame, q query.Jobs, v query.JobsPage, runs map[string][]tracing.Execution, operates bool, now time.Time) jobs.ListProps {
	p := jobs.ListProps{
		Frame:    f,
		Operates: operates,
		Filter: jobs.Filter{
			Query: q.Text, Sizes: sizeChoices(q.Size), Active: q.Text != "" || q.Status != "",
			Status: string(q.Status), Sort: q.Sort, Order: direction(q.Descending),
		},
		Tabs:    statusTabs(q, v),
		Columns: jobColumns(q, operates),
		Pager:   jobsPager(q, v),
	}
	for _, j := range v.Rows {
		p.Rows = append(p.Rows, jobRow(j, groupFires(runs[j.Name]), operates, q.OnPage(v.Page).Href(), now))
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
	for _, n := range query.PageSizes {
		list = append(list, ui.Choice{Value: strconv.Itoa(n), Label: strconv.Itoa(n), Selected: n == current})
		found = found || n == current
	}
	if !found {
		list = append(list, ui.Choice{Value: strconv.Itoa(current), Label: strconv.Itoa(current), Selected: true})
	}
	return list
}

func statusTabs(q query.Jobs, v query.JobsPage) []jobs.Tab {
	tabs := []jobs.Tab{{
		Label: "All", Count: view.Thousands(v.All), Href: q.WithStatus("").Href(), Tone: ui.ToneQuiet, Active: q.Status == "", TestID: "tab-all",
	}}
	for _, status := range query.JobStatuses {
		if status == statistics.StatusReading && v.Counts[status] == 0 && q.Status != status {
			continue // As nearly always.
		}
		tone, label := statusLook(status)
		tabs = append(tabs, jobs.Tab{
			Label: label, Count: view.Thousands(v.Counts[status]), Href: q.WithStatus(status).Href(), Tone: tone,
			Active: q.Status == status, TestID: "tab-" + strings.ToLower(string(status)),
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

func jobColumns(q query.Jobs, operates bool) []ui.Column {
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
		cols = append(cols, column("Actions", "", "acts"))
	}
	return cols
}

func jobRow(j query.PlannedJob, fires []fire, operates bool, here string, now time.Time) jobs.Row {
	r := jobs.Row{
		Name: j.Name, Href: console.JobPath("/jobs", j.Name), Description: j.Description,
		Status: statusChip(j.Job),
		Cron:   jobtree.Shown(j.Cron), Zone: j.Plan.ZoneLabel(j.Job),
		Shards:    strconv.Itoa(j.Shards),
		Off:       offNote(j.Job),
		Instances: strconv.Itoa(j.Instances),
		Strip:     stripOf(fires, now, query.ExecutionsHref(j.Name)),
	}
	if j.Status != statistics.StatusOK {
		r.Reason = j.Reason
	}
	if j.Status == statistics.StatusBroken {
		r.Shards = "?"
	}
	if j.Plan.Why != "" {
		r.NextNote = string(j.Plan.Why)
	} else {
		r.Next = view.InTime(j.Plan.Fires[0], now)
		r.NextAt = view.NearTime(j.Plan.Fires[0], now)
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
		parts = append(parts, view.Plural(j.DisabledItems, "shard")+" off")
	}
	if j.DisabledServers > 0 && j.DisabledServers < j.Servers {
		parts = append(parts, view.Plural(j.DisabledServers, "server")+" off")
	}
	return strings.Join(parts, ", ")
}

func jobsPager(q query.Jobs, v query.JobsPage) ui.Pager {
	p := ui.Pager{PrevLabel: "Previous", NextLabel: "Next"}
	if v.Total == 0 {
		return p
	}
	p.Summary = fmt.Sprintf("%s–%s of %s", view.Thousands(v.First), view.Thousands(v.First+len(v.Rows)-1), view.Plural(v.Total, "job"))
	if v.Page > 1 {
		p.Prev = q.OnPage(v.Page - 1).Href()
	}
	if v.Page < v.Pages(q.Size) {
		p.Next = q.OnPage(v.Page + 1).Href()
	}
	return p
}

func jobsEmpty(q query.Jobs, v query.JobsPage) *ui.Empty {
	switch {
	case q.Text != "" && v.All == 0:
		return &ui.Empty{Heading: fmt.Sprintf("No job matches %q.", q.Text), Text: "The search looks at names and descriptions.", Href: "/jobs", Label: "Show all jobs", TestID: "jobs-empty"}
	case q.Status != "":
		_, label := statusLook(q.Status)
		return &ui.Empty{Heading: fmt.Sprintf("No job is in the state %s.", label), Href: q.WithStatus("").Href(), Label: "Show every state", TestID: "jobs-empty"}
	}
	return &ui.Empty{
		Heading: "No jobs in this namespace yet.",
		Text:    "A job appears here as soon as an agent registers it. If agents run already, check that they use the namespace shown in the head of this page.",
		TestID:  "jobs-empty",
	}
}
