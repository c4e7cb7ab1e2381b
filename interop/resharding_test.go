//go:build interop

package interop

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/javaagent"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// awaitOwners waits until the shards are assigned in a certain way.
func (f *fleet) awaitOwners(want map[int]string) {
	f.t.Helper()
	f.until(patience, func(ctx context.Context) error {
		got := f.owners(ctx, len(want))
		if !maps.Equal(got, want) {
			return fmt.Errorf("shards are assigned as %v, want %v", got, want)
		}
		return nil
	})
}

// awaitAnnounced waits until the leader has announced a resharding. A Java
// leader leaves it at that until the next trigger; ours reshards at once.
func (f *fleet) awaitAnnounced(leader *process) {
	f.t.Helper()
	if leader.java {
		f.awaitExists(f.job.Necessary())
	}
}

func (f *fleet) owners(ctx context.Context, items int) map[int]string {
	owners := make(map[int]string, items)
	for n := range items {
		owners[n] = f.get(ctx, f.job.ItemInstance(n))
	}
	return owners
}

// TestK19K20K21K22Strategies has each kind assign shards by each strategy to
// the same four agents: what comes out is worked out here once more, for a job
// name with an even hash that rotates by 2 and one with an odd hash that
// rotates by 3.
func TestK19K20K21K22Strategies(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		for name, c := range map[string]struct {
			reversed bool // by ODEVITY
			rotation int  // by ROUND_ROBIN
		}{"2": {true, 2}, "javaSimpleJob": {false, 3}} {
			bothWays(t, "reshards "+name, func(t *testing.T, s side) {
				f := newFleetAt(t, version, place{job: name}, "--shards=2")
				leader, follower := f.startLed(s)
				agents := []*process{leader, follower, f.startGo("go 10", "10.0.0.10"), f.startGo("go 1", "10.0.0.1")}
				items := 2
				for _, strategy := range []string{"", "ODEVITY", "ROUND_ROBIN", "AVG_ALLOCATION"} {
					for _, step := range []int{1, 4, 3} { // Another number makes the leader reshard.
						items = (items+step)%9 + 2
						f.configure(func(c *jobconfig.Config) { c.Shards, c.StrategyType = items, strategy })
						f.awaitAnnounced(leader)
						order := ranked(agents)
						switch strategy {
						case "ODEVITY":
							if c.reversed {
								slices.Reverse(order)
							}
						case "ROUND_ROBIN":
							order = append(slices.Clone(order[c.rotation:]), order[:c.rotation]...)
						}
						owners := allocate(items, order)
						if !leader.java { // Whoever is about to get a shard does not run it yet.
							f.awaitOwners(owners)
						}
						from := time.Now()
						f.trigger()
						f.awaitOwners(owners)
						if leader.java {
							from = f.assignedByJava(from, leader, owners)
						}
						f.eachOnce(from, owners)
					}
				}
			})
		}
	})
}

// assignedByJava checks a run for which a Java leader had to reshard first, but for
// what the leader itself runs in it, and asks for another. A Java agent reads what
// is its own from a cache that watches keep: right after it has resharded, that
// may still hold owners of before, and on a busy machine the leader now and then
// runs shards that it has just assigned to others, and leaves out some of its own. It
// returns when the other run was ordered, in which nobody may.
func (f *fleet) assignedByJava(from time.Time, leader *process, owners map[int]string) time.Time {
	f.t.Helper()
	byOthers := func() map[int]int {
		seen := make(map[int]int)
		for _, r := range f.runsSinceLocked(from) {
			if r.agent != leader && owners[r.item] == r.agent.id {
				seen[r.item]++
			}
		}
		return seen
	}
	want := make(map[int]int)
	for n, id := range owners {
		if id != leader.id {
			want[n] = 1
		}
	}
	f.await(patience, "the others' shards to run", func() bool { return len(byOthers()) == len(want) })
	f.pass(time.Now().Add(moment)) // For runs that should not be.
	for _, r := range f.runsSince(from) {
		if r.agent != leader && owners[r.item] != r.agent.id {
			f.t.Errorf("%v: the owner is %s", r, owners[r.item])
		}
	}
	if f.read(func() bool { return !maps.Equal(byOthers(), want) }) {
		f.t.Errorf("of the others' shards ran %v, want each of %v once", f.runsSince(from), want)
	}
	for n := range owners {
		f.awaitAbsent(f.job.ItemRunning(n)) // Until then an agent drops the next order.
	}
	from = time.Now()
	f.trigger()
	return from
}

// TestK23MinimumHash has a job whose name has the smallest hash there is assigned by rotation, which Java itself cannot do.
func TestK23MinimumHash(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleetAt(t, version, place{job: "polygenelubricants"}, "--shards=3", "--strategy=ROUND_ROBIN")
		goAgent := f.start(golang)
		f.awaitLeader(goAgent)
		java, other := f.start(java), f.startGo("other", highAddress)
		f.until(patience, func(ctx context.Context) error {
			owners := f.owners(ctx, 3)
			seen := make(map[string]bool)
			for _, id := range owners {
				seen[id] = true
			}
			if !seen[goAgent.id] || !seen[java.id] || !seen[other.id] || f.exists(ctx, f.job.Necessary()) {
				return fmt.Errorf("shards are assigned as %v, want each agent to own one", owners)
			}
			return nil
		})
		from := time.Now()
		f.trigger() // Not while shards are about to move: who has none then runs nothing.
		f.awaitRuns(from, 3)
	})
}

