// Package feed passes what happens on to whoever wants to hear of it.
//
//	Tell ──▶ each subscriber, one after the other, on the caller's goroutine
//
// A subscriber must not wait: whoever tells may be the goroutine that receives
// from ZooKeeper. It notes what it heard and acts on a goroutine of its own.
package feed

import "sync"

// Feed is a list of subscribers. The zero value has none. It is safe for
// concurrent use.
type Feed[T any] struct {
	mu   sync.RWMutex
	next int
	subs map[int]func(T)
}

// Subscribe has fn called with everything from now on, until cancel is
// called. fn must be quick and must not call the Feed. It may be called once more
// while cancel runs, and not afterwards.
func (f *Feed[T]) Subscribe(fn func(T)) (cancel func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.subs == nil {
		f.subs = make(map[int]func(T))
	}
	id := f.next
	f.next++
	f.subs[id] = fn
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.subs, id)
	}
}

// Tell calls every subscriber, in no particular order.
func (f *Feed[T]) Tell(what T) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	for _, fn := range f.subs {
		fn(what)
	}
}
