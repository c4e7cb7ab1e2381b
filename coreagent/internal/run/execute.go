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
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/lazymap"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// executeShards runs every shard of the batch and returns the errors of the failed shards, by shard. thrown is
// the error that the error handler returned for the only shard.
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
		if err != nil {
			lazymap.Put(&b.handlers.returned, s.Number, err)
			lazymap.Put(&b.handlers.interrupted, s.Number, b.ctx.Err() != nil)
		}
		if success, _ := b.rowOf(err); !success {
			lazymap.Put(&failures, s.Number, err)
		}
		thrown = errors.Join(thrown, stop)
		if b.claim == nil && !b.handlers.interrupted[s.Number] {
			b.Misfires.ShardOver(&b.ledger, s.Number, b.due())
		}
		return nil
	}
	if len(b.shards) == 1 {
		_ = execute(b.shards[0]) // Most jobs have one shard, which needs no other goroutine.
	} else {
		group, _ := rethrow.WithContext(ctx)
		group.SetLimit(b.handlers.parallel)
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
		// In ElasticJob the error dies in a pool thread, and the run goes on.
		b.Log.Error("a shard failed and its error handler threw", "err", thrown)
		thrown = nil
	}
	return failures, thrown
}

type execution struct {
	batch  *batch
	shard  view.Shard
	row    *tracing.Execution // nil if the recorder discards rows
	stream *runhistory.Stream
}

// executeShard runs one shard; stop is the error that the error handler returned.
func (b *batch) executeShard(ctx context.Context, s view.Shard) (err, stop error) {
	w := b.worker
	ctx, release := b.takePlace(ctx, s.Number)
	x := &execution{batch: b, shard: s}
	x.begin()
	ctx, span := b.beginShardSpan(ctx, s)
	over := w.watchHandler(ctx, s.Number)
	err = b.Calls.Contain(ctx, "handler of shard "+strconv.Itoa(s.Number), x.run)
	b.handlers.place.AwaitOthers() // Not on the handler's goroutine, so the next handler can reuse its stack.
	over()
	failure := spanFailure(err)
	if success, _ := b.rowOf(err); success {
		failure = ""
	}
	w.endSpan(span, failure)
	release()
	return err, x.ended(err)
}

func (b *batch) limited() (context.Context, context.CancelFunc) {
	if limit := b.timeout(); limit > 0 && b.Host.Places == nil {
		return context.WithTimeoutCause(b.ctx, limit, host.ErrTimeout)
	}
	return b.ctx, func() {}
}

// ended records the end of the shard; stop is the error that the error handler returned.
func (x *execution) ended(err error) (stop error) {
	b := x.batch
	x.stream.End()
	x.record(err)
	if err != nil && b.needsErrorHandler(x.shard.Number, err) {
		stop = b.Handle(b.ctx, &ShardError{Item: x.shard.Number, Err: err})
	}
	return stop
}

func (x *execution) begin() {
	b, w := x.batch, x.batch.worker
	if !w.recordsRows() {
		return
	}
	x.row = &tracing.Execution{
		ID: runs.NewID(time.Now()), JobName: w.Tree.Name(), TaskID: b.handlers.taskID, Hostname: w.Host.Hostname, IP: w.Host.IP,
		Source: b.kind.source(), Item: x.shard.Number, StartTime: w.Host.Time(),
		RunID: b.handlers.origin.id, Attempt: b.attempt(), Trigger: b.handlers.origin.trigger, ScheduledAt: b.handlers.origin.fire,
	}
	w.Host.Recorder.RecordExecution(*x.row)
	x.stream = w.Host.History.Begin(*x.row)
}

func (x *execution) run(ctx context.Context) error {
	defer x.complete()
	x.batch.handlers.place.Leave()
	if ctx.Err() != nil { // The context has ended, or the wait for a free place took too long.
		return fmt.Errorf(tracing.CauseNotStarted+"%w", context.Cause(ctx))
	}
	b, w, s := x.batch, x.batch.worker, x.shard
	parameter, has := b.handlers.params[s.Number]
	return w.Def.Handler.Handle(runhistory.WithStream(ctx, x.stream), core.New(core.Shard{
		Job: w.Tree.Name(), TaskID: b.handlers.taskID, JobParameter: b.view.Config.Parameter, Parameter: parameter,
		Item: s.Number, Total: b.view.Config.Shards, ScheduledAt: b.at, Source: b.kind.source(),
		FencingToken: max(s.Token, s.Least), Props: maps.Clone(b.view.Config.Props), Run: b.runInfo(),
	}, core.Call{
		HasParameter: has, Ending: func() bool { return b.ending(s.Number) }, ScriptEnv: w.Host.ScriptEnv,
		Stream: x.stream, SetResult: b.setResult(s.Number),
	}, w.Host.Log))
}

