// Package sleep has a sleep that a context can end.
package sleep

import (
	"context"
	"time"
)

// For sleeps, and returns nil. If ctx ends first it returns the cause.
func For(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
