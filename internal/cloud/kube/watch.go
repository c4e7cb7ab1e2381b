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
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
)

// resync is how often an informer reports everything again.
const resync = 10 * time.Minute

// observe creates the informers of our Jobs, StatefulSets and their pods.
func (e *Engine) observe() error {
	return cmp.Or(
		observe(e, "jobs", e.jobs, &batchv1.Job{},
			e.onObject, func(job metav1.Object, _ bool) { e.onVanished(job) }),
		observe(e, "pods", e.pods, &corev1.Pod{},
			func(pod *corev1.Pod) { e.onPod(pod, false, false) },
			func(pod *corev1.Pod, missed bool) { e.onPod(pod, true, missed) }),
		observe(e, "statefulsets", e.sets, &appsv1.StatefulSet{},
			e.onObject, func(set metav1.Object, _ bool) { e.onVanished(set) }),
	)
}

// source is the client of a resource with one type of list.
type source[L runtime.Object] interface {
	List(ctx context.Context, o metav1.ListOptions) (L, error)
	Watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error)
}

// observe creates the informer of objects with our label, and subscribes to its reports, stripped. Each
// answer shows the engine whether the server is reachable. vanished gets the last known state; missed
// means that there may have been a later one.
func observe[T metav1.Object, L runtime.Object](
	e *Engine, resource string, from source[L], of runtime.Object, changed func(T), vanished func(last T, missed bool),
) error {
	informer := cache.NewSharedIndexInformer(&cache.ListWatch{
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
	if err := informer.SetTransform(func(object any) (any, error) { strip(object); return object, nil }); err != nil {
		return err
	}
	err := informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, _ *cache.Reflector, err error) {
		if ctx.Err() == nil {
			e.cfg.Logger.WarnContext(ctx, "the kubernetes engine can't list or watch, retrying",
				"resource", resource, "namespace", e.cfg.Namespace, "error", err)
		}
	})
	if err != nil {
		return err
	}
	put := func(object any) {
		if now, ok := object.(T); ok {
			changed(now)
		}
	}
	registered, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: put,
		UpdateFunc: func(before, object any) {
			// After a gap it may be another object of the same name.
			last, wasOurs := before.(T)
			if now, ok := object.(T); ok && wasOurs && last.GetUID() != now.GetUID() {
				vanished(last, true)
			}
			put(object)
		},
		DeleteFunc: func(object any) {
			last, missed := object.(cache.DeletedFinalStateUnknown)
			if missed {
				object = last.Obj
			}
			if deleted, ok := object.(T); ok {
				vanished(deleted, missed)
			}
		},
	})
	if err != nil {
		return err
	}
	e.informers, e.synced = append(e.informers, informer), append(e.synced, registered.HasSynced)
	return nil
}

// subject is the run or the task that an event is about.
type subject struct {
	run  *run
	task *task // nil for the run itself
}

// Watch implements [cloud.Engine]. It waits until everything was listed once. After a gap of the
// engine's own watch it reports the changes without a reset. It ends with an error if the API
// server doesn't answer for [lostAfter].
func (e *Engine) Watch(ctx context.Context, report func(cloud.TaskEvent)) error {
	if err := e.usable(ctx); err != nil {
		return fmt.Errorf("watch runs: %w", err)
	}
	if err := e.reach.lost(); err != nil {
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
	return fmt.Errorf("watch runs: %w", e.watchers.Watch(both, report))
}

// present returns everything, each run before its tasks. e.mu must be held.
func (e *Engine) present() []cloud.TaskEvent {
	runs := slices.DeleteFunc(slices.Collect(maps.Values(e.runs)), func(r *run) bool { return r.vanished || r.status.Name == "" })
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

func (*Engine) event(s subject) cloud.TaskEvent {
	event := cloud.TaskEvent{Event: cloud.EventChanged, Run: s.run.status}
	if s.run.vanished || s.task != nil && s.task.dropped {
		event.Event = cloud.EventRemoved
	}
	if s.task != nil {
		event.Task = s.task.current
	}
	return event
}

// lostAfter is how long the API server may refuse lists or watches before its data count as old.
// Watches end every few minutes and restart at once.
const lostAfter = 10 * time.Second

// reach tracks whether the API server answers lists and watches. The zero value is ready to use.
type reach struct {
	// refusals makes a missing right count at once. It does if there are other namespaces.
	refusals bool

	mu      sync.Mutex
	failing map[string]silence // by resource
}

type silence struct {
	since time.Time
	err   error
}

// heard records the result of a list or a watch, and returns it.
func (r *reach) heard(ctx context.Context, resource string, err error) error {
	if ctx.Err() != nil {
		return err // The caller gave up.
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	f, failed := r.failing[resource]
	switch {
	case err == nil && failed:
		delete(r.failing, resource)
	case err != nil && r.failing == nil:
		r.failing = make(map[string]silence)
		fallthrough
	case err != nil:
		if !failed {
			f.since = time.Now()
		}
		f.err = err
		r.failing[resource] = f
	}
	return err
}

// lost returns why a resource could not be read for lostAfter, or nil.
func (r *reach) lost() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for resource, f := range r.failing {
		silent := time.Since(f.since)
		if silent >= lostAfter || r.refusals && (apierrors.IsForbidden(f.err) || apierrors.IsUnauthorized(f.err)) {
			return Translate(fmt.Sprintf("%s can't be listed or watched for %s", resource, silent.Round(time.Second)), f.err)
		}
	}
	return nil
}

// awaitLost returns why a resource can't be read any more, or nil when ctx ends.
func (r *reach) awaitLost(ctx context.Context) error {
	for {
		if err := r.lost(); err != nil {
			return err
		}
		if sleep.For(ctx, lookAgain) != nil {
			return nil
		}
	}
}
