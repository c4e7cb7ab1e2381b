package local

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// subject is the run or the task that an event is about. A forgotten run and a new one with its
// name are two subjects.
type subject struct {
	run  *run
	task *attempt // nil for the run itself
}

// changed queues a run or a task for all watchers. e.mu must be held.
func (e *Engine) changed(r *run, a *attempt) { e.watchers.Add(subject{r, a}) }

func (e *Engine) Watch(ctx context.Context, report func(cloud.TaskEvent)) error {
	if err := e.usable(ctx); err != nil {
		return fmt.Errorf("watch runs: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(e.ctx, func() { cancel(ErrClosed) })()
	return fmt.Errorf("watch runs: %w", e.watchers.Watch(ctx, report))
}

// present returns everything, each run before its tasks.
func (e *Engine) present() []cloud.TaskEvent {
	runs := slices.SortedFunc(maps.Values(e.runs), func(a, b *run) int {
		return cmp.Or(a.status.Created.Compare(b.status.Created), cmp.Compare(a.status.Name, b.status.Name))
	})
	var events []cloud.TaskEvent
	for _, r := range runs {
		events = append(events, cloud.TaskEvent{Event: cloud.EventChanged, Run: r.status})
		for _, s := range r.shards {
			for _, a := range s.attempts {
				events = append(events, cloud.TaskEvent{Event: cloud.EventChanged, Run: r.status, Task: a.task})
			}
		}
	}
	return events
}

func (e *Engine) event(s subject) cloud.TaskEvent {
	event := cloud.TaskEvent{Event: cloud.EventChanged, Run: s.run.status}
	if e.runs[s.run.status.Name] != s.run || s.task != nil && s.task.removed {
		event.Event = cloud.EventRemoved
	}
	if s.task != nil {
		event.Task = s.task.task
	}
	return event
}
