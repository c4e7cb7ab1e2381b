//go:build interop

package interop

import (
	"context"
	"testing"
	"time"
)

// TestV40OneAddress has two Java processes and a Go agent serve a job from one
// address: they share its server node. Each shard runs once at each fire time, also
// when one of them dies or leaves, and what an operator does to the server counts for
// all of them. What ElasticJob 3.0.5 makes of two processes on one address in a job
// with SINGLE_SHARDING_BALANCE is TestV40TwoJavasOfOneAddress of coreagent: no
// published release knows that strategy.
func TestV40OneAddress(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		const items = 6
		f := newFleet(t, version, mortal, everyTwoSeconds, "--shards=6", "--misfire=false")
		one, two := f.startJava("java 1"), f.startJava("java 2")
		if one.ip() != two.ip() {
			t.Fatalf("the Java agents have the addresses %s and %s", one.ip(), two.ip())
		}
		goAgent := f.startGo("go", one.ip())
		f.awaitAssigned(items, one, two, goAgent)
		f.awaitLeader(one)
		f.quiet(3, period, items, one, two, goAgent)
		enabled := func() {
			t.Helper()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if data := f.get(ctx, f.job.Server(one.ip())); data != "ENABLED" {
				t.Errorf("the server's node holds %q", data)
			}
		}

		two.kill()
		f.awaitDeparture(two)
		f.awaitAssigned(items, one, goAgent)
		f.quiet(2, period, items, one, goAgent)
		enabled()
		one.terminate()
		f.awaitLeader(goAgent)
		f.awaitAssigned(items, goAgent)
		f.quiet(2, period, items, goAgent)
		enabled()

		one, two = f.startJava("java 1"), f.startJava("java 2")
		f.awaitAssigned(items, one, two, goAgent)
		order, name := f.operator(), f.job.Name()
		f.obeyed(order.DisableServer(t.Context(), name, one.ip()))
		f.awaitAbsent(f.job.LeaderInstance())
		f.pass(time.Now().Truncate(period).Add(period + period/4)) // What began before.
		from := time.Now()
		f.pass(from.Add(2 * period))
		for _, r := range f.runsSince(from) {
			t.Errorf("disabled, but %v", r)
		}
		f.obeyed(order.EnableServer(t.Context(), name, one.ip()))
		f.awaitAssigned(items, one, two, goAgent)
		f.quiet(3, period, items, one, two, goAgent)

		goAgent.terminate()
		f.awaitAssigned(items, one, two)
		f.quiet(2, period, items, one, two)
		enabled()
	})
}
