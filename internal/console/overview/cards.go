package overview

import (
	"fmt"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/overview"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// mostBoxes is how many servers have a box, mostRegistries how many registries a
	// line, and mostChanges how many changes.
	mostBoxes      = 120
	mostRegistries = 8
	mostChanges    = 4
	// changesRead is how many records are read to find the changes among them.
	changesRead = 40
	// chartHours is how many hours the chart of results has, the one that goes on
	// among them.
	chartHours = 24
)

// cards are the parts next to the list of problems. If one can't be read, only that card stays
// empty.
func (s service) cards(c *gin.Context, all []statistics.Job) overview.Cards {
	l, now := i18n.From(c.Request.Context()), s.Now()
	var p overview.Cards
	if app.AsksRegion(c, "results") {
		last := rdb.RunFilter{From: now.Add(-24 * time.Hour).Truncate(time.Hour)}
		p.ResultsURL = query.WithQuery("/runs", query.RunValues(last))
		p.NoResults = l.CardsNoResults()
		points, err := s.ReadStatistics(c, "", rdb.Hour, now.Add(-(chartHours-1)*time.Hour), now)
		switch {
		case s.HistoryOf(c) == nil:
			p.NoResults = pageui.ProblemSentences(l, app.NoHistory(c))
		case err != nil:
			problem := app.AsProblem(err)
			s.LogFailure(c, problem)
			p.NoResults = pageui.ProblemSentences(l, problem)
		default:
			p.Results, p.Totals = resultsBars(l, points, "/executions?state=failed")
		}
	}
	if app.AsksRegion(c, "fires") {
		p.Fires, p.FiresTotal, p.FiresNotes = pageui.FiresBars(l, app.FiresOf(s.Console, all), now)
	}
	if app.AsksRegion(c, "fleet") {
		if servers, err := s.ReadServers(c); err != nil {
			p.FleetNone = l.CardsFleetDown()
		} else {
			fleetBoxes(l, servers, &p)
		}
	}
	if app.AsksRegion(c, "registries") {
		p.Registries = s.registryLines(c, l, len(all))
	}
	p.ShowsChanges = app.May(c, app.Configures) && s.Options().Settings != nil
	if p.ShowsChanges && app.AsksRegion(c, "changes") {
		p.Changes = s.lastChanges(c, l)
	}
	return p
}

// summaryOf is the jobs in a sentence and as a bar, from the tiles.
func summaryOf(l i18n.Lang, tiles []overview.Tile, counts []chart.Part, need int) overview.Summary {
	var parts []string
	for _, t := range tiles {
		parts = append(parts, t.Count+" "+t.Label)
	}
	total := 0
	for _, part := range counts {
		total += part.Count
	}
	return overview.Summary{Jobs: l.CardsJobs(total), Need: l.CardsNeed(need), Share: chart.Share{Label: l.CardsShare(strings.Join(parts, ", ")), Parts: counts}}
}

// resultsBars draws how many executions ended in each hour. It draws nothing before the first
// count. failedHref leads to the failed executions.
func resultsBars(l i18n.Lang, points []rdb.Point, failedHref string) (*chart.Bars, []overview.Total) {
	bars := &chart.Bars{}
	good, bad, known := 0, 0, false
	for i, p := range points {
		from, to := p.Time, p.Time.Add(time.Hour)
		column := chart.Column{OK: p.Success, Bad: p.Failed, Unknown: !p.Known, Title: l.CardsResultsHour(pageui.Clock(from), pageui.Clock(to), p.Success, p.Failed)}
		if !p.Known {
			column.Title = l.CardsResultsUnknown(pageui.Clock(from), pageui.Clock(to))
		} else {
			known = true
			column.Href = query.WithQuery("/runs", query.RunValues(rdb.RunFilter{From: from.UTC(), To: to.UTC()}))
		}
		bars.Columns = append(bars.Columns, column)
		good, bad = good+p.Success, bad+p.Failed
		if i%6 == 0 {
			bars.Axis = append(bars.Axis, chart.Tick{At: float64(i) / float64(len(points)), Label: pageui.Clock(from)})
		}
	}
	if !known || good+bad == 0 {
		return nil, nil
	}
	bars.Label = l.CardsResultsLabel(good, bad)
	totals := []overview.Total{{Count: view.Thousands(good + bad), Word: l.CardsEnded(good + bad)}, {Count: view.Thousands(bad), Word: l.CardsFailed()}}
	if bad > 0 {
		totals[1].Tone, totals[1].Href = ui.ToneBad, failedHref
		totals = append(totals, overview.Total{Count: shareOf(good, good+bad), Word: l.CardsOk()})
	}
	return bars, totals
}

