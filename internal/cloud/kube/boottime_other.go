//go:build !linux

package kube

import "time"

// bootTime is the wall clock: it counts sleep on systems without another clock that does.
func bootTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
