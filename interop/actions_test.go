//go:build interop

package interop

import (
	"testing"
	"time"
)

// TestK42OneOff has each kind, and the console, trigger a job that both serve:
// every shard runs once each time, on its owner.
func TestK42OneOff(t *testing.T) {
	withEveryJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, "--shards=5")
		java, goAgent := f.startJava("java"), f.startGo("go", lowAddress)
		total := 0
		for _, c := range []struct {
			name    string
			trigger func()
		}{
			{"java", func() { java.order("trigger", "TRIGGERED") }},
			{"go", func() { goAgent.order("trigger", "TRIGGERED") }},
			{"console", func() { f.obeyed(f.operator().Trigger(t.Context(), f.job.Name())) }},
			{"java again", func() { java.order("trigger", "TRIGGERED") }},
		} {
			f.pass(time.Now().Add(time.Second)) // A trigger is dropped while shards run: let the last ones end.
			from := time.Now()
			c.trigger()
			total += 5
			f.await(patience, "the shards to run for "+c.name, func() bool { return len(f.runs) >= total })
			f.pass(time.Now().Add(500 * time.Millisecond)) // For runs that should not be.
			owners := average(5, java, goAgent)
			seen := make(map[int]int)
			for _, r := range f.runsSince(from.Add(-time.Millisecond)) {
				seen[r.item]++
				if owners[r.item] != r.agent.id {
					t.Errorf("triggered by %s: %v: the owner is %s", c.name, r, owners[r.item])
				}
			}
			for n := range 5 {
				if seen[n] != 1 {
					t.Errorf("triggered by %s: shard %d ran %d times", c.name, n, seen[n])
				}
			}
			f.awaitAbsent(f.job.Trigger(java.id), f.job.Trigger(goAgent.id))
		}
	})
}

// TestK46K47Actions has the console's actions obeyed by Java and Go agents alike.
func TestK46K47Actions(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, everyTwoSeconds, "--shards=5", "--misfire=false")
		java, goAgent := f.startJava("java"), f.startGo("go", lowAddress)
		name, order := f.job.Name(), f.operator()
		f.awaitAssigned(5, java, goAgent)
		f.awaitLeader(java)

		f.obeyed(order.DisableServer(t.Context(), name, java.ip()))
		f.awaitLeader(goAgent)
		f.awaitAssigned(5, goAgent)
		f.quiet(2, period, 5, goAgent)
		f.obeyed(order.EnableServer(t.Context(), name, java.ip()))
		f.awaitAssigned(5, java, goAgent)
		f.obeyed(order.DisableServer(t.Context(), name, goAgent.ip()))
		f.awaitLeader(java)
		f.awaitAssigned(5, java)
		f.quiet(2, period, 5, java)
		f.obeyed(order.EnableServer(t.Context(), name, goAgent.ip()))
		f.awaitAssigned(5, java, goAgent)
		f.quiet(2, period, 5, java, goAgent)

		// Shard 0 is Java's, shard 3 Go's.
		disableItems(t, f, java, goAgent)

		// A change of the number of shards and of the schedule.
		editConfig(t, f, java, goAgent)

		f.obeyed(order.Disable(t.Context(), name))
		f.pass(time.Now().Add(time.Second))
		from := time.Now()
		f.pass(from.Add(4 * time.Second))
		if runs := f.runsSince(from); len(runs) > 0 {
			t.Errorf("the job is disabled, but %v", runs)
		}
		f.obeyed(order.Enable(t.Context(), name))
		f.awaitAssigned(7, java, goAgent)
		f.quiet(2, 3*time.Second, 7, java, goAgent)

		// Up to 3.0.3 an agent that was shut down stays attached to the tree and
		// trips over itself at the next change.
		java.mayComplain = version < "3.0.4"
		f.obeyed(order.ShutdownServer(t.Context(), name, java.ip()))
		f.awaitDeparture(java)
		f.awaitLeader(goAgent)
		f.awaitAssigned(7, goAgent)
		f.quiet(2, 3*time.Second, 7, goAgent)
		if f.exists(t.Context(), f.job.Instance(java.id)) {
			t.Error("the Java instance that was shut down is back")
		}
	})
}

// editConfig changes the number of shards and the schedule.
func editConfig(t *testing.T, f *fleet, java, goAgent *process) {
	t.Helper()
	order, name := f.operator(), f.job.Name()
	config, at, err := order.Config(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	config.Shards, config.Cron = 7, "0/3 * * * * ?"
	if _, err := order.SetConfig(t.Context(), name, config, at); err != nil {
		t.Fatal(err)
	}
	f.awaitAssigned(7, java, goAgent)
	f.quiet(2, 3*time.Second, 7, java, goAgent)
}

// disableItems: disabled shards, one of each agent, do not run.
func disableItems(t *testing.T, f *fleet, java, goAgent *process) {
	t.Helper()
	order, name := f.operator(), f.job.Name()
	for _, n := range []int{0, 3} {
		if err := order.DisableShard(t.Context(), name, n); err != nil {
			t.Fatal(err)
		}
	}
	from := time.Now().Truncate(period).Add(period)
	f.pass(from.Add(2*period - period/4))
	ran := 0
	for _, r := range f.runsSince(from.Add(-time.Millisecond)) {
		ran++
		if r.item == 0 || r.item == 3 {
			t.Errorf("disabled, but %v", r)
		}
	}
	if ran != 2*3 {
		t.Errorf("%d runs of the 3 other shards at 2 fire times", ran)
	}
	for _, n := range []int{0, 3} {
		if err := order.EnableShard(t.Context(), name, n); err != nil {
			t.Fatal(err)
		}
	}
	f.quiet(2, period, 5, java, goAgent)
}
