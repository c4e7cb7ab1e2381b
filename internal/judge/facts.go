package judge

import (
	"cmp"
	"slices"
	"time"
)

// facts are a job's changes in the tree, arranged for queries by time. They use no records that
// agents wrote about themselves.
type facts struct {
	h      *History
	job    *JobHistory
	busy   []Span // times with faults, or without a serving instance; ordered and disjoint
	served []Span // times with a registered and enabled instance; ordered and disjoint
	alive  []Span // times with a registered instance, enabled or not
	manned []Span // times with a live process that had been an instance
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
		s.To = s.To.Add(restartTime)
		busy = append(busy, s)
	}
	f.busy = merged(busy, h.End)
	return f
}

// restartTime is how long a fleet takes to start again once an instance serves.
const restartTime = 5 * time.Second

// lives returns the times with a registered instance that satisfies a condition, which may depend
// on the settings.
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

// merged sorts spans and joins adjacent ones. An open one ends at end.
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

// gaps returns the parts between two times that spans don't cover. The spans are ordered and
// disjoint.
func gaps(spans []Span, from, to time.Time) []Span {
	var list []Span
	for _, s := range spans {
		if !s.From.Before(to) {
			break
		}
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

// within reports whether one of the spans holds a time.
func within(spans []Span, at time.Time) bool {
	n, _ := slices.BinarySearchFunc(spans, at, func(s Span, at time.Time) int { return s.To.Compare(at) })
	return n < len(spans) && spans[n].Holds(at)
}

// calm reports whether nothing disturbed the job in a span.
func (f *facts) calm(from, to time.Time) bool {
	n, _ := slices.BinarySearchFunc(f.busy, from, func(s Span, at time.Time) int { return s.To.Compare(at) })
	return n == len(f.busy) || f.busy[n].From.After(to)
}

// repaired returns the end of the first undisturbed span of a length at or after a time.
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

// absence returns the span around a time in which no enabled instance was registered, or false if
// one was.
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

// down reports whether no instance at all was registered at a time.
func (f *facts) down(at time.Time) bool {
	return !within(f.alive, at)
}

// disabled reports whether instances were registered at a time, but none on an enabled server.
func (f *facts) disabled(at time.Time) bool {
	_, absent := f.absence(at)
	return absent && !f.down(at)
}

// deserted returns when the job was served again after a time within a span without any process
// that had been an instance, even if the tree still listed dead ones. It returns false if there was
// always one, because a process keeps the newest fire time in memory until it can run it.
func (f *facts) deserted(s Span) (back time.Time, found bool) {
	for _, gap := range gaps(f.manned, f.h.Begin, f.h.End) {
		if !gap.To.Before(s.From) && !gap.From.After(s.To) {
			back, found = gap.To, true
		}
	}
	return back, found
}

// remembers reports whether a process that had been an instance of the job was alive from a time
// until another.
func (f *facts) remembers(at, until time.Time) bool {
	return slices.ContainsFunc(f.job.Lives, func(l *Life) bool {
		s := f.h.served(f.job, l)
		return f.h.Processes[l.Process] != nil && l.From.Before(at) && (s.To.IsZero() || s.To.After(until))
	})
}

// servedByNewcomer returns when a job was served again, after a fire time and before a limit, by a process
// that had not been an instance at that fire time. Such a process relies on the tree, even if
// another live process still remembers the fire time. It returns false if there was no gap, or if a
// process that remembers returned first.
func (f *facts) servedByNewcomer(at, limit time.Time) (back time.Time, found bool) {
	for _, gap := range gaps(f.served, f.h.Begin, f.h.End) {
		if gap.To.Before(at) || gap.From.After(limit) {
			continue
		}
		first := Span{gap.To.Add(-restartTime), gap.To.Add(restartTime)}
		for _, l := range f.job.Lives {
			if first.Holds(l.From) && !slices.ContainsFunc(f.job.Lives, func(past *Life) bool { return past.Process == l.Process && past.From.Before(at) }) {
				back, found = gap.To, true
			}
		}
	}
	return back, found
}

// sweepAfter is the minimum time before a leader removes a server without an instance.
const sweepAfter = 8 * time.Minute

// registered reports whether the server of a departed instance is registered at a time: until an
// instance on an enabled server leads and removes it.
func (f *facts) registered(life *Life, at time.Time) bool {
	return !life.To.IsZero() && life.To.Before(at) && !slices.ContainsFunc(f.served, func(s Span) bool {
		from, to := later(s.From, life.To), at
		if !s.To.IsZero() && s.To.Before(to) {
			to = s.To
		}
		return to.Sub(from) > sweepAfter
	})
}

// closed reports whether every server that could have run a fire time was disabled around it: the
// servers of instances, of processes that are cut off and may rejoin, and of departed processes. A
// server stays enabled while its process is restarted.
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

// owner returns the owner of a shard, or "" if there is none.
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

// moved returns when a shard was first assigned to another instance than its owner at a fire time,
// if that was before limit.
func (f *facts) moved(shard int, at, limit time.Time) (to time.Time, found bool) {
	owner := f.owner(shard, at)
	for _, o := range f.job.Owners[shard] {
		if o.From.After(at) && !o.From.After(limit) && o.Instance != owner {
			return o.From, true
		}
	}
	return to, false
}

// stretch is a time in which the settings promised a shard's fire times under one schedule. It has
// its own accounting.
type stretch struct {
	Span
	schedule *Schedule
}

// stretches returns the stretches of a shard, in order.
func (f *facts) stretches(shard int) []stretch {
	var list []stretch
	open, off, recorded := false, false, true
	var found time.Time // when an instance noticed the disabled marker without knowing since when
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
				found = later(found, f.repaired(s.From, 2*guard)) // Until then no instance owns the records.
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

// makesUp reports whether s promises to make up for fire times. It doesn't while the schedule is
// held, and the release begins a new accounting.
func (s Settings) makesUp() bool { return s.Schedule != nil && s.Monitor && s.Misfire && !s.Held }

// since returns when the accounting at a time began: at the last change of the schedule, misfire or
// monitorExecution. It returns false if fire times aren't made up for.
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

// enabled returns when a shard was last enabled before a time, or when it was created. It returns
// false if it was disabled.
func (f *facts) enabled(shard int, at time.Time) (time.Time, bool) {
	var from time.Time
	off := false
	for _, s := range f.job.Settings {
		if s.From.After(at) {
			break
		}
		if s.Unusable {
			continue // Invalid settings enable or disable nothing.
		}
		was := off
		if off = slices.Contains(s.Off, shard) || shard >= s.Items; was && !off && !f.down(s.From) {
			from = s.From // Without instances, nothing in the tree shows it later.
		}
	}
	return from, !off
}

// unseen reports whether the configuration was written in a span before the agents had surely seen
// the previous write. Then the last write counts as the edit.
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

// calmFor reports whether the job was undisturbed for some time within a span.
func (f *facts) calmFor(s Span, length time.Duration) bool {
	return !f.repaired(s.From, length).After(s.To)
}

// astray reports whether a clock was so wrong in a span that its process refused the job, or didn't
// even notice a fire time.
func (v *verdicts) astray(from, to time.Time) bool {
	return v.grants(Astray) && slices.ContainsFunc(v.h.Astray, func(s WrongClock) bool {
		return s.From.Before(to) && (s.To.IsZero() || s.To.Add(maxClockError).After(from))
	})
}

// shownEarly reports whether a clock that was too far ahead showed a fire time before it came. Its
// process may have settled that fire time, for example because the shard was disabled then.
func (v *verdicts) shownEarly(at time.Time) bool {
	return v.grants(Astray) && slices.ContainsFunc(v.h.Astray, func(s WrongClock) bool {
		return s.Ahead > 0 && s.From.Before(at) && s.Holds(at.Add(-s.Ahead))
	})
}
