package judge

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// heldBack is I21: while the schedule is held no fire time runs, and the release makes up for none.
// Runs from before the hold go on, and interrupted ones are failed over.
func (v *verdicts) heldBack(job *JobHistory, shard int, runs []*Run) {
	if len(job.Holds) == 0 {
		return
	}
	margin := v.margin()
	for _, r := range runs {
		fire := r.Source == tracing.SourceNormal && slices.ContainsFunc(job.Settings, func(s Settings) bool { return onGrid(r, s) })
		if !fire && r.Source != tracing.SourceMisfire {
			continue
		}
		began := r.called()
		if marked := v.h.markedAt(r); marked.Before(began) && !slices.ContainsFunc(runs, func(other *Run) bool {
			return other != r && !other.called().Before(marked) && other.called().Before(began)
		}) { // Otherwise it's the marker of an earlier run.
			began = marked
		}
		if fire && job.Meeting > 0 && r.Scheduled.Before(began) { // It may have waited for the others to start.
			if began = began.Add(-job.Meeting); began.Before(r.Scheduled) {
				began = r.Scheduled
			}
		}
		for _, h := range job.Holds {
			released := !h.To.IsZero() && !began.Before(h.To)
			switch {
			case h.From.After(began):
			case !released && v.h.calm(job.Name, "", h.From, began, v.h.Pace.CatchUp):
				v.add("I21", job.Name, shard, r.Start, "runs although the schedule is held since %s: %s", clock(h.From), describeRun(r))
			case released && fire && r.Scheduled.After(h.From.Add(margin)) && r.Scheduled.Before(h.To.Add(-margin)):
				v.add("I21", job.Name, shard, r.Start, "runs for a time at which the schedule was held, from %s to %s: %s", clock(h.From), clock(h.To), describeRun(r))
			case released && !fire && r.Scheduled.Before(h.To.Add(-margin)):
				v.add("I21", job.Name, shard, r.Start, "is made up for although the schedule was released since, at %s: %s", clock(h.To), describeRun(r))
			}
		}
	}
}

// triggeredDuringHold is the other part of I21: a trigger runs although the schedule is held. A current run of
// the job drops it.
func (v *verdicts) triggeredDuringHold(job *JobHistory, shard int, runs []*Run) {
	if v.grants(Refused) && job.MaxSkew > 0 || v.grants(Busy) && job.Requests != nil {
		return // The agent may refuse the job, or be busy with a requested run.
	}
	for _, at := range job.HeldTriggers {
		s, from := job.at(at), at.Add(-v.h.Pace.CatchUp)
		to := at.Add(guard + time.Duration(v.h.rounds(s.Items))*job.Longest)
		if shard >= s.Items || s.Servers > 0 || slices.Contains(s.Off, shard) || !job.steady(from, to) || !job.known(shard, from, to) ||
			v.grants(Busy) && !v.h.calm(job.Name, "", from, to, to.Sub(from)) || v.grants(Moving) && slices.ContainsFunc(job.Members, Span{from, to}.Holds) {
			continue
		}
		busy := v.grants(Busy) && slices.ContainsFunc(v.h.ran[job.Name], func(r *Run) bool {
			return r.Start.Before(at) && (r.End.IsZero() || r.End.After(from))
		})
		if !busy && !slices.ContainsFunc(runs, func(r *Run) bool { return !r.Start.Before(at) && !r.Start.After(to) }) {
			v.add("I21", job.Name, shard, at, "was triggered while the schedule is held, and does not run by %s", clock(to))
		}
	}
}

// late is how late after the timeout a handler may learn of it.
const late = time.Second

// limited is a part of I19: a handler learns when the job's timeout has passed, and not earlier.
// The handlers of one attempt share it.
func (v *verdicts) limited(job *JobHistory, shard int, runs []*Run) {
	for _, r := range runs {
		least, most := job.timeouts(r.called())
		until := r.End
		if until.IsZero() {
			until = v.h.End
		}
		if !r.Cancel.IsZero() && r.Cancel.Before(until) {
			until = r.Cancel
		}
		switch {
		case least > 0 && until.After(r.called().Add(most+late)) && !v.excused(r, until.Add(-1)):
			v.add("I19", job.Name, shard, until, "its handler does not learn that the timeout of %v has passed: %s", most, describeRun(r))
		case !r.TimedOut.IsZero() && (most == 0 || r.TimedOut.Before(v.h.calledFirst(r).Add(least))):
			v.add("I19", job.Name, shard, r.TimedOut, "its handler is ended by the timeout of %v before its time: %s", least, describeRun(r))
		}
	}
}