// complete takes the time when the handler has returned.
func (x *execution) complete() {
	if x.row != nil {
		x.row.CompleteTime = x.batch.worker.Host.Time()
	}
}

func (x *execution) record(err error) {
	if x.row == nil {
		return
	}
	x.row.Success, x.row.FailureCause = x.batch.rowOf(err)
	x.batch.worker.Host.Recorder.RecordExecution(*x.row)
}

// timeout returns the time limit of a batch's handlers: the stored one, else the one in the code. 0
// means no limit.
func (b *batch) timeout() time.Duration {
	if b.view.Config.Props[runs.PropTimeout] == "" {
		return b.Def.Timeout
	}
	settings, _ := runs.SettingsOf(b.view.Config)
	return settings.Timeout
}

// handle passes a failure of the job to its error handler. A non-nil result stops the run. shards
// are the shards that wait for the call.
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

func (e *RunFailure) Unwrap() error { return e.Err }

// Handle passes a failure in the batch to the job's error handler.
func (b *batch) Handle(ctx context.Context, failure error) error {
	return b.worker.handle(ctx, &RunFailure{b.handlers.origin.id, b.attempt(), failure}, b.numbers()...)
}

// thrownError ends a run because the error handler returned an error. It wraps nothing, because the
// run must not be retried whatever the cause was.
type thrownError struct{ text string }

func (e *thrownError) Error() string { return e.text }

// recordsRows reports whether rows are recorded. Discarded rows would cost as much as recorded ones.
func (w *Worker) recordsRows() bool { return w.Host.Recorder != tracing.Discard }

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
	if !w.recordsRows() {
		return
	}
	b.Host.Recorder.RecordStatus(tracing.Status{
		ID: runs.NewID(time.Now()), JobName: b.Tree.Name(), TaskID: b.handlers.taskID, SlaveID: b.Host.IP,
		Source: tracing.StatusSourceLite, ExecutionType: tracing.ExecutionTypeReady,
		Items: b.numbers(), State: state, Message: message, CreationTime: b.Host.Time(),
	})
}

