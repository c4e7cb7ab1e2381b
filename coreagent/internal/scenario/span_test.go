package scenario_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	oteltrace "go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestSpans: a run should be a span, with its shards as children. Spans of the handler should be
// below its shard.
func TestSpans(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		exporter := tracetest.NewInMemoryExporter()
		provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter))
		m := b.agent(1, func(cfg *coreagent.Config) { cfg.TracerProvider = provider })
		m.serve(coreagent.Job{Name: "job", Shards: 2}, func(ctx context.Context, s *coreagent.Shard) error {
			_, span := provider.Tracer("handler").Start(ctx, "work")
			defer span.End()
			if s.Item == 1 {
				return errors.New("shard one is broken\nand this is its second line")
			}
			return nil
		})
		m.start()
		b.must(m.Trigger(b.ctx(), "job"))
		b.await("the spans", func() bool { return len(exporter.GetSpans()) == 5 })

		spans := make(map[string][]tracetest.SpanStub)
		for _, s := range exporter.GetSpans() {
			spans[s.Name] = append(spans[s.Name], s)
		}
		run := spans["run job"][0]
		if run.Parent.IsValid() || run.Status.Code != codes.Error || run.Status.Description != "1 of 2 shards failed" {
			t.Errorf("run: parent %v, status %+v", run.Parent.IsValid(), run.Status)
		}
		shards := make(map[oteltrace.SpanID]int64)
		for _, s := range spans["item job"] {
			if s.Parent.SpanID() != run.SpanContext.SpanID() {
				t.Errorf("a shard is no child of the run: %+v", s)
			}
			number := attributeOf(s, "elasticjob.item").AsInt64()
			shards[s.SpanContext.SpanID()] = number
			want := ""
			if number == 1 {
				want = "shard one is broken"
			}
			if s.Status.Description != want {
				t.Errorf("shard %d: status %+v, want %q", number, s.Status, want)
			}
			for _, key := range []attribute.Key{"elasticjob.job", "elasticjob.task_id", "elasticjob.total", "elasticjob.fencing_token"} {
				if attributeOf(s, key).Type() == attribute.EMPTY {
					t.Errorf("shard %d: no attribute %s", number, key)
				}
			}
		}
		if len(shards) != 2 {
			t.Errorf("shards: %v", shards)
		}
		for _, s := range spans["work"] {
			if _, ok := shards[s.Parent.SpanID()]; !ok {
				t.Error("the handler's span is not below its shard's")
			}
		}
	})
}

func attributeOf(s tracetest.SpanStub, key attribute.Key) attribute.Value {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value
		}
	}
	return attribute.Value{}
}

// TestPanickingTracerIsContained: if the tracer panics, the run should go on without spans.
func TestPanickingTracerIsContained(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1, func(cfg *coreagent.Config) { cfg.TracerProvider = brokenProvider{} })
		m.serve(coreagent.Job{Name: "job", Shards: 1}, nil)
		m.start()
		b.must(m.Trigger(b.ctx(), "job"))
		b.await("the run", func() bool { return len(b.runs.of("job", -1)) == 1 })
		time.Sleep(time.Second)
		if r := b.nthRun("job", 0, 0); r.err != nil || !strings.Contains(b.log.String(), "the tracer panicked") {
			t.Errorf("run: %v", r.err)
		}
	})
}

type brokenProvider struct{ noop.TracerProvider }

func (brokenProvider) Tracer(string, ...oteltrace.TracerOption) oteltrace.Tracer {
	return brokenTracer{}
}

type brokenTracer struct{ noop.Tracer }

func (brokenTracer) Start(context.Context, string, ...oteltrace.SpanStartOption) (context.Context, oteltrace.Span) {
	panic("the tracer is broken")
}
