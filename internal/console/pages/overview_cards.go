package pages

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
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

// overviewCards are the parts beside what is wrong. What cannot be read keeps its card
// alone from being filled.
func (s *Pages) overviewCards(c *gin.Context, all []statistics.Job) overview.Cards {
	l, now := i18n.From(c.Request.Context()), s.Now()
	var p overview.Cards
	if console.AsksRegion(c, "results") {
		last := rdb.RunFilter{From: now.Add(-24 * time.Hour).Truncate(time.Hour)}
		p.ResultsURL = query.WithQuery("/runs", query.RunValues(last))
		p.NoResults = l.CardsNoResults()
		points, err := s.ReadStatistics(c, "", rdb.Hour, now.Add(-(chartHours-1)*time.Hour), now)
		switch {
		case s.HistoryOf(c) == nil:
			p.NoResults = pageui.ProblemSentences(l, console.NoHistory(c))
		case err != nil:
			problem := console.AsProblem(err)
			s.LogFailure(c, problem)
			p.NoResults = pageui.ProblemSentences(l, problem)
		default:
			p.Results, p.Totals = resultsBars(l, points, "/executions?state=failed")
		}
	}
	if console.AsksRegion(c, "fires") {
		p.Fires, p.FiresTotal, p.FiresNotes = pageui.FiresBars(l, console.FiresOf(s.Console, all), now)
	}
	if console.AsksRegion(c, "fleet") {
		if servers, err := s.ReadServers(c); err != nil {
			p.FleetNone = l.CardsFleetDown()
		} else {
			fleetBoxes(l, servers, &p)
		}
	}
	if console.AsksRegion(c, "registries") {
		p.Registries = s.registryLines(c, l, len(all))
	}
	p.ShowsChanges = console.May(c, console.Configures) && s.Options().Settings != nil
	if p.ShowsChanges && console.AsksRegion(c, "changes") {
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
		box := overview.Box{Title: l.CardsFleetBox(jobtree.Shown(s.IP), l.CardsJobs(s.Jobs)), Tone: "band", Load: float64(s.Jobs) / float64(most), Href: console.JobPath("/servers", s.IP)}
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
func (s *Pages) registryLines(c *gin.Context, l i18n.Lang, jobs int) []overview.RegistryLine {
	list, err := s.RegistryList(c)
	if err != nil {
		s.LogFailure(c, console.AsProblem(err))
		return nil
	}
	here := s.RegistryOf(c).Name()
	var lines []overview.RegistryLine
	for _, r := range list[:min(len(list), mostRegistries)] {
		line := overview.RegistryLine{Name: r.Name + " / " + r.Namespace, Href: console.RegistryPath(r.Name) + "/jobs", Tone: ui.ToneQuiet, Note: l.CardsOnDemand()}
		if r.Name == here {
			line.Tone, line.Note = ui.ToneOK, strings.TrimRight(l.CardsJobs(jobs), ".。")
			if s.RegistryOf(c).Health().State != console.RegistryConnected {
				line.Tone = ui.ToneWarn
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// lastChanges are the last actions of operators that changed something.
func (s *Pages) lastChanges(c *gin.Context, l i18n.Lang) []jobs.Happened {
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

const (
	// lostTogether is within what time instances were lost together, and lostAlone how many of
	// them have a line each. lostMost is how many instances a line is about at most.
	lostTogether = time.Minute
	lostAlone    = 3
	lostMost     = 50
)

// lostLines are the instances that were lost, the newest first. Many instances that were lost
// together share a line.
func lostLines(l i18n.Lang, list []members.LostInstance, operates bool, now time.Time) (lines []overview.Attention) {
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(one members.LostInstance) bool { return list[0].At.Sub(one.At) > lostTogether })
		if n < 0 {
			n = len(list)
		}
		if n = min(n, lostMost); n <= lostAlone {
			n = 1
		}
		lines = append(lines, lostLine(l, list[:n], operates, now))
		list = list[n:]
	}
	return lines
}

// lostLine is a line about some instances, sorted from the last loss to the first.
func lostLine(l i18n.Lang, list []members.LostInstance, operates bool, now time.Time) overview.Attention {
	oldest, v := list[len(list)-1], url.Values{}
	var jobs []string
	lost, open := 0, 0
	for _, one := range list {
		v.Add("instance", one.Instance)
		for _, job := range one.Jobs {
			lost, open, jobs = lost+len(job.Lost), open+len(job.Open), append(jobs, job.Name)
		}
	}
	slices.Sort(jobs)
	jobs = slices.Compact(jobs)
	line := overview.Attention{
		Name: oldest.Instance, Href: console.JobPath("/jobs", jobs[0]), Status: ui.Chip{Tone: ui.ToneLost, Label: l.CardsLostChip(), TestID: "status"},
		Reason: l.CardsLostPlain(), Jobs: view.Enumerate(jobs, 3), Since: view.ForTime(oldest.At, now),
	}
	switch {
	case lost > 0 && open > 0:
		line.Reason = l.CardsOpenAndLost(l.CardsLostReason(lost), l.CardsOpenReason(open))
	case lost > 0:
		line.Reason = l.CardsLostReason(lost)
	case open > 0:
		line.Reason = l.CardsOpenReason(open)
	}
	switch {
	case len(list) > 1:
		line.Name, line.Plain, line.Href = l.CardsLostMany(len(list)), true, "/servers"
	case len(jobs) > 1:
		line.Href = query.WithQuery("/jobs", url.Values{"q": {"server:" + jobtree.InstanceIP(oldest.Instance)}})
	}
	if operates {
		line.Action = &ui.Button{Small: true, Label: l.CardsAcknowledge(), Subject: line.Name, Post: query.WithQuery(acknowledgeRoute, v), TestID: "acknowledge"}
	}
	return line
}

const acknowledgeRoute = "/losses/acknowledge"

// acknowledge is the target of the button of a line about lost instances.
func (s *Pages) acknowledge(c *gin.Context) {
	had := s.AcknowledgeLosses(c, c.QueryArray("instance"))
	s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: i18n.From(c.Request.Context()).CardsAcknowledged(len(had))})
	s.RedirectHere(c, "/")
}
