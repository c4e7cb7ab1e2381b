package coreagent

import (
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
)

// Permanent marks an error that a retry can't fix: the requested run fails at once, even if retries
// are left. For a fire time it's an ordinary error. Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &core.PermanentError{Err: err}
}

// IsPermanent reports whether an error is or wraps one from [Permanent].
func IsPermanent(err error) bool {
	_, is := errors.AsType[*core.PermanentError](err)
	return is
}

// RetryAfter marks an error with the pause before the next attempt of a requested run, instead of
// the back-off. It counts as an attempt. RetryAfter(nil, d) is nil.
func RetryAfter(err error, d time.Duration) error {
	if err == nil {
		return nil
	}
	return &core.RetryError{Err: err, After: d}
}

// Snooze repeats the shard of a requested run after d, which is neither a failure nor an
// attempt: for work that has to wait for others. d is 0 to 30 days; another d fails the attempt. At a fire time
// it isn't a failure either, and the shard runs again at the next fire time.
func Snooze(d time.Duration) error { return &core.SnoozeError{For: d} }

// SkipRun means that there was nothing to do, which isn't a failure: the shard of a requested run counts as skipped,
// and at a fire time it has succeeded.
func SkipRun(reason string) error { return &core.SkipError{Reason: reason} }
