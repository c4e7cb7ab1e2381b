package host

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Listener is notified of the runs of a job.
type Listener struct {
	// Before and After are called around a run.
	Before, After func(ctx context.Context, r Run) error
	// Once makes it a listener that is notified once per run of the whole job: by
	// the instance that comes last. Nil if it is notified on each instance.
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

// UnknownListenerError is the error of a configuration with a listener that isn't registered.
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

// NamedListener is a listener a job asks for.
type NamedListener struct {
	Listener
	Name string
}

// ResolveListeners returns the listeners of a job by their names, in that order.
// A listener that is named twice is notified once.
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
