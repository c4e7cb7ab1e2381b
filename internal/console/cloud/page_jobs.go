package cloud

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/cronwords"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// The fire times and runs on the page of a job.
const (
	nextFires = 5
	jobRuns   = 10
)

// The states of a job in views.
const (
	jobCannot   = "cannot"
	jobFailing  = "failing"
	jobActive   = "active"
	jobIdle     = "idle"
	jobDisabled = "disabled"
)

var jobViews = []struct {
	key string
	look
}{
	{jobCannot, look{ui.ToneBad, i18n.Lang.CloudJobCannot}}, {jobFailing, look{ui.ToneBad, i18n.Lang.CloudJobFailing}}, {jobActive, look{ui.ToneRun, i18n.Lang.CloudJobActive}},
	{jobIdle, look{ui.ToneOK, i18n.Lang.CloudJobIdle}}, {jobDisabled, look{ui.ToneOff, i18n.Lang.CloudDisabled}},
}

// jobView is a job with its application and its runs.
type jobView struct {
	*call
	cloud.Definition
	app  *cloud.App        // nil if it doesn't exist
	runs []cloud.RunStatus // that the engine has, the newest first
}

func (r *call) viewOf(d cloud.Definition, apps []cloud.App) jobView {
	j := jobView{call: r, Definition: d, runs: r.Seen.Runs(d.Job.Name)}
	if i := slices.IndexFunc(apps, func(a cloud.App) bool { return a.Name == d.Job.AppName && a.Namespace == d.Job.Namespace }); i >= 0 {
		j.app = &apps[i]
	}
	return j
}

// off reports whether the job or its application is disabled.
func (j jobView) off() bool { return j.Job.Disabled || j.app != nil && j.app.Disabled }

// daemon reports whether the processes of the job fire by themselves.
func (j jobView) daemon() bool { return j.Job.Type == cloud.TypeDaemon }

// processes are the shards of a DAEMON with their run; false if the engine has none.
func (j jobView) processes() (run cloud.RunStatus, shards []shardRun, there bool) {
	if !j.daemon() {
		return run, nil, false
	}
	run, tasks, there := j.Seen.FindRun(cloud.RunRef(j.Job.Namespace, cloud.DaemonRunName(j.Job.Name)))
	return run, shardsOf(tasks), there
}

// state is the state of the job with a short reason.
func (j jobView) state() (key string, state ui.State) {
	key, reason := j.stateKey()
	i := slices.IndexFunc(jobViews, func(v struct {
		key string
		look
	}) bool {
		return v.key == key
	})
	state = jobViews[i].state(j.l, "cloud-job-state")
	reason = j.text(reason)
	state.Reason, state.Title = view.Clip(reason, 80), view.Clip(reason, 300)
	return key, state
}

func (j jobView) stateKey() (key, reason string) {
	accepted, known := j.Status.Condition(cloud.ConditionAccepted)
	fires, _ := j.Status.Condition(cloud.ConditionFires)
	processes, _, there := j.processes()
	switch {
	case j.Job.Disabled:
		return jobDisabled, ""
	case j.app == nil:
		return jobCannot, j.l.CloudNoApp(j.Job.AppName)
	case known && !accepted.OK:
		return jobCannot, accepted.Message
	case !fires.OK && fires.Reason == cloud.ReasonForbidden && fires.Message != "":
		return jobCannot, fires.Message
	case j.app.Disabled:
		return jobDisabled, j.l.CloudDisabledByApp()
	case there && processes.State == cloud.RunRunning && processes.Message != "":
		return jobFailing, processes.Message
	case slices.ContainsFunc(j.runs, func(run cloud.RunStatus) bool { return !run.State.Ended() }):
		return jobActive, ""
	case len(j.runs) > 0 && j.runs[0].State == cloud.RunFailed:
		return jobFailing, ""
	}
	return jobIdle, ""
}

