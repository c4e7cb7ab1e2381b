package tracing

import "context"

// Sink stores batches of events. [Async] calls it from one goroutine at a time
// and calls it again with the same batch after an error, so Write must be
// idempotent by the ids of the events.
type Sink interface {
	// Write stores the events, all or none, in the order given. It ends no
	// later than ctx.
	Write(ctx context.Context, events []Event) error
}
