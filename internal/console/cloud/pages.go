package cloud

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	pageRoute = "/cloud"
	runsPath  = pageRoute + "/runs"
	runRoute  = runsPath + "/:run"
	oneShard  = runRoute + "/items/:item"
	jobRoute  = pageRoute + "/jobs/:job"
	appRoute  = pageRoute + "/apps/:app"
	// The addresses of the forms of new documents. Jobs and applications can't have these names.
	addJobRoute = pageRoute + "/add-job"
	addAppRoute = pageRoute + "/add-app"
)

const (
	// How often the pages are read again, because nothing reports when a process begins or writes.
	listSeconds = 3
	runSeconds  = 2
	// maxForm bounds a form, whose texts have bounds of their own of at most 96 KiB each and may be
	// escaped.
	maxForm = 1 << 20
	// mostRows bounds the rows of a list.
	mostRows = 500
	// mostPages is the last page of a list.
	mostPages = 10_000
	// mostTrouble bounds the text of an error of store or engine.
	mostTrouble = 600
)

// pageRoutes are the pages. They aren't about a registry, because a console has one scheduler or
// none.
func pageRoutes(s *app.Console) []app.Route {
	with := func(h handler) func(*gin.Context) error {
		return func(c *gin.Context) error {
			if err := handle(s, c, h); err != nil {
				return pageProblem(err)
			}
			return nil
		}
	}
	get := func(path string, page handler, asks ...string) app.Route {
		return app.Get(path, app.SignedIn, 0, with(page)).Asks(asks...)
	}
	post := func(path string, action handler) app.Route { return app.Post(path, operates, 0, with(action)) }
	routes := []app.Route{
		get(pageRoute, overviewPage), get(pageRoute+"/queues", queuesPage, "tab"),
		get(runsPath, runsPage, "job", "state", "page"), get(runRoute, runPage, "lanes"),
		post(runRoute+"/suspend", suspendHere), post(runRoute+"/resume", resumeHere),
		get(oneShard, shardPage, "attempt", "lines"), get(oneShard+"/log", download, "attempt"),
		get(pageRoute+"/jobs", jobsPage, "state"), get(jobRoute, jobPage), post(jobRoute+"/enable", enable),
		get(pageRoute+"/apps", appsPage), get(appRoute, appPage), post(appRoute+"/enable", enable),
	}
	for _, form := range []struct {
		path string
		who  app.Access
		show handler
		body int64
		asks []string
	}{
		{runRoute + "/kill", operates, killPage, 0, nil}, {oneShard + "/kill", operates, killShardPage, 0, nil},
		{jobRoute + "/trigger", operates, triggerPage, pageui.MaxRequestForm, []string{"shards"}},
		{jobRoute + "/disable", operates, disablePage, 0, nil}, {appRoute + "/disable", operates, disablePage, 0, nil},
		{jobRoute + "/remove", configures, removePage, 0, nil}, {appRoute + "/remove", configures, removePage, 0, nil},
		{addJobRoute, configures, formPage(cloud.KindJob), maxForm, nil}, {jobRoute + "/edit", configures, formPage(cloud.KindJob), maxForm, nil},
		{addAppRoute, configures, formPage(cloud.KindApp), maxForm, nil}, {appRoute + "/edit", configures, formPage(cloud.KindApp), maxForm, nil},
	} {
		routes = append(routes, app.Get(form.path, form.who, 0, with(form.show)).Asks(form.asks...), app.Post(form.path, form.who, 0, with(form.show)).WithBody(form.body).Resumes())
	}
	return routes
}

// posted reports whether the request sends the form of the page.
func (r *call) posted() bool { return r.c.Request.Method == http.MethodPost }

func (r *call) render(status int, page templ.Component) error {
	r.s.Render(r.c, status, page)
	return nil
}

// acted goes to a page with the result of an action as a message there.
func (r *call) acted(to, did string, err error) error {
	flash := ui.Flash{Tone: ui.ToneOK, Title: did}
	if err != nil {
		flash = pageui.FailedFlash(r.s, r.c, pageProblem(err))
	}
	r.s.SetFlash(r.c, flash)
	r.s.Redirect(r.c, to)
	return nil
}

// ending names the caller, who ends something on a page.
func (r *call) ending(way cloud.Way) cloud.Ending {
	return cloud.Ending{By: app.Caller(r.c).Name, Reason: "on a page of the console", Way: way}
}

// curl is the request of the REST interface for the same action.
func (r *call) curl(method, path, body string) string {
	return r.s.Curl(r.c, method, "/api"+path, nil, body)
}

// part is a tab of the area.
type part struct {
	name  string
	label func(i18n.Lang) string
}

var parts = []part{
	{"", i18n.Lang.FrameOverview}, {"runs", i18n.Lang.FrameRuns}, {"jobs", i18n.Lang.FrameJobs}, {"apps", i18n.Lang.CloudApps}, {"queues", i18n.Lang.CloudQueues},
}

// partOf is the tab of the documents of a kind.
func partOf(kind cloud.Kind) part {
	if kind == cloud.KindApp {
		return parts[3]
	}
	return parts[2]
}

