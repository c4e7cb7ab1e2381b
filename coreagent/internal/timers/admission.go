package engine

import (
	"sync"
	"time"
)

const (
	// startParallel is how many jobs of an agent join at the same time. Without a
	// limit the start of ten thousand jobs would hold a hundred thousand waiting
	// requests in memory and be no faster.
	startParallel = 32

	// controlParallel is how many are brought in line with the tree at the same
	// time. It is more because nothing runs until they are: a server that has just
	// been started is slow to answer each request, and no slower with more of them.
	controlParallel = 128

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

// enter calls start, which must not block, at once if fewer than limit work, or
// else as soon as one of them leaves.
func (a *admission) enter(limit int, start func()) {
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
