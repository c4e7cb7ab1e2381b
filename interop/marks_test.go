//go:build interop

package interop

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestK34IdleDeath has an agent die that runs nothing: nobody takes anything
// over, and the shards are assigned anew.
func TestK34IdleDeath(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "dies", func(t *testing.T, s side) {
			f := newFleet(t, version, mortal, "--failover=true", "--shards=2")
			dies, lives := f.startLed(s)
			f.runOnce(2, dies, lives)
			dies.kill()
			f.awaitDeparture(dies)
			died := time.Now()
			f.awaitLeader(lives)
			f.nothingRuns(died)
			f.awaitAbsent(f.job.FailoverItem(0), f.job.FailoverItem(1), f.job.ItemFailover(0), f.job.ItemFailover(1))
			f.runOnce(2, lives)
		})
	})
}

// TestK35DisabledDeath has an agent die while it runs shards on a server that
// an operator has disabled: nobody takes them over. What is left of them holds
// a Java leader up for ever; ours clears it.
func TestK35DisabledDeath(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "dies", func(t *testing.T, s side) {
			f := newFleet(t, version, mortal, "--failover=true", "--shards=2", "--body-ms=4000")
			dies, lives := f.startLed(s)
			f.trigger()
			f.awaitStarts(time.Time{}, 2)
			f.obeyed(f.operator().DisableServer(t.Context(), f.job.Name(), dies.ip()))
			dies.kill()
			f.awaitDeparture(dies)
			died := time.Now()
			f.nothingRuns(died)
			f.awaitAbsent(f.job.FailoverItem(0), f.job.FailoverItem(1), f.job.ItemFailover(0), f.job.ItemFailover(1))
			if !lives.java {
				f.runOnce(2, lives)
			}
		})
	})
}

// TestK37TotalLoss kills both agents while they run shards; the first one to
// rejoin, of either kind, runs them all.
func TestK37TotalLoss(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "rejoins", func(t *testing.T, s side) {
			f := newFleet(t, version, mortal, "--failover=true", "--shards=4", "--body-ms=3000")
			back, other := f.startLed(s)
			f.trigger()
			f.awaitStarts(time.Time{}, 4)
			back.kill()
			other.kill()
			f.awaitDeparture(back)
			f.awaitDeparture(other)
			died := time.Now()
			back = f.start(s)
			runs := f.awaitRuns(died, 4)
			seen := make(map[int]int)
			for _, r := range runs {
				seen[r.item]++
			}
			for n := range 4 {
				if seen[n] != 1 {
					t.Errorf("shard %d ran %d times afterwards", n, seen[n])
				}
				f.awaitAbsent(f.job.ItemRunning(n), f.job.ItemFailover(n), f.job.ItemFailovering(n), f.job.FailoverItem(n))
			}
			f.nothingRuns(time.Now())
			f.runOnce(4, back)
		})
	})
}

// TestK38FailoverSwitchedOff has an operator switch failover off while an
// agent of either kind runs what failed over to it: the claim goes.
func TestK38FailoverSwitchedOff(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "dies", func(t *testing.T, s side) {
			f := newFleet(t, version, mortal, "--failover=true", "--shards=1", "--body-ms=5000")
			var dies, lives *process
			if s == java {
				dies, lives = f.startLed(java)
			} else {
				dies, lives = f.startGo("go", highAddress), f.start(java)
			}
			f.trigger()
			f.awaitStarts(time.Time{}, 1)
			dies.kill()
			f.awaitStarts(time.Time{}, 2)
			f.awaitData(f.job.ItemFailover(0), lives.id)
			f.configure(func(c *jobconfig.Config) { c.Failover = false })
			f.awaitAbsent(f.job.ItemFailover(0))
			for _, r := range f.runsSince(time.Time{}) {
				if r.agent == lives && !r.end.IsZero() {
					t.Errorf("%v had ended before the claim went", r)
				}
			}
		})
	})
}

