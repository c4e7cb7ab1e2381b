package fleetsim_test

import (
	"os"
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // fleets make much garbage and keep little
	os.Exit(m.Run())
}
