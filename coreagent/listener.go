package coreagent

import (
	"context"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Listener is notified of the runs of a job on this instance, under a name in
// [Config.Listeners] that jobs ask for by [Job.Listeners]. It may be called for
// several jobs at the same time.
type Listener interface {
	// Before is called when the run's shards are settled and before the first
	// of them starts. An error goes to the job's error handler and the run
	// goes on, unless that handler stops it. ctx ends when the run must end.
	Before(ctx context.Context, r *Run) error
	// After is called when every shard has returned, with [Run.Failures]
	// filled. It is not called for a run that was stopped before its shards
	// started, or that a THROW ended.
	After(ctx context.Context, r *Run) error
}

// OnceListener is notified once per run of the whole job, however many instances
// share it: ElasticJob's "distribute once" listener. It stands under a name in
// [Config.OnceListeners] that jobs ask for by [Job.Listeners].
//
// The instances meet in ZooKeeper before their shards start and after they have
// completed. The one that comes last calls the method while the others wait.
// Every shard counts: where shards are disabled, the wait ends at its deadline.
type OnceListener interface {
	// Started is called when every shard of the job, on whatever instance, is
	// about to start and none has.
	Started(ctx context.Context, r *Run) error
	// Completed is called when every shard of the job has completed. If that never comes,
	// because the run was interrupted, the error handler is notified.
	Completed(ctx context.Context, r *Run) error
	// Deadlines returns how long an instance waits for the others before its
	// shards start, and after they have completed. When the time is over the
	// barrier is taken down, the error handler is notified, and the run goes on.
	// Zero or less means ten minutes; ElasticJob would wait for ever.
	Deadlines() (start, complete time.Duration)
}

// Run is one run of this instance's shards, as listeners see it.
type Run struct {
	// Job is the job's name.
	Job string
	// TaskID names the run in ElasticJob's five-part form.
	TaskID string
	// ID and Attempt are the same as in [Shard.Run].
	ID      string
	Attempt int
	// Total is how many shards the job has, on all instances.
	Total int
	// Items are those this instance runs, ascending. It may have none: a
	// Listener is called all the same, as in ElasticJob, a OnceListener is not.
	Items []int
	// Parameters are the shards' own, by number; a shard without one is absent.
	Parameters map[int]string
	// JobParameter is the parameter of the whole job.
	JobParameter string
	// ScheduledAt is the fire time, or when the trigger arrived.
	ScheduledAt time.Time
	// Source says what made the shards run.
	Source tracing.Source
	// Props are the job's properties as stored. Read only.
	Props map[string]string
	// Failures are the errors of the shards that failed, by number; nil before
	// the shards have run.
	Failures map[int]error
	// Log writes with the job attached.
	Log *slog.Logger
}

func newRun(r host.Run, log *slog.Logger) *Run {
	return &Run{
		Job: r.Job, TaskID: r.TaskID, ID: r.ID, Attempt: r.Attempt, Total: r.Total, Items: r.Items, Parameters: r.Parameters,
		JobParameter: r.JobParameter, ScheduledAt: r.ScheduledAt, Source: r.Source,
		Props: r.Props, Failures: r.Failures, Log: log.With("job", r.Job),
	}
}

// listeners returns the user's listeners as the engine takes them.
func (cfg Config) listeners() map[string]host.Listener {
	named := make(map[string]host.Listener, len(cfg.Listeners)+len(cfg.OnceListeners))
	for name, l := range cfg.Listeners {
		named[name] = host.Listener{
			Before: func(ctx context.Context, r host.Run) error { return l.Before(ctx, newRun(r, cfg.Logger)) },
			After:  func(ctx context.Context, r host.Run) error { return l.After(ctx, newRun(r, cfg.Logger)) },
		}
	}
	for name, l := range cfg.OnceListeners {
		start, complete := l.Deadlines()
		named[name] = host.Listener{
			Once:   &host.Deadlines{Start: start, Complete: complete},
			Before: func(ctx context.Context, r host.Run) error { return l.Started(ctx, newRun(r, cfg.Logger)) },
			After:  func(ctx context.Context, r host.Run) error { return l.Completed(ctx, newRun(r, cfg.Logger)) },
		}
	}
	return named
}
