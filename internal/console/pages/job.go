package pages

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/history"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// recentRuns is how many executions it lists.
	recentRuns = 20
)

// jobPage is everything about one job.
func (s *Pages) jobPage(c *gin.Context) {
	job, err := s.ReadJob(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	runs, historyErr := s.ReadLastRuns(c, []string{job.Name}, lastExecutions(job.Job))
	l, now := i18n.From(c.Request.Context()), s.Now()
	props := jobProps(l, s.jobHead(c, job, "overview", runs[job.Name]), job, runs[job.Name], console.Caller(c).Role == auth.RoleRoot, now)
	props.Matrix = newShardBoard(l, job, runs[job.Name], s.departed(c, job.Name), now).matrix(shardsAsked{})
	props.Matrix.MoreHref = props.Job.Href + "/shards"
	if s.HistoryOf(c) != nil && historyErr == nil {
		// Whatever keeps the counts from being read leaves the page as it is.
		if points, err := s.ReadStatistics(c, job.Name, rdb.Hour, now.Add(-(chartHours-1)*time.Hour), now); err == nil {
			props.Results = resultsChart(l, points)
		}
		props.Grid = s.runGrid(c, job.Name)
	}
	switch {
	case s.HistoryOf(c) == nil:
		props.RunsEmpty = problemEmpty(l, console.NoHistory(c), "")
	case historyErr != nil:
		props.Notices = append(props.Notices, historyNotice(l, historyErr))
		props.RunsEmpty = problemEmpty(l, historyErr, "")
	}
	s.Render(c, 200, jobs.Detail(props))
}

// jobProps builds the view model of the job's page.
func jobProps(l i18n.Lang, head jobs.JobHead, job statistics.JobDetail, runs []tracing.Execution, operates bool, now time.Time) jobs.DetailProps {
	list := oldestFirst(runs)
	p := jobs.DetailProps{
		Job:           head,
		Facts:         jobFacts(l, job),
		Schedule:      jobSchedule(l, job.Job, now),
		Strip:         withRuns(l, stripOf(l, list, now, query.ExecutionsHref(job.Name)), list, now),
		Config:        console.ConfigText(job.RawConfig, operates),
		ConfigVersion: l.JobConfigVersion(fmt.Sprint(job.ConfigVersion)),
		ConfigError:   job.ConfigError,
		ConfigHref:    console.JobPath("/jobs", job.Name, "config"), ConfigMore: l.ConfigOpen(),
		Runs:     history.RunsProps{HideJob: true, Runs: runRows(l, newest(runs, recentRuns), now)},
		RunsHref: query.ExecutionsHref(job.Name),
	}
	if operates {
		p.ConfigMore = l.ConfigEdit()
	}
	p.StripNote = l.HealthEnds(p.Strip.Label)
	if len(list) == 0 {
		p.StripNote = l.JobNeverRan()
		p.RunsEmpty = &ui.Empty{Heading: l.JobNoExecution(), Text: l.JobNoExecutionText()}
	}
	if n, ok := reshardNotice(l, job); ok {
		p.Notices = append(p.Notices, n)
	}
	if n, ok := configNotice(l, job, operates); ok {
		p.Notices = append(p.Notices, n)
	}
	return p
}

// reshardNotice says that shards are assigned, or are to be.
func reshardNotice(l i18n.Lang, job statistics.JobDetail) (n ui.Notice, ok bool) {
	switch {
	case job.Resharding:
		return ui.Notice{Tone: ui.ToneWarn, Heading: l.JobAssigning(), Text: l.JobAssigningText()}, true
	case job.ReshardingNeeded:
		return ui.Notice{Tone: ui.ToneWarn, Heading: l.JobReshard(), Text: l.JobReshardText()}, true
	}
	return n, false
}

// configNotice says what is unusual about a configuration that is used as it is;
// what nobody can use is the job's status.
func configNotice(l i18n.Lang, job statistics.JobDetail, operates bool) (n ui.Notice, ok bool) {
	warnings := console.ConfigWarnings(job, operates)
	if len(warnings) == 0 || job.Status == statistics.StatusBroken {
		return n, false
	}
	return ui.Notice{
		Tone: ui.ToneWarn, Heading: l.JobUnusual(),
		Text: l.JobUnusualText(strings.TrimSpace(console.FieldsText(l, warnings))),
	}, true
}

func jobFacts(l i18n.Lang, job statistics.JobDetail) []jobs.Fact {
	var facts []jobs.Fact
	add := func(label, value, note string, mono bool) {
		if value != "" {
			facts = append(facts, jobs.Fact{Label: label, Value: value, Note: note, Mono: mono})
		}
	}
	add(l.JobType(), strings.ToLower(job.Type), "", false)
	add(l.JobClass(), job.Class, "", true)
	add(l.JobShards(), strconv.Itoa(job.Job.Shards), offNote(l, job.Job), false)
	online := 0
	for _, srv := range job.Servers {
		if len(srv.Instances) > 0 {
			online++
		}
	}
	add(l.JobServers(), l.JobServersOnline(online, len(job.Servers)), "", false)
	add(l.JobInstanceCount(), strconv.Itoa(job.Job.Instances), "", false)
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
		add(l.JobShardParameters(), cfg.ItemParameters, "", true)
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

func jobSchedule(l i18n.Lang, j statistics.Job, now time.Time) jobs.Schedule {
	p := view.PlanOf(j, now, view.PlannedFires)
	s := jobs.Schedule{Cron: jobtree.Shown(j.Cron), Words: cronWords(l, j), Zone: zoneLabel(l, p, j)}
	if j.Cron == "" {
		s.Note = l.JobNoSchedule()
		if j.Status == statistics.StatusBroken {
			s.Note = l.JobScheduleUnknown()
		}
		return s
	}
	if p.Err != nil {
		s.Error = jobtree.Shown(p.Err.Error())
		return s
	}
	for _, t := range p.Fires {
		s.Fires = append(s.Fires, jobs.Fire{At: view.DateTime(t), In: view.InTime(t, now), Local: p.Local(t)})
	}
	switch p.Why {
	case "":
		if zone := p.Assumed(); zone != "" {
			s.Note = l.JobZoneAssumed(zone)
		}
	case view.NoFireDisabled:
		s.Note = l.JobFiresDisabled()
	case view.NoFireNever:
		s.Note = l.JobFiresOver()
	default:
		s.Note = l.JobFiresNobody()
	}
	return s
}

// shardLook is how a shard's status appears.
func shardLook(l i18n.Lang, s statistics.ShardStatus) (ui.Tone, string) {
	switch s {
	case statistics.ShardRunning:
		return ui.ToneRun, l.HealthRunning()
	case statistics.ShardPending:
		return ui.ToneOK, l.JobIdle()
	case statistics.ShardDisabled:
		return ui.ToneOff, l.JobDisabled()
	case statistics.ShardShardingFlag:
		return ui.ToneWarn, l.JobUnassigned()
	}
	return ui.ToneQuiet, string(s)
}

// unassignedText says why nobody has a shard: in English with the node and its value.
func unassignedText(l i18n.Lang, sh statistics.Shard) string {
	switch {
	case l == i18n.English:
		return sh.Reason
	case sh.Instance == "":
		return l.JobUnassignedText()
	}
	return l.JobUnassignedLeft(sh.Instance)
}

func shardRows(l i18n.Lang, shards []statistics.Shard, now time.Time) []jobs.Shard {
	var rows []jobs.Shard
	for _, sh := range shards {
		tone, label := shardLook(l, sh.Status)
		r := jobs.Shard{
			Item: strconv.Itoa(sh.Item), Parameter: sh.Parameter,
			Status:   ui.Chip{Tone: tone, Label: label, Title: string(sh.Status), TestID: "shard-status"},
			Instance: sh.Instance, IP: sh.IP,
		}
		if sh.Status == statistics.ShardShardingFlag {
			r.Reason = unassignedText(l, sh)
		}
		if sh.Lost && sh.Status != statistics.ShardDisabled {
			r.Status = ui.Chip{Tone: ui.ToneBad, Label: l.JobLost(), Title: string(sh.Status), TestID: "shard-status"}
			r.Reason = l.JobLostText()
		}
		if sh.RunningOn != "" {
			r.Running = view.ForTime(sh.RunningSince, now)
			if sh.RunningOn != sh.Instance {
				r.RunningOn = sh.RunningOn
			}
		}
		if sh.Failover != "" {
			r.Markers = append(r.Markers, ui.Chip{Tone: ui.ToneWarn, Label: l.JobFailedOverTo(sh.Failover), TestID: "failover"})
		}
		if sh.Misfire {
			r.Markers = append(r.Markers, ui.Chip{Tone: ui.ToneWarn, Label: l.JobMisfireWaiting(), Title: l.JobMisfireText(), TestID: "misfire"})
		}
		if sh.Disabled && sh.Status != statistics.ShardDisabled {
			r.Markers = append(r.Markers, ui.Chip{Tone: ui.ToneOff, Label: l.JobDisabled(), TestID: "disabled"})
		}
		rows = append(rows, r)
	}
	return rows
}

func shardSummary(l i18n.Lang, job statistics.JobDetail) string {
	if len(job.Shards) == 0 {
		return ""
	}
	counts := make(map[statistics.ShardStatus]int)
	for _, sh := range job.Shards {
		counts[sh.Status]++
	}
	parts := []string{strconv.Itoa(len(job.Shards))}
	for _, part := range []struct {
		status statistics.ShardStatus
		words  func(i18n.Lang, int) string
	}{
		{statistics.ShardShardingFlag, i18n.Lang.JobNUnassigned}, {statistics.ShardRunning, i18n.Lang.JobsNRunning},
		{statistics.ShardPending, i18n.Lang.JobNIdle}, {statistics.ShardDisabled, i18n.Lang.JobNDisabled},
	} {
		if n := counts[part.status]; n > 0 {
			parts = append(parts, part.words(l, n))
		}
	}
	return strings.Join(parts, " · ")
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
		row := jobs.Instance{ID: id, Leader: known.Leader, Shards: itemsText(l, items[id])}
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

// maxItemRanges is how many ranges of shards a list in short has.
const maxItemRanges = 20

// itemsText is a list of shards in short: "shards 0–3, 7".
func itemsText(l i18n.Lang, items []int) string {
	if len(items) == 0 {
		return l.JobNoShards()
	}
	return l.JobShardList(len(items), itemRanges(l, items))
}

// itemRanges are the numbers of shards: "0–3, 7", the first of many with the number
// of the others.
func itemRanges(l i18n.Lang, items []int) string {
	items = slices.Sorted(slices.Values(items))
	var parts []string
	for i := 0; i < len(items); {
		if len(parts) == maxItemRanges {
			parts = append(parts, l.JobMore(len(items)-i))
			break
		}
		j := i
		for j+1 < len(items) && items[j+1] == items[j]+1 {
			j++
		}
		switch j {
		case i:
			parts = append(parts, strconv.Itoa(items[i]))
		default:
			parts = append(parts, fmt.Sprintf("%d–%d", items[i], items[j]))
		}
		i = j + 1
	}
	return l.List(parts)
}

// newest are the n latest executions, latest first.
func newest(runs []tracing.Execution, n int) []tracing.Execution {
	runs = slices.Clone(runs)
	slices.SortStableFunc(runs, func(a, b tracing.Execution) int { return b.StartTime.Compare(a.StartTime) })
	return runs[:min(n, len(runs))]
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
		kept := url.Values{}
		for key, value := range map[string]string{"order": a.order, "owner": a.owner} {
			if value != "" {
				kept.Set(key, value)
			}
		}
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
