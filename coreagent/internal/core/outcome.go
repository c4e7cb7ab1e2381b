package core

import (
	"fmt"
	"time"
)

// PermanentError fails a run for good.
type PermanentError struct{ Err error }

func (e *PermanentError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *PermanentError) Unwrap() error { return e.Err }

// RetryError fails an attempt and sets when the next one comes.
type RetryError struct {
	Err   error
	After time.Duration
}

func (e *RetryError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *RetryError) Unwrap() error { return e.Err }

// SnoozeError puts a shard off, which is no failure.
type SnoozeError struct{ For time.Duration }

func (e *SnoozeError) Error() string { return fmt.Sprintf("snoozed for %v", e.For) }

// SkipError means that there was nothing to do.
type SkipError struct{ Reason string }

func (e *SkipError) Error() string { return "skipped: " + e.Reason }
