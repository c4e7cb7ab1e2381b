// Package settlement counts how often a shard was run for each fire time. The judges of
// simulated fleets and of chaos campaigns share its rule.
//
//	A shard is settled once per fire time, whichever source runs it: the schedule,
//	MISFIRE or FAILOVER. Once a run has settled a fire time, no run of the shard
//	begins for it or for an earlier one, whatever was edited since.
//
// The words:
//
//   - A run is done if its handler returned before its context ended, with an error or
//     without one. What ended later may run again, because the agent has cancelled
//     the handler.
//   - A run that is done settles its fire time for its own process at once: the process
//     knows what it did for as long as it lives, outage or not.
//   - For everybody else it does so when the tree records its end, or when its process
//     could have recorded it (see [Run.Settled]). A process that dies or is cut off
//     before that leaves the fire time open, and another instance runs it again.
//   - A run counts from [Run.Begin]. A run that began before the fire time was settled
//     may go on, as nobody could tell it.
//
// A FAILOVER stands for the fire time, or the trigger, of the run that was interrupted. It
// names it. If no run before it was interrupted for that, the package takes the newest run of
// the shard before it whose end was not recorded; older versions named the moment of the
// takeover. If that one was a failover itself, its own interruption counts. If the failover
// names a later fire time than that run's, the named one counts: an instance marked the shard
// for it and called no handler, or gave its claim back after the interrupted run was recorded.
package settlement

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Run is one run of a shard, as the history of a judge has it.
type Run struct {
	Process string
	Source  tracing.Source
	// At is the fire time, or the moment of the trigger; for a failover, the ScheduledAt that
	// its handler gets. Zero if we don't know what the run stands for.
	At    time.Time
	Fires bool // At is a fire time of the schedule

	Begin time.Time // nothing could keep the run from going on from then on
	End   time.Time // zero if the handler never returned
	Done  bool
	// Settled is when the end was recorded, or when the process could have recorded it.
	// Zero: never.
	Settled time.Time
	// Interrupted reports that the end was not recorded, so that others may fail the shard
	// over.
	Interrupted bool
}

// Fire is what a run stands for.
type Fire struct {
	At      time.Time // zero: unknown
	Regular bool      // a fire time of the schedule, and not the moment of a trigger
	Of      int       // the run that a failover stands for, -1 if there is none
}

// Fires returns what each of the runs of a shard stands for. The runs are in the order of
// their beginnings.
func Fires(runs []Run) []Fire {
	list := make([]Fire, len(runs))
	for i, r := range runs {
		list[i] = Fire{r.At, r.Fires, -1}
		if r.Source != tracing.SourceFailover {
			continue
		}
		newest := -1
		list[i] = Fire{Of: -1}
		for k := i - 1; k >= 0 && list[i].Of < 0; k-- {
			if !runs[k].Interrupted {
				continue
			}
			newest = max(newest, k)
			if list[k].At.Truncate(time.Millisecond).Equal(r.At.Truncate(time.Millisecond)) {
				list[i] = Fire{list[k].At, list[k].Regular, k}
			}
		}
		if list[i].Of < 0 && newest >= 0 {
			list[i] = Fire{list[newest].At, list[newest].Regular, newest}
			if known := !list[newest].At.IsZero(); known && r.Fires && r.At.After(list[newest].At) {
				list[i].At, list[i].Regular = r.At, true
			}
		}
	}
	return list
}

// origin returns the run that was interrupted first of those that a failover goes back to.
func origin(fires []Fire, i int) int {
	for fires[i].Of >= 0 {
		i = fires[i].Of
	}
	return i
}

// Repeated returns an earlier run that had settled the fire time for which run i was made;
// false if there is none. counts reports whether the judge takes an earlier run into account.
func Repeated(runs []Run, fires []Fire, i int, counts func(k int) bool) (int, bool) {
	for k := range i {
		if !counts(k) || !settles(runs[k], runs[i]) {
			continue
		}
		a, b := fires[k], fires[i]
		switch {
		case a.At.IsZero(), b.At.IsZero(), a.Regular != b.Regular:
		case !a.Regular:
			// Each instance runs its shards for a trigger on its own, so only a failover
			// repeats a run.
			if b.Of >= 0 && origin(fires, k) == origin(fires, i) {
				return k, true
			}
		case !a.At.Before(b.At):
			return k, true
		}
	}
	return -1, false
}

// settles reports whether a run had settled its fire time when another one began.
func settles(a, b Run) bool {
	switch {
	case !a.Done:
		return false
	case a.Process == b.Process && !b.Begin.Before(a.End):
		return true
	}
	return !a.Settled.IsZero() && !b.Begin.Before(a.Settled)
}

// Reachable returns the first moment at or after a run's end by which its process could
// have recorded the end: it had been able to write for some time without a pause. Zero if
// there is none. up are the times in which the process could write, in order.
func Reachable(end time.Time, up []Span, takes time.Duration) time.Time {
	for _, s := range up {
		from := s.From
		if from.Before(end) {
			from = end
		}
		if s.To.Sub(from) >= takes {
			return from.Add(takes)
		}
	}
	return time.Time{}
}

// Writable returns the times in which a process could write: it was connected, and nothing
// kept what it wrote from the server. What is open ends at end.
func Writable(connected, cuts []Span, end time.Time) []Span {
	cuts = slices.Clone(cuts)
	slices.SortFunc(cuts, func(a, b Span) int { return a.From.Compare(b.From) })
	var list []Span
	for _, s := range connected {
		to := s.until(end)
		for _, c := range cuts {
			if !c.until(end).After(s.From) || !c.From.Before(to) {
				continue
			}
			if c.From.After(s.From) {
				list = append(list, Span{s.From, c.From})
			}
			s.From = c.until(end)
		}
		if s.From.Before(to) {
			list = append(list, Span{s.From, to})
		}
	}
	return list
}

func (s Span) until(end time.Time) time.Time {
	if s.To.IsZero() || s.To.After(end) {
		return end
	}
	return s.To
}

// Span is a stretch of time, open to the right while To is zero.
type Span struct{ From, To time.Time }
