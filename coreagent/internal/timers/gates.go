package timers

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// longestCourtesy bounds how long somebody whose work is done leaves the
	// processors to the others. A thousand of them begin within a few milliseconds.
	longestCourtesy = 20 * time.Millisecond

	// An idle process sleeps up to a millisecond too long, and it takes milliseconds
	// to wake a crowd: four for a thousand, where the system gives the process one
	// processor. So a crowd is woken earlier, and spends the rest of the time awake, each
	// of it leaving the processors to the others again and again.
	crowd      = 100
	rush       = 8 * time.Millisecond
	mostYields = 1000 // in that time, should the clock stand still
)

// Gates are times that many goroutines wait for together. Use NewGates; the methods
// may be called at the same time.
type Gates struct {
	now  func() time.Time
	mu   sync.Mutex
	shut map[int64]*gate // by time in nanoseconds
}

// gate is one such time.
type gate struct {
	at     time.Time
	behind atomic.Int64  // how many have yet to begin
	open   chan struct{} // closed when the time has come, or is about to
	empty  chan struct{} // closed when all have begun, or some took too long
	opens  sync.Once
	clears sync.Once
}

// Entry is somebody's place at a gate. A nil Entry is at no gate.
type Entry struct {
	gate *gate
	now  func() time.Time
	left atomic.Bool
}

// NewGates returns gates by a wall clock.
func NewGates(now func() time.Time) *Gates { return &Gates{now: now, shut: make(map[int64]*gate)} }

// Enter waits for a time with others. The gate opens when it has come, or after a span
// of time: the wall clock may be set back meanwhile. For a crowd of a hundred it opens
// eight milliseconds earlier. Who has entered must leave.
func (g *Gates) Enter(at time.Time, atMost time.Duration) *Entry {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := at.UnixNano()
	one := g.shut[key]
	if one == nil {
		one = &gate{at: at, open: make(chan struct{}), empty: make(chan struct{})}
		g.shut[key] = one
		g.raiseIn(one, atMost)
	}
	if one.behind.Add(1) == crowd {
		time.AfterFunc(min(at.Sub(g.now()), atMost)-rush, func() { g.raise(one) })
	}
	return &Entry{gate: one, now: g.now}
}

// raiseIn opens a gate when its time has come, or after a span. It sleeps in two, as
// the queue does.
func (g *Gates) raiseIn(one *gate, atMost time.Duration) {
	wait := min(one.at.Sub(g.now()), atMost)
	if first := nap(wait); first < wait {
		time.AfterFunc(first, func() { g.raiseIn(one, atMost-first) })
		return
	}
	time.AfterFunc(wait, func() { g.raise(one) })
}

// raise opens a gate. Whoever comes for the same time afterwards finds another one.
func (g *Gates) raise(one *gate) {
	one.opens.Do(func() {
		g.mu.Lock()
		delete(g.shut, one.at.UnixNano())
		g.mu.Unlock()
		close(one.open)
		time.AfterFunc(longestCourtesy, one.clear)
		if one.behind.Load() == 0 {
			one.clear()
		}
	})
}

func (one *gate) clear() { one.clears.Do(func() { close(one.empty) }) }

// Opened is closed when the gate opens; Await has to follow.
func (e *Entry) Opened() <-chan struct{} { return e.gate.open }

// Await returns when the time has come, eight milliseconds after the gate has opened at
// the latest.
func (e *Entry) Await() {
	for n := 0; n < mostYields; n++ {
		if !e.now().Before(e.gate.at) {
			return
		}
		runtime.Gosched()
	}
	time.Sleep(min(e.gate.at.Sub(e.now()), rush))
}

// Leave says that the work begins, or that there is none. It counts once.
func (e *Entry) Leave() {
	if e == nil || !e.left.CompareAndSwap(false, true) || e.gate.behind.Add(-1) > 0 {
		return
	}
	select {
	case <-e.gate.open:
		e.gate.clear()
	default: // Others may come until then.
	}
}

// AwaitOthers returns when everybody at the gate has left it, or 20 milliseconds
// after it opened.
func (e *Entry) AwaitOthers() {
	if e != nil {
		<-e.gate.empty
	}
}
