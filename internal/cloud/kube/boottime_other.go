//go:build !linux

package kube

import "time"

// bootTime is the wall clock, which counts sleep, on systems without a better clock.
func bootTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
