package judge

import (
	"cmp"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	// headStart is how long before a fire time a run may mark its shards.
	headStart = 250 * time.Millisecond
	// takenWithin is the maximum time from the placement of a trigger until it's taken, which lost
	// replies can delay.
	takenWithin = time.Minute
)

// account is the settlement of one shard: its runs, and the markers without a handler call, in the
// order of their beginnings.
type account struct {
	job   *JobHistory
	shard int
	runs  []shardRun
	fires []fire
}

// accountOf returns the account of a shard. Requested runs have their own rules.
func (v *verdicts) accountOf(job *JobHistory, shard int, runs []*Run) *account {
	a := &account{job: job, shard: shard}
	for _, m := range v.h.marked[shardKey{job.Name, shard}] {
		if m.broken() && !slices.ContainsFunc(runs, func(r *Run) bool { return v.h.markerOf(r) == m }) {
			a.runs = append(a.runs, v.neverBegun(job, m))
		}
	}
	for _, r := range runs {
		if r.Request == "" {
			a.runs = append(a.runs, v.settlementOf(job, r, runs))
		}
	}
	slices.SortStableFunc(a.runs, func(x, y shardRun) int { return x.Begin.Compare(y.Begin) })
	a.fires = firesOf(a.runs)
	return a
}

// broken reports whether a marker wasn't removed by the session that created it, or the shard was
// offered to others at that time.
func (m *Marker) broken() bool { return m.To.IsZero() || m.Offered || m.RemovedBy != m.Session }

func (v *verdicts) settlementOf(job *JobHistory, r *Run, runs []*Run) shardRun {
	recorded := v.h.recorded(r)
	s := shardRun{
		made: r, Process: r.Process, Source: r.Source, At: r.Scheduled, Fires: job.fires(r.Scheduled), Begin: v.h.begin(r, runs), End: r.End,
		Done: r.done(), Settled: recorded, Interrupted: recorded.IsZero(),
	}
	if r.Source == tracing.SourceMisfire && !s.Fires {
		// Without a record the agent doesn't know which fire time it makes up for.
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
		s.Settled = reachable(v.h.batchEnd(r), v.h.writable(r.Process), v.h.Pace.Record)
	default:
		s.Settled = r.End
	}
	if !v.grants(Marked) {
		s.Begin = r.Start
	}
	return s
}

// neverBegun returns the run of a marker without a handler call. The marker doesn't show its
// purpose: it may be for the next fire time or the newest one. The purpose is unknown next to a
// trigger, near a fire time that depends on the clock, for a claimed failover, or if the request
// was late.
func (v *verdicts) neverBegun(job *JobHistory, m *Marker) shardRun {
	r := shardRun{Process: m.Instance, Source: tracing.SourceNormal, Begin: m.From, Interrupted: true}
	unknown := v.grants(NeverBegun)
	if m.Claimed && unknown {
		r.Source = tracing.SourceFailover
		return r
	}
	placed := slices.IndexFunc(job.Triggers, Span{m.From.Add(-takenWithin), m.From}.Holds)
	if unknown && placed >= 0 { // The process records by its own clock, in milliseconds, when it takes a trigger.
		r.Trigger = Span{job.Triggers[placed].Add(-v.h.Skew).Truncate(time.Millisecond), m.From.Add(v.h.Skew)}
	}
	if unknown && (placed >= 0 || v.requestDelayed(job, m)) {
		return r
	}
	s := job.at(m.From)
	fast, regular := s.lastFire(m.From.Add(headStart + v.h.Skew))
	if slow, _ := s.lastFire(m.From.Add(-v.h.Skew)); !unknown || slow.Equal(fast) || v.h.Skew == 0 {
		r.At, r.Fires = fast, regular
	}
	return r
}

// requestDelayed reports whether the request for a marker may have been delayed because its process was cut
// off.
func (v *verdicts) requestDelayed(job *JobHistory, m *Marker) bool {
	return slices.ContainsFunc(job.Lives, func(l *Life) bool {
		return l.Instance == m.Instance && slices.ContainsFunc(v.h.Cuts[l.Process], func(cut Span) bool {
			return Span{cut.From, cut.To.Add(time.Second)}.Holds(m.From)
		})
	})
}

// done reports whether a handler returned before its context ended. A job's timeout makes it fail,
// which also ends the run.
func (r *Run) done() bool {
	return r.Outcome == Completed && !r.Doubtful && !r.End.IsZero() && (r.Cancel.IsZero() || !r.TimedOut.IsZero())
}

// fires reports whether a time is a fire time of any schedule that the job had.
func (j *JobHistory) fires(at time.Time) bool {
	return slices.ContainsFunc(j.Settings, func(s Settings) bool { return onGrid(&Run{Scheduled: at}, s) })
}

// lastFire returns the newest fire time up to a time, or false if there is none.
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

// unscheduled reports whether the job runs only for triggers.
func (s Settings) unscheduled() bool { return s.Schedule == nil && s.Period == 0 }

// begin returns when a run began in the tree: when its marker was created, or its handler was
// called if it had none.
func (h *History) begin(r *Run, runs []*Run) time.Time {
	marked := h.markedAt(r)
	if !h.Jobs[r.Job].at(r.called()).Monitor || !marked.Before(r.called()) || slices.ContainsFunc(runs, func(other *Run) bool {
		return other != r && other.Instance == r.Instance && !other.called().Before(marked) && other.called().Before(r.called())
	}) { // It's the marker of an earlier run.
		return r.called()
	}
	return marked
}

