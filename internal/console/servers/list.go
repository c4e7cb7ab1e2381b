package servers

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	serverpages "github.com/elasticjob-go/elasticjob/web/templates/servers"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// listedServers is how many servers a page lists.
const listedServers = 100

// views are the views of the list, in their order.
var views = []struct {
	state string
	label func(i18n.Lang) string
	has   func(statistics.Server) bool
}{
	{"", i18n.Lang.FleetAll, func(statistics.Server) bool { return true }},
	{"online", i18n.Lang.FleetOnline, func(s statistics.Server) bool { return !offline(s) }},
	{"disabled", i18n.Lang.CleanupViewDisabled, func(s statistics.Server) bool { return s.DisabledJobs > 0 }},
	{"offline", i18n.Lang.CleanupViewOffline, offline},
}

func offline(s statistics.Server) bool { return s.Instances == 0 }

// worstFirst sorts servers: offline servers first, then servers that are disabled somewhere, then
// servers that are offline and disabled, then the others.
func worstFirst(a, b statistics.Server) int {
	urgency := func(s statistics.Server) int {
		off := s.Jobs > 0 && s.DisabledJobs == s.Jobs
		switch {
		case offline(s) && !off:
			return 0
		case !offline(s) && s.DisabledJobs > 0:
			return 1
		case offline(s):
			return 2
		}
		return 3
	}
	return cmp.Or(cmp.Compare(urgency(a), urgency(b)), byIP(a, b))
}

// listPage is the list of servers.
func (s servers) listPage(c *gin.Context) error {
	all, err := s.ReadServers(c)
	if err != nil {
		return err
	}
	l, v := i18n.From(c.Request.Context()), c.Request.URL.Query()
	text, state := strings.TrimSpace(v.Get("q")), v.Get("state")
	p := serverpages.ListProps{Frame: s.Frame(c, "", app.AreaServers), Query: text}
	p.Frame.LiveSeconds = app.LiveSeconds
	page, problems := query.ParsePage(v, nil)
	p.Frame.Ignored = append(p.Frame.Ignored, problems.In(l)...)
	at := func(state string, page int) string {
		v := url.Values{}
		if text != "" {
			v.Set("q", text)
		}
		if state != "" {
			v.Set("state", state)
		}
		if page > 1 {
			v.Set("page", strconv.Itoa(page))
		}
		return query.WithQuery("/servers", v)
	}
	matching := slices.DeleteFunc(slices.Clone(all), func(srv statistics.Server) bool { return !strings.Contains(srv.IP, text) })
	found, known := matching, false
	for _, one := range views {
		has := slices.DeleteFunc(slices.Clone(matching), func(srv statistics.Server) bool { return !one.has(srv) })
		tab := ui.Tab{Label: one.label(l), Count: view.Thousands(len(has)), Href: at(one.state, 1), Active: one.state == state}
		if tab.Active {
			found, known = has, true
		}
		p.Tabs = append(p.Tabs, tab)
	}
	if !known {
		p.Frame.Ignored = append(p.Frame.Ignored, l.FleetUnknownState(strconv.Quote(view.Clip(state, 40))))
		p.Tabs[0].Active, state = true, ""
	}
	slices.SortFunc(found, worstFirst)
	p.Servers, page = pageOf(found, page, listedServers)
	p.Pager = pager(l, page, listedServers, len(found), func(page int) string { return at(state, page) })
	p.Pager.Summary = l.FleetCount(len(found))
	if app.May(c, app.Configures) {
		p.Offline = len(slices.DeleteFunc(slices.Clone(all), func(srv statistics.Server) bool { return !offline(srv) }))
	}
	switch {
	case len(p.Servers) > 0:
	case len(all) == 0:
		p.Empty = &ui.Empty{Heading: l.FleetEmpty(), Text: l.FleetEmptyText(), TestID: "servers-empty"}
	default:
		p.Empty = &ui.Empty{Heading: l.FleetNoMatch(), Href: "/servers", Label: l.FleetShowAll(), TestID: "servers-empty"}
	}
	s.Render(c, http.StatusOK, serverpages.List(p))
	return nil
}

// pageOf are the entries of a page, or of the last page if there are fewer pages.
func pageOf[T any](list []T, page, size int) ([]T, int) {
	page = min(page, max(1, (len(list)+size-1)/size))
	from := (page - 1) * size
	return list[from:min(len(list), from+size)], page
}

// pager leads to the pages before and after.
func pager(l i18n.Lang, page, size, all int, at func(page int) string) ui.Pager {
	p := ui.Pager{PrevLabel: l.ServerPrevious(), NextLabel: l.ServerNext()}
	if page > 1 {
		p.Prev = at(page - 1)
	}
	if page*size < all {
		p.Next = at(page + 1)
	}
	return p
}
