//go:build !linux

package ledger

import "time"

// Mono reads the wall clock, in ns, on systems without a clock that all processes share and that
// never steps.
func Mono() int64 { return time.Now().UnixNano() }
