package requested

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// drawRecord reads how the run went, and the log that the address asks for. The problems are the
// parts of the address that are not understood.
func (s pages) drawRecord(c *gin.Context, d *drawing) (problems query.Problems, err error) {
	v := c.Request.URL.Query()
	asked, problems := query.ParseRunLog(url.Values{"shard": v["shard"], "attempt": v["attempt"], "lines": v["lines"]}, "shard", app.MostLogLines)
	all, more := query.ParseLanes(v)
	d.all, problems = all, append(problems, more...)
	d.record = s.readRecord(c, d.Job, d.ID)
	d.log.State, d.log.Logs, d.log.Asked = d.record.State, d.record.Logs, asked
	if d.record.State != app.Recorded {
		return problems, nil
	}
	asked.Limit, asked.Last = pageui.LogLimit(asked, d.changes()), true
	if asked.Shard < 0 {
		asked.Shard = d.shardInMind()
	}
	d.log.Log, err = s.ReadLog(c, d.Job, d.ID, d.record.Logs, asked)
	return problems, err
}

// shardInMind is the shard whose log is shown unless the address names another shard: a shard that
// failed or runs; -1 for the first.
func (d drawing) shardInMind() int {
	var failed []int // of the last attempt, while the run waits for the next one
	for n, rows := range d.executionsByShard() {
		if state := rdb.StateOf(rows[len(rows)-1]); state == rdb.RunFailed || state == rdb.RunLost {
			failed = append(failed, n)
		}
	}
	slices.Sort(failed)
	for _, shards := range [][]int{d.Failed, slices.Sorted(maps.Keys(d.Errors)), slices.Sorted(maps.Keys(d.Claims)), failed} {
		for _, n := range shards {
			if slices.ContainsFunc(d.record.Logs, func(o rdb.LogOf) bool { return o.Item == n }) {
				return n
			}
		}
	}
	return -1
}

// steps are the events of the run, oldest first: the record of the trace database, and the steps that
// only the registry has.
func (d drawing) steps() (list []jobs.RequestedStep) {
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

// isRequest reports whether a step is the request itself. The registry has more about it.
func (d drawing) isRequest(s tracing.RunStep) bool {
	return s.Attempt <= 1 && (s.State == jobrun.Scheduled || s.State == jobrun.Queued) && s.At.Sub(d.Submitted).Abs() < time.Second
}

// Steps that are no states of the run. The record does not have them.
const (
	stepSubmitted jobrun.State = "submitted"
	stepDue       jobrun.State = "due"
	stepLater     jobrun.State = "later"
)

// stepLook is the tone and the name of a step.
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
	if look, known := looks[s.State]; known {
		return look.tone, look.word(l)
	}
	return ui.ToneQuiet, string(s.State)
}

// known are the steps that the registry has and the record lacks, because agents write the record
// later, or not at all.
func (d drawing) known() (list []tracing.RunStep) {
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

// logBox is the log of the run. Without a line in any shard it doesn't name one.
func (d drawing) logBox() runs.Log {
	if d.record.State == app.Recorded && len(d.record.Logs) == 0 {
		return runs.Log{None: d.lang.RequestLogNone()}
	}
	return d.log.Box()
}
