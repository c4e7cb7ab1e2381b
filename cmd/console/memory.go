package main

import (
	"os"
	"runtime/debug"
)

// garbagePercent is how much more than what it holds the console takes from the
// system before it collects garbage. It holds a namespace in memory and makes little
// garbage, so that Go's 100 would double a large console for nothing.
const garbagePercent = 50

// keepSmall sets it, unless the environment says otherwise.
func keepSmall() {
	if _, set := os.LookupEnv("GOGC"); !set {
		debug.SetGCPercent(garbagePercent)
	}
}
