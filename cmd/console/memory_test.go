package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/synctest"
)

// percentNow is the bound of garbage.
func percentNow() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}

// collected counts collections that were asked for.
func collected() uint32 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.NumForcedGC
}

// TestGarbageIsBounded: tightly once the registry was read and no sooner, or by the
// environment's measure where it has one. Memory is returned then either way.
func TestGarbageIsBounded(t *testing.T) {
	const before = 55
	usual := debug.SetGCPercent(before)
	t.Cleanup(func() { debug.SetGCPercent(usual) })
	run := func(reading, after int) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) {
			forced, looks := collected(), 0
			keepSmall(t.Context(), func() bool {
				looks++
				if collected() != forced || percentNow() != reading {
					t.Errorf("while the registry is read: %d percent, want %d; %d collections", percentNow(), reading, collected()-forced)
				}
				return looks == 3
			})
			if collected() == forced || percentNow() != after {
				t.Errorf("afterwards: %d percent, want %d; %d collections", percentNow(), after, collected()-forced)
			}
		})
	}
	t.Setenv("GOGC", "70")
	run(before, before)
	if err := os.Unsetenv("GOGC"); err != nil { // Setenv brings back what was there.
		t.Fatal(err)
	}
	run(readingPercent, garbagePercent)
}

// TestAConsoleThatEndsReturnsNothing: nor does it collect more often.
func TestAConsoleThatEndsReturnsNothing(t *testing.T) {
	usual := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(usual) })
	synctest.Test(t, func(t *testing.T) {
		ended, end := context.WithCancel(t.Context())
		end()
		forced := collected()
		if keepSmall(ended, func() bool { return false }); collected() != forced || percentNow() == garbagePercent {
			t.Errorf("%d percent and %d collections", percentNow(), collected()-forced)
		}
	})
}
