package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
)

// Engines is a [cloud.Engine] of several namespaces. It joins one engine per namespace, which share
// clients and request limits.
type Engines struct {
	members []*Engine // the default namespace first
}

var (
	_ cloud.Engine     = (*Engines)(nil)
	_ cloud.Reporters  = (*Engines)(nil)
	_ cloud.Manifester = (*Engines)(nil)
)

// OpenAll starts an engine in the configuration's namespace and each of the others. owners returns
// the objects of a namespace, or nil if the store has none.
func OpenAll(cfg Config, others []string, owners func(namespace string) Owners) (*Engines, error) {
	e := &Engines{}
	for _, namespace := range append([]string{cfg.Namespace}, others...) {
		if e.member(namespace) != nil {
			continue
		}
		one := cfg
		one.Namespace = namespace
		if owners != nil {
			one.Owners = owners(namespace)
		}
		member, err := newEngine(one, true) // A missing right concerns one namespace, so don't wait for it.
		if err != nil {
			return nil, errors.Join(err, e.Close())
		}
		e.members = append(e.members, member)
	}
	return e, nil
}

// Close stops all engines. Runs continue.
func (e *Engines) Close() error {
	var errs []error
	for _, member := range e.members {
		errs = append(errs, member.Close())
	}
	return errors.Join(errs...)
}

func (e *Engines) member(namespace string) *Engine {
	at := slices.IndexFunc(e.members, func(m *Engine) bool { return m.cfg.Namespace == namespace })
	if at < 0 {
		return nil
	}
	return e.members[at]
}

func namespacesOf(engines []*Engine) string {
	var names []string
	for _, e := range engines {
		names = append(names, e.cfg.Namespace)
	}
	return strings.Join(names, ", ")
}

// in calls do with the engine of a namespace, the first one for "".
func (e *Engines) in(what, namespace string, do func(at *Engine) error) error {
	member := e.member(cmp.Or(namespace, e.members[0].cfg.Namespace))
	if member == nil {
		return fmt.Errorf("%s: namespace %q is not served, only %s: %w", what, namespace, namespacesOf(e.members), cloud.ErrRefused)
	}
	return do(member)
}

func (e *Engines) Capabilities() cloud.Capabilities { return e.members[0].Capabilities() }

// Launch implements [cloud.Engine] in the job's namespace.
func (e *Engines) Launch(ctx context.Context, r cloud.Run) (created bool, err error) {
	err = e.in("launch "+r.Name, r.Job.Namespace, func(at *Engine) error {
		created, err = at.Launch(ctx, r)
		return err
	})
	return created, err
}

// Daemon implements [cloud.Engine] in the job's namespace.
func (e *Engines) Daemon(ctx context.Context, d cloud.Daemon) error {
	return e.in("processes of job "+d.Job.Name, d.Job.Namespace, func(at *Engine) error { return at.Daemon(ctx, d) })
}

// Manifest implements [cloud.Manifester] in the job's namespace.
func (e *Engines) Manifest(r cloud.Run) (manifest []byte, err error) {
	err = e.in("manifest of "+r.Name, r.Job.Namespace, func(at *Engine) error {
		manifest, err = at.Manifest(r)
		return err
	})
	return manifest, err
}

func (e *Engines) End(ctx context.Context, run string, shard int, how cloud.Ending) error {
	return e.onRun("end run", run, func(at *Engine, name string) error { return at.End(ctx, name, shard, how) })
}

func (e *Engines) Resume(ctx context.Context, run string) error {
	return e.onRun("resume run", run, func(at *Engine, name string) error { return at.Resume(ctx, name) })
}

func (e *Engines) Forget(ctx context.Context, run string) error {
	return e.onRun("forget run", run, func(at *Engine, name string) error { return at.Forget(ctx, name) })
}

func (e *Engines) Explain(ctx context.Context, run string) (reasons []cloud.Reason, err error) {
	err = e.onRun("explain run", run, func(at *Engine, name string) error {
		reasons, err = at.Explain(ctx, name)
		return err
	})
	return reasons, err
}

// Logs implements [cloud.Engine] in the task's namespace.
func (e *Engines) Logs(ctx context.Context, task cloud.TaskRef, o cloud.LogOptions) (log io.ReadCloser, err error) {
	err = e.onRun("log of run", task.Run, func(at *Engine, name string) error {
		task.Run = name
		log, err = at.Logs(ctx, task, o)
		return err
	})
	return log, err
}

// Reporter implements [cloud.Reporters] for processes in all namespaces.
func (e *Engines) Reporter(ctx context.Context, token string) (job string, shard int, err error) {
	return e.members[0].reporterAmong(ctx, token, e.members)
}

// onRun calls do for a run: in the namespace of its reference, else where it was seen, else in the
// first namespace that has it.
func (e *Engines) onRun(what, run string, do func(at *Engine, name string) error) error {
	if namespace, name, named := strings.Cut(run, "/"); named {
		return e.in(what+" "+name, namespace, func(at *Engine) error { return do(at, name) })
	}
	var likely, others []*Engine
	for _, at := range e.members {
		if at.knows(run) {
			likely = append(likely, at)
		} else {
			others = append(others, at)
		}
	}
	var first error
	for _, at := range append(likely, others...) {
		err := do(at, run)
		if err == nil {
			return nil
		}
		// A forbidden namespace may have the run, but so may the next ones.
		if passes := errors.Is(err, cloud.ErrNotFound) || errors.Is(err, cloud.ErrForbidden) && !at.knows(run); !passes {
			return err
		}
		if first == nil || errors.Is(first, cloud.ErrNotFound) {
			first = err
		}
	}
	return first
}

func (e *Engine) knows(run string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, seen := e.names[run]
	return seen
}

// lookAgain is how often we check whether the API server answers and which namespaces are readable.
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
	for ctx.Err() == nil {
		send(heard{ended: e.Watch(ctx, func(event cloud.TaskEvent) { send(heard{TaskEvent: event}) })})
		_ = sleep.For(ctx, lookAgain)
	}
}
