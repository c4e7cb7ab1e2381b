package nodes

import (
	"context"
	"time"
)

// StepTimeout bounds what is done in one go, such as a step of control, so that a
// latch held by a hung process delays a job and does not hold it for ever.
const StepTimeout = 15 * time.Second

// Doze waits for a change, but not longer than limit. It fails with the cause of
// ctx when that ends first.
func Doze(ctx context.Context, changed <-chan struct{}, limit time.Duration) error {
	pause := time.NewTimer(limit)
	defer pause.Stop()
	select {
	case <-changed:
	case <-pause.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}
