package pages

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/servers"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// serversPage is the list of servers.
func (s *Pages) serversPage(c *gin.Context) {
	all, err := s.ReadServers(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	f := s.Frame(c, "", console.AreaServers)
	f.LiveSeconds = console.LiveSeconds
	removes := console.May(c, console.Configures)
	s.Render(c, 200, servers.List(serversProps(f, c.Request.URL.Query(), all, removes, i18n.From(c.Request.Context()))))
}

// listedServers is how many servers one page lists.
const listedServers = 100

// serverView is a choice of servers.
type serverView struct {
	state string
	label func(i18n.Lang) string
	has   func(statistics.Server) bool
}

// serverViews are the views of the list, in their order.
var serverViews = []serverView{
	{"", i18n.Lang.FleetAll, func(statistics.Server) bool { return true }},
	{"online", i18n.Lang.FleetOnline, func(s statistics.Server) bool { return s.Instances > 0 }},
	{"disabled", i18n.Lang.CleanupViewDisabled, func(s statistics.Server) bool { return s.DisabledJobs > 0 }},
	{"offline", i18n.Lang.CleanupViewOffline, offline},
}

func offline(s statistics.Server) bool { return s.Instances == 0 }

// urgency is the place of a server in the list, the worst first: one whose processes
// ended before one that somebody switched off, which comes before one that is as it
// should be.
func urgency(s statistics.Server) int {
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

// serverQuery is what the list is asked for.
type serverQuery struct {
	text, state string
	page        int
}

// href is the address of another view or page of the same search.
func (q serverQuery) href(state string, page int) string {
	v := url.Values{}
	for name, value := range map[string]string{"q": q.text, "state": state} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if page > 1 {
		v.Set("page", strconv.Itoa(page))
	}
	return query.WithQuery("/servers", v)
}

// parseServers reads a query string; what it does not understand is left out and
// named.
func parseServers(asked url.Values, l i18n.Lang) (q serverQuery, ignored []string) {
	q = serverQuery{text: strings.TrimSpace(asked.Get("q")), state: asked.Get("state"), page: 1}
	if !slices.ContainsFunc(serverViews, func(v serverView) bool { return v.state == q.state }) {
		ignored = append(ignored, l.FleetUnknownState(strconv.Quote(view.Clip(q.state, 40))))
		q.state = ""
	}
	if text := asked.Get("page"); text != "" {
		page, err := strconv.Atoi(text)
		if err != nil || page < 1 {
			ignored = append(ignored, "page "+strconv.Quote(view.Clip(text, 40)))
			page = 1
		}
		q.page = page
	}
	return q, ignored
}

// serversProps builds the view model: the servers that match the query string's
// q and state, the worst first.
func serversProps(f layout.Frame, asked url.Values, all []statistics.Server, removes bool, l i18n.Lang) servers.ListProps {
	q, ignored := parseServers(asked, l)
	p := servers.ListProps{Frame: f, Query: q.text}
	p.Frame.Ignored = append(p.Frame.Ignored, ignored...)
	matching := slices.DeleteFunc(slices.Clone(all), func(srv statistics.Server) bool { return !strings.Contains(srv.IP, q.text) })
	var found []statistics.Server
	for _, v := range serverViews {
		has := slices.DeleteFunc(slices.Clone(matching), func(srv statistics.Server) bool { return !v.has(srv) })
		p.Tabs = append(p.Tabs, ui.Tab{Label: v.label(l), Count: view.Thousands(len(has)), Href: q.href(v.state, 1), Active: v.state == q.state})
		if v.state == q.state {
			found = has
		}
	}
	slices.SortFunc(found, func(a, b statistics.Server) int {
		return cmp.Or(cmp.Compare(urgency(a), urgency(b)), view.CompareIPs(a.IP, b.IP))
	})
	pages := max(1, (len(found)+listedServers-1)/listedServers)
	q.page = min(q.page, pages)
	first := (q.page - 1) * listedServers
	for _, srv := range found[first:min(len(found), first+listedServers)] {
		p.Rows = append(p.Rows, serverRow(srv, l))
	}
	p.Pager = ui.Pager{Summary: l.FleetCount(len(found)), PrevLabel: l.ServerPrevious(), NextLabel: l.ServerNext()}
	if q.page > 1 {
		p.Pager.Prev = q.href(q.state, q.page-1)
	}
	if q.page < pages {
		p.Pager.Next = q.href(q.state, q.page+1)
	}
	gone := 0
	for _, srv := range all {
		if offline(srv) {
			gone++
		}
	}
	if removes && gone > 0 {
		p.CleanUp = &ui.Button{Label: l.CleanupAll(gone), Href: cleanUpRoute, TestID: "cleanup-all"}
	}
	switch {
	case len(p.Rows) > 0:
	case len(all) == 0:
		p.Empty = &ui.Empty{Heading: l.FleetEmpty(), Text: l.FleetEmptyText(), TestID: "servers-empty"}
	default:
		p.Empty = &ui.Empty{Heading: l.FleetNoMatch(), Href: "/servers", Label: l.FleetShowAll(), TestID: "servers-empty"}
	}
	return p
}

func serverRow(srv statistics.Server, l i18n.Lang) servers.Row {
	r := servers.Row{
		IP: srv.IP, Href: query.ServerPath(srv.IP),
		Instances: strconv.Itoa(srv.Instances), Jobs: strconv.Itoa(srv.Jobs), DisabledJobs: strconv.Itoa(srv.DisabledJobs),
		State: ui.Chip{Tone: ui.ToneOK, Label: l.FleetOnline(), TestID: "server-state"},
	}
	switch {
	case srv.Instances == 0:
		r.State = ui.Chip{Tone: ui.ToneQuiet, Label: l.FleetOffline(), TestID: "server-state"}
		r.Note, r.Removable = l.FleetOfflineNote(), true
	case srv.Jobs > 0 && srv.DisabledJobs == srv.Jobs:
		r.State = ui.Chip{Tone: ui.ToneOff, Label: l.FleetDisabled(), TestID: "server-state"}
		r.Note = l.FleetDisabledNote()
	case srv.DisabledJobs > 0:
		r.Note = l.FleetSomeDisabled(srv.DisabledJobs)
	}
	return r
}