// recorded returns when the session that had created a run's marker removed it, which records its
// end. Zero if that never happened.
func (h *History) recorded(r *Run) time.Time {
	m := h.markerOf(r)
	if !r.done() || m == nil || m.broken() || m.To.Before(r.End) {
		return time.Time{}
	}
	return m.To
}

// batchEnd returns when the last handler of a run's process returned that was called for the same
// fire time, because they're all recorded together. Zero if one never returned.
func (h *History) batchEnd(r *Run) time.Time {
	end := r.End
	for _, other := range h.ran[r.Job] {
		if other.Process != r.Process || other.Source != r.Source || !other.Scheduled.Equal(r.Scheduled) {
			continue
		}
		if other.End.IsZero() {
			return h.End
		}
		end = later(end, other.End)
	}
	return end
}

// triggeredAtFireTime reports whether the second of two runs may belong to a trigger that its process
// took exactly at a fire time, because then both runs report the same time.
func (j *JobHistory) triggeredAtFireTime(a, b *Run) bool {
	return a.Source == tracing.SourceNormal && b.Source == tracing.SourceNormal && a.Process == b.Process &&
		slices.ContainsFunc(j.Triggers, func(at time.Time) bool {
			return !at.After(b.Scheduled) && at.After(b.Scheduled.Add(-takenWithin))
		})
}

// once is I3: a shard that is settled for a fire time doesn't run for it again, no matter what
// triggered the run; see [repeatedBy].
func (v *verdicts) once(a *account) {
	for i := range a.runs {
		b := a.runs[i].made
		if b == nil {
			continue
		}
		counts := func(k int) bool {
			first := a.runs[k].made
			return first != nil && !(v.grants(Unmonitored) && !v.monitored(a.job, a.runs[k].Begin, b.Start)) &&
				!(v.grants(Triggered) && a.job.triggeredAtFireTime(first, b)) && !v.astray(first.Start, b.Start) &&
				!(v.grants(Unscheduled) && a.runs[k].Interrupted && a.job.at(b.Start).unscheduled())
		}
		if k, again := repeatedBy(a.runs, a.fires, i, counts); again {
			v.add("I3", a.job.Name, a.shard, b.Start, "runs again for %s although that was settled at %s:\n    %s\n    %s",
				clock(a.fires[i].At), clock(cmp.Or(a.runs[k].Settled, a.runs[k].End)), describeRun(a.runs[k].made), describeRun(b))
		}
	}
}

// failovers is I4: a failover needs its own interruption, and doesn't begin before its fire time.
func (v *verdicts) failovers(a *account) {
	taken := make(map[int]bool)
	for i := range a.runs {
		r, fire := a.runs[i].made, a.fires[i]
		if r == nil || r.Source != tracing.SourceFailover {
			continue
		}
		switch {
		case v.hasNoInterruption(a, i):
			v.add("I4", a.job.Name, a.shard, r.Start, "is failed over although nothing was interrupted: %s", describeRun(r))
		case taken[fire.Of]:
			v.add("I4", a.job.Name, a.shard, r.Start, "is failed over twice after one interruption, for %s: %s", clock(fire.At), describeRun(r))
		case fire.Regular && r.called().Before(fire.At.Add(-v.skew(2))):
			v.add("I4", a.job.Name, a.shard, r.Start, "is failed over before its fire time, %s: %s", clock(fire.At), describeRun(r))
		}
		taken[fire.Of] = fire.Of >= 0
	}
}

// hasNoInterruption reports whether a failover has no interruption. If markers aren't visible, a process may
// have marked the shard during a disturbance and called no handler.
func (v *verdicts) hasNoInterruption(a *account, i int) bool {
	if !v.h.Unwatched || !v.grants(Unwatched) {
		return a.fires[i].Of < 0
	}
	if i == 0 {
		return false
	}
	before := a.runs[i-1]
	return !before.Interrupted && v.h.calm(a.job.Name, "", before.Begin, a.runs[i].Begin, a.runs[i].Begin.Sub(before.Begin))
}

// namesFireTime is I22: the handler of a failover gets the interrupted fire time or the time of the
// trigger. The tree keeps milliseconds.
func (v *verdicts) namesFireTime(a *account) {
	for i := range a.runs {
		r, of := a.runs[i].made, a.fires[i].Of
		if r == nil || of < 0 || a.runs[of].made == nil || a.fires[i].At.IsZero() {
			continue
		}
		s, first := a.job.at(r.Start), a.runs[of].made
		switch {
		case v.grants(Unscheduled) && s.unscheduled():
			continue
		case v.grants(Retimed) && s.Turns && a.fires[of].Regular && !onGrid(first, s) && onGrid(r, s):
			continue
		case v.grants(Unwatched) && v.h.Unwatched && a.runs[of].Done:
			continue // It may have been interrupted at the next one.
		}
		if at := a.fires[i].At; !r.Scheduled.Truncate(time.Millisecond).Equal(at.Truncate(time.Millisecond)) {
			v.add("I22", a.job.Name, a.shard, r.Start, "its handler gets %s, and %s was interrupted:\n    %s\n    %s",
				r.Scheduled.UTC().Format(time.RFC3339Nano), at.UTC().Format(time.RFC3339Nano), describeRun(first), describeRun(r))
		}
	}
}

// skew returns the maximum clock difference, times a factor.
func (v *verdicts) skew(times int) time.Duration {
	if !v.grants(Skewed) {
		return 0
	}
	return time.Duration(times) * v.h.Skew
}
