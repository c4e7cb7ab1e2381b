package pages

import (
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// rowForm is the id of the form that the buttons in the rows of jobs send.
const rowForm = "row"

// bulkBar is what can be done with several jobs of the list. Chosen: the list was
// asked for with all jobs of the view selected.
func bulkBar(l i18n.Lang, q query.Jobs, v query.JobsPage, chosen bool) *jobs.BulkBar {
	here := q.OnPage(v.Page)
	p := &jobs.BulkBar{
		All: l.BulkSelectAll(v.Total), AllHref: here.Selecting(), Clear: here.Href(), Return: here.Href(), Count: v.Total,
		AllChosen: chosen, Export: exportRoute, RowForm: rowForm,
	}
	if q.State != "" {
		_, label := stateLook(l, q.State)
		p.All = l.BulkSelectAllState(v.Total, strings.ToLower(label))
	}
	if chosen {
		p.All, p.Filter = l.BulkAllChosen(v.Total), q.Filter()
	}
	for _, o := range bulkActions {
		p.Actions = append(p.Actions, jobs.BulkButton{Verb: o.Verb, Label: wordsOfBulk[o.Verb].label(l)})
	}
	return p
}

// addRowActions gives a row its button and its menu: the same actions as on the
// job's page.
func addRowActions(l i18n.Lang, r *jobs.Row, j statistics.Job, bar *jobs.BulkBar) {
	_, why := console.Trigger.Applies(l, j)
	r.Trigger = ui.IconButton{
		Icon: "play", Label: l.BulkRowTrigger(j.Name), Form: bar.RowForm, Post: console.JobPath("/jobs", j.Name, console.Trigger.Verb), Refused: why,
		TestID: "do-" + console.Trigger.Verb,
	}
	r.Menu = ui.Menu{Label: l.BulkRowMenu(j.Name)}
	add := func(o console.Action, label, href string) {
		if ok, _ := o.Applies(l, j); ok {
			r.Menu.Entries = append(r.Menu.Entries, ui.MenuEntry{Label: label, Href: href, Danger: o.Asks, TestID: "do-" + o.Verb})
		}
	}
	add(console.Disable, l.BulkMenuDisable(), bulkHref(console.Disable, j.Name, bar.Return))
	add(console.Enable, l.BulkMenuEnable(), bulkHref(console.Enable, j.Name, bar.Return))
	r.Menu.Entries = append(r.Menu.Entries, ui.MenuEntry{Label: l.BulkMenuExplain(), Href: console.JobPath("/jobs", j.Name, "explain"), TestID: "explain"})
	add(console.Shutdown, l.BulkMenuStop(), console.JobPath("/jobs", j.Name, console.Shutdown.Verb))
	add(console.Remove, l.BulkMenuDelete(), console.JobPath("/jobs", j.Name, console.Remove.Verb))
}
