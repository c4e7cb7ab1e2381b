package zkstore

import (
	"time"

	"golang.org/x/sys/unix"
)

// awake measures how long the machine has been asleep since it was made: neither timers
// nor the clock by which sessions are judged count that time, but ZooKeeper does.
type awake struct{ ahead time.Duration }

func newAwake() awake { return awake{ahead: bootAhead()} }

func (a awake) slept() time.Duration { return bootAhead() - a.ahead }

// bootAhead is by how much the clock that counts sleep is ahead of the one that does not.
func bootAhead() time.Duration {
	var boot, mono unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &mono) != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot) != nil {
		return 0
	}
	return time.Duration(boot.Nano() - mono.Nano())
}
