package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Listener is notified of the runs of a job.
type Listener struct {
	// Before and After are called around a run.
	Before, After func(ctx context.Context, r Run) error
	// Once makes it a listener that is notified once per run of the whole job: by
	// the instance that comes last. Nil for one that is notified on each instance.
	Once *Deadlines
}

// Deadlines are how long an instance waits for the others; zero or less means
// the default.
type Deadlines struct{ Start, Complete time.Duration }

// Run is what listeners learn of one run of this instance's shards.
type Run struct {
	Job          string
	TaskID       string
	Total        int
	Items        []int
	ID           string // as in Shard.RunID
	Attempt      int    // counts from 1
	Parameters   map[int]string
	JobParameter string
	ScheduledAt  time.Time
	Source       tracing.Source
	Props        map[string]string
	Failures     map[int]error // nil before the shards have run
}

// UnknownListenerError says that a configuration names a listener that nobody
// registered.
type UnknownListenerError struct {
	Name    string
	Allowed []string
}

// Error begins with ElasticJob's message.
func (e *UnknownListenerError) Error() string {
	allowed := "none is registered"
	if len(e.Allowed) > 0 {
		allowed = "Allowed types: " + strings.Join(e.Allowed, ", ")
	}
	return fmt.Sprintf("Cannot find job listener type '%s'. %s.", e.Name, allowed)
}

// namedListener is a listener a job asks for.
type namedListener struct {
	Listener
	name string
}

// ResolveListeners returns the listeners of a job by their names, in that order.
// One that is named twice is notified once.
func ResolveListeners(names []string, registered map[string]Listener) ([]namedListener, error) {
	found := make([]namedListener, 0, len(names))
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		l, ok := registered[name]
		if !ok {
			return nil, &UnknownListenerError{Name: name, Allowed: slices.Sorted(maps.Keys(registered))}
		}
		found = append(found, namedListener{l, name})
	}
	return found, nil
}

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
func (b *batch) runOf(failures map[int]error) Run {
	j := b.job
	config := b.view.Config
	r := Run{
		Job: j.Name(), TaskID: jobtree.TaskID(j.Name(), b.numbers(), b.view.ID, b.turn), Total: config.Shards,
		Items: b.numbers(), Parameters: make(map[int]string), JobParameter: config.Parameter,
		ID: b.origin.id, Attempt: b.attempt(), ScheduledAt: b.at, Source: b.source, Props: maps.Clone(config.Props), Failures: maps.Clone(failures),
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
func (b *batch) tell(l namedListener, when string, fn func(context.Context, Run) error, failures map[int]error) error {
	j := b.job
	err := j.callSlow(b.ctx, obstacle.Listener, "listener "+l.name, b.numbers(), func(ctx context.Context) error { return fn(ctx, b.runOf(failures)) })
	if err != nil {
		return b.handle(fmt.Errorf("listener %s: %s: %w", l.name, when, err))
	}
	return nil
}
