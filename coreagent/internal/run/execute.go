package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// executeShards runs every shard of the batch and returns the errors by shard, and
// what the error handler made of the only shard's.
func (b *batch) executeShards() (failures map[int]error, thrown error) {
	w := b.worker
	ctx, cancel := b.limited()
	defer cancel()
	ctx, span := b.beginRunSpan(ctx)
	var mu sync.Mutex
	execute := func(s view.Shard) error {
		err, stop := b.executeShard(ctx, s)
		mu.Lock()
		defer mu.Unlock()
		if err != nil && failures == nil {
			failures, b.interrupted = make(map[int]error), make(map[int]bool)
		}
		if err != nil {
			failures[s.Number] = err
			b.interrupted[s.Number] = b.ctx.Err() != nil
		}
		thrown = errors.Join(thrown, stop)
		if b.claim == nil && !b.interrupted[s.Number] {
			w.Misfires.ShardOver(&b.ledger, s.Number, b.due())
		}
		return nil
	}
	if len(b.shards) == 1 {
		_ = execute(b.shards[0]) // Most jobs have one shard; it needs no goroutine more.
	} else {
		group, _ := rethrow.WithContext(ctx)
		group.SetLimit(b.parallel)
		for _, s := range b.shards {
			group.Go(func() error { return execute(s) })
		}
		_ = group.Wait() // The functions return nil: failures are kept by shard.
	}
	if len(failures) > 0 {
		w.endSpan(span, strconv.Itoa(len(failures))+" of "+strconv.Itoa(len(b.shards))+" shards failed")
	} else {
		w.endSpan(span, "")
	}
	if thrown != nil && len(b.shards) > 1 {
		// In ElasticJob it dies in its pool's thread, and the run goes on.
		w.Log.Error("a shard failed and its error handler threw", "err", thrown)
		thrown = nil
	}
	return failures, thrown
}

// execution is one shard of a batch that is run.
type execution struct {
	batch  *batch
	shard  view.Shard
	row    *tracing.Execution // nil if nobody keeps rows
	stream *runhistory.Stream
}

// executeShard runs one shard; stop is what its error handler threw.
func (b *batch) executeShard(ctx context.Context, s view.Shard) (err, stop error) {
	w := b.worker
	ctx, release := b.takePlace(ctx, s.Number)
	x := &execution{batch: b, shard: s}
	x.begin()
	ctx, span := b.beginShardSpan(ctx, s)
	over := w.watchHandler(ctx, s.Number)
	err = w.Calls.Contain(ctx, "handler of shard "+strconv.Itoa(s.Number), x.run)
	over()
	w.endSpan(span, spanFailure(err))
	release()
	return err, x.ended(err)
}

// limited returns the context of the handlers of a batch, which ends at the job's timeout.
func (b *batch) limited() (context.Context, context.CancelFunc) {
	if limit := b.timeout(); limit > 0 && b.worker.Host.Places == nil {
		return context.WithTimeoutCause(b.ctx, limit, host.ErrTimeout)
	}
	return b.ctx, func() {}
}

// ended tells how the shard ended; stop is what its error handler threw.
func (x *execution) ended(err error) (stop error) {
	b := x.batch
	x.stream.End()
	x.record(err)
	if err != nil && b.speaks(x.shard.Number, err) {
		stop = b.handle(&ShardError{Item: x.shard.Number, Err: err})
	}
	return stop
}

// begin tells that the shard begins.
func (x *execution) begin() {
	b, w := x.batch, x.batch.worker
	if !w.keepsRows() {
		return
	}
	x.row = &tracing.Execution{
		ID: runs.NewID(time.Now()), JobName: w.Tree.Name(), TaskID: b.taskID, Hostname: w.Host.Hostname, IP: w.Host.IP,
		Source: b.kind.source(), Item: x.shard.Number, StartTime: w.Host.Time(),
		RunID: b.origin.id, Attempt: b.attempt(), Trigger: b.origin.trigger, ScheduledAt: b.origin.fire,
	}
	w.Host.Recorder.RecordExecution(*x.row)
	x.stream = w.Host.History.Begin(*x.row)
}