// shareOf is a part in percent with one digit, rounded down: what is not all is not
// "100.0 %".
func shareOf(part, all int) string {
	share := 1000 * part / max(all, 1)
	return fmt.Sprintf("%d.%d %%", share/10, share%10)
}

// fleetBoxes draws a box for each server.
func fleetBoxes(l i18n.Lang, servers []statistics.Server, p *overview.Cards) {
	most := 1
	instances := make(map[string]bool)
	for _, s := range servers {
		most = max(most, s.Jobs)
		for _, id := range s.InstanceIDs {
			instances[id] = true
		}
	}
	online := 0
	for _, s := range servers {
		online += s.Instances
	}
	p.FleetNone = l.CardsFleetNone()
	p.FleetSum = l.CardsFleetSum(l.CardsServers(len(servers)), l.MatrixInstances(max(len(instances), online)))
	for _, s := range servers[:min(len(servers), mostBoxes)] {
		box := overview.Box{Title: l.CardsFleetBox(jobtree.Shown(s.IP), l.CardsJobs(s.Jobs)), Tone: "band", Load: float64(s.Jobs) / float64(most), Href: app.JobPath("/servers", s.IP)}
		switch {
		case s.Instances == 0:
			box.Tone, box.Title = ui.ToneLost, l.CardsFleetBox(jobtree.Shown(s.IP), l.CardsOffline())
		case s.Jobs > 0 && s.DisabledJobs == s.Jobs:
			box.Tone, box.Title = ui.ToneOff, l.CardsFleetBox(jobtree.Shown(s.IP), l.CardsDisabled())
		}
		p.Fleet = append(p.Fleet, box)
	}
	if more := len(servers) - mostBoxes; more > 0 {
		p.FleetMore = l.CardsFleetMore(more)
	}
}

// registryLines are the registries that the console knows.
func (s service) registryLines(c *gin.Context, l i18n.Lang, jobs int) []overview.RegistryLine {
	list, err := s.RegistryList(c)
	if err != nil {
		s.LogFailure(c, app.AsProblem(err))
		return nil
	}
	here := s.RegistryOf(c).Name()
	var lines []overview.RegistryLine
	for _, r := range list[:min(len(list), mostRegistries)] {
		line := overview.RegistryLine{Name: r.Name + " / " + r.Namespace, Href: app.RegistryPath(r.Name) + "/jobs", Tone: ui.ToneQuiet, Note: l.CardsOnDemand()}
		if r.Name == here {
			line.Tone, line.Note = ui.ToneOK, strings.TrimRight(l.CardsJobs(jobs), ".。")
			if s.RegistryOf(c).Health().State != app.RegistryConnected {
				line.Tone = ui.ToneWarn
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// lastChanges are the last actions of operators that changed something.
func (s service) lastChanges(c *gin.Context, l i18n.Lang) []jobs.Happened {
	records, _ := jobpage.RecordsOf(s.Console, c, settings.AuditFilter{Outcome: "done", Limit: changesRead})
	var rows []jobs.Happened
	for _, r := range records {
		words := query.ActionWords(r.Action, l)
		if words == "" || words == l.AuditDidSignIn() || words == l.AuditDidSignOut() || words == l.AuditDidRefresh() {
			continue
		}
		ch := pageui.ChangeOf(l, r)
		row := jobpage.RecordLine(l, ch)
		row.At, row.Target, row.Note = view.NearTime(l, r.At, s.Now()), view.Clip(ch.Targets, 60), view.Clip(row.Note, 120)
		if rows = append(rows, row); len(rows) == mostChanges {
			break
		}
	}
	return rows
}
