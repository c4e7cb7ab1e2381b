package coreagent

import (
	"context"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Listener is notified of the runs of a job. A job has it in [Job.Listeners]. [Config.Listeners] has
// further ones, for stored configurations that name them. It may be called for several jobs at the same time.
type Listener struct {
	// Name is the listener's name in the stored configuration. Required. All processes of a job must
	// have its listeners. Without Before and After, it's the Listener of this name in Config.Listeners.
	Name string

	// Before is called after the run's shards are decided and before the first one starts. An error goes to the
	// job's error handler and the run continues, unless that handler stops it. ctx ends when the run must end.
	Before func(ctx context.Context, r *LocalRun) error

	// After is called when every shard has returned, with [LocalRun.Failures] set. It's not called for
	// a run that was stopped before its shards started, or ended by [Throw].
	After func(ctx context.Context, r *LocalRun) error

	// Once makes the calls once per run of the whole job, however many instances share it: ElasticJob's
	// "distribute once" listener. Without it each instance makes them for its part of the run.
	//
	// The instances meet in ZooKeeper before their shards start, and after they have completed. The
	// last one to arrive makes the call while the others wait. Every shard counts, so if shards are
	// disabled, the wait ends at its limit. If the run is interrupted before the second meeting, the
	// error handler is notified instead of After.
	Once bool

	// BeforeTimeout and AfterTimeout limit how long an instance waits for the others at the two meetings. Then
	// the meeting is called off, the error handler is notified, and the run continues. They default to
	// ten minutes; ElasticJob would wait forever.
	BeforeTimeout, AfterTimeout time.Duration
}

// LocalRun is the part of a run that this instance works on, for listeners.
type LocalRun struct {
	Job string
	// TaskID names the run in ElasticJob's five-part form.
	TaskID string
	// ID and Attempt are the same as in [Shard.Run].
	ID      string
	Attempt int
	// Total is how many shards the job has, on all instances.
	Total int
	// Items are this instance's shards, ascending. There may be none: then a Listener is still
	// called, as in ElasticJob, unless it's called once.
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

func localRun(r host.Run, log *slog.Logger) *LocalRun {
	return &LocalRun{
		Job: r.Job, TaskID: r.TaskID, ID: r.ID, Attempt: r.Attempt, Total: r.Total, Items: r.Items, Parameters: r.Parameters,
		JobParameter: r.JobParameter, ScheduledAt: r.ScheduledAt, Source: r.Source,
		Props: r.Props, Failures: r.Failures, Log: log.With("job", r.Job),
	}
}

func (l Listener) hosted(log *slog.Logger) host.Listener {
	call := func(fn func(context.Context, *LocalRun) error) func(context.Context, host.Run) error {
		if fn == nil {
			return func(context.Context, host.Run) error { return nil }
		}
		return func(ctx context.Context, r host.Run) error { return fn(ctx, localRun(r, log)) }
	}
	own := host.Listener{Before: call(l.Before), After: call(l.After)}
	if l.Once {
		own.Once = &host.Deadlines{Start: l.BeforeTimeout, Complete: l.AfterTimeout}
	}
	return own
}

// declared reports whether the listener is more than a name.
func (l Listener) declared() bool { return l.Before != nil || l.After != nil }
