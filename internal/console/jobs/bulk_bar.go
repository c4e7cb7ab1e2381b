package jobs

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/internal/console/jobs/bulk"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// bulkBar is what can be done with several jobs of the list. Chosen: the list was
// asked for with all jobs of the view selected.
func bulkBar(c *gin.Context, l i18n.Lang, q query.Jobs, v query.JobsPage, chosen bool) *jobs.BulkBar {
	here := q.OnPage(v.Page)
	p := &jobs.BulkBar{
		All: l.BulkSelectAll(v.Total), AllHref: here.Selecting(), Clear: here.Href(), Return: here.Href(), Count: v.Total,
		AllChosen: chosen, Export: bulk.ExportRoute,
	}
	if q.State != "" {
		_, label := pageui.JobState(l, q.State)
		p.All = l.BulkSelectAllState(v.Total, strings.ToLower(label))
	}
	if chosen {
		p.All, p.Filter = l.BulkAllChosen(v.Total), q.Filter()
	}
	p.Actions = bulk.Buttons(c, l)
	p.Menu = rowPattern(c, l, p)
	return p
}

// rowMenu are the actions behind the dots of a row: the same as on the job's page.
var rowMenu = []app.Action{app.Disable, app.Enable, app.Shutdown, app.Remove}

// rowPattern is the menu of all rows, for the job that it is opened at.
func rowPattern(c *gin.Context, l i18n.Lang, bar *jobs.BulkBar) []ui.MenuEntry {
	page := func(part string) string { return app.JobPath("/jobs", ui.PatternSubject, part) }
	entry := func(o app.Action, label, href string) ui.MenuEntry {
		return ui.MenuEntry{Label: label, Href: href, Danger: o.Asks, TestID: "do-" + o.Verb}
	}
	list := []ui.MenuEntry{
		entry(app.Disable, l.BulkMenuDisable(), jobpage.BulkPath(app.Disable, ui.PatternSubject, bar.Return)),
		entry(app.Enable, l.BulkMenuEnable(), jobpage.BulkPath(app.Enable, ui.PatternSubject, bar.Return)),
		{Label: l.BulkMenuExplain(), Href: page("explain"), TestID: "explain"},
		entry(app.Shutdown, l.BulkMenuStop(), page(app.Shutdown.Verb)),
	}
	if app.May(c, app.Remove.Needs) {
		list = append(list, entry(app.Remove, l.BulkMenuDelete(), page(app.Remove.Verb)))
	}
	return list
}

// addRowActions gives a row its button and what its menu has.
func addRowActions(c *gin.Context, l i18n.Lang, r *jobs.Row, j statistics.Job) {
	r.Run = ui.IconButton{Label: l.BulkRowRun(j.Name), Href: pageui.AskRunPath(j.Name), Refused: jobpage.WhyNotRun(l, j)}
	r.Menu = ui.RowMenu{Label: l.BulkRowMenu(j.Name), Href: r.Href}
	for _, o := range rowMenu {
		if ok, _ := o.Applies(l, j); ok && app.May(c, o.Needs) {
			r.Menu.Has = append(r.Menu.Has, o.Verb)
		}
	}
}
