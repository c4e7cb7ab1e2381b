package coreagent

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/engine"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/oneshard"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/usercode"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

func init() {
	oneshard.Run = func(ctx context.Context, job, handler any, item int, requested *oneshard.Requested, log *slog.Logger) (bool, error) {
		h, _ := handler.(Handler) // A nil handler is found below.
		return runOneShard(ctx, job.(Job), h, item, requested, log)
	}
}

// runOneShard runs one shard as the engine would, without anything around it:
// no markers, no trace, and a panic goes up to the caller's test.
func runOneShard(ctx context.Context, job Job, h Handler, item int, requested *oneshard.Requested, log *slog.Logger) (invalid bool, err error) {
	if h, err = (Config{}).handler(job, h); err != nil {
		return true, err
	}
	config, err := job.config(h)
	if err != nil {
		return true, fmt.Errorf("job %q: %w", job.Name, err)
	}
	_, own, err := job.schema(h)
	if err != nil {
		return true, fmt.Errorf("job %q: %w", job.Name, err)
	}
	if item < 0 || item >= config.Shards {
		return true, fmt.Errorf("shard %d: the job has the shards 0 to %d", item, config.Shards-1)
	}
	parameters, err := jobconfig.ParseItemParameters(config.ItemParameters)
	if err != nil {
		return true, err
	}
	if job.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, job.Timeout, ErrTimeout)
		defer cancel()
	}
	parameter, has := parameters[item]
	shard := engine.Shard{
		Job: job.Name, TaskID: jobtree.TaskID(job.Name, []int{item}, "", ""), JobParameter: config.Parameter,
		Parameter: parameter, HasParameter: has, Item: item, Total: config.Shards,
		ScheduledAt: time.Now(), Source: tracing.SourceNormal, FencingToken: 1, Props: config.Props,
		Ending: func() bool { return false }, RunID: "test", Attempt: 1,
	}
	if requested != nil {
		shard.Run = &jobtree.RunRequest{
			ID: requested.ID, Params: requested.Params, Attempt: requested.Attempt, Retries: requested.Retries, Key: requested.Key, Note: requested.Note,
			By: jobtree.RunBy{Kind: "code"},
		}
		shard.SetResult = requested.SetResult
		shard.Stream = runhistory.New(requested.Recorder, nil, runhistory.Limits{}, time.Now).Begin(tracing.Execution{
			ID: runs.NewID(time.Now()), JobName: job.Name, RunID: requested.ID, Item: item, Attempt: requested.Attempt,
		})
		ctx = runhistory.WithStream(ctx, shard.Stream)
		defer shard.Stream.End()
	}
	return false, usercode.Caused(ctx, h.Handle(ctx, newShard(shard, log, nil, own)))
}
