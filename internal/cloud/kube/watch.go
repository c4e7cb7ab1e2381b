package kube

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// resync is how often an informer reports everything again.
const resync = 10 * time.Minute

// observe creates the informers of our Jobs, StatefulSets and their pods.
func (e *Engine) observe() error {
	clients, namespace := e.cfg.Clients, e.cfg.Namespace
	e.jobs = informer(e, "jobs", clients.Jobs.In(namespace), &batchv1.Job{})
	e.pods = informer(e, "pods", clients.Pods.In(namespace), &corev1.Pod{})
	e.sets = informer(e, "statefulsets", clients.Sets.In(namespace), &appsv1.StatefulSet{})
	return e.handle()
}

// source is the client of a resource with one type of list.
type source[L runtime.Object] interface {
	List(ctx context.Context, o metav1.ListOptions) (L, error)
	Watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error)
}

// informer follows objects with our label. Each answer shows the engine whether the server is reachable.
func informer[L runtime.Object](e *Engine, resource string, from source[L], of runtime.Object) cache.SharedIndexInformer {
	return cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			o.LabelSelector = labelJob
			list, err := from.List(ctx, o)
			return list, e.reach.heard(ctx, resource, err)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			o.LabelSelector = labelJob
			changes, err := from.Watch(ctx, o)
			return changes, e.reach.heard(ctx, resource, err)
		},
	}, of, resync, cache.Indexers{})
}

// handle subscribes to the informers' reports, stripped.
func (e *Engine) handle() error {
	for name, informer := range map[string]cache.SharedIndexInformer{"jobs": e.jobs, "pods": e.pods, "statefulsets": e.sets} {
		if err := informer.SetTransform(func(object any) (any, error) { strip(object); return object, nil }); err != nil {
			return err
		}
		err := informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, _ *cache.Reflector, err error) {
			if ctx.Err() == nil {
				e.cfg.Logger.WarnContext(ctx, "the kubernetes engine can't list or watch, retrying", "resource", name, "namespace", e.cfg.Namespace, "error", err)
			}
		})
		if err != nil {
			return err
		}
	}
	for informer, handler := range map[cache.SharedIndexInformer]cache.ResourceEventHandler{
		e.jobs: cache.ResourceEventHandlerFuncs{AddFunc: e.jobChanged, UpdateFunc: func(_, now any) { e.jobChanged(now) }, DeleteFunc: e.jobDeleted},
		e.pods: cache.ResourceEventHandlerFuncs{AddFunc: e.podChanged, UpdateFunc: e.podReplaced, DeleteFunc: e.podDeleted},
		e.sets: cache.ResourceEventHandlerFuncs{AddFunc: e.setChanged, UpdateFunc: e.setReplaced, DeleteFunc: e.setDeleted},
	} {
		registered, err := informer.AddEventHandler(handler)
		if err != nil {
			return err
		}
		e.synced = append(e.synced, registered.HasSynced)
	}
	return nil
}

func (e *Engine) jobChanged(object any) {
	if job, ok := object.(*batchv1.Job); ok {
		e.onJob(job)
	}
}

func (e *Engine) jobDeleted(object any) {
	if last, missed := object.(cache.DeletedFinalStateUnknown); missed {
		object = last.Obj
	}
	if job, ok := object.(*batchv1.Job); ok {
		e.onJobVanished(job)
	}
}

func (e *Engine) podChanged(object any) {
	if pod, ok := object.(*corev1.Pod); ok {
		e.onPod(pod, false, false)
	}
}

// podReplaced handles a changed pod or, after a gap, another pod of the same name, because a
// StatefulSet reuses names.
func (e *Engine) podReplaced(before, now any) {
	last, wasPod := before.(*corev1.Pod)
	pod, isPod := now.(*corev1.Pod)
	if wasPod && isPod && last.UID != pod.UID {
		e.onPod(last, true, true)
	}
	e.podChanged(now)
}

func (e *Engine) setChanged(object any) {
	if set, ok := object.(*appsv1.StatefulSet); ok {
		e.onSet(set)
	}
}

func (e *Engine) setReplaced(before, now any) {
	last, wasSet := before.(*appsv1.StatefulSet)
	set, isSet := now.(*appsv1.StatefulSet)
	if wasSet && isSet && last.UID != set.UID {
		e.onSetVanished(last)
	}
	e.setChanged(now)
}

func (e *Engine) setDeleted(object any) {
	if last, missed := object.(cache.DeletedFinalStateUnknown); missed {
		object = last.Obj
	}
	if set, ok := object.(*appsv1.StatefulSet); ok {
		e.onSetVanished(set)
	}
}

func (e *Engine) podDeleted(object any) {
	last, missed := object.(cache.DeletedFinalStateUnknown)
	if missed {
		object = last.Obj
	}
	if pod, ok := object.(*corev1.Pod); ok {
		e.onPod(pod, true, missed)
	}
}

// subject is the run or the task that an event is about.
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
	task *task // nil for the run itself
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

// Watch implements [cloud.Engine]. It waits until everything was listed once. After a gap of the
// engine's own watch it reports the changes without a reset. It ends with an error if the API
// server doesn't answer for [lostAfter].
func (e *Engine) Watch(ctx context.Context, report func(cloud.TaskEvent)) error {
	if err := e.usable(ctx); err != nil {
		return fmt.Errorf("watch runs: %w", err)
	}
	if _, _, err := e.reach.lost(); err != nil {
		return fmt.Errorf("watch runs: %w", err)
	}
	both, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(e.ctx, func() { cancel(ErrClosed) })()
	var lost sync.WaitGroup
	defer lost.Wait()
	defer cancel(nil)
	lost.Go(func() {
		if err := e.reach.awaitLost(both); err != nil {
			cancel(err)
		}
	})
	cache.WaitForCacheSync(both.Done(), e.synced...)
	if both.Err() != nil {
		return fmt.Errorf("watch runs: %w", context.Cause(both))
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
		case <-both.Done():
			return fmt.Errorf("watch runs: %w", context.Cause(both))
		case <-w.wake:
		}
		for both.Err() == nil {
			event, ok := e.next(w)
			if !ok {
				break
			}
			report(event)
		}
	}
}

// present returns everything, each run before its tasks. e.mu must be held.
func (e *Engine) present() []cloud.TaskEvent {
	runs := slices.DeleteFunc(slices.Collect(maps.Values(e.runs)), func(r *run) bool { return r.vanished || r.job == nil })
	for _, d := range e.daemons {
		if d.status.Name != "" {
			runs = append(runs, &d.run)
		}
	}
	slices.SortFunc(runs, func(a, b *run) int {
		return cmp.Or(a.status.Created.Compare(b.status.Created), cmp.Compare(a.status.Name, b.status.Name))
	})
	var events []cloud.TaskEvent
	for _, r := range runs {
		events = append(events, cloud.TaskEvent{Event: cloud.EventChanged, Run: r.status})
		for _, shard := range slices.Sorted(maps.Keys(r.byShard)) {
			for _, t := range r.byShard[shard] {
				if t.current.State != "" {
					events = append(events, cloud.TaskEvent{Event: cloud.EventChanged, Run: r.status, Task: t.current})
				}
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
	if p.run.vanished || p.task != nil && p.task.dropped {
		event.Event = cloud.EventRemoved
	}
	if p.task != nil {
		event.Task = p.task.current
	}
	return event, true
}
