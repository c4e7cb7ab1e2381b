package tracing

import (
	"context"
	"errors"
)

// ErrRejected marks an error of a [Sink] that a retry won't fix, because the store answered and refused
// the content. [Async] then halves the batch until the refused event is alone, and drops that event.
var ErrRejected = errors.New("trace events rejected")

// Sink stores batches of events. [Async] calls it from one goroutine at a time. After an error it
// repeats the batch, so Write must be idempotent by event id.
type Sink interface {
	// Write stores all of the events or none, in the given order, and returns once they are safe. It gives
	// up when ctx ends, must not keep or change events, and wraps [ErrRejected] if a retry is useless.
	Write(ctx context.Context, events []Event) error
}
