package timers

import (
	"sync"
	"time"
)

// patience is how long a job keeps its place, because a job that waits for a latch held elsewhere
// must not block the other jobs.
const patience = time.Second

// Admission limits the number of working goroutines; the others are not even started. The zero
// value is ready to use and safe for concurrent use.
type Admission struct {
	mu      sync.Mutex
	working int
	waiting []func()
}

// Enter calls start at once if fewer than limit goroutines work, or else as soon as one leaves.
// start must not block.
func (a *Admission) Enter(limit int, start func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.working >= limit {
		a.waiting = append(a.waiting, start)
		return
	}
	a.working++
	start()
}

func (a *Admission) leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.waiting) == 0 {
		a.working--
		return
	}
	next := a.waiting[0]
	a.waiting[0] = nil
	a.waiting = a.waiting[1:]
	next()
}

// Do calls fn in an entered place, and leaves the place when fn returns or has taken a second. Do
// returns when fn has returned.
func (a *Admission) Do(fn func()) {
	left := make(chan struct{})
	limit := time.AfterFunc(patience, func() {
		a.leave()
		close(left)
	})
	fn()
	if limit.Stop() {
		a.leave()
		return
	}
	<-left // The next task must register before this one is done; otherwise the agent's WaitGroup could reach zero.
}
