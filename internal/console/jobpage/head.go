package jobpage

import (
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Head begins each page of a job. The tab is the page's own; runs are the newest executions, and are
// read if they are nil.
func Head(s *app.Console, c *gin.Context, job statistics.JobDetail, tab string, runs []tracing.Execution) jobs.JobHead {
	f := s.Frame(c, job.Name, app.AreaJobs)
	f.LiveSeconds = app.LiveSeconds
	operates := app.May(c, app.Operates)
	if operates {
		f.Scripts = append(f.Scripts, "menu.js")
	}
	l := i18n.From(c.Request.Context())
	h := s.JobHealth(c, job.Job)
	p := HeadOf(l, f, job.Job, h, tab)
	p.Disabled = disabledNote(s, c, h, job.Job)
	p.Held = pageui.HeldNote(l, job, operates)
	if operates {
		p.Actions, p.More = headActions(c, l, job.Job, p.Href)
		if p.Held == nil {
			p.More.Entries = slices.Insert(p.More.Entries, heldPlace, ui.MenuEntry{Label: l.HoldLabel(), Href: app.JobPath("/jobs", job.Name, app.Hold.Verb), TestID: "ask-hold"})
		}
	}
	if operates && job.Cron != "" {
		p.More.Entries = slices.Insert(p.More.Entries, heldPlace, ui.MenuEntry{Label: l.BackfillLabel(), Href: app.JobPath("/jobs", job.Name, app.Backfill.Verb), TestID: "ask-backfill"})
	}
	if log := s.Members(c); log != nil {
		if runs == nil {
			runs = LastRunsIfLeft(s, c, job.Job)
		}
		p.Story = storyOf(l, job, h, EventsOf(job, log.Of(job.Name, StoryEvents), runs), log.Departed(job.Name), s.Now())
	}
	return p
}

// About is the title and the description of a job.
func About(j statistics.Job) string {
	if j.Title == "" || j.Description == "" {
		return j.Title + j.Description
	}
	return j.Title + " · " + j.Description
}

// HeadOf is the head without actions, for a job that can't be read.
func HeadOf(l i18n.Lang, f layout.Frame, job statistics.Job, h health.Health, tab string) jobs.JobHead {
	p := jobs.JobHead{
		Frame: f, Name: job.Name, Description: About(job), Href: app.JobPath("/jobs", job.Name),
		Status: pageui.HealthChip(l, h, job), Short: h.Reason, Reason: h.Sentence, WhyHref: app.JobPath("/jobs", job.Name, "explain"),
		Tabs: Tabs(l, job.Name, job.Shards, tab),
	}
	if i := slices.IndexFunc(p.Tabs, func(t ui.Tab) bool { return t.Active }); i > 0 { // not the overview
		p.Frame.Title = p.Tabs[i].Label + " · " + job.Name
	}
	if tone := p.Status.Tone; tone == ui.ToneBad || tone == ui.ToneWarn { // Explain has a finding
		p.Tabs[explainTab].Tone = tone
	}
	return p
}

// headActions are an operator's buttons for a job: to disable or enable it, and, as the
// main button, to run it. The menu has the rest.
func headActions(c *gin.Context, l i18n.Lang, j statistics.Job, back string) (buttons []ui.Button, more ui.Menu) {
	more = ui.Menu{Label: l.BulkRowMenu(j.Name)}
	add := func(label, href, testID string, danger bool) {
		more.Entries = append(more.Entries, ui.MenuEntry{Label: label, Href: href, Danger: danger, TestID: testID})
	}
	add(l.JobMenuYaml(), app.JobPath("/jobs", j.Name, "config")+"?view=yaml", "as-yaml", false)
	for _, b := range Actions(c, l, j, back) {
		if b.Kind == ui.ButtonDanger {
			add(b.Label, b.Href, b.TestID, true)
		} else {
			buttons = append(buttons, b)
		}
	}
	slices.SortStableFunc(buttons, func(a, b ui.Button) int { return strings.Compare(string(a.Kind), string(b.Kind)) }) // the main button last
	return buttons, more
}

// heldPlace is where the menu offers to hold a job.
const heldPlace = 0

// Places of tabs.
const (
	shardsTab  = 3
	explainTab = 5
)

// Tabs are the parts of a job; shards is how many it has, 0 if that is not known.
func Tabs(l i18n.Lang, job string, shards int, active string) []ui.Tab {
	tab := func(key, label, href string) ui.Tab {
		return ui.Tab{Label: label, Href: href, Active: key == active, TestID: "tab-" + key}
	}
	at := func(part string) string { return app.JobPath("/jobs", job, part) }
	tabs := []ui.Tab{
		tab("overview", l.JobTabsOverview(), app.JobPath("/jobs", job)),
		tab("runs", l.JobTabsRuns(), pageui.RunsPath(job)),
		tab("requested", l.JobTabsRequested(), app.RequestedPath(job)),
		tab("shards", l.JobTabsShards(), at("shards")),
		tab("config", l.JobTabsConfig(), at("config")),
		tab("explain", l.JobTabsExplain(), at("explain")),
		tab("activity", l.JobTabsActivity(), at("activity")),
	}
	if shards > 0 {
		tabs[shardsTab].Count = view.Thousands(shards)
	}
	return tabs
}

// WhyNotRun is the reason why a job can't run at all; empty if it can. Without instances, or
// disabled, a requested run waits, so the page that asks explains that.
func WhyNotRun(l i18n.Lang, j statistics.Job) string {
	if j.Status == statistics.StatusBroken {
		return l.ActionUnreadable()
	}
	return ""
}

// Actions are the buttons of a job for an operator. Each leads to a page that asks.
func Actions(c *gin.Context, l i18n.Lang, j statistics.Job, back string) []ui.Button {
	var list []ui.Button
	for _, o := range app.Actions {
		if ok, why := o.Applies(l, j); !ok && why == "" || !app.May(c, o.Needs) {
			continue
		}
		b := ui.Button{Label: o.Label(l) + "…", Href: app.JobPath("/jobs", j.Name, o.Verb), TestID: "do-" + o.Verb, Subject: j.Name}
		switch o.Verb {
		case app.Trigger.Verb:
			b = ui.Button{Kind: ui.ButtonMain, Icon: "play", Label: l.RequestRun(), Href: pageui.AskRunPath(j.Name), Disabled: WhyNotRun(l, j), TestID: "do-run", Subject: j.Name}
		case app.Disable.Verb, app.Enable.Verb:
			b.Icon, b.Href = "pause", BulkPath(o, j.Name, back)
		default:
			b.Kind = ui.ButtonDanger
		}
		list = append(list, b)
	}
	return list
}

// disabledNote names the account that disabled a job, its reason, and when the console enables the job
// again; nil if the job isn't disabled or the console doesn't know.
func disabledNote(s *app.Console, c *gin.Context, h health.Health, job statistics.Job) *ui.Note {
	if h.State != explain.Disabled {
		return nil
	}
	w, ok := s.Switches(c, []string{job.Name})[job.Name]
	if !ok {
		return nil
	}
	l := i18n.From(c.Request.Context())
	n := ui.Note{Tone: ui.ToneOff, Title: l.BulkDisabledBy(w.User, view.DateTime(w.At).Text), TestID: "disabled-by"}
	if w.Reason != "" {
		n.Title = l.BulkDisabledByWhy(w.User, view.DateTime(w.At).Text, strings.TrimRight(w.Reason, "."))
	}
	if !w.EnableAt.IsZero() {
		n.Text = l.BulkEnabledAt(view.DateTime(w.EnableAt).Text)
		if app.Caller(c).Role == "root" {
			n.Action = &ui.Button{Label: l.BulkStay(), Post: app.JobPath("/jobs", job.Name, "stay-disabled"), Small: true, TestID: "stay-disabled"}
		}
	}
	return &n
}

// BulkPath is the page of an action on one job. It returns to back.
func BulkPath(o app.Action, job, back string) string {
	return query.WithQuery(pageui.BulkRoute, url.Values{"do": {o.Verb}, "job": {job}, "return": {back}})
}
