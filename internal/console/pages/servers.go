package pages

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
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
	s.Render(c, 200, servers.List(serversProps(f, c.Request.URL.Query(), all)))
}

// serversProps builds the view model: the servers that match the query string's
// q and state.
func serversProps(f layout.Frame, asked url.Values, all []statistics.Server) servers.ListProps {
	text, state := strings.TrimSpace(asked.Get("q")), asked.Get("state")
	p := servers.ListProps{Frame: f, Query: text}
	if state != "" && state != "online" && state != "offline" {
		p.Notices = append(p.Notices, ui.Notice{
			Tone: ui.ToneWarn, Heading: "A part of the address was ignored",
			Text: fmt.Sprintf("state %q is unknown (use online or offline).", view.Clip(state, 40)), TestID: "query-hint",
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
		p.Rows = append(p.Rows, serverRow(srv))
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
	p.Tabs = []servers.Tab{tab("All", "", matching), tab("Online", "online", online), tab("Offline", "offline", matching-online)}
	p.Summary = view.Plural(len(p.Rows), "server")
	switch {
	case len(p.Rows) > 0:
	case len(all) == 0:
		p.Empty = &ui.Empty{Heading: "No server has registered yet.", Text: "A server appears here as soon as an agent on it registers a job.", TestID: "servers-empty"}
	default:
		p.Empty = &ui.Empty{Heading: "No server matches.", Href: "/servers", Label: "Show all servers", TestID: "servers-empty"}
	}
	return p
}

func serverRow(srv statistics.Server) servers.Row {
	r := servers.Row{
		IP: srv.IP, Href: query.WithQuery("/executions", url.Values{"ip": {srv.IP}}),
		Instances: strconv.Itoa(srv.Instances), Jobs: strconv.Itoa(srv.Jobs), DisabledJobs: strconv.Itoa(srv.DisabledJobs),
		State: ui.Chip{Tone: ui.ToneOK, Label: "Online", TestID: "server-state"},
	}
	switch {
	case srv.Instances == 0:
		r.State = ui.Chip{Tone: ui.ToneQuiet, Label: "Offline", TestID: "server-state"}
		r.Note = "No process runs here. Its entries stay until they are removed."
	case srv.Jobs > 0 && srv.DisabledJobs == srv.Jobs:
		r.State = ui.Chip{Tone: ui.ToneOff, Label: "Disabled", TestID: "server-state"}
		r.Note = "Every job is disabled here; it gets no shards."
	case srv.DisabledJobs > 0:
		r.Note = fmt.Sprintf("%s disabled here.", view.IsAre(srv.DisabledJobs, "job"))
	}
	return r
}
