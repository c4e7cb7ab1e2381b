package main

import (
	"context"
	"os"
	"runtime/debug"
	"time"
)

const (
	// readingPercent is how much more than what it holds a console that reads its
	// registry takes from the system before it collects garbage, and heldPercent one
	// that has read it. It holds a namespace, 180 MB for 10,000 jobs of 10 shards, and
	// makes some megabytes of garbage for a page: Go's 100 would double a large console
	// for nothing. While it reads, little is held yet, and to collect as often took a
	// quarter of the time.
	readingPercent, heldPercent = 50, 20
	// readEvery is how often it looks whether all was read.
	readEvery = time.Second
)

// keepSmall waits until the registry was read, returns what that took besides to the
// system, and has garbage collected often from then on. The environment's GOGC goes
// before it.
func keepSmall(ctx context.Context, read func() bool) {
	if _, set := os.LookupEnv("GOGC"); set {
		return
	}
	debug.SetGCPercent(readingPercent)
	ticker := time.NewTicker(readEvery)
	defer ticker.Stop()
	for !read() {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
	debug.SetGCPercent(heldPercent)
	debug.FreeOSMemory()
}
