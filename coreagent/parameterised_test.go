package coreagent

import (
	"context"
	"testing"
)

// TestHandlerKnowsItsSchema: the agent finds the schema in the handler of a trigger, and
// in no other.
func TestHandlerKnowsItsSchema(t *testing.T) {
	t.Parallel()
	trigger := NewTrigger[struct{ Month string }]("reports")
	h, ok := trigger.Handler(func(context.Context, *Shard, struct{ Month string }) error { return nil }).(parameterised)
	if !ok || string(h.schema()) != string(trigger.Schema()) {
		t.Errorf("%v", ok)
	}
	if _, ok := Handler(HandlerFunc(func(context.Context, *Shard) error { return nil })).(parameterised); ok {
		t.Error("a function has a schema")
	}
}
