package pages

import (
	"cmp"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// How many lines of a log the page of a run has: of one that goes on as many as are seen
// without scrolling, so that the last one stays in sight.
const (
	followedLines = 18
	allLines      = 5000
)

// readRecord reads what the trace database has of how a run went. Problems say what of
// the address is not understood.
func (s requestPages) readRecord(c *gin.Context, d *requestDrawing) (problems query.Problems, err error) {
	asked := c.Request.URL.Query()
	d.asked, problems = query.ParseRunLog(url.Values{"shard": asked["shard"], "attempt": asked["attempt"], "lines": asked["lines"]}, "shard", console.MostLogLines)
	if d.record = s.requested().Record(c, d.job, d.ID); d.record.State != console.Recorded {
		return problems, nil
	}
	lines := query.DefaultLogLines
	switch {
	case d.asked.All:
		lines = allLines
	case d.changes():
		lines = followedLines
	}
	shard := d.asked.Shard
	if shard < 0 {
		shard = d.shardInMind()
	}
	d.log, err = s.requested().ReadLog(c, d.job, d.ID, d.record.Logs, console.LogAsked{Item: shard, Attempt: d.asked.Attempt, Limit: lines, Last: true})
	return problems, err
}

// shardInMind is the shard whose log is shown unless somebody asks for another one: one
// that has failed, or that runs; -1 for the first.
func (d requestDrawing) shardInMind() int {
	for _, shards := range [][]int{d.Failed, slices.Sorted(maps.Keys(d.Errors)), slices.Sorted(maps.Keys(d.Claims))} {
		for _, n := range shards {
			if slices.ContainsFunc(d.record.Logs, func(o rdb.LogOf) bool { return o.Item == n }) {
				return n
			}
		}
	}
	return -1
}

// steps are what happened to the run, oldest first: as the trace database has it, with
// what the registry says besides.
func (d requestDrawing) steps() (list []jobs.RequestedStep) {
	steps := slices.Concat(d.known(), slices.DeleteFunc(slices.Clone(d.record.Steps), d.isRequest))
	slices.SortStableFunc(steps, func(a, b tracing.RunStep) int { return a.At.Compare(b.At) })
	for _, s := range steps {
		tone, text := stepLook(d.lang, s)
		if s.Attempt > 1 && s.State != d.State {
			text = pageui.JoinNotes(text, d.lang.RequestStepAttempt(strconv.Itoa(s.Attempt)))
		}
		list = append(list, jobs.RequestedStep{At: view.NearTime(d.lang, s.At, d.now), Tone: tone, Text: text, Who: s.Actor, Message: reasonIn(d.lang, s.Message)})
	}
	return list
}

// isRequest: a step is that of the request itself, of which the registry says more.
func (d requestDrawing) isRequest(s tracing.RunStep) bool {
	return s.Attempt <= 1 && (s.State == jobrun.Scheduled || s.State == jobrun.Queued) && s.At.Sub(d.Submitted).Abs() < time.Second
}

// Steps that are no state, and that only the registry tells of.
const (
	stepSubmitted jobrun.State = "submitted"
	stepDue       jobrun.State = "due"
	stepLater     jobrun.State = "later"
)

// stepLook is how a step looks and what it is called.
func stepLook(l i18n.Lang, s tracing.RunStep) (ui.Tone, string) {
	switch s.State {
	case stepSubmitted:
		return ui.ToneQuiet, l.RequestStepSubmitted()
	case stepDue:
		return ui.ToneQuiet, l.RequestStepDue()
	case stepLater:
		return ui.ToneQuiet, l.RequestStepDueLater()
	case jobrun.Cancelling:
		return ui.ToneWarn, l.RequestStepCancel()
	case jobrun.Lost:
		return ui.ToneLost, l.RequestStepLost()
	case jobrun.Running:
		return ui.ToneRun, l.RequestStepBegan()
	}
	if look, known := requestedLooks[s.State]; known {
		return look.tone, look.word(l)
	}
	return ui.ToneQuiet, string(s.State)
}

// known are the steps that the registry tells of and that the record lacks: agents write
// it, some moments later or not at all.
func (d requestDrawing) known() (list []tracing.RunStep) {
	l, recorded := d.lang, d.record.Steps
	has := func(states ...jobrun.State) bool {
		return slices.ContainsFunc(recorded, func(s tracing.RunStep) bool { return slices.Contains(states, s.State) })
	}
	add := func(missing bool, at time.Time, state jobrun.State, who, message string) {
		if missing && !at.IsZero() {
			list = append(list, tracing.RunStep{At: at, State: state, Actor: who, Message: message, Attempt: 1})
		}
	}
	add(true, d.Submitted, stepSubmitted, pageui.JoinNotes(byWords(l, d.By), d.By.From), d.Note)
	switch {
	case d.Due.Sub(d.Submitted) < time.Second: // at once
	case d.State == jobrun.Scheduled:
		add(true, d.Due, stepLater, "", "")
	case d.Ended.IsZero() || d.Ended.After(d.Due):
		add(!has(jobrun.Queued, jobrun.Running), d.Due, stepDue, "", "")
	}
	add(!has(jobrun.Running), d.Began, jobrun.Running, "", "")
	if d.Cancelled != nil {
		add(!has(jobrun.Cancelling), d.Cancelled.At, jobrun.Cancelling, d.Cancelled.By, d.Cancelled.Reason)
	}
	if d.State.Ended() {
		add(!has(d.State), d.Ended, d.State, "", d.Reason)
	}
	return list
}

// mostRunShards is how many shards of a run are listed.
const mostRunShards = 200

// shards lists the shards of a run: those that run, that failed, that wait, and the
// others. Of a run that has ended those are known that left a message or a result.
func (d requestDrawing) shards() (list []jobs.RequestedShard) {
	l := d.lang
	named := make(map[int]bool)
	add := func(tone ui.Tone, word string, shards ...int) {
		for _, n := range shards {
			if named[n] || len(list) == mostRunShards {
				continue
			}
			named[n] = true
			one := jobs.RequestedShard{Number: strconv.Itoa(n), Error: d.Errors[n], Result: unescaped.Replace(string(d.Results[n]))}
			if word != "" {
				one.State = ui.State{Tone: tone, Label: word}
			}
			if claim, runs := d.Claims[n]; runs {
				one.Instance, one.Since = claim.Instance, view.ForTime(claim.Since, d.now)
				one.Progress = d.progressOf(n)
			}
			if slices.ContainsFunc(d.record.Logs, func(o rdb.LogOf) bool { return o.Item == n }) {
				one.LogHref = d.logPath(n, 0)
			}
			list = append(list, one)
		}
	}
	if claimed := slices.Sorted(maps.Keys(d.Claims)); d.Wait.Code == "" {
		add(ui.ToneRun, l.RequestShardRunning(), claimed...)
	} else { // No handler works on it.
		add(ui.ToneLost, l.RunStateLost(), claimed...)
	}
	add(ui.ToneBad, l.RequestShardFailed(), d.Failed...)
	add(ui.ToneOff, l.RequestShardCancelled(), d.Cut...)
	add(ui.ToneQuiet, l.RequestShardWaiting(), d.Waiting...)
	add(ui.ToneSkip, l.RequestShardSkipped(), d.Skipped...)
	add(ui.ToneOK, l.RequestShardSucceeded(), d.OK...)
	add(ui.ToneBad, l.RequestShardFailed(), slices.Sorted(maps.Keys(d.Errors))...)
	add("", "", slices.Sorted(maps.Keys(d.Results))...)
	return list
}

// progressOf is how far the handler of a shard is that runs; nil if it has not said.
func (d requestDrawing) progressOf(shard int) *jobs.RequestedProgress {
	p, said := d.record.Of(shard, d.Attempt)
	if !said {
		return nil
	}
	return &jobs.RequestedProgress{
		Label: d.lang.RequestProgress(strconv.Itoa(shard)), Value: strconv.FormatFloat(p.Fraction, 'f', 3, 64),
		Text: pageui.JoinNotes(strconv.Itoa(int(math.Floor(p.Fraction*100)))+"%", p.Message),
	}
}

// logPath is the page with the log of a shard's attempt; 0 for the last one.
func (d requestDrawing) logPath(shard, attempt int, more ...string) string {
	v := url.Values{"shard": {strconv.Itoa(shard)}}
	if attempt > 0 {
		v.Set("attempt", strconv.Itoa(attempt))
	}
	if len(more) > 0 {
		v.Set("lines", more[0])
	}
	return query.WithQuery(console.RequestedPath(d.job, d.ID), v) + "#log"
}

// mostLogTabs is how many shards are offered by name; of more one is asked by its number.
const mostLogTabs = 16

// logBox is the log of the shard and the attempt that was asked for, with ways to the
// others.
func (d requestDrawing) logBox() jobs.RequestedLog {
	l, log := d.lang, d.log
	box := jobs.RequestedLog{Shard: strconv.Itoa(log.Item), Form: console.RequestedPath(d.job, d.ID)}
	switch d.record.State {
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
	if len(d.record.Logs) == 0 {
		box.None = l.RequestLogNone()
		return box
	}
	d.logTabs(&box)
	switch attempt := strconv.Itoa(d.asked.Attempt); {
	case log.Total > 0:
		box.Label = l.RequestLogOf(box.Shard, strconv.Itoa(log.Attempt))
	case d.asked.Attempt > 0:
		box.None = l.RequestLogNoneAttempt(box.Shard, attempt)
	default:
		box.None = l.RequestLogNoneShard(box.Shard)
	}
	for _, line := range log.Lines {
		box.Lines = append(box.Lines, jobs.RequestedLine{
			No: strconv.Itoa(line.Seq), Row: line.ExecutionID + "-" + strconv.Itoa(line.Seq), At: d.lineTime(line.At), Level: line.Level, Text: line.Message,
		})
	}
	box.Sub = l.RequestLogLines(log.Total)
	switch shown := len(log.Lines); {
	case shown < log.Total && !d.asked.All:
		box.Sub = l.RequestLogLast(shown, log.Total)
		box.More = ui.Tab{Label: l.RequestLogAll(), Href: d.logPath(log.Item, d.asked.Attempt, "all")}
	case d.asked.All:
		box.More = ui.Tab{Label: l.RequestLogTail(), Href: d.logPath(log.Item, d.asked.Attempt)}
	}
	return box
}

// lineTime is when a line was logged: to the millisecond, and with the day unless that is
// today.
func (d requestDrawing) lineTime(at time.Time) ui.Time {
	t := view.DateTime(at)
	if t.Layout = "15:04:05.000"; at.UTC().Format(time.DateOnly) != d.now.UTC().Format(time.DateOnly) {
		t.Layout = "01-02 15:04:05.000"
	}
	t.Text = at.UTC().Format(t.Layout)
	return t
}

// logTabs are the ways to other shards, and to other attempts of the shard.
func (d requestDrawing) logTabs(box *jobs.RequestedLog) {
	l := d.lang
	shards, attempts := make(map[int]int), make(map[int]int)
	for _, o := range d.record.Logs {
		shards[o.Item] += o.Lines
		if o.Item == d.log.Item {
			attempts[o.Attempt] += o.Lines
		}
	}
	if box.Many = len(shards) > mostLogTabs; !box.Many {
		for _, n := range slices.Sorted(maps.Keys(shards)) {
			box.Shards = append(box.Shards, ui.Tab{Label: l.RequestLogShard(strconv.Itoa(n)), Href: d.logPath(n, 0), Count: strconv.Itoa(shards[n]), Active: n == d.log.Item, TestID: "log-shard"})
		}
	}
	if len(attempts) < 2 {
		return
	}
	for _, n := range slices.SortedFunc(maps.Keys(attempts), func(a, b int) int { return cmp.Compare(b, a) }) {
		box.Attempts = append(box.Attempts, ui.Tab{Label: l.RequestLogAttempt(strconv.Itoa(n)), Href: d.logPath(d.log.Item, n), Count: strconv.Itoa(attempts[n]), Active: n == d.log.Attempt, TestID: "log-attempt"})
	}
}
