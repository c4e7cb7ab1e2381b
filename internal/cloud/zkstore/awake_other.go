//go:build !linux

package zkstore

import "time"

// awake can't detect sleep on this system and only compares with the wall clock.
type awake struct{ since time.Time }

func newAwake() awake { return awake{since: time.Now()} }

// slept returns how far the wall clock is ahead of the monotonic clock, which may not count sleep.
func (a awake) slept() time.Duration {
	now := time.Now()
	return now.Round(0).Sub(a.since.Round(0)) - now.Sub(a.since)
}
