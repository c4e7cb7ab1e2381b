package engine

import (
	"sync"
	"time"
)

const (
	// controlParallel is how many jobs of an agent are brought in line with the
	// tree at the same time. Without a limit the start of ten thousand jobs, or
	// a reconnection, would hold a hundred thousand waiting requests in memory
	// and be no faster.
	controlParallel = 32

	// controlPatience is how long a job keeps its place. One that waits for a
	// latch somebody else holds must not hold up the other jobs.
	controlPatience = time.Second
)

// admission lets so many control goroutines work; the others do not exist yet.
type admission struct {
	mu      sync.Mutex
	working int
	waiting []func()
}

// enter calls start, which must not block, at once or as soon as there is room.
func (a *admission) enter(start func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.working >= controlParallel {
		a.waiting = append(a.waiting, start)
		return
	}
	a.working++
	start()
}

// leave makes room for the next.
func (a *admission) leave() {
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

// during calls fn in a place that was entered, and leaves it when fn returns or
// has taken too long.
func (a *admission) during(fn func()) {
	left := make(chan struct{})
	limit := time.AfterFunc(controlPatience, func() {
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
