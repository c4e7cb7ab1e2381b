package main

import (
	"context"
	"os"
	"runtime/debug"
	"time"
)

const (
	// readingPercent is how much more than what it holds the console takes from the
	// system before it collects garbage while it reads the registry for the first time:
	// Go's own. It holds little yet, and garbagePercent would cost more of the processor.
	readingPercent = 100
	// garbagePercent is the same from then on, when the console holds a namespace in
	// memory: 70 MB for 10,000 jobs of 10 shards on 3 servers.
	garbagePercent = 40
	// readEvery is how often it looks whether the registry was read.
	readEvery = time.Second
)

// keepSmall bounds garbage: generously until the registry was read, and then returns to
// the system what that took besides. The environment goes before it by GOGC; GOMEMLIMIT
// holds besides.
func keepSmall(ctx context.Context, read func() bool) {
	_, set := os.LookupEnv("GOGC")
	if !set {
		debug.SetGCPercent(readingPercent)
	}
	ticker := time.NewTicker(readEvery)
	defer ticker.Stop()
	for !read() {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
	if !set {
		debug.SetGCPercent(garbagePercent)
	}
	debug.FreeOSMemory()
}
