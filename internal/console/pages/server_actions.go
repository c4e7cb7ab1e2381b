package pages

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/servers"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// listedNames is how many names a page that asks lists of a kind; spokenNames
	// is how many a sentence has.
	listedNames = 40
	spokenNames = 5
	// countedJobs is of how many jobs the shards are counted before an action.
	countedJobs = 200
	// mostReason bounds why somebody says to act.
	mostReason = 200
)

// serverWords are the words of the actions on a server, by their verbs.
var serverWords = map[string]struct {
	do        func(i18n.Lang) string
	ask       func(i18n.Lang, string) string
	done      func(i18n.Lang, string, string) string
	nothing   func(i18n.Lang) string
	skip      func(i18n.Lang) string
	dangerous bool
}{
	console.DisableServer.Verb:  {i18n.Lang.ServerDoDisable, i18n.Lang.ServerAskDisable, i18n.Lang.ServerDoneDisable, i18n.Lang.ServerNothingDisable, i18n.Lang.ServerSkipDisabled, false},
	console.EnableServer.Verb:   {i18n.Lang.ServerDoEnable, i18n.Lang.ServerAskEnable, i18n.Lang.ServerDoneEnable, i18n.Lang.ServerNothingEnable, i18n.Lang.ServerSkipEnabled, false},
	console.ShutdownServer.Verb: {i18n.Lang.ServerDoStop, i18n.Lang.ServerAskStop, i18n.Lang.ServerDoneStop, i18n.Lang.ServerNothingStop, i18n.Lang.ServerSkipNoInstance, true},
	console.RemoveServer.Verb:   {i18n.Lang.ServerDoRemove, i18n.Lang.ServerAskRemove, i18n.Lang.ServerDoneRemove, i18n.Lang.ServerNothing, i18n.Lang.ServerNothing, true},
}

// dangerous reports whether an action cannot be taken back.
func dangerous(o console.Action) bool { return serverWords[o.Verb].dangerous }

// serverActionRoutes are the pages that ask before an action on a server, or on one
// job of it, and the targets of their forms.
func (s *Pages) serverActionRoutes() []console.Route {
	var list []console.Route
	for _, o := range console.ServerActions {
		for _, path := range []string{"/servers/:ip/", "/servers/:ip/jobs/:job/"} {
			list = append(list,
				console.Get(path+o.Verb, o.Needs, console.TheRegistry, s.askServer(o)).Asks(),
				console.Post(path+o.Verb, o.Needs, console.TheRegistry, s.serverActionFromPage(o)).Resumes())
		}
	}
	return list
}

// serverTarget reads what an action is about: the jobs of the server, or the one
// that the address names.
func (s *Pages) serverTarget(c *gin.Context) (serverDrawing, string, error) {
	server, err := s.ReadServer(c)
	if err != nil {
		return serverDrawing{}, "", err
	}
	d := serverDrawing{OneServer: server, lang: i18n.From(c.Request.Context()), now: s.Now(), operates: true, removes: true}
	if _, named := c.Params.Get("job"); !named {
		return d, "", nil
	}
	name, err := console.JobName(c)
	if err != nil {
		return d, "", err
	}
	for _, j := range d.Jobs {
		if j.Name == name {
			d.Jobs, d.Instances = []console.ServerJob{j}, j.Instances
			return d, name, nil
		}
	}
	return d, "", console.NoSuchJob(name)
}

// askServer is the page that asks before an action.
func (s *Pages) askServer(o console.Action) gin.HandlerFunc {
	return func(c *gin.Context) { s.showAskServer(c, o, http.StatusOK) }
}

