package pages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/overview"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	overviewAttention = 7
	overviewUpcoming  = 12
	overviewFailures  = 12
)

// overviewPage says what needs attention and what comes next.
func (s *Pages) overviewPage(c *gin.Context) {
	all, err := s.ReadJobs(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	f := s.Frame(c, "", console.AreaOverview)
	f.LiveSeconds = console.LiveSeconds
	l := i18n.From(c.Request.Context())
	var lost []overview.Attention
	if log := s.Members(c); log != nil {
		lost = lostLines(l, log.Since(s.Now().Add(-storyAge), members.MaxEvents), log.Departed, s.Now())
	}
	props := overviewProps(l, f, all, s.ReadHealth(c, all), lost, s.Now())
	props.Cards = s.overviewCards(c, all)
	failed, err := s.ReadExecutions(c, rdb.ExecutionFilter{State: rdb.RunFailed, Limit: overviewFailures})
	props.FailuresHref = "/executions?state=failed"
	switch {
	case s.HistoryOf(c) == nil:
		props.FailuresEmpty = problemSentences(l, console.NoHistory(c))
	case err != nil:
		p := console.AsProblem(err)
		s.LogFailure(c, p)
		props.FailuresEmpty = problemSentences(l, p)
	default:
		props.Failures = failureLines(l, failed.Rows, s.Now())
		props.FailuresEmpty = l.OverviewFailuresNone()
	}
	s.Render(c, 200, overview.Page(props))
}

// overviewProps builds the part of the view model that comes from the registry and
// from the newest runs.
func overviewProps(l i18n.Lang, f layout.Frame, all []statistics.Job, board console.Board, lost []overview.Attention, now time.Time) overview.Props {
	p := overview.Props{
		Frame: f, Calm: l.OverviewCalm(),
		UpcomingEmpty: l.OverviewUpcomingNone(),
	}
	if !board.Known() {
		p.Calm = l.OverviewCalmUnknown()
	}
	if len(all) == 0 {
		p.Calm = l.OverviewCalmEmpty()
	}
	planned := make([]query.PlannedJob, len(all))
	plans := make(map[planKey]view.Plan)
	for i := range all {
		j := &all[i]
		key := planKey{j.Cron, j.TimeZone, j.ClockChange, j.Status, j.Servers > 0 && j.DisabledServers == j.Servers}
		plan, known := plans[key]
		if !known {
			plan = view.PlanOf(*j, now, 1)
			plans[key] = plan
		}
		p := query.PlannedJob{Job: j, Digest: board.Digest(j.Name), Plan: plan}
		p.State, p.NeverRan = board.State(j, p.Digest)
		planned[i] = p
	}
	p.Tiles = stateTiles(l, planned)
	lines, more := attention(l, planned, board, now)
	p.Attention = slices.Concat(lost, lines)
	p.Summary = summaryOf(l, p.Tiles[1:], stateParts(p.Tiles, planned), needing(planned))
	more += max(0, len(p.Attention)-overviewAttention)
	if p.Attention = p.Attention[:min(len(p.Attention), overviewAttention)]; more > 0 {
		p.AttentionMore, p.AttentionHref = l.OverviewMore(more), "/jobs"
	}

	soonest := first(planned, overviewUpcoming, func(a, b *query.PlannedJob) int {
		return cmp.Or(a.Plan.Compare(b.Plan), cmp.Compare(a.Name, b.Name))
	})
	for _, j := range soonest {
		next := j.Plan.Next()
		if next.IsZero() {
			break
		}
		p.Upcoming = append(p.Upcoming, overview.Upcoming{
			Name: j.Name, Href: console.JobPath("/jobs", j.Name), In: view.InTime(next, now), At: view.NearTime(l, next, now),
		})
	}
	return p
}

// failureLines are failures, the newest first; those of a job that are alike make one line.
func failureLines(l i18n.Lang, runs []tracing.Execution, now time.Time) []overview.Failure {
	type alike struct{ job, cause string }
	var lines []overview.Failure
	at, times := make(map[alike]int), make(map[alike]int)
	for _, r := range runs {
		key := alike{r.JobName, headline(r.FailureCause)}
		if times[key]++; times[key] > 1 {
			lines[at[key]].Shard = l.OverviewExecutions(times[key])
			continue
		}
		at[key] = len(lines)
		lines = append(lines, overview.Failure{
			Job: r.JobName, JobHref: console.JobPath("/jobs", r.JobName), Shard: l.OverviewShard(strconv.Itoa(r.Item)),
			At: view.AgoTime(r.StartTime, now), Cause: key.cause,
		})
	}
	return lines
}

// planKey is what the next fire of a job depends on: many jobs have the same.
type planKey struct {
	cron, zone, clockChange string
	status                  statistics.Status
	disabled                bool
}

// stateTiles are the jobs by state, each a way to their list.
func stateTiles(l i18n.Lang, all []query.PlannedJob) []overview.Tile {
	asked, _ := query.ParseJobsPage(nil)
	counts := make(map[health.State]int)
	for _, j := range all {
		counts[j.State]++
	}
	var tiles []overview.Tile
	for _, state := range health.States {
		if state == health.Reading && counts[state] == 0 {
			continue // As nearly always.
		}
		tone, label := stateLook(l, state)
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
func stateParts(tiles []overview.Tile, all []query.PlannedJob) []chart.Part {
	counts := make(map[string]int)
	for _, j := range all {
		counts["tile-"+strings.ToLower(string(j.State))]++
	}
	var parts []chart.Part
	for _, t := range tiles {
		parts = append(parts, chart.Part{Tone: t.Tone, Count: counts[t.TestID], Title: t.Label})
	}
	return parts
}

// needing is how many jobs are not as they should be.
func needing(all []query.PlannedJob) int {
	n := 0
	for i := range all {
		if j := &all[i]; j.State == health.Failing || toSee(j) {
			n++
		}
	}
	return n
}

// attention are the first lines about what is wrong, and how many more there are:
// failures that are alike make one, then come the jobs that are otherwise not as they
// should be, the worst first.
func attention(l i18n.Lang, all []query.PlannedJob, board console.Board, now time.Time) (lines []overview.Attention, more int) {
	var (
		names  []string
		states []health.Health
		rest   []query.PlannedJob
	)
	for i := range all {
		switch j := &all[i]; {
		case j.State == health.Failing && board.ByRuns(j.Digest):
			names, states = append(names, j.Name), append(states, board.Of(*j.Job))
		case j.State == health.Failing || toSee(j):
			rest = append(rest, *j)
		}
	}
	for _, c := range health.Causes(names, states) {
		lines = append(lines, causeLine(l, c, now))
	}
	worst := first(rest, overviewAttention, func(a, b *query.PlannedJob) int {
		return cmp.Or(cmp.Compare(a.State.Rank(), b.State.Rank()), cmp.Compare(a.Name, b.Name))
	})
	for _, j := range worst {
		tone, label := stateLook(l, j.State)
		h := board.Of(*j.Job)
		line := overview.Attention{Name: j.Name, Href: console.JobPath("/jobs", j.Name), Status: ui.Chip{Tone: tone, Label: label, TestID: "status"}, Reason: h.Sentence}
		if j.Plan.Err != nil && j.State.Rank() > health.Resharding.Rank() {
			line.Status = ui.Chip{Tone: ui.ToneBad, Label: l.OverviewBadCron(), TestID: "status"}
			line.Reason = j.Plan.Err.Error()
		}
		if !h.Since.IsZero() {
			line.Since = view.ForTime(h.Since, now)
		}
		lines = append(lines, line)
	}
	return lines, len(rest) - len(worst)
}

// first are the n jobs that compare before all others, which are not sorted.
func first(all []query.PlannedJob, n int, compare func(a, b *query.PlannedJob) int) []*query.PlannedJob {
	var list []*query.PlannedJob
	for i := range all {
		j := &all[i]
		if len(list) == n && compare(j, list[n-1]) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(list, j, compare)
		list = slices.Insert(list, at, j)
		list = list[:min(len(list), n)]
	}
	return list
}

// toSee reports whether a job that does not fail has a line of its own.
func toSee(j *query.PlannedJob) bool {
	switch j.State {
	case health.Down, health.Unreadable, health.Late, health.Resharding:
		return true
	case health.Disabled, health.Reading:
		return false
	}
	return j.Plan.Err != nil
}

// causeLine is one line about jobs that fail alike.
func causeLine(l i18n.Lang, c health.Cause, now time.Time) overview.Attention {
	asked, _ := query.ParseJobsPage(nil)
	line := overview.Attention{
		Status: ui.Chip{Tone: ui.ToneBad, Label: l.HealthFailing(), TestID: "status"}, Since: view.ForTime(c.Since, now),
		Name: l.OverviewAlike(len(c.Jobs)), Plain: true, Href: asked.WithText("cause:" + c.Fingerprint).Href(),
		Reason: c.Text, Jobs: firstOf(l, c.Jobs, 3),
	}
	if c.Text == "" {
		line.Reason = l.OverviewLost()
	}
	if len(c.Jobs) == 1 {
		line.Name, line.Plain, line.Href, line.Jobs = c.Jobs[0], false, console.JobPath("/jobs", c.Jobs[0], "explain"), ""
	}
	return line
}
