package judge

import (
	"cmp"
	"slices"
	"time"
)

// facts are what the tree said about a job, arranged for questions about a
// moment. Nothing here comes from what agents recorded about themselves.
type facts struct {
	h      *History
	job    *JobHistory
	busy   []Span // when faults were at work, or nobody served the job; in order, apart
	served []Span // when an enabled instance was registered; in order, apart
	alive  []Span // when an instance was registered, enabled or not
	manned []Span // when a process was there that had been an instance
}

func newFacts(h *History, job *JobHistory) *facts {
	f := &facts{h: h, job: job}
	f.alive = f.lives(func(Settings, string) bool { return true })
	f.served = f.lives(func(s Settings, address string) bool { return !slices.Contains(s.Closed, address) && !s.Unusable })
	for _, life := range job.Lives {
		if h.Processes[life.Process] != nil {
			f.manned = append(f.manned, h.served(job, life))
		}
	}
	f.manned = merged(f.manned, h.End)
	busy := slices.Clone(h.Disturbed)
	for _, s := range gaps(f.served, h.Begin, h.End) {
		s.To = s.To.Add(reunion)
		busy = append(busy, s)
	}
	f.busy = merged(busy, h.End)
	return f
}

// reunion is what a fleet needs to begin again once somebody serves.
const reunion = 5 * time.Second

// lives returns when one of the instances was registered that a condition
// admits, which may change with the settings.
func (f *facts) lives(admits func(s Settings, address string) bool) []Span {
	var spans []Span
	for _, life := range f.job.Lives {
		to := life.To
		if to.IsZero() {
			to = f.h.End
		}
		for from := life.From; from.Before(to); {
			next := to
			for _, s := range f.job.Settings {
				if s.From.After(from) && s.From.Before(next) {
					next = s.From
					break
				}
			}
			if admits(f.job.at(from), life.Address) {
				spans = append(spans, Span{from, next})
			}
			from = next
		}
	}
	return merged(spans, f.h.End)
}

// merged sorts spans and joins those that touch. One that is open ends at end.
func merged(spans []Span, end time.Time) []Span {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Or(a.From.Compare(b.From), a.To.Compare(b.To)) })
	var list []Span
	for _, s := range spans {
		if s.To.IsZero() {
			s.To = end
		}
		if last := len(list) - 1; last >= 0 && !s.From.After(list[last].To) {
			if s.To.After(list[last].To) {
				list[last].To = s.To
			}
			continue
		}
		list = append(list, s)
	}
	return list
}

// gaps returns what spans leave out between two moments.
func gaps(spans []Span, from, to time.Time) []Span {
	var list []Span
	for _, s := range spans {
		if s.From.After(from) {
			list = append(list, Span{from, s.From})
		}
		if s.To.After(from) {
			from = s.To
		}
	}
	if to.After(from) {
		list = append(list, Span{from, to})
	}
	return list
}

// within reports whether one of the spans holds a moment.
func within(spans []Span, at time.Time) bool {
	n, _ := slices.BinarySearchFunc(spans, at, func(s Span, at time.Time) int { return s.To.Compare(at) })
	return n < len(spans) && spans[n].Holds(at)
}

// calm reports whether nothing disturbed the job in a span.
func (f *facts) calm(from, to time.Time) bool {
	n, _ := slices.BinarySearchFunc(f.busy, from, func(s Span, at time.Time) int { return s.To.Compare(at) })
	return n == len(f.busy) || f.busy[n].From.After(to)
}

// repaired returns the end of the first stretch of a length that nothing
// disturbed, at a moment or after it.
func (f *facts) repaired(at time.Time, length time.Duration) time.Time {
	for _, s := range f.busy {
		if s.To.Before(at) {
			continue
		}
		if s.From.Sub(at) >= length {
			break
		}
		at = s.To
	}
	return at.Add(length)
}

// absence returns the time around a moment in which no enabled instance was
// registered; false if one was.
func (f *facts) absence(at time.Time) (Span, bool) {
	if within(f.served, at) {
		return Span{}, false
	}
	away := Span{f.h.Begin, f.h.End}
	for _, s := range f.served {
		if s.To.Before(at) {
			away.From = s.To
		}
		if s.From.After(at) {
			away.To = s.From
			break
		}
	}
	return away, true
}