// next are the next fire times of the job, or the reason why there are none.
func (j jobView) next(n int) (list []time.Time, zone *time.Location, none string) {
	schedule, err := j.schedule(j.Job)
	switch {
	case err != nil:
		return nil, time.UTC, j.l.CloudNoSchedule()
	case j.off():
		return nil, schedule.Zone(), j.l.CloudFiresOff()
	case j.daemon():
		return nil, schedule.Zone(), j.l.CloudDaemonFires()
	case !schedule.Fires():
		return nil, schedule.Zone(), j.l.CloudOnRequest()
	}
	for at := j.now; len(list) < n; {
		next, ok := schedule.Next(at)
		if !ok {
			break
		}
		list, at = append(list, next), next
	}
	if len(list) == 0 {
		none = j.l.CloudFiresOver()
	}
	return list, schedule.Zone(), none
}

// strip draws the last runs of the job.
func (j jobView) strip() ui.Strip {
	var list []rdb.Run
	for _, run := range slices.Backward(j.runs[:min(len(j.runs), pageui.StripRuns)]) {
		r := rdb.Run{State: rdb.RunRunning, Running: 1, Start: cmp.Or(run.Started, j.now), End: run.Ended}
		switch run.State {
		case cloud.RunSucceeded:
			r.State, r.Running = rdb.RunSuccess, 0
		case cloud.RunFailed, cloud.RunKilled:
			r.State, r.Running, r.Failed = rdb.RunFailed, 0, 1
		}
		list = append(list, r)
	}
	return pageui.RunStrip(j.l, list, j.now, runsHref(j.Job.Name, "", 1))
}

// row is the job as a line of a table.
func (j jobView) row() (key string, row cloudui.JobRow) {
	row = cloudui.JobRow{Job: j.Job, Strip: j.strip()}
	key, row.State = j.state()
	next, _, none := j.next(1)
	if row.NextNone = none; none == "" {
		row.Next = view.InTime(next[0], j.now)
	}
	if !app.LooksOnly(j.c) && !j.daemon() {
		trigger := j.triggerButton()
		trigger.Small, trigger.Kind, trigger.Subject = true, ui.ButtonPlain, j.Job.Name
		row.Trigger = &trigger
	}
	return key, row
}

func (j jobView) triggerButton() ui.Button {
	b := ui.Button{Kind: ui.ButtonMain, Icon: "play", Label: j.l.CloudTrigger() + "…", Href: cloudui.Path("jobs", j.Job.Name, "trigger"), TestID: "trigger-job"}
	if j.off() {
		b.Disabled = j.l.CloudFiresOff()
	}
	return b
}

// jobsPage lists the jobs.
func jobsPage(r *call) error {
	p := cloudui.JobsProps{Head: r.head("jobs")}
	state, keys := r.c.Query("state"), []string{}
	for _, v := range jobViews {
		keys = append(keys, v.key)
	}
	if state != "" && !slices.Contains(keys, state) {
		r.ignored(&p.Head.Frame, "state", state, view.Join(keys))
		state = ""
	}
	if app.May(r.c, app.Configures) {
		p.Head.Actions = []ui.Button{{Kind: ui.ButtonMain, Label: r.l.CloudJobNew(), Href: addJobRoute, TestID: "new-job"}}
	}
	apps, count, all := r.Seen.Apps(), make(map[string]int), r.Seen.Jobs()
	for _, d := range all {
		key, row := r.viewOf(d, apps).row()
		count[key]++
		if (state == "" || state == key) && len(p.Rows) < mostRows {
			p.Rows = append(p.Rows, row)
		}
	}
	p.Views = r.jobTabs(len(all), count, state)
	switch {
	case len(all) == 0:
		p.Empty = &ui.Empty{Heading: r.l.CloudJobsNone(), Text: r.l.CloudJobsNoneText(), TestID: "cloud-jobs-empty"}
	case len(p.Rows) == 0:
		p.Empty = &ui.Empty{Heading: r.l.CloudJobsNoneSuch(), TestID: "cloud-jobs-empty"}
	}
	return r.render(http.StatusOK, cloudui.Jobs(p))
}

