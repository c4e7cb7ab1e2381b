package requested

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/requested/params"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	mostRunShards   = 200 // shards in the table
	mostRunAttempts = 4   // attempts in the table; the timeline has all
)

// shardLooks are the looks of the states of shards.
var shardLooks = map[string]look{
	"running": {ui.ToneRun, i18n.Lang.RequestShardRunning}, "lost": {ui.ToneLost, i18n.Lang.RunStateLost}, "failed": {ui.ToneBad, i18n.Lang.RequestShardFailed},
	"cancelled": {ui.ToneOff, i18n.Lang.RequestShardCancelled}, "waiting": {ui.ToneQuiet, i18n.Lang.RequestShardWaiting},
	"skipped": {ui.ToneSkip, i18n.Lang.RequestShardSkipped}, "succeeded": {ui.ToneOK, i18n.Lang.RequestShardSucceeded},
}

// shards returns the rows of the table. The registry has the current state of a shard; the history has the shards of
// earlier attempts, and of a run that has ended. Shards that run or failed come first.
func (d drawing) shards() (list []jobs.RequestedShard) {
	ran := d.executionsByShard()
	first, last := d.attempts()
	named := make(map[int]bool)
	add := func(n int, state ui.State) {
		if named[n] || len(list) == mostRunShards {
			return
		}
		named[n] = true
		one := jobs.RequestedShard{Number: strconv.Itoa(n), State: state, Error: d.Errors[n], Result: params.Unescaped(string(d.Results[n]))}
		rows := ran[n]
		if claim, runs := d.Claims[n]; runs {
			one.Instance, one.Since = claim.Instance, view.ForTime(claim.Since, d.now)
			if p, known := d.record.of(n, d.Attempt); known {
				one.Progress = &p
			}
		} else if len(rows) > 0 {
			one.Instance = rows[len(rows)-1].IP
		}
		if one.Error == "" && len(rows) > 0 {
			one.Error = view.FirstLine(rows[len(rows)-1].FailureCause)
		}
		if d.hasLog(n, 0) {
			one.LogHref = d.log.Path(n, 0)
		}
		for attempt := first; attempt <= last; attempt++ {
			one.Attempts = append(one.Attempts, d.attempt(n, attempt, rows))
		}
		list = append(list, one)
	}
	for n, state := range shardStates(d.Run) {
		if look, known := shardLooks[state]; known {
			add(n, ui.State{Tone: look.tone, Label: look.word(d.lang)})
		}
	}
	for _, wanted := range []rdb.RunState{rdb.RunRunning, rdb.RunFailed, rdb.RunLost, rdb.RunCancelled, rdb.RunSuccess} {
		for _, n := range slices.Sorted(maps.Keys(ran)) {
			switch state := rdb.StateOf(ran[n][len(ran[n])-1]); {
			case state != wanted:
			case isRetrying(d.Run) && state != rdb.RunSuccess:
				add(n, ui.State{Tone: retryingLook.tone, Label: retryingLook.word(d.lang)})
			default:
				add(n, ui.State{Tone: pageui.RunTone(state), Label: pageui.RunState(d.lang, state)})
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(d.Results)) {
		add(n, ui.State{})
	}
	return list
}

func (d drawing) executionsByShard() map[int][]tracing.Execution {
	ran := make(map[int][]tracing.Execution)
	for _, e := range d.ran.Executions {
		ran[e.Item] = append(ran[e.Item], e)
	}
	return ran
}

// attempts returns the first and the last attempt with a column. Without executions there is none: the first is then
// higher than the last.
func (d drawing) attempts() (first, last int) {
	for _, e := range d.ran.Executions {
		last = max(last, e.Attempt)
	}
	return max(1, last-mostRunAttempts+1), last
}

// attemptColumns returns the headings of the attempts, and how many earlier attempts have no column.
func (d drawing) attemptColumns() (list []string, earlier int) {
	first, last := d.attempts()
	for n := first; n <= last; n++ {
		list = append(list, d.lang.RequestLogAttempt(strconv.Itoa(n)))
	}
	return list, first - 1
}

// attempt returns the executions of a shard in an attempt: several if an instance was lost.
func (d drawing) attempt(shard, attempt int, rows []tracing.Execution) (one jobs.RequestedAttempt) {
	for _, e := range rows {
		if e.Attempt != attempt {
			continue
		}
		state := rdb.StateOf(e)
		part := jobs.RequestedExecution{State: ui.State{Tone: pageui.RunTone(state), Label: pageui.RunState(d.lang, state), Title: e.IP}}
		switch {
		case !e.CompleteTime.IsZero():
			part.Took = pageui.Took(d.lang, e.CompleteTime.Sub(e.StartTime))
		case state == rdb.RunRunning:
			part.Took = pageui.Took(d.lang, d.now.Sub(e.StartTime).Truncate(time.Second))
		}
		one.Executions = append(one.Executions, part)
	}
	if len(one.Executions) > 0 && d.hasLog(shard, attempt) {
		one.LogHref = d.log.Path(shard, attempt)
	}
	return one
}

// hasLog reports whether a shard has log lines, in an attempt unless that is 0.
func (d drawing) hasLog(shard, attempt int) bool {
	return slices.ContainsFunc(d.record.Logs, func(o rdb.LogOf) bool {
		return o.Item == shard && (attempt == 0 || o.Attempt == attempt)
	})
}

// timeline returns the lanes that a scheduled run has, too; nil if the history has no executions. A lane leads to the
// log of its shard.
func (d drawing) timeline() *runs.Timeline {
	if len(d.ran.Executions) == 0 {
		return nil
	}
	r := pageui.RunTimeline{Run: d.ran, Lang: d.lang, Now: d.now, Opened: -1, All: d.all}
	r.LaneHref = func(item int) string { return d.log.Path(item, 0) }
	if d.log.Log.Total > 0 {
		r.Opened = d.log.Log.Item
	}
	t := r.Timeline(jobs.RequestedPath(d.Job, d.ID))
	return &t
}

// result returns the results of the shards as one JSON object by shard; "" if there are none.
func (d drawing) result() string {
	if len(d.Results) == 0 {
		return ""
	}
	var b bytes.Buffer
	for i, n := range slices.Sorted(maps.Keys(d.Results)) {
		b.WriteString(map[bool]string{true: "{", false: ","}[i == 0] + strconv.Quote(strconv.Itoa(n)) + ":")
		b.Write(d.Results[n])
	}
	b.WriteByte('}')
	if !json.Valid(b.Bytes()) {
		return ""
	}
	return params.Pretty(b.Bytes())
}
