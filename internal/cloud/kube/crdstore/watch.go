package crdstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/wake"
)

type key struct {
	kind cloud.Kind
	name string
	// namespace is set if name is the object's own name.
	namespace string
}

// stamp distinguishes two states of a name.
type stamp struct{ uid, version string }

type watching struct {
	*Store
	wake     chan struct{} // something is dirty
	report   func(cloud.StoreEvent)
	reported map[key]stamp // nil before the first report
	verdicts *verdicts
	end      context.CancelCauseFunc
	parts    []*part
	last     map[key]*object // the last known objects of unreadable namespaces, by name

	mu     sync.Mutex
	dirty  map[key]bool     // changed names
	unread map[string]error // unreadable namespaces
	fixed  bool             // the watch has started to report, so unread doesn't change
}

// Watch implements [cloud.Store]. While the API server is unreachable it reports nothing, and
// afterwards it continues with the changes. It returns ctx's error, [ErrClosed], or why the resources
// can't be read at all: a [NotInstalledError], or a [cloud.ErrForbidden] without the right. If one of
// several namespaces is unreadable, it reports the others, and ends when that changes.
func (s *Store) Watch(ctx context.Context, report func(cloud.StoreEvent)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	judged := &verdicts{store: s, wake: make(chan struct{}, 1), pending: make(map[key]verdict)}
	w := &watching{
		Store: s, wake: make(chan struct{}, 1), report: report, verdicts: judged, end: cancel,
		last: make(map[key]*object), dirty: make(map[key]bool), unread: make(map[string]error),
	}
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel(nil)
	defer context.AfterFunc(s.ctx, func() { cancel(ErrClosed) })()
	var settled []cache.InformerSynced
	for _, namespace := range s.namespaces {
		p := &part{namespace: namespace, indexes: make(map[cloud.Kind]cache.Indexer), watched: make(map[cloud.Kind]bool)}
		for _, r := range resources {
			informer, err := w.informer(r, p)
			if err != nil {
				return fmt.Errorf("watch jobs and applications: %w", err)
			}
			group.Go(func() { informer.RunWithContext(ctx) })
		}
		w.parts, settled = append(w.parts, p), append(settled, func() bool { return w.refusal(p) != nil || w.read(p) })
	}
	group.Go(func() { w.verdicts.write(ctx) })
	if cache.WaitForCacheSync(ctx.Done(), settled...) && w.begin() {
		w.reportChanges()
		s.current.Add(1)
		defer s.current.Add(-1)
		group.Go(func() { w.awaitRead(ctx) })
	}
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("watch jobs and applications: %w", context.Cause(ctx))
		case <-w.wake:
			w.reportChanges()
		}
	}
}

// informer follows a resource of a namespace. It ends the watch if a retry is useless.
func (w *watching) informer(r resource, p *part) (cache.SharedIndexInformer, error) {
	client := w.client(r, p.namespace)
	informer := cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return client.List(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			changes, err := client.Watch(ctx, o)
			if err == nil {
				w.mu.Lock()
				p.watched[r.kind] = true
				w.mu.Unlock()
			}
			return changes, err
		},
	}, &unstructured.Unstructured{}, 0, cache.Indexers{byName: nameOf})
	if err := informer.SetTransform(w.keep(r.kind, p.namespace)); err != nil {
		return nil, err
	}
	err := informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, _ *cache.Reflector, err error) {
		switch {
		case ctx.Err() != nil, errors.Is(err, io.EOF), apierrors.IsResourceExpired(err), apierrors.IsGone(err): // It restarts at once.
		case missing(err):
			w.end(w.fail("list "+r.plural+" in namespace "+p.namespace, r, err))
		case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
			w.refused(p, w.fail("list "+r.plural+" in namespace "+p.namespace, r, err))
		default:
			w.cfg.Logger.WarnContext(ctx, "the store of custom resources can't list or watch, retrying", "resource", r.plural, "namespace", p.namespace, "error", err)
		}
	})
	if err != nil {
		return nil, err
	}
	registered, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    w.changed,
		UpdateFunc: func(before, now any) { w.changed(before); w.changed(now) },
		DeleteFunc: w.changed,
	})
	if err != nil {
		return nil, err
	}
	p.listed, p.indexes[r.kind] = append(p.listed, registered.HasSynced), informer.GetIndexer()
	return informer, nil
}

// held is an informer's object: the fields to distinguish objects and their states, and this package's object.
type held struct {
	metav1.ObjectMeta
	*object
}

func (w *watching) keep(kind cloud.Kind, namespace string) cache.TransformFunc {
	return func(stored any) (any, error) {
		u, ok := stored.(*unstructured.Unstructured)
		if !ok {
			return stored, nil
		}
		return &held{
			ObjectMeta: metav1.ObjectMeta{Namespace: u.GetNamespace(), Name: u.GetName(), UID: u.GetUID(), ResourceVersion: u.GetResourceVersion()},
			object:     w.newObject(kind, namespace, u),
		}, nil
	}
}

// byName is the index of an informer's objects by name.
const byName = "name"

func nameOf(stored any) ([]string, error) {
	if h, ok := stored.(*held); ok && !h.deleting {
		return []string{h.name}, nil
	}
	return nil, nil
}

// changed marks the name of a changed or deleted object.
func (w *watching) changed(stored any) {
	if missed, ok := stored.(cache.DeletedFinalStateUnknown); ok {
		stored = missed.Obj
	}
	if h, ok := stored.(*held); ok {
		w.mark(key{kind: h.kind, name: h.name})
	}
}

