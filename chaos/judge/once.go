package judge

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/internal/settlement"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	// recordTime is how long a process must have been connected, and left alone, to have
	// recorded what it did, on a machine whose processors are busy.
	recordTime = 5 * time.Second
)

// once judges the settlement of one shard over all sources; see package settlement.
func (v *verdicts) once(job ledger.Job, item int, list []*Execution) {
	runs := make([]settlement.Run, len(list))
	for i, e := range list {
		runs[i] = v.h.settlementOf(e)
	}
	fires := settlement.Fires(runs)
	for i, b := range list {
		if k, again := settlement.Repeated(runs, fires, i, func(int) bool { return true }); again {
			v.add("twice", job.Name, item, b.Begin, "runs again for %s although that was settled at %s:\n    %s\n    %s",
				clock(fires[i].At), clock(cmp.Or(runs[k].Settled, runs[k].End)), list[k], b)
		}
	}
	v.failovers(job, item, list, runs, fires)
}

// settlementOf is an execution as package settlement counts it.
func (h *History) settlementOf(e *Execution) settlement.Run {
	r := settlement.Run{
		Process: strconv.Itoa(e.PID), Source: tracing.Source(e.Source), At: e.Fire, Begin: e.Begin, End: e.End, Done: h.obeyed(e), Interrupted: true,
		Fires: slices.ContainsFunc(h.Settings[e.Job], func(s Setting) bool { return onGrid(e, s.Period) }),
	}
	switch {
	case h.sound(e):
		r.Settled, r.Interrupted = e.End, false
	case r.Done:
		end := e.End // Of the shards that were run together the slowest one counts.
		for _, other := range h.Executions {
			if other.PID == e.PID && other.Job == e.Job && other.Fire.Equal(e.Fire) && other.Source == e.Source && h.ending(other).After(end) {
				end = h.ending(other)
			}
		}
		r.Settled = settlement.Reachable(end, h.writable(e), recordTime)
	}
	return r
}

// obeyed reports whether an execution came to its end before its context ended. If the
// session was lost at about the same time, we can't tell which came first.
func (h *History) obeyed(e *Execution) bool {
	around := Span{e.Begin, e.End.Add(obedience)}
	return e.completed() && !e.End.IsZero() && !slices.ContainsFunc(h.States, func(s State) bool {
		return s.PID == e.PID && (s.Name == "lost" || s.Name == "closed") && around.holds(s.At)
	})
}

// writable are the times after an execution began in which its process was connected and
// nothing was done to it.
func (h *History) writable(e *Execution) []settlement.Span {
	life := h.lifeOf(e.PID, e.Begin)
	if life == nil {
		return nil
	}
	until := life.To
	if until.IsZero() {
		until = h.End
	}
	var connected, disturbed []settlement.Span
	for _, s := range h.States {
		if s.PID != e.PID {
			continue
		}
		if last := len(connected) - 1; last >= 0 && connected[last].To.IsZero() {
			connected[last].To = s.At
		}
		if s.Name == "connected" {
			connected = append(connected, settlement.Span{From: s.At})
		}
	}
	for _, f := range h.Faults {
		if !f.Silent && (f.Target == "" || f.Target == e.Process) {
			disturbed = append(disturbed, settlement.Span(f.Span))
		}
	}
	return settlement.Writable(connected, disturbed, until)
}

// failovers looks for shards that are failed over although their last execution ended and no
// process died since, or twice after one interruption, or before their fire time, or under
// another fire time.
func (v *verdicts) failovers(job ledger.Job, item int, list []*Execution, runs []settlement.Run, fires []settlement.Fire) {
	taken := make(map[int]bool)
	for i, b := range list {
		if b.Source != string(tracing.SourceFailover) || i == 0 {
			continue
		}
		a, of := list[i-1], fires[i].Of
		switch {
		case v.h.sound(a) && calm(v.disturbed(job.Name), Span{a.Begin, b.Begin}):
			v.add("failover", job.Name, item, b.Begin, "failed over although nothing was interrupted:\n    %s\n    %s", a, b)
		case of >= 0 && taken[of] && !fires[i].At.IsZero():
			v.add("failover", job.Name, item, b.Begin, "failed over twice after one interruption:\n    %s\n    %s", list[of], b)
		case fires[i].Regular && b.Begin.Before(fires[i].At):
			v.add("failover", job.Name, item, b.Begin, "failed over before its fire time, %s: %s", clock(fires[i].At), b)
		}
		if of >= 0 && !runs[of].Done && !b.Fire.Truncate(time.Millisecond).Equal(fires[i].At.Truncate(time.Millisecond)) {
			v.add("failover", job.Name, item, b.Begin, "its handler gets %s, and %s was interrupted:\n    %s\n    %s", clock(b.Fire), clock(fires[i].At), list[of], b)
		}
		if of >= 0 {
			taken[of] = true
		}
	}
}
