package ui

import (
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// ViewsRoute is the page about the saved views of lists.
const ViewsRoute = "/views"

// ViewPath is the address of the list that a view shows.
func ViewPath(v settings.View) string {
	if v.Query == "" {
		return "/" + v.Area
	}
	return "/" + v.Area + "?" + v.Query
}

// SavedViews are the saved views of a list, for the page of the list.
type SavedViews struct {
	List        []settings.View
	area, asked string     // the list, and its current address in the spelling of views
	Notice      *ui.Notice // why they can't be read
}

// ReadViews reads the saved views of a list. If they can't be read, the page has a notice instead.
func ReadViews(s *app.Console, c *gin.Context, area string) SavedViews {
	v := SavedViews{area: area}
	v.asked, _ = query.ViewQuery(area, c.Request.URL.RawQuery)
	if s.Options().Settings == nil {
		return v
	}
	list, err := s.ReadViews(c, area)
	if err != nil {
		p := app.AsProblem(err)
		s.LogFailure(c, p)
		n := ProblemNotice(i18n.From(c.Request.Context()), p, ui.ToneWarn, "views-notice")
		v.Notice = &n
	}
	v.List = list
	return v
}

// Tabs are the views as tabs, with their counts where known. The page shows one of them if active.
func (v SavedViews) Tabs(counts []int) (tabs []ui.Tab, active bool) {
	for i, one := range v.List {
		tab := ui.Tab{Label: one.Name, Href: ViewPath(one), Active: !active && one.Query == v.asked, TestID: "tab-saved"}
		if i < len(counts) && counts[i] >= 0 {
			tab.Count = view.Thousands(counts[i])
		}
		active = active || tab.Active
		tabs = append(tabs, tab)
	}
	return tabs, active
}

// SaveHref is the page that saves the current list as a view; empty if the user may not save views.
func (v SavedViews) SaveHref(c *gin.Context) string {
	if !app.May(c, app.Operates) {
		return ""
	}
	return query.WithQuery(ViewsRoute, url.Values{"area": {v.area}, "query": {v.asked}})
}
