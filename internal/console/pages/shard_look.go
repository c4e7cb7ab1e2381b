package pages

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
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// shardState is how a shard is: what the registry says, and how its last execution
// ended.
type shardState uint8

// The states in the order of their legend.
const (
	shardIdle shardState = iota
	shardRunning
	shardFailed
	shardMoved
	shardLost
	shardOff
	shardUnassigned
	shardBlocked
)

// shardLooks are how the states appear: on every page the same tone, and a word in a
// cell of the matrix, in the table, and in the legend. The name is that of addresses.
var shardLooks = [...]struct {
	name               string
	tone               ui.Tone
	cell, word, legend func(i18n.Lang) string
}{
	shardIdle:       {"idle", ui.ToneOK, i18n.Lang.MatrixIdle, i18n.Lang.JobIdle, i18n.Lang.MatrixLegendIdle},
	shardRunning:    {"running", ui.ToneRun, i18n.Lang.MatrixRunning, i18n.Lang.HealthRunning, i18n.Lang.MatrixRunning},
	shardFailed:     {"failed", ui.ToneBad, i18n.Lang.MatrixFailed, i18n.Lang.RunStateFailed, i18n.Lang.MatrixLegendFailed},
	shardMoved:      {"failed-over", ui.ToneWarn, i18n.Lang.MatrixMoved, i18n.Lang.RunFailedOver, i18n.Lang.MatrixMoved},
	shardLost:       {"lost", ui.ToneLost, i18n.Lang.MatrixLost, i18n.Lang.JobLost, i18n.Lang.MatrixLegendLost},
	shardOff:        {"disabled", ui.ToneOff, i18n.Lang.MatrixOff, i18n.Lang.JobDisabled, i18n.Lang.MatrixLegendOff},
	shardUnassigned: {"unassigned", ui.ToneQuiet, i18n.Lang.MatrixUnassigned, i18n.Lang.JobUnassigned, i18n.Lang.MatrixUnassigned},
	shardBlocked:    {"blocked", ui.ToneBad, i18n.Lang.MatrixBlocked, i18n.Lang.JobBlocked, i18n.Lang.MatrixBlocked},
}

// state is how a shard is. Of what holds at once, the first counts.
func (b shardBoard) state(s statistics.Shard) shardState {
	switch {
	case s.Status == statistics.ShardDisabled:
		return shardOff
	case s.Lost:
		return shardLost
	case s.Status == statistics.ShardRunning:
		return shardRunning
	case s.Status == statistics.ShardShardingFlag:
		return shardUnassigned
	case s.Status == statistics.ShardBlocked, slices.Contains(b.silent, s.Item):
		return shardBlocked
	case s.Failover != "":
		return shardMoved
	}
	if e, ok := b.last(s.Item); ok {
		switch rdb.StateOf(e) {
		case rdb.RunFailed:
			return shardFailed
		case rdb.RunLost:
			return shardLost
		}
	}
	return shardIdle
}

// last is the last execution of a shard.
func (b shardBoard) last(item int) (e tracing.Execution, ok bool) {
	list := b.ran[item]
	if len(list) == 0 {
		return e, false
	}
	return slices.MaxFunc(list, func(x, y tracing.Execution) int { return x.StartTime.Compare(y.StartTime) }), true
}

func (b shardBoard) legend() []ui.State {
	var list []ui.State
	for _, look := range shardLooks {
		list = append(list, ui.State{Tone: look.tone, Label: look.legend(b.l)})
	}
	return list
}

// counts are how many shards are in each state.
func (b shardBoard) counts() (count [len(shardLooks)]int) {
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
			parts = append(parts, view.Thousands(n)+" "+shardLooks[state].cell(b.l))
		}
	}
	return strings.Join(parts, " · ")
}

// rows are shards as lines of the table.
func (b shardBoard) rows(shards []statistics.Shard) []jobs.Shard {
	var rows []jobs.Shard
	for _, s := range shards {
		state := b.state(s)
		look := shardLooks[state]
		r := jobs.Shard{
			Item: strconv.Itoa(s.Item), Parameter: s.Parameter, Instance: s.Instance, IP: s.IP,
			State: ui.State{Tone: look.tone, Label: look.word(b.l), Title: string(s.Status), TestID: "shard-status"},
		}
		switch {
		case state == shardUnassigned:
			r.Reason = unassignedText(b.l, s)
		case s.Status == statistics.ShardBlocked:
			r.Reason = b.blockedText(s)
		case state == shardBlocked:
			r.Reason = b.l.ExplainIsMissed(jobpage.ShardsPhrase(b.l, []int{s.Item}))
		case state == shardLost && s.Lost:
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
func (b shardBoard) lastOf(r *jobs.Shard, s statistics.Shard, state shardState) {
	if s.RunningOn != "" {
		r.Running = view.ForTime(s.RunningSince, b.now)
		if s.RunningOn != s.Instance {
			r.RunningOn = s.RunningOn
		}
	}
	if e, ok := b.last(s.Item); ok {
		at := cmp.Or(e.CompleteTime, e.StartTime)
		r.Last, r.LastHref = view.NearTime(b.l, at, b.now), executionHref(e)
		if state == shardFailed {
			r.Cause = pageui.FirstLine(e.FailureCause)
		}
	}
	var took []time.Duration
	for _, e := range b.ran[s.Item] {
		if !e.CompleteTime.IsZero() {
			took = append(took, e.CompleteTime.Sub(e.StartTime))
		}
	}
	if len(took) > 0 {
		r.P95, r.P95Title = clockSpan(rdb.DurationsOf(took, false).P95), b.l.JobP95Of(len(took))
	}
}

// shardMarkers are what else is set on a shard.
func shardMarkers(l i18n.Lang, s statistics.Shard, state shardState) (list []ui.Chip) {
	if s.Failover != "" {
		list = append(list, ui.Chip{Tone: ui.ToneWarn, Label: l.JobFailedOverTo(s.Failover), TestID: "failover"})
	}
	if s.Misfire {
		list = append(list, ui.Chip{Tone: ui.ToneWarn, Label: l.JobMisfireWaiting(), Title: l.JobMisfireText(), TestID: "misfire"})
	}
	if s.Disabled && state != shardOff {
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
