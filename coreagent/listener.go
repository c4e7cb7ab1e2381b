package coreagent

import (
	"context"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Listener is notified of the runs of a job on this instance. Register it in [Config.Listeners] under
// a name that jobs ask for by [Job.Listeners]. It may be called for several jobs at the same time.
type Listener interface {
	// Before is called after the run's shards are decided and before the first one starts. An error goes to the
	// job's error handler and the run continues, unless that handler stops it. ctx ends when the run must end.
	Before(ctx context.Context, r *Run) error
	// After is called when every shard has returned, with [Run.Failures] set. It's not called for a
	// run that was stopped before its shards started, or ended by a THROW.
	After(ctx context.Context, r *Run) error
}

// OnceListener is notified once per run of the whole job, however many instances share it:
// ElasticJob's "distribute once" listener. Register it in [Config.OnceListeners] under a name that
// jobs ask for by [Job.Listeners].
//
// The instances meet in ZooKeeper before their shards start and after they have completed. The last
// one to arrive calls the method while the others wait. Every shard counts, so if shards are
// disabled, the wait ends at its deadline.
type OnceListener interface {
	// Started is called when every shard of the job, on all instances, is about to start and none has.
	Started(ctx context.Context, r *Run) error
	// Completed is called when every shard of the job has completed. If the run is interrupted
	// before, the error handler is notified instead.
	Completed(ctx context.Context, r *Run) error
	// Deadlines returns how long an instance waits for the others before its shards start, and
	// after they have completed. Then the barrier is removed, the error handler is notified, and
	// the run continues. Zero or less means ten minutes; ElasticJob would wait forever.
	Deadlines() (start, complete time.Duration)
}

// Run is one run of this instance's shards, for listeners.
type Run struct {
	Job string
	// TaskID names the run in ElasticJob's five-part form.
	TaskID string
	// ID and Attempt are the same as in [Shard.Run].
	ID      string
	Attempt int
	// Total is how many shards the job has, on all instances.
	Total int
	// Items are this instance's shards, ascending. There may be none: then a Listener is still
	// called, as in ElasticJob, but a OnceListener isn't.
	Items []int
	// Parameters are the shards' own, by number. A shard without one is absent.
	Parameters map[int]string
	// JobParameter is the parameter of the whole job.
	JobParameter string
	// ScheduledAt is the fire time, or when the trigger arrived.
	ScheduledAt time.Time
	// Source is what made the shards run.
	Source tracing.Source
	// Props are the job's stored properties. Read only.
	Props map[string]string
	// Failures are the errors of the failed shards, by number; nil before the shards have run.
	Failures map[int]error
	// Log has the job attached.
	Log *slog.Logger
}

func newRun(r host.Run, log *slog.Logger) *Run {
	return &Run{
		Job: r.Job, TaskID: r.TaskID, ID: r.ID, Attempt: r.Attempt, Total: r.Total, Items: r.Items, Parameters: r.Parameters,
		JobParameter: r.JobParameter, ScheduledAt: r.ScheduledAt, Source: r.Source,
		Props: r.Props, Failures: r.Failures, Log: log.With("job", r.Job),
	}
}

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
