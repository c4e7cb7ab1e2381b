package kube

import (
	"time"

	"golang.org/x/sys/unix"
)

// bootTime is a clock that can't be set and that counts sleep.
func bootTime() time.Duration {
	var at unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &at); err != nil {
		return time.Since(processStart) // Linux has it since 2.6.39.
	}
	return time.Duration(at.Nano())
}

var processStart = time.Now()