// down reports whether no instance at all was registered at a moment.
func (f *facts) down(at time.Time) bool {
	return !within(f.alive, at)
}

// disabled reports whether instances were registered at a moment, and none on a server that
// was enabled.
func (f *facts) disabled(at time.Time) bool {
	_, absent := f.absence(at)
	return absent && !f.down(at)
}

// deserted returns when somebody served the job again after a time within a span
// in which no process was there that had been an instance, whatever the tree
// still said of those who were dead; false if somebody was there throughout: a
// process keeps the newest fire time in memory until it can run it.
func (f *facts) deserted(s Span) (back time.Time, found bool) {
	for _, gap := range gaps(f.manned, f.h.Begin, f.h.End) {
		if !gap.To.Before(s.From) && !gap.From.After(s.To) {
			back, found = gap.To, true
		}
	}
	return back, found
}

// remembers reports whether a process was there at a moment that had been an
// instance of the job before and lived on until another.
func (f *facts) remembers(at, until time.Time) bool {
	return slices.ContainsFunc(f.job.Lives, func(l *Life) bool {
		s := f.h.served(f.job, l)
		return f.h.Processes[l.Process] != nil && l.From.Before(at) && (s.To.IsZero() || s.To.After(until))
	})
}

// strangers returns when a job was served again, after a fire time and by a limit,
// by a process that had not been an instance at that fire time: it goes by the tree,
// whoever else may be alive and keep the fire time in memory. False if nobody was
// missing, or only those who remember were back first.
func (f *facts) strangers(at, limit time.Time) (back time.Time, found bool) {
	for _, gap := range gaps(f.served, f.h.Begin, f.h.End) {
		if gap.To.Before(at) || gap.From.After(limit) {
			continue
		}
		first := Span{gap.To.Add(-reunion), gap.To.Add(reunion)}
		for _, l := range f.job.Lives {
			if first.Holds(l.From) && !slices.ContainsFunc(f.job.Lives, func(past *Life) bool { return past.Process == l.Process && past.From.Before(at) }) {
				back, found = gap.To, true
			}
		}
	}
	return back, found
}

// sweepAfter is how long a leader takes at least to remove a server without an instance.
const sweepAfter = 8 * time.Minute

// registered reports whether the server of an instance that has left is registered at a
// moment: it is until an instance on an enabled server leads and sweeps it.
func (f *facts) registered(life *Life, at time.Time) bool {
	return !life.To.IsZero() && life.To.Before(at) && !slices.ContainsFunc(f.served, func(s Span) bool {
		from, to := later(s.From, life.To), at
		if !s.To.IsZero() && s.To.Before(to) {
			to = s.To
		}
		return to.Sub(from) > sweepAfter
	})
}

// closed reports whether every server that could have run a fire time was disabled around it:
// the servers of instances, of processes that are cut off and may rejoin, and of processes that
// have left. A server stays enabled while its process is started again.
func (f *facts) closed(at time.Time) bool {
	margin, found := guard+f.h.Skew, false
	for _, moment := range []time.Time{at.Add(-margin), at, at.Add(margin)} {
		s := f.job.at(moment)
		for _, life := range f.job.Lives {
			if f.registered(life, moment) && !slices.Contains(s.Closed, life.Address) {
				return false
			}
			if life.Holds(moment) || f.h.served(f.job, life).Holds(moment) && f.h.Processes[life.Process] != nil {
				if !slices.Contains(s.Closed, life.Address) {
					return false
				}
				found = true
			}
		}
	}
	return found && !f.down(at)
}

// owner returns to whom a shard was assigned, empty if to nobody.
func (f *facts) owner(shard int, at time.Time) string {
	owner := ""
	for _, o := range f.job.Owners[shard] {
		if o.From.After(at) {
			break
		}
		owner = o.Instance
	}
	return owner
}

