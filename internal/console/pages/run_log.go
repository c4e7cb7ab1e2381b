package pages

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// logLimit returns how many lines of a log a page reads.
func logLimit(asked query.RunLog, goesOn bool) int {
	switch {
	case asked.All:
		return pageui.AllLines
	case goesOn:
		return pageui.FollowedLines
	}
	return query.DefaultLogLines
}

// runLogView makes the log on the page of a run, requested or not.
type runLogView struct {
	lang  i18n.Lang
	now   time.Time
	state console.RecordState
	logs  []rdb.LogOf
	log   console.RunLog
	asked query.RunLog
	// page is the address of the run; the log is at its anchor.
	page, anchor string
	// executions of the run are for the link to the full log.
	executions []tracing.Execution
	link       console.LogLink
}

// path is the page with the log of a shard's attempt; an attempt of 0 is the last one.
func (v runLogView) path(shard, attempt int, more ...string) string {
	asked := url.Values{"shard": {strconv.Itoa(shard)}}
	if attempt > 0 {
		asked.Set("attempt", strconv.Itoa(attempt))
	}
	if len(more) > 0 {
		asked.Set("lines", more[0])
	}
	return query.WithQuery(v.page, asked) + v.anchor
}

// mostLogTabs is the number of shards up to which each has a tab. With more, a form asks for the shard's number.
const mostLogTabs = 16

// box is the log of the requested shard and attempt, with tabs for the others.
func (v runLogView) box() runs.Log {
	l, log := v.lang, v.log
	box := runs.Log{Shard: strconv.Itoa(log.Item), Form: v.page, Full: v.full()}
	switch v.state {
	case console.NoDatabase:
		box.None, box.Hint = l.RequestNoDatabase(), l.RequestNoDatabaseHint()
		return box
	case console.NoTables:
		box.None, box.Hint = l.RequestNoTables(), l.RequestNoTablesHint()
		return box
	case console.DatabaseDown:
		box.None = l.RequestRecordDown()
		return box
	}
	v.tabs(&box)
	switch attempt := strconv.Itoa(v.asked.Attempt); {
	case log.Total > 0:
		box.Label, box.Sub = l.RequestLogOf(box.Shard, strconv.Itoa(log.Attempt)), l.RequestLogLines(log.Total)
	case v.asked.Attempt > 0:
		box.None = l.RequestLogNoneAttempt(box.Shard, attempt)
	default:
		box.None = l.RequestLogNoneShard(box.Shard)
	}
	for _, line := range log.Lines {
		box.Lines = append(box.Lines, runs.LogLine{
			No: strconv.Itoa(line.Seq), Row: line.ExecutionID + "-" + strconv.Itoa(line.Seq), At: v.lineTime(line.At), Level: line.Level, Text: line.Message,
		})
	}
	switch shown := len(log.Lines); {
	case shown < log.Total && !v.asked.All:
		box.Sub = l.RequestLogLast(shown, log.Total)
		box.More = ui.Tab{Label: l.RequestLogAll(), Href: v.path(log.Item, v.asked.Attempt, "all")}
	case v.asked.All:
		box.More = ui.Tab{Label: l.RequestLogTail(), Href: v.path(log.Item, v.asked.Attempt)}
	}
	return box
}

// full is the address of the attempt's full log in another program; empty if there is none.
func (v runLogView) full() string {
	for _, e := range slices.Backward(v.executions) {
		if e.Item == v.log.Item && (v.log.Attempt == 0 || max(e.Attempt, 1) == v.log.Attempt) {
			return v.link.Of(e, v.now)
		}
	}
	return ""
}

// lineTime is the time of a line with milliseconds, and with the day unless that is today.
func (v runLogView) lineTime(at time.Time) ui.Time {
	t := view.DateTime(at)
	if t.Layout = "15:04:05.000"; at.UTC().Format(time.DateOnly) != v.now.UTC().Format(time.DateOnly) {
		t.Layout = "01-02 15:04:05.000"
	}
	t.Text = at.UTC().Format(t.Layout)
	return t
}

// tabs adds tabs for the shards, and for the attempts of the shard.
func (v runLogView) tabs(box *runs.Log) {
	l := v.lang
	shards, attempts := make(map[int]int), make(map[int]int)
	for _, o := range v.logs {
		shards[o.Item] += o.Lines
		if o.Item == v.log.Item {
			attempts[o.Attempt] += o.Lines
		}
	}
	if box.Many = len(shards) > mostLogTabs; !box.Many {
		for _, n := range slices.Sorted(maps.Keys(shards)) {
			box.Shards = append(box.Shards, ui.Tab{Label: l.RequestLogShard(strconv.Itoa(n)), Href: v.path(n, 0), Count: strconv.Itoa(shards[n]), Active: n == v.log.Item, TestID: "log-shard"})
		}
	}
	if len(attempts) < 2 {
		return
	}
	for _, n := range slices.SortedFunc(maps.Keys(attempts), func(a, b int) int { return cmp.Compare(b, a) }) {
		box.Attempts = append(box.Attempts, ui.Tab{Label: l.RequestLogAttempt(strconv.Itoa(n)), Href: v.path(v.log.Item, n), Count: strconv.Itoa(attempts[n]), Active: n == v.log.Attempt, TestID: "log-attempt"})
	}
}
