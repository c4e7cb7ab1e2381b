package timers

import (
	"container/heap"
	"context"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/wake"
)

// longestSleep limits how long the queue trusts the monotonic clock. Fire times are wall times, and
// the wall clock may be set.
const longestSleep = 10 * time.Second

// The timers of a machine may be slow. On a virtual machine they were late by 0.2%: 10 ms after 5
// s, and less than 1 ms after 0.1 s. So the queue sleeps for most of a long duration, and then for
// the rest.
const (
	shortSleep   = 100 * time.Millisecond // slept at once
	partLeftOver = 128                    // this part of a longer duration is left for the second sleep
)

// nap returns how long to sleep before the clock is read again.
func nap(next time.Duration) time.Duration {
	if next <= shortSleep {
		return next
	}
	next = min(next, longestSleep)
	return next - next/partLeftOver
}

// ClockSet is the difference between the wall clock and the monotonic clock from which the wall
// clock counts as set, not just adjusted.
const ClockSet = time.Second

// Queue is an agent's queue of future work: a heap and one goroutine for all jobs. It's safe for
// concurrent use, and no method except Run blocks.
//
// When the wall clock is set forward, each calendar timer fires once for everything skipped. When
// it's set back, calendar timers are rearmed, so they don't wait for the old time to come again.
// Duration timers keep their remaining time.
type Queue struct {
	clock func() reading

	mu   sync.Mutex
	heap timerHeap
	last reading
	wake chan struct{}
}

// reading is the time by both clocks.
type reading struct {
	wall      time.Time     // may be set
	monotonic time.Duration // never jumps
}

// readClocks returns a function that reads a wall clock and the system's monotonic clock.
func readClocks(wall func() time.Time) func() reading {
	base := time.Now()
	return func() reading { return reading{wall: wall().Round(0), monotonic: time.Since(base)} }
}

// Timer is one entry. After it was stopped or has fired, it can be set again.
type Timer struct {
	at    time.Time
	fn    func(at time.Time)
	index int                   // position in the heap, -1 outside
	rearm func(since time.Time) // nil for duration timers
}

// New returns an empty queue. wall returns the wall time.
func New(wall func() time.Time) *Queue {
	q := &Queue{clock: readClocks(wall), wake: make(chan struct{}, 1)}
	q.last = q.clock()
	return q
}

// NewTimer returns an unset duration timer. fn runs on the goroutine of the queue, with the time
// that the timer was set for, and must not block.
func NewTimer(fn func(at time.Time)) *Timer { return &Timer{fn: fn, index: -1} }

// NewCalendarTimer returns an unset calendar timer. After the clock was set back, the queue calls
// rearm to set the timer again. Fire times after rearm's argument, by the new time, may have passed
// unnoticed. rearm runs on the same goroutine as fn, and must not block either.
func NewCalendarTimer(fn, rearm func(at time.Time)) *Timer {
	return &Timer{fn: fn, index: -1, rearm: rearm}
}

func (q *Queue) Now() time.Time { return q.clock().wall }

// Set schedules t, replacing its earlier time.
func (q *Queue) Set(t *Timer, at time.Time) {
	q.mu.Lock()
	// Compare wall times. Without the monotonic reading, a set clock counts.
	t.at = at.Round(0)
	if t.index >= 0 {
		heap.Fix(&q.heap, t.index)
	} else {
		heap.Push(&q.heap, t)
	}
	first := t.index == 0
	q.mu.Unlock()
	if first {
		wake.Up(q.wake)
	}
}

// Stop removes t from the queue. Its fn may be just about to run.
func (q *Queue) Stop(t *Timer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.index >= 0 {
		heap.Remove(&q.heap, t.index)
	}
}

// After schedules the duration timer t.
func (q *Queue) After(t *Timer, d time.Duration) { q.Set(t, q.Now().Add(d)) }

// Within schedules t for the end of a duration unless it fires earlier anyway. A later request must
// not delay an earlier one.
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

// look runs everything that is due. It returns how long until the next timer, and whether anything
// ran.
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

// followClock detects whether the wall clock was set since the last look. It returns the rearm
// functions to call, and the time of the last look by the current clock.
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

// due pops all due timers and returns the time until the next one.
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
