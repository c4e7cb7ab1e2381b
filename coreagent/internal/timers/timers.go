package timers

import (
	"container/heap"
	"context"
	"sync"
	"time"
)

// longestSleep bounds how long the queue trusts the monotonic clock: fire
// times are wall-clock times, and the wall clock may be set.
const longestSleep = 10 * time.Second

// The timers of a machine may be slow. On a virtual machine they were late by two
// thousandths of their span: 10 milliseconds after 5 seconds, and less than one after a
// tenth of a second. So the queue sleeps for most of a long span, and then for the rest.
const (
	shortSleep   = 100 * time.Millisecond // The queue sleeps for such a span at once.
	partLeftOver = 128                    // This part of a long span is left for the second sleep.
)

// nap is how long to sleep before the clock is read again.
func nap(next time.Duration) time.Duration {
	if next <= shortSleep {
		return next
	}
	next = min(next, longestSleep)
	return next - next/partLeftOver
}

// ClockSet is the difference between the wall clock and the monotonic one from
// which on the wall clock counts as set, and not as adjusted a little.
const ClockSet = time.Second

// Queue is the one queue of future work of an agent: a heap and one goroutine
// for all jobs. Its methods may be called at the same time; none but Run blocks.
//
// When the wall clock is set, timers of a calendar are asked to look at it
// again: set forward, each fires once for all that was skipped; set back, none
// waits for the old time to come again. The others measure a span of time and
// keep what is left of it.
type Queue struct {
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

// Timer is one entry. It is inert once stopped or fired, and can be set again.
type Timer struct {
	at    time.Time
	fn    func(at time.Time)
	index int                   // position in the heap, -1 outside
	rearm func(since time.Time) // nil for timers that measure a span of time
}

// New returns an empty queue. wall tells the time of the wall clock.
func New(wall func() time.Time) *Queue {
	q := &Queue{clock: readClocks(wall), wake: make(chan struct{}, 1)}
	q.last = q.clock()
	return q
}

// NewTimer returns an unset timer that measures a span of time. fn runs on the
// goroutine of the queue, with the time the timer was set for, and must not block.
func NewTimer(fn func(at time.Time)) *Timer { return &Timer{fn: fn, index: -1} }

// NewCalendarTimer returns an unset timer of a calendar. rearm sets it anew after
// the clock was set back: what came since a time, by the clock as it is now, came
// unnoticed. It runs where fn does, and must not block either.
func NewCalendarTimer(fn, rearm func(at time.Time)) *Timer {
	return &Timer{fn: fn, index: -1, rearm: rearm}
}

// Now is the time of the wall clock.
func (q *Queue) Now() time.Time { return q.clock().wall }

// Set schedules t, replacing its earlier time.
func (q *Queue) Set(t *Timer, at time.Time) {
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

// Stop removes t from the queue; its fn may be about to run.
func (q *Queue) Stop(t *Timer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.index >= 0 {
		heap.Remove(&q.heap, t.index)
	}
}

// After schedules t, which measures a span of time.
func (q *Queue) After(t *Timer, d time.Duration) { q.Set(t, q.Now().Add(d)) }

// Within schedules t for the end of a span, unless it fires before that anyway:
// who asks for a later time must not put off what others wait for.
func (q *Queue) Within(t *Timer, d time.Duration) {
	q.mu.Lock()
	sooner := t.index >= 0 && t.at.Before(q.Now().Add(d))
	q.mu.Unlock()
	if !sooner {
		q.After(t, d)
	}
}

// Run fires the timers until ctx ends.
func (q *Queue) Run(ctx context.Context) {
	sleep := time.NewTimer(longestSleep)
	defer sleep.Stop()
	for {
		next, ran := q.look()
		if ran {
			continue
		}
		sleep.Reset(nap(next))
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
func (q *Queue) look() (next time.Duration, ran bool) {
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
func (q *Queue) followClock(now reading) (rearm []func(since time.Time), since time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	since = now.wall.Add(q.last.monotonic - now.monotonic)
	set := since.Sub(q.last.wall)
	q.last = now
	if set.Abs() < ClockSet {
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
func (q *Queue) due(now time.Time) (due []*Timer, next time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.heap) > 0 {
		t := q.heap[0]
		if wait := t.at.Sub(now); wait > 0 {
			return due, wait
		}
		heap.Pop(&q.heap)
		due = append(due, &Timer{at: t.at, fn: t.fn})
	}
	return due, longestSleep
}

type timerHeap []*Timer

func (h timerHeap) Len() int           { return len(h) }
func (h timerHeap) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *timerHeap) Push(x any) {
	t := x.(*Timer)
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