// TestK48FrozenAgent stops an agent of either kind for longer than its session
// lasts, as a long pause does: the other leads and runs everything, and when
// the frozen one wakes up both share the work again.
func TestK48FrozenAgent(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "freezes", func(t *testing.T, s side) {
			// Without misfire: Java makes up for what it slept through.
			f := newFleet(t, version, mortal, everyTwoSeconds, "--shards=4", "--misfire=false")
			frozen, other := f.startLed(s)
			f.awaitAssigned(4, frozen, other)
			mayComplain(frozen)
			frozen.freeze()
			f.awaitDeparture(frozen)
			f.awaitLeader(other)
			f.awaitAssigned(4, other)
			f.quiet(2, period, 4, other)
			from := time.Now()
			frozen.resume()
			f.awaitAssigned(4, frozen, other)
			f.awaitLeader(other)
			f.awaitBack(from, 4, frozen, other)
			f.quiet(3, period, 4, frozen, other)
		})
	})
}

// awaitConnected waits until the test itself is connected again.
func (f *fleet) awaitConnected() {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), patience)
	defer cancel()
	if err := f.client.AwaitConnected(ctx); err != nil {
		f.t.Fatal(err)
	}
}

// awaitBack waits until every agent has run something since a moment, and until
// the middle of the next period but one with the shards assigned. What the tree
// says is not enough: it has the nodes of an agent that has yet to find its way
// back to the server, and Java's may take seconds for it.
func (f *fleet) awaitBack(from time.Time, items int, agents ...*process) {
	f.t.Helper()
	for _, p := range agents {
		f.await(patience, p.name+" to run again", func() bool {
			return slices.ContainsFunc(f.runsSinceLocked(from), func(r *run) bool { return r.agent == p && !r.end.IsZero() })
		})
	}
	f.awaitAssigned(items, agents...)
	f.pass(time.Now().Truncate(period).Add(5 * period / 2))
}

// TestK48FrozenServer stops ZooKeeper for most of the sessions' length: nobody
// loses anything, both kinds go on.
func TestK48FrozenServer(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		z := zktest.StartZooKeeper(t)
		f := newFleetAt(t, version, place{addr: z.Addr()}, everyTwoSeconds, "--shards=4", "--misfire=false", "--session-ms=9000")
		java, goAgent := f.startLed(java)
		mayComplain(java, goAgent)
		f.awaitAssigned(4, java, goAgent)
		f.quiet(2, period, 4, java, goAgent)
		z.Pause()
		f.pass(time.Now().Add(7 * time.Second)) // Two thirds are six.
		from := time.Now()
		z.Resume()
		f.awaitConnected()
		f.until(patience, func(ctx context.Context) error {
			for _, p := range []*process{java, goAgent} {
				if got := f.get(ctx, f.job.Instance(p.id)); got != instanceData(p.id, p.ip()) {
					return fmt.Errorf("%s: %q", p.name, got)
				}
				if got := f.get(ctx, f.job.Server(p.ip())); got != "ENABLED" {
					return fmt.Errorf("%s: the server is %q", p.name, got)
				}
			}
			return nil
		})
		f.awaitBack(from, 4, java, goAgent)
		f.quiet(3, period, 4, java, goAgent)
	})
}

// TestK48RestartedServer restarts ZooKeeper under a running fleet.
func TestK48RestartedServer(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		z := zktest.StartZooKeeper(t)
		f := newFleetAt(t, version, place{addr: z.Addr()}, everyTwoSeconds, "--shards=4", "--misfire=false", "--session-ms=9000")
		java, goAgent := f.startLed(golang)
		mayComplain(java, goAgent)
		f.awaitAssigned(4, java, goAgent)
		z.Kill()
		from := time.Now()
		z.Restart(t)
		f.awaitConnected()
		f.awaitBack(from, 4, java, goAgent)
		f.quiet(3, period, 4, java, goAgent)
	})
}
