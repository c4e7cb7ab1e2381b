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

// clockSet is the difference between the wall clock and the monotonic one from
// which on the wall clock counts as set, and not as adjusted a little.
const clockSet = time.Second

// timers is the one queue of future work of an agent: a heap and one goroutine
// for all jobs.
//
// When the wall clock is set, timers of a calendar are asked to look at it
// again: set forward, each fires once for all that was skipped; set back, none
// waits for the old time to come again. The others measure a span of time and
// keep what is left of it.
type timers struct {
	clock func() reading

	mu   sync.Mutex
	heap timerHeap
	last reading
	wake chan struct{}
}

// reading is the time by two clocks.
type reading struct {
	wall      time.Time     // may be set
	monotonic time.Duration // never jumps
}

// readClocks reads a wall clock and the system's monotonic one.
func readClocks(wall func() time.Time) func() reading {
	base := time.Now()
	return func() reading { return reading{wall: wall().Round(0), monotonic: time.Since(base)} }
}

// timer is one entry. It is inert once stopped or fired, and can be set again.
type timer struct {
	at    time.Time
	fn    func(at time.Time) // must not block
	index int                // position in the heap, -1 outside
	// rearm sets a timer of a calendar anew after the clock was set back. What
	// came since a time, by the clock as it is now, came unnoticed. It must not
	// block; nil for timers that measure a span of time.
	rearm func(since time.Time)
}

func newTimers(wall func() time.Time) *timers {
	q := &timers{clock: readClocks(wall), wake: make(chan struct{}, 1)}
	q.last = q.clock()
	return q
}

// newTimer returns an unset timer. fn runs on the queue's goroutine.
func newTimer(fn func(at time.Time)) *timer { return &timer{fn: fn, index: -1} }

// now is the time of the wall clock.
func (q *timers) now() time.Time { return q.clock().wall }

// set schedules t, replacing its earlier time.
func (q *timers) set(t *timer, at time.Time) {
	q.mu.Lock()
	// Compared as wall clock: stripping the monotonic reading makes a set clock
	// count.
	t.at = at.Round(0)
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

// after schedules t, which measures a span of time.
func (q *timers) after(t *timer, d time.Duration) { q.set(t, q.now().Add(d)) }

// within schedules t for the end of a span, unless it fires before that anyway:
// who asks for a later time must not put off what others wait for.
func (q *timers) within(t *timer, d time.Duration) {
	q.mu.Lock()
	sooner := t.index >= 0 && t.at.Before(q.now().Add(d))
	q.mu.Unlock()
	if !sooner {
		q.after(t, d)
	}
}

func (q *timers) run(ctx context.Context) {
	sleep := time.NewTimer(longestSleep)
	defer sleep.Stop()
	for {
		next, ran := q.look()
		if ran {
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

// look does what is due. It returns how long until the next timer, and whether
// there was something to do.
func (q *timers) look() (next time.Duration, ran bool) {
	now := q.clock()
	rearm, since := q.followClock(now)
	for _, again := range rearm {
		again(since)
	}
	due, next := q.due(now.wall)
	for _, t := range due {
		t.fn(t.at)
	}
	return next, len(rearm)+len(due) > 0
}

// followClock notices that the wall clock was set since the last look, and
// returns what has to be asked for its time again, and when that look was by the
// clock as it is now.
func (q *timers) followClock(now reading) (rearm []func(since time.Time), since time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	since = now.wall.Add(q.last.monotonic - now.monotonic)
	set := since.Sub(q.last.wall)
	q.last = now
	if set.Abs() < clockSet {
		return nil, since
	}
	for _, t := range q.heap {
		switch {
		case t.rearm == nil:
			t.at = t.at.Add(set)
		case set < 0:
			rearm = append(rearm, t.rearm)
		}
	}
	heap.Init(&q.heap)
	return rearm, since
}

// due takes what is due off the heap and returns how long until the next.
func (q *timers) due(now time.Time) (due []*timer, next time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.heap) > 0 {
		t := q.heap[0]
		if wait := t.at.Sub(now); wait > 0 {
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
