package pages

import (
	"net/http"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/servers"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// serverJobsPage is how many jobs of a server one page lists, countedServerJobs of
	// how many at most the shards are read nevertheless.
	serverJobsPage, countedServerJobs = query.ScreenRows, 50
	// mostInstanceRows is how many of its instances are listed.
	mostInstanceRows = 50
)

// serverPage is one server.
func (s *Pages) serverPage(c *gin.Context) {
	server, err := s.ReadServer(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	asked, hints := query.ParseServer(server.IP, c.Request.URL.Query(), s.Now())
	d := serverDrawing{OneServer: server, asked: asked, lang: i18n.From(c.Request.Context()), now: s.Now(), zone: ui.ZoneOf(c.Request.Context()), operates: console.May(c, console.Operates), removes: console.May(c, console.RemoveServer.Needs)}
	shown := d.page()
	names := namesOf(shown)
	looked := names
	if len(d.Jobs) <= countedServerJobs {
		looked = namesOf(d.Jobs)
	}
	if d.details, err = s.LookUpAll(c, looked); err != nil {
		s.Fail(c, err)
		return
	}
	var historyErr *console.Problem
	if d.last, historyErr = s.ReadLastRuns(c, names, runsPerJob); historyErr != nil {
		s.LogFailure(c, historyErr)
	}
	p := d.props(shown)
	p.Frame = s.Frame(c, server.IP, console.AreaServers)
	p.Frame.LiveSeconds = console.LiveSeconds
	p.Ran = s.ranOn(c, d)
	p.Frame.Ignored = append(p.Frame.Ignored, hints.In(i18n.From(c.Request.Context()))...)
	s.Render(c, http.StatusOK, servers.Server(p))
}

// ranOn reads and draws what ran on a server. Its history being away takes nothing
// else from the page.
func (s *Pages) ranOn(c *gin.Context, d serverDrawing) servers.Ran {
	p := d.ranForm()
	from, to := d.asked.Window(d.now)
	rows, complete, err := s.RanOn(c, d.IP, from, to)
	var at []tracing.Execution
	all := true
	if err == nil && !d.asked.At.IsZero() {
		at, all, err = s.RanAt(c, d.IP, d.asked.At)
	}
	if err != nil {
		problem := console.AsProblem(err)
		s.LogFailure(c, problem)
		p.Problem = &ui.Problem{Title: d.lang.ServerNoHistory() + ":", Text: pageui.ProblemText(d.lang, problem), Again: d.lang.ProblemTryNow(), Href: d.asked.Href()}
		return p
	}
	d.draw(&p, rows, complete)
	for _, e := range at {
		p.Rows = append(p.Rows, d.execution(e))
	}
	if !all {
		p.RowsNote = d.lang.ServerAtMore()
	}
	return p
}

func namesOf(list []console.ServerJob) []string {
	names := make([]string, len(list))
	for i, j := range list {
		names[i] = j.Name
	}
	return names
}

// serverDrawing makes the page of a server.
type serverDrawing struct {
	console.OneServer
	asked    query.Server
	lang     i18n.Lang
	now      time.Time
	zone     *time.Location // of the page
	operates bool           // actions on servers
	removes  bool           // also their removal
	// details and last are those of the jobs that the page lists; unless there are too
	// many, details are of all.
	details map[string]statistics.JobDetail
	last    map[string][]tracing.Execution
}

// page are the jobs of the page that was asked for, or of the last one there is.
func (d *serverDrawing) page() []console.ServerJob {
	pages := max(1, (len(d.Jobs)+serverJobsPage-1)/serverJobsPage)
	d.asked.Page = min(d.asked.Page, pages)
	from := (d.asked.Page - 1) * serverJobsPage
	return d.Jobs[from:min(len(d.Jobs), from+serverJobsPage)]
}

func (d serverDrawing) props(shown []console.ServerJob) servers.ServerProps {
	p := servers.ServerProps{IP: d.IP, Operates: d.operates, JobsSub: d.lang.ServerJobsSub(len(d.Jobs))}
	p.State, p.Reason = d.state()
	if d.operates {
		p.Actions = d.buttons("", d.Jobs)
	}
	for _, j := range shown {
		p.Jobs = append(p.Jobs, d.job(j))
	}
	p.JobsPager = d.pager(len(shown))
	p.Instances = d.instances()
	if n := len(p.Instances) - mostInstanceRows; n > 0 {
		p.Instances, p.MoreInstances = p.Instances[:mostInstanceRows], d.lang.ServerMoreInstances(n)
	}
	return p
}

// disabled counts the jobs that are disabled on the server.
func disabled(list []console.ServerJob) int {
	n := 0
	for _, j := range list {
		if !j.Enabled {
			n++
		}
	}
	return n
}

// state says how the server is, as the list of servers does.
func (d serverDrawing) state() (ui.Chip, string) {
	l, off := d.lang, disabled(d.Jobs)
	chip := ui.Chip{Tone: ui.ToneOK, Label: l.FleetOnline(), TestID: "server-state"}
	switch {
	case len(d.Instances) == 0:
		chip.Tone, chip.Label = ui.ToneQuiet, l.FleetOffline()
		return chip, l.ServerLineOffline(len(d.Jobs))
	case off == len(d.Jobs):
		chip.Tone, chip.Label = ui.ToneOff, l.FleetDisabled()
		return chip, l.ServerLineDisabled()
	case off > 0:
		return chip, l.ServerLineSome(off, len(d.Jobs))
	}
	return chip, l.ServerLineOnline(len(d.Instances), len(d.Jobs))
}

// buttons are the actions that have something to do, on one job of the server or,
// without a name, on all.
func (d serverDrawing) buttons(job string, of []console.ServerJob) []ui.Button {
	off := disabled(of)
	live := slices.ContainsFunc(of, func(j console.ServerJob) bool { return len(j.Instances) > 0 })
	applies := map[string]bool{
		console.DisableServer.Verb: off < len(of), console.EnableServer.Verb: off > 0,
		console.ShutdownServer.Verb: live, console.RemoveServer.Verb: !live && d.removes,
	}
	var list []ui.Button
	for _, o := range console.ServerActions {
		if !applies[o.Verb] {
			continue
		}
		b := ui.Button{Label: serverWords[o.Verb].do(d.lang) + "…", Href: serverActionPath(d.IP, job, o), Subject: job, Small: job != "", TestID: "do-" + o.Verb}
		if dangerous(o) {
			b.Kind = ui.ButtonDanger
		}
		list = append(list, b)
	}
	return list
}

// job is one line of the jobs.
func (d serverDrawing) job(j console.ServerJob) servers.JobRow {
	tone, label := pageui.JobState(d.lang, j.State)
	h := d.Health(j)
	r := servers.JobRow{
		Name: j.Name, Key: query.RowKey(j.Name), Href: console.JobPath("/jobs", j.Name),
		State:  ui.State{Tone: tone, Label: label, Reason: h.Reason, Title: h.Sentence},
		Here:   ui.State{Tone: ui.ToneOK, Label: d.lang.ServerEnabled(), TestID: "here"},
		Shards: "–", Instances: view.Thousands(len(j.Instances)),
	}
	if !j.Enabled {
		r.Here.Tone, r.Here.Label = ui.ToneOff, d.lang.ServerDisabled()
	}
	if detail, ok := d.details[j.Name]; ok {
		r.Shards = d.lang.ServerShardsOf(shardsOn(detail, d.IP, nil), j.Shards)
	}
	for _, e := range d.last[j.Name] {
		if e.IP != d.IP {
			continue
		}
		state := rdb.StateOf(e)
		r.Last = view.AgoTime(e.StartTime, d.now)
		r.LastState = ui.State{Tone: pageui.RunTone(state), Label: pageui.RunState(d.lang, state)}
		break
	}
	if d.operates {
		r.Actions = d.buttons(j.Name, []console.ServerJob{j})
	}
	return r
}

// shardsOn counts the shards that are assigned to live instances of an address,
// those that counts accepts; nil accepts all.
func shardsOn(job statistics.JobDetail, ip string, counts func(statistics.Shard) bool) int {
	live := make(map[string]bool)
	for _, i := range job.Instances {
		live[i.ID] = i.IP == ip
	}
	n := 0
	for _, sh := range job.Shards {
		if live[sh.Instance] && (counts == nil || counts(sh)) {
			n++
		}
	}
	return n
}

func (d serverDrawing) pager(shown int) ui.Pager {
	p := ui.Pager{PrevLabel: d.lang.ServerPrevious(), NextLabel: d.lang.ServerNext()}
	first := (d.asked.Page - 1) * serverJobsPage
	p.Summary = d.lang.ServerFirstOf(first+1, first+shown, len(d.Jobs))
	turn := func(page int) string { q := d.asked; q.Page = page; return q.Href() }
	if d.asked.Page > 1 {
		p.Prev = turn(d.asked.Page - 1)
	}
	if first+shown < len(d.Jobs) {
		p.Next = turn(d.asked.Page + 1)
	}
	return p
}

// instances are the live ones. What they own is known if all jobs were looked up; of a
// server with more jobs the columns say nothing.
func (d serverDrawing) instances() []servers.InstanceRow {
	jobs := make(map[string]int)
	for _, j := range d.Jobs {
		for _, id := range j.Instances {
			jobs[id]++
		}
	}
	var rows []servers.InstanceRow
	for _, id := range d.Instances {
		r := servers.InstanceRow{ID: id, Jobs: view.Thousands(jobs[id]), Shards: "–", Leads: "–"}
		shards, leads := 0, 0
		for _, job := range d.details {
			for _, i := range job.Instances {
				if i.ID != id {
					continue
				}
				if i.Leader {
					leads++
				}
				if r.Since.ISO == "" || i.Since.UTC().Format("2006-01-02T15:04:05Z") < r.Since.ISO {
					r.Since = view.ForTime(i.Since, d.now)
				}
			}
			for _, sh := range job.Shards {
				if sh.Instance == id {
					shards++
				}
			}
		}
		if len(d.Jobs) <= countedServerJobs {
			r.Shards, r.Leads = view.Thousands(shards), view.Thousands(leads)
		}
		rows = append(rows, r)
	}
	return rows
}

// serverActionPath is the page of an action on a server, or on one job of it.
func serverActionPath(ip, job string, o console.Action) string {
	if job == "" {
		return query.ServerPath(ip, o.Verb)
	}
	return console.JobPath(query.ServerPath(ip, "jobs"), job, o.Verb)
}

// runsOnHref lists the runs that went on at the instant that was asked for.
func (d serverDrawing) runsOnHref() string {
	return query.WithQuery("/runs", query.RunValues(rdb.RunFilter{IP: d.IP, From: d.asked.At, To: d.asked.At}))
}
