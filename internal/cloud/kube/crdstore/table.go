package crdstore

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/wake"
)

type key struct {
	kind cloud.Kind
	name string
	// namespace is set if name is the object's own name.
	namespace string
}

// table is the current content of a watch's two informers.
type table struct {
	wake chan struct{} // something is dirty

	mu      sync.Mutex
	objects map[cloud.Kind]map[string]*object // by id
	byName  map[key]map[string]*object        // by name, then by id
	dirty   map[key]bool
}

func newTable() *table {
	return &table{
		wake: make(chan struct{}, 1), byName: make(map[key]map[string]*object), dirty: make(map[key]bool),
		objects: map[cloud.Kind]map[string]*object{cloud.KindApp: {}, cloud.KindJob: {}},
	}
}

// put stores the current state of an object. t.mu must be held.
func (t *table) put(o *object) {
	if o.deleting {
		t.remove(o.kind, o.id())
		return
	}
	if old := t.objects[o.kind][o.id()]; old != nil && old.name != o.name {
		t.remove(o.kind, o.id())
	}
	t.objects[o.kind][o.id()] = o
	at := key{kind: o.kind, name: o.name}
	if t.byName[at] == nil {
		t.byName[at] = make(map[string]*object)
	}
	t.byName[at][o.id()] = o
	t.dirty[at] = true
}

// remove removes an object by its id. t.mu must be held.
func (t *table) remove(kind cloud.Kind, id string) {
	old := t.objects[kind][id]
	if old == nil {
		return
	}
	delete(t.objects[kind], id)
	at := key{kind: kind, name: old.name}
	if delete(t.byName[at], id); len(t.byName[at]) == 0 {
		delete(t.byName, at)
	}
	t.dirty[at] = true
}

// take returns the changed names, applications before the jobs that need them.
func (t *table) take() []key {
	t.mu.Lock()
	defer t.mu.Unlock()
	dirty := slices.SortedFunc(maps.Keys(t.dirty), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name))
	})
	clear(t.dirty)
	return dirty
}

// named returns the objects of a name, its owner first.
func (t *table) named(at key) []*object {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.SortedFunc(maps.Values(t.byName[at]), compareAge)
}

func (t *table) changed(o *object) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.put(o)
	wake.Up(t.wake)
}

func (t *table) deleted(kind cloud.Kind, id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remove(kind, id)
	wake.Up(t.wake)
}
