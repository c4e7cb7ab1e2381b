// Package changes reports the changes of an engine to the callers of its Watch.
//
//	engine ── Add, with its lock ──▶ a queue per watcher ── Watch ──▶ events with the current state
//
// Changes wait once per run and task, so their memory is limited by the existing objects.
package changes

import (
	"context"
	"sync"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/wake"
)

// Feed has the watchers of an engine. A subject S is a run or a task.
type Feed[S comparable] struct {
	// Lock is the engine's.
	Lock sync.Locker
	// Present returns everything, each run before its tasks. Event returns the current state of a
	// subject. Both are called with the lock held.
	Present func() []cloud.TaskEvent
	Event   func(S) cloud.TaskEvent

	watchers map[*watcher[S]]struct{}
}

type watcher[S comparable] struct {
	pending []S
	known   map[S]bool // subjects in pending
	wake    chan struct{}
}

// Add queues a subject for all watchers. The lock must be held.
func (f *Feed[S]) Add(s S) {
	for w := range f.watchers {
		if w.known[s] {
			continue
		}
		w.known[s] = true
		w.pending = append(w.pending, s)
		wake.Up(w.wake)
	}
}

// Watch reports the current state and then every change until ctx ends. It returns the cause.
func (f *Feed[S]) Watch(ctx context.Context, report func(cloud.TaskEvent)) error {
	w := &watcher[S]{known: make(map[S]bool), wake: make(chan struct{}, 1)}
	f.Lock.Lock()
	if f.watchers == nil {
		f.watchers = make(map[*watcher[S]]struct{})
	}
	f.watchers[w] = struct{}{}
	present := f.Present()
	f.Lock.Unlock()
	defer func() {
		f.Lock.Lock()
		delete(f.watchers, w)
		f.Lock.Unlock()
	}()
	report(cloud.TaskEvent{Event: cloud.EventReset})
	for _, event := range present {
		report(event)
	}
	report(cloud.TaskEvent{Event: cloud.EventSynced})
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-w.wake:
		}
		for event, ok := f.next(w); ok && ctx.Err() == nil; event, ok = f.next(w) {
			report(event)
		}
	}
}

func (f *Feed[S]) next(w *watcher[S]) (event cloud.TaskEvent, ok bool) {
	f.Lock.Lock()
	defer f.Lock.Unlock()
	if len(w.pending) == 0 {
		return event, false
	}
	s := w.pending[0]
	w.pending = w.pending[1:]
	delete(w.known, s)
	return f.Event(s), true
}