// TestK24UnknownStrategy has leaders of both kinds fail at a strategy nobody
// knows, say so, stay up and go on when somebody repairs it.
func TestK24UnknownStrategy(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "leads", func(t *testing.T, s side) {
			f := newFleet(t, version, "--shards=2")
			leader, follower := f.startLed(s)
			mayComplain(leader, follower)
			f.put(f.job.Config(), "jobName: job\njobShardingStrategyType: X\nmonitorExecution: true\nshardingTotalCount: 3\n")
			f.awaitAnnounced(leader)
			from := time.Now()
			f.triggerOnly(leader)
			f.awaitAbsent(f.job.Trigger(leader.id))
			f.nothingRuns(from)
			f.until(patience, func(context.Context) error {
				want := javaagent.ReleaseOf("3.0.4").UnknownStrategy // as ours says it
				if leader.java {
					want = javaagent.ReleaseOf(version).UnknownStrategy
				}
				if !strings.Contains(leader.log.String(), want) {
					return fmt.Errorf("%s does not say %s", leader.name, want)
				}
				return nil
			})
			f.put(f.job.Config(), "jobName: job\nmonitorExecution: true\nshardingTotalCount: 3\n")
			if !leader.java {
				f.awaitAssigned(3, leader, follower)
			}
			from = time.Now()
			f.trigger()
			f.awaitRuns(from, 3)
			f.awaitAssigned(3, leader, follower)
		})
	})
}

// TestK09K25FirstTrigger has each kind assign shards for the first time: shards
// first, then all owners and the end of the announcement in one transaction.
func TestK09K25FirstTrigger(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "leads", func(t *testing.T, s side) {
			f := newFleet(t, version, "--shards=3")
			leader, follower := f.startLed(s)
			f.awaitAnnounced(leader)
			if leader.java && f.exists(t.Context(), f.job.Sharding()) {
				t.Error("there are shards before the first trigger")
			}
			f.runOnce(3, leader, follower)
			var assigned int64
			for n := range 3 {
				assigned = max(assigned, f.stat(f.job.ItemInstance(n)).Czxid)
			}
			for n, id := range average(3, leader, follower) {
				owner, item := f.stat(f.job.ItemInstance(n)).Czxid, f.stat(f.job.Item(n)).Czxid
				// Ours had assigned them to itself before, and leaves what stays.
				if stays := !leader.java && id == leader.id; !stays && (owner != assigned || item >= assigned) {
					t.Errorf("shard %d was made by transaction %x and its owner by %x; the last owner by %x", n, item, owner, assigned)
				}
			}
			if changed := f.stat(f.job.Leader() + "/sharding").Pzxid; changed != assigned {
				t.Errorf("the announcement ended with transaction %x, the owners came with %x", changed, assigned)
			}
		})
	})
}

// TestK26K27ItemCount has each kind follow a change of the number of shards.
func TestK26K27ItemCount(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "leads", func(t *testing.T, s side) {
			f := newFleet(t, version, "--shards=3")
			leader, follower := f.startLed(s)
			f.runOnce(3, leader, follower)
			for _, items := range []int{1, 3, 2, 5} {
				f.configure(func(c *jobconfig.Config) { c.Shards = items })
				f.awaitAnnounced(leader)
				f.runOnce(items, leader, follower)
				f.awaitAssigned(items, leader, follower)
				names, _, err := f.client.Children(t.Context(), f.job.Sharding())
				if err != nil || len(names) != items {
					t.Errorf("the tree has the shards %q (%v), want %d", names, err, items)
				}
			}
		})
	})
}

// TestK28FollowerWaits has a follower that is triggered while a resharding is
// announced wait for its leader, which is frozen.
func TestK28FollowerWaits(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "leads", func(t *testing.T, s side) {
			f := newFleet(t, version, "--shards=2", "--session-ms=40000")
			leader, follower := f.startLed(s)
			f.runOnce(2, leader, follower)
			if leader.java { // Ours would reshard at once.
				f.configure(func(c *jobconfig.Config) { c.Shards = 4 })
				f.awaitAnnounced(leader)
				leader.freeze()
			} else {
				leader.freeze()
				f.put(f.job.Necessary(), "")
				f.configure(func(c *jobconfig.Config) { c.Shards = 4 })
			}
			from := time.Now()
			f.trigger()
			f.awaitAbsent(f.job.Trigger(follower.id))
			f.nothingRuns(from)
			leader.resume()
			f.eachOnce(from, average(4, leader, follower))
		})
	})
}

