package zkstore

import (
	"time"

	"golang.org/x/sys/unix"
)

// awake measures how long the machine has slept since newAwake. ZooKeeper counts that time, but
// timers and the clock for sessions don't.
type awake struct{ ahead time.Duration }

func newAwake() awake { return awake{ahead: bootAhead()} }

func (a awake) slept() time.Duration { return bootAhead() - a.ahead }

// bootAhead returns how far the clock that counts sleep is ahead of the other.
func bootAhead() time.Duration {
	var boot, mono unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &mono) != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot) != nil {
		return 0
	}
	return time.Duration(boot.Nano() - mono.Nano())
}
