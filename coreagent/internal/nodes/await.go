package nodes

import (
	"context"
	"math/rand/v2"
	"time"
)

// StepTimeout bounds what is done in one go, such as a step of control, so that a
// latch held by a hung process delays a job and does not hold it for ever.
const StepTimeout = 15 * time.Second

// Back-off between failed steps, doubled each time.
const (
	RetryFirst = 100 * time.Millisecond
	RetryLast  = 5 * time.Second
)

// AsCreated is the version of a running marker as it was created. Java's agents create a marker or
// write over the existing one: then it's theirs.
const AsCreated int32 = 0

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

// GiveWay pauses a moment after a node was found written over, so that as many as may want
// to write it at this moment do not refuse each other for long.
func GiveWay(ctx context.Context, writers int) error {
	return Doze(ctx, nil, rand.N(time.Duration(1+writers)*time.Millisecond))
}
