//go:build interop

package interop

import (
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// TestK70RollingRestarts restarts the agents of a mixed fleet one after the
// other, now in an orderly way and now by kill -9, and has every shard run
// exactly once at each fire time between. INTEROP_ROLLING says for how long;
// the default is five minutes.
func TestK70RollingRestarts(t *testing.T) {
	// Most of that is waiting for fire times. It begins with the very first tests,
	// so that nobody waits for its end: subtests that are parallel would begin
	// with the last ones.
	t.Parallel()
	span := 5 * time.Minute
	if text := os.Getenv("INTEROP_ROLLING"); text != "" {
		var err error
		if span, err = time.ParseDuration(text); err != nil {
			t.Fatalf("INTEROP_ROLLING: %v", err)
		}
	}
	const items = 8
	roll := func(t *testing.T, version string) {
		f := newFleet(t, version, mortal, everyTwoSeconds, "--shards="+strconv.Itoa(items), "--failover=true", "--body-ms=100")
		fleet := []*process{
			f.startJava("java 1"), f.startGo("go 1", lowAddress),
			f.startJava("java 2"), f.startGo("go 2", highAddress),
		}
		restarts := 0
		for end := time.Now().Add(span); time.Now().Before(end); restarts++ {
			k := restarts % len(fleet)
			old := fleet[k]
			if restarts/len(fleet)%2 == 0 {
				old.terminate()
			} else {
				old.kill()
			}
			f.awaitDeparture(old)
			f.awaitAssigned(items, slices.Delete(slices.Clone(fleet), k, k+1)...)
			if old.java {
				fleet[k] = f.startJava(old.name)
			} else {
				fleet[k] = f.startGo(old.name, old.ip())
			}
			f.awaitAssigned(items, slices.Clone(fleet)...)
			// A Java leader reshards at a fire time only; a Java agent that waits
			// for it past the next one, or starts slowly, makes up for that after
			// its next run, and a marker says that it will.
			f.pass(time.Now().Truncate(period).Add(3 * period / 2))
			for n := range items {
				f.awaitAbsent(f.job.ItemMisfire(n))
			}
			f.pass(time.Now().Truncate(period).Add(3 * period / 2))
			f.quiet(2, period, items, slices.Clone(fleet)...)
		}
		t.Logf("%d restarts, %d runs", restarts, len(f.runsSince(time.Time{})))
	}
	for _, version := range versions([]string{newest}) {
		t.Run("java-"+version, func(t *testing.T) { roll(t, version) })
	}
}
