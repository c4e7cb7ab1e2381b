package pages

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// cloudPages are the pages of ElasticJob-Cloud, whose shards are processes. They are about
// no registry: there is one scheduler in a console, or none.
type cloudPages struct{ *Pages }

// cloudHandler shows a page about ElasticJob-Cloud, or says why not.
type cloudHandler func(c *gin.Context, at *console.Cloud) error

const (
	cloudRoute     = "/cloud"
	cloudRunsRoute = cloudRoute + "/runs"
	cloudRunRoute  = cloudRunsRoute + "/:run"
	cloudShard     = cloudRunRoute + "/items/:item"
	cloudJobRoute  = cloudRoute + "/jobs/:job"
	cloudAppRoute  = cloudRoute + "/apps/:app"
)

// How often the pages are read again: nothing reports when a process begins or writes.
const (
	cloudListSeconds = 3
	cloudRunSeconds  = 2
)

func (s cloudPages) routes() []console.Route {
	const none, signedIn, operate = console.Touches(0), console.SignedIn, console.Operates
	get := func(path string, who console.Access, page cloudHandler) console.Route {
		return console.Get(path, who, none, s.with(page)).Asks()
	}
	post := func(path string, who console.Access, action cloudHandler) console.Route {
		return console.Post(path, who, none, s.with(action)).Resumes()
	}
	return []console.Route{
		console.Get(cloudRoute, signedIn, none, s.with(s.overviewPage)).Asks(),
		console.Get(cloudRoute+"/queues", signedIn, none, s.with(s.queuesPage)).Asks("tab"),
		console.Get(cloudRunsRoute, signedIn, none, s.with(s.runsPage)).Asks("job", "state", "page"),
		console.Get(cloudRunRoute, signedIn, none, s.with(s.runPage)).Asks("lanes"),
		get(cloudRunRoute+"/kill", operate, s.killPage),
		post(cloudRunRoute+"/kill", operate, s.kill),
		console.Post(cloudRunRoute+"/suspend", operate, none, s.with(s.suspend)),
		console.Post(cloudRunRoute+"/resume", operate, none, s.with(s.resume)),
		console.Get(cloudShard, signedIn, none, s.with(s.shardPage)).Asks("attempt", "lines"),
		get(cloudShard+"/kill", operate, s.killShardPage),
		post(cloudShard+"/kill", operate, s.killShard),
		console.Get(cloudShard+"/log", signedIn, none, s.with(s.download)).Asks("attempt"),
		console.Get(cloudRoute+"/jobs", signedIn, none, s.with(s.jobsPage)).Asks("state"),
		console.Get(cloudJobRoute, signedIn, none, s.with(s.jobPage)).Asks(),
		console.Get(cloudJobRoute+"/trigger", operate, none, s.with(s.triggerPage)).Asks("shards"),
		post(cloudJobRoute+"/trigger", operate, s.trigger).WithBody(maxRequestForm),
		get(cloudJobRoute+"/disable", operate, s.disableJobPage),
		post(cloudJobRoute+"/disable", operate, s.disableJob),
		console.Post(cloudJobRoute+"/enable", operate, none, s.with(s.enableJob)),
		get(cloudJobRoute+"/remove", console.Configures, s.removeJobPage),
		post(cloudJobRoute+"/remove", console.Configures, s.removeJob),
		get(cloudAddJob, console.Configures, s.newJobPage),
		post(cloudAddJob, console.Configures, s.newJob).WithBody(maxCloudForm),
		get(cloudJobRoute+"/edit", console.Configures, s.editJobPage),
		post(cloudJobRoute+"/edit", console.Configures, s.editJob).WithBody(maxCloudForm),
		console.Get(cloudRoute+"/apps", signedIn, none, s.with(s.appsPage)).Asks(),
		console.Get(cloudAppRoute, signedIn, none, s.with(s.appPage)).Asks(),
		get(cloudAppRoute+"/disable", operate, s.disableAppPage),
		post(cloudAppRoute+"/disable", operate, s.disableApp),
		console.Post(cloudAppRoute+"/enable", operate, none, s.with(s.enableApp)),
		get(cloudAppRoute+"/remove", console.Configures, s.removeAppPage),
		post(cloudAppRoute+"/remove", console.Configures, s.removeApp),
		get(cloudAddApp, console.Configures, s.newAppPage),
		post(cloudAddApp, console.Configures, s.newApp).WithBody(maxCloudForm),
		get(cloudAppRoute+"/edit", console.Configures, s.editAppPage),
		post(cloudAppRoute+"/edit", console.Configures, s.editApp).WithBody(maxCloudForm),
	}
}

