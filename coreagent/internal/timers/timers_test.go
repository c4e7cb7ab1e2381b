package timers

import (
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// handClock is a clock that a test moves.
type handClock struct {
	reading
	slow int // thousandths by which a sleep is too long
}

func (c *handClock) read() reading { return c.reading }

// pass moves both clocks forward.
func (c *handClock) pass(d time.Duration) {
	c.wall = c.wall.Add(d)
	c.monotonic += d
}

func (c *handClock) set(by time.Duration) { c.wall = c.wall.Add(by) }

func newHandClock() (*handClock, *Queue) {
	clock := &handClock{reading: reading{wall: time.Date(2026, 3, 1, 12, 0, 0, 500_000_000, time.UTC)}}
	q := New(time.Now)
	q.clock, q.last = clock.read, clock.reading
	return clock, q
}

// run runs everything that becomes due in d, like the goroutine of the queue.
func (c *handClock) run(q *Queue, d time.Duration) {
	for end := c.monotonic + d; ; {
		next, ran := q.look()
		if ran {
			continue
		}
		next = min(nap(next), end-c.monotonic)
		if next <= 0 {
			return
		}
		c.pass(next + next/1000*time.Duration(c.slow))
	}
}

// calendar is a timer that fires by a cron expression.
func calendar(t *testing.T, q *Queue, cron string) *[]time.Time {
	t.Helper()
	schedule, err := quartz.Parse(cron)
	if err != nil {
		t.Fatal(err)
	}
	var fired []time.Time
	var entry *Timer
	arm := func() {
		next, _ := schedule.Next(q.Now(), time.UTC)
		q.Set(entry, next)
	}
	entry = NewCalendarTimer(func(at time.Time) {
		fired = append(fired, at)
		arm()
	}, func(time.Time) { arm() })
	arm()
	return &fired
}

// If each sleep of a machine is a few thousandths too long, a one-minute timer still fires within a
// millisecond. It costs two sleeps for each ten seconds.
func TestSlowTimers(t *testing.T) {
	t.Parallel()
	for _, slow := range []int{0, 2, 5} {
		clock, q := newHandClock()
		clock.slow = slow
		var late []time.Duration
		for _, after := range []time.Duration{time.Millisecond, 90 * time.Millisecond, time.Second, 10 * time.Second, time.Minute} {
			q.After(NewTimer(func(at time.Time) { late = append(late, clock.wall.Sub(at)) }), after)
		}
		clock.run(q, 2*time.Minute)
		if len(late) != 5 || slices.Max(late) > time.Millisecond || slices.Min(late) < 0 {
			t.Errorf("timers of a machine that sleeps %d thousandths too long were late by %v", slow, late)
		}
	}
	for wait := shortSleep; wait < time.Hour; wait += wait/50 + time.Millisecond {
		if first := nap(wait); first <= 0 || first > longestSleep || wait <= longestSleep && wait-first > shortSleep {
			t.Fatalf("a wait of %s begins with a sleep of %s", wait, first)
		}
	}
}

// The clock is set by an hour. A calendar timer fires once for everything skipped, and doesn't wait
// for the old time to come again. Duration timers don't change.
func TestMS39ClockIsSet(t *testing.T) {
	t.Parallel()
	for _, by := range []time.Duration{time.Hour, -time.Hour, 24 * time.Hour, -24 * time.Hour} {
		clock, q := newHandClock()
		seconds := calendar(t, q, "* * * * * ?")
		minutes := calendar(t, q, "0 * * * * ?")
		spanned := 0
		span := NewTimer(func(time.Time) { spanned++ })
		clock.run(q, time.Minute)
		if len(*seconds) != 60 || len(*minutes) != 1 {
			t.Fatalf("%d and %d fire times in a minute", len(*seconds), len(*minutes))
		}
		q.Set(span, q.Now().Add(30*time.Second))
		*seconds, *minutes = nil, nil
		clock.set(by)
		clock.run(q, time.Minute)
		if n := len(*seconds); n < 60-int(longestSleep/time.Second) || n > 61 {
			t.Errorf("clock set by %v: %d fire times of each second within a minute", by, n)
		}
		if n := len(*minutes); n < 1 || n > 2 {
			t.Errorf("clock set by %v: %d fire times of each minute within a minute", by, n)
		}
		if spanned != 1 {
			t.Errorf("clock set by %v: a timer of half a minute fired %d times within a minute", by, spanned)
		}
	}
}

// A small clock adjustment changes nothing.
func TestClockIsAdjusted(t *testing.T) {
	t.Parallel()
	clock, q := newHandClock()
	seconds := calendar(t, q, "* * * * * ?")
	for range 60 {
		clock.set(-2 * time.Millisecond)
		clock.run(q, time.Second)
	}
	if n := len(*seconds); n < 59 || n > 60 {
		t.Errorf("%d fire times in a minute", n)
	}
	for i := range *seconds {
		if i > 0 && !(*seconds)[i].After((*seconds)[i-1]) {
			t.Errorf("%v after %v", (*seconds)[i], (*seconds)[i-1])
		}
	}
}
