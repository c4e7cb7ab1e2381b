// Package gate lets many goroutines begin at the same time, and makes their follow-up work wait
// until all have begun. Otherwise the last of a thousand handlers with one fire time starts 18 ms
// late instead of 3 ms, because the system wakes the goroutines one after the other, and the first
// ones to finish keep the processors from the last.
//
//	Enter ──▶ Opened ──▶ Await: the time has come ──▶ Leave: the work begins ──▶ AwaitOthers
//
// # Guarantees
//
//   - Await doesn't return before its time by the wall clock, unless that clock is set back.
//   - AwaitOthers waits until all have begun, not until they have ended, and 20 ms at most.
package gate

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxYield = 20 * time.Millisecond

	// The timer of an idle process is up to a millisecond late, and waking a crowd takes
	// milliseconds: four for a thousand goroutines on one processor. So the gate opens earlier for
	// a crowd, and the goroutines yield to each other until the time has come.
	crowdSize  = 100
	headStart  = 8 * time.Millisecond
	mostYields = 1000 // during headStart, in case the clock stops

	// On virtual machines a timer was late by 0.2% of its duration, so this part of the wait is
	// slept separately.
	partLeftOver = 128
)

// Gates opens a gate for each awaited time. Its methods are safe for concurrent use.
type Gates struct {
	now  func() time.Time
	mu   sync.Mutex
	shut map[int64]*gate // by time in nanoseconds
}

type gate struct {
	at     time.Time
	behind atomic.Int64  // goroutines that haven't begun yet
	open   chan struct{} // closed when the time has come, or headStart earlier
	empty  chan struct{} // closed when all have begun, or after 20 ms
	opens  sync.Once
	clears sync.Once
}

// Place is one goroutine's place at a gate. A nil Place belongs to no gate.
type Place struct {
	gate *gate
	now  func() time.Time
	left atomic.Bool
}

// New returns gates that use a wall clock.
func New(now func() time.Time) *Gates { return &Gates{now: now, shut: make(map[int64]*gate)} }

// Enter takes a place at the gate for a time. The gate opens at that time, or after atMost if the
// wall clock is set back. For a crowd of a hundred it opens 8 ms earlier. Each place must be left.
func (g *Gates) Enter(at time.Time, atMost time.Duration) *Place {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := at.UnixNano()
	one := g.shut[key]
	if one == nil {
		one = &gate{at: at, open: make(chan struct{}), empty: make(chan struct{})}
		g.shut[key] = one
		wait := min(at.Sub(g.now()), atMost)
		rest := wait / partLeftOver
		time.AfterFunc(wait-rest, func() {
			time.AfterFunc(min(at.Sub(g.now()), rest), func() { g.raise(one) })
		})
	}
	if one.behind.Add(1) == crowdSize {
		time.AfterFunc(min(at.Sub(g.now()), atMost)-headStart, func() { g.raise(one) })
	}
	return &Place{gate: one, now: g.now}
}

// raise opens a gate. The next Enter for the same time gets a new one.
func (g *Gates) raise(one *gate) {
	one.opens.Do(func() {
		g.mu.Lock()
		delete(g.shut, one.at.UnixNano())
		g.mu.Unlock()
		close(one.open)
		time.AfterFunc(maxYield, one.clear)
		if one.behind.Load() == 0 {
			one.clear()
		}
	})
}

func (one *gate) clear() { one.clears.Do(func() { close(one.empty) }) }

// Opened returns a channel that is closed when the gate opens. Await must follow.
func (p *Place) Opened() <-chan struct{} { return p.gate.open }

// Await returns when the time has come, at most 8 ms after the gate has opened.
func (p *Place) Await() {
	for range mostYields {
		if !p.now().Before(p.gate.at) {
			return
		}
		runtime.Gosched()
	}
	time.Sleep(min(p.gate.at.Sub(p.now()), headStart))
}

// Leave reports that the work begins, or that there is none. Only the first call counts.
func (p *Place) Leave() {
	if p == nil || !p.left.CompareAndSwap(false, true) || p.gate.behind.Add(-1) > 0 {
		return
	}
	select {
	case <-p.gate.open:
		p.gate.clear()
	default: // Others may come until then.
	}
}

// AwaitOthers returns when all have left the gate, or 20 ms after it has opened.
func (p *Place) AwaitOthers() {
	if p != nil {
		<-p.gate.empty
	}
}
