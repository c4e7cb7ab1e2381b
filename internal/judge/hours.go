package judge

import (
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Window is how old a fire time may be that a fleet makes up for after it was down.
const Window = time.Hour

// guard is the minimum distance between a fire time and a change of the settings. Closer ones can't
// be judged, because the change takes time to reach the agents.
const guard = 5 * time.Second

// audit is the latest time by which an agent has compared its whole state with the server.
const audit = 12 * time.Minute

// overHours judges a job with a period of minutes, hours or days. Missed fire times follow from the
// history of the tree.
func (v *verdicts) overHours(job *JobHistory, runs map[int][]*Run, accounts map[int]*account) {
	f := newFacts(v.h, job)
	for _, shard := range slices.Sorted(maps.Keys(runs)) {
		for _, r := range runs[shard] {
			v.justified(f, r, accounts[shard])
			v.allowed(f, r)
		}
	}
	for shard := range mostShards(job) {
		v.missed(f, shard, runs[shard])
		v.punctual(f, shard, runs[shard])
	}
	v.enough(f, runs)
}

// margin is the minimum distance between a fire time and a change; closer ones can't be judged.
func (v *verdicts) margin() time.Duration { return guard + v.skew(1) }

// rounds returns how many handlers a shard may have to wait for, including its own, if one process
// runs a number of shards, partly in sequence.
func (h *History) rounds(shards int) int {
	if h.Parallel == 0 || shards <= h.Parallel {
		return 1
	}
	return (shards + h.Parallel - 1) / h.Parallel
}

// mostShards returns the largest number of shards that a job had.
func mostShards(job *JobHistory) int {
	most := 0
	for _, s := range job.Settings {
		if !s.Unusable {
			most = max(most, s.Items)
		}
	}
	return most
}

// settleOf returns how long an undisturbed fleet may take to make up for a fire time: an
// interrupted handler, and one that makes up for it.
//
// As in ElasticJob, a process takes leftover shards one by one, so the last one waits for the
// handlers of all others.
func (v *verdicts) settleOf(job *JobHistory) time.Duration {
	handlers := 2 * v.h.rounds(mostShards(job))
	if job.Requests != nil {
		handlers *= 2 // Requested runs and others take turns.
	}
	for _, s := range job.Settings {
		if s.Failover && !s.Unusable {
			handlers = max(handlers, min(s.Items, mostShards(job))+1)
		}
	}
	return v.settle() + time.Duration(handlers)*job.Longest + 2*v.h.Skew
}

// missed is I2 over hours: each promised fire time is completed, or covered by a later run, once
// the fleet has been undisturbed for long enough. If no process was alive that remembered it, only
// the newest such fire time is made up for, and only within the window.
func (v *verdicts) missed(f *facts, shard int, runs []*Run) {
	for _, stretch := range f.stretches(shard) {
		if v.grants(Overrun) && f.job.Longest >= stretch.schedule.Gap {
			continue
		}
		from := later(stretch.From, v.h.Begin).Add(v.margin())
		for _, at := range stretch.schedule.Between(from, stretch.To) {
			if limit, due := v.due(f, shard, stretch, at); due && !f.servedBy(runs, at, limit) && !v.crowdedOut(f.job, at) {
				v.add("I2", f.job.Name, shard, at, "the fire time %s is lost: nothing was run for it by %s, although nothing disturbed the fleet for %v",
					clock(at), clock(limit), v.settleOf(f.job))
			}
		}
	}
}

// due reports whether a fire time of a stretch must have run, and by when.
func (v *verdicts) due(f *facts, shard int, stretch stretch, at time.Time) (limit time.Time, due bool) {
	settle, since := v.settleOf(f.job), at
	away, absent := f.absence(at)
	switch {
	case v.grants(Closed) && (f.disabled(at) || f.disabled(at.Add(-v.skew(1))) || f.idle(shard, at)):
		// It was disabled, or was disabled when a fast clock showed the fire time, or its owner was
		// disabled and others may not have had it yet.
		return limit, false
	case absent:
		since = away.To
	}
	limit = f.repaired(since, settle)
	back, deserted := f.deserted(Span{at, limit})
	if absent && !deserted && !f.remembers(at, limit) {
		back, deserted = away.To, true // The process that was alive has left since.
	}
	if others, found := f.servedByNewcomer(at, limit); found {
		back, deserted = later(back, others), true
	}
	if moved, found := f.moved(shard, at, limit); found {
		back, deserted = later(back, moved), true // Its new owner relies on the tree.
	}
	if back = later(back, away.To); deserted && (stretch.schedule.Next(at).Before(back) || back.Sub(at) > Window-v.margin()) && v.grants(Away) {
		return limit, false
	}
	doubt := Span{at.Add(-v.margin()), limit}
	switch {
	case v.grants(JustEdited) && (!limit.Before(stretch.To) || !f.job.known(shard, doubt.From, limit)):
		return limit, false // The settings changed first.
	case v.grants(Unseen) && f.unseen(doubt):
		return limit, false
	case v.grants(EventsLost) && v.h.Blind && f.changed(Span{at.Add(-audit), limit}):
		// Until the next audit, an agent that lost the event of an edit uses the old settings, and
		// an agent that lost the event of a resharding waits for its end.
		return limit, false
	case v.grants(Switched) && slices.ContainsFunc(f.job.Switches, doubt.Holds):
		return limit, false // Fire times missed before a server was enabled don't count.
	}
	return limit, !v.astray(doubt.From, limit) && !v.shownEarly(at)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// idle reports whether a shard belonged to an instance on a disabled server.
func (f *facts) idle(shard int, at time.Time) bool {
	owner := f.owner(shard, at)
	for _, life := range f.job.Lives {
		if life.Instance == owner && slices.Contains(f.job.at(at).Closed, life.Address) {
			return true
		}
	}
	return false
}

// servedBy reports whether a run that began by limit was for a fire time, alone or with later ones.
// A run that waited in memory during an edit uses the old schedule.
func (f *facts) servedBy(runs []*Run, at, limit time.Time) bool {
	return slices.ContainsFunc(runs, func(r *Run) bool {
		if r.Outcome != Completed || r.Start.After(limit) || r.local().Before(at) && !r.Scheduled.Equal(at) {
			return false
		}
		return r.Source != tracing.SourceNormal || f.scheduled(r) && !r.Scheduled.Before(at)
	})
}

// punctual is I5 over hours: an enabled shard of an undisturbed fleet runs at each fire time, no
// matter how misfire and monitorExecution are set.
func (v *verdicts) punctual(f *facts, shard int, runs []*Run) {
	before := v.settleOf(f.job)
	for k, s := range f.job.Settings {
		to := v.h.until(f.job, k)
		if s.Schedule == nil || s.Unusable || s.Held || shard >= s.Items || slices.Contains(s.Off, shard) {
			continue
		}
		slack := time.Second + 2*v.h.Skew + time.Duration(v.h.rounds(s.Items)-1)*f.job.Longest
		for _, at := range s.Schedule.Between(later(s.From, v.h.Begin).Add(before), to.Add(-slack-guard)) {
			if v.grants(Busy) && !f.calm(at.Add(-before), at.Add(slack)) || v.grants(Moving) && f.moving(at, slack) ||
				v.grants(Closed) && f.idle(shard, at) || v.grants(Working) && f.working(at, slack) ||
				!f.job.known(shard, at.Add(-before), at.Add(slack)) || v.astray(at.Add(-before), at.Add(slack)) || v.shownEarly(at) || v.crowdedOut(f.job, at) {
				continue
			}
			if !slices.ContainsFunc(runs, func(r *Run) bool {
				return r.Scheduled.Equal(at) && r.Source == tracing.SourceNormal && r.Start.Sub(at).Abs() <= slack
			}) {
				v.add("I5", f.job.Name, shard, at, "does not run at %s although nothing disturbs the fleet", clock(at))
			}
		}
	}
}

// moving reports whether instances joined or left around a time.
func (f *facts) moving(at time.Time, slack time.Duration) bool {
	return slices.ContainsFunc(f.job.Members, Span{at.Add(-30 * time.Second), at.Add(slack)}.Holds)
}

// working reports whether an earlier run of the job was in progress at a fire time, which then
// passes.
func (f *facts) working(at time.Time, slack time.Duration) bool {
	return slices.ContainsFunc(f.h.ran[f.job.Name], func(r *Run) bool {
		return r.Start.Before(at.Add(slack)) && (r.End.IsZero() || !r.End.Before(at.Add(-slack))) && !r.Scheduled.Equal(at)
	})
}

// scheduled reports whether a run was made for a fire time of any of the job's schedules, not for a
// trigger or request.
func (f *facts) scheduled(r *Run) bool {
	return r.Request == "" && slices.ContainsFunc(f.job.Settings, func(s Settings) bool { return s.Schedule != nil && s.Schedule.Holds(r.Scheduled) })
}

// justified is I8 over hours: a fire time is made up for only if the facts show that it was missed,
// when its marker was created or when the run began. A run that waited for its place uses the
// settings from when it was marked.
func (v *verdicts) justified(f *facts, r *Run, a *account) {
	if r.Source != tracing.SourceMisfire || v.astray(r.Scheduled.Add(-maxClockError), r.Start) {
		return // Clocks that far apart have no guarantees.
	}
	marked := r.Start
	for _, marker := range f.job.Misfires[r.Item] {
		if !marker.From.After(r.Start) && (marker.To.IsZero() || !marker.To.Before(r.Start.Add(-guard))) {
			marked = marker.From
			break
		}
	}
	enabled, _ := f.enabled(r.Item, marked.Add(-guard))
	done := v.completedBefore(r, a)
	moments := v.mayKnow(f, r.Start)
	if v.grants(Marked) {
		moments = append(moments, v.mayKnow(f, v.h.markedAt(r))...)
	}
	allowed, latest := false, time.Time{}
	for _, known := range moments {
		since, schedule, ok := f.since(known)
		if !ok {
			continue
		}
		allowed, latest = true, later(since, enabled).Add(-v.margin())
		for at := schedule.Next(later(latest, done)); !at.IsZero() && !at.After(r.local().Add(time.Second)); at = schedule.Next(at) {
			if v.mayBeMissed(f, r, at) {
				return
			}
		}
	}
	if !allowed {
		v.add("I8", f.job.Name, r.Item, r.Start, "a fire time is made up for although that is switched off: %s", describeRun(r))
		return
	}
	v.add("I8", f.job.Name, r.Item, r.Start, "is made up for although nothing was missed since %s, and all up to %s completed: %s", clock(latest), clock(done), describeRun(r))
}

// mayKnow returns times with settings that an instance may use, because it may or may not know a
// recent edit yet. If events are lost it learns of one at the next audit.
func (v *verdicts) mayKnow(f *facts, at time.Time) []time.Time {
	moments := []time.Time{at}
	if v.grants(JustEdited) {
		moments = append(moments, at.Add(-guard))
	}
	for _, s := range f.job.Settings {
		if v.grants(EventsLost) && v.h.Blind && s.From.After(at.Add(-audit)) && !s.From.After(at) {
			moments = append(moments, s.From.Add(-1))
		}
	}
	return moments
}

// mayBeMissed reports whether an instance should have run a job at a fire time, or was back soon
// enough.
func (v *verdicts) mayBeMissed(f *facts, r *Run, at time.Time) bool {
	if owner := f.owner(r.Item, at); f.closed(at) && (owner == "" || f.idle(r.Item, at)) {
		return false // Otherwise the shard's owner came from another server and left.
	}
	away, absent := f.absence(at)
	if !absent {
		return true
	}
	if !f.down(at) {
		return !f.idle(r.Item, at) || at.Sub(away.From) < v.margin() || away.To.Sub(at) < v.margin()
	}
	return f.remembers(at, r.Start) || away.To.Sub(at) <= Window+2*v.settleOf(f.job)
}

// completedBefore returns the newest fire time that was known to be completed when a run began, or
// zero.
func (v *verdicts) completedBefore(r *Run, a *account) time.Time {
	var done time.Time
	begun := r.Start
	if v.grants(Marked) {
		begun = v.h.markedAt(r)
	}
	for i, s := range a.runs {
		if a.fires[i].Regular && !s.Settled.IsZero() && !s.Settled.After(begun) && a.job.at(s.Begin).Monitor {
			done = later(done, a.fires[i].At)
		}
	}
	return done
}

// allowed is the other half of I5: disabled shards and servers run nothing. As in ElasticJob, an
// earlier interrupted run is failed over all the same.
func (v *verdicts) allowed(f *facts, r *Run) {
	s := f.job.at(r.Start)
	closed := func() bool {
		return !slices.ContainsFunc(v.mayKnow(f, r.Scheduled), func(at time.Time) bool { return !f.closed(at) })
	}
	if r.Source == tracing.SourceNormal && f.scheduled(r) && closed() {
		v.add("I8", f.job.Name, r.Item, r.Start, "runs for a fire time at which every server was disabled: %s", describeRun(r))
	}
	off := func(at time.Time) bool { return slices.Contains(f.job.at(at).Off, r.Item) }
	marked := r.Start
	if v.grants(Marked) {
		marked = v.h.markedAt(r)
	}
	if r.Source != tracing.SourceFailover && off(marked) && off(marked.Add(-guard)) && f.calm(r.Start.Add(-2*guard), r.Start) {
		v.add("I5", f.job.Name, r.Item, r.Start, "a disabled shard runs: %s", describeRun(r))
	}
	if s.Schedule == nil || r.Source != tracing.SourceNormal || !f.scheduled(r) || s.Schedule.Holds(r.Scheduled) {
		return
	}
	if v.grants(Late) && !f.calm(r.Scheduled.Add(-2*guard), r.Start) {
		return // It waited, and may run.
	}
	if past := f.job.at(r.Start.Add(-v.margin())); past.Schedule != nil && past.Schedule.Key == s.Schedule.Key {
		v.add("I8", f.job.Name, r.Item, r.Start, "runs for a fire time that the schedule does not have any more: %s", describeRun(r))
	}
}

// enough reports that a history with hardly any runs proves nothing.
func (v *verdicts) enough(f *facts, runs map[int][]*Run) {
	fires, off, ran := 0, 0, 0
	for k, s := range f.job.Settings {
		to := v.h.until(f.job, k)
		if s.Schedule == nil || s.Unusable || s.Held {
			continue
		}
		for _, at := range s.Schedule.Between(later(s.From, v.h.Begin), to) {
			if _, absent := f.absence(at); !absent {
				fires, off = fires+s.Items-len(s.Off), off+len(s.Off)
			}
		}
	}
	for _, list := range runs {
		ran += len(list)
	}
	if v.h.Brief {
		return // Many fleets together must have run enough.
	}
	if ran < fires/4 || fires+off == 0 && len(f.job.Holds) == 0 && f.job.Requests == nil {
		v.add("traffic", f.job.Name, -1, v.h.End, "%d runs for %d fire times of shards: the run proves nothing", ran, fires)
	}
}