// with is a handler that is answered with 404 where ElasticJob-Cloud is off, and for its
// error otherwise.
func (s cloudPages) with(handle cloudHandler) gin.HandlerFunc {
	return func(c *gin.Context) {
		at, err := console.CloudOf(s.Console)
		if err == nil {
			err = handle(c, at)
		}
		if err != nil {
			s.Fail(c, cloudProblem(err))
		}
	}
}

// cloudPath is the address of a page of the area; names are escaped.
func cloudPath(parts ...string) string {
	path := cloudRoute
	for _, part := range parts {
		path += "/" + strings.ReplaceAll(url.PathEscape(part), "+", "%2B")
	}
	return path
}

// head is what a page of a part of the area has above its content, which stands for the
// present unless it says otherwise.
func (s cloudPages) head(c *gin.Context, at *console.Cloud, part string) cloudui.Head {
	l := i18n.From(c.Request.Context())
	h := cloudui.Head{Frame: s.frame(c, ""), Heading: l.FrameCloud(), Notices: cloudNotices(l, at, s.Now())}
	for _, tab := range []struct {
		part, label, count string
	}{
		{"", l.FrameOverview(), ""}, {"runs", l.FrameRuns(), view.Thousands(len(at.Seen.Runs("")))}, {"jobs", l.FrameJobs(), view.Thousands(len(at.Seen.Jobs()))},
		{"apps", l.CloudApps(), view.Thousands(len(at.Seen.Apps()))}, {"queues", l.CloudQueues(), ""},
	} {
		entry := ui.Tab{Label: tab.label, Href: cloudRoute, Count: tab.count, Active: tab.part == part, TestID: "tab-" + tab.part}
		if tab.part != "" {
			entry.Href = cloudPath(tab.part)
		}
		h.Tabs = append(h.Tabs, entry)
		if tab.part == part && part != "" {
			h.Frame.Title = tab.label + " · " + l.FrameCloud()
		}
	}
	h.Frame.LiveSeconds = cloudListSeconds
	return h
}

// frame is that of a page of the area, which asks for its parts itself.
func (s cloudPages) frame(c *gin.Context, title string) layout.Frame {
	f := s.Frame(c, title, console.AreaCloud)
	f.Events = ""
	return f
}

// mostCloudTrouble is how much is shown of why the area cannot be read.
const mostCloudTrouble = 600

// cloudNotices say that what is shown is not the present, if it is not.
func cloudNotices(l i18n.Lang, at *console.Cloud, now time.Time) (list []ui.Notice) {
	switch {
	case !at.Seen.Synced():
		text := l.CloudAwayText()
		if since, err := at.Seen.Health(); err != nil && since.IsZero() {
			text = view.Clip(mask.Text(err.Error()), mostCloudTrouble)
		} else if err != nil {
			text += " " + l.CloudAwaySince(view.NearTime(l, since, now).Text, view.Clip(mask.Text(err.Error()), mostCloudTrouble))
		}
		list = append(list, ui.Notice{Tone: ui.ToneWarn, Heading: l.CloudAway(), Text: text, TestID: "cloud-away"})
	case !at.Seen.Leads():
		if since, err := at.Seen.Health(); err != nil {
			text := l.CloudCannotLeadText(view.NearTime(l, since, now).Text, view.Clip(mask.Text(err.Error()), mostCloudTrouble))
			return append(list, ui.Notice{Tone: ui.ToneWarn, Heading: l.CloudCannotLead(), Text: text, TestID: "cloud-cannot-lead"})
		}
		list = append(list, ui.Notice{Tone: ui.ToneQuiet, Heading: l.CloudFollows(), Text: l.CloudFollowsText(), TestID: "cloud-follows"})
	}
	return list
}

