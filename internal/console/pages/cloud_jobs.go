package pages

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/cronwords"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// How much the page of a job has.
const (
	cloudNextFires = 5
	cloudJobRuns   = 10
	mostCloudRows  = 500 // jobs or applications of a list
)

// The states of a job, as views name them.
const (
	cloudCannot   = "cannot"
	cloudFailing  = "failing"
	cloudActive   = "active"
	cloudIdle     = "idle"
	cloudDisabled = "disabled"
)

var cloudJobViews = []struct {
	key string
	cloudLook
}{
	{cloudCannot, cloudLook{ui.ToneBad, i18n.Lang.CloudJobCannot}}, {cloudFailing, cloudLook{ui.ToneBad, i18n.Lang.CloudJobFailing}}, {cloudActive, cloudLook{ui.ToneRun, i18n.Lang.CloudJobActive}},
	{cloudIdle, cloudLook{ui.ToneOK, i18n.Lang.CloudJobIdle}}, {cloudDisabled, cloudLook{ui.ToneOff, i18n.Lang.CloudDisabled}},
}

// cloudJob is a job with what belongs to it.
type cloudJob struct {
	cloud.Definition
	app  *cloud.App        // nil if there is none
	runs []cloud.RunStatus // that the engine has, the newest first
	at   *console.Cloud
	// warnings are what the job asks for and does not get; only the job's page has them.
	warnings []string
}

// jobOf finds what belongs to a job.
func jobOf(at *console.Cloud, d cloud.Definition, apps []cloud.App) cloudJob {
	j := cloudJob{Definition: d, runs: at.Seen.Runs(d.Job.Name), at: at}
	if i := slices.IndexFunc(apps, func(a cloud.App) bool { return a.Name == d.Job.AppName && a.Namespace == d.Job.Namespace }); i >= 0 {
		j.app = &apps[i]
	}
	return j
}

// off reports whether the job fires not, because somebody has disabled it or its application.
func (j cloudJob) off() bool { return j.Job.Disabled || j.app != nil && j.app.Disabled }

// state is how the job is, and why in a few words.
func (j cloudJob) state(c *gin.Context) (key string, state ui.State) {
	l := i18n.From(c.Request.Context())
	made := func(key, reason string) (string, ui.State) {
		reason = cloudText(c, reason)
		for _, v := range cloudJobViews {
			if v.key == key {
				return key, ui.State{Tone: v.tone, Label: v.word(l), Reason: view.Clip(reason, 80), Title: view.Clip(reason, 300), TestID: "cloud-job-state"}
			}
		}
		return key, ui.State{}
	}
	accepted, known := j.Status.Condition(cloud.ConditionAccepted)
	switch {
	case j.Job.Disabled:
		return made(cloudDisabled, "")
	case j.app == nil:
		return made(cloudCannot, l.CloudNoApp(j.Job.AppName))
	case known && !accepted.OK:
		return made(cloudCannot, accepted.Message)
	case j.forbidden() != "":
		return made(cloudCannot, j.forbidden())
	case j.app.Disabled:
		return made(cloudDisabled, l.CloudDisabledByApp())
	case j.unhealthy() != "":
		return made(cloudFailing, j.unhealthy())
	case slices.ContainsFunc(j.runs, func(r cloud.RunStatus) bool { return !r.State.Ended() }):
		return made(cloudActive, "")
	case len(j.runs) > 0 && j.runs[0].State == cloud.RunFailed:
		return made(cloudFailing, "")
	}
	return made(cloudIdle, "")
}

// forbidden is why the job does not fire for want of a right, "" if it has all.
func (j cloudJob) forbidden() string {
	if c, _ := j.Status.Condition(cloud.ConditionFires); !c.OK && c.Reason == cloud.ReasonForbidden {
		return c.Message
	}
	return ""
}

// next are the next fire times of the job, or why there are none.
func (j cloudJob) next(l i18n.Lang, now time.Time, n int) (list []time.Time, zone *time.Location, none string) {
	schedule, err := j.at.Schedule(j.Job)
	switch {
	case err != nil:
		return nil, time.UTC, l.CloudNoSchedule()
	case j.off():
		return nil, schedule.Zone(), l.CloudFiresOff()
	case j.daemon():
		return nil, schedule.Zone(), l.CloudDaemonFires()
	case !schedule.Fires():
		return nil, schedule.Zone(), l.CloudOnRequest()
	}
	for at := now; len(list) < n; {
		next, ok := schedule.Next(at)
		if !ok {
			break
		}
		list, at = append(list, next), next
	}
	if len(list) == 0 {
		return nil, schedule.Zone(), l.CloudFiresOver()
	}
	return list, schedule.Zone(), ""
}

