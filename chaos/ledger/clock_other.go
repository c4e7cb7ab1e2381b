//go:build !linux

package ledger

import "time"

// Mono reads the wall clock, in ns, where there is no clock that all processes
// share and that never steps.
func Mono() int64 { return time.Now().UnixNano() }
