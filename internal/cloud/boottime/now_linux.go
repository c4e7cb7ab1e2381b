// Package boottime has a clock that can't be set and that counts the machine's sleep, unlike timers
// and the monotonic clock of package time.
package boottime

import (
	"time"

	"golang.org/x/sys/unix"
)

var processStart = time.Now()

func Now() time.Duration {
	var at unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &at); err != nil {
		return time.Since(processStart) // Linux has it since 2.6.39.
	}
	return time.Duration(at.Nano())
}
