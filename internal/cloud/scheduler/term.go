package scheduler

import (
	"container/heap"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// errNotLeading is what a call returns that began after the end of the leadership.
var errNotLeading = errors.New("this process leads no more")

// term is the time in which this process leads. Everything in it belongs to the goroutine
// of run; calls send what is to be done with their results.
type term struct {
	*Scheduler
	ctx     context.Context
	entries map[string]*entry
	wakes   entryHeap
	again   map[string]bool // entries to look at now
	fires   lane
	others  lane
	writes  lane
	notices lane
	results chan func()
	wg      sync.WaitGroup
	rows    map[taskKey]rowState
	offset  time.Duration // of the wall clock
	base    time.Time     // where the monotonic clock began
}

func newTerm(s *Scheduler, ctx context.Context) *term {
	t := &term{
		Scheduler: s, ctx: ctx, entries: make(map[string]*entry), again: make(map[string]bool), results: make(chan func(), 256),
		rows:  make(map[taskKey]rowState),
		fires: lane{width: s.Launches, timeout: callTimeout}, others: lane{width: s.Others, timeout: callTimeout}, writes: lane{width: s.Others, timeout: callTimeout},
		notices: lane{width: mostNotices, timeout: notifyTimeout}, base: time.Now(),
	}
	t.offset = t.clockOffset()
	return t
}

// run leads until the leadership ends.
func (t *term) run() {
	defer t.wg.Wait()
	defer t.mirror.rest()
	for !t.mirror.synced() {
		select {
		case <-t.mirror.wake:
		case <-t.ctx.Done():
			return
		}
	}
	t.again = t.mirror.all()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for t.ctx.Err() == nil {
		timer.Reset(t.pass())
		select {
		case <-t.mirror.wake:
		case do := <-t.results:
			do()
			t.drain()
		case <-timer.C:
		case <-t.ctx.Done():
			return
		}
	}
}

// drain takes results that have come already, so that their jobs are looked at together.
func (t *term) drain() {
	for range cap(t.results) {
		select {
		case do := <-t.results:
			do()
		default:
			return
		}
	}
}

// pass does what there is to do now and returns how long nothing will be.
func (t *term) pass() time.Duration {
	t.followClock()
	for name := range t.mirror.takeDirty() {
		t.again[name] = true
	}
	t.record()
	now := time.Now()
	for len(t.wakes) > 0 && !t.wakes[0].at.After(now) {
		t.again[heap.Pop(&t.wakes).(*entry).name] = true
	}
	for len(t.again) > 0 {
		names := t.again
		t.again = make(map[string]bool)
		for name := range names {
			t.step(t.entry(name))
		}
	}
	for _, l := range []*lane{&t.fires, &t.writes, &t.others, &t.notices} {
		t.start(l)
	}
	if len(t.wakes) == 0 {
		return longestSleep
	}
	return max(0, min(longestSleep, time.Until(t.wakes[0].at)))
}

func (t *term) clockOffset() time.Duration {
	return t.Now().Round(0).Sub(t.base.Round(0)) - time.Since(t.base)
}

// followClock looks at all jobs again when the wall clock was set: their wake times were
// counted by the monotonic one.
func (t *term) followClock() {
	offset := t.clockOffset()
	if (offset - t.offset).Abs() < clockSet {
		return
	}
	t.Logger.WarnContext(t.ctx, "cloud: the wall clock was set; fire times that it skipped are made up for or missed, none fires twice", "by", offset-t.offset)
	t.offset = offset
	for name := range t.entries {
		t.again[name] = true
	}
}

func (t *term) entry(name string) *entry {
	e := t.entries[name]
	if e == nil {
		e = newEntry(name)
		t.entries[name] = e
	}
	return e
}

// wake makes the job be looked at at a time of the monotonic clock, unless it is earlier.
func (t *term) wake(e *entry, at time.Time) {
	switch {
	case e.index < 0:
		e.at = at
		heap.Push(&t.wakes, e)
	case at.Before(e.at):
		e.at = at
		heap.Fix(&t.wakes, e.index)
	}
}

// forget drops an entry about which there is nothing to know any more.
func (t *term) forget(e *entry) {
	if e.index >= 0 {
		heap.Remove(&t.wakes, e.index)
	}
	delete(t.entries, e.name)
}

// call lets a lane make a call for a job, and then calls done on the loop's goroutine.
func (t *term) call(l *lane, e *entry, priority int, verb string, do func(ctx context.Context) error, done func(err error)) {
	l.add(call{priority: priority, name: e.name, do: func() {
		err := t.timed(verb, l.timeout, do)
		finish := func() {
			l.busy--
			t.again[e.name] = true
			done(err)
		}
		select {
		case t.results <- finish:
		case <-t.ctx.Done():
		}
	}})
}

// timed makes a call, if this process still leads: a process that was frozen may have lost
// its leadership before anybody asked it to stop.
func (t *term) timed(verb string, most time.Duration, do func(ctx context.Context) error) error {
	if t.ctx.Err() != nil {
		return errNotLeading
	}
	ctx, cancel := context.WithTimeout(t.ctx, most)
	defer cancel()
	began := time.Now()
	err := do(ctx)
	t.Metrics.Called(verb, time.Since(began), err)
	return err
}

// start begins the calls that a lane has places for.
func (t *term) start(l *lane) {
	for {
		c, ok := l.next()
		if !ok {
			return
		}
		t.wg.Go(c.do)
	}
}

// entryHeap has the entries that wait for a time.
type entryHeap []*entry

func (h entryHeap) Len() int           { return len(h) }
func (h entryHeap) Less(i, j int) bool { return h[i].at.Before(h[j].at) }

func (h entryHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *entryHeap) Push(x any) {
	e := x.(*entry)
	e.index = len(*h)
	*h = append(*h, e)
}

func (h *entryHeap) Pop() any {
	old := *h
	e := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	e.index = -1
	return e
}

// lagOf is how late something is, never negative.
func lagOf(now, due time.Time) time.Duration { return max(0, now.Sub(due)) }

// endingOf says who ends a run.
func endingOf(way cloud.Way, why string) cloud.Ending {
	return cloud.Ending{Way: way, By: "scheduler", Reason: why}
}