func (w *watching) mark(at key) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dirty[at] = true
	wake.Up(w.wake)
}

// take returns the changed names, applications before the jobs that need them.
func (w *watching) take() []key {
	w.mu.Lock()
	defer w.mu.Unlock()
	dirty := slices.SortedFunc(maps.Keys(w.dirty), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name))
	})
	clear(w.dirty)
	return dirty
}

// named returns the objects of a name, its owner first.
func (w *watching) named(at key) (objects []*object) {
	for _, p := range w.parts {
		found, _ := p.indexes[at.kind].ByIndex(byName, at.name) // It only fails for an unknown index.
		for _, stored := range found {
			objects = append(objects, stored.(*held).object)
		}
	}
	last := w.last[at]
	if last != nil && !slices.ContainsFunc(objects, func(o *object) bool { return o.id() == last.id() }) {
		objects = append(objects, last)
	}
	slices.SortFunc(objects, compareAge)
	return objects
}

func (w *watching) reportChanges() {
	first := w.reported == nil
	if first {
		w.reported = make(map[key]stamp)
		w.report(cloud.StoreEvent{Event: cloud.EventReset})
	}
	for _, at := range w.take() {
		objects := w.named(at)
		w.removed(at, objects)
		if len(objects) > 0 && w.doubtful(objects[0]) {
			continue
		}
		for i, o := range objects {
			e := o.event()
			if i == 0 {
				w.present(at, o, e)
			}
			w.verdicts.judge(o, e, objects[0])
		}
	}
	if first {
		for _, namespace := range slices.Sorted(maps.Keys(w.unread)) {
			w.report(cloud.StoreEvent{Event: cloud.EventUnread, Namespace: namespace, Err: w.unread[namespace]})
		}
		w.report(cloud.StoreEvent{Event: cloud.EventSynced})
	}
}

// removed reports the end of the object reported under a name. Another object of the name is
// another job, with its own versions.
func (w *watching) removed(at key, objects []*object) {
	old, known := w.reported[at]
	if !known || len(objects) > 0 && objects[0].uid == old.uid {
		return
	}
	delete(w.reported, at)
	w.forget(at.kind, at.name, old.uid)
	w.report(cloud.StoreEvent{Event: cloud.EventRemoved, Kind: at.kind, Name: at.name})
}

// present reports the owner of a name, unless it was reported in this state.
func (w *watching) present(at key, o *object, e cloud.StoreEvent) {
	now := stamp{o.uid, o.version}
	if w.reported[at] == now {
		return
	}
	w.reported[at] = now
	w.remember(o)
	w.report(e)
}

// part is a watch's state for one namespace.
type part struct {
	namespace string
	indexes   map[cloud.Kind]cache.Indexer
	listed    []cache.InformerSynced
	watched   map[cloud.Kind]bool // kinds with a started watch; w.mu must be held
}

// read reports whether everything of a namespace was listed and is watched. With the right to list but
// not to watch, the data would be old.
func (w *watching) read(p *part) bool {
	for _, listed := range p.listed {
		if !listed() {
			return false
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(p.watched) == len(resources)
}

func (w *watching) refusal(p *part) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.unread[p.namespace]
}

// refused handles an unreadable namespace. It ends the watch if it's the only one, or if it was
// readable when the watch started to report.
func (w *watching) refused(p *part, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !w.several():
		w.end(err)
	case !w.fixed:
		w.unread[p.namespace] = err
	case w.unread[p.namespace] == nil:
		w.end(fmt.Errorf("namespace %s can no longer be read: %w", p.namespace, err))
	}
}

// begin fixes which namespaces are unreadable, and fills in their last known state. If none is
// readable, it ends the watch and returns false.
func (w *watching) begin() bool {
	w.mu.Lock()
	w.fixed = true
	w.mu.Unlock()
	if first := w.parts[0]; len(w.unread) == len(w.parts) {
		w.end(fmt.Errorf("no namespace can be read, for example %s: %w", first.namespace, w.unread[first.namespace]))
		return false
	}
	w.Store.mu.Lock()
	defer w.Store.mu.Unlock()
	for _, known := range w.known {
		for _, o := range known {
			if at := (key{kind: o.kind, name: o.name}); w.unread[o.namespace] != nil {
				w.last[at] = o
				w.mark(at)
			}
		}
	}
	return true
}

// awaitRead ends the watch when an unreadable namespace becomes readable.
func (w *watching) awaitRead(ctx context.Context) {
	var again sync.WaitGroup
	for _, p := range w.parts {
		if w.unread[p.namespace] != nil {
			again.Go(func() {
				if cache.WaitForCacheSync(ctx.Done(), func() bool { return w.read(p) }) {
					w.end(fmt.Errorf("namespace %s can be read again", p.namespace))
				}
			})
		}
	}
	again.Wait()
}

// doubtful reports whether an object's name may belong to another one, because it was refused in
// favour of an older object in an unreadable namespace.
func (w *watching) doubtful(o *object) bool {
	c, said := conditionOf(o.status.fields(), cloud.ConditionAccepted)
	if !said || c["reason"] != cloud.ReasonNameTaken || c["status"] != "False" {
		return false
	}
	message, _ := c["message"].(string)
	for namespace := range w.unread {
		if strings.Contains(message, inNamespace(namespace)+isOlder) {
			return true
		}
	}
	return false
}
