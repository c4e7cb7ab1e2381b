package coreagent

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
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

// LocalRun is the part of a run that this instance works on, for listeners: its shards and their
// parameters, what made them run, and the failures.
type LocalRun = core.LocalRun

// hosted returns the listener for the engine.
func (l Listener) hosted() host.Listener {
	own := host.Listener{Before: l.Before, After: l.After}
	if l.Once {
		own.Once = &host.Deadlines{Start: l.BeforeTimeout, Complete: l.AfterTimeout}
	}
	return own
}

// declared reports whether the listener is more than a name.
func (l Listener) declared() bool { return l.Before != nil || l.After != nil }