// moved returns when a shard was first assigned to another instance than the one that
// had it at a fire time, if that was by a limit.
func (f *facts) moved(shard int, at, limit time.Time) (to time.Time, found bool) {
	owner := f.owner(shard, at)
	for _, o := range f.job.Owners[shard] {
		if o.From.After(at) && !o.From.After(limit) && o.Instance != owner {
			return o.From, true
		}
	}
	return to, false
}

// stretch is a time in which the settings promised the fire times of a shard,
// under one schedule: an accounting of its own.
type stretch struct {
	Span
	schedule *Schedule
}

// stretches lists them for a shard, in order.
func (f *facts) stretches(shard int) []stretch {
	var list []stretch
	open, off, recorded := false, false, true
	var found time.Time // when somebody found what was switched on, who did not know since when
	for _, s := range f.job.Settings {
		promises := s.makesUp() && !s.Unusable && shard < s.Items && !slices.Contains(s.Off, shard)
		was := off
		if off = slices.Contains(s.Off, shard); was && !off {
			if away, absent := f.absence(s.From); absent {
				found = away.To
			}
		}
		if before := recorded; !s.Unusable {
			if recorded = s.Monitor; recorded && !before {
				found = later(found, f.repaired(s.From, 2*guard)) // Until then the records are nobody's.
			}
		}
		last := len(list) - 1
		if open && (!promises || list[last].schedule.Key != s.Schedule.Key) {
			list[last].To, open = s.From, false
		}
		if promises && !open {
			list, open = append(list, stretch{Span{From: later(s.From, found), To: f.h.End}, s.Schedule}), true
		}
	}
	return list
}

// makesUp reports whether s promises that fire times are made up for. While the schedule
// is held it does not, and its release begins the accounting anew.
func (s Settings) makesUp() bool { return s.Schedule != nil && s.Monitor && s.Misfire && !s.Held }

// since is when the accounting began that was in force at a moment: the last
// change of the schedule, of misfire or of monitorExecution; false if nothing is
// made up for under it.
func (f *facts) since(at time.Time) (time.Time, *Schedule, bool) {
	var from time.Time
	var now Settings
	for k, s := range f.job.Settings {
		if s.From.After(at) {
			break
		}
		if k == 0 || !s.makesUp() || !now.makesUp() || s.Schedule.Key != now.Schedule.Key {
			from = s.From
		}
		now = s
	}
	return from, now.Schedule, now.makesUp()
}

// enabled is when a shard was switched on last before a moment, or when it
// began to exist; false if it was off.
func (f *facts) enabled(shard int, at time.Time) (time.Time, bool) {
	var from time.Time
	off := false
	for _, s := range f.job.Settings {
		if s.From.After(at) {
			break
		}
		if s.Unusable {
			continue // That nobody could serve it switched nothing.
		}
		was := off
		if off = slices.Contains(s.Off, shard) || shard >= s.Items; was && !off && !f.down(s.From) {
			from = s.From // If nobody is there, nothing in the tree tells it later.
		}
	}
	return from, !off
}

// unseen reports whether somebody wrote the configuration in a span before the
// agents had surely seen what was written before: what was edited in between
// counts as edited last.
func (f *facts) unseen(s Span) bool {
	for k, at := range f.job.Writes {
		if k > 0 && s.Holds(at) && !f.calmFor(Span{f.job.Writes[k-1], at}, 2*guard) {
			return true
		}
	}
	return false
}

// changed reports whether the settings or the fleet changed within a span.
func (f *facts) changed(within Span) bool {
	return slices.ContainsFunc(f.job.Writes, within.Holds) || slices.ContainsFunc(f.job.Members, within.Holds) ||
		slices.ContainsFunc(f.job.Settings, func(s Settings) bool { return within.Holds(s.From) })
}

// calmFor reports whether nothing disturbed the job for some time within a span.
func (f *facts) calmFor(s Span, length time.Duration) bool {
	return !f.repaired(s.From, length).After(s.To)
}

// astray reports whether some clock was off by so much in a span that its
// process refused the job, or did not even know that a fire time had come.
func (v *verdicts) astray(from, to time.Time) bool {
	return v.grants(Astray) && slices.ContainsFunc(v.h.Astray, func(s Span) bool {
		return s.From.Before(to) && (s.To.IsZero() || s.To.Add(furthest).After(from))
	})
}
