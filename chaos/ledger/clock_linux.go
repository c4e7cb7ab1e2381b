package ledger

import "golang.org/x/sys/unix"

// Mono reads the machine's clock that never steps, in ns. It's the same for all processes of the
// machine.
func Mono() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		panic(err) // Linux always has it.
	}
	return now.Nano()
}