// path is the page of a document, or a form about it.
func (r *call) path(name string, more ...string) string {
	return cloudui.Path(append([]string{partOf(r.kind).name, name}, more...)...)
}

// head is the head of a page about a tab.
func (r *call) head(name string) cloudui.Head {
	h := cloudui.Head{Frame: r.frame(""), Heading: r.l.FrameCloud(), Notices: r.notices()}
	counts := map[string]int{"runs": len(r.Seen.Runs("")), "jobs": len(r.Seen.Jobs()), "apps": len(r.Seen.Apps())}
	for _, p := range parts {
		tab := ui.Tab{Label: p.label(r.l), Href: pageRoute, Active: p.name == name, TestID: "tab-" + p.name}
		if n, counted := counts[p.name]; counted {
			tab.Count = view.Thousands(n)
		}
		if p.name != "" {
			tab.Href = cloudui.Path(p.name)
		}
		h.Tabs = append(h.Tabs, tab)
		if tab.Active && name != "" {
			h.Frame.Title = tab.Label + " · " + r.l.FrameCloud()
		}
	}
	h.Frame.LiveSeconds = listSeconds
	return h
}

// headOf is the head of a page about one thing.
func (r *call) headOf(heading string, of part, more ...layout.Crumb) cloudui.Head {
	crumbs := []layout.Crumb{{Label: r.l.FrameCloud(), Href: pageRoute}, {Label: of.label(r.l), Href: cloudui.Path(of.name)}}
	return cloudui.Head{Frame: r.frame(heading), Heading: heading, Crumbs: append(crumbs, more...), Notices: r.notices()}
}

// headAbout is the head of a form about the document in the address.
func (r *call) headAbout(heading string) cloudui.Head {
	return r.headOf(heading, partOf(r.kind), layout.Crumb{Label: r.name, Href: r.path(r.name), Mono: true})
}

// frame is the frame of a page, which asks for its parts itself.
func (r *call) frame(title string) layout.Frame {
	f := r.s.Frame(r.c, title, app.AreaCloud)
	f.Events = ""
	return f
}

// notices warn that the page may not show the present.
func (r *call) notices() []ui.Notice {
	since, err := r.Seen.Health()
	trouble, near := "", view.NearTime(r.l, since, r.now).Text
	if err != nil {
		trouble = view.Clip(mask.Text(err.Error()), mostTrouble)
	}
	switch {
	case !r.Seen.Synced():
		text := r.l.CloudAwayText()
		if err != nil && since.IsZero() {
			text = trouble
		} else if err != nil {
			text += " " + r.l.CloudAwaySince(near, trouble)
		}
		return []ui.Notice{{Tone: ui.ToneWarn, Heading: r.l.CloudAway(), Text: text, TestID: "cloud-away"}}
	case !r.Seen.Leads() && err != nil:
		return []ui.Notice{{Tone: ui.ToneWarn, Heading: r.l.CloudCannotLead(), Text: r.l.CloudCannotLeadText(near, trouble), TestID: "cloud-cannot-lead"}}
	case !r.Seen.Leads():
		return []ui.Notice{{Tone: ui.ToneQuiet, Heading: r.l.CloudFollows(), Text: r.l.CloudFollowsText(), TestID: "cloud-follows"}}
	}
	return nil
}

// warningNotices are the warnings of a document on its page.
func (r *call) warningNotices(d document) (list []ui.Notice) {
	for _, text := range r.warnings(r.l, d, app.May(r.c, app.Configures)) {
		list = append(list, ui.Notice{Tone: ui.ToneWarn, Heading: r.l.CloudUnusedTitle(), Text: text, TestID: "cloud-warning"})
	}
	return list
}

// look is the tone and the word of a state.
type look struct {
	tone ui.Tone
	word func(i18n.Lang) string
}

// state is a state with a look.
func (k look) state(l i18n.Lang, testID string) ui.State {
	return ui.State{Tone: k.tone, Label: k.word(l), TestID: testID}
}

// chip is the state in the head of a page.
func (k look) chip(l i18n.Lang, testID string) *ui.Chip {
	return &ui.Chip{Tone: k.tone, Label: k.word(l), TestID: testID}
}

// runLook is the look of a run, also in a state of a later version.
func runLook(state cloud.RunState) look {
	known := map[cloud.RunState]look{
		cloud.RunWaiting: {ui.ToneQuiet, i18n.Lang.CloudWaiting}, cloud.RunRunning: {ui.ToneRun, i18n.Lang.RunStateRunning}, cloud.RunSuspended: {ui.ToneWarn, i18n.Lang.CloudSuspended},
		cloud.RunSucceeded: {ui.ToneOK, i18n.Lang.RunStateSuccess}, cloud.RunFailed: {ui.ToneBad, i18n.Lang.RunStateFailed}, cloud.RunKilled: {ui.ToneOff, i18n.Lang.CloudKilled},
	}
	if k, is := known[state]; is {
		return k
	}
	return look{ui.ToneQuiet, i18n.Lang.RunUnknown}
}

