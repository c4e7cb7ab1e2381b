//go:build interop

package interop

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestK33Failover kills an agent of each kind while it runs, with a survivor of
// the other kind that is idle or busy: the survivor runs what was interrupted,
// once, and nothing is left in the tree.
//
// Java triggers its job once for each shard that it takes (FailoverService, 3.0.x), and
// a run takes all of them that it finds. If one run has found two, nothing is left for
// the second trigger, and Java runs all its shards by it: of all shards then, as it is
// the only one left. Such a run is no failover.
func TestK33Failover(t *testing.T) {
	withEveryJava(t, func(t *testing.T, version string) {
		for _, victim := range []string{"java", "go"} {
			for survivor, items := range map[string]int{"idle": 1, "busy": 4} {
				t.Run(victim+" dies, survivor "+survivor, func(t *testing.T) {
					t.Parallel()
					f := newFleet(t, version, mortal, "--failover=true", "--body-ms=3000")
					shards := []string{"--shards=1"}
					if items > 1 {
						shards = []string{"--shards=4"}
					}
					address := lowAddress // The victim gets the first shards.
					if victim == "go" {
						address = highAddress
					}
					dies, lives := f.startJava("java", shards...), f.startGo("go", address, shards...)
					if victim == "go" {
						dies, lives = lives, dies
					}
					f.obeyed(f.operator().Trigger(t.Context(), f.job.Name()))
					f.await(patience, "the shards to run", func() bool { return len(f.runs) == items })
					dies.kill()
					f.awaitDeparture(dies)
					died := time.Now()
					interrupted := f.unfinishedOf(dies)
					f.await(patience, "the interrupted shards to be run again", func() bool { return f.finishedLocked(lives, interrupted) })

					paths := []string{f.job.Instance(dies.id)}
					for n := range items {
						paths = append(paths, f.job.ItemRunning(n), f.job.ItemFailover(n), f.job.ItemFailovering(n), f.job.FailoverItem(n))
					}
					f.awaitAbsent(paths...)
					f.pass(time.Now().Add(500 * time.Millisecond)) // For runs that should not be.
					seen := make(map[int]int)
					for _, r := range f.runsSince(died.Add(-time.Second)) {
						t.Logf("%v: %v after the death was known", r, r.start.Sub(died))
						if !lives.java || len(interrupted) == 1 || !strings.Contains(r.task, allShards) {
							seen[r.item]++
						}
					}
					for _, n := range interrupted {
						if seen[n] != 1 {
							t.Errorf("interrupted shard %d was run %d times afterwards", n, seen[n])
						}
					}

					// Life goes on: the next trigger assigns the shards to the survivor. Java
					// forgets one that comes while it runs.
					f.await(patience, "the survivor to be idle", func() bool { return f.idleLocked(lives) })
					from := time.Now()
					f.obeyed(f.operator().Trigger(t.Context(), f.job.Name()))
					f.await(patience, "all shards to run once more", func() bool { return len(f.runsSinceLocked(from)) == items })
				})
			}
		}
	})
}

// unfinishedOf lists the shards that a dead agent was running.
func (f *fleet) unfinishedOf(p *process) []int {
	f.mu.Lock()
	defer f.mu.Unlock()
	var items []int
	for _, r := range f.runs {
		if r.agent == p && r.end.IsZero() {
			items = append(items, r.item)
		}
	}
	if len(items) == 0 {
		f.t.Fatalf("%s was not running anything when it was killed", p.name)
	}
	return items
}

// finishedLocked reports whether an agent has finished runs of all the shards.
func (f *fleet) finishedLocked(p *process, items []int) bool {
	done := make(map[int]bool)
	for _, r := range f.runs {
		if r.agent == p && r.clean {
			done[r.item] = true
		}
	}
	for _, n := range items {
		if !done[n] {
			return false
		}
	}
	return true
}

// allShards is in the task ID of a run of all four shards.
const allShards = "@-@0,1,2,3@-@"

// idleLocked reports whether an agent runs nothing.
func (f *fleet) idleLocked(p *process) bool {
	return !slices.ContainsFunc(f.runs, func(r *run) bool { return r.agent == p && r.end.IsZero() })
}

// TestK36FailoverOfTaker kills the agent that runs a shard, and then the Java
// agent that has taken the shard over: the Go agent runs it, although 3.0.4
// leaves the markers of a dead taker in place.
func TestK36FailoverOfTaker(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, mortal, "--failover=true", "--shards=1", "--body-ms=3000")
		first := f.startGo("first", highAddress)
		last := f.startGo("last", lowAddress, "--session-ms=40000")
		taker := f.startJava("taker")
		f.obeyed(f.operator().Trigger(t.Context(), f.job.Name()))
		f.await(patience, "the shard to run", func() bool { return len(f.runs) == 1 })

		// Who has yet to look at the trigger would obey it afterwards, with the shard by then.
		f.awaitAbsent(f.job.Trigger(last.id), f.job.Trigger(taker.id))
		last.freeze() // So that Java takes the shard.
		first.kill()
		f.await(patience, "the taker to run the shard", func() bool { return len(f.runs) == 2 })
		taker.kill()
		last.resume()
		f.await(patience, "the last agent to run the shard", func() bool { return f.finishedLocked(last, []int{0}) })
		f.awaitAbsent(f.job.ItemRunning(0), f.job.ItemFailover(0), f.job.ItemFailovering(0), f.job.FailoverItem(0))
		if runs := f.runsSince(time.Time{}); len(runs) != 3 {
			t.Errorf("the shard ran %d times, want 3", len(runs))
		}
	})
}
