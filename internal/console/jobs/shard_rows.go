package jobs

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

func (b shardBoard) state(s statistics.Shard) pageui.ShardState {
	return pageui.StateOfShard(s, b.ran[s.Item], slices.Contains(b.silent, s.Item))
}

func (b shardBoard) legend() []ui.State {
	var list []ui.State
	for _, look := range pageui.ShardLooks {
		list = append(list, ui.State{Tone: look.Tone, Label: look.Legend(b.l)})
	}
	return list
}

// counts are how many shards are in each state.
func (b shardBoard) counts() (count [len(pageui.ShardLooks)]int) {
	for _, s := range b.job.Shards {
		count[b.state(s)]++
	}
	return count
}

// summary counts the shards by state.
func (b shardBoard) summary() string {
	if len(b.job.Shards) == 0 {
		return ""
	}
	count := b.counts()
	parts := []string{view.Thousands(len(b.job.Shards))}
	for state, n := range count {
		if n > 0 {
			parts = append(parts, view.Thousands(n)+" "+pageui.ShardLooks[state].Cell(b.l))
		}
	}
	return strings.Join(parts, " · ")
}

// rows are shards as lines of the table.
func (b shardBoard) rows(shards []statistics.Shard) []jobs.Shard {
	var rows []jobs.Shard
	for _, s := range shards {
		state := b.state(s)
		look := pageui.ShardLooks[state]
		r := jobs.Shard{
			Item: strconv.Itoa(s.Item), Parameter: s.Parameter, Instance: s.Instance, IP: s.IP,
			State: ui.State{Tone: look.Tone, Label: look.Word(b.l), Title: string(s.Status), TestID: "shard-status"},
		}
		switch {
		case state == pageui.ShardUnassigned:
			r.Reason = unassignedText(b.l, s)
		case s.Status == statistics.ShardBlocked:
			r.Reason = b.blockedText(s)
		case state == pageui.ShardBlocked:
			r.Reason = b.l.ExplainIsMissed(jobpage.ShardsPhrase(b.l, []int{s.Item}))
		case state == pageui.ShardLost && s.Lost:
			r.Reason = b.l.JobLostText()
		}
		b.lastOf(&r, s, state)
		r.Markers = shardMarkers(b.l, s, state)
		rows = append(rows, r)
	}
	return rows
}

// blockedText is why a shard doesn't run, in the reader's language.
func (b shardBoard) blockedText(s statistics.Shard) string {
	for _, f := range b.job.Findings {
		if f.Sentence == s.Reason {
			sentence, _ := health.Words(b.l, f)
			return sentence
		}
	}
	return s.Reason
}

// lastOf adds what the shard runs, or how its last execution ended, and how long they
// usually take.
func (b shardBoard) lastOf(r *jobs.Shard, s statistics.Shard, state pageui.ShardState) {
	if s.RunningOn != "" {
		r.Running = view.ForTime(s.RunningSince, b.now)
		if s.RunningOn != s.Instance {
			r.RunningOn = s.RunningOn
		}
	}
	if e, ok := pageui.LastExecution(b.ran[s.Item]); ok {
		at := cmp.Or(e.CompleteTime, e.StartTime)
		r.Last, r.LastHref = view.NearTime(b.l, at, b.now), pageui.ExecutionHref(e)
		if state == pageui.ShardFailed {
			r.Cause = view.FirstLine(e.FailureCause)
		}
	}
	var took []time.Duration
	for _, e := range b.ran[s.Item] {
		if !e.CompleteTime.IsZero() {
			took = append(took, e.CompleteTime.Sub(e.StartTime))
		}
	}
	if len(took) > 0 {
		r.P95, r.P95Title = view.ClockSpan(rdb.DurationsOf(took, false).P95), b.l.JobP95Of(len(took))
	}
}

// shardMarkers are what else is set on a shard.
func shardMarkers(l i18n.Lang, s statistics.Shard, state pageui.ShardState) (list []ui.Chip) {
	if s.Failover != "" {
		list = append(list, ui.Chip{Tone: ui.ToneWarn, Label: l.JobFailedOverTo(s.Failover), TestID: "failover"})
	}
	if s.Misfire {
		list = append(list, ui.Chip{Tone: ui.ToneWarn, Label: l.JobMisfireWaiting(), Title: l.JobMisfireText(), TestID: "misfire"})
	}
	if s.Disabled && state != pageui.ShardOff {
		list = append(list, ui.Chip{Tone: ui.ToneOff, Label: l.JobDisabled(), TestID: "disabled"})
	}
	return list
}

// unassignedText says why nobody has a shard: in English with the node and its value.
func unassignedText(l i18n.Lang, sh statistics.Shard) string {
	switch {
	case sh.Instance == "":
		return l.JobUnassignedText()
	case l == i18n.English:
		return sh.Reason
	}
	return l.JobUnassignedLeft(sh.Instance)
}