// run calls the handler.
func (x *execution) run(ctx context.Context) error {
	defer x.complete()
	x.batch.place.Leave()
	if ctx.Err() != nil { // It was cancelled, or waited for a free place too long.
		return fmt.Errorf("not started: %w", context.Cause(ctx))
	}
	b, w, s := x.batch, x.batch.worker, x.shard
	parameter, has := b.params[s.Number]
	return w.Def.Handler.Handle(runhistory.WithStream(ctx, x.stream), core.New(core.Shard{
		Job: w.Tree.Name(), TaskID: b.taskID, JobParameter: b.view.Config.Parameter, Parameter: parameter,
		Item: s.Number, Total: b.view.Config.Shards, ScheduledAt: b.at, Source: b.kind.source(),
		FencingToken: max(s.Token, s.Least), Props: maps.Clone(b.view.Config.Props), Run: b.runInfo(),
	}, core.Call{
		HasParameter: has, Ending: func() bool { return b.ending(s.Number) }, ScriptEnv: w.Host.ScriptEnv,
		Stream: x.stream, SetResult: b.setResult(s.Number),
	}, w.Host.Log))
}

// complete notes when the handler has returned. What follows waits until all the handlers that
// are due at the same time have begun.
func (x *execution) complete() {
	if x.row != nil {
		x.row.CompleteTime = x.batch.worker.Host.Time()
	}
	x.batch.place.AwaitOthers()
}

// record tells what came of the shard.
func (x *execution) record(err error) {
	if x.row == nil {
		return
	}
	x.row.Success, x.row.FailureCause = x.batch.rowOf(err)
	x.batch.worker.Host.Recorder.RecordExecution(*x.row)
}

// timeout is how long the handlers of a batch may take: as stored, or as the code says
// where nothing is stored; 0 for ever.
func (b *batch) timeout() time.Duration {
	if b.view.Config.Props[runs.PropTimeout] == "" {
		return b.worker.Def.Timeout
	}
	settings, _ := runs.SettingsOf(b.view.Config)
	return settings.Timeout
}

// handle passes a failure of the job to its error handler. A non-nil result
// stops the run. The shards wait for it.
func (w *Worker) handle(ctx context.Context, failure error, shards ...int) error {
	var stop error
	if err := w.callSlow(ctx, obstacle.ErrorHandler, "error handler "+w.Errors.Type(), shards, func(ctx context.Context) error {
		stop = w.Errors.Handle(ctx, failure)
		return nil
	}); err != nil {
		w.Log.ErrorContext(ctx, "Job '"+w.Tree.Name()+"' exception occur in job processing", "err", failure, "error handler", err) //nolint:sloglint // ElasticJob's own words
		return nil
	}
	if stop == nil {
		return nil
	}
	return &thrownError{stop.Error()}
}

// RunFailure is a failure in a run, as error handlers receive it.
type RunFailure struct {
	RunID   string
	Attempt int
	Err     error
}

// Error returns the text of the cause.
func (e *RunFailure) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *RunFailure) Unwrap() error { return e.Err }

// handle passes a failure in the batch to the job's error handler.
func (b *batch) handle(failure error) error {
	return b.worker.handle(b.ctx, &RunFailure{b.origin.id, b.attempt(), failure}, b.numbers()...)
}

// thrownError ends a run because the error handler says so. It wraps nothing:
// whatever the cause was, the run is not to be repeated for it.
type thrownError struct{ text string }

func (e *thrownError) Error() string { return e.text }

// keepsRows reports whether anybody keeps rows: those that nobody keeps would cost as
// much as the others.
func (w *Worker) keepsRows() bool { return w.Host.Recorder != tracing.Discard }

// ending reports whether a streaming job should end its loop for a shard. The assignment is
// compared with the one at the beginning of the run, because without running markers a
// resharding can begin and end while the handler works on one batch of data.
func (b *batch) ending(n int) bool {
	w := b.worker
	v, _ := w.Latest.Get()
	if !w.serves() || v == nil || !v.Settled {
		return true
	}
	return b.view.Rotation == nil && v.TokenOf(n) != b.view.TokenOf(n)
}

func (b *batch) postStatus(state tracing.State, message string) {
	w := b.worker
	if !w.keepsRows() {
		return
	}
	w.Host.Recorder.RecordStatus(tracing.Status{
		ID: runs.NewID(time.Now()), JobName: w.Tree.Name(), TaskID: b.taskID, SlaveID: w.Host.IP,
		Source: tracing.StatusSourceLite, ExecutionType: tracing.ExecutionTypeReady,
		Items: b.numbers(), State: state, Message: message, CreationTime: w.Host.Time(),
	})
}

// failureText lists the failed shards in Java's form for a map.
func failureText(failures map[int]error) string {
	numbers := make([]int, 0, len(failures))
	for n := range failures {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = fmt.Sprintf("%d=%v", n, failures[n])
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
