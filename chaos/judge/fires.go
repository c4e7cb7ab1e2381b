package judge

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	// catchUp is how long the fleet must have been undisturbed for a missed fire
	// time to be made up for. If the next fire time comes before, its run serves
	// for both.
	catchUp = 5 * time.Second
	// onTime is how late a run may be that had nothing to wait for.
	onTime = time.Second
)

// overruns reports whether handlers may take longer than the period: then
// missed fire times are the rule.
func overruns(job ledger.Job, period int) bool {
	return time.Duration(job.Longest)*time.Millisecond*2 > time.Duration(period)*time.Second
}

// lost looks for fire times of a shard that neither ran nor were made up for.
func (v *verdicts) lost(job ledger.Job, shards map[int][]*Execution) {
	disturbed := v.disturbed(job.Name)
	settings := v.h.Settings[job.Name]
	for k, s := range settings {
		to := v.h.End
		if k+1 < len(settings) {
			to = settings[k+1].From
		}
		if s.Period == 0 || s.Closed || overruns(job, s.Period) {
			continue
		}
		period := time.Duration(s.Period) * time.Second
		from := s.From
		if v.h.Begin.After(from) {
			from = v.h.Begin
		}
		for item := range s.Shards {
			if slices.Contains(s.Off, item) {
				continue
			}
			first := from.Truncate(period).Add(period)
			if k == 0 || settings[k-1].Period != s.Period {
				first = first.Add(period) // The agents may learn of it after the first one.
			}
			for fire := first; fire.Before(to); fire = fire.Add(period) {
				v.lostAt(job, item, fire, to, shards[item], disturbed)
			}
		}
	}
}

// lostAt judges one fire time of a shard while its settings last.
func (v *verdicts) lostAt(job ledger.Job, item int, fire, to time.Time, list []*Execution, disturbed []Span) {
	promised := job.Monitor && job.Misfire
	period := time.Duration(v.h.at(job.Name, fire).Period) * time.Second
	limit := fire.Add(period + v.h.Settle())
	first, _ := slices.BinarySearchFunc(list, fire.Add(-period), func(e *Execution, t time.Time) int { return e.Begin.Compare(t) })
	for _, e := range list[first:] {
		if e.Fire.Equal(fire) && e.completed() {
			return
		}
		if !promised || !e.completed() || e.Begin.Before(fire) {
			continue
		}
		switch {
		case e.Begin.After(to):
			return // The settings changed before anybody came to it.
		case e.Source != string(tracing.SourceNormal) || !onGrid(e, int(period/time.Second)):
			return // Made up for, or triggered meanwhile, which serves for it.
		case e.Fire.Before(fire), e.Begin.Sub(e.Fire) > onTime:
			return // Late itself: something kept the shard from everybody.
		case !calmFor(v.busy(job, e.Process, disturbed, Span{fire, e.Begin}), Span{fire, e.Begin}, catchUp):
			return
		}
		v.add("lost", job.Name, item, fire, "the fire time is lost; the next run is %s", e)
		return
	}
	if limit.After(v.h.End) || limit.After(to) {
		return
	}
	if promised && calm(disturbed, Span{limit.Add(-time.Second), limit}) {
		v.add("lost", job.Name, item, fire, "the fire time is lost; no run came after it")
		return
	}
	// Without the promise a fire time in an undisturbed time is run, unless the
	// job was busy.
	around := Span{fire.Add(-2 * period), fire.Add(period)}
	if !promised && calm(disturbed, around) && !slices.ContainsFunc(v.ranIn(job.Name, around), func(e *Execution) bool {
		return e.Begin.Before(fire) && v.h.ending(e).After(fire.Add(-lead))
	}) {
		v.add("lost", job.Name, item, fire, "the fire time did not run although nothing disturbed the fleet")
	}
}

// lead is how long before a fire time an execution that goes on keeps the job
// from getting ready for it.
const lead = 500 * time.Millisecond

// busy is what may keep a process from making up for a fire time: what disturbs
// the fleet, and its own runs of the job.
func (v *verdicts) busy(job ledger.Job, process string, disturbed []Span, within Span) []Span {
	var list []Span
	for _, s := range disturbed {
		if s.overlaps(within) {
			list = append(list, s)
		}
	}
	for _, f := range v.h.Faults {
		if f.Target == process && !f.Silent && !f.To.IsZero() {
			list = append(list, Span{f.From, f.To.Add(v.h.Settle())})
		}
	}
	for _, e := range v.ranIn(job.Name, within) {
		if s := (Span{e.Begin, v.h.ending(e)}); e.Process == process && s.overlaps(within) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b Span) int { return a.From.Compare(b.From) })
	return list
}

// unowed looks for fire times that are made up for although an edit of the
// schedule or a switch came after them: what was missed before is not pending. What
// was under way then, or waited in a process for the end of a disturbance, may
// still run; it does so as soon as nothing disturbs the process any more.
func (v *verdicts) unowed(job ledger.Job, item int, list []*Execution) {
	settings := v.h.Settings[job.Name]
	for _, e := range list {
		if e.Source != string(tracing.SourceMisfire) {
			continue
		}
		for k, s := range settings {
			since := Span{s.From, e.Begin}
			if k == 0 || !s.From.After(e.Fire.Add(time.Second)) || !since.To.After(since.From) || !settings[k-1].dropsPending(s, item) {
				continue
			}
			if calmFor(v.busy(job, e.Process, v.disturbed(job.Name), since), since, catchUp) {
				v.add("unowed", job.Name, item, e.Begin, "made up for although the settings of %s came after it: %s", clock(s.From), e)
				break
			}
		}
	}
}

// dropsPending reports whether a change of settings drops what a shard had
// missed before.
func (s Setting) dropsPending(next Setting, item int) bool {
	return s.Period != next.Period || s.Disabled && !next.Disabled || slices.Contains(s.Off, item) && !slices.Contains(next.Off, item)
}

// dead looks for shards that do not run in the quiet phase.
func (v *verdicts) dead(job ledger.Job, shards map[int][]*Execution) {
	s := v.h.at(job.Name, v.h.Quiet)
	if v.h.Quiet.IsZero() || s.Period == 0 || s.Closed || !v.h.steady(job.Name, v.h.Quiet, v.h.End) {
		return
	}
	slack := time.Duration(s.Period)*time.Second + 5*time.Second + 2*time.Duration(job.Longest)*time.Millisecond
	for item := range s.Shards {
		off := slices.Contains(s.Off, item)
		last := v.h.Quiet
		for _, e := range shards[item] {
			if e.Begin.Before(v.h.Quiet) || e.Begin.After(v.h.End) {
				continue
			}
			if off {
				v.add("dead", job.Name, item, e.Begin, "a disabled shard runs: %s", e)
				break
			}
			if e.completed() && e.Begin.Sub(last) <= slack {
				last = e.Begin
			}
		}
		if !off && v.h.End.Sub(last) > slack {
			v.add("dead", job.Name, item, last, "does not run for %v although nothing disturbs the fleet", v.h.End.Sub(last).Round(time.Millisecond))
		}
	}
}
