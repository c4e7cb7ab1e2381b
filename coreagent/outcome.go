package coreagent

import (
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
)

// Permanent marks an error that no further attempt can overcome: the requested run fails
// at once, whatever retries are left. Of a fire time it is an error like any other.
// Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &core.PermanentError{Err: err}
}

// IsPermanent reports whether an error, or one that it wraps, is of [Permanent].
func IsPermanent(err error) bool {
	_, is := errors.AsType[*core.PermanentError](err)
	return is
}

// RetryAfter marks an error after which the next attempt of a requested run is to come
// in a time of the handler's choice, in place of the back-off. It counts as an attempt.
// RetryAfter(nil, d) is nil.
func RetryAfter(err error, d time.Duration) error {
	if err == nil {
		return nil
	}
	return &core.RetryError{Err: err, After: d}
}

// Snooze has the shard of a requested run run again in d, which is neither a failure nor
// an attempt: for work that has to wait for somebody else. It takes 0 to 30 days; another
// d fails the attempt.
func Snooze(d time.Duration) error { return &core.SnoozeError{For: d} }

// SkipRun says that there was nothing to do: the shard of a requested run counts as
// skipped and not as failed.
func SkipRun(reason string) error { return &core.SkipError{Reason: reason} }
