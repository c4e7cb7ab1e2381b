package kube

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// lookAgain is how often we check whether an engine can be watched again.
const lookAgain = time.Second

// heard is a message from a member's watch.
type heard struct {
	from *Engine
	cloud.TaskEvent
	ended error // why its watch ended, instead of an event
}

// Watch implements [cloud.Engine]. It waits until each namespace was listed once or turns out to be
// unreadable, and reports the last known state of an unreadable one. It ends when a namespace
// becomes readable or unreadable, and if none is readable.
func (e *Engines) Watch(ctx context.Context, report func(cloud.TaskEvent)) error {
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	events := make(chan heard)
	for _, member := range e.members {
		group.Go(func() { member.watchFor(ctx, events) })
	}
	report(cloud.TaskEvent{Event: cloud.EventReset})
	w := enginesWatch{Engines: e, report: report, read: make(map[*Engine]bool), unread: make(map[*Engine]error)}
	for {
		select {
		case h := <-events:
			if err := w.take(h); err != nil {
				return fmt.Errorf("watch runs: %w", err)
			}
		case <-ctx.Done():
			return fmt.Errorf("watch runs: %w", context.Cause(ctx))
		}
	}
}

type enginesWatch struct {
	*Engines
	report func(cloud.TaskEvent)
	read   map[*Engine]bool  // has reported everything
	unread map[*Engine]error // unreadable
	synced bool              // all are one of the two, and that was reported
}

// take reports a message. It returns why the watch must end, or nil.
func (w *enginesWatch) take(h heard) error {
	namespace, known := h.from.cfg.Namespace, w.unread[h.from] != nil
	switch {
	case h.ended != nil && known:
		return nil // nothing has changed
	case known:
		return fmt.Errorf("namespace %s can be read again", namespace)
	case h.ended != nil && w.synced:
		return fmt.Errorf("namespace %s can no longer be read: %w", namespace, h.ended)
	case h.ended != nil:
		w.unread[h.from] = h.ended
		delete(w.read, h.from)
		h.from.publishLast(w.report)
		w.report(cloud.TaskEvent{Event: cloud.EventUnread, Namespace: namespace, Err: h.ended})
	case h.Event == cloud.EventSynced:
		w.read[h.from] = true
	case h.Event == cloud.EventReset:
		return nil // all were reset together
	default:
		w.report(h.at(h.TaskEvent))
		return nil
	}
	if len(w.unread) == len(w.members) {
		return fmt.Errorf("no namespace can be read, for example %s: %w", namespace, h.ended)
	}
	if !w.synced && len(w.read)+len(w.unread) == len(w.members) {
		w.synced = true
		w.report(cloud.TaskEvent{Event: cloud.EventSynced})
	}
	return nil
}

// at sets the namespace of an event.
func (h heard) at(event cloud.TaskEvent) cloud.TaskEvent {
	event.Run.Namespace = h.from.cfg.Namespace
	return event
}

// publishLast reports the last known state of an unreadable namespace.
func (e *Engine) publishLast(report func(cloud.TaskEvent)) {
	e.mu.Lock()
	present := e.present()
	e.mu.Unlock()
	for _, event := range present {
		report(heard{from: e}.at(event))
	}
}

// watchFor sends an engine's reports, and each reason why its watch ended, until ctx ends.
func (e *Engine) watchFor(ctx context.Context, events chan<- heard) {
	send := func(h heard) {
		h.from = e
		select {
		case events <- h:
		case <-ctx.Done():
		}
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		send(heard{ended: e.Watch(ctx, func(event cloud.TaskEvent) { send(heard{TaskEvent: event}) })})
		timer.Reset(lookAgain)
	}
}
