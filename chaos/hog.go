package main

import (
	"os"
	"runtime"
	"time"
)

// hog keeps every processor or the disk busy for a while.
func hog(what string, d time.Duration) {
	end := time.Now().Add(min(d, time.Minute))
	if what == "disk" {
		hogDisk(end)
		return
	}
	done := make(chan struct{})
	for range runtime.NumCPU() {
		go func() {
			x := 1
			for time.Now().Before(end) {
				for range 1_000_000 {
					x = x*1103515245 + 12345
				}
			}
			done <- struct{}{}
		}()
	}
	for range runtime.NumCPU() {
		<-done
	}
}

// hogDisk repeatedly forces a file of at most 64 MB to the disk.
func hogDisk(end time.Time) {
	file, err := os.CreateTemp("", "chaos-hog-")
	if err != nil {
		return // A full disk is busy enough.
	}
	defer func() { _ = os.Remove(file.Name()) }()
	block := make([]byte, 1<<20)
	for i := int64(0); time.Now().Before(end); i++ {
		if _, err := file.WriteAt(block, i%64<<20); err != nil {
			return
		}
		_ = file.Sync() // only the time matters
	}
}