func (s *Pages) showAskServer(c *gin.Context, o console.Action, status int) {
	d, job, err := s.serverTarget(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	plan := d.plan(o)
	if len(plan.will) > 0 && len(plan.will) <= countedJobs {
		names := make([]string, len(plan.will))
		for i, j := range plan.will {
			names[i] = j.Name
		}
		if d.details, err = s.LookUpAll(c, names); err != nil {
			s.Fail(c, err)
			return
		}
	}
	p := d.confirm(o, job, plan)
	p.Frame = s.Frame(c, p.Heading, console.AreaServers)
	p.Curl, p.Reason = s.serverCurl(c, o, d.IP, job), view.Clip(c.PostForm("reason"), mostReason)
	s.Render(c, status, servers.Confirm(p))
}

// serverCurl is the request that does the same.
func (s *Pages) serverCurl(c *gin.Context, o console.Action, ip, job string) string {
	path := "/api" + query.ServerPath(ip)
	if job != "" {
		path = console.JobPath(path+"/jobs", job)
	}
	if o.Verb == console.RemoveServer.Verb {
		return s.Curl(c, http.MethodDelete, path, url.Values{o.Variant: {"true"}}, "")
	}
	return s.Curl(c, http.MethodPost, path+"/"+o.Verb, nil, "")
}

// serverPlan is what an action would do: the jobs that it reaches, and those that it
// skips.
type serverPlan struct{ will, skip []console.ServerJob }

func (d serverDrawing) plan(o console.Action) (p serverPlan) {
	for _, j := range d.Jobs {
		reached := true
		switch o.Verb {
		case console.DisableServer.Verb:
			reached = j.Enabled
		case console.EnableServer.Verb:
			reached = !j.Enabled
		case console.ShutdownServer.Verb:
			reached = len(j.Instances) > 0
		}
		if reached {
			p.will = append(p.will, j)
		} else {
			p.skip = append(p.skip, j)
		}
	}
	return p
}

// target is the server, or one job on it, in a sentence.
func (d serverDrawing) target(job string) string {
	if job == "" {
		return d.IP
	}
	return d.lang.ServerOn(job, d.IP)
}

// confirm says what an action would do, to whom, and what then.
func (d serverDrawing) confirm(o console.Action, job string, plan serverPlan) servers.ConfirmProps {
	l, words := d.lang, serverWords[o.Verb]
	p := servers.ConfirmProps{
		IP: d.IP, Href: query.ServerPath(d.IP), Heading: words.ask(l, d.target(job)), Action: serverActionPath(d.IP, job, o),
		Verb: words.do(l), Danger: dangerous(o), Effects: d.effects(o, plan),
	}
	if len(plan.will) > 0 {
		p.Groups = append(p.Groups, d.group(l.ServerWill(len(plan.will)), "will", plan.will))
	}
	if len(plan.skip) > 0 {
		p.Groups = append(p.Groups, d.group(l.ServerSkipped(len(plan.skip), words.skip(l)), "skipped", plan.skip))
	}
	switch {
	case len(plan.will) == 0:
		p.Nothing, p.Refused = l.ServerNothing(), words.nothing(l)
	case o.Verb == console.RemoveServer.Verb && len(d.Instances) > 0:
		p.Nothing, p.Refused, p.Groups = l.ServerRefused(), l.ServerRefusedLive(len(d.Instances)), nil
	}
	return p
}

func (d serverDrawing) group(heading, id string, jobs []console.ServerJob) servers.Group {
	g := servers.Group{Heading: heading, TestID: id}
	for _, j := range jobs[:min(listedNames, len(jobs))] {
		g.Names = append(g.Names, j.Name)
	}
	if n := len(jobs) - len(g.Names); n > 0 {
		g.More = d.lang.ServerAndMore(n)
	}
	return g
}

// spoken lists names in a sentence.
func spoken(l i18n.Lang, names []string) string {
	if len(names) <= spokenNames {
		return strings.Join(names, ", ")
	}
	return l.ServerNamesMore(strings.Join(names[:spokenNames], ", "), len(names)-spokenNames)
}

// effects says in numbers what an action does.
func (d serverDrawing) effects(o console.Action, plan serverPlan) []string {
	l, n := d.lang, len(plan.will)
	var effects []string
	running := func(sh statistics.Shard) bool { return sh.RunningOn != "" || sh.Status == statistics.ShardRunning }
	switch o.Verb {
	case console.DisableServer.Verb:
		effects = append(effects, l.ServerEffDisable(d.IP, n))
		if shards := d.shards(nil); shards > 0 {
			effects = append(effects, l.ServerEffShards(shards))
		}
		if last := jobsWhere(plan.will, func(j console.ServerJob) bool { return j.Whole.Servers-j.Whole.DisabledServers <= 1 }); len(last) > 0 {
			effects = append(effects, l.ServerEffLastServer(len(last), spoken(l, last)))
		}
	case console.EnableServer.Verb:
		effects = append(effects, l.ServerEffEnable(d.IP, n))
		if len(d.Instances) == 0 {
			effects = append(effects, l.ServerEffNoProcess())
		}
	case console.ShutdownServer.Verb:
		effects = append(effects, l.ServerEffStop(len(d.Instances), n))
		if shards := d.shards(running); shards > 0 {
			effects = append(effects, l.ServerEffRunning(shards))
		}
		if last := jobsWhere(plan.will, func(j console.ServerJob) bool { return j.Whole.Instances <= len(j.Instances) }); len(last) > 0 {
			effects = append(effects, l.ServerEffLastInstance(len(last), spoken(l, last)))
		}
	case console.RemoveServer.Verb:
		effects = append(effects, l.ServerEffRemove(d.IP, n), l.ServerEffRemoveBack())
		if off := disabled(plan.will); off > 0 {
			effects = append(effects, l.ServerEffRemoveDisabled(off))
		}
	}
	return effects
}

// shards counts those here of the jobs that an action reaches.
func (d serverDrawing) shards(counts func(statistics.Shard) bool) int {
	n := 0
	for _, job := range d.details {
		n += shardsOn(job, d.IP, counts)
	}
	return n
}

func jobsWhere(list []console.ServerJob, is func(console.ServerJob) bool) []string {
	var names []string
	for _, j := range list {
		if is(j) {
			names = append(names, j.Name)
		}
	}
	return names
}

// serverActionFromPage is the target of the form that asks.
func (s *Pages) serverActionFromPage(o console.Action) gin.HandlerFunc {
	return func(c *gin.Context) {
		if c.PostForm("confirm") != "yes" {
			console.Refused(c, "not_confirmed")
			s.showAskServer(c, o, console.FormStatus(c))
			return
		}
		t := console.Target{}
		var err error
		if t.IP, err = console.ServerIP(c); err == nil {
			if _, named := c.Params.Get("job"); named {
				t.Job, err = console.JobName(c)
			}
		}
		if err != nil {
			s.Fail(c, err)
			return
		}
		if reason := strings.TrimSpace(c.PostForm("reason")); reason != "" {
			s.Note(c, slog.String("reason", view.Clip(reason, mostReason)))
		}
		if o.Verb == console.RemoveServer.Verb { // never one that lives
			o.Call = o.CallVariant
		}
		l := i18n.From(c.Request.Context())
		out, err := s.Submit(c, o, t)
		if err != nil {
			s.SetFlash(c, pageui.FailedFlash(s.Console, c, err))
		} else {
			s.SetFlash(c, serverOutcome(l, o, t, out))
		}
		s.RedirectHere(c, s.afterServer(c, o, t))
	}
}

// afterServer is where an action leads: to the page of the server, unless that is
// no more.
func (s *Pages) afterServer(c *gin.Context, o console.Action, t console.Target) string {
	if o.Verb == console.RemoveServer.Verb {
		if _, err := s.ReadServerJobs(c, t.IP); err != nil {
			return "/servers"
		}
	}
	return query.ServerPath(t.IP)
}

// serverOutcome tells what an action did.
func serverOutcome(l i18n.Lang, o console.Action, t console.Target, out lifecycle.Outcome) ui.Flash {
	target := t.IP
	if t.Job != "" {
		target = l.ServerOn(t.Job, t.IP)
	}
	f := ui.Flash{Tone: ui.ToneOK, Title: serverWords[o.Verb].done(l, target, spoken(l, out.Affected))}
	if len(out.Affected) == 0 {
		f.Tone, f.Title = ui.ToneWarn, l.ServerDoneNothing(target)
	}
	for _, skip := range out.Skipped[:min(spokenNames, len(out.Skipped))] {
		f.Lines = append(f.Lines, l.ServerSkippedOne(skip.Target, console.SkipReason(l, skip)))
	}
	if n := len(out.Skipped) - spokenNames; n > 0 {
		f.Lines = append(f.Lines, l.ServerAndMore(n))
	}
	return f
}