// strip draws the last runs of the job.
func (j cloudJob) strip(l i18n.Lang, now time.Time) ui.Strip {
	list := slices.Clone(j.runs[:min(len(j.runs), stripRuns)])
	slices.Reverse(list)
	s := ui.Strip{Href: cloudRunsHref(j.Job.Name, "", 1)}
	if len(list) == 0 {
		s.Label = l.JobsStripNone()
		return s
	}
	longest := time.Millisecond
	for _, r := range list {
		took, _ := cloudTook(r.Started, r.Ended, now)
		longest = max(longest, took)
	}
	count := make(map[ui.BarKind]int)
	for _, r := range list {
		kind := ui.BarRunning
		switch r.State {
		case cloud.RunSucceeded:
			kind = ui.BarOK
		case cloud.RunFailed, cloud.RunKilled:
			kind = ui.BarFailed
		}
		count[kind]++
		took, _ := cloudTook(r.Started, r.Ended, now)
		s.Bars = append(s.Bars, ui.Bar{Kind: kind, Height: max(2, int(float64(ui.MaxBar)*float64(took)/float64(longest)))})
	}
	s.Label = l.JobsStrip(len(list), pageui.JoinNotes(l.JobsNOk(count[ui.BarOK]), l.JobsNFailed(count[ui.BarFailed]), l.JobsNRunning(count[ui.BarRunning])))
	return s
}

// jobRow is a job as a line of a table.
func (s cloudPages) jobRow(c *gin.Context, j cloudJob) (key string, row cloudui.JobRow) {
	l, now := i18n.From(c.Request.Context()), s.Now()
	row = cloudui.JobRow{
		Name: j.Job.Name, Namespace: j.Job.Namespace, Href: cloudPath("jobs", j.Job.Name), Type: string(j.Job.Type), App: j.Job.AppName, AppHref: cloudPath("apps", j.Job.AppName),
		Shards: view.Thousands(j.Job.Shards), Strip: j.strip(l, now),
	}
	key, row.State = j.state(c)
	next, _, none := j.next(l, now, 1)
	if row.NextNone = none; none == "" {
		row.Next = view.InTime(next[0], now)
	}
	if !console.LooksOnly(c) && !j.daemon() {
		row.Trigger = &ui.Button{Small: true, Icon: "play", Label: l.CloudTrigger() + "…", Href: cloudPath("jobs", j.Job.Name, "trigger"), Subject: j.Job.Name, TestID: "trigger-job"}
		if j.off() {
			row.Trigger.Disabled = l.CloudFiresOff()
		}
	}
	return key, row
}

// jobsPage lists the jobs.
func (s cloudPages) jobsPage(c *gin.Context, at *console.Cloud) error {
	l := i18n.From(c.Request.Context())
	h := s.head(c, at, "jobs")
	state := c.Query("state")
	keys := []string{}
	for _, v := range cloudJobViews {
		keys = append(keys, v.key)
	}
	if state != "" && !slices.Contains(keys, state) {
		h.Frame.Ignored = append(h.Frame.Ignored, l.AddressUnknown("state", strconv.Quote(view.Clip(state, 40)), view.Join(keys)))
		state = ""
	}
	if console.May(c, console.Configures) {
		h.Actions = []ui.Button{{Kind: ui.ButtonMain, Label: l.CloudJobNew(), Href: cloudAddJob, TestID: "new-job"}}
	}
	p := cloudui.JobsProps{Head: h}
	apps, count, all := at.Seen.Apps(), make(map[string]int), at.Seen.Jobs()
	for _, d := range all {
		key, row := s.jobRow(c, jobOf(at, d, apps))
		count[key]++
		if (state == "" || state == key) && len(p.Rows) < mostCloudRows {
			p.Rows = append(p.Rows, row)
		}
	}
	p.Views = cloudJobTabs(l, len(all), count, state)
	switch {
	case len(all) == 0:
		p.Empty = &ui.Empty{Heading: l.CloudJobsNone(), Text: l.CloudJobsNoneText(), TestID: "cloud-jobs-empty"}
	case len(p.Rows) == 0:
		p.Empty = &ui.Empty{Heading: l.CloudJobsNoneSuch(), TestID: "cloud-jobs-empty"}
	}
	s.Render(c, http.StatusOK, cloudui.Jobs(p))
	return nil
}

