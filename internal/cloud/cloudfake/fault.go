package cloudfake

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/internal/wake"
)

// ErrInjected is the cause of errors requested by a test.
var ErrInjected = errors.New("injected fault")

// Fault is the fate of one call.
type Fault struct {
	// Err is returned if it isn't nil. Applied means that the call took effect anyway and only its
	// reply was lost.
	Err     error
	Applied bool
	// Delay is how long the call takes, unless its context ends first.
	Delay time.Duration
}

type faults struct {
	mu     sync.Mutex
	decide func(verb, name string) Fault
	calls  map[string]int
}

// Faults makes decide choose the fault of each call by its verb, such as launch or change, and the
// object's name. decide is called from many goroutines.
func (f *faults) Faults(decide func(verb, name string) Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.decide = decide
}

func (f *faults) Calls(verb string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[verb]
}

// inject carries out a call with its fault.
func (f *faults) inject(ctx context.Context, verb, name string, apply func() error) error {
	f.mu.Lock()
	if f.calls == nil {
		f.calls = make(map[string]int)
	}
	f.calls[verb]++
	var fault Fault
	if f.decide != nil {
		fault = f.decide(verb, name)
	}
	f.mu.Unlock()
	if fault.Delay > 0 {
		if err := sleep.For(ctx, fault.Delay); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if fault.Err != nil && !fault.Applied {
		return fault.Err
	}
	if err := apply(); err != nil {
		return err
	}
	return fault.Err
}

// double is the common part of an engine and a store: faults, a lock, and watches that get events E
// independently of each other.
type double[E any] struct {
	faults

	mu       sync.Mutex
	watchers map[*watcher[E]]bool
	twice    bool
	frozen   bool
}

type watcher[E any] struct {
	events []E
	wake   chan struct{}
	cut    error
}

// call carries out a call with its fault and the lock.
func (d *double[E]) call(ctx context.Context, verb, name string, apply func() error) error {
	return d.inject(ctx, verb, name, func() error {
		d.mu.Lock()
		defer d.mu.Unlock()
		return apply()
	})
}

// publish reports an event to all watchers. The lock must be held.
func (d *double[E]) publish(e E) {
	for w := range d.watchers {
		if w.events = append(w.events, e); d.twice {
			w.events = append(w.events, e)
		}
		wake.Up(w.wake)
	}
}

// watch reports the present state, and then events until ctx ends or the watch is cut.
func (d *double[E]) watch(ctx context.Context, present func() []E, report func(E)) error {
	w := &watcher[E]{wake: make(chan struct{}, 1)}
	err := d.call(ctx, "watch", "", func() error {
		w.events = present()
		if d.watchers == nil {
			d.watchers = make(map[*watcher[E]]bool)
		}
		d.watchers[w] = true
		return nil
	})
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.watchers, w)
	}()
	for err == nil {
		var events []E
		d.mu.Lock()
		if !d.frozen {
			events, w.events = w.events, nil
		}
		err = w.cut
		d.mu.Unlock()
		if err != nil {
			return err
		}
		for _, e := range events {
			report(e)
		}
		select {
		case <-w.wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

func (d *double[E]) each(change func(*watcher[E])) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for w := range d.watchers {
		change(w)
		wake.Up(w.wake)
	}
}

// CutWatches ends every watch, like a server that drops connections. Unreported events are lost.
func (d *double[E]) CutWatches() { d.each(func(w *watcher[E]) { w.cut = ErrInjected }) }

// FreezeWatches holds back all events, or releases them.
func (d *double[E]) FreezeWatches(frozen bool) {
	d.mu.Lock()
	d.frozen = frozen
	d.mu.Unlock()
	d.each(func(*watcher[E]) {})
}

// RepeatEvents makes every event be reported twice.
func (d *double[E]) RepeatEvents() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.twice = true
}
