package coreagent

import (
	"context"
	"strings"
	"testing"
)

// TestHandlerKnowsItsSchema: the agent only finds a schema in a trigger's handler.
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

// TestRunParameters: a job can only bring a schema for a handler without one.
func TestRunParameters(t *testing.T) {
	t.Parallel()
	trigger := NewTrigger[struct {
		Year int `json:"year"`
	}]("report")
	typed := trigger.Handler(func(context.Context, *Shard, struct {
		Year int `json:"year"`
	}) error {
		return nil
	})
	plain := HandlerFunc(func(context.Context, *Shard) error { return nil })
	const schema = `{"type":"object","properties":{"year":{"type":"integer"}}}`
	for name, tc := range map[string]struct {
		job     Job
		handler Handler
		schema  string
		refusal string
	}{
		"none":          {Job{Name: "report"}, plain, "", ""},
		"the job's":     {Job{Name: "report", Requests: Requests{Schema: []byte(schema)}}, plain, schema, ""},
		"the trigger's": {Job{Name: "report"}, typed, string(trigger.Schema()), ""},
		"both":          {Job{Name: "report", Requests: Requests{Schema: []byte(schema)}}, typed, "", "Requests.Schema: the handler comes from a trigger, which has its own schema"},
		"another job's": {Job{Name: "reports"}, typed, "", `the handler belongs to a trigger of job "report"`},
		"no schema":     {Job{Name: "report", Requests: Requests{Schema: []byte(`{"type":"array"}`)}}, plain, "", "Requests.Schema: parameter schema: "},
	} {
		got, _, err := tc.job.schema(tc.handler)
		if tc.refusal == "" && (err != nil || string(got) != tc.schema) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if tc.refusal != "" && (err == nil || !strings.HasPrefix(err.Error(), tc.refusal)) {
			t.Errorf("%s: %v, want %q", name, err, tc.refusal)
		}
	}
}
