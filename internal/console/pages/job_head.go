package pages

import (
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// jobHead is what a page of a job begins with; the tab is the one it is.
func (s *Pages) jobHead(c *gin.Context, job statistics.JobDetail, tab string, runs []tracing.Execution) jobs.JobHead {
	f := s.Frame(c, job.Name, console.AreaJobs)
	f.LiveSeconds = console.LiveSeconds
	operates := console.May(c, console.Operates)
	if operates {
		f.Scripts = append(f.Scripts, "menu.js")
	}
	l := i18n.From(c.Request.Context())
	h := s.JobHealth(c, job.Job)
	p := headOf(l, f, job.Job, h, tab)
	s.addSwitch(c, &p, h, job.Job)
	p.Held = heldNote(l, job, operates)
	if operates {
		p.Actions, p.More = headActions(c, l, job.Job, p.Href)
		if p.Held == nil {
			p.More.Entries = slices.Insert(p.More.Entries, heldPlace, ui.MenuEntry{Label: l.HoldLabel(), Href: console.JobPath("/jobs", job.Name, console.Hold.Verb), TestID: "ask-hold"})
		}
	}
	if operates && job.Cron != "" {
		p.More.Entries = slices.Insert(p.More.Entries, heldPlace, ui.MenuEntry{Label: l.BackfillLabel(), Href: console.JobPath("/jobs", job.Name, console.Backfill.Verb), TestID: "ask-backfill"})
	}
	if log := s.Members(c); log != nil {
		if runs == nil {
			runs = s.lastRunsIfLeft(c, job.Job)
		}
		p.Story = storyOf(l, job, h, eventsOf(job, log.Of(job.Name, storyEvents), runs), log.Departed(job.Name), s.Now())
	}
	return p
}

// about is the title and the description of a job.
func about(j statistics.Job) string {
	if j.Title == "" || j.Description == "" {
		return j.Title + j.Description
	}
	return j.Title + " · " + j.Description
}

func headOf(l i18n.Lang, f layout.Frame, job statistics.Job, h health.Health, tab string) jobs.JobHead {
	p := jobs.JobHead{
		Frame: f, Name: job.Name, Description: about(job), Href: console.JobPath("/jobs", job.Name),
		Status: pageui.HealthChip(l, h, job), Short: h.Reason, Reason: h.Sentence, WhyHref: console.JobPath("/jobs", job.Name, "explain"),
		Tabs: jobTabs(l, job.Name, job.Shards, tab),
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
	add(l.JobMenuYaml(), console.JobPath("/jobs", j.Name, "config")+"?view=yaml", "as-yaml", false)
	for _, b := range jobActions(c, l, j, back) {
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

// jobTabs are the parts of a job; shards is how many it has, 0 if that is not known.
func jobTabs(l i18n.Lang, job string, shards int, active string) []ui.Tab {
	tab := func(key, label, href string) ui.Tab {
		return ui.Tab{Label: label, Href: href, Active: key == active, TestID: "tab-" + key}
	}
	at := func(part string) string { return console.JobPath("/jobs", job, part) }
	tabs := []ui.Tab{
		tab("overview", l.JobTabsOverview(), console.JobPath("/jobs", job)),
		tab("runs", l.JobTabsRuns(), runsOf(job)),
		tab("requested", l.JobTabsRequested(), console.RequestedPath(job)),
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
