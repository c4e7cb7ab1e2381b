package host

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
)

// Plugins are the user's own code that a job's stored configuration can name.
type Plugins struct {
	Executors  map[string]int // shards of a job that run side by side
	Strategies map[string]sharding.Strategy
	Listeners  map[string]Listener
	Errors     *errorhandler.Set // makes and serves the job's error handler
}

// With returns p and own, which comes first if both have a name.
func (p Plugins) With(own Plugins, handlers map[string]errorhandler.Factory) Plugins {
	return Plugins{
		Executors: merged(p.Executors, own.Executors), Strategies: merged(p.Strategies, own.Strategies),
		Listeners: merged(p.Listeners, own.Listeners), Errors: p.Errors.With(handlers),
	}
}

func merged[V any](base, own map[string]V) map[string]V {
	if len(own) == 0 {
		return base
	}
	all := maps.Clone(base)
	maps.Copy(all, own)
	return all
}

const (
	ExecutorCPU    = "CPU" // the default
	ExecutorSingle = "SINGLE_THREAD"
)

// ExecutorTypes lists ElasticJob's executor types.
func ExecutorTypes() []string { return []string{ExecutorCPU, ExecutorSingle} }

// UnknownExecutorError is returned if a configuration has an unknown executor type.
type UnknownExecutorError struct {
	Type  string
	Known []string
}

func (e *UnknownExecutorError) Error() string {
	return fmt.Sprintf("Cannot find executor service handler using type '%s'. Allowed types: %s (empty means %s).",
		e.Type, strings.Join(e.Known, ", "), ExecutorCPU)
}

// Parallel returns how many shards of a job run in parallel with an executor type: twice the
// processors, as in ElasticJob, one, or the limit of a custom type.
func Parallel(executorType string, own map[string]int) (int, error) {
	switch executorType {
	case "", ExecutorCPU:
		return 2 * runtime.NumCPU(), nil
	case ExecutorSingle:
		return 1, nil
	}
	if n := own[executorType]; n > 0 {
		return n, nil
	}
	return 0, &UnknownExecutorError{executorType, append(ExecutorTypes(), slices.Sorted(maps.Keys(own))...)}
}

// ListenerFunc is a function of a listener.
type ListenerFunc func(ctx context.Context, r *core.LocalRun) error

// Listener is notified of the runs of a job.
type Listener struct {
	Before, After ListenerFunc // may be nil
	// Once makes it a listener that is notified once per run of the whole job, by the last
	// instance. Nil if every instance notifies it.
	Once *Deadlines
}

// Deadlines limit how long an instance waits for the others; zero or less means the default.
type Deadlines struct{ Start, Complete time.Duration }

// UnknownListenerError is returned if a configuration names an unregistered listener.
type UnknownListenerError struct {
	Name    string
	Allowed []string
}

func (e *UnknownListenerError) Error() string {
	allowed := "none is registered"
	if len(e.Allowed) > 0 {
		allowed = "Allowed types: " + strings.Join(e.Allowed, ", ")
	}
	return fmt.Sprintf("Cannot find job listener type '%s'. %s.", e.Name, allowed)
}

// NamedListener is a listener of a job.
type NamedListener struct {
	Listener
	Name string
}

// ResolveListeners returns the named listeners of a job in order. A listener that is named twice is
// notified once.
func ResolveListeners(names []string, registered map[string]Listener) ([]NamedListener, error) {
	found := make([]NamedListener, 0, len(names))
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		l, ok := registered[name]
		if !ok {
			return nil, &UnknownListenerError{Name: name, Allowed: slices.Sorted(maps.Keys(registered))}
		}
		found = append(found, NamedListener{l, name})
	}
	return found, nil
}
