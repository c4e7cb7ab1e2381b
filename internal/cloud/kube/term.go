package kube

import (
	"context"
	"sync/atomic"
	"time"
)

// term is a leader's context. Its Err looks at the clock itself: of a process that was
// frozen, or of a machine that slept, the first look says that the term has ended, before
// any timer has run.
type term struct {
	context.Context

	end   context.CancelCauseFunc
	until atomic.Int64 // by bootTime
}

// left is how long the lease counts for us without a renewal.
func (t *term) left() time.Duration { return time.Duration(t.until.Load()) - bootTime() }

// Err implements context.Context.
func (t *term) Err() error {
	if t.left() <= 0 {
		t.end(ErrLeadershipLost)
	}
	return t.Context.Err()
}
