package main

import (
	"context"
	"os"
	"runtime/debug"
	"time"
)

const (
	// garbagePercent is how much more than what it holds the console takes from the
	// system before it collects garbage. It holds a namespace in memory, 140 MB for
	// 10,000 jobs of 10 shards on 3 servers, more than half of it the watches of the
	// client of ZooKeeper; a page leaves some 5 MB behind. Go's 100 would double it. A
	// collection takes a processor for 0.1 to 0.2 s then: at 20 percent that would be
	// more than all else about a page.
	garbagePercent = 40
	// readEvery is how often it looks whether the registry was read.
	readEvery = time.Second
)

// keepSmall sets it, unless the environment says otherwise by GOGC; GOMEMLIMIT holds
// besides.
func keepSmall() {
	if _, set := os.LookupEnv("GOGC"); !set {
		debug.SetGCPercent(garbagePercent)
	}
}

// returnOnce returns to the system what reading the registry took besides, once it was
// read.
func returnOnce(ctx context.Context, read func() bool) {
	ticker := time.NewTicker(readEvery)
	defer ticker.Stop()
	for !read() {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
	debug.FreeOSMemory()
}
