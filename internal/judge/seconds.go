package judge

import (
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// settle returns how long an undisturbed fleet may take to repair itself: a session lost just
// before expires, twice if the first taker also died.
func (v *verdicts) settle() time.Duration { return 2*v.h.SessionTimeout + v.h.Pace.Repair }

// learns is how long an agent may take to learn of an edit, for example because it reconnects then.
const learns = time.Second

// maxClockError is the largest clock error with which a process may still run a job.
const maxClockError = time.Minute

// lost is I2: every fire time of a shard is run, or made up for by one run for it, alone or with
// later ones. Several missed fire times count as one. If handlers take longer than the period, fire
// times are missed regularly; liveness has its own rule for that.
func (v *verdicts) lost(job *JobHistory, runs map[int][]*Run) {
	for k, s := range job.Settings {
		to := v.h.until(job, k)
		if s.Period == 0 || v.grants(Overrun) && v.h.overruns(job, s) {
			continue
		}
		first := s.From.Add(v.h.Skew).Truncate(s.Period).Add(s.Period)
		if k == 0 || job.Settings[k-1].Period != s.Period {
			first = first.Add(s.Period) // The agents may learn of it after the first one.
		}
		for at := first; at.Before(to); at = at.Add(s.Period) {
			for shard := range s.Items {
				switch {
				case v.grants(JustEdited) && !job.at(at.Add(-learns)).runs(shard):
					// The agents may learn after it that the shard is enabled.
				case !s.runs(shard), at.Before(v.h.Begin.Add(s.Period)), !job.known(shard, at.Add(-s.Period-v.h.Skew), at.Add(v.h.Skew)):
				case s.Monitor && s.Misfire:
					v.lostAt(job, s, shard, at, to, runs[shard])
				default:
					v.skipped(job, s, shard, at, to, runs[shard])
				}
			}
		}
	}
}

// skipped is a part of I5: even without the promise of I2, a shard runs at each fire time if
// nothing disturbs the fleet and the job is idle.
func (v *verdicts) skipped(job *JobHistory, s Settings, shard int, at, to time.Time, runs []*Run) {
	if v.grants(NoMisfire) && v.h.Skew > 0 {
		return // The shard may have moved between two clocks.
	}
	limit, around := at.Add(s.Period+v.settle()), Span{at.Add(-2 * s.Period), at.Add(s.Period)}
	ran := func(r *Run) bool { return r.Scheduled.Equal(at) && r.Outcome == Completed }
	works := func(r *Run) bool {
		return r.Start.Before(at) && (r.End.IsZero() || r.End.After(at.Add(-time.Second/2)))
	}
	if !limit.After(to) && !limit.After(v.h.End) && !slices.ContainsFunc(runs, ran) && v.h.calm(job.Name, "", around.From, around.To, 3*s.Period) &&
		!slices.ContainsFunc(v.h.ran[job.Name], works) && !v.crowdedOut(job, at) {
		v.add("I5", job.Name, shard, at, "does not run at %s although nothing disturbs the fleet", clock(at))
	}
}

func (v *verdicts) lostAt(job *JobHistory, s Settings, shard int, at, to time.Time, runs []*Run) {
	begin, _ := slices.BinarySearchFunc(runs, at.Add(-s.Period-maxClockError-v.h.Skew), func(r *Run, at time.Time) int { return r.Start.Compare(at) })
	runs = runs[begin:]
	var tried time.Time // when the last incomplete run for it ended
	for _, r := range runs {
		if r.Request != "" {
			continue // It's for no fire time of its shard, and a fire time that it displaces is missed.
		}
		if r.Outcome != Completed && r.Scheduled.Equal(at) && r.End.After(tried) {
			tried = r.End
		}
		if r.Outcome == Completed && r.Source == tracing.SourceFailover && !tried.IsZero() {
			return // It failed the run over, by its own clock.
		}
		if r.Outcome != Completed || r.local().Before(at) && !r.Scheduled.Equal(at) {
			continue
		}
		came := at.Add(r.Start.Sub(r.local())) // for the process that ran it
		if last := at.Add(v.skew(1)); v.skew(1) > 0 && last.After(came) {
			came = last // The previous owner may have had the slowest clock.
		}
		if tried.After(came) {
			came = tried // Until then it wasn't missed.
		}
		switch {
		case v.grants(Added) && job.awaited(shard, at):
			return // It had no owner yet.
		case v.grants(JustEdited) && r.Start.After(to):
			return // The settings changed first.
		case r.Source != tracing.SourceNormal, onGrid(r, s) && !r.Scheduled.After(at):
			return
		case v.grants(Late) && onGrid(r, s) && r.local().Sub(r.Scheduled) > v.h.Pace.OnTime:
			return // All instances were kept from the shard.
		case v.grants(Busy) && onGrid(r, s) && !v.h.calm(job.Name, r.Process, came, r.Start, v.h.Pace.CatchUp+v.waitInVain(job, r, came)):
			return // It couldn't be made up for earlier.
		case v.grants(NewOwner) && onGrid(r, s) && job.assigned(shard, Span{r.Scheduled.Add(-v.h.Pace.CatchUp), r.Start}):
			return // It had no owner until then.
		case v.grants(Refused) && onGrid(r, s) && v.h.refused(job.Name, Span{at.Add(-maxClockError), r.Start}):
			return // The log showed the operator why.
		case onGrid(r, s) && v.crowdedOut(job, at):
			return // It was tried, and its timeout passed before its turn.
		case onGrid(r, s):
			v.add("I2", job.Name, shard, r.Start, "the fire time %s is lost; the next run is %s", clock(at), describeRun(r))
			return
		}
	}
	limit := at.Add(s.Period + job.Longest + v.settle() + v.h.Skew)
	if v.h.Quiet.After(at) && !v.h.calm(job.Name, "", limit.Add(-time.Second), limit, time.Second) {
		limit = v.h.Quiet.Add(s.Period + 2*job.Longest + v.h.Skew)
	}
	if v.grants(Refused) && v.h.refused(job.Name, Span{at.Add(-maxClockError), limit}) {
		return // The log showed the operator why.
	}
	if to.After(limit) && v.h.End.After(limit) {
		v.add("I2", job.Name, shard, at, "the fire time is lost; no run came after it")
	}
}

// waitInVain returns how long a run may have waited at its start for an instance that was making up
// for a missed fire time, because such runs don't meet.
func (v *verdicts) waitInVain(job *JobHistory, waited *Run, since time.Time) time.Duration {
	if slices.ContainsFunc(v.h.ran[job.Name], func(r *Run) bool {
		return r.Source == tracing.SourceMisfire && r.Item != waited.Item && !r.Start.Before(since) && r.Start.Before(waited.Start)
	}) {
		return job.Meeting
	}
	return 0
}

// liveness is I5: in the quiet phase each enabled shard runs at each fire time.
func (v *verdicts) liveness(job *JobHistory, runs map[int][]*Run) {
	s := job.at(v.h.Quiet)
	if v.h.Quiet.IsZero() || s.Period == 0 || !job.steady(v.h.Quiet, v.h.End) {
		return
	}
	for shard := range s.Items {
		if slices.Contains(s.Off, shard) {
			for _, r := range runs[shard] {
				if r.Start.After(v.h.Quiet) && !r.Start.After(v.h.End) {
					v.add("I5", job.Name, shard, r.Start, "a disabled shard runs: %s", describeRun(r))
				}
			}
			continue
		}
		last := v.h.Quiet
		slack := s.Period + v.h.Pace.Repair + time.Duration(v.h.rounds(s.Items)+1)*job.Longest + 2*v.h.Skew
		if v.grants(NoMisfire) && (!s.Misfire || !s.Monitor) {
			slack += max(0, s.Period-v.h.Pace.Repair) // One fire time may be missed while the shard moves.
		}
		for _, r := range runs[shard] {
			if r.Start.Before(v.h.Quiet) || r.Start.After(v.h.End) || r.Outcome != Completed || r.Request != "" {
				continue
			}
			if r.Start.Sub(last) > slack {
				v.add("I5", job.Name, shard, last, "does not run for %v although nothing disturbs the fleet", r.Start.Sub(last))
			}
			last = r.Start
		}
		if v.h.End.Sub(last) > slack {
			v.add("I5", job.Name, shard, last, "does not run any more, for %v, although nothing disturbs the fleet", v.h.End.Sub(last))
		}
	}
}

// turns is an addition to I5 for a job with a rotating shard: in the quiet phase no instance runs
// it twice in a row while there are others. A run on another address takes the turn from an
// instance that is about to join or leave.
func (v *verdicts) turns(job *JobHistory, runs []*Run) {
	var last *Run
	for _, r := range runs {
		s := job.at(r.Start)
		if v.h.Quiet.IsZero() || r.Start.Before(v.h.Quiet) || r.Start.After(v.h.End) || !s.Turns || !onGrid(r, s) || r.Outcome != Completed {
			last = nil
			continue
		}
		if last != nil && last.Process == r.Process && v.addresses(job, r.Start) > 1 && job.steady(last.Start, r.Start) &&
			!(v.grants(Moving) && slices.ContainsFunc(job.Members, Span{last.Start.Add(-s.Period), r.Start}.Holds)) {
			v.add("I5", job.Name, r.Item, r.Start, "the shard does not rotate:\n    %s\n    %s", describeRun(last), describeRun(r))
		}
		last = r
	}
}

// addresses counts the addresses that could run a job, by the newest snapshot before a time.
func (v *verdicts) addresses(job *JobHistory, at time.Time) int {
	var t tree
	for _, s := range v.h.Snapshots {
		if s.Job == job.Name && !s.At.After(at) {
			t = treeOf(s)
		}
	}
	var found []string
	for _, id := range t.below("/instances") {
		address, _, _ := strings.Cut(id, "@-@")
		if t["/servers/"+address].Data != "DISABLED" && !slices.Contains(found, address) {
			found = append(found, address)
		}
	}
	return len(found)
}

// notified is I23: in the quiet phase the listener of a job is called at the start and end of a run.
// While an instance joins or leaves, the others may wait for it in vain, so half of the fire times
// suffice.
func (v *verdicts) notified(job *JobHistory) {
	s := job.at(v.h.Quiet)
	if job.Meeting == 0 || v.h.Quiet.IsZero() || s.Period == 0 || len(s.Off) > 0 || s.Servers > 0 || !job.steady(v.h.Quiet, v.h.End) {
		return
	}
	fires, quiet := int(v.h.End.Sub(v.h.Quiet)/s.Period), Span{v.h.Quiet, v.h.End}
	for what, calls := range map[string][]time.Time{"start": job.Started, "end": job.Ended} {
		called := make(map[time.Time]bool)
		for _, fire := range calls {
			if quiet.Holds(fire) {
				called[fire] = true
			}
		}
		if 2*len(called) < fires-1 {
			v.add("I23", job.Name, -1, v.h.Quiet, "its listener is called at the %s of %d runs only, there were %d fire times", what, len(called), fires)
		}
	}
}

// skewed looks for runs by a process with a larger clock error than the job allows. It allows
// another second for clocks that are set while a run begins. A shard that waits for others of its
// run begins with them, because the clock was checked then.
func (v *verdicts) skewed(job *JobHistory, shard int, runs []*Run) {
	for _, r := range runs {
		off := r.local().Sub(r.Start)
		if job.MaxSkew == 0 || off.Abs() <= job.MaxSkew+time.Second {
			continue
		}
		begun := v.h.begun(r)
		if !v.grants(ClockSet) || !slices.ContainsFunc(v.h.Astray, func(s WrongClock) bool { return !s.From.After(r.Start) && !begun.After(s.From.Add(time.Second)) }) {
			v.add("clock", job.Name, shard, r.Start, "runs although the clock is off by %v: %s", off, describeRun(r))
		}
	}
}

// begun returns when the first shard of a run's process began for the same fire time.
func (h *History) begun(r *Run) time.Time {
	begun := r.Start
	for _, other := range h.ran[r.Job] {
		if other.Process == r.Process && other.Source == r.Source && other.Scheduled.Equal(r.Scheduled) && other.Start.Before(begun) {
			begun = other.Start
		}
	}
	return begun
}

// traffic is an invariant of the simulation, not of the fleet: a history with hardly any runs
// proves nothing.
func (v *verdicts) traffic(job *JobHistory, runs map[int][]*Run) {
	s := job.at(v.h.Quiet)
	if v.h.Quiet.IsZero() || s.Period == 0 {
		return
	}
	quiet := 0
	for _, list := range runs {
		for _, r := range list {
			if r.Start.After(v.h.Quiet) && r.Request == "" {
				quiet++
			}
		}
	}
	want := (s.Items - len(s.Off)) * int(v.h.End.Sub(v.h.Quiet)/max(s.Period, 2*job.Longest)) / 2
	if quiet < want || v.h.End.Sub(v.h.Quiet) < 3*s.Period {
		v.add("traffic", job.Name, -1, v.h.End, "only %d runs in the quiet phase, at least %d expected: the run proves nothing", quiet, want)
	}
}

// convergence is I7: shards are resharded within a second after a change of the instances, once
// current runs have ended.
func (v *verdicts) convergence(job *JobHistory) {
	if v.h.Quiet.IsZero() || v.grants(SlowHandler) && !job.at(v.h.Quiet).Monitor && job.Longest > time.Second {
		return
	}
	for _, c := range v.h.Changes {
		limit := c.At.Add(time.Second + job.Longest)
		if c.Job != job.Name || c.At.Before(v.h.Quiet) || limit.After(v.h.End) {
			continue
		}
		if c.Settled.IsZero() || c.Settled.After(limit) {
			what := "left"
			if c.Joined {
				what = "joined"
			}
			v.add("I7", job.Name, -1, c.At, "%s %s and the job is not resharded by %s", c.Instance, what, clock(limit))
		}
	}
}