// TestK29LeaderWaitsForRunningItems has a leader reshard only when nothing
// runs any more, if runs are monitored, and at once otherwise.
func TestK29LeaderWaitsForRunningItems(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		for _, monitored := range []bool{true, false} {
			bothWays(t, "leads, monitored "+strconv.FormatBool(monitored), func(t *testing.T, s side) {
				f := newFleet(t, version, "--shards=2", "--body-ms=2500", "--monitor-execution="+strconv.FormatBool(monitored))
				leader, follower := f.startLed(s)
				f.runOnce(2, leader, follower)
				from := time.Now()
				f.triggerOnly(follower)
				f.awaitStarts(from, 1)
				f.configure(func(c *jobconfig.Config) { c.Shards = 3 })
				f.awaitAnnounced(leader)
				f.triggerOnly(leader)
				f.await(patience, "the leader to run", func() bool {
					return slices.ContainsFunc(f.runsSinceLocked(from), func(r *run) bool { return r.agent == leader })
				})
				var running, led *run
				for _, r := range f.runsSince(from) {
					switch r.agent {
					case follower:
						running = r
					case leader:
						led = r
					}
				}
				waited := !running.end.IsZero() && !led.start.Before(running.end)
				if waited != monitored {
					t.Errorf("the leader ran at %v, the follower's run ended at %v, monitored %v", led.start, running.end, monitored)
				}
			})
		}
	})
}

// TestK43K44K45ForeignInstances has nobody assign shards to instances whose node
// says nothing or TRIGGER, or whose server is not enabled.
func TestK43K44K45ForeignInstances(t *testing.T) {
	const foreign, ip = "10.0.0.9@-@7", "10.0.0.9"
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "leads", func(t *testing.T, s side) {
			f := newFleet(t, version, "--shards=3")
			leader, follower := f.startLed(s)
			f.runOnce(3, leader, follower)
			items := 3
			reshard := func(ids ...string) {
				t.Helper()
				items++
				f.configure(func(c *jobconfig.Config) { c.Shards = items })
				f.awaitAnnounced(leader)
				owners := allocate(items, slices.SortedFunc(slices.Values(append(ids, leader.id, follower.id)), descending))
				from := time.Now()
				f.triggerUnasked(leader, follower)
				f.awaitOwners(owners)
				mine := 0
				for _, id := range owners {
					if id != foreign {
						mine++
					}
				}
				f.awaitRuns(from, mine)
				f.pass(time.Now().Add(moment))
				if runs := f.runsSince(from); len(runs) != mine {
					t.Errorf("%d shards ran, want %d: %v", len(runs), mine, runs)
				}
			}
			f.put(f.job.Server(ip), "")
			f.plant(f.job.Instance(foreign), instanceData(foreign, ip), zk.Ephemeral)
			reshard()
			f.put(f.job.Server(ip), "ENABLED")
			reshard(foreign)
			f.put(f.job.Instance(foreign), "")
			reshard()
			if s == golang { // Java takes the word for the id of somebody.
				f.put(f.job.Instance(foreign), "TRIGGER")
				reshard()
			}
			f.remove(f.job.Instance(foreign))
			reshard()

			if s == golang { // Its own node is not where ours looks for triggers.
				from := time.Now()
				f.put(f.job.Instance(leader.id), "TRIGGER")
				f.nothingRuns(from)
				if got := f.get(t.Context(), f.job.Instance(leader.id)); got != "TRIGGER" {
					t.Errorf("the instance's node became %q", got)
				}
			}
		})
	})
}

// triggerUnasked triggers a run without asking who is there.
func (f *fleet) triggerUnasked(agents ...*process) {
	f.t.Helper()
	for _, p := range agents {
		f.put(f.job.Trigger(p.id), "")
	}
}

// TestK67Reconciler has each kind find a shard that belongs to nobody alive,
// although nothing has happened.
func TestK67Reconciler(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "leads", func(t *testing.T, s side) {
			f := newFleet(t, version, "--shards=2", "--reconcile-minutes=1")
			leader, follower := f.startLed(s)
			f.runOnce(2, leader, follower)
			f.awaitAbsent(f.job.Necessary())
			const dead = "10.0.0.9@-@7"
			f.put(f.job.ItemInstance(0), dead)
			f.until(3*time.Minute, func(ctx context.Context) error {
				// Ours does not leave it at the announcement.
				if owner := f.get(ctx, f.job.ItemInstance(0)); leader.java && !f.exists(ctx, f.job.Necessary()) || !leader.java && owner == dead {
					return fmt.Errorf("no resharding is announced; the owner of shard 0 is %s", owner)
				}
				return nil
			})
			f.runOnce(2, leader, follower)
		})
	})
}

// TestK68StaticSharding has shards stay where they are when agents come, and
// move when their number changes.
func TestK68StaticSharding(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "leads", func(t *testing.T, s side) {
			f := newFleet(t, version, "--shards=3", "--static-sharding=true")
			leader := f.start(s)
			f.awaitLeader(leader)
			f.runOnce(3, leader)
			follower := f.start(s.other())
			f.pass(time.Now().Add(moment))
			f.awaitAbsent(f.job.Necessary())
			f.runOnce(3, leader)
			f.configure(func(c *jobconfig.Config) { c.Shards = 4 })
			f.awaitAnnounced(leader)
			f.runOnce(4, leader, follower)
		})
	})
}
