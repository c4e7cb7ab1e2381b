package jobs

import (
	"strconv"
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
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// recentRuns is how many runs it lists.
const recentRuns = 10

// jobPage is everything about one job. Its runs are read once, for all that shows them.
func (s service) jobPage(c *gin.Context) error {
	job, err := s.ReadJob(c)
	if err != nil {
		return err
	}
	page, historyErr := s.ReadRuns(c, rdb.RunFilter{JobName: job.Name, Limit: jobpage.GridRuns})
	var executions []tracing.Execution
	for _, r := range page.Runs {
		executions = append(executions, r.Executions...)
	}
	l, now := i18n.From(c.Request.Context()), s.Now()
	props := jobProps(l, jobpage.Head(s.Console, c, job, "overview", executions), job, app.May(c, app.Configures), now)
	addHerd(s, c, job.Job, &props.Schedule)
	props.Matrix = newShardBoard(l, job, executions, s.departed(c, job, executions), now).matrix(shardsAsked{})
	addRunLinks(c, job.Name, &props.Matrix)
	props.Matrix.MoreHref = props.Job.Href + "/shards"
	props.RunsHref = query.WithQuery("/runs", query.RunValues(rdb.RunFilter{JobName: job.Name}))
	switch {
	case historyErr != nil:
		problem := app.AsProblem(historyErr)
		if s.HistoryOf(c) != nil {
			props.Notices = append(props.Notices, historyNotice(l, problem))
		}
		props.RunsEmpty = pageui.ProblemEmpty(l, problem, "")
	case len(page.Runs) == 0:
		props.RunsEmpty = &ui.Empty{Heading: l.JobNoExecution(), Text: l.JobNoExecutionText()}
	default:
		var hints []string
		props.Grid, hints = jobpage.RunGrid(s.Console, c, job, page.Runs)
		props.Job.Frame.Ignored = append(props.Job.Frame.Ignored, hints...)
		props.Runs = pageui.RunRows(l, page.Runs[:min(recentRuns, len(page.Runs))], now)
		props.Durations = jobpage.Durations(l, page.Runs, now)
	}
	s.Render(c, 200, jobs.Detail(props))
	return nil
}

// jobProps builds the view model of the job's page, but for its runs.
func jobProps(l i18n.Lang, head jobs.JobHead, job statistics.JobDetail, edits bool, now time.Time) jobs.DetailProps {
	p := jobs.DetailProps{
		Job: head, Facts: jobFacts(l, job), Schedule: jobSchedule(l, job.Job, now), ConfigError: job.ConfigError,
		ConfigHref: app.JobPath("/jobs", job.Name, "config"), ConfigMore: l.JobScheduleOpen(),
	}
	if edits {
		p.ConfigMore = l.JobScheduleEdit()
	}
	if p.ConfigError != "" {
		p.Config, p.ConfigMore = jobtree.Clip(app.ConfigText(job.RawConfig, edits), app.MaxShownConfig), ""
	}
	if n, ok := reshardNotice(l, job); ok {
		p.Notices = append(p.Notices, n)
	}
	if n, ok := configNotice(l, job, edits); ok {
		p.Notices = append(p.Notices, n)
	}
	return p
}

// reshardNotice says that shards are assigned, or are to be.
func reshardNotice(l i18n.Lang, job statistics.JobDetail) (n ui.Notice, ok bool) {
	switch {
	case job.Resharding:
		return ui.Notice{Tone: ui.ToneWarn, Heading: l.JobAssigning(), Text: l.JobAssigningText()}, true
	case job.ReshardingNeeded && job.Status != statistics.StatusDisabled: // what nobody runs need not be assigned
		return ui.Notice{Tone: ui.ToneWarn, Heading: l.JobReshard(), Text: l.JobReshardText()}, true
	}
	return n, false
}

// configNotice says what is unusual about a configuration that is used as it is;
// what nobody can use is the job's status.
func configNotice(l i18n.Lang, job statistics.JobDetail, edits bool) (n ui.Notice, ok bool) {
	warnings := app.ConfigWarnings(job, edits)
	if len(warnings) == 0 || job.Status == statistics.StatusBroken {
		return n, false
	}
	return ui.Notice{
		Tone: ui.ToneWarn, Heading: l.JobUnusual(),
		Text: l.JobUnusualText(strings.TrimSpace(app.FieldsText(l, warnings))),
	}, true
}

func jobFacts(l i18n.Lang, job statistics.JobDetail) []ui.Fact {
	var facts []ui.Fact
	add := func(label, value, note string, mono bool) {
		if value != "" {
			facts = append(facts, ui.Fact{Label: label, Value: value, Note: note, Mono: mono})
		}
	}
	add(l.JobType(), strings.ToLower(job.Type), "", false)
	if job.Class != job.Name {
		add(l.JobClass(), job.Class, "", true)
	}
	online := 0
	for _, srv := range job.Servers {
		if len(srv.Instances) > 0 {
			online++
		}
	}
	add(l.JobServers(), l.JobServersOnline(online, len(job.Servers)), offNote(l, job.Job), false)
	leader := job.Leader
	if leader == "" {
		leader = l.JobNone()
	}
	add(l.JobLeader(), leader, "", true)
	add(l.JobFailover(), onOff(l, job.Failover), "", false)
	if cfg := job.Config; cfg != nil {
		add(l.JobMisfire(), onOff(l, cfg.Misfire), "", false)
		add(l.JobMonitor(), onOff(l, cfg.MonitorExecution), "", false)
		add(l.JobParameter(), cfg.Parameter, "", true)
		if len(job.Shards) > matrixShards { // else they stand above the columns of the matrix
			add(l.JobShardParameters(), cfg.ItemParameters, "", true)
		}
		add(l.JobStrategy(), cfg.StrategyType, "", true)
		add(l.JobLabel(), cfg.Label, "", false)
	}
	return facts
}

func onOff(l i18n.Lang, b bool) string {
	if b {
		return l.JobSwitchedOn()
	}
	return l.JobSwitchedOff()
}

// leastHerd is how many other jobs that fire at the same second are worth a note.
const leastHerd = 10

// addHerd says which of the fires to come of a job many others have, too.
func addHerd(s service, c *gin.Context, j statistics.Job, p *jobs.Schedule) {
	l, plan := i18n.From(c.Request.Context()), view.PlanOf(j, s.Now(), view.PlannedFires)
	if plan.Why != "" {
		return
	}
	if at, n := app.FireTogether(s.Console, c, j.Name, plan.Fires); n >= leastHerd {
		minute := at.UTC().Truncate(time.Minute)
		window := minute.Format("15:04") + "-" + minute.Add(time.Minute).Format("15:04")
		p.Herd = &ui.Note{
			Tone: ui.ToneWarn, Text: l.JobHerd(view.NearTime(l, at, s.Now()).Text, n), TestID: "schedule-herd",
			Action: &ui.Button{Small: true, Label: l.JobHerdOpen(), Href: query.Jobs{Text: "fires:" + window}.Href(), TestID: "herd-open"},
		}
	}
}

func serverRows(l i18n.Lang, job statistics.JobDetail) []jobs.Server {
	items := make(map[string][]int)
	for _, sh := range job.Shards {
		items[sh.Instance] = append(items[sh.Instance], sh.Item)
	}
	byID := make(map[string]statistics.Instance)
	for _, i := range job.Instances {
		byID[i.ID] = i
	}
	var rows []jobs.Server
	seen := make(map[string]bool)
	instance := func(id string) jobs.Instance {
		seen[id] = true
		known := byID[id]
		row := jobs.Instance{ID: id, Leader: known.Leader, Shards: pageui.ShardList(l, items[id]), Agent: agentText(l, known)}
		if !known.Since.IsZero() {
			row.Since = view.DateTime(known.Since)
		}
		return row
	}
	for _, srv := range job.Servers {
		r := jobs.Server{IP: srv.IP, State: serverChip(l, srv)}
		for _, id := range srv.Instances {
			r.Instances = append(r.Instances, instance(id))
		}
		rows = append(rows, r)
	}
	// An instance whose server nobody lists is a contradiction worth seeing.
	for _, i := range job.Instances {
		if !seen[i.ID] {
			rows = append(rows, jobs.Server{
				IP:        i.IP,
				State:     ui.Chip{Tone: ui.ToneWarn, Label: l.JobNotListed(), Title: l.JobNotListedText()},
				Instances: []jobs.Instance{instance(i.ID)},
			})
		}
	}
	return rows
}

// agentText has the announcement of an instance's agent on one line; empty if it has left.
func agentText(l i18n.Lang, i statistics.Instance) string {
	a := i.Agent
	switch {
	case i.ID == "":
		return ""
	case !a.Ours:
		return l.JobAgentJava()
	}
	parts := []string{l.JobAgentGo(a.Version), a.Zone}
	if a.NoRecorder {
		parts = append(parts, l.JobAgentNoRecorder())
	}
	if a.Debug != "" {
		parts = append(parts, "Debug "+string(a.Debug))
	}
	if a.MaxParallel > 0 {
		parts = append(parts, "MaxParallel "+strconv.Itoa(a.MaxParallel))
	}
	return strings.TrimSpace(pageui.JoinNotes(parts...))
}

func serverChip(l i18n.Lang, srv statistics.JobServer) ui.Chip {
	switch {
	case !srv.Enabled && srv.Data != "" && srv.Data != "DISABLED":
		return ui.Chip{Tone: ui.ToneWarn, Label: l.JobNotEnabled(), Title: l.JobNotEnabledText(strconv.Quote(srv.Data)), TestID: "server-state"}
	case !srv.Enabled:
		return ui.Chip{Tone: ui.ToneOff, Label: l.JobDisabled(), TestID: "server-state"}
	case len(srv.Instances) == 0:
		return ui.Chip{Tone: ui.ToneQuiet, Label: l.JobOffline(), TestID: "server-state"}
	}
	return ui.Chip{Tone: ui.ToneOK, Label: l.JobOnline(), TestID: "server-state"}
}

// shardsOnPage are the shards that the job's page shows, and its pager, which is
// nil if these are all. A page beyond the last, or that is no number, is the last
// or the first.
func shardsOnPage(l i18n.Lang, shards []statistics.Shard, a shardsAsked, href string) ([]statistics.Shard, *ui.Pager) {
	if len(shards) <= tableShards {
		return shards, nil
	}
	last := (len(shards) + tableShards - 1) / tableShards
	page := min(a.page, last)
	from := (page - 1) * tableShards
	part := shards[from:min(from+tableShards, len(shards))]
	at := func(n int) string {
		kept := a.values()
		if n > 1 {
			kept.Set("page", strconv.Itoa(n))
		}
		return query.WithQuery(href, kept)
	}
	p := &ui.Pager{
		PrevLabel: l.JobsPrevious(), NextLabel: l.JobsNext(),
		Summary: l.JobShardRange(view.Thousands(from+1), view.Thousands(from+len(part)), len(shards)),
	}
	if page > 1 {
		p.Prev = at(page - 1)
	}
	if page < last {
		p.Next = at(page + 1)
	}
	return part, p
}
