package pages

import (
	"cmp"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/servers"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// cleanUpRoute is the page that asks before entries of servers are removed.
const cleanUpRoute = "/servers/cleanup"

const (
	// datedServers is of how many servers the last execution is looked up.
	datedServers = 50
	// quietFor is how long ago the last execution must be for a server to be ticked.
	quietFor = 24 * time.Hour
	// mostCurls is how many requests are shown of an action that takes several.
	mostCurls = 10
)

// cleanUpPage lists the servers that can be removed: those that the address names,
// or all that are offline.
func (s *Pages) cleanUpPage(c *gin.Context) {
	l, ips := i18n.From(c.Request.Context()), c.QueryArray("ip")
	switch selected := c.Query("selected"); {
	case selected != "" && selected != "yes":
		s.showCleanUp(c, http.StatusOK, ips, ui.Notice{Tone: ui.ToneWarn, Heading: l.CleanupUnknownSelected(strconv.Quote(view.Clip(selected, 40))), TestID: "query-hint"})
	case len(ips) == 0 && selected != "":
		s.showCleanUp(c, http.StatusOK, nil, nothingTicked(l))
	default:
		s.showCleanUp(c, http.StatusOK, ips)
	}
}

// nothingTicked says that no server was chosen.
func nothingTicked(l i18n.Lang) ui.Notice {
	return ui.Notice{Tone: ui.ToneWarn, Heading: l.CleanupNothingTicked(), TestID: "cleanup-refused"}
}

func (s *Pages) showCleanUp(c *gin.Context, status int, wanted []string, notices ...ui.Notice) {
	all, err := s.ReadServers(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	gone := slices.DeleteFunc(slices.Clone(all), func(srv statistics.Server) bool {
		return !offline(srv) || len(wanted) > 0 && !slices.Contains(wanted, srv.IP)
	})
	slices.SortFunc(gone, func(a, b statistics.Server) int {
		return cmp.Or(cmp.Compare(urgency(a), urgency(b)), view.CompareIPs(a.IP, b.IP))
	})
	l := i18n.From(c.Request.Context())
	p := servers.CleanUpProps{Frame: s.Frame(c, l.CleanupTitle(), console.AreaServers), Notices: notices}
	if n := len(gone) - console.MostCleaned; n > 0 {
		p.More, gone = l.CleanupMore(n), gone[:console.MostCleaned]
	}
	entries := 0
	var curls []string
	for i, srv := range gone {
		row := cleanUpRow(l, srv, len(wanted) > 0)
		if last := s.lastOn(c, srv.IP, i); !last.IsZero() {
			row.Last = view.AgoTime(last, s.Now())
			if s.Now().Sub(last) < quietFor && len(wanted) == 0 {
				row.Ticked, row.Note = false, l.CleanupNoteRecent()
			}
		}
		if row.Ticked {
			entries += srv.Jobs
			curls = append(curls, s.serverCurl(c, console.RemoveServer, srv.IP, ""))
		}
		p.Rows = append(p.Rows, row)
	}
	p.Sum = l.CleanupSum(entries)
	p.Curl, p.Reason = curlsText(l, curls), view.Clip(c.PostForm("reason"), mostReason)
	s.Render(c, status, servers.CleanUp(p))
}

// curlsText shows the first of several requests.
func curlsText(l i18n.Lang, curls []string) string {
	text := strings.Join(curls[:min(mostCurls, len(curls))], "\n")
	if n := len(curls) - mostCurls; n > 0 {
		text += "\n# " + l.ServerAndMore(n)
	}
	return text
}

// cleanUpRow is a server, ticked unless somebody disabled it; one that was asked for
// is ticked in any case.
func cleanUpRow(l i18n.Lang, srv statistics.Server, wanted bool) servers.CleanUpRow {
	row := servers.CleanUpRow{IP: srv.IP, Href: query.ServerPath(srv.IP), Jobs: view.Thousands(srv.Jobs), Ticked: true}
	if srv.DisabledJobs > 0 {
		row.Ticked, row.Note = wanted, l.CleanupNoteDisabled(srv.DisabledJobs)
	}
	return row
}

// lastOn is when an execution began on the i-th server of a list last; zero if the
// history does not tell, or it is not one of the first.
func (s *Pages) lastOn(c *gin.Context, ip string, i int) time.Time {
	if i >= datedServers {
		return time.Time{}
	}
	page, err := s.ReadExecutions(c, rdb.ExecutionFilter{IP: ip, Limit: 1})
	if err != nil || len(page.Rows) == 0 {
		return time.Time{}
	}
	return page.Rows[0].StartTime
}

// cleanUpFromPage is the target of the form that asks.
func (s *Pages) cleanUpFromPage(c *gin.Context) {
	l := i18n.From(c.Request.Context())
	ips := c.PostFormArray("ip")
	if console.Resumed(c) {
		s.showCleanUp(c, http.StatusOK, ips)
		return
	}
	if c.PostForm("confirm") != "yes" || len(ips) == 0 || len(ips) > console.MostCleaned {
		console.Refused(c, "not_confirmed")
		s.showCleanUp(c, http.StatusUnprocessableEntity, nil, nothingTicked(l))
		return
	}
	if reason := strings.TrimSpace(c.PostForm("reason")); reason != "" {
		s.Note(c, slog.String("reason", view.Clip(reason, mostReason)))
	}
	done, err := s.CleanUp(c, ips)
	if err != nil {
		s.Fail(c, err)
		return
	}
	removed := 0
	f := ui.Flash{Tone: ui.ToneOK}
	for _, one := range done {
		removed += one.Removed
		if one.Kept > 0 {
			f.Tone = ui.ToneWarn
			f.Lines = append(f.Lines, l.CleanupKept(one.IP, one.Kept, console.Because(one.Why)))
		}
	}
	f.Lines = f.Lines[:min(spokenNames, len(f.Lines))]
	f.Title = l.CleanupDone(removed, len(done))
	s.SetFlash(c, f)
	s.RedirectHere(c, "/servers")
}
