package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/synctest"
)

// TestGarbageIsBounded: by our measure, or by the environment's where it has one.
func TestGarbageIsBounded(t *testing.T) {
	usual := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(usual) })
	percent := func() int {
		now := debug.SetGCPercent(100)
		debug.SetGCPercent(now)
		return now
	}
	t.Setenv("GOGC", "70")
	if keepSmall(); percent() != 100 {
		t.Errorf("with GOGC the percentage is %d", percent())
	}
	if err := os.Unsetenv("GOGC"); err != nil { // Setenv brings back what was there.
		t.Fatal(err)
	}
	if keepSmall(); percent() != garbagePercent {
		t.Errorf("without GOGC the percentage is %d", percent())
	}
}

// TestMemoryIsReturnedOnceTheRegistryWasRead: not before, and not by a console that
// ends.
func TestMemoryIsReturnedOnceTheRegistryWasRead(t *testing.T) {
	collected := func() uint32 {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.NumForcedGC
	}
	synctest.Test(t, func(t *testing.T) {
		before, looks := collected(), 0
		returnOnce(t.Context(), func() bool {
			looks++
			if collected() != before {
				t.Error("memory is returned while the registry is read")
			}
			return looks == 3
		})
		if collected() == before {
			t.Error("nothing is returned")
		}
		ended, end := context.WithCancel(t.Context())
		end()
		before = collected()
		if returnOnce(ended, func() bool { return false }); collected() != before {
			t.Error("a console that ends returns memory")
		}
	})
}