// cloudCrumbs lead to a page about one thing of a part of the area.
func cloudCrumbs(l i18n.Lang, part, label string, more ...layout.Crumb) []layout.Crumb {
	return append([]layout.Crumb{{Label: l.FrameCloud(), Href: cloudRoute}, {Label: label, Href: cloudPath(part)}}, more...)
}

// cloudLook is how a state looks and what it is called.
type cloudLook struct {
	tone ui.Tone
	word func(i18n.Lang) string
}

// cloudRunStates are the states of runs in the order of their views.
var cloudRunStates = []cloud.RunState{cloud.RunWaiting, cloud.RunRunning, cloud.RunSuspended, cloud.RunSucceeded, cloud.RunFailed, cloud.RunKilled}

var cloudRunLooks = map[cloud.RunState]cloudLook{
	cloud.RunWaiting: {ui.ToneQuiet, i18n.Lang.CloudWaiting}, cloud.RunRunning: {ui.ToneRun, i18n.Lang.RunStateRunning}, cloud.RunSuspended: {ui.ToneWarn, i18n.Lang.CloudSuspended},
	cloud.RunSucceeded: {ui.ToneOK, i18n.Lang.RunStateSuccess}, cloud.RunFailed: {ui.ToneBad, i18n.Lang.RunStateFailed}, cloud.RunKilled: {ui.ToneOff, i18n.Lang.CloudKilled},
}

// cloudRunLook is how a run looks, also in a state that this version doesn't know.
func cloudRunLook(state cloud.RunState) cloudLook {
	if look, known := cloudRunLooks[state]; known {
		return look
	}
	return cloudLook{ui.ToneQuiet, i18n.Lang.RunUnknown}
}

// cloudTaskLooks are how tasks can be, those that want a look first.
var cloudTaskLooks = []struct {
	state cloud.State
	cloudLook
}{
	{tracing.StateFailed, cloudLook{ui.ToneBad, i18n.Lang.RunStateFailed}}, {tracing.StateError, cloudLook{ui.ToneBad, i18n.Lang.CloudNoStart}},
	{tracing.StateLost, cloudLook{ui.ToneLost, i18n.Lang.RunStateLost}}, {tracing.StateUnreachable, cloudLook{ui.ToneWarn, i18n.Lang.CloudUnreachable}},
	{tracing.StateRunning, cloudLook{ui.ToneRun, i18n.Lang.RunStateRunning}}, {tracing.StateStaging, cloudLook{ui.ToneQuiet, i18n.Lang.CloudWaiting}},
	{tracing.StateKilled, cloudLook{ui.ToneOff, i18n.Lang.CloudKilled}}, {tracing.StateFinished, cloudLook{ui.ToneOK, i18n.Lang.RunStateSuccess}},
}

// cloudTaskRank is the place of a state in [cloudTaskLooks]. What an engine has dropped or
// has no more of is lost for whoever looks at it.
func cloudTaskRank(state cloud.State) int {
	for i, look := range cloudTaskLooks {
		if look.state == state || state == "" && look.state == tracing.StateStaging {
			return i
		}
	}
	return 2
}

func cloudTaskLook(state cloud.State) cloudLook {
	return cloudTaskLooks[cloudTaskRank(state)].cloudLook
}

// originWord says why there is a run.
func originWord(l i18n.Lang, origin cloud.Origin) string {
	switch origin {
	case cloud.OriginCron:
		return l.RunTriggerSchedule()
	case cloud.OriginPending:
		return l.CloudOriginPending()
	case cloud.OriginManual:
		return l.RunTriggerManual()
	case cloud.OriginDaemon:
		return l.CloudDaemonOrigin()
	}
	return string(origin)
}

