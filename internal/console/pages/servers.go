package pages

import (
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
	s.Render(c, 200, servers.List(serversProps(f, c.Request.URL.Query(), all, i18n.From(c.Request.Context()))))
}

// serversProps builds the view model: the servers that match the query string's
// q and state.
func serversProps(f layout.Frame, asked url.Values, all []statistics.Server, l i18n.Lang) servers.ListProps {
	text, state := strings.TrimSpace(asked.Get("q")), asked.Get("state")
	p := servers.ListProps{Frame: f, Query: text}
	if state != "" && state != "online" && state != "offline" {
		p.Notices = append(p.Notices, ui.Notice{
			Tone: ui.ToneWarn, Heading: l.FleetIgnored(),
			Text: l.FleetUnknownState(strconv.Quote(view.Clip(state, 40))), TestID: "query-hint",
		})
		state = ""
	}
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b statistics.Server) int { return view.CompareIPs(a.IP, b.IP) })

	online, matching := 0, 0
	for _, srv := range all {
		if text != "" && !strings.Contains(srv.IP, text) {
			continue
		}
		matching++
		on := srv.Instances > 0
		if on {
			online++
		}
		if state == "online" && !on || state == "offline" && on {
			continue
		}
		p.Rows = append(p.Rows, serverRow(srv, l))
	}
	tab := func(label, value string, count int) servers.Tab {
		v := url.Values{}
		if text != "" {
			v.Set("q", text)
		}
		if value != "" {
			v.Set("state", value)
		}
		return servers.Tab{Label: label, Count: view.Thousands(count), Href: query.WithQuery("/servers", v), Active: state == value}
	}
	p.Tabs = []servers.Tab{tab(l.FleetAll(), "", matching), tab(l.FleetOnline(), "online", online), tab(l.FleetOffline(), "offline", matching-online)}
	p.Summary = l.FleetCount(len(p.Rows))
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
		r.Note = l.FleetOfflineNote()
	case srv.Jobs > 0 && srv.DisabledJobs == srv.Jobs:
		r.State = ui.Chip{Tone: ui.ToneOff, Label: l.FleetDisabled(), TestID: "server-state"}
		r.Note = l.FleetDisabledNote()
	case srv.DisabledJobs > 0:
		r.Note = l.FleetSomeDisabled(srv.DisabledJobs)
	}
	return r
}