// readForPage reads the document in the address. While the store doesn't answer, it's the last report.
func (r *call) readForPage() (document, error) {
	d, err := r.read(r.ctx, r.kind, r.name)
	if err == nil {
		return d, nil
	}
	seen := r.reported(r.kind)
	i := slices.IndexFunc(seen, func(d document) bool { return d.name() == r.name })
	if i < 0 || r.Seen.Synced() && !errors.Is(err, cloud.ErrForbidden) {
		return d, err
	}
	return seen[i], nil
}

// maskedForPage hides secrets from users who can't edit the document.
func (r *call) maskedForPage(d document) document {
	if !app.May(r.c, app.Configures) {
		return d.masked()
	}
	return d
}

// readJob is the job in the address as the user may see it.
func (r *call) readJob() (jobView, error) {
	d, err := r.readForPage()
	if err != nil {
		return jobView{}, err
	}
	return r.viewOf(r.maskedForPage(d).Definition, r.Seen.Apps()), nil
}

// jobPage is one job.
func jobPage(r *call) error {
	d, err := r.readForPage()
	if err != nil {
		return err
	}
	j := r.viewOf(r.maskedForPage(d).Definition, r.Seen.Apps())
	h := r.headOf(r.name, partOf(r.kind))
	h.Mono, h.Sub, h.Frame.LiveSeconds = true, j.Job.Description, listSeconds
	_, state := j.state()
	h.State = &ui.Chip{Tone: state.Tone, Label: state.Label, Title: state.Title, TestID: "job-state"}
	if state.Reason != "" {
		h.Notices = append(h.Notices, ui.Notice{Tone: state.Tone, Heading: state.Title, TestID: "job-reason"})
	}
	h.Notices = append(h.Notices, r.warningNotices(d)...)
	if !app.LooksOnly(r.c) && !j.daemon() {
		h.Actions = append(h.Actions, j.triggerButton())
	}
	h.Actions = append(h.Actions, r.buttons(d)...)
	p := cloudui.JobProps{Head: h, Job: j.Job, Facts: j.facts(), Values: jobValues(r.l, j.Job), Rows: r.runRows(j.runs[:min(len(j.runs), jobRuns)]), Schedule: j.scheduleCard()}
	if j.daemon() {
		run, shards, there := j.processes()
		if run.Name = cloud.DaemonRunName(r.name); !there {
			shards = nil
		}
		p.Processes = r.processes(run, shards, j.Job.Registry())
		if len(shards) == 0 && j.off() {
			p.Processes.None.Text = r.l.CloudDaemonNoneOff()
		}
	}
	return r.render(http.StatusOK, cloudui.Job(p))
}

func (j jobView) scheduleCard() cloudui.Schedule {
	next, zone, none := j.next(nextFires)
	p := cloudui.Schedule{Cron: j.Job.Cron, Zone: cmp.Or(j.Job.TimeZone, j.Job.Props[quartz.ZoneProp], "UTC"), None: none}
	if words := cronwords.Text(j.l, j.Job.Cron); words != j.Job.Cron {
		p.Words = words
	}
	for _, at := range next {
		fire := cloudui.NextFire{At: j.near(at), In: view.InTime(at, j.now)}
		if j.Job.TimeZone != "" {
			fire.There = at.In(zone).Format("01-02 15:04:05 MST")
		}
		p.Fires = append(p.Fires, fire)
	}
	return p
}

