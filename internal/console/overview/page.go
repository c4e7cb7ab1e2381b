package overview

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/overview"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const mostAttention = 7

// page shows the state of all jobs, and what comes next.
func (s service) page(c *gin.Context) {
	all, err := s.ReadJobs(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	f := s.Frame(c, "", app.AreaOverview)
	f.LiveSeconds = app.LiveSeconds
	l := i18n.From(c.Request.Context())
	lost := lostLines(l, s.Lost(c), app.May(c, app.Operates), s.Now())
	props := propsOf(l, f, all, s.ReadHealth(c, all), lost, s.Now())
	props.Cards = s.cards(c, all)
	s.Render(c, 200, overview.Page(props))
}

// propsOf builds the part of the view model that comes from the registry and
// from the newest runs.
func propsOf(l i18n.Lang, f layout.Frame, all []statistics.Job, board app.Board, lost []overview.Attention, now time.Time) overview.Props {
	p := overview.Props{
		Frame: f, Calm: l.OverviewCalm(),
	}
	if !board.Known() {
		p.Calm = l.OverviewCalmUnknown()
	}
	if len(all) == 0 && len(lost) == 0 {
		p.Starter = pageui.JobsEmpty(l, query.Jobs{}, query.JobsPage{}, f.Registry)
	}
	jobs := planned{all, board.Standing, board.Plans(now)}
	p.Tiles = stateTiles(l, board.ByState)
	lines, more := jobs.attention(l, board, now)
	p.Attention = slices.Concat(lost, lines)
	states := maps.Clone(board.ByState)
	delete(states, explain.Held) // It counts the held jobs in other states, too.
	for _, state := range board.States {
		if state == explain.Held {
			states[state]++
		}
	}
	tiles := slices.Concat(p.Tiles, heldTiles(l, states[explain.Held]))
	p.Summary = summaryOf(l, tiles, stateParts(tiles, states), jobs.needing())
	p.Tiles = append(p.Tiles, heldTiles(l, board.ByState[query.Held])...)
	more += max(0, len(p.Attention)-mostAttention)
	if p.Attention = p.Attention[:min(len(p.Attention), mostAttention)]; more > 0 {
		p.AttentionMore, p.AttentionHref = l.OverviewMore(more), "/jobs"
	}
	return p
}

// planned are the jobs of the overview with how they are and when they fire.
type planned struct {
	all []statistics.Job
	*query.Standing
	plans []*view.Plan
}

// usualStates have a tile even without a job.
var usualStates = []explain.State{explain.Failing, explain.Down, explain.Unreadable, explain.Late, explain.Resharding, explain.Disabled, explain.Running, explain.Healthy}

// stateTiles are the jobs by state, each a way to their list.
func stateTiles(l i18n.Lang, counts map[explain.State]int) []overview.Tile {
	asked, _ := query.ParseJobsPage(nil)
	var tiles []overview.Tile
	for _, state := range explain.States {
		if state == explain.Held || counts[state] == 0 && !slices.Contains(usualStates, state) { // Held has a tile of its own.
			continue
		}
		tone, label := pageui.JobState(l, state)
		if counts[state] == 0 {
			tone = ui.ToneQuiet
		}
		tiles = append(tiles, overview.Tile{
			Label: label, Count: view.Thousands(counts[state]), Href: asked.WithState(state).Href(), Tone: tone,
			TestID: "tile-" + strings.ToLower(string(state)),
		})
	}
	return tiles
}

// stateParts are the jobs by state as parts of a bar, in the order and the tones of the
// tiles.
func stateParts(tiles []overview.Tile, states map[explain.State]int) []chart.Part {
	counts := make(map[string]int)
	for state, n := range states {
		counts["tile-"+strings.ToLower(string(state))] = n
	}
	var parts []chart.Part
	for _, t := range tiles {
		parts = append(parts, chart.Part{Tone: t.Tone, Count: counts[t.TestID], Title: t.Label})
	}
	return parts
}

// needing is how many jobs are not as they should be.
func (p planned) needing() int {
	n := 0
	for i, state := range p.States {
		if state == explain.Failing || p.toSee(i) {
			n++
		}
	}
	return n
}

// attention are the first lines about what is wrong, and how many more there are:
// failures that are alike make one, then come the jobs that are otherwise not as they
// should be, the worst first.
func (p planned) attention(l i18n.Lang, board app.Board, now time.Time) (lines []overview.Attention, more int) {
	var (
		names  []string
		states []explain.Judgement
		rest   []int
	)
	for i, state := range p.States {
		switch {
		case state == explain.Failing && board.ByRuns(p.Digests[i]):
			names, states = append(names, p.all[i].Name), append(states, board.Judge(&p.all[i], p.Digests[i]).Judgement)
		case state == explain.Failing || p.toSee(i):
			rest = append(rest, i)
		}
	}
	for _, c := range explain.Causes(names, states) {
		lines = append(lines, causeLine(l, c, now))
	}
	worst := first(len(rest), mostAttention, func(a, b int) int {
		a, b = rest[a], rest[b]
		return cmp.Or(cmp.Compare(p.States[a].Rank(), p.States[b].Rank()), cmp.Compare(p.all[a].Name, p.all[b].Name))
	})
	for _, at := range worst {
		i := rest[at]
		j, plan := &p.all[i], p.plans[i]
		tone, label := pageui.JobState(l, p.States[i])
		h := board.Judge(j, p.Digests[i])
		line := overview.Attention{Name: j.Name, Href: app.JobPath("/jobs", j.Name), Status: ui.Chip{Tone: tone, Label: label, TestID: "status"}, Reason: h.Sentence}
		if plan.Err != nil && p.States[i].Rank() > explain.Resharding.Rank() {
			line.Status = ui.Chip{Tone: ui.ToneBad, Label: l.OverviewBadCron(), TestID: "status"}
			line.Reason = plan.Err.Error()
		}
		if !h.Since.IsZero() {
			line.Since = view.ForTime(h.Since, now)
		}
		lines = append(lines, line)
	}
	return lines, len(rest) - len(worst)
}

// first are the n of so many that compare before all others, which are not sorted.
func first(all, n int, compare func(a, b int) int) []int {
	var list []int
	for i := range all {
		if len(list) == n && compare(i, list[n-1]) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(list, i, compare)
		list = slices.Insert(list, at, i)
		list = list[:min(len(list), n)]
	}
	return list
}

// toSee reports whether a job that does not fail has a line of its own.
func (p planned) toSee(i int) bool {
	switch p.States[i] {
	case explain.Down, explain.Unreadable, explain.Blocked, explain.Late, explain.Partial, explain.Unstable, explain.Resharding:
		return true
	case explain.Disabled, explain.Reading:
		return false
	}
	return p.plans[i].Err != nil
}

// causeLine is one line about jobs that fail alike.
func causeLine(l i18n.Lang, c explain.Cause, now time.Time) overview.Attention {
	asked, _ := query.ParseJobsPage(nil)
	line := overview.Attention{
		Status: ui.Chip{Tone: ui.ToneBad, Label: l.HealthFailing(), TestID: "status"},
		Name:   l.OverviewAlike(len(c.Jobs)), Plain: true, Href: asked.WithText("cause:" + c.Fingerprint).Href(),
		Reason: c.Text, Jobs: pageui.FirstNames(l, c.Jobs, 3),
	}
	if !c.Since.IsZero() {
		line.Since = view.ForTime(c.Since, now)
	}
	if c.Text == "" {
		line.Reason = l.OverviewLost()
	}
	if len(c.Jobs) == 1 {
		line.Name, line.Plain, line.Href, line.Jobs = c.Jobs[0], false, app.JobPath("/jobs", c.Jobs[0], "explain"), ""
	}
	return line
}

// heldTiles is the tile of the jobs that are held, none if none is: it stands beside those
// of their states, in which they are counted as well.
func heldTiles(l i18n.Lang, held int) []overview.Tile {
	if held == 0 {
		return nil
	}
	asked, _ := query.ParseJobsPage(nil)
	tone, label := pageui.JobState(l, query.Held)
	return []overview.Tile{{Label: label, Count: view.Thousands(held), Href: asked.WithState(query.Held).Href(), Tone: tone, TestID: "tile-held"}}
}
