package pages

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
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
func (s *Pages) overviewPage(c *gin.Context) {
	all, err := s.ReadJobs(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	f := s.Frame(c, "", console.AreaOverview)
	f.LiveSeconds = console.LiveSeconds
	props := overviewProps(f, all, s.Now())
	failed, err := s.ReadExecutions(c, rdb.ExecutionFilter{State: rdb.RunFailed, Limit: overviewFailures})
	props.FailuresHref = "/executions?state=failed"
	switch {
	case s.HistoryOf(c) == nil:
		props.FailuresEmpty = console.NoHistory(c).Message + " " + console.NoHistory(c).Hint
	case err != nil:
		p := console.AsProblem(err)
		s.LogFailure(c, p)
		props.FailuresEmpty = p.Message + " " + p.Hint
	default:
		props.Failures = failureLines(failed.Rows, s.Now())
		props.FailuresEmpty = "No failed run is on record."
	}
	s.Render(c, 200, overview.Page(props))
}

// overviewProps builds the part of the view model that comes from the registry.
func overviewProps(f layout.Frame, all []statistics.Job, now time.Time) overview.Props {
	p := overview.Props{
		Frame: f, Calm: "Every job has live instances and a readable configuration.",
		UpcomingEmpty: "No job is due to fire.",
	}
	counts := make(map[statistics.Status]int)
	planned := make([]query.PlannedJob, len(all))
	for i, j := range all {
		counts[j.Status]++
		planned[i] = query.PlannedJob{Job: j, Plan: view.PlanOf(j, now, 1)}
	}
	asked, _ := query.ParseJobs(nil)
	p.Tiles = append(p.Tiles, overview.Tile{Label: "Jobs", Count: view.Thousands(len(all)), Href: "/jobs", Tone: ui.ToneQuiet, TestID: "tile-all"})
	for _, status := range slices.Backward(query.JobStatuses) {
		if status == statistics.StatusReading && counts[status] == 0 {
			continue // As nearly always.
		}
		tone, label := statusLook(status)
		if counts[status] == 0 {
			tone = ui.ToneQuiet
		}
		p.Tiles = append(p.Tiles, overview.Tile{
			Label: label, Count: view.Thousands(counts[status]), Href: asked.WithStatus(status).Href(), Tone: tone,
			TestID: "tile-" + strings.ToLower(string(status)),
		})
	}
	if len(all) == 0 {
		p.Calm = "No job is registered in this namespace yet. Start an agent; its jobs appear here by themselves."
	}

	slices.SortFunc(planned, func(a, b query.PlannedJob) int {
		return cmp.Or(cmp.Compare(slices.Index(query.JobStatuses, a.Status), slices.Index(query.JobStatuses, b.Status)), cmp.Compare(a.Name, b.Name))
	})
	for _, j := range planned {
		if j.Status == statistics.StatusOK && j.Plan.Err == nil || j.Status == statistics.StatusDisabled || j.Status == statistics.StatusReading {
			continue
		}
		if len(p.Attention) == overviewAttention {
			p.AttentionMore, p.AttentionHref = fmt.Sprintf("More than %d jobs; see all sorted by status", overviewAttention), "/jobs?sort=status"
			break
		}
		line := overview.Attention{Name: j.Name, Href: console.JobPath("/jobs", j.Name), Status: statusChip(j.Job), Reason: j.Reason}
		if j.Plan.Err != nil && j.Status == statistics.StatusOK {
			line.Status = ui.Chip{Tone: ui.ToneBad, Label: "Bad cron", TestID: "status"}
			line.Reason = j.Plan.Err.Error()
		}
		p.Attention = append(p.Attention, line)
	}

	slices.SortStableFunc(planned, func(a, b query.PlannedJob) int { return a.Plan.Compare(b.Plan) })
	for _, j := range planned[:min(len(planned), overviewUpcoming)] {
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

func failureLines(runs []tracing.Execution, now time.Time) []overview.Failure {
	var lines []overview.Failure
	for _, r := range runs {
		lines = append(lines, overview.Failure{
			Job: r.JobName, JobHref: console.JobPath("/jobs", r.JobName), Item: fmt.Sprint(r.Item),
			At: view.AgoTime(r.StartTime, now), Cause: headline(r.FailureCause),
		})
	}
	return lines
}

// statusLook is how a job's status appears.
func statusLook(s statistics.Status) (ui.Tone, string) {
	switch s {
	case statistics.StatusOK:
		return ui.ToneOK, "OK"
	case statistics.StatusDisabled:
		return ui.ToneOff, "Disabled"
	case statistics.StatusCrashed:
		return ui.ToneBad, "Down"
	case statistics.StatusShardingFlag:
		return ui.ToneWarn, "Resharding"
	case statistics.StatusBroken:
		return ui.ToneBad, "Unreadable"
	case statistics.StatusReading:
		return ui.ToneWarn, "Still reading"
	}
	return ui.ToneQuiet, string(s)
}

func statusChip(j statistics.Job) ui.Chip {
	tone, label := statusLook(j.Status)
	title := string(j.Status)
	if j.Reason != "" {
		title += ": " + j.Reason
	}
	return ui.Chip{Tone: tone, Label: label, Title: title, TestID: "status"}
}
