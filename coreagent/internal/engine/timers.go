package engine

import (
	"container/heap"
	"context"
	"sync"
	"time"
)

// longestSleep bounds how long the queue trusts the monotonic clock: fire
// times are wall-clock times, and the wall clock may be set.
const longestSleep = 10 * time.Second

// timers is the one queue of future work of an agent: a heap and one goroutine
// for all jobs.
type timers struct {
	mu   sync.Mutex
	heap timerHeap
	wake chan struct{}
}

// timer is one entry. It is inert once stopped or fired, and can be set again.
type timer struct {
	at    time.Time
	fn    func(at time.Time) // must not block
	index int                // position in the heap, -1 outside
}

func newTimers() *timers { return &timers{wake: make(chan struct{}, 1)} }

// newTimer returns an unset timer. fn runs on the queue's goroutine.
func newTimer(fn func(at time.Time)) *timer { return &timer{fn: fn, index: -1} }

// set schedules t, replacing its earlier time.
func (q *timers) set(t *timer, at time.Time) {
	q.mu.Lock()
	t.at = at
	if t.index >= 0 {
		heap.Fix(&q.heap, t.index)
	} else {
		heap.Push(&q.heap, t)
	}
	first := t.index == 0
	q.mu.Unlock()
	if first {
		select {
		case q.wake <- struct{}{}:
		default:
		}
	}
}

// stop removes t from the queue; its fn may be about to run.
func (q *timers) stop(t *timer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.index >= 0 {
		heap.Remove(&q.heap, t.index)
	}
}

func (q *timers) run(ctx context.Context) {
	sleep := time.NewTimer(longestSleep)
	defer sleep.Stop()
	for {
		due, next := q.due(time.Now())
		for _, t := range due {
			t.fn(t.at)
		}
		if len(due) > 0 {
			continue
		}
		sleep.Reset(min(next, longestSleep))
		select {
		case <-sleep.C:
		case <-q.wake:
		case <-ctx.Done():
			return
		}
	}
}

// due takes what is due off the heap and returns how long until the next.
func (q *timers) due(now time.Time) (due []*timer, next time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.heap) > 0 {
		t := q.heap[0]
		// Compared as wall clock: stripping the monotonic reading makes a set
		// clock count.
		if wait := t.at.Round(0).Sub(now.Round(0)); wait > 0 {
			return due, wait
		}
		heap.Pop(&q.heap)
		due = append(due, &timer{at: t.at, fn: t.fn})
	}
	return due, longestSleep
}

type timerHeap []*timer

func (h timerHeap) Len() int           { return len(h) }
func (h timerHeap) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *timerHeap) Push(x any) {
	t := x.(*timer)
	t.index = len(*h)
	*h = append(*h, t)
}
func (h *timerHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	t.index = -1
	return t
}
