package kube

import (
	"context"
	"sync/atomic"
	"time"
)

// term is a leader's context. Its Err checks the clock itself, so a process that was frozen, or on
// a machine that slept, sees the end of the term before any timer has run.
type term struct {
	context.Context

	end   context.CancelCauseFunc
	until atomic.Int64 // by bootTime
}

// left is the rest of our lease without a renewal.
func (t *term) left() time.Duration { return time.Duration(t.until.Load()) - bootTime() }

func (t *term) Err() error {
	if t.left() <= 0 {
		t.end(ErrLeadershipLost)
	}
	return t.Context.Err()
}