// taskLooks are the looks of tasks, those that need attention first.
var taskLooks = []struct {
	state cloud.State
	look
}{
	{tracing.StateFailed, look{ui.ToneBad, i18n.Lang.RunStateFailed}}, {tracing.StateError, look{ui.ToneBad, i18n.Lang.CloudNoStart}},
	{tracing.StateLost, look{ui.ToneLost, i18n.Lang.RunStateLost}}, {tracing.StateUnreachable, look{ui.ToneWarn, i18n.Lang.CloudUnreachable}},
	{tracing.StateRunning, look{ui.ToneRun, i18n.Lang.RunStateRunning}}, {tracing.StateStaging, look{ui.ToneQuiet, i18n.Lang.CloudWaiting}},
	{tracing.StateKilled, look{ui.ToneOff, i18n.Lang.CloudKilled}}, {tracing.StateFinished, look{ui.ToneOK, i18n.Lang.RunStateSuccess}},
}

// taskRank is the place of a state in [taskLooks]. A task that the engine has dropped is lost.
func taskRank(state cloud.State) int {
	for i, known := range taskLooks {
		if known.state == state || state == "" && known.state == tracing.StateStaging {
			return i
		}
	}
	return 2
}

func taskLook(state cloud.State) look { return taskLooks[taskRank(state)].look }

// originWord is the reason for a run.
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

// took is the duration up to the end, or up to now if there is none yet; false before the begin.
func (r *call) took(started, ended time.Time) (time.Duration, bool) {
	if started.IsZero() {
		return 0, false
	}
	if ended.IsZero() {
		ended = r.now
	}
	return max(ended.Sub(started), 0), true
}

// tookWords is took in words.
func (r *call) tookWords(started, ended time.Time) string {
	took, begun := r.took(started, ended)
	switch {
	case !begun:
		return "–"
	case ended.IsZero():
		return r.l.RunSoFar(ui.Span(r.l, took))
	}
	return pageui.Took(r.l, took)
}

// near is an instant with as much date as it needs.
func (r *call) near(t time.Time) ui.Time { return view.NearTime(r.l, t, r.now) }

// titleOf names a run by its job and its fire time.
func (r *call) titleOf(run cloud.RunStatus) string {
	if run.Origin == cloud.OriginDaemon {
		return r.l.CloudDaemonTitle(run.JobName)
	}
	return r.l.RunTitle(run.JobName, r.near(fireOf(run)).Text)
}

// fireOf is the fire time of a run, or the time of its launch.
func fireOf(run cloud.RunStatus) time.Time {
	if run.Fire.IsZero() {
		return run.Created
	}
	return run.Fire
}

// ignored adds a hint that a parameter of the address has an unknown value.
func (r *call) ignored(f *layout.Frame, name, value, want string) {
	f.Ignored = append(f.Ignored, r.l.AddressUnknown(name, strconv.Quote(view.Clip(value, 40)), want))
}

// pageOf is the page number of the address.
func (r *call) pageOf(f *layout.Frame) int {
	text := r.c.Query("page")
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostPages {
		f.Ignored = append(f.Ignored, r.l.AddressNumber("page", strconv.Quote(view.Clip(text, 40)), strconv.Itoa(mostPages)))
		return 1
	}
	return n
}

// pageProblem is an error in the language of a page.
func pageProblem(err error) *app.Problem {
	if p, ok := errors.AsType[*app.Problem](err); ok && p.Code != "cloud_off" {
		return p
	}
	p := *problemOf(err)
	words, known := map[string][2]func(i18n.Lang) string{
		"cloud_off": {i18n.Lang.CloudOff, i18n.Lang.CloudOffHint}, "not_found": {i18n.Lang.CloudNotFound, i18n.Lang.CloudNotFoundHint},
		"exists": {i18n.Lang.CloudExists, i18n.Lang.CloudExistsHint}, "conflict": {i18n.Lang.CloudConflict, i18n.Lang.CloudConflictHint},
		"queue_full": {i18n.Lang.CloudQueueFull, i18n.Lang.CloudQueueFullHint}, "unsupported": {i18n.Lang.CloudUnsupported, i18n.Lang.CloudUnsupportedHint},
		"refused": {i18n.Lang.CloudRefused, i18n.Lang.CloudRefusedHint}, "cloud_unavailable": {i18n.Lang.CloudAway, i18n.Lang.CloudAwayHint},
	}[p.Code]
	if !known {
		return &p
	}
	english := p.Message
	p.GoTo, p.GoToLabel = runsPath, i18n.Lang.CloudToRuns
	if p.Code == "cloud_off" {
		p.GoTo, p.GoToLabel = "/", i18n.Lang.ProblemToOverview
	}
	return p.Said(func(l i18n.Lang) (string, string) {
		if l == i18n.English && slices.Contains([]string{"refused", "not_found", "unsupported", "queue_full"}, p.Code) {
			return english, words[1](l) // It names the document.
		}
		return words[0](l), words[1](l)
	})
}
