package centres

import (
	"errors"
	"sync"
	"time"
)

// ErrClosed says that the pool was closed.
var ErrClosed = errors.New("connections closed")

// DefaultIdle is how long a connection is kept that nobody uses.
const DefaultIdle = 10 * time.Minute

// kept is what is open, one of a name. Whoever takes it gives it back; it is
// shut when it is out of date, forgotten or long unused, and never under a user.
type kept[T any] struct {
	idle time.Duration
	shut func(T) // may take a while; called without the lock

	mu     sync.Mutex
	open   map[string]*held[T]
	closed bool
	tasks  sync.WaitGroup
	end    chan struct{}
}

type held[T any] struct {
	value    T
	revision int64
	users    int
	left     time.Time // when the last user went
	gone     bool      // no longer kept; shut with its last user
}

func newKept[T any](idle time.Duration, shut func(T)) *kept[T] {
	if idle == 0 {
		idle = DefaultIdle
	}
	k := &kept[T]{idle: idle, shut: shut, open: make(map[string]*held[T]), end: make(chan struct{})}
	k.tasks.Go(k.sweep)
	return k
}

// take returns what is open under a name in a revision, or opens it. Two who
// open the same at once get the same.
func (k *kept[T]) take(name string, revision int64, open func() (T, error)) (value T, release func(), err error) {
	h, err := k.find(name, revision, nil)
	if h == nil && err == nil {
		var fresh T
		if fresh, err = open(); err == nil { // without the lock: it may take seconds
			if h, err = k.find(name, revision, &fresh); err != nil {
				k.shut(fresh)
			}
		}
	}
	if err != nil {
		return value, nil, err
	}
	return h.value, sync.OnceFunc(func() { k.giveBack(h) }), nil
}

// find takes what is there, else fresh if it is not nil.
func (k *kept[T]) find(name string, revision int64, fresh *T) (*held[T], error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return nil, ErrClosed
	}
	h := k.open[name]
	switch {
	case h != nil && h.revision == revision:
		if fresh != nil { // somebody else was faster
			k.later(*fresh)
		}
	case fresh == nil:
		return nil, nil
	default:
		if h != nil {
			k.drop(name, h)
		}
		h = &held[T]{value: *fresh, revision: revision}
		k.open[name] = h
	}
	h.users++
	return h, nil
}

func (k *kept[T]) giveBack(h *held[T]) {
	k.mu.Lock()
	defer k.mu.Unlock()
	h.users--
	h.left = time.Now()
	if h.gone && h.users == 0 {
		k.later(h.value)
	}
}

// drop stops keeping something. Called with mu held.
func (k *kept[T]) drop(name string, h *held[T]) {
	delete(k.open, name)
	h.gone = true
	if h.users == 0 {
		k.later(h.value)
	}
}

// later shuts something without the lock. Called with mu held.
func (k *kept[T]) later(value T) { k.tasks.Go(func() { k.shut(value) }) }

func (k *kept[T]) forget(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if h := k.open[name]; h != nil {
		k.drop(name, h)
	}
}

func (k *kept[T]) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.open)
}

// sweep shuts what nobody uses.
func (k *kept[T]) sweep() {
	ticker := time.NewTicker(max(k.idle/4, 10*time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-k.end:
			return
		case <-ticker.C:
		}
		k.mu.Lock()
		for name, h := range k.open {
			if h.users == 0 && time.Since(h.left) > k.idle {
				k.drop(name, h)
			}
		}
		k.mu.Unlock()
	}
}

// close shuts everything and waits for it. Requests are over by then, or wait
// for what will not come.
func (k *kept[T]) close() {
	k.mu.Lock()
	if !k.closed {
		k.closed = true
		close(k.end)
		for name, h := range k.open {
			h.users = 0
			k.drop(name, h)
		}
	}
	k.mu.Unlock()
	k.tasks.Wait()
}
