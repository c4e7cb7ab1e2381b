package coreagent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/engine"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/oneshard"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/usererror"
)

func init() {
	oneshard.RunTask = func(ctx context.Context, handler any, t oneshard.Task, log *slog.Logger) (bool, error) {
		h, _ := handler.(Handler) // A nil handler is found below.
		return runTask(ctx, h, t, log)
	}
	oneshard.CheckTask = func(handler any) error {
		h, _ := handler.(Handler)
		return checkHandler(h)
	}
}

// checkHandler says what is wrong with a handler itself.
func checkHandler(h Handler) error {
	if h == nil {
		return errors.New("the handler is nil")
	}
	if k, ok := h.(kind); ok {
		return k.check()
	}
	return nil
}

// runTask runs the one shard of a process that ElasticJob-Cloud has started. The scheduler
// has checked the job; only what the handler itself needs is checked here.
func runTask(ctx context.Context, h Handler, t oneshard.Task, log *slog.Logger) (invalid bool, err error) {
	if err := checkHandler(h); err != nil {
		return true, err
	}
	props := make(map[string]string)
	if k, ok := h.(kind); ok {
		maps.Copy(props, k.jobProps()) // Initial values: what the job has counts.
	}
	maps.Copy(props, t.Props)
	shard := engine.Shard{
		Job: t.Job, TaskID: t.ID, JobParameter: t.JobParameter, Parameter: t.Parameter, HasParameter: t.HasParameter,
		Item: t.Item, Total: t.Total, ScheduledAt: t.ScheduledAt, Source: t.Source, FencingToken: t.FencingToken,
		Props: props, Ending: func() bool { return false }, RunID: t.RunID, Attempt: max(t.Attempt, 1),
	}
	if t.Requested {
		shard.Run = &jobtree.RunRequest{ID: t.RunID, Params: t.Params, Attempt: t.Attempt}
	}
	err = usererror.Freeze(fmt.Sprintf("handler of shard %d", t.Item), h.Handle(ctx, newShard(shard, log, nil, nil)))
	if skip, is := errors.AsType[*engine.SkipError](err); is {
		log.InfoContext(ctx, "skipped", "reason", skip.Reason)
		return false, nil
	}
	if _, is := errors.AsType[*engine.SnoozeError](err); is {
		return false, fmt.Errorf("%w: a process of ElasticJob-Cloud cannot be put off; fail and let failover try again", err)
	}
	return false, err
}
