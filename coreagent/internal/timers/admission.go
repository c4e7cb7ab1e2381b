package timers

import (
	"sync"
	"time"
)

// patience is how long a job keeps its place. One that waits for a latch somebody
// else holds must not hold up the other jobs.
const patience = time.Second

// Admission lets so many goroutines work; the others do not exist yet. Its zero
// value is ready, and its methods may be called at the same time.
type Admission struct {
	mu      sync.Mutex
	working int
	waiting []func()
}

// Enter calls start, which must not block, at once if fewer than limit work, or
// else as soon as one of them leaves.
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

// leave makes room for the next.
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

// Do calls fn in a place that was entered, and leaves it when fn returns or has
// taken longer than a second. It returns when fn has returned.
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
	<-left // Whoever is let in joins the agent's tasks while this one still counts.
}
