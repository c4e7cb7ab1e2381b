//go:build !linux

package zkstore

import "time"

// awake does not know of a machine's sleep on this system: the wall clock is all there is.
type awake struct{ since time.Time }

func newAwake() awake { return awake{since: time.Now()} }

// slept is by how much the wall clock is ahead of the one that may not count sleep.
func (a awake) slept() time.Duration {
	now := time.Now()
	return now.Round(0).Sub(a.since.Round(0)) - now.Sub(a.since)
}
