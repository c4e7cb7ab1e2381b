package crdstore

import (
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// key names a job or an application.
type key struct {
	kind cloud.Kind
	name string
}

// table is what the two informers of a watch have listed and seen since.
type table struct {
	wake chan struct{} // something is dirty

	mu      sync.Mutex
	objects map[cloud.Kind]map[string]*object // by the object's own name
	byName  map[key]map[string]*object        // by name, then by the object's own
	dirty   map[key]bool
}

func newTable() *table {
	return &table{
		wake: make(chan struct{}, 1), byName: make(map[key]map[string]*object), dirty: make(map[key]bool),
		objects: map[cloud.Kind]map[string]*object{cloud.KindApp: {}, cloud.KindJob: {}},
	}
}

// put takes an object as it is now. With t.mu held.
func (t *table) put(o *object) {
	if o.deleting {
		t.remove(o.kind, o.object)
		return
	}
	if old := t.objects[o.kind][o.object]; old != nil && old.name != o.name {
		t.remove(o.kind, o.object)
	}
	t.objects[o.kind][o.object] = o
	at := key{o.kind, o.name}
	if t.byName[at] == nil {
		t.byName[at] = make(map[string]*object)
	}
	t.byName[at][o.object] = o
	t.dirty[at] = true
}

// remove removes an object by its own name. With t.mu held.
func (t *table) remove(kind cloud.Kind, name string) {
	old := t.objects[kind][name]
	if old == nil {
		return
	}
	delete(t.objects[kind], name)
	at := key{kind, old.name}
	if delete(t.byName[at], name); len(t.byName[at]) == 0 {
		delete(t.byName, at)
	}
	t.dirty[at] = true
}

func (t *table) notify() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// take returns what something happened to, applications before the jobs that need them.
func (t *table) take() []key {
	t.mu.Lock()
	defer t.mu.Unlock()
	dirty := slices.SortedFunc(maps.Keys(t.dirty), func(a, b key) int {
		switch {
		case a.kind != b.kind && a.kind == cloud.KindApp:
			return -1
		case a.kind != b.kind:
			return 1
		case a.name < b.name:
			return -1
		}
		return 1
	})
	clear(t.dirty)
	return dirty
}

// named are the objects of a name, the one that has it first.
func (t *table) named(at key) []*object {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.SortedFunc(maps.Values(t.byName[at]), compareAge)
}

// changed is what an informer calls with an object that is there.
func (t *table) changed(kind cloud.Kind, now any) {
	if u, ok := now.(*unstructured.Unstructured); ok {
		o := newObject(kind, u)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.put(o)
		t.notify()
	}
}

// deleted is what an informer calls with an object that exists no more.
func (t *table) deleted(kind cloud.Kind, last any) {
	if missed, ok := last.(cache.DeletedFinalStateUnknown); ok {
		last = missed.Obj
	}
	if u, ok := last.(*unstructured.Unstructured); ok {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.remove(kind, u.GetName())
		t.notify()
	}
}