// readJob is the job of an address, as the caller may see it: as new as it is, or while the
// store does not answer as it was reported last.
func (s cloudPages) readJob(c *gin.Context, at *console.Cloud) (j cloudJob, err error) {
	name, err := console.CloudName(c, "job")
	if err != nil {
		return j, err
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	d, err := at.ReadJob(ctx, name)
	if err != nil {
		seen := at.Seen.Jobs()
		i := slices.IndexFunc(seen, func(d cloud.Definition) bool { return d.Job.Name == name })
		if i < 0 || at.Seen.Synced() && !errors.Is(err, cloud.ErrForbidden) {
			return j, err
		}
		d = seen[i]
	}
	warnings := at.Warnings(i18n.From(c.Request.Context()), console.CloudDocument{Kind: cloud.KindJob, Job: d.Job}, console.May(c, console.Configures))
	if !console.May(c, console.Configures) {
		d = console.MaskedCloudJob(d)
	}
	j = jobOf(at, d, at.Seen.Apps())
	j.warnings = warnings
	return j, nil
}

// warningNotices are the warnings of an application or a job on its page.
func warningNotices(l i18n.Lang, warnings []string) (list []ui.Notice) {
	for _, text := range warnings {
		list = append(list, ui.Notice{Tone: ui.ToneWarn, Heading: l.CloudUnusedTitle(), Text: text, TestID: "cloud-warning"})
	}
	return list
}

// jobPage is one job.
func (s cloudPages) jobPage(c *gin.Context, at *console.Cloud) error {
	j, err := s.readJob(c, at)
	if err != nil {
		return err
	}
	l, now := i18n.From(c.Request.Context()), s.Now()
	h := s.oneHead(c, at, j.Job.Name, "jobs", l.FrameJobs())
	h.Mono, h.Sub, h.Frame.LiveSeconds = true, j.Job.Description, cloudListSeconds
	_, state := j.state(c)
	h.State = &ui.Chip{Tone: state.Tone, Label: state.Label, Title: state.Title, TestID: "job-state"}
	if state.Reason != "" {
		h.Notices = append(h.Notices, ui.Notice{Tone: state.Tone, Heading: state.Title, TestID: "job-reason"})
	}
	h.Notices = append(h.Notices, warningNotices(l, j.warnings)...)
	if !console.LooksOnly(c) {
		h.Actions = jobButtons(l, j, console.May(c, console.Configures))
	}
	p := cloudui.JobProps{Head: h, Facts: cloudJobFacts(l, j, now), App: j.Job.AppName, AppHref: cloudPath("apps", j.Job.AppName), RunsHref: cloudRunsHref(j.Job.Name, "", 1), Values: jobValues(l, j.Job)}
	if j.daemon() {
		p.Processes = s.daemonProcesses(c, j)
	}
	p.Rows = s.runRows(c, at, j.runs[:min(len(j.runs), cloudJobRuns)])
	if len(p.Rows) == 0 {
		p.RunsNone = l.CloudJobNoRuns()
	}
	p.Schedule = cloudSchedule(l, j, now)
	s.Render(c, http.StatusOK, cloudui.Job(p))
	return nil
}

func cloudSchedule(l i18n.Lang, j cloudJob, now time.Time) cloudui.Schedule {
	next, zone, none := j.next(l, now, cloudNextFires)
	p := cloudui.Schedule{Cron: j.Job.Cron, Zone: cmp.Or(j.Job.TimeZone, j.Job.Props[quartz.ZoneProp], "UTC"), None: none}
	if words := cronwords.Text(l, j.Job.Cron); words != j.Job.Cron {
		p.Words = words
	}
	for _, at := range next {
		fire := cloudui.NextFire{At: view.NearTime(l, at, now), In: view.InTime(at, now)}
		if j.Job.TimeZone != "" {
			fire.There = at.In(zone).Format("01-02 15:04:05 MST")
		}
		p.Fires = append(p.Fires, fire)
	}
	return p
}

// jobButtons are what an operator can do with a job.
// jobButtons are what can be done with a job; edits adds what changes or removes it.
func jobButtons(l i18n.Lang, j cloudJob, edits bool) []ui.Button {
	to := func(verb string) string { return cloudPath("jobs", j.Job.Name, verb) }
	trigger := ui.Button{Kind: ui.ButtonMain, Icon: "play", Label: l.CloudTrigger() + "…", Href: to("trigger"), TestID: "trigger-job"}
	if j.off() {
		trigger.Disabled = l.CloudFiresOff()
	}
	var list []ui.Button
	if !j.daemon() {
		list = append(list, trigger)
	}
	if edits {
		list = append(list, ui.Button{Label: l.CloudEdit(), Href: to("edit"), TestID: "edit-job"})
	}
	if j.Job.Disabled {
		list = append(list, ui.Button{Label: l.CloudEnable(), Post: to("enable"), TestID: "enable-job"})
	} else {
		list = append(list, ui.Button{Icon: "pause", Label: l.CloudDisable() + "…", Href: to("disable"), TestID: "disable-job"})
	}
	if edits {
		list = append(list, ui.Button{Kind: ui.ButtonDanger, Label: l.CloudRemove() + "…", Href: to("remove"), TestID: "remove-job"})
	}
	return list
}

// namespaceFact says which namespace of a cluster has something, where there are several.
func namespaceFact(l i18n.Lang, namespace string) []ui.Fact {
	if namespace == "" {
		return nil
	}
	return []ui.Fact{{Label: l.FrameNamespace(), Value: namespace, Mono: true}}
}

// cloudJobFacts are what a scheduler says of a job.
func cloudJobFacts(l i18n.Lang, j cloudJob, now time.Time) []ui.Fact {
	st := j.Status
	if j.daemon() {
		return daemonFacts(l, j)
	}
	list := []ui.Fact{
		{Label: l.CloudType(), Value: string(j.Job.Type)}, {Label: l.RunsTableShards(), Value: view.Thousands(j.Job.Shards)},
		{Label: l.CloudPending(), Value: view.Thousands(len(st.Pending)), Note: l.CloudPendingNote()}, {Label: l.CloudRequested(), Value: view.Thousands(len(st.Requests))},
		{Label: l.CloudMissed(), Value: view.Thousands(int(st.Missed))}, {Label: l.CloudMerged(), Value: view.Thousands(int(st.Merged))},
	}
	list = append(list, namespaceFact(l, j.Job.Namespace)...)
	if schedule, err := j.at.Schedule(j.Job); err == nil {
		if last, ok := schedule.Fired(j.Definition); ok {
			list = append(list, ui.Fact{Label: l.CloudLastFire(), Value: view.NearTime(l, last, now).Text})
		}
	}
	return list
}

// jobValues are the configuration of a job.
func jobValues(l i18n.Lang, j cloud.Job) (list []ui.Fact) {
	add := func(label, value string) {
		if value != "" {
			list = append(list, ui.Fact{Label: label, Value: view.Clip(value, 2000), Mono: true})
		}
	}
	yes := func(on bool) string { return map[bool]string{true: l.CloudYes(), false: l.CloudNo()}[on] }
	add("appName", j.AppName)
	add("jobExecutionType", string(j.Type))
	add("shardingTotalCount", strconv.Itoa(j.Shards))
	add("shardingItemParameters", j.ShardParameters)
	add("jobParameter", j.Parameter)
	add("cpuCount", strconv.FormatFloat(j.CPU, 'g', -1, 64))
	add("memoryMB", strconv.FormatFloat(j.MemoryMB, 'g', -1, 64))
	add("misfire", yes(j.Misfire))
	add("failover", yes(j.Failover))
	if j.Type != cloud.TypeDaemon {
		add("cloud.overlap", string(j.Overlap()))
	}
	add("jobErrorHandlerType", j.ErrorHandlerType)
	add("startTime", j.StartTime)
	add("endTime", j.EndTime)
	add("clockChange", j.ClockChange)
	for _, name := range view.SortedKeys(j.Props) {
		if name != cloud.PropOverlap {
			add("props."+name, j.Props[name])
		}
	}
	return list
}