// buttons are the actions on a document that the user may take.
func (r *call) buttons(d document) (list []ui.Button) {
	if app.LooksOnly(r.c) {
		return nil
	}
	edits, kind := app.May(r.c, app.Configures), string(d.kind)
	if edits {
		list = append(list, ui.Button{Label: r.l.CloudEdit(), Href: r.path(r.name, "edit"), TestID: "edit-" + kind})
	}
	if d.disabled() {
		list = append(list, ui.Button{Label: r.l.CloudEnable(), Post: r.path(r.name, "enable"), TestID: "enable-" + kind})
	} else {
		list = append(list, ui.Button{Icon: "pause", Label: r.l.CloudDisable() + "…", Href: r.path(r.name, "disable"), TestID: "disable-" + kind})
	}
	if edits {
		list = append(list, ui.Button{Kind: ui.ButtonDanger, Label: r.l.CloudRemove() + "…", Href: r.path(r.name, "remove"), TestID: "remove-" + kind})
	}
	return list
}

// namespaceFact is the namespace of a cluster, if there are several.
func namespaceFact(l i18n.Lang, namespace string) []ui.Fact {
	if namespace == "" {
		return nil
	}
	return []ui.Fact{{Label: l.FrameNamespace(), Value: namespace, Mono: true}}
}

// facts are the numbers of a job. No run of a DAEMON waits.
func (j jobView) facts() []ui.Fact {
	l, st := j.l, j.Status
	list := []ui.Fact{{Label: l.CloudType(), Value: string(j.Job.Type)}, {Label: l.RunsTableShards(), Value: view.Thousands(j.Job.Shards)}}
	if j.daemon() {
		run, shards, _ := j.processes()
		working, restarts := 0, 0
		for _, s := range shards {
			if s.last().State == tracing.StateRunning && !run.State.Ended() {
				working++
			}
			restarts += s.last().Attempt - 1
		}
		list = append(list, ui.Fact{Label: l.CloudDaemonProcesses(), Value: l.CloudDaemonWorking(working, j.Job.Processes())}, ui.Fact{Label: l.CloudDaemonRestarts(), Value: view.Thousands(restarts)})
		return append(list, namespaceFact(l, j.Job.Namespace)...)
	}
	list = append(list,
		ui.Fact{Label: l.CloudPending(), Value: view.Thousands(len(st.Pending)), Note: l.CloudPendingNote()}, ui.Fact{Label: l.CloudRequested(), Value: view.Thousands(len(st.Requests))},
		ui.Fact{Label: l.CloudMissed(), Value: view.Thousands(int(st.Missed))}, ui.Fact{Label: l.CloudMerged(), Value: view.Thousands(int(st.Merged))},
	)
	list = append(list, namespaceFact(l, j.Job.Namespace)...)
	if schedule, err := j.schedule(j.Job); err == nil {
		if last, ok := schedule.Fired(j.Definition); ok {
			list = append(list, ui.Fact{Label: l.CloudLastFire(), Value: j.near(last).Text})
		}
	}
	return list
}

// values are the set fields of a configuration, by their names in the REST interface.
func values(pairs ...[2]string) (list []ui.Fact) {
	for _, pair := range pairs {
		if pair[1] != "" {
			list = append(list, ui.Fact{Label: pair[0], Value: view.Clip(pair[1], 2000), Mono: true})
		}
	}
	return list
}

func number(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }

// yes is a switch in words.
func yes(l i18n.Lang, on bool) string {
	if on {
		return l.CloudYes()
	}
	return l.CloudNo()
}

func jobValues(l i18n.Lang, j cloud.Job) []ui.Fact {
	overlap := string(j.Overlap())
	if j.Type == cloud.TypeDaemon {
		overlap = ""
	}
	list := values(
		[2]string{"appName", j.AppName}, [2]string{"jobExecutionType", string(j.Type)}, [2]string{"shardingTotalCount", strconv.Itoa(j.Shards)},
		[2]string{"shardingItemParameters", j.ShardParameters}, [2]string{"jobParameter", j.Parameter}, [2]string{"cpuCount", number(j.CPU)}, [2]string{"memoryMB", number(j.MemoryMB)},
		[2]string{"misfire", yes(l, j.Misfire)}, [2]string{"failover", yes(l, j.Failover)}, [2]string{"cloud.overlap", overlap}, [2]string{"jobErrorHandlerType", j.ErrorHandlerType},
		[2]string{"startTime", j.StartTime}, [2]string{"endTime", j.EndTime}, [2]string{"clockChange", j.ClockChange},
	)
	for _, name := range view.SortedKeys(j.Props) {
		if name != cloud.PropOverlap {
			list = append(list, values([2]string{"props." + name, j.Props[name]})...)
		}
	}
	return list
}

