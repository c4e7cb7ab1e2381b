package tracing

import (
	"context"
	"errors"
)

// ErrRejected marks an error of a [Sink] that repeating will not fix: the
// store was reached and refused the content of the events. [Async] then halves
// the batch until the refused event is alone, and gives that one up.
var ErrRejected = errors.New("trace events rejected")

// Sink stores batches of events. [Async] calls it from one goroutine at a time
// and calls it again with the same batch after an error, so Write must be
// idempotent by the ids of the events.
type Sink interface {
	// Write stores the events, all or none, in the order given, and returns
	// once they are safe. It gives up when ctx ends, does not keep or change
	// events, and wraps [ErrRejected] if trying again is useless.
	Write(ctx context.Context, events []Event) error
}
