package judge

import (
	"cmp"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/settlement"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	// recordTime is how long a process must have been connected to have recorded what it
	// did. Nothing takes time in a simulated fleet but what a fault delays.
	recordTime = 2 * time.Second
	// headStart is how long before a fire time a run may mark its shards.
	headStart = 250 * time.Millisecond
	// takenWithin is how long after it was placed a trigger is taken at the latest: replies
	// that are lost can put that off.
	takenWithin = time.Minute
)

// account is the settlement of one shard: its runs, with the markers under which no handler
// was called, in the order of their beginnings.
type account struct {
	job   *JobHistory
	shard int
	made  []*Run // nil for a marker under which no handler was called
	runs  []settlement.Run
	fires []settlement.Fire
}

// accountOf builds the account of a shard. Requested runs have rules of their own.
func (v *verdicts) accountOf(job *JobHistory, shard int, runs []*Run) *account {
	a := &account{job: job, shard: shard}
	type entry struct {
		made *Run
		run  settlement.Run
	}
	var list []entry
	for _, m := range v.h.Markers {
		if m.Job == job.Name && m.Item == shard && m.broken() && !slices.ContainsFunc(runs, func(r *Run) bool { return v.h.markerOf(r) == m }) {
			list = append(list, entry{nil, v.neverBegun(job, m)})
		}
	}
	for _, r := range runs {
		if r.Request == "" {
			list = append(list, entry{r, v.settlementOf(job, r, runs)})
		}
	}
	slices.SortStableFunc(list, func(x, y entry) int { return x.run.Begin.Compare(y.run.Begin) })
	for _, e := range list {
		a.made, a.runs = append(a.made, e.made), append(a.runs, e.run)
	}
	a.fires = settlement.Fires(a.runs)
	return a
}

// broken reports whether a marker was not removed by the session that had made it, or the
// shard was offered to others then.
func (m *Marker) broken() bool { return m.To.IsZero() || m.Offered || m.RemovedBy != m.Session }

func (v *verdicts) settlementOf(job *JobHistory, r *Run, runs []*Run) settlement.Run {
	recorded := v.h.recorded(r)
	s := settlement.Run{
		Process: r.Process, Source: r.Source, At: r.Scheduled, Fires: job.fires(r.Scheduled), Begin: v.h.begin(r, runs), End: r.End,
		Done: r.done(), Settled: recorded, Interrupted: recorded.IsZero(),
	}
	if r.Source == tracing.SourceMisfire && !s.Fires {
		// Without a record the agent doesn't know for which fire time it makes up.
		s.At, s.Fires = job.at(r.Start).lastFire(r.Scheduled)
	}
	switch {
	case !v.grants(CutShort):
		s.Done = r.Outcome == Completed
	case slices.Contains(v.h.Losses[r.Process], r.End):
		s.Done = false
	}
	switch {
	case !s.Done || !recorded.IsZero():
	case v.grants(Unrecorded):
		s.Settled = settlement.Reachable(v.h.batchEnd(r), v.h.writable(r.Process), recordTime)
	default:
		s.Settled = r.End
	}
	if !v.grants(Marked) {
		s.Begin = r.Start
	}
	return s
}

// neverBegun is the run of a marker under which no handler was called. The marker doesn't
// tell for what it was made: it may be for the fire time that is about to come, or the
// newest one. Nobody knows next to a trigger, to a fire time that depends on the clock, of
// a failover that was claimed, or if the request came late.
func (v *verdicts) neverBegun(job *JobHistory, m *Marker) settlement.Run {
	r := settlement.Run{Process: m.Instance, Source: tracing.SourceNormal, Begin: m.From, Interrupted: true}
	unknown := v.grants(NeverBegun)
	if m.Claimed && unknown {
		r.Source = tracing.SourceFailover
		return r
	}
	if unknown && (v.heldUp(job, m) || slices.ContainsFunc(job.Triggers, Span{m.From.Add(-takenWithin), m.From}.holds)) {
		return r
	}
	s := job.at(m.From)
	fast, regular := s.lastFire(m.From.Add(headStart + v.h.Skew))
	if slow, _ := s.lastFire(m.From.Add(-v.h.Skew)); !unknown || slow.Equal(fast) || v.h.Skew == 0 {
		r.At, r.Fires = fast, regular
	}
	return r
}

// heldUp reports whether the request for a marker may have been on its way for long, because
// its process was cut off until then.
func (v *verdicts) heldUp(job *JobHistory, m *Marker) bool {
	return slices.ContainsFunc(job.Lives, func(l *Life) bool {
		return l.Instance == m.Instance && slices.ContainsFunc(v.h.Cuts[l.Process], func(cut Span) bool {
			return Span{cut.From, cut.To.Add(time.Second)}.holds(m.From)
		})
	})
}

// done reports whether a handler returned before its context ended. A job's timeout makes
// it fail, which ends the run as well.
func (r *Run) done() bool {
	return r.Outcome == Completed && !r.Doubtful && !r.End.IsZero() && (r.Cancel.IsZero() || !r.TimedOut.IsZero())
}

// fires reports whether a moment is a fire time of a schedule that the job had.
func (j *JobHistory) fires(at time.Time) bool {
	return slices.ContainsFunc(j.Settings, func(s Settings) bool { return onGrid(&Run{Scheduled: at}, s) })
}

// lastFire returns the newest fire time up to a moment; false if there is none.
func (s Settings) lastFire(at time.Time) (time.Time, bool) {
	switch {
	case s.Schedule != nil:
		var last time.Time
		for back := 2 * s.Schedule.Gap; last.IsZero() && back < 400*24*time.Hour; back *= 4 {
			if times := s.Schedule.Between(at.Add(-back), at); len(times) > 0 {
				last = times[len(times)-1]
			}
		}
		return last, !last.IsZero()
	case s.Period > 0:
		return at.Truncate(s.Period), true
	}
	return time.Time{}, false
}

