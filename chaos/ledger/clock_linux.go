package ledger

import "golang.org/x/sys/unix"

// Mono reads the clock of the machine that never steps, in ns. All processes
// of the machine read the same one.
func Mono() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		panic(err) // Linux always has it.
	}
	return now.Nano()
}
