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
	Before, After func(ctx context.Context, r Run) error
	// Once makes it a listener that is notified once per run of the whole job, by the last
	// instance. Nil if every instance notifies it.
	Once *Deadlines
}

// Deadlines limit how long an instance waits for the others; zero or less means the default.
type Deadlines struct{ Start, Complete time.Duration }

// Run is one run of this instance's shards, for listeners.
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
