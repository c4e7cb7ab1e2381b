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
	for i, j := range all {
		key := planKey{j.Cron, j.TimeZone, j.ClockChange, j.Status, j.Servers > 0 && j.DisabledServers == j.Servers}
		plan, known := plans[key]
		if !known {
			plan = view.PlanOf(j, now, 1)
			plans[key] = plan
		}
		planned[i] = query.PlannedJob{Job: &all[i], Health: board.Of(j), Plan: plan}
	}
	p.Tiles = stateTiles(l, planned)
	p.Attention = slices.Concat(lost, attention(l, planned, now))
	p.Summary = summaryOf(l, p.Tiles[1:], stateParts(p.Tiles, planned), needing(planned))
	if more := len(p.Attention) - overviewAttention; more > 0 {
		p.Attention = p.Attention[:overviewAttention]
		p.AttentionMore, p.AttentionHref = l.OverviewMore(more), "/jobs"
	}

	soonest := make([]*query.PlannedJob, len(planned))
	for i := range planned {
		soonest[i] = &planned[i]
	}
	slices.SortFunc(soonest, func(a, b *query.PlannedJob) int {
		return cmp.Or(a.Plan.Compare(b.Plan), cmp.Compare(a.Name, b.Name))
	})
	for _, j := range soonest[:min(len(soonest), overviewUpcoming)] {
		next := j.Plan.Next()
		if next.IsZero() {
			break
		}
		p.Upcoming = append(p.Upcoming, overview.Upcoming{
			Name: j.Name, Href: console.JobPath("/jobs", j.Name), In: view.InTime(next, now), At: view.NearTime(next, now),
		})
	}
	return p
}

func failureLines(l i18n.Lang, runs []tracing.Execution, now time.Time) []overview.Failure {
	var lines []overview.Failure
	for _, r := range runs {
		lines = append(lines, overview.Failure{
			Job: r.JobName, JobHref: console.JobPath("/jobs", r.JobName), Shard: l.OverviewShard(strconv.Itoa(r.Item)),
			At: view.AgoTime(r.StartTime, now), Cause: headline(r.FailureCause),
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
		counts[j.Health.State]++
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
		counts["tile-"+strings.ToLower(string(j.Health.State))]++
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
	for _, j := range all {
		if toSee(j) || j.Health.State == health.Failing {
			n++
		}
	}
	return n
}

// attention are the lines about what is wrong: failures that are alike make one,
// then come the jobs that are otherwise not as they should be, the worst first.
func attention(l i18n.Lang, all []query.PlannedJob, now time.Time) []overview.Attention {
	names, states := make([]string, len(all)), make([]health.Health, len(all))
	for i, j := range all {
		names[i], states[i] = j.Name, j.Health
	}
	var lines []overview.Attention
	for _, c := range health.Causes(names, states) {
		lines = append(lines, causeLine(l, c, now))
	}
	var rest []query.PlannedJob
	for _, j := range all {
		if toSee(j) {
			rest = append(rest, j)
		}
	}
	slices.SortFunc(rest, func(a, b query.PlannedJob) int {
		return cmp.Or(cmp.Compare(a.Health.State.Rank(), b.Health.State.Rank()), cmp.Compare(a.Name, b.Name))
	})
	for _, j := range rest {
		tone, label := stateLook(l, j.Health.State)
		line := overview.Attention{Name: j.Name, Href: console.JobPath("/jobs", j.Name), Status: ui.Chip{Tone: tone, Label: label, TestID: "status"}, Reason: j.Health.Sentence}
		if j.Plan.Err != nil && j.Health.State.Rank() > health.Resharding.Rank() {
			line.Status = ui.Chip{Tone: ui.ToneBad, Label: l.OverviewBadCron(), TestID: "status"}
			line.Reason = j.Plan.Err.Error()
		}
		if !j.Health.Since.IsZero() {
			line.Since = view.ForTime(j.Health.Since, now)
		}
		lines = append(lines, line)
	}
	return lines
}

// toSee reports whether a job has a line of its own.
func toSee(j query.PlannedJob) bool {
	switch j.Health.State {
	case health.Failing:
		return j.Health.Fingerprint == "" // else among the causes
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
