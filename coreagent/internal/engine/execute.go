package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// executeShards runs every shard of the batch and returns the errors by shard, and
// what the error handler made of the only shard's.
func (b *batch) executeShards() (failures map[int]error, thrown error) {
	j := b.job
	ctx, cancel := b.ctx, context.CancelFunc(func() {})
	if limit := b.timeout(); limit > 0 && j.env.places == nil {
		ctx, cancel = context.WithTimeoutCause(ctx, limit, ErrTimeout)
	}
	defer cancel()
	ctx, span := b.beginRunSpan(ctx)
	var mu sync.Mutex
	failures, b.interrupted = make(map[int]error), make(map[int]bool)
	execute := func(s shard) error {
		err, stop := b.executeShard(ctx, s)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failures[s.number] = err
			b.interrupted[s.number] = b.ctx.Err() != nil
		}
		thrown = errors.Join(thrown, stop)
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
		j.endSpan(span, strconv.Itoa(len(failures))+" of "+strconv.Itoa(len(b.shards))+" shards failed")
	} else {
		j.endSpan(span, "")
	}
	if thrown != nil && len(b.shards) > 1 {
		// In ElasticJob it dies in its pool's thread, and the run goes on.
		j.log.Error("a shard failed and its error handler threw", "err", thrown)
		thrown = nil
	}
	return failures, thrown
}

// executeShard runs one shard; stop is what its error handler threw.
func (b *batch) executeShard(ctx context.Context, s shard) (err, stop error) {
	j := b.job
	ctx, release := b.takePlace(ctx)
	param, has := b.params[s.number]
	event := tracing.Execution{
		JobName: j.Name(), TaskID: b.taskID, Hostname: j.env.Hostname, IP: j.env.IP,
		Source: b.source, Item: s.number, StartTime: j.env.now(),
		RunID: b.origin.id, Attempt: b.attempt(), Trigger: b.origin.trigger, ScheduledAt: b.origin.fire,
	}
	var stream *runhistory.Stream
	if j.keepsRows() {
		event.ID = runs.NewID(time.Now())
		j.env.Recorder.RecordExecution(event)
		stream = j.env.History.Begin(event)
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("not started: %w", context.Cause(ctx)) // It waited for a free place too long.
	} else {
		ctx, span := b.beginShardSpan(runhistory.WithStream(ctx, stream), s)
		err = j.calls.Contain(ctx, "handler of shard "+strconv.Itoa(s.number), func(ctx context.Context) error {
			b.gate.Leave()
			return j.def.Execute(ctx, Shard{
				Job: j.Name(), TaskID: b.taskID, JobParameter: b.view.config.Parameter,
				Parameter: param, HasParameter: has, Item: s.number, Total: b.view.config.Shards,
				ScheduledAt: b.at, Source: b.source, FencingToken: max(s.token, s.least), Props: b.view.config.Props,
				Resharding: j.reshardingAnnounced, Run: b.runInfo(), Stream: stream, SetResult: b.setResult(s.number),
			})
		})
		j.endSpan(span, spanFailure(err))
	}
	release()
	stream.End()
	event.CompleteTime, event.Success = j.env.now(), err == nil
	b.gate.AwaitOthers()
	if err != nil {
		event.FailureCause = err.Error()
	}
	if j.keepsRows() {
		j.env.Recorder.RecordExecution(event)
	}
	if err != nil && b.speaks(s.number, err) {
		stop = j.handle(b.ctx, &ShardError{Item: s.number, Err: err})
	}
	return err, stop
}

// timeout is how long the handlers of a batch may take: as stored, or as the code says
// where nothing is stored; 0 for ever.
func (b *batch) timeout() time.Duration {
	if b.view.config.Props[runs.PropTimeout] == "" {
		return b.job.def.Timeout
	}
	settings, _ := runs.SettingsOf(b.view.config)
	return settings.Timeout
}

// handle passes a failure of the job to its error handler. A non-nil result
// stops the run.
func (j *Job) handle(ctx context.Context, failure error) error {
	var stop error
	if err := j.calls.Contain(ctx, "error handler", func(ctx context.Context) error {
		stop = j.errors.Handle(ctx, failure)
		return nil
	}); err != nil {
		j.log.ErrorContext(ctx, "Job '"+j.Name()+"' exception occur in job processing", "err", failure, "error handler", err) //nolint:sloglint // ElasticJob's own words
		return nil
	}
	if stop == nil {
		return nil
	}
	return &thrownError{stop.Error()}
}

// thrownError ends a run because the error handler says so. It wraps nothing:
// whatever the cause was, the run is not to be repeated for it.
type thrownError struct{ text string }

func (e *thrownError) Error() string { return e.text }

// keepsRows reports whether anybody keeps rows: those that nobody keeps would cost as
// much as the others.
func (j *Job) keepsRows() bool { return j.env.Recorder != tracing.Discard }

// reshardingAnnounced tells a streaming job to end its loop.
func (j *Job) reshardingAnnounced() bool {
	v, _ := j.snapshot()
	return v == nil || !v.settled
}

func (b *batch) postStatus(state tracing.State, message string) {
	j := b.job
	if !j.keepsRows() {
		return
	}
	j.env.Recorder.RecordStatus(tracing.Status{
		ID: runs.NewID(time.Now()), JobName: j.Name(), TaskID: b.taskID, SlaveID: j.env.IP,
		Source: tracing.StatusSourceLite, ExecutionType: tracing.ExecutionTypeReady,
		Items: b.numbers(), State: state, Message: message, CreationTime: j.env.now(),
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