// unscheduled reports whether the job runs for triggers alone.
func (s Settings) unscheduled() bool { return s.Schedule == nil && s.Period == 0 }

// begin is when a run began in the tree: when its marker was made, or its handler was
// called if it had none.
func (h *History) begin(r *Run, runs []*Run) time.Time {
	marked := h.markedAt(r)
	if !h.Jobs[r.Job].at(r.called()).Monitor || !marked.Before(r.called()) || slices.ContainsFunc(runs, func(other *Run) bool {
		return other != r && other.Instance == r.Instance && !other.called().Before(marked) && other.called().Before(r.called())
	}) { // It is the marker of a run before.
		return r.called()
	}
	return marked
}

// recorded is when the end of a run was recorded: the session that had made its marker
// removed it then. Zero if that never happened.
func (h *History) recorded(r *Run) time.Time {
	m := h.markerOf(r)
	if !r.done() || m == nil || m.broken() || m.To.Before(r.End) {
		return time.Time{}
	}
	return m.To
}

// batchEnd is when the last handler of a run's process returned that was called for the
// same: all of them are recorded together. Zero if one never returned.
func (h *History) batchEnd(r *Run) time.Time {
	end := r.End
	for _, other := range h.Runs {
		if other.Job != r.Job || other.Process != r.Process || other.Source != r.Source || !other.Scheduled.Equal(r.Scheduled) {
			continue
		}
		if other.End.IsZero() {
			return h.End
		}
		end = later(end, other.End)
	}
	return end
}

// triggeredBeside reports whether the second of two runs may be a trigger's that its
// process took at the moment of a fire time: it says the same time then as the run of
// that.
func (j *JobHistory) triggeredBeside(a, b *Run) bool {
	return a.Source == tracing.SourceNormal && b.Source == tracing.SourceNormal && a.Process == b.Process &&
		slices.ContainsFunc(j.Triggers, func(at time.Time) bool {
			return !at.After(b.Scheduled) && at.After(b.Scheduled.Add(-takenWithin))
		})
}

// once is I3: a shard that is settled for a fire time isn't run for it again, whatever the
// source is; see package settlement.
func (v *verdicts) once(a *account) {
	for i, b := range a.made {
		if b == nil {
			continue
		}
		counts := func(k int) bool {
			first := a.made[k]
			return first != nil && !(v.grants(Unmonitored) && !v.monitored(a.job, a.runs[k].Begin, b.Start)) &&
				!(v.grants(Triggered) && a.job.triggeredBeside(first, b)) && !v.astray(first.Start, b.Start) &&
				!(v.grants(Unscheduled) && a.runs[k].Interrupted && a.job.at(b.Start).unscheduled())
		}
		if k, again := settlement.Repeated(a.runs, a.fires, i, counts); again {
			v.add("I3", a.job.Name, a.shard, b.Start, "runs again for %s although that was settled at %s:\n    %s\n    %s",
				clock(a.fires[i].At), clock(cmp.Or(a.runs[k].Settled, a.runs[k].End)), tellRun(a.made[k]), tellRun(b))
		}
	}
}

// failovers is I4: a failover needs an interruption of its own, and doesn't come before the
// fire time that it stands for.
func (v *verdicts) failovers(a *account) {
	taken := make(map[int]bool)
	for i, r := range a.made {
		if r == nil || r.Source != tracing.SourceFailover {
			continue
		}
		switch fire := a.fires[i]; {
		case fire.Of < 0:
			v.add("I4", a.job.Name, a.shard, r.Start, "is failed over although nothing was interrupted: %s", tellRun(r))
		case taken[fire.Of]:
			v.add("I4", a.job.Name, a.shard, r.Start, "is failed over twice after one interruption, for %s: %s", clock(fire.At), tellRun(r))
		case fire.Regular && r.called().Before(fire.At.Add(-v.skew(2))):
			v.add("I4", a.job.Name, a.shard, r.Start, "is failed over before its fire time, %s: %s", clock(fire.At), tellRun(r))
		}
		taken[a.fires[i].Of] = true
	}
}

// named is I22: the handler of a failover gets the fire time, or the moment of the trigger,
// that was interrupted. The tree keeps milliseconds.
func (v *verdicts) named(a *account) {
	for i, r := range a.made {
		of := a.fires[i].Of
		if r == nil || of < 0 || a.made[of] == nil || a.fires[i].At.IsZero() {
			continue
		}
		s := a.job.at(r.Start)
		if v.grants(Unscheduled) && s.unscheduled() {
			continue
		}
		if v.grants(Retimed) && s.Turns && a.fires[of].Regular && !onGrid(a.made[of], s) && onGrid(r, s) {
			continue
		}
		if at := a.fires[i].At; !r.Scheduled.Truncate(time.Millisecond).Equal(at.Truncate(time.Millisecond)) {
			v.add("I22", a.job.Name, a.shard, r.Start, "its handler gets %s, and %s was interrupted:\n    %s\n    %s",
				r.Scheduled.UTC().Format(time.RFC3339Nano), at.UTC().Format(time.RFC3339Nano), tellRun(a.made[of]), tellRun(r))
		}
	}
}

// skew is how far clocks differ, a number of times.
func (v *verdicts) skew(times int) time.Duration {
	if !v.grants(Skewed) {
		return 0
	}
	return time.Duration(times) * v.h.Skew
}
