package servers

import (
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	serverpages "github.com/elasticjob-go/elasticjob/web/templates/servers"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// spokenNames is how many names a sentence lists, and as many lines a message has.
	spokenNames = 5
	// lookedUpJobs is how many jobs are looked up at most before an action, to count their shards.
	lookedUpJobs = 200
	// mostReason bounds the reason for an action.
	mostReason = 200
)

// action is an action on a server or on one job of it.
type action struct {
	app.Action
	harmless bool
	// reaches reports whether the action changes anything for a job of the server.
	reaches func(job) bool
	// effects are the consequences in numbers; will are the jobs that the action reaches.
	effects func(d drawing, will []job) []string

	do, nothing, skip func(i18n.Lang) string
	ask               func(l i18n.Lang, target string) string
	done              func(l i18n.Lang, target, names string) string
}

// actions are the actions on a server, in the order of the buttons.
var actions = []action{
	{
		app.DisableServer, true, func(j job) bool { return j.Enabled }, drawing.disableEffects,
		i18n.Lang.ServerDoDisable, i18n.Lang.ServerNothingDisable, i18n.Lang.ServerSkipDisabled,
		i18n.Lang.ServerAskDisable, i18n.Lang.ServerDoneDisable,
	},
	{
		app.EnableServer, true, job.off, drawing.enableEffects,
		i18n.Lang.ServerDoEnable, i18n.Lang.ServerNothingEnable, i18n.Lang.ServerSkipEnabled,
		i18n.Lang.ServerAskEnable, i18n.Lang.ServerDoneEnable,
	},
	{
		app.ShutdownServer, false, job.live, drawing.stopEffects,
		i18n.Lang.ServerDoStop, i18n.Lang.ServerNothingStop, i18n.Lang.ServerSkipNoInstance,
		i18n.Lang.ServerAskStop, i18n.Lang.ServerDoneStop,
	},
	{
		app.RemoveServer, false, func(job) bool { return true }, drawing.removeEffects,
		i18n.Lang.ServerDoRemove, i18n.Lang.ServerNothing, i18n.Lang.ServerNothing,
		i18n.Lang.ServerAskRemove, i18n.Lang.ServerDoneRemove,
	},
}

func (a action) removes() bool { return a.Verb == app.RemoveServer.Verb }

// path is the page of an action on a server, or on one job of it.
func (a action) path(ip, job string) string {
	if job == "" {
		return query.ServerPath(ip, a.Verb)
	}
	return app.JobPath(query.ServerPath(ip, "jobs"), job, a.Verb)
}

// buttons are the actions that change something, on one job of the server or, without a name, on all.
func (d drawing) buttons(name string, of []job) (list []ui.Button) {
	live := slices.ContainsFunc(of, job.live)
	for _, a := range actions {
		if !slices.ContainsFunc(of, a.reaches) || a.removes() && (live || !d.removes) {
			continue
		}
		b := ui.Button{
			Label: a.do(d.lang) + "…", Href: a.path(d.ip, name), Subject: name, Small: name != "", TestID: "do-" + a.Verb,
		}
		if !a.harmless {
			b.Kind = ui.ButtonDanger
		}
		list = append(list, b)
	}
	return list
}

// askPage is the page that asks before an action.
func (a action) askPage(s servers) func(*gin.Context) error {
	return func(c *gin.Context) error { return a.show(s, c, http.StatusOK) }
}

func (a action) show(s servers, c *gin.Context, status int) error {
	srv, err := s.read(c)
	if err != nil {
		return err
	}
	l := i18n.From(c.Request.Context())
	d, name, target := drawing{server: srv, lang: l}, "", srv.ip
	if _, named := c.Params.Get("job"); named {
		if name, err = app.JobName(c); err != nil {
			return err
		}
		if d.jobs = d.where(func(j job) bool { return j.Name == name }); len(d.jobs) == 0 {
			return app.NoSuchJob(name)
		}
		d.instances, target = d.jobs[0].Instances, l.ServerOn(name, srv.ip)
	}
	will, skip := d.where(a.reaches), d.where(func(j job) bool { return !a.reaches(j) })
	if len(will) <= lookedUpJobs {
		if d.details, err = s.lookUp(c, will); err != nil {
			return err
		}
	}
	q := layout.Question{
		Action: a.path(srv.ip, name), Verb: a.do(l), Harmless: a.harmless, Effects: a.effects(d, will),
		Fields: serverpages.Reason(view.Clip(c.PostForm("reason"), mostReason)), Curl: a.curl(s, c, srv.ip, name),
		Back: query.ServerPath(srv.ip), BackLabel: l.ServerBack(),
	}
	if len(will) > 0 {
		q.Targets = append(q.Targets, layout.Targets{Heading: l.ServerWill(len(will)), TestID: "will", Names: namesOf(will)})
	}
	if len(skip) > 0 {
		heading := l.ServerSkipped(len(skip), a.skip(l))
		q.Targets = append(q.Targets, layout.Targets{Heading: heading, TestID: "skipped", Names: namesOf(skip)})
	}
	switch {
	case len(will) == 0:
		q.Impossible, q.Refused = l.ServerNothing(), a.nothing(l)
	case a.removes() && len(d.instances) > 0:
		q.Impossible, q.Refused, q.Targets = l.ServerRefused(), l.ServerRefusedLive(len(d.instances)), nil
	}
	crumbs := []layout.Crumb{{Label: l.FrameFleet(), Href: "/servers"}, {Label: srv.ip, Href: q.Back, Mono: true}}
	s.Render(c, status, layout.Confirm(s.Frame(c, a.ask(l, target), app.AreaServers), crumbs, q))
	return nil
}

