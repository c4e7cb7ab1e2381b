package run

import (
	"context"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/usererror"
	"github.com/elasticjob-go/elasticjob/tracing"
)

func (w *Worker) observeRun(b *batch, failed int) {
	if w.Host.Observe == nil {
		return
	}
	late := b.handlers.began
	if late.IsZero() {
		late = w.Host.Time() // The handlers were never called.
	}
	w.Host.Report(w.Tree.Name(), host.Observation{
		Event: host.RunEnded, Source: b.kind.source(), Regular: b.kind == fireTime, Items: len(b.shards), Failed: failed,
		Cancelled: failed > 0 && b.ctx.Err() != nil, Late: late.Sub(b.at), Took: time.Since(b.handlers.performed), At: w.Host.Time(),
	})
}

// spanText limits the length of a failure's text in a span, because the text of a panic includes
// the stack.
const spanText = 200

// beginRunSpan begins the span of a run. Without a tracer it returns ctx and nil.
func (b *batch) beginRunSpan(ctx context.Context) (context.Context, trace.Span) {
	w := b.worker
	if b.Host.Tracer == nil {
		return ctx, nil
	}
	return w.beginSpan(ctx, "run "+b.Tree.Name(),
		attribute.String("elasticjob.job", b.Tree.Name()), attribute.String("elasticjob.task_id", b.handlers.taskID),
		attribute.String("elasticjob.source", string(b.kind.source())), attribute.IntSlice("elasticjob.items", b.numbers()),
		attribute.String("elasticjob.scheduled_at", b.at.UTC().Format(time.RFC3339Nano)),
		attribute.Float64("elasticjob.late_seconds", b.handlers.began.Sub(b.at).Seconds()))
}

func (b *batch) beginShardSpan(ctx context.Context, s view.Shard) (context.Context, trace.Span) {
	w := b.worker
	if b.Host.Tracer == nil {
		return ctx, nil
	}
	return w.beginSpan(ctx, "item "+b.Tree.Name(),
		attribute.String("elasticjob.job", b.Tree.Name()), attribute.String("elasticjob.task_id", b.handlers.taskID),
		attribute.Int("elasticjob.item", s.Number), attribute.Int("elasticjob.total", b.view.Config.Shards),
		attribute.Int64("elasticjob.fencing_token", s.Token))
}

// beginSpan recovers from panics of the program's tracer, so they don't fail the run. The run goes
// on without a span.
func (w *Worker) beginSpan(parent context.Context, name string, attributes ...attribute.KeyValue) (ctx context.Context, span trace.Span) {
	ctx = parent
	defer func() {
		if value := recover(); value != nil {
			w.Log.WarnContext(ctx, "the tracer panicked, so the span is missing", "span", name, "panic", usererror.PanicText(value))
			ctx, span = parent, nil
		}
	}()
	return w.Host.Tracer.Start(parent, name, trace.WithAttributes(attributes...))
}

// endSpan ends a span, which may be nil, with its failure, if any.
func (w *Worker) endSpan(span trace.Span, failure string) {
	if span == nil {
		return
	}
	defer func() {
		if value := recover(); value != nil {
			w.Log.Warn("the tracer panicked, so a span is lost", "panic", usererror.PanicText(value))
		}
	}()
	defer span.End()
	if failure != "" {
		span.SetStatus(codes.Error, failure)
	}
}

// spanFailure returns the first line of an error, or "" if err is nil.
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

// origin identifies the run of a batch in the history, and its reason. All instances get the same
// id without asking each other: from the fire time, or from the transaction that placed a trigger
// for all of them at once.
type origin struct {
	id      string
	trigger tracing.Trigger
	fire    time.Time // zero if the run has no fire time
}

// runIDLayout formats a fire time as the id of its run.
const runIDLayout = "20060102T150405Z"

// originOf returns the origin of a batch whose handlers are about to begin. Misfires and failovers
// belong to the run of their fire time, if it's known.
func (b *batch) originOf() origin {
	if b.claim != nil {
		return claimOrigin(b.claim.Record)
	}
	o := origin{trigger: tracing.TriggerSchedule, fire: b.at}
	switch b.kind {
	case fireTime:
	case misfired:
		o.trigger = tracing.TriggerMisfire
	case failedOver:
		if o.trigger = tracing.TriggerFailover; !b.fires() {
			o.fire = time.Time{}
		}
	case trigger, claimed, slotted:
		o.trigger, o.fire = tracing.TriggerManual, time.Time{}
	}
	switch {
	case b.placed != 0:
		o.id = "t" + strconv.FormatInt(b.placed, 16)
	case o.fire.IsZero() || b.view.Schedule == nil: // We can't know to which run it belongs.
		o.id, o.fire = string(o.trigger)+"-"+strconv.FormatInt(b.at.UnixMilli(), 16), time.Time{}
	default:
		o.id = o.fire.UTC().Format(runIDLayout)
	}
	return o
}

func claimOrigin(r jobtree.RunRecord) origin {
	o := origin{id: r.ID, trigger: tracing.TriggerManual}
	switch {
	case r.By.Kind == "code", r.By.Kind == "api" && !r.Manual:
		o.trigger = tracing.TriggerAPI
	case r.By.Kind == runs.ByRetry:
		o.trigger = tracing.TriggerRetry
	}
	if r.Fire != 0 {
		o.fire = time.UnixMilli(r.Fire)
	}
	return o
}

func (b *batch) runInfo() core.RunInfo {
	if b.claim == nil {
		return core.RunInfo{ID: b.handlers.origin.id, Attempt: 1}
	}
	return core.Requested(b.claim.Record.RunRequest)
}

func (b *batch) attempt() int {
	if b.claim == nil {
		return 1
	}
	return b.claim.Record.Attempt
}
