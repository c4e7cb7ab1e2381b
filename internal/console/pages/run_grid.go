package pages

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// How much a grid shows: of a job with more shards those that did not succeed first.
const (
	gridRuns   = 38
	gridShards = 24
)

// runGrid is the last runs of a job by shard; nil without any. Whatever keeps them
// from being read leaves the page as it is.
func (s *Pages) runGrid(c *gin.Context, job string) *runs.GridProps {
	page, err := s.ReadRuns(c, rdb.RunFilter{JobName: job, Limit: gridRuns})
	if err != nil || len(page.Runs) == 0 {
		return nil
	}
	l := i18n.From(c.Request.Context())
	p := gridOf(l, job, page.Runs, s.Now())
	if lacks, err := s.HistoryLacks(c); err == nil && len(lacks) > 0 {
		p.Lacks = lacksNotice(l, lacks).Text
	}
	return p
}

// gridOf draws the runs of a job, of which the newest comes first.
func gridOf(l i18n.Lang, job string, list []rdb.Run, now time.Time) *runs.GridProps {
	list = slices.Clone(list)
	slices.Reverse(list)
	p := &runs.GridProps{Sub: l.GridSub(len(list)), ListHref: query.WithQuery("/runs", query.RunValues(rdb.RunFilter{JobName: job}))}
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
	p.Grid.Label = l.GridLabel(len(list), job, failed)
	for _, shard := range shards {
		p.Grid.Rows = append(p.Grid.Rows, strconv.Itoa(shard))
	}
	for i, r := range list {
		run := chart.GridRun{Href: runPath(job, r.ID), Tone: runTone(r.State), Duration: float64(took(r)) / float64(max(longest, 1)),
			Title: l.GridRun(view.DateTime(cmp.Or(r.ScheduledAt, r.Start)).Text, stateWord(l, r.State), tookIn(l, took(r)), l.RunsShardsLabel(r.Shards, r.Failed, r.Lost, r.Running))}
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
