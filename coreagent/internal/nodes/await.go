package nodes

import (
	"context"
	"math/rand/v2"
	"time"
)

// StepTimeout limits one unit of work, such as a control step, so that a latch held by a hung
// process delays a job but doesn't block it forever.
const StepTimeout = 15 * time.Second

// Delays between failed steps, doubled each time.
const (
	RetryFirst = 100 * time.Millisecond
	RetryLast  = 5 * time.Second
)

// AsCreated is the version of a running marker right after its creation. Java's agents create a
// marker or overwrite an existing one, which then is theirs.
const AsCreated int32 = 0

// AwaitChange waits for a change, for at most limit. If ctx ends first, it returns the cause.
func AwaitChange(ctx context.Context, changed <-chan struct{}, limit time.Duration) error {
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

// BackOff pauses briefly after a conflicting write, so that several writers don't keep refusing
// each other.
func BackOff(ctx context.Context, writers int) error {
	return AwaitChange(ctx, nil, rand.N(time.Duration(1+writers)*time.Millisecond))
}
