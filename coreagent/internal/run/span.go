package run

import (
	"context"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/usererror"
)

// spanText bounds what a span says of a failure: a panic's text has the stack.
const spanText = 200

// beginRunSpan begins the span of a run; without a tracer it returns ctx and
// nil.
func (b *batch) beginRunSpan(ctx context.Context) (context.Context, trace.Span) {
	w := b.worker
	if w.Host.Tracer == nil {
		return ctx, nil
	}
	return w.beginSpan(ctx, "run "+w.Tree.Name(),
		attribute.String("elasticjob.job", w.Tree.Name()), attribute.String("elasticjob.task_id", b.taskID),
		attribute.String("elasticjob.source", string(b.kind.source())), attribute.IntSlice("elasticjob.items", b.numbers()),
		attribute.String("elasticjob.scheduled_at", b.at.UTC().Format(time.RFC3339Nano)),
		attribute.Float64("elasticjob.late_seconds", b.began.Sub(b.at).Seconds()))
}

// beginShardSpan begins that of a shard.
func (b *batch) beginShardSpan(ctx context.Context, s view.Shard) (context.Context, trace.Span) {
	w := b.worker
	if w.Host.Tracer == nil {
		return ctx, nil
	}
	return w.beginSpan(ctx, "item "+w.Tree.Name(),
		attribute.String("elasticjob.job", w.Tree.Name()), attribute.String("elasticjob.task_id", b.taskID),
		attribute.Int("elasticjob.item", s.Number), attribute.Int("elasticjob.total", b.view.Config.Shards),
		attribute.Int64("elasticjob.fencing_token", s.Token))
}

// beginSpan contains the tracer: it is the program's, and a panic of it must
// not fail a run. The run goes on without a span then.
func (w *Worker) beginSpan(parent context.Context, name string, attributes ...attribute.KeyValue) (ctx context.Context, span trace.Span) {
	ctx = parent
	defer func() {
		if value := recover(); value != nil {
			w.Log.WarnContext(ctx, "the tracer panicked; no span is made", "span", name, "panic", usererror.PanicText(value))
			ctx, span = parent, nil
		}
	}()
	return w.Host.Tracer.Start(parent, name, trace.WithAttributes(attributes...))
}

// endSpan ends a span, which may be nil, with what became of it.
func (w *Worker) endSpan(span trace.Span, failure string) {
	if span == nil {
		return
	}
	defer func() {
		if value := recover(); value != nil {
			w.Log.Warn("the tracer panicked; a span is lost", "panic", usererror.PanicText(value))
		}
	}()
	defer span.End()
	if failure != "" {
		span.SetStatus(codes.Error, failure)
	}
}

// spanFailure is the first line of an error, "" for none.
func spanFailure(err error) string {
	if err == nil {
		return ""
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	if len(text) > spanText {
		text = strings.ToValidUTF8(text[:spanText], "")
	}
	if text == "" {
		return "failed"
	}
	return text
}
