package tracing

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

var _ RunRecorder = (*Async)(nil)

// share is how much of the queue a kind of event may use.
type share int

const (
	shareMost share = iota // all but the last eighth
	shareAll               // the end of an execution
	shareHalf              // events that may come in a flood
)

// RecordExecution queues the start or the end of an execution.
func (a *Async) RecordExecution(e Execution) {
	e.FailureCause = bounded(e.FailureCause)
	a.enqueue(Event{Execution: &e}, shareOf(!e.Running()))
}

// RecordStatus queues a step of a task. It keeps no reference to Items.
func (a *Async) RecordStatus(s Status) {
	s.Message = bounded(s.Message)
	s.Items = slices.Clone(s.Items)
	a.enqueue(Event{Status: &s}, shareMost)
}

// RecordRun queues the state of a requested run.
func (a *Async) RecordRun(r RunRecord) {
	if len(r.Params) > MaxParams {
		r.Params = "" // a part of a JSON document is useless
	}
	r.Reason, r.Key, r.Note = cut(r.Reason, MaxReason), cut(r.Key, MaxNote), cut(r.Note, MaxNote)
	r.OriginName, r.Error, r.Result = cut(r.OriginName, MaxActor), bounded(r.Error), cutBytes(r.Result, MaxResult)
	a.enqueue(Event{Run: &r}, shareOf(r.Rank() == endRank))
}

// RecordRunStep queues a change of a requested run's state.
func (a *Async) RecordRunStep(s RunStep) {
	s.Actor, s.Message = cut(s.Actor, MaxActor), bounded(s.Message)
	a.enqueue(Event{Step: &s}, shareMost)
}

// RecordLogLine queues a log line of a handler.
func (a *Async) RecordLogLine(l LogLine) {
	l.Message = cut(l.Message, MaxLogLine)
	a.enqueue(Event{Log: &l}, shareHalf)
}

// RecordProgress queues a shard's progress. An invalid fraction counts as 0.
func (a *Async) RecordProgress(p Progress) {
	if math.IsNaN(p.Fraction) {
		p.Fraction = 0
	}
	p.Fraction, p.Message = min(max(p.Fraction, 0), 1), cut(p.Message, MaxReason)
	a.enqueue(Event{Progress: &p}, shareHalf)
}

func shareOf(end bool) share {
	if end {
		return shareAll
	}
	return shareMost
}

// bounded cuts a text to the width of its column, so a huge failure text doesn't fill the memory.
func bounded(s string) string { return cut(s, MaxText) }

// cut returns at most the given number of characters. If it shortens the text it returns a copy, so
// the rest can be freed.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	count := 0
	for at := range s {
		if count == most {
			return strings.Clone(s[:at])
		}
		count++
	}
	return s
}

// cutBytes is cut by bytes. It doesn't split a character.
func cutBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return strings.Clone(s[:most])
}

func weight(e Event) int {
	size := 256
	if e.Status != nil {
		size += 8 * len(e.Status.Items)
	}
	if e.Run != nil {
		size += 256
	}
	job, texts := e.texts()
	for _, s := range texts {
		size += len(s)
	}
	return size + len(job)
}

// texts returns the job of an event, and its other texts that may be long.
func (e Event) texts() (job string, others [10]string) {
	switch {
	case e.Execution != nil:
		x := e.Execution
		return x.JobName, [10]string{x.ID, x.TaskID, x.Hostname, x.IP, x.FailureCause, x.RunID, string(x.Trigger)}
	case e.Status != nil:
		s := e.Status
		return s.JobName, [10]string{s.ID, s.TaskID, s.SlaveID, s.Message}
	case e.Run != nil:
		r := e.Run
		return r.JobName, [10]string{
			r.ID, r.Reason, r.OriginName, r.ParentID, r.BackfillID, r.Key, r.Note, r.Params, r.Error, r.Result,
		}
	case e.Step != nil:
		s := e.Step
		return s.JobName, [10]string{s.ID, s.RunID, s.Actor, s.Message}
	case e.Log != nil:
		l := e.Log
		return l.JobName, [10]string{l.ExecutionID, l.RunID, l.Message}
	case e.Progress != nil:
		p := e.Progress
		return p.JobName, [10]string{p.ExecutionID, p.RunID, p.Message}
	}
	return "", others
}

// one reports whether exactly one field of the event is set.
func (e Event) one() bool {
	set := 0
	for _, is := range []bool{e.Execution != nil, e.Status != nil, e.Run != nil, e.Step != nil, e.Log != nil, e.Progress != nil} {
		if is {
			set++
		}
	}
	return set == 1
}
