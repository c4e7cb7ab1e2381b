package zkfake_test

import (
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // the random sequences produce much garbage and keep little
	goleak.VerifyTestMain(m)
}
