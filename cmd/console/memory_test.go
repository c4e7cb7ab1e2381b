package main

import (
	"os"
	"runtime/debug"
	"testing"
	"testing/synctest"
)

// TestMemoryIsSavedOnceTheRegistryWasRead: not before, and not where the environment
// says how much garbage there may be.
func TestMemoryIsSavedOnceTheRegistryWasRead(t *testing.T) {
	usual := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(usual) })
	percent := func() int {
		now := debug.SetGCPercent(100)
		debug.SetGCPercent(now)
		return now
	}
	t.Setenv("GOGC", "70")
	keepSmall(t.Context(), func() bool { t.Error("it looks although GOGC is set"); return true })
	if got := percent(); got != 100 {
		t.Errorf("with GOGC the percentage is %d", got)
	}
	if err := os.Unsetenv("GOGC"); err != nil { // Setenv brings back what was there.
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		keepSmall(t.Context(), func() bool {
			if got := percent(); got != readingPercent {
				t.Errorf("while the registry is read the percentage is %d", got)
			}
			looks++
			return looks == 3
		})
	})
	if got := percent(); got != heldPercent {
		t.Errorf("afterwards the percentage is %d", got)
	}
}
