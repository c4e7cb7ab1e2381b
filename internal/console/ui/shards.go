package ui

import (
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// ShardState is the state of a shard: by the registry, and by its last execution.
type ShardState uint8

// The states in the order of their legend.
const (
	ShardIdle ShardState = iota
	ShardRunning
	ShardFailed
	ShardMoved
	ShardLost
	ShardOff
	ShardUnassigned
	ShardBlocked
)

// ShardLooks are how the states appear: on every page the same tone, and a word in a
// cell of the matrix, in the table, and in the legend. Addresses have the name.
var ShardLooks = [...]struct {
	Name               string
	Tone               ui.Tone
	Cell, Word, Legend func(i18n.Lang) string
}{
	ShardIdle:       {"idle", ui.ToneOK, i18n.Lang.MatrixIdle, i18n.Lang.JobIdle, i18n.Lang.MatrixLegendIdle},
	ShardRunning:    {"running", ui.ToneRun, i18n.Lang.MatrixRunning, i18n.Lang.HealthRunning, i18n.Lang.MatrixRunning},
	ShardFailed:     {"failed", ui.ToneBad, i18n.Lang.MatrixFailed, i18n.Lang.RunStateFailed, i18n.Lang.MatrixLegendFailed},
	ShardMoved:      {"failed-over", ui.ToneWarn, i18n.Lang.MatrixMoved, i18n.Lang.RunFailedOver, i18n.Lang.MatrixMoved},
	ShardLost:       {"lost", ui.ToneLost, i18n.Lang.MatrixLost, i18n.Lang.JobLost, i18n.Lang.MatrixLegendLost},
	ShardOff:        {"disabled", ui.ToneOff, i18n.Lang.MatrixOff, i18n.Lang.JobDisabled, i18n.Lang.MatrixLegendOff},
	ShardUnassigned: {"unassigned", ui.ToneQuiet, i18n.Lang.MatrixUnassigned, i18n.Lang.JobUnassigned, i18n.Lang.MatrixUnassigned},
	ShardBlocked:    {"blocked", ui.ToneBad, i18n.Lang.MatrixBlocked, i18n.Lang.JobBlocked, i18n.Lang.MatrixBlocked},
}

// StateOfShard is the state of a shard with these executions. If several states apply, the first
// counts. A silent shard takes no part in the runs, by the history.
func StateOfShard(s statistics.Shard, executions []tracing.Execution, silent bool) ShardState {
	switch {
	case s.Status == statistics.ShardDisabled:
		return ShardOff
	case s.Lost:
		return ShardLost
	case s.Status == statistics.ShardRunning:
		return ShardRunning
	case s.Status == statistics.ShardShardingFlag:
		return ShardUnassigned
	case s.Status == statistics.ShardBlocked, silent:
		return ShardBlocked
	case s.Failover != "":
		return ShardMoved
	}
	if e, ok := LastExecution(executions); ok {
		switch rdb.StateOf(e) {
		case rdb.RunFailed:
			return ShardFailed
		case rdb.RunLost:
			return ShardLost
		}
	}
	return ShardIdle
}

// LastExecution is the execution that began last.
func LastExecution(list []tracing.Execution) (e tracing.Execution, ok bool) {
	if len(list) == 0 {
		return e, false
	}
	return slices.MaxFunc(list, func(x, y tracing.Execution) int { return x.StartTime.Compare(y.StartTime) }), true
}

// ShardItems are the shards that an address names, in ascending order. Of more than are taken at
// once it returns the first; asked is their number.
func ShardItems(names []string) (items []int, asked int) {
	for _, name := range names {
		if n, err := strconv.Atoi(name); err == nil && n >= 0 && n < 1<<31 {
			items = append(items, n)
		}
	}
	slices.Sort(items)
	items = slices.Compact(items)
	return items[:min(len(items), app.MostAtOnce)], len(items)
}

// UnknownItems are hints at items of the address that are no numbers of shards.
func UnknownItems(c *gin.Context, l i18n.Lang) (hints []string) {
	for _, name := range c.QueryArray("item") {
		if items, _ := ShardItems([]string{name}); len(items) == 0 {
			hints = append(hints, l.RunNoNumber(strconv.Quote(view.Clip(name, 40))))
		}
	}
	return hints
}
