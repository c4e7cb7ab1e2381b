package servers

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	serverpages "github.com/elasticjob-go/elasticjob/web/templates/servers"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// cleanUpRoute is the page that asks before entries of servers are removed.
const cleanUpRoute = "/servers/cleanup"

const (
	// mostCleaned is how many servers a clean-up takes.
	mostCleaned = 200
	// entriesAtOnce is how many entries it removes at the same time.
	entriesAtOnce = 16
	// cleanUpActions is how many times as long as one action a clean-up may take.
	cleanUpActions = 6
	// datedServers is for how many servers the last execution is looked up.
	datedServers = 50
	// quietFor is how long ago the last execution must be for a server to be ticked.
	quietFor = 24 * time.Hour
)

// cleanUpPage lists the servers that can be removed: the servers that the address names, or all that
// are offline.
func (s servers) cleanUpPage(c *gin.Context) error {
	l, ips := i18n.From(c.Request.Context()), c.QueryArray("ip")
	switch selected := c.Query("selected"); {
	case selected != "" && selected != "yes":
		heading := l.CleanupUnknownSelected(strconv.Quote(view.Clip(selected, 40)))
		return s.showCleanUp(c, http.StatusOK, ips, ui.Notice{Tone: ui.ToneWarn, Heading: heading, TestID: "query-hint"})
	case len(ips) == 0 && selected != "":
		return s.showCleanUp(c, http.StatusOK, nil, nothingTicked(l))
	}
	return s.showCleanUp(c, http.StatusOK, ips)
}

// nothingTicked is the notice that no server was chosen.
func nothingTicked(l i18n.Lang) ui.Notice {
	return ui.Notice{Tone: ui.ToneWarn, Heading: l.CleanupNothingTicked(), TestID: "cleanup-refused"}
}

func (s servers) showCleanUp(c *gin.Context, status int, wanted []string, notices ...ui.Notice) error {
	all, err := s.ReadServers(c)
	if err != nil {
		return err
	}
	gone := slices.DeleteFunc(slices.Clone(all), func(srv statistics.Server) bool {
		return !offline(srv) || len(wanted) > 0 && !slices.Contains(wanted, srv.IP)
	})
	slices.SortFunc(gone, worstFirst)
	l := i18n.From(c.Request.Context())
	p := serverpages.CleanUpProps{
		Frame: s.Frame(c, l.CleanupTitle(), app.AreaServers), Notices: notices, More: len(gone) - mostCleaned,
		Reason: view.Clip(c.PostForm("reason"), mostReason),
	}
	remove := actions[len(actions)-1]
	var curls []string
	for i, srv := range gone[:min(mostCleaned, len(gone))] {
		row := serverpages.CleanUpRow{Server: srv, Ticked: true}
		if srv.DisabledJobs > 0 { // ticked only if the address names it
			row.Ticked, row.Note = len(wanted) > 0, l.CleanupNoteDisabled(srv.DisabledJobs)
		}
		if i < datedServers {
			row.Last = s.lastOn(c, srv.IP)
		}
		if !row.Last.IsZero() && s.Now().Sub(row.Last) < quietFor && len(wanted) == 0 {
			row.Ticked, row.Note = false, l.CleanupNoteRecent()
		}
		if row.Ticked {
			p.Entries += srv.Jobs
			curls = append(curls, remove.curl(s, c, srv.IP, ""))
		}
		p.Rows = append(p.Rows, row)
	}
	p.Now, p.Curl = s.Now(), pageui.Curls(l, curls)
	s.Render(c, status, serverpages.CleanUp(p))
	return nil
}

// lastOn is the start of the last execution on a server; zero if the history doesn't have it.
func (s servers) lastOn(c *gin.Context, ip string) time.Time {
	page, err := s.ReadExecutions(c, rdb.ExecutionFilter{IP: ip, Limit: 1})
	if err != nil || len(page.Rows) == 0 {
		return time.Time{}
	}
	return page.Rows[0].StartTime
}

// cleanUpFromPage is the target of the form that asks.
func (s servers) cleanUpFromPage(c *gin.Context) error {
	l, ips := i18n.From(c.Request.Context()), c.PostFormArray("ip")
	if app.Resumed(c) {
		return s.showCleanUp(c, http.StatusOK, ips)
	}
	if c.PostForm("confirm") != "yes" || len(ips) == 0 || len(ips) > mostCleaned {
		app.Refused(c, "not_confirmed")
		return s.showCleanUp(c, http.StatusUnprocessableEntity, nil, nothingTicked(l))
	}
	noteReason(s, c)
	done, err := s.cleanUp(c, ips)
	if err != nil {
		return err
	}
	removed := 0
	f := ui.Flash{Tone: ui.ToneOK}
	for _, one := range done {
		removed += one.removed
		if one.kept > 0 {
			f.Tone = ui.ToneWarn
			f.Lines = append(f.Lines, l.CleanupKept(one.ip, one.kept, app.Because(one.why)))
		}
	}
	f.Lines = f.Lines[:min(spokenNames, len(f.Lines))]
	f.Title = l.CleanupDone(removed, len(done))
	s.SetFlash(c, f)
	s.RedirectHere(c, "/servers")
	return nil
}

// cleaned is the result of a clean-up for a server: how many of its entries were removed, and how many
// were kept for which reason.
type cleaned struct {
	ip            string
	removed, kept int
	why           error
}

// cleanUp removes the entries of servers that no instance lives on, job by job. The entries of a server
// that has rejoined stay, and servers that no job lists are left out. It's one record of the audit. It
// fails if the registry is away.
func (s servers) cleanUp(c *gin.Context, ips []string) ([]*cleaned, error) {
	all, err := s.ReadServers(c)
	if err != nil {
		return nil, err
	}
	type entry struct {
		of     *cleaned
		target app.Target
	}
	var done []*cleaned
	var entries []entry
	for _, srv := range all {
		if slices.Contains(ips, srv.IP) {
			of := &cleaned{ip: srv.IP}
			done = append(done, of)
			for _, job := range srv.JobNames {
				entries = append(entries, entry{of, app.Target{Job: job, IP: srv.IP}})
			}
		}
	}
	limit := cleanUpActions * s.Options().ActionTimeout
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), limit)
	defer cancel()
	operator := s.RegistryOf(c).Operator
	var mu sync.Mutex
	removed, kept := 0, 0
	err = rethrow.Each(ctx, entriesAtOnce, len(entries), func(ctx context.Context, i int) error {
		of := entries[i].of
		_, err := app.RemoveServer.CallVariant(operator, ctx, entries[i].target)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			of.removed++
			removed++
		case !errors.Is(err, lifecycle.ErrNotFound): // otherwise it no longer exists
			of.kept++
			kept++
			of.why = err
			if errors.Is(err, lifecycle.ErrUnavailable) {
				return err // because the other entries would fail as well
			}
		}
		return nil
	})
	s.Note(c, slog.String("order", "clean up"), slog.String("target", view.Clip(view.Enumerate(ips, 20), 400)),
		slog.Int("affected", removed), slog.Int("skipped", kept))
	if err != nil {
		p := s.ActionProblem(c, app.RemoveServer, app.Target{IP: view.Enumerate(ips, 3)}, err)
		app.Refused(c, p.Code)
		return done, p
	}
	return done, nil
}
