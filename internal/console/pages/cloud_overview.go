package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// How much the overview lists.
const (
	overviewCloudJobs = 10
	overviewCloudRuns = 8
)

// overviewPage is the area at a glance: who schedules and with what engine, how jobs and
// runs are, and what waits.
func (s cloudPages) overviewPage(c *gin.Context, at *console.Cloud) error {
	l := i18n.From(c.Request.Context())
	p := cloudui.OverviewProps{Head: s.head(c, at, ""), Facts: engineFacts(l, at), RunsHref: cloudRunsRoute}
	all, apps, count := at.Seen.Jobs(), at.Seen.Apps(), make(map[string]int)
	for _, d := range all {
		key, row := s.jobRow(c, jobOf(at, d, apps))
		if count[key]++; (key == cloudCannot || key == cloudFailing) && len(p.Look) < overviewCloudJobs {
			p.Look = append(p.Look, row)
		}
	}
	p.JobViews = cloudJobTabs(l, len(all), count, "-")
	list := at.Seen.Runs("")
	p.RunViews = cloudRunViews(l, list, "", "-")
	if p.Rows = s.runRows(c, at, list[:min(len(list), overviewCloudRuns)]); len(p.Rows) == 0 {
		p.RunsNone = &ui.Empty{Heading: l.CloudRunsNone(), Text: l.CloudRunsNoneText(), TestID: "cloud-runs-empty"}
	}
	s.addWeek(c, &p)
	s.Render(c, http.StatusOK, cloudui.Overview(p))
	return nil
}

// cloudJobTabs are the states of jobs with how many each has.
func cloudJobTabs(l i18n.Lang, all int, count map[string]int, chosen string) []ui.Tab {
	tabs := []ui.Tab{{Label: l.RequestAll(), Href: cloudPath("jobs"), Count: view.Thousands(all), Active: chosen == "", TestID: "state-all"}}
	for _, v := range cloudJobViews {
		href := query.WithQuery(cloudPath("jobs"), url.Values{"state": {v.key}})
		tabs = append(tabs, ui.Tab{Label: v.word(l), Tone: v.tone, Count: view.Thousands(count[v.key]), Href: href, Active: chosen == v.key, TestID: "state-" + v.key})
	}
	return tabs
}

// engineFacts say what runs the processes and what it can do.
func engineFacts(l i18n.Lang, at *console.Cloud) []ui.Fact {
	yes := func(on bool) string { return map[bool]string{true: l.CloudYes(), false: l.CloudNo()}[on] }
	can := at.Engine.Capabilities()
	list := []ui.Fact{
		{Label: l.CloudEngine(), Value: can.Engine, Note: can.Version}, {Label: l.CloudLeads(), Value: yes(at.Seen.Leads())},
		{Label: l.CloudCanSuspend(), Value: yes(can.Suspend)}, {Label: l.CloudCanDaemons(), Value: yes(can.Daemons)}, {Label: l.CloudMostShards(), Value: view.Thousands(can.MaxShards)},
	}
	pending, requested, missed := 0, 0, int64(0)
	for _, d := range at.Seen.Jobs() {
		pending, requested, missed = pending+len(d.Status.Pending), requested+len(d.Status.Requests), missed+d.Status.Missed
	}
	return append(list, ui.Fact{Label: l.CloudPending(), Value: view.Thousands(pending)}, ui.Fact{Label: l.CloudRequested(), Value: view.Thousands(requested)}, ui.Fact{Label: l.CloudMissed(), Value: view.Thousands(int(missed))})
}

// queueTab is one of upstream's queues.
type queueTab struct {
	key         string
	label, note func(i18n.Lang) string
}

var queueTabs = []queueTab{
	{"running", i18n.Lang.RunStateRunning, i18n.Lang.CloudQueueRunning}, {"ready", i18n.Lang.CloudQueueReady, i18n.Lang.CloudQueueReadyNote},
	{"failover", i18n.Lang.RunTriggerFailover, i18n.Lang.CloudQueueFailover},
}