// appLook is the look of an application.
func appLook(a cloud.App) look {
	if a.Disabled {
		return look{ui.ToneOff, i18n.Lang.CloudDisabled}
	}
	return look{ui.ToneOK, i18n.Lang.CloudReady}
}

// appNeeds are what each process takes in addition to the needs of its job.
func appNeeds(l i18n.Lang, a cloud.App) string {
	return l.CloudNeedsValue(number(a.CPU), number(a.MemoryMB))
}

// appsPage lists the applications.
func appsPage(r *call) error {
	p := cloudui.AppsProps{Head: r.head("apps")}
	if app.May(r.c, app.Configures) {
		p.Head.Actions = []ui.Button{{Kind: ui.ButtonMain, Label: r.l.CloudAppNew(), Href: addAppRoute, TestID: "new-app"}}
	}
	jobs := make(map[string]int)
	for _, d := range r.Seen.Jobs() {
		jobs[d.Job.AppName]++
	}
	apps := r.Seen.Apps()
	for _, a := range apps[:min(len(apps), mostRows)] {
		a = r.maskedForPage(appOf(a)).app
		program := cmp.Or(a.Image, strings.Join(slices.Concat(a.Command, a.Args), " "), a.BootstrapScript, a.URL)
		p.Rows = append(p.Rows, cloudui.AppRow{App: a, Program: view.Clip(program, 200), Needs: appNeeds(r.l, a), Jobs: jobs[a.Name], State: appLook(a).state(r.l, "cloud-app-state")})
	}
	if len(p.Rows) == 0 {
		p.Empty = &ui.Empty{Heading: r.l.CloudAppsNone(), Text: r.l.CloudAppsNoneText(), TestID: "cloud-apps-empty"}
	}
	return r.render(http.StatusOK, cloudui.Apps(p))
}

// appPage is one application.
func appPage(r *call) error {
	d, err := r.readForPage()
	if err != nil {
		return err
	}
	h := r.headOf(r.name, partOf(r.kind))
	h.Notices = append(h.Notices, r.warningNotices(d)...)
	a := r.maskedForPage(d).app
	h.Mono, h.State, h.Frame.LiveSeconds, h.Actions = true, appLook(a).chip(r.l, "app-state"), listSeconds, r.buttons(d)
	grace := strconv.Itoa(a.GraceSeconds)
	if a.GraceSeconds == 0 {
		grace = ""
	}
	p := cloudui.AppProps{Head: h, Facts: append(namespaceFact(r.l, a.Namespace), ui.Fact{Label: r.l.CloudNeeds(), Value: appNeeds(r.l, a)})}
	p.Facts = append(p.Facts, values(
		[2]string{"image", a.Image}, [2]string{"command", strings.Join(a.Command, " ")}, [2]string{"args", strings.Join(a.Args, " ")},
		[2]string{"bootstrapScript", a.BootstrapScript}, [2]string{"appURL", a.URL}, [2]string{"appSHA256", a.SHA256}, [2]string{"terminationGracePeriodSeconds", grace},
	)...)
	for _, variable := range view.SortedKeys(a.Env) {
		p.Env = append(p.Env, ui.Fact{Label: variable, Value: view.Clip(a.Env[variable], 2000), Mono: true})
	}
	jobs := r.jobsOf(r.name)
	for _, job := range jobs[:min(len(jobs), mostRows)] {
		_, row := r.viewOf(job, []cloud.App{a}).row()
		p.Jobs = append(p.Jobs, row)
	}
	return r.render(http.StatusOK, cloudui.App(p))
}
