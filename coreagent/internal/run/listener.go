package run

import (
	"context"
	"fmt"
	"maps"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// ShardError is the failure of one shard, as error handlers receive it.
type ShardError struct {
	Item int
	Err  error
}

// Error names the shard.
func (e *ShardError) Error() string { return fmt.Sprintf("shard %d: %v", e.Item, e.Err) }

// Unwrap returns the cause.
func (e *ShardError) Unwrap() error { return e.Err }

// runOf is what listeners learn of a batch; failures is nil before its shards
// have run.
func (b *batch) runOf(failures map[int]error) host.Run {
	w := b.worker
	config := b.view.Config
	r := host.Run{
		Job: w.Tree.Name(), TaskID: jobtree.TaskID(w.Tree.Name(), b.numbers(), b.view.ID, b.turn), Total: config.Shards,
		Items: b.numbers(), Parameters: make(map[int]string), JobParameter: config.Parameter,
		ID: b.origin.id, Attempt: b.attempt(), ScheduledAt: b.at, Source: b.kind.source(), Props: maps.Clone(config.Props), Failures: maps.Clone(failures),
	}
	for _, n := range r.Items {
		if p, ok := b.params[n]; ok {
			r.Parameters[n] = p
		}
	}
	return r
}

// before tells the listeners of this instance that the batch starts. A non-nil
// result stops it.
func (b *batch) before() error {
	for _, l := range b.listeners {
		if l.Once != nil {
			if err := b.reportSuperseded(l); err != nil {
				return err
			}
			continue
		}
		if err := b.tell(l, "before", l.Before, nil); err != nil {
			return err
		}
	}
	return nil
}

// after tells them that it has ended.
func (b *batch) after(failures map[int]error) error {
	if failures == nil {
		failures = map[int]error{}
	}
	for _, l := range b.listeners {
		if l.Once != nil {
			continue
		}
		if err := b.tell(l, "after", l.After, failures); err != nil {
			return err
		}
	}
	return b.afterOnce(failures)
}

// tell calls a listener; its error is the error handler's business.
func (b *batch) tell(l host.NamedListener, when string, fn func(context.Context, host.Run) error, failures map[int]error) error {
	w := b.worker
	err := w.callSlow(b.ctx, obstacle.Listener, "listener "+l.Name, b.numbers(), func(ctx context.Context) error { return fn(ctx, b.runOf(failures)) })
	if err != nil {
		return b.handle(fmt.Errorf("listener %s: %s: %w", l.Name, when, err))
	}
	return nil
}
