package fleetsim_test

import (
	"os"
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // Fleets make much garbage and keep little.
	os.Exit(m.Run())
}
