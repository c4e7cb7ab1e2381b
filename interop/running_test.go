//go:build interop

package interop

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// neverFires is a schedule for jobs that only operators run.
const neverFires = "--cron=0 0 2 29 2 ? 2096"

// TestK30K31K32RunningMarkers compares what each kind says in the tree while it
// runs a shard: who runs it, in a node that outlives its session if others are
// to fail over, and nothing if runs are not monitored.
func TestK30K31K32RunningMarkers(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		for _, c := range []struct{ failover, monitored bool }{{true, true}, {false, true}, {false, false}} {
			t.Run("failover "+strconv.FormatBool(c.failover)+", monitored "+strconv.FormatBool(c.monitored), func(t *testing.T) {
				t.Parallel()
				f := newFleet(t, version, "--shards=4", "--body-ms=4000",
					"--failover="+strconv.FormatBool(c.failover), "--monitor-execution="+strconv.FormatBool(c.monitored))
				first, second := f.startLed(java)
				f.trigger()
				f.awaitStarts(time.Time{}, 4)
				for n, owner := range average(4, first, second) {
					mark := f.job.ItemRunning(n)
					switch exists := f.exists(t.Context(), mark); {
					case exists != c.monitored:
						t.Errorf("%s: present is %v", mark, exists)
					case exists:
						if got := f.get(t.Context(), mark); got != owner {
							t.Errorf("%s holds %q, want %q", mark, got, owner)
						}
						if persistent := f.stat(mark).EphemeralOwner == 0; persistent != c.failover {
							t.Errorf("%s: persistent is %v", mark, persistent)
						}
					}
				}
				f.eachOnce(time.Time{}, average(4, first, second))
				for n := range 4 {
					f.awaitAbsent(f.job.ItemRunning(n))
				}
			})
		}
	})
}

// TestK39MonitoringSwitchedOff removes all markers of running shards, of both
// kinds, when an operator switches monitoring off.
func TestK39MonitoringSwitchedOff(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		// With a schedule: Java repeats a one-off run that is going on while the
		// configuration changes.
		f := newFleet(t, version, neverFires, "--shards=2", "--body-ms=4000")
		java, goAgent := f.startLed(java)
		f.trigger()
		f.awaitStarts(time.Time{}, 2)
		f.awaitExists(f.job.ItemRunning(0), f.job.ItemRunning(1))
		f.configure(func(c *jobconfig.Config) { c.MonitorExecution = false })
		f.awaitAbsent(f.job.ItemRunning(0), f.job.ItemRunning(1))
		for _, r := range f.runsSince(time.Time{}) {
			if !r.end.IsZero() {
				t.Errorf("%v had ended before its marker went", r)
			}
		}
		f.eachOnce(time.Time{}, average(2, java, goAgent))
	})
}

// TestK40K41Triggers has both kinds take a trigger away at once, run for it
// once, and not at all if they are running already.
func TestK40K41Triggers(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, "--shards=2", "--body-ms=4000")
		java, goAgent := f.startLed(java)
		f.trigger()
		f.awaitStarts(time.Time{}, 2)
		for range 2 {
			f.triggerUnasked(java, goAgent)
			f.awaitAbsent(f.job.Trigger(java.id), f.job.Trigger(goAgent.id))
		}
		for _, r := range f.runsSince(time.Time{}) {
			if !r.end.IsZero() {
				t.Errorf("%v had ended before the second trigger was taken", r)
			}
		}
		f.eachOnce(time.Time{}, average(2, java, goAgent))
		f.nothingRuns(time.Now())
		f.runOnce(2, java, goAgent)
	})
}

// TestK50ClockDifference has both kinds find that the clocks differ by more
// than nothing, say so and run all the same.
func TestK50ClockDifference(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "leads", func(t *testing.T, s side) {
			f := newFleet(t, version)
			f.store("jobName: job\nmaxTimeDiffSeconds: 0\nmonitorExecution: true\nshardingTotalCount: 2\n")
			leader, follower := f.startLed(s)
			mayComplain(leader, follower)
			f.runOnce(2, leader, follower)
			clock := f.job.SystemTime()
			if stat := f.stat(clock); stat.EphemeralOwner != 0 || stat.DataLength != 0 {
				t.Errorf("%s: %+v, want a persistent node without data", clock, stat)
			}
		})
	})
}

// TestK51Misfire has each kind, beside the other, run longer than the schedule
// allows: no shard runs twice at a time, and what was missed is made up for once.
func TestK51Misfire(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, "--cron=0/3 * * * * ?", "--shards=4", "--body-ms=4000")
		first, second := f.startLed(java)
		const span = 26 * time.Second
		end := time.Now().Add(span)
		f.explainsMisfires(average(4, first, second), first)
		f.pass(end)
		f.configure(func(c *jobconfig.Config) { c.Cron = "0 0 2 1 1 ?" })
		f.await(patience, "everything to end", func() bool {
			return !slices.ContainsFunc(f.runs, func(r *run) bool { return r.end.IsZero() })
		})
		f.pass(time.Now().Add(moment))
		owners := average(4, first, second)
		byItem := make(map[int][]*run)
		for _, r := range f.runsSince(time.Time{}) {
			if owners[r.item] == r.agent.id { // Before the second one came the first owned everything.
				byItem[r.item] = append(byItem[r.item], r)
			}
		}
		for n := range 4 {
			runs := byItem[n]
			together := 0
			for k := 1; k < len(runs); k++ {
				if runs[k].start.Before(runs[k-1].end) {
					t.Errorf("%v began before the end of %v", runs[k], runs[k-1])
				}
				// A run that makes up for a missed one follows the one before it
				// on its heels; the others wait for a fire time.
				if runs[k].start.Sub(runs[k-1].end) < 500*time.Millisecond {
					together++
				}
			}
			if len(runs) < 3 || together == 0 {
				t.Errorf("shard %d of %s ran %d times in %v, %d of them to make up for others: %v", n, owners[n], len(runs), span, together, runs)
			}
			f.awaitAbsent(f.job.ItemRunning(n))
		}
	})
}

// TestK66Termination ends an agent of each kind while it works: the shard is
// done before the agent leaves the tree, its successor leads and runs all.
func TestK66Termination(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "goes", func(t *testing.T, s side) {
			f := newFleet(t, version, "--shards=2", "--body-ms=4000")
			goes, stays := f.startLed(s)
			f.trigger()
			f.awaitStarts(time.Time{}, 2)
			goes.terminate()
			ended := 0
			for _, r := range f.runsSince(time.Time{}) {
				if r.agent == goes && r.clean {
					ended++
				}
			}
			if ended != 1 {
				t.Errorf("%s ended %d shards, want its only one", goes.name, ended)
			}
			f.awaitDeparture(goes)
			f.awaitLeader(stays)
			f.await(patience, "the other's shard to end", func() bool { // A trigger during a run is dropped.
				return !slices.ContainsFunc(f.runs, func(r *run) bool { return r.end.IsZero() })
			})
			f.pass(time.Now().Add(500 * time.Millisecond)) // Java's scheduler fails on one while it forgets the last.
			f.runOnce(2, stays)
		})
	})
}