// cloudText is what an engine or a program says, as the caller may see it.
func cloudText(c *gin.Context, text string) string {
	if console.LooksOnly(c) {
		return mask.Text(text)
	}
	return text
}

// cloudTook is how long something has taken, up to now if it goes on; false if it has not
// begun.
func cloudTook(started, ended, now time.Time) (time.Duration, bool) {
	if started.IsZero() {
		return 0, false
	}
	if ended.IsZero() {
		ended = now
	}
	return max(ended.Sub(started), 0), true
}

// cloudTookIn says it in words.
func cloudTookIn(l i18n.Lang, started, ended, now time.Time) string {
	took, begun := cloudTook(started, ended, now)
	switch {
	case !begun:
		return "–"
	case ended.IsZero():
		return l.RunSoFar(ui.Span(l, took))
	}
	return pageui.Took(l, took)
}

// cloudRunTitle names a run by its job and its fire time.
func cloudRunTitle(l i18n.Lang, r cloud.RunStatus, now time.Time) string {
	if r.Origin == cloud.OriginDaemon {
		return l.CloudDaemonTitle(r.JobName)
	}
	return l.RunTitle(r.JobName, view.NearTime(l, cloudFire(r), now).Text)
}

// cloudFire is the fire time of a run, or when it was made.
func cloudFire(r cloud.RunStatus) time.Time {
	if r.Fire.IsZero() {
		return r.Created
	}
	return r.Fire
}

// cloudProblem is an error of ElasticJob-Cloud in the language of a page.
func cloudProblem(err error) *console.Problem {
	if p, ok := errors.AsType[*console.Problem](err); ok && p.Code != "cloud_off" {
		return p
	}
	p := *console.CloudProblem(err)
	words := map[string]func(l i18n.Lang) (string, string){
		"cloud_off":         func(l i18n.Lang) (string, string) { return l.CloudOff(), l.CloudOffHint() },
		"not_found":         func(l i18n.Lang) (string, string) { return l.CloudNotFound(), l.CloudNotFoundHint() },
		"exists":            func(l i18n.Lang) (string, string) { return l.CloudExists(), l.CloudExistsHint() },
		"conflict":          func(l i18n.Lang) (string, string) { return l.CloudConflict(), l.CloudConflictHint() },
		"queue_full":        func(l i18n.Lang) (string, string) { return l.CloudQueueFull(), l.CloudQueueFullHint() },
		"unsupported":       func(l i18n.Lang) (string, string) { return l.CloudUnsupported(), l.CloudUnsupportedHint() },
		"refused":           func(l i18n.Lang) (string, string) { return l.CloudRefused(), l.CloudRefusedHint() },
		"cloud_unavailable": func(l i18n.Lang) (string, string) { return l.CloudAway(), l.CloudAwayHint() },
	}[p.Code]
	if words == nil {
		return &p
	}
	english := p.Message
	p.GoTo, p.GoToLabel = cloudRunsRoute, i18n.Lang.CloudToRuns
	if p.Code == "cloud_off" {
		p.GoTo, p.GoToLabel = "/", i18n.Lang.ProblemToOverview
	}
	return p.Said(func(l i18n.Lang) (string, string) {
		message, hint := words(l)
		if l == i18n.English && (p.Code == "refused" || p.Code == "not_found" || p.Code == "unsupported" || p.Code == "queue_full") {
			message = english // It names what it is about.
		}
		return message, hint
	})
}

// pageOf is the page number of an address; hints say what of it is not understood.
func pageOf(c *gin.Context, l i18n.Lang) (page int, hints []string) {
	text := c.Query("page")
	if text == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostCloudPages {
		return 1, []string{l.AddressNumber("page", strconv.Quote(view.Clip(text, 40)), strconv.Itoa(mostCloudPages))}
	}
	return n, nil
}

// mostCloudPages is the last page of a list that can be asked for.
const mostCloudPages = 10_000