// failureText lists the failed shards in Java's form for a map.
func failureText(failures map[int]error) string {
	var parts []string
	for _, n := range slices.Sorted(maps.Keys(failures)) {
		parts = append(parts, fmt.Sprintf("%d=%v", n, failures[n]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

const (
	// longPlace is how long a shard may wait for a place before the wait is an obstacle, and how long a
	// handler may go on after its context has ended. longCall is the same for a listener or an error handler.
	longPlace = 10 * time.Second
	longCall  = 30 * time.Second
)

// callSlow calls a listener or the error handler, and announces an obstacle if the call doesn't
// return.
func (w *Worker) callSlow(ctx context.Context, at obstacle.Stage, what string, shards []int, fn func(ctx context.Context) error) error {
	code, began := jobtree.ObstacleListenerHangs, w.Host.Time()
	if at == obstacle.ErrorHandler {
		code = jobtree.ObstacleErrorHandlerHangs
	}
	defer w.Obstacles.Wait(obstacle.Slow{At: at, After: longCall, Shards: shards, Obstacle: func(shards []int) jobtree.Obstacle {
		return jobtree.NewObstacle(code, what+" hasn't returned since "+began.UTC().Format(time.RFC3339)).For(shards).From(began)
	}})()
	return w.Calls.Contain(ctx, what, fn)
}

// Contain is callSlow for a listener. It announces a failure as an obstacle until a run ends without
// one.
func (b *batch) Contain(ctx context.Context, what string, fn func(ctx context.Context) error) error {
	w := b.worker
	err := w.callSlow(ctx, obstacle.Listener, what, b.numbers(), fn)
	if err != nil && ctx.Err() == nil {
		b.handlers.listenerFailed = true
		why, _, _ := strings.Cut(err.Error(), "\n") // The stack of a panic is in the log.
		b.Obstacles.Hinder(obstacle.ListenerFails, jobtree.NewObstacle(jobtree.ObstacleListenerFails, what+": "+why))
	}
	return err
}

// watchHandler announces an obstacle if the handler of a shard doesn't return after its context has
// ended. Call over when the handler has returned.
func (w *Worker) watchHandler(ctx context.Context, shard int) (over func()) {
	began := w.Host.Time()
	return w.Obstacles.WaitAfter(ctx, obstacle.Slow{At: obstacle.Handler, After: longPlace, Shards: []int{shard}, Obstacle: func(shards []int) jobtree.Obstacle {
		return jobtree.NewObstacle(jobtree.ObstacleHandlerHangs, "it was called at "+began.UTC().Format(time.RFC3339)+
			", its context has ended ("+context.Cause(ctx).Error()+"), and it hasn't returned").For(shards).From(began)
	}})
}

// takePlace waits for a place for the handler of a shard. The wait doesn't count for the timeout,
// which begins with the handler. If there is no place, ctx has ended.
func (b *batch) takePlace(ctx context.Context, shard int) (_ context.Context, release func()) {
	p := b.Host.Places
	if p == nil {
		return ctx, func() {}
	}
	b.handlers.place.Leave() // The other batches don't wait for a batch that waits for MaxParallel.
	if b.handlers.hasPlace {
		b.handlers.hasPlace = false
	} else if !p.Take(ctx, b.worker, func() func() { return b.worker.WaitForPlace([]int{shard}) }) {
		return ctx, func() {}
	}
	cancel := context.CancelFunc(func() {})
	if limit := b.timeout(); limit > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, limit, host.ErrTimeout)
	}
	return ctx, func() {
		cancel()
		p.Leave(b.worker)
	}
}

// WaitForPlace records that shards wait for a place. A long wait is an obstacle until over is
// called. A waiting request may be cancelled, so the requests are checked again from time to time.
func (w *Worker) WaitForPlace(shards []int) (over func()) {
	return w.Obstacles.Wait(obstacle.Slow{
		At: obstacle.Place, After: longPlace, Shards: shards, Again: w.Requested.Kick,
		Obstacle: func(shards []int) jobtree.Obstacle { return w.Host.Places.Full(w, shards) },
	})
}

// PlaceIsFree implements [places.Holder].
func (w *Worker) PlaceIsFree() { w.Requested.Kick() }

// ShardError is the failure of one shard, as error handlers receive it.
type ShardError struct {
	Item int
	Err  error
}

// Error names the shard.
func (e *ShardError) Error() string { return fmt.Sprintf("shard %d: %v", e.Item, e.Err) }

func (e *ShardError) Unwrap() error { return e.Err }

// runOf returns the batch for listeners. failures is nil before its shards have run.
func (b *batch) runOf(failures map[int]error) *core.LocalRun {
	w := b.worker
	config := b.view.Config
	r := &core.LocalRun{
		Job: w.Tree.Name(), TaskID: jobtree.TaskID(w.Tree.Name(), b.numbers(), b.view.ID, b.handlers.turn), Total: config.Shards,
		Items: b.numbers(), Parameters: make(map[int]string), JobParameter: config.Parameter,
		ID: b.handlers.origin.id, Attempt: b.attempt(), ScheduledAt: b.at, Source: b.kind.source(), Props: maps.Clone(config.Props), Failures: maps.Clone(failures),
		Log: b.Host.Log.With("job", b.Tree.Name()),
	}
	for _, n := range r.Items {
		if p, ok := b.handlers.params[n]; ok {
			r.Parameters[n] = p
		}
	}
	return r
}

// before calls the Before function of each listener of this instance. A non-nil result stops the
// batch.
func (b *batch) before() error {
	for _, l := range b.handlers.listeners {
		if l.Once != nil {
			if err := b.reportSuperseded(l); err != nil {
				return err
			}
			continue
		}
		if err := b.notifyListener(l, "before", l.Before, nil); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) after(failures map[int]error) error {
	if failures == nil {
		failures = map[int]error{}
	}
	for _, l := range b.handlers.listeners {
		if l.Once != nil {
			continue
		}
		if err := b.notifyListener(l, "after", l.After, failures); err != nil {
			return err
		}
	}
	return b.afterOnce(failures)
}

// call calls a function of a listener, which may be nil.
func (b *batch) call(ctx context.Context, fn host.ListenerFunc, failures map[int]error) error {
	if fn == nil {
		return nil
	}
	return fn(ctx, b.runOf(failures))
}

func (b *batch) notifyListener(l host.NamedListener, when string, fn host.ListenerFunc, failures map[int]error) error {
	err := b.Contain(b.ctx, "listener "+l.Name, func(ctx context.Context) error { return b.call(ctx, fn, failures) })
	if err != nil {
		return b.Handle(b.ctx, fmt.Errorf("listener %s: %s: %w", l.Name, when, err))
	}
	return nil
}
