package local

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// subject is the run or the task that an event is about. A forgotten run and a new one with its
// name are two subjects.
type subject struct {
	run *run
	uid string
}

// watcher is a caller of Watch. Changes wait here once per subject, so their memory is limited by
// the existing objects.
type watcher struct {
	pending []pending
	known   map[subject]bool // subjects in pending
	wake    chan struct{}
}

type pending struct {
	subject
	task *attempt // nil for the run itself
}

// changed queues a run or a task for all watchers. e.mu must be held.
func (e *Engine) changed(r *run, a *attempt) {
	p := pending{subject: subject{run: r}, task: a}
	if a != nil {
		p.uid = a.task.UID
	}
	for w := range e.watchers {
		w.add(p)
	}
}

func (w *watcher) add(p pending) {
	if w.known[p.subject] {
		return
	}
	w.known[p.subject] = true
	w.pending = append(w.pending, p)
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Watch implements [cloud.Engine].
func (e *Engine) Watch(ctx context.Context, report func(cloud.TaskEvent)) error {
	if err := e.usable(ctx); err != nil {
		return fmt.Errorf("watch runs: %w", err)
	}
	w := &watcher{known: make(map[subject]bool), wake: make(chan struct{}, 1)}
	e.mu.Lock()
	e.watchers[w] = struct{}{}
	present := e.present()
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		delete(e.watchers, w)
		e.mu.Unlock()
	}()
	report(cloud.TaskEvent{Event: cloud.EventReset})
	for _, event := range present {
		report(event)
	}
	report(cloud.TaskEvent{Event: cloud.EventSynced})
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("watch runs: %w", context.Cause(ctx))
		case <-e.ctx.Done():
			return fmt.Errorf("watch runs: %w", ErrClosed)
		case <-w.wake:
		}
		for {
			event, ok := e.next(w)
			if !ok || ctx.Err() != nil {
				break
			}
			report(event)
		}
	}
}

// present returns everything, each run before its tasks.
func (e *Engine) present() []cloud.TaskEvent {
	runs := make([]*run, 0, len(e.runs))
	for _, r := range e.runs {
		runs = append(runs, r)
	}
	slices.SortFunc(runs, func(a, b *run) int {
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

// next returns the next event of a watcher with the current state.
func (e *Engine) next(w *watcher) (cloud.TaskEvent, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(w.pending) == 0 {
		return cloud.TaskEvent{}, false
	}
	p := w.pending[0]
	w.pending = w.pending[1:]
	delete(w.known, p.subject)
	event := cloud.TaskEvent{Event: cloud.EventChanged, Run: p.run.status}
	if e.runs[p.run.status.Name] != p.run || p.task != nil && p.task.removed {
		event.Event = cloud.EventRemoved
	}
	if p.task != nil {
		event.Task = p.task.task
	}
	return event, true
}
