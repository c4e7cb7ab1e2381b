package ui

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// LogLimit returns how many lines of a log a page reads.
func LogLimit(asked query.RunLog, goesOn bool) int {
	switch {
	case asked.All:
		return AllLines
	case goesOn:
		return FollowedLines
	}
	return query.DefaultLogLines
}

// RunLogView makes the log on the page of a run, requested or not.
type RunLogView struct {
	Lang  i18n.Lang
	Now   time.Time
	State app.RecordState
	Logs  []rdb.LogOf
	Log   app.RunLog
	Asked query.RunLog
	// Page is the address of the run; the log is at its anchor.
	Page, Anchor string
	// Executions of the run are for the link to the full log.
	Executions []tracing.Execution
	Link       app.LogLink
}

// Path is the page with the log of a shard's attempt; an attempt of 0 is the last one.
func (v RunLogView) Path(shard, attempt int, more ...string) string {
	asked := url.Values{"shard": {strconv.Itoa(shard)}}
	if attempt > 0 {
		asked.Set("attempt", strconv.Itoa(attempt))
	}
	if len(more) > 0 {
		asked.Set("lines", more[0])
	}
	return query.WithQuery(v.Page, asked) + v.Anchor
}

// mostLogTabs is the number of shards up to which each has a tab. With more, a form asks for the shard's number.
const mostLogTabs = 16

// Box is the log of the requested shard and attempt, with tabs for the others.
func (v RunLogView) Box() runs.Log {
	l, log := v.Lang, v.Log
	box := runs.Log{Shard: strconv.Itoa(log.Item), Form: v.Page, Full: v.full(), Lines: log.Lines, Now: v.Now}
	switch v.State {
	case app.NoDatabase, app.NoTables:
		box.None, box.Hint = app.NoLog(v.State).In(l)
		return box
	case app.DatabaseDown:
		box.None = l.RequestRecordDown()
		return box
	}
	v.tabs(&box)
	switch attempt := strconv.Itoa(v.Asked.Attempt); {
	case log.Total > 0:
		box.Label, box.Sub = l.RequestLogOf(box.Shard, strconv.Itoa(log.Attempt)), l.RequestLogLines(log.Total)
	case v.Asked.Attempt > 0:
		box.None = l.RequestLogNoneAttempt(box.Shard, attempt)
	default:
		box.None = l.RequestLogNoneShard(box.Shard)
	}
	switch shown := len(log.Lines); {
	case shown < log.Total && !v.Asked.All:
		box.Sub = l.RequestLogLast(shown, log.Total)
		box.More = ui.Tab{Label: l.RequestLogAll(), Href: v.Path(log.Item, v.Asked.Attempt, "all")}
	case v.Asked.All:
		box.More = ui.Tab{Label: l.RequestLogTail(), Href: v.Path(log.Item, v.Asked.Attempt)}
	}
	return box
}

// full is the address of the attempt's full log in another program; empty if there is none.
func (v RunLogView) full() string {
	for _, e := range slices.Backward(v.Executions) {
		if e.Item == v.Log.Item && (v.Log.Attempt == 0 || max(e.Attempt, 1) == v.Log.Attempt) {
			return v.Link.Of(e, v.Now)
		}
	}
	return ""
}

// tabs adds tabs for the shards, and for the attempts of the shard.
func (v RunLogView) tabs(box *runs.Log) {
	l := v.Lang
	shards, attempts := make(map[int]int), make(map[int]int)
	for _, o := range v.Logs {
		shards[o.Item] += o.Lines
		if o.Item == v.Log.Item {
			attempts[o.Attempt] += o.Lines
		}
	}
	if box.Many = len(shards) > mostLogTabs; !box.Many {
		for _, n := range slices.Sorted(maps.Keys(shards)) {
			box.Shards = append(box.Shards, ui.Tab{Label: l.RequestLogShard(strconv.Itoa(n)), Href: v.Path(n, 0), Count: strconv.Itoa(shards[n]), Active: n == v.Log.Item, TestID: "log-shard"})
		}
	}
	if len(attempts) < 2 {
		return
	}
	for _, n := range slices.SortedFunc(maps.Keys(attempts), func(a, b int) int { return cmp.Compare(b, a) }) {
		box.Attempts = append(box.Attempts, ui.Tab{Label: l.RequestLogAttempt(strconv.Itoa(n)), Href: v.Path(v.Log.Item, n), Count: strconv.Itoa(attempts[n]), Active: n == v.Log.Attempt, TestID: "log-attempt"})
	}
}
