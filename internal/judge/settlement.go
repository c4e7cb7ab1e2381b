package judge

import (
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// shardRun is one run of a shard in its settlement.
type shardRun struct {
	made    *Run // nil for a marker without a handler call
	Process string
	Source  tracing.Source
	// At is the fire time, or the time of the trigger; for a failover, the ScheduledAt of its
	// handler. Zero if it's unknown.
	At    time.Time
	Fires bool // At is a fire time of the schedule
	// Trigger is when the run may have taken a trigger, if At is unknown; else zero.
	Trigger Span

	Begin time.Time // from then on nothing could stop the run
	End   time.Time // zero if the handler never returned
	Done  bool
	// Settled is when the end was recorded, or when the process could have recorded it. Zero if
	// never.
	Settled time.Time
	// Interrupted reports that the end was not recorded, so that others may fail the shard over.
	Interrupted bool
}

// fire is the fire time or trigger that a run counts for.
type fire struct {
	At      time.Time // zero if unknown
	Regular bool      // a fire time of the schedule, not the time of a trigger
	Of      int       // the run that a failover repeats, -1 if there is none
}

// firesOf returns the fire of each run of a shard. The runs are in the order of their beginnings.
func firesOf(runs []shardRun) []fire {
	list := make([]fire, len(runs))
	for i, r := range runs {
		list[i] = fire{r.At, r.Fires, -1}
		if r.Source != tracing.SourceFailover {
			continue
		}
		newest, trigger := -1, -1
		list[i] = fire{Of: -1}
		for k := i - 1; k >= 0 && list[i].Of < 0; k-- {
			if !runs[k].Interrupted {
				continue
			}
			newest = max(newest, k)
			if trigger < 0 && list[k].At.IsZero() && !r.Fires && runs[k].mayHaveTaken(r.At) {
				trigger = k
			}
			if list[k].At.Truncate(time.Millisecond).Equal(r.At.Truncate(time.Millisecond)) {
				list[i] = fire{list[k].At, list[k].Regular, k}
			}
		}
		if list[i].Of < 0 && trigger >= 0 { // Now we know which trigger that run had taken.
			list[trigger] = fire{r.At, false, -1}
			list[i] = fire{r.At, false, trigger}
		}
		if list[i].Of < 0 && newest >= 0 {
			list[i] = fire{list[newest].At, list[newest].Regular, newest}
			if known := !list[newest].At.IsZero(); known && r.Fires && r.At.After(list[newest].At) {
				list[i].At, list[i].Regular = r.At, true
			}
		}
	}
	return list
}

// mayHaveTaken reports whether a run may be for a trigger that was taken at a time.
func (r shardRun) mayHaveTaken(at time.Time) bool {
	return !r.Trigger.From.IsZero() && r.Trigger.Holds(at)
}

// origin returns the first interrupted run in a chain of failovers.
func origin(fires []fire, i int) int {
	for fires[i].Of >= 0 {
		i = fires[i].Of
	}
	return i
}

// The rule of I3:
//
//	A shard is settled once per fire time, whether the schedule, MISFIRE or FAILOVER runs it.
//	Once a run has settled a fire time, no run of the shard begins for it or an earlier one,
//	no matter which edits were made since.
//
// Definitions:
//
//   - A run is done if its handler returned before its context ended, with or without an error.
//     If it ended later, it may run again, because the agent has cancelled the handler.
//   - A run that is done settles its fire time for its own process at once, because a process
//     knows its own runs while it lives, even during an outage.
//   - For other processes it settles when the tree records its end, or when its process could
//     have recorded it (see shardRun.Settled). If a process dies or is cut off earlier, the fire
//     time stays open, and another instance runs it again.
//   - A run counts from shardRun.Begin. A run that began before the fire time was settled may go
//     on, because its process could not know.
//
// A FAILOVER counts for the fire time or trigger of the interrupted run, which it names. If no
// earlier run was interrupted for that, it counts for a marker without a handler call, if that may
// have been for a trigger taken at the named time. Otherwise the package takes the shard's newest
// earlier run with an unrecorded end, because older versions named the time of the takeover. If
// that run was a failover itself, its own interruption counts. If the failover names a later fire
// time than that run's, the named one counts: an instance marked the shard for it and called no
// handler, or returned its claim after the interrupted run was recorded.

// repeatedBy returns an earlier run that had settled the fire time of run i, or false. counts
// reports whether to consider an earlier run.
func repeatedBy(runs []shardRun, fires []fire, i int, counts func(k int) bool) (int, bool) {
	for k := range i {
		a, b := fires[k], fires[i]
		again := !a.At.Before(b.At)
		if !a.Regular {
			// Each instance runs its shards for a trigger on its own, so only a failover repeats a
			// run.
			again = b.Of >= 0 && origin(fires, k) == origin(fires, i)
		}
		if again && !a.At.IsZero() && !b.At.IsZero() && a.Regular == b.Regular && settles(runs[k], runs[i]) && counts(k) {
			return k, true
		}
	}
	return -1, false
}

// settles reports whether a run had settled its fire time when another one began.
func settles(a, b shardRun) bool {
	switch {
	case !a.Done:
		return false
	case a.Process == b.Process && !b.Begin.Before(a.End):
		return true
	}
	return !a.Settled.IsZero() && !b.Begin.Before(a.Settled)
}

// reachable returns the first time at or after a run's end by which its process could have recorded
// it, because it could write for some time without a pause. Zero if there is none. up are the times
// in which the process could write, in order.
func reachable(end time.Time, up []Span, takes time.Duration) time.Time {
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

// writable returns the times in which a process could write, because it was connected and its
// writes reached the server. An open span ends at end.
func writable(connected, cuts []Span, end time.Time) []Span {
	cuts = merged(cuts, end)
	var list []Span
	for _, s := range connected {
		to := s.To
		if to.IsZero() || to.After(end) {
			to = end
		}
		list = append(list, gaps(cuts, s.From, to)...)
	}
	return list
}
