package pages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// How much a grid shows: of a job with more shards those that did not succeed first.
const (
	gridRuns   = 38
	gridShards = 24
	gridTicks  = 10 // each so many runs have their time below them
)

// runGrid is the last runs of a job by shard.
func runGrid(s *Pages, c *gin.Context, job statistics.JobDetail, list []rdb.Run) *runs.GridProps {
	p := gridOf(i18n.From(c.Request.Context()), job, list, s.Now())
	if lacks, err := s.HistoryLacks(c); err == nil && len(lacks) > 0 {
		p.Lacks = lacksNotice(i18n.From(c.Request.Context()), lacks).Text
	}
	return p
}

// gridOf draws the runs of a job, of which the newest comes first.
func gridOf(l i18n.Lang, job statistics.JobDetail, list []rdb.Run, now time.Time) *runs.GridProps {
	list = slices.Clone(list)
	slices.Reverse(list)
	p := &runs.GridProps{Sub: l.GridSub(len(list)), ListHref: query.WithQuery("/runs", query.RunValues(rdb.RunFilter{JobName: job.Name}))}
	states := make([]map[int]rdb.RunState, len(list)) // by run and shard
	bad := map[int]int{}                              // by shard: in how many runs it did not succeed
	var longest time.Duration
	took := func(r rdb.Run) time.Duration { return runTook(r, now) }
	failed := 0
	for i, r := range list {
		states[i] = map[int]rdb.RunState{}
		for _, e := range r.Executions { // the last attempt of a shard comes last
			states[i][e.Item] = rdb.StateOf(e)
		}
		for shard, state := range states[i] {
			bad[shard] += map[bool]int{true: 1}[state == rdb.RunFailed || state == rdb.RunLost]
		}
		if r.State == rdb.RunFailed || r.State == rdb.RunLost {
			failed++
		}
		longest = max(longest, took(r))
		p.Grouped = p.Grouped || r.Grouped
	}
	shards := gridRows(bad)
	p.LeftOut = len(bad) - len(shards)
	p.Grid.Label = l.GridLabel(len(list), job.Name, failed)
	p.Grid.Longest = l.GridLongest(clockSpan(longest))
	p.Grid.Rows = gridLabels(job, shards, states[len(states)-1])
	for i, r := range list {
		run := chart.GridRun{Href: runPath(job.Name, r.ID), Tone: runTone(r.State), Duration: float64(took(r)) / float64(max(longest, 1)),
			Title: l.GridRun(view.DateTime(cmp.Or(r.ScheduledAt, r.Start)).Text, stateWord(l, r.State), tookIn(l, took(r)), l.RunsShardsLabel(r.Shards, r.Failed, r.Lost, r.Running))}
		if i%gridTicks == 0 && (i == 0 || i < len(list)-2) {
			run.Tick = clock(cmp.Or(r.ScheduledAt, r.Start))
		}
		for _, shard := range shards {
			tone := ui.ToneQuiet // it was not among them
			if state, ran := states[i][shard]; ran {
				tone = runTone(state)
			}
			run.Cells = append(run.Cells, tone)
		}
		p.Grid.Runs = append(p.Grid.Runs, run)
	}
	return p
}

// gridLabels name the rows: shards with their parameters. Those that the last run did
// not bring to an end stand out.
func gridLabels(job statistics.JobDetail, shards []int, last map[int]rdb.RunState) []chart.GridRow {
	parameters := make(map[int]string)
	for _, s := range job.Shards {
		parameters[s.Item] = s.Parameter
	}
	var rows []chart.GridRow
	for _, shard := range shards {
		rows = append(rows, chart.GridRow{
			Label: strings.TrimSpace(strconv.Itoa(shard) + " " + view.Clip(parameters[shard], 12)),
			Bad:   last[shard] == rdb.RunFailed || last[shard] == rdb.RunLost,
		})
	}
	return rows
}

// gridRows are the shards that have a row, in order: all, or of more than
// [gridShards] those that failed most often.
func gridRows(bad map[int]int) []int {
	var shards []int
	for shard := range bad {
		shards = append(shards, shard)
	}
	slices.SortFunc(shards, func(a, b int) int { return cmp.Or(bad[b]-bad[a], a-b) })
	shards = shards[:min(len(shards), gridShards)]
	slices.Sort(shards)
	return shards
}
