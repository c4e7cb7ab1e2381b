package cloud

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// The jobs and runs on the overview.
const (
	overviewJobs = 10
	overviewRuns = 8
)

// overviewPage is the area at a glance: the engine, the states of jobs and runs, and what waits.
func overviewPage(r *call) error {
	p := cloudui.OverviewProps{Head: r.head(""), Facts: r.engineFacts()}
	all, apps, count := r.Seen.Jobs(), r.Seen.Apps(), make(map[string]int)
	for _, d := range all {
		key, row := r.viewOf(d, apps).row()
		if count[key]++; (key == jobCannot || key == jobFailing) && len(p.Look) < overviewJobs {
			p.Look = append(p.Look, row)
		}
	}
	p.JobViews = r.jobTabs(len(all), count, "-")
	list := r.Seen.Runs("")
	p.RunViews = r.runTabs(list, "", "-")
	if p.Rows = r.runRows(list[:min(len(list), overviewRuns)]); len(p.Rows) == 0 {
		p.RunsNone = &ui.Empty{Heading: r.l.CloudRunsNone(), Text: r.l.CloudRunsNoneText(), TestID: "cloud-runs-empty"}
	}
	// Without a history the overview has no chart.
	if counts, err := readCounts(r.s, r.c, rdb.Hour, r.now.Add(time.Hour-week), r.now); err == nil {
		p.Week, p.Most = weekBars(r.l, counts)
	}
	return r.render(http.StatusOK, cloudui.Overview(p))
}

// weekBars are the numbers of tasks, hour by hour; nil if they weren't counted.
func weekBars(l i18n.Lang, counts []rdb.CloudCount) (*chart.Bars, int) {
	bars := &chart.Bars{UpOnly: true}
	most, known := 0, false
	for i, n := range counts {
		from := n.Time.UTC().Format("01-02 15:04")
		column := chart.Column{OK: n.TasksRunning, Unknown: !n.Known, Title: l.CloudWeekHour(from, n.TasksRunning, n.JobsRunning)}
		if !n.Known {
			column.Title = l.CloudWeekUnknown(from)
		}
		bars.Columns = append(bars.Columns, column)
		most, known = max(most, n.TasksRunning), known || n.Known
		if n.Time.UTC().Hour() == 0 {
			bars.Axis = append(bars.Axis, chart.Tick{At: float64(i) / float64(len(counts)), Label: n.Time.UTC().Format("01-02")})
		}
	}
	if !known {
		return nil, 0
	}
	bars.Label = l.CloudWeekLabel(most)
	return bars, most
}

// jobTabs are the states of jobs with the number of jobs in each.
func (r *call) jobTabs(all int, count map[string]int, chosen string) []ui.Tab {
	tabs := []ui.Tab{{Label: r.l.RequestAll(), Href: cloudui.Path("jobs"), Count: view.Thousands(all), Active: chosen == "", TestID: "state-all"}}
	for _, v := range jobViews {
		href := query.WithQuery(cloudui.Path("jobs"), url.Values{"state": {v.key}})
		tabs = append(tabs, ui.Tab{Label: v.word(r.l), Tone: v.tone, Count: view.Thousands(count[v.key]), Href: href, Active: chosen == v.key, TestID: "state-" + v.key})
	}
	return tabs
}

// engineFacts are the engine, its capabilities and what waits.
func (r *call) engineFacts() []ui.Fact {
	l, can := r.l, r.Engine.Capabilities()
	pending, requested, missed := 0, 0, int64(0)
	for _, d := range r.Seen.Jobs() {
		pending, requested, missed = pending+len(d.Status.Pending), requested+len(d.Status.Requests), missed+d.Status.Missed
	}
	return []ui.Fact{
		{Label: l.CloudEngine(), Value: can.Engine, Note: can.Version}, {Label: l.CloudLeads(), Value: yes(l, r.Seen.Leads())},
		{Label: l.CloudCanSuspend(), Value: yes(l, can.Suspend)}, {Label: l.CloudCanDaemons(), Value: yes(l, can.Daemons)}, {Label: l.CloudMostShards(), Value: view.Thousands(can.MaxShards)},
		{Label: l.CloudPending(), Value: view.Thousands(pending)}, {Label: l.CloudRequested(), Value: view.Thousands(requested)}, {Label: l.CloudMissed(), Value: view.Thousands(int(missed))},
	}
}

// queues are upstream's queues.
var queues = []struct {
	key         string
	label, note func(i18n.Lang) string
}{
	{"running", i18n.Lang.RunStateRunning, i18n.Lang.CloudQueueRunning}, {"ready", i18n.Lang.CloudQueueReady, i18n.Lang.CloudQueueReadyNote},
	{"failover", i18n.Lang.RunTriggerFailover, i18n.Lang.CloudQueueFailover},
}

// queuesPage lists the runs that are on, the waiting runs, and those with a retry to come.
func queuesPage(r *call) error {
	p := cloudui.QueuesProps{Head: r.head("queues")}
	tab := 0
	if asked := r.c.Query("tab"); asked != "" {
		for tab < len(queues) && queues[tab].key != asked {
			tab++
		}
		if tab == len(queues) {
			r.ignored(&p.Head.Frame, "tab", asked, "running, ready, failover")
			tab = 0
		}
	}
	p.Note = queues[tab].note(r.l)
	var rows [3][]cloudui.QueueRow
	add := func(to int) func(cloud.RunStatus, cloud.Task) {
		return func(run cloud.RunStatus, t cloud.Task) {
			label := pageui.JoinNotes(r.l.CloudShardTitle(strconv.Itoa(t.Shard)), r.near(fireOf(run)).Text)
			rows[to] = append(rows[to], cloudui.QueueRow{
				Key: query.RowKey(t.UID), Label: label, Href: cloudui.ShardPath(run.Name, t.Shard), Job: run.JobName, State: taskLook(t.State).state(r.l, ""), Node: t.Node, At: view.ForTime(t.Created, r.now),
			})
		}
	}
	r.tasks(add(0), add(2))
	rows[1] = r.readyRows()
	for i, q := range queues {
		href := query.WithQuery(cloudui.Path("queues"), url.Values{"tab": {q.key}})
		p.Tabs = append(p.Tabs, ui.Tab{Label: q.label(r.l), Href: href, Count: view.Thousands(len(rows[i])), Active: i == tab, TestID: "queue-" + q.key})
	}
	all := rows[tab]
	if p.Rows = all[:min(len(all), mostRows)]; len(all) > len(p.Rows) {
		p.More = r.l.CloudQueueMore(len(all) - len(p.Rows))
	}
	if len(all) == 0 {
		p.Empty = &ui.Empty{Heading: r.l.CloudQueueNone(), TestID: "cloud-queue-empty"}
	}
	return r.render(http.StatusOK, cloudui.Queues(p))
}

// readyRows are the fire times and the requests that wait for a run.
func (r *call) readyRows() (list []cloudui.QueueRow) {
	for _, d := range r.Seen.Jobs() {
		row := cloudui.QueueRow{Job: d.Job.Name, State: runLook(cloud.RunWaiting).state(r.l, "")}
		for _, fire := range d.Status.Pending {
			row.Key, row.Label, row.At = query.RowKey(cloud.RunName(d.Job.Name, fire)), r.l.CloudQueueFire(), r.near(fire)
			list = append(list, row)
		}
		for _, asked := range d.Status.Requests {
			row.Key, row.Label, row.At = query.RowKey(cloud.ManualRunName(d.Job.Name, asked.Key)), r.l.CloudQueueRequest(asked.By), r.near(asked.Asked)
			list = append(list, row)
		}
	}
	return list
}
