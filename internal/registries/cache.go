package registries

import (
	"errors"
	"sync"
	"time"
)

// ErrClosed says that the pool was closed.
var ErrClosed = errors.New("connections closed")

// DefaultIdle is how long a connection is kept that nobody uses.
const DefaultIdle = 10 * time.Minute

// cache holds what is open, one of a name. The user who takes it releases it; it is
// shut when it is out of date, forgotten or long unused, and never under a user.
type cache[T any] struct {
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
	dropped  bool      // no longer cached; shut with its last user
}

func newCache[T any](idle time.Duration, shut func(T)) *cache[T] {
	if idle == 0 {
		idle = DefaultIdle
	}
	c := &cache[T]{idle: idle, shut: shut, open: make(map[string]*held[T]), end: make(chan struct{})}
	c.tasks.Go(c.sweep)
	return c
}

// take returns what is open under a name in a revision, or opens it. Two who
// open the same at once get the same.
func (c *cache[T]) take(name string, revision int64, open func() (T, error)) (value T, release func(), err error) {
	h, err := c.find(name, revision, nil)
	if h == nil && err == nil {
		var fresh T
		if fresh, err = open(); err == nil { // without the lock: it may take seconds
			if h, err = c.find(name, revision, &fresh); err != nil {
				c.shut(fresh)
			}
		}
	}
	if err != nil {
		return value, nil, err
	}
	return h.value, sync.OnceFunc(func() { c.putBack(h) }), nil
}

// peek takes what is open under a name in a revision, and opens nothing.
func (c *cache[T]) peek(name string, revision int64) (value T, release func(), open bool) {
	h, err := c.find(name, revision, nil)
	if h == nil || err != nil {
		return value, nil, false
	}
	return h.value, sync.OnceFunc(func() { c.putBack(h) }), true
}

// find takes what is there, else fresh if it is not nil.
func (c *cache[T]) find(name string, revision int64, fresh *T) (*held[T], error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrClosed
	}
	h := c.open[name]
	switch {
	case h != nil && h.revision == revision:
		if fresh != nil { // somebody else was faster
			c.later(*fresh)
		}
	case fresh == nil:
		return nil, nil
	default:
		if h != nil {
			c.drop(name, h)
		}
		h = &held[T]{value: *fresh, revision: revision}
		c.open[name] = h
	}
	h.users++
	return h, nil
}

func (c *cache[T]) putBack(h *held[T]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h.users--
	h.left = time.Now()
	if h.dropped && h.users == 0 {
		c.later(h.value)
	}
}

// drop stops keeping something. Called with mu held.
func (c *cache[T]) drop(name string, h *held[T]) {
	delete(c.open, name)
	h.dropped = true
	if h.users == 0 {
		c.later(h.value)
	}
}

// later shuts something without the lock. Called with mu held.
func (c *cache[T]) later(value T) { c.tasks.Go(func() { c.shut(value) }) }

func (c *cache[T]) forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h := c.open[name]; h != nil {
		c.drop(name, h)
	}
}

func (c *cache[T]) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// sweep shuts what nobody uses.
func (c *cache[T]) sweep() {
	ticker := time.NewTicker(max(c.idle/4, 10*time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-c.end:
			return
		case <-ticker.C:
		}
		c.mu.Lock()
		for name, h := range c.open {
			if h.users == 0 && time.Since(h.left) > c.idle {
				c.drop(name, h)
			}
		}
		c.mu.Unlock()
	}
}

// close shuts everything and waits for it. Requests are over by then, or wait
// for what will not come.
func (c *cache[T]) close() {
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		close(c.end)
		for name, h := range c.open {
			h.users = 0
			c.drop(name, h)
		}
	}
	c.mu.Unlock()
	c.tasks.Wait()
}