// queuesPage is what runs, what waits and what is tried again.
func (s cloudPages) queuesPage(c *gin.Context, at *console.Cloud) error {
	l := i18n.From(c.Request.Context())
	p := cloudui.QueuesProps{Head: s.head(c, at, "queues")}
	tab := c.Query("tab")
	if tab == "" {
		tab = queueTabs[0].key
	}
	found := slices.IndexFunc(queueTabs, func(q queueTab) bool { return q.key == tab })
	if found < 0 {
		p.Head.Frame.Ignored = append(p.Head.Frame.Ignored, l.AddressUnknown("tab", strconv.Quote(view.Clip(tab, 40)), "running, ready, failover"))
		found, tab = 0, queueTabs[0].key
	}
	p.Note = queueTabs[found].note(l)
	now := s.Now()
	running, again := tasksOf(l, at, now)
	queues := map[string][]cloudui.QueueRow{"running": running, "ready": readyOf(l, at, now), "failover": again}
	for _, q := range queueTabs {
		href := query.WithQuery(cloudPath("queues"), url.Values{"tab": {q.key}})
		p.Tabs = append(p.Tabs, ui.Tab{Label: q.label(l), Href: href, Count: view.Thousands(len(queues[q.key])), Active: q.key == tab, TestID: "queue-" + q.key})
	}
	rows := queues[tab]
	if p.Rows = rows[:min(len(rows), mostCloudRows)]; len(rows) > len(p.Rows) {
		p.More = l.CloudQueueMore(len(rows) - len(p.Rows))
	}
	if len(rows) == 0 {
		p.Empty = &ui.Empty{Heading: l.CloudQueueNone(), TestID: "cloud-queue-empty"}
	}
	s.Render(c, http.StatusOK, cloudui.Queues(p))
	return nil
}

// tasksOf returns the tasks that have not ended, and the tasks with shards that wait for a further attempt.
func tasksOf(l i18n.Lang, at *console.Cloud, now time.Time) (running, again []cloudui.QueueRow) {
	for _, r := range at.Seen.Runs("") {
		if r.State.Ended() {
			continue
		}
		row := func(t cloud.Task) cloudui.QueueRow {
			look := cloudTaskLook(t.State)
			return cloudui.QueueRow{
				Key: query.RowKey(t.UID), Label: pageui.JoinNotes(l.CloudShardTitle(strconv.Itoa(t.Shard)), view.NearTime(l, cloudFire(r), now).Text), Href: cloudShardPath(r.Name, t.Shard), Job: r.JobName, JobHref: cloudPath("jobs", r.JobName),
				State: ui.State{Tone: look.tone, Label: look.word(l)}, Where: t.Node, At: view.ForTime(t.Created, now),
			}
		}
		_, tasks, _ := at.Seen.FindRun(r.Ref())
		for _, t := range tasks {
			if !cloud.Ended(t.State) {
				running = append(running, row(t))
			}
		}
		for _, t := range cloud.NextAttempts(r, tasks) {
			again = append(again, row(t))
		}
	}
	return running, again
}

// readyOf are the fire times and the requests that wait for a run.
func readyOf(l i18n.Lang, at *console.Cloud, now time.Time) (list []cloudui.QueueRow) {
	for _, d := range at.Seen.Jobs() {
		row := cloudui.QueueRow{Job: d.Job.Name, JobHref: cloudPath("jobs", d.Job.Name), State: ui.State{Tone: ui.ToneQuiet, Label: l.CloudWaiting()}}
		for _, fire := range d.Status.Pending {
			row.Key, row.Label, row.At = query.RowKey(cloud.RunName(d.Job.Name, fire)), l.CloudQueueFire(), view.NearTime(l, fire, now)
			list = append(list, row)
		}
		for _, r := range d.Status.Requests {
			row.Key, row.Label, row.At = query.RowKey(cloud.ManualRunName(d.Job.Name, r.Key)), l.CloudQueueRequest(r.By), view.NearTime(l, r.Asked, now)
			list = append(list, row)
		}
	}
	return list
}
