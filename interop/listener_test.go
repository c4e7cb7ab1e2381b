//go:build interop

package interop

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// heard counts what the listeners of agents have reported, and when.
func (f *fleet) heard(word string, agents ...*process) (times []time.Time, by []*process) {
	for _, p := range agents {
		for _, line := range f.linesOf(p, word) {
			_, at, _ := strings.Cut(line, "at=")
			millis, err := strconv.ParseInt(at, 10, 64)
			if err != nil {
				f.t.Errorf("%s reported %q", p.name, line)
			}
			times, by = append(times, time.UnixMilli(millis)), append(by, p)
		}
	}
	return times, by
}

// TestK53OncePerRun has a listener of each kind wait for the other's shards: one
// of the two is notified, once, before the first shard of anybody starts, and once
// after the last has ended.
func TestK53OncePerRun(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "leads", func(t *testing.T, s side) {
			f := newFleet(t, version, "--listener=ONCE", "--shards=3", "--body-ms=300")
			leader, follower := f.startLed(s)
			for round := range 4 {
				from := time.Now().Add(-time.Millisecond)
				f.runOnce(3, leader, follower)
				runs := f.runsSince(from)
				f.awaitAbsent(f.job.GuaranteeStarted(), f.job.GuaranteeCompleted())
				started, _ := f.heard("ALLSTARTED", leader, follower)
				completed, by := f.heard("ALLCOMPLETED", leader, follower)
				if len(started) != round+1 || len(completed) != round+1 {
					t.Fatalf("round %d: all started %d times, completed %d times", round+1, len(started), len(completed))
				}
				t.Logf("round %d: the last one was %s", round+1, by[len(by)-1].name)
				first, last := earliestSince(started, from), earliestSince(completed, from)
				for _, r := range runs {
					if r.start.Before(first) || r.end.After(last) {
						t.Errorf("%v, but all started at %v and completed at %v", r, first, last)
					}
				}
			}
		})
	})
}

func earliestSince(times []time.Time, from time.Time) time.Time {
	var earliest time.Time
	for _, at := range times {
		if at.After(from) && (earliest.IsZero() || at.Before(earliest)) {
			earliest = at
		}
	}
	return earliest
}

// TestK54AbsentItems has nobody come for some shards, which are disabled: both
// kinds wait for their time, say so, clear up and run what is left.
func TestK54AbsentItems(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "waits", func(t *testing.T, s side) {
			f := newFleet(t, version, "--listener=ONCE", "--shards=2")
			waits, absent := f.startLed(s)
			mayComplain(waits, absent)
			f.runOnce(2, waits, absent)
			missing, kept := 0, 1
			if average(2, waits, absent)[0] == waits.id {
				missing, kept = 1, 0
			}
			if err := f.operator().DisableShard(t.Context(), f.job.Name(), missing); err != nil {
				t.Fatal(err)
			}
			from := time.Now()
			f.trigger()
			f.awaitExists(f.job.GuaranteeStartedItem(kept))
			f.awaitStarts(from, 1)
			f.awaitAbsent(f.job.GuaranteeStarted())
			r := f.runsSince(from)[0]
			if waited := r.start.Sub(from); r.item != kept || r.agent != waits || waited < 4500*time.Millisecond {
				t.Errorf("%v started after %v, want shard %d after 5s", r, waited, kept)
			}
			const want = "Job timeout. timeout mills is 5000."
			if !strings.Contains(waits.log.String(), want) {
				t.Errorf("%s does not say %s", waits.name, want)
			}
		})
	})
}