// calledFirst returns when the first handler of a run's attempt was called on its process.
func (h *History) calledFirst(r *Run) time.Time {
	first := r.called()
	for _, other := range h.ran[r.Job] {
		if other.Process == r.Process && other.Request == r.Request && other.Scheduled.Equal(r.Scheduled) && other.called().Before(first) {
			first = other.called()
		}
	}
	return first
}

// timeouts returns the shortest and the longest timeout that an agent may apply, because it may not
// know an edit yet. 0 means none.
func (j *JobHistory) timeouts(at time.Time) (least, most time.Duration) {
	least = j.at(at).Timeout
	most = least
	for k, s := range j.Settings {
		ended := k+1 < len(j.Settings) && j.Settings[k+1].From.Before(at.Add(-audit))
		if s.From.After(at) || ended {
			continue
		}
		least, most = min(least, s.Timeout), max(most, s.Timeout)
	}
	return least, most
}

// crowded reports whether shards of an attempt may wait for others until its timeout has passed.
// Then they have failed, and their handlers are not called.
func (v *verdicts) crowded(job *JobHistory) bool {
	return v.h.rounds(mostShards(job)) > 1 && slices.ContainsFunc(job.Settings, func(s Settings) bool { return s.Timeout > 0 })
}

// crowdedOut reports whether shards may not have been started for a fire time because others held
// their places until its timeout had passed.
func (v *verdicts) crowdedOut(job *JobHistory, at time.Time) bool {
	if !v.grants(CrowdedOut) {
		return false
	}
	least, most := job.timeouts(at)
	if most == 0 || !v.crowded(job) {
		return false
	}
	if least == 0 {
		least = most
	}
	return slices.ContainsFunc(v.h.ran[job.Name], func(r *Run) bool {
		return r.Scheduled.Equal(at) && (r.End.IsZero() || r.End.Sub(at) >= least)
	})
}

// patienceOf returns how long a job's requested runs may make no progress while one of them is ready.
func patienceOf(job *JobHistory) time.Duration { return stuck + 2*job.Longest }

// prompt is a part of I20: a due run begins unless others go first. Then there's progress in the
// job's runs. A hold doesn't keep back runs requested by a person.
func (v *verdicts) prompt(job *JobHistory, list []*requestedRun, holds []hold) {
	if job.MaxSkew > 0 {
		return
	}
	var moves []time.Time
	for _, e := range list {
		for _, s := range e.steps {
			moves = append(moves, s.At)
		}
	}
	slices.SortFunc(moves, time.Time.Compare)
	length := patienceOf(job) + 2*v.h.Skew
	for _, e := range list {
		for k, s := range e.steps {
			if !s.placed() {
				continue
			}
			since, until := later(s.At, time.UnixMilli(s.request.Due)).Add(2*v.h.Skew), v.h.End
			if k+1 < len(e.steps) {
				until = e.steps[k+1].At
			}
			if at, found := v.idle(job, e, moves, holds, Span{since, until}, length); found {
				v.add("I20", job.Name, -1, at, "%v waits since %s, and for %v nothing happens to any run although nothing keeps them", e, clock(since), length)
				return
			}
		}
	}
}

// idle finds a period of a length within a span in which the runs of a job made no progress and
// nothing kept one of them from beginning.
func (v *verdicts) idle(job *JobHistory, e *requestedRun, moves []time.Time, holds []hold, within Span, length time.Duration) (time.Time, bool) {
	n, _ := slices.BinarySearchFunc(moves, within.From, func(m, at time.Time) int { return m.Compare(at) })
	for from := within.From; within.To.Sub(from) >= length; n++ {
		to := within.To
		if n < len(moves) && moves[n].Before(to) {
			to = moves[n]
		}
		if to.Sub(from) >= length && v.h.calm(job.Name, "", from, to, length) && job.open(from, to) &&
			!slices.ContainsFunc(keeping(holds, e.request), func(h hold) bool { return h.From.Before(to) && (h.to == 0 || h.To.After(from)) }) {
			return from, true
		}
		from = to
	}
	return time.Time{}, false
}

// open reports whether every server and shard of a job was enabled throughout a span.
func (j *JobHistory) open(from, to time.Time) bool {
	for k, s := range j.Settings {
		ended := k+1 < len(j.Settings) && !j.Settings[k+1].From.After(from)
		if !ended && !s.From.After(to) && (s.Servers > 0 || len(s.Off) > 0 || s.Items == 0) {
			return false
		}
	}
	return true
}
