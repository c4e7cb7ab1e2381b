package crdstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// stamp tells two states of a name apart.
type stamp struct{ uid, version string }

// watching is one call of Watch.
type watching struct {
	*Store
	table    *table
	report   func(cloud.StoreEvent)
	reported map[key]stamp // nil before the first report
	verdicts *verdicts
}

// Watch implements [cloud.Store]. While the API server cannot be reached it reports nothing
// and goes on with what has changed when it can. It returns ctx's error, [ErrClosed], or why
// the resources cannot be read at all: a [NotInstalledError] if the cluster does not know
// them, a [cloud.ErrForbidden] without the right.
func (s *Store) Watch(ctx context.Context, report func(cloud.StoreEvent)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watching{Store: s, table: newTable(), report: report, verdicts: newVerdicts(s)}
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel(nil)
	defer context.AfterFunc(s.ctx, func() { cancel(ErrClosed) })()
	var synced []cache.InformerSynced
	for _, r := range resources {
		informer, listed, err := s.informer(r, w.table, cancel)
		if err != nil {
			return fmt.Errorf("watch jobs and applications: %w", err)
		}
		synced = append(synced, listed)
		group.Go(func() { informer.RunWithContext(ctx) })
	}
	group.Go(func() { w.verdicts.write(ctx) })
	if cache.WaitForCacheSync(ctx.Done(), synced...) {
		w.tell()
	}
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("watch jobs and applications: %w", context.Cause(ctx))
		case <-w.table.wake:
			w.tell()
		}
	}
}

// informer fills the table while it runs. It ends all if that is useless.
func (s *Store) informer(r resource, t *table, end context.CancelCauseFunc) (cache.SharedIndexInformer, cache.InformerSynced, error) {
	client := s.client(r)
	informer := cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return client.List(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return client.Watch(ctx, o)
		},
	}, &unstructured.Unstructured{}, 0, cache.Indexers{})
	if err := informer.SetTransform(strip); err != nil {
		return nil, nil, err
	}
	err := informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, _ *cache.Reflector, err error) {
		switch {
		case ctx.Err() != nil, errors.Is(err, io.EOF), apierrors.IsResourceExpired(err), apierrors.IsGone(err): // It begins anew at once.
		case missing(err), apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
			end(s.fail("list "+r.plural+" in namespace "+s.cfg.Namespace, r, err))
		default:
			s.cfg.Logger.WarnContext(ctx, "the store of custom resources cannot list or watch, and tries again", "resource", r.plural, "namespace", s.cfg.Namespace, "error", err)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	registered, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(now any) { t.changed(r.kind, now) },
		UpdateFunc: func(_, now any) { t.changed(r.kind, now) },
		DeleteFunc: func(last any) { t.deleted(r.kind, last) },
	})
	if err != nil {
		return nil, nil, err
	}
	return informer, registered.HasSynced, nil
}

// strip takes from an object who wrote which field: of that, the newest time is used.
func strip(stored any) (any, error) {
	u, ok := stored.(*unstructured.Unstructured)
	if !ok {
		return stored, nil
	}
	newest := metav1.ManagedFieldsEntry{}
	for _, m := range u.GetManagedFields() {
		if m.Subresource == "" && m.Time != nil && (newest.Time == nil || m.Time.After(newest.Time.Time)) {
			newest = metav1.ManagedFieldsEntry{Time: m.Time}
		}
	}
	u.SetManagedFields([]metav1.ManagedFieldsEntry{newest})
	return u, nil
}

// tell reports in what the present differs from what was reported.
func (w *watching) tell() {
	first := w.reported == nil
	if first {
		w.reported = make(map[key]stamp)
		w.report(cloud.StoreEvent{Event: cloud.EventReset})
	}
	for _, at := range w.table.take() {
		objects := w.table.named(at)
		w.removed(at, objects)
		for i, o := range objects {
			e := o.event()
			if i == 0 {
				w.present(at, o, e)
			}
			w.verdicts.judge(o, e, objects[0])
		}
	}
	if first {
		w.report(cloud.StoreEvent{Event: cloud.EventSynced})
	}
}

// removed reports the end of what was reported under a name. Another object of the name is
// another job, whose versions begin anew.
func (w *watching) removed(at key, objects []*object) {
	old, known := w.reported[at]
	if !known || len(objects) > 0 && objects[0].uid == old.uid {
		return
	}
	delete(w.reported, at)
	w.forget(at.kind, at.name, old.uid)
	w.report(cloud.StoreEvent{Event: cloud.EventRemoved, Kind: at.kind, Name: at.name})
}

// present reports the object that has a name, unless it was reported as it is.
func (w *watching) present(at key, o *object, e cloud.StoreEvent) {
	now := stamp{o.uid, o.version}
	if w.reported[at] == now {
		return
	}
	w.reported[at] = now
	w.remember(o)
	w.report(e)
}