// curl is the request that does the same.
func (a action) curl(s servers, c *gin.Context, ip, job string) string {
	path := "/api" + query.ServerPath(ip)
	if job != "" {
		path = app.JobPath(path+"/jobs", job)
	}
	if a.removes() {
		return s.Curl(c, http.MethodDelete, path, url.Values{a.Variant: {"true"}}, "")
	}
	return s.Curl(c, http.MethodPost, path+"/"+a.Verb, nil, "")
}

func (d drawing) disableEffects(will []job) []string {
	effects := []string{d.lang.ServerEffDisable(d.ip, len(will))}
	if shards := d.shards(nil); shards > 0 {
		effects = append(effects, d.lang.ServerEffShards(shards))
	}
	last := func(j job) bool { return j.Enabled && j.whole.Servers-j.whole.DisabledServers <= 1 }
	return d.without(effects, last, i18n.Lang.ServerEffLastServer)
}

func (d drawing) enableEffects(will []job) []string {
	effects := []string{d.lang.ServerEffEnable(d.ip, len(will))}
	if len(d.instances) == 0 {
		effects = append(effects, d.lang.ServerEffNoProcess())
	}
	return effects
}

func (d drawing) stopEffects(will []job) []string {
	effects := []string{d.lang.ServerEffStop(len(d.instances), len(will))}
	running := func(sh statistics.Shard) bool { return sh.RunningOn != "" || sh.Status == statistics.ShardRunning }
	if shards := d.shards(running); shards > 0 {
		effects = append(effects, d.lang.ServerEffRunning(shards))
	}
	last := func(j job) bool { return j.live() && j.whole.Instances <= len(j.Instances) }
	return d.without(effects, last, i18n.Lang.ServerEffLastInstance)
}

func (d drawing) removeEffects(will []job) []string {
	effects := []string{d.lang.ServerEffRemove(d.ip, len(will)), d.lang.ServerEffRemoveBack()}
	if off := len(d.where(job.off)); off > 0 {
		effects = append(effects, d.lang.ServerEffRemoveDisabled(off))
	}
	return effects
}

// without appends a sentence about the jobs that would not run any more, if there are any.
func (d drawing) without(effects []string, last func(job) bool, sentence func(i18n.Lang, int, string) string) []string {
	if names := namesOf(d.where(last)); len(names) > 0 {
		effects = append(effects, sentence(d.lang, len(names), pageui.FirstNames(d.lang, names, spokenNames)))
	}
	return effects
}

// shards counts the shards on the server of the jobs that were looked up.
func (d drawing) shards(counts func(statistics.Shard) bool) (n int) {
	for _, detail := range d.details {
		n += shardsOn(detail, d.ip, counts)
	}
	return n
}

// fromPage is the target of the form that asks.
func (a action) fromPage(s servers) func(*gin.Context) error {
	return func(c *gin.Context) error {
		if c.PostForm("confirm") != "yes" {
			app.Refused(c, "not_confirmed")
			return a.show(s, c, app.FormStatus(c))
		}
		t, err := app.TargetOf(c)
		if err != nil {
			return err
		}
		noteReason(s, c)
		o := a.Action
		if a.removes() { // never a server with live instances
			o.Call = o.CallVariant
		}
		if out, err := s.Submit(c, o, t); err != nil {
			s.SetFlash(c, pageui.FailedFlash(s.Console, c, err))
		} else {
			s.SetFlash(c, a.outcome(i18n.From(c.Request.Context()), t, out))
		}
		next := query.ServerPath(t.IP)
		if a.removes() {
			if _, err := s.readJobs(c); err != nil { // the server no longer has a page
				next = "/servers"
			}
		}
		s.RedirectHere(c, next)
		return nil
	}
}

// noteReason adds the reason in a form to the audit record.
func noteReason(s servers, c *gin.Context) {
	if reason := strings.TrimSpace(c.PostForm("reason")); reason != "" {
		s.Note(c, slog.String("reason", view.Clip(reason, mostReason)))
	}
}

// outcome reports what an action did.
func (a action) outcome(l i18n.Lang, t app.Target, out lifecycle.Outcome) ui.Flash {
	target := t.IP
	if t.Job != "" {
		target = l.ServerOn(t.Job, t.IP)
	}
	f := ui.Flash{Tone: ui.ToneOK, Title: a.done(l, target, pageui.FirstNames(l, out.Affected, spokenNames))}
	if len(out.Affected) == 0 {
		f.Tone, f.Title = ui.ToneWarn, l.ServerDoneNothing(target)
	}
	for _, skip := range out.Skipped[:min(spokenNames, len(out.Skipped))] {
		f.Lines = append(f.Lines, l.ActionSkipped(skip.Target, app.SkipReason(l, skip)))
	}
	if n := len(out.Skipped) - spokenNames; n > 0 {
		f.Lines = append(f.Lines, l.ServerAndMore(n))
	}
	return f
}
