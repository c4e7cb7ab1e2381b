package console

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/overview"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	overviewAttention = 12
	overviewUpcoming  = 12
	overviewFailures  = 12
)

// overviewPage says what wants a hand and what comes next.
func (s *Console) overviewPage(c *gin.Context) {
	all, err := s.readJobs(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	f := s.frame(c, "Overview", areaOverview)
	f.LiveSeconds = liveSeconds
	props := overviewProps(f, all, s.opts.Clock())
	failed, err := s.readExecutions(c, rdb.ExecutionFilter{State: rdb.RunFailed, Limit: overviewFailures})
	props.FailuresHref = "/executions?state=failed"
	switch {
	case s.historyOf(c) == nil:
		props.FailuresEmpty = noHistory(c).message + " " + noHistory(c).hint
	case err != nil:
		p := asProblem(err)
		s.logFailure(c, p)
		props.FailuresEmpty = p.message + " " + p.hint
	default:
		props.Failures = failureLines(failed.Rows, s.opts.Clock())
		props.FailuresEmpty = "No failed run is on record."
	}
	s.render(c, 200, overview.Page(props))
}

// overviewProps builds the part of the view model that comes from the registry.
func overviewProps(f layout.Frame, all []statistics.Job, now time.Time) overview.Props {
	p := overview.Props{
		Frame: f, Calm: "Every job has live instances and a readable configuration.",
		UpcomingEmpty: "No job is due to fire.",
	}
	counts := make(map[statistics.Status]int)
	planned := make([]plannedJob, len(all))
	for i, j := range all {
		counts[j.Status]++
		planned[i] = plannedJob{Job: j, plan: planOf(j, now, 1)}
	}
	query, _ := parseJobsQuery(nil)
	p.Tiles = append(p.Tiles, overview.Tile{Label: "Jobs", Count: thousands(len(all)), Href: "/jobs", Tone: ui.ToneQuiet, TestID: "tile-all"})
	for _, status := range slices.Backward(jobStatuses) {
		if status == statistics.StatusReading && counts[status] == 0 {
			continue // As nearly always.
		}
		tone, label := statusLook(status)
		if counts[status] == 0 {
			tone = ui.ToneQuiet
		}
		p.Tiles = append(p.Tiles, overview.Tile{
			Label: label, Count: thousands(counts[status]), Href: query.withStatus(status).href(), Tone: tone,
			TestID: "tile-" + strings.ToLower(string(status)),
		})
	}
	if len(all) == 0 {
		p.Calm = "No job is registered in this namespace yet. Start an agent; its jobs appear here by themselves."
	}

	slices.SortFunc(planned, func(a, b plannedJob) int {
		return cmp.Or(cmp.Compare(slices.Index(jobStatuses, a.Status), slices.Index(jobStatuses, b.Status)), cmp.Compare(a.Name, b.Name))
	})
	for _, j := range planned {
		if j.Status == statistics.StatusOK && j.plan.err == nil || j.Status == statistics.StatusDisabled || j.Status == statistics.StatusReading {
			continue
		}
		if len(p.Attention) == overviewAttention {
			p.AttentionMore, p.AttentionHref = fmt.Sprintf("More than %d jobs; see all sorted by status", overviewAttention), "/jobs?sort=status"
			break
		}
		line := overview.Attention{Name: j.Name, Href: jobPath("/jobs", j.Name), Status: statusChip(j.Job), Reason: j.Reason}
		if j.plan.err != nil && j.Status == statistics.StatusOK {
			line.Status = ui.Chip{Tone: ui.ToneBad, Label: "Bad cron", TestID: "status"}
			line.Reason = j.plan.err.Error()
		}
		p.Attention = append(p.Attention, line)
	}

	slices.SortStableFunc(planned, func(a, b plannedJob) int { return a.plan.compare(b.plan) })
	for _, j := range planned[:min(len(planned), overviewUpcoming)] {
		next := j.plan.next()
		if next.IsZero() {
			break
		}
		p.Upcoming = append(p.Upcoming, overview.Upcoming{
			Name: j.Name, Href: jobPath("/jobs", j.Name), In: inTime(next, now), At: nearTime(next, now),
		})
	}
	return p
}

func failureLines(runs []tracing.Execution, now time.Time) []overview.Failure {
	var lines []overview.Failure
	for _, r := range runs {
		lines = append(lines, overview.Failure{
			Job: r.JobName, JobHref: jobPath("/jobs", r.JobName), Item: fmt.Sprint(r.Item),
			At: agoTime(r.StartTime, now), Cause: headline(r.FailureCause),
		})
	}
	return lines
}
