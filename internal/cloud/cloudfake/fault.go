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

// feed passes events on to watchers independently of each other.
type feed[E any] struct {
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

func (f *feed[E]) publish(e E) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for w := range f.watchers {
		if w.events = append(w.events, e); f.twice {
			w.events = append(w.events, e)
		}
		wake.Up(w.wake)
	}
}

// join adds a watcher that starts with the given events.
func (f *feed[E]) join(present []E) *watcher[E] {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := &watcher[E]{events: present, wake: make(chan struct{}, 1)}
	wake.Up(w.wake)
	if f.watchers == nil {
		f.watchers = make(map[*watcher[E]]bool)
	}
	f.watchers[w] = true
	return w
}

// follow reports events until ctx ends or the watch is cut.
func (f *feed[E]) follow(ctx context.Context, w *watcher[E], report func(E)) error {
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.watchers, w)
	}()
	for {
		f.mu.Lock()
		var events []E
		if !f.frozen {
			events, w.events = w.events, nil
		}
		cut := w.cut
		f.mu.Unlock()
		if cut != nil {
			return cut
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
}

// CutWatches ends every watch, like a server that drops connections. Unreported events are lost.
func (f *feed[E]) CutWatches() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for w := range f.watchers {
		w.cut = ErrInjected
		wake.Up(w.wake)
	}
}

// FreezeWatches holds back all events, or releases them.
func (f *feed[E]) FreezeWatches(frozen bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.frozen = frozen
	for w := range f.watchers {
		wake.Up(w.wake)
	}
}

// RepeatEvents makes every event be reported twice.
func (f *feed[E]) RepeatEvents() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.twice = true
}
