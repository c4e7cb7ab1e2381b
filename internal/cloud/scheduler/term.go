package scheduler

import (
	"cmp"
	"container/heap"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// term is the time in which this process leads. Only the goroutine of run uses it. Calls send a
// function that handles their results.
type term struct {
	*Scheduler
	ctx                               context.Context
	entries                           map[string]*entry
	wakes                             heapOf[wakeTime] // with outdated ones
	again                             map[string]bool  // jobs to look at now
	launches, writes, others, notices pool
	results                           chan func()
	wg                                sync.WaitGroup
	rows                              map[taskKey]rowState
	offset                            time.Duration // of the wall clock
	base                              time.Time     // start of the monotonic clock
}

type entry struct {
	name string
	at   time.Time // when to look again, by the monotonic clock; zero if no time is known
	memory
	parsed parsed
}

// wakeTime is a time to look at a job again. It's outdated if the job's entry has another time.
type wakeTime struct {
	name string
	at   time.Time
}

func (w wakeTime) before(o wakeTime) bool { return w.at.Before(o.at) }

func newTerm(s *Scheduler, ctx context.Context) *term {
	t := &term{
		Scheduler: s, ctx: ctx, entries: make(map[string]*entry), again: make(map[string]bool),
		launches: pool{width: s.launches, timeout: callTimeout}, writes: pool{width: mostOthers, timeout: callTimeout},
		others: pool{width: mostOthers, timeout: callTimeout}, notices: pool{width: mostNotices, timeout: notifyTimeout},
		results: make(chan func(), 256), rows: make(map[taskKey]rowState), base: time.Now(),
	}
	t.offset = t.clockOffset()
	return t
}

func (t *term) run() {
	defer t.wg.Wait()
	defer t.mirror.rest()
	for !t.mirror.present() {
		select {
		case <-t.mirror.wake:
		case <-t.ctx.Done():
			return
		}
	}
	t.mirror.lead()
	for t.ctx.Err() == nil {
		wait := t.pass()
		select {
		case <-t.mirror.wake:
		case finish := <-t.results:
			finish()
		case <-time.After(wait):
		case <-t.ctx.Done():
			return
		}
	}
}

// pass looks at the jobs that need it and returns how long the loop may sleep.
func (t *term) pass() time.Duration {
	for range len(t.results) { // Handle all results before looking at their jobs.
		(<-t.results)()
	}
	t.followClock()
	dirty, news := t.mirror.take()
	maps.Copy(t.again, dirty)
	t.record(news)
	now := time.Now()
	for len(t.wakes) > 0 && !t.wakes[0].at.After(now) {
		w := heap.Pop(&t.wakes).(wakeTime)
		if e := t.entries[w.name]; e != nil && e.at.Equal(w.at) {
			e.at, t.again[w.name] = time.Time{}, true
		}
	}
	for name := range t.again {
		t.step(t.entry(name))
	}
	clear(t.again)
	for _, p := range []*pool{&t.launches, &t.writes, &t.others, &t.notices} {
		for r, ok := p.next(); ok; r, ok = p.next() {
			t.wg.Go(r.do)
		}
	}
	if len(t.wakes) == 0 {
		return longestSleep
	}
	return max(0, min(longestSleep, time.Until(t.wakes[0].at)))
}

func (t *term) step(e *entry) {
	d := plan(t.observe(e), e.memory)
	e.memory = d.memory
	for _, a := range d.actions {
		t.perform(e, a)
	}
	if !d.wake.IsZero() {
		t.wake(e, d.wake)
	}
	if d.over {
		delete(t.entries, e.name)
	}
}

func (t *term) clockOffset() time.Duration {
	return t.Now().Round(0).Sub(t.base.Round(0)) - time.Since(t.base)
}

// followClock looks at all jobs again after the wall clock was set, because their wake times are on
// the monotonic clock.
func (t *term) followClock() {
	offset := t.clockOffset()
	if (offset - t.offset).Abs() < clockSet {
		return
	}
	t.Logger.WarnContext(t.ctx, "cloud: the wall clock was changed; skipped fire times are made up for or missed, "+
		"none fires twice", "by", offset-t.offset)
	t.offset = offset
	for name := range t.entries {
		t.again[name] = true
	}
}

func (t *term) entry(name string) *entry {
	e := t.entries[name]
	if e == nil {
		e = &entry{name: name}
		t.entries[name] = e
	}
	return e
}

// wake schedules the next look at a job on the monotonic clock, unless it's already earlier.
func (t *term) wake(e *entry, at time.Time) {
	if e.at.IsZero() || at.Before(e.at) {
		e.at = at
		heap.Push(&t.wakes, wakeTime{e.name, at})
	}
}

type rowState struct {
	states []cloud.State // of status rows
	began  bool          // the row of its execution
	ended  bool
}

// record records new rows of tasks. A task's rows follow the order of its states, so new rows come
// after the recorded ones.
func (t *term) record(news map[taskKey]taskNews) {
	count := 0
	for key, n := range news {
		if !n.exists && !cloud.Ended(n.task.State) {
			n.task.State, n.task.Message, n.task.Ended = tracing.StateUnknown, "its end was not observed", t.Now()
		}
		count += t.recordTask(key, n.run, n.task)
		if !n.exists {
			delete(t.rows, key)
		}
	}
	if count > 0 {
		t.Metrics.Recorded(count)
	}
}

func (t *term) recordTask(key taskKey, run cloud.RunStatus, task cloud.Task) (count int) {
	before := t.rows[key]
	now := before
	statuses, execution := cloud.Rows(run, task)
	for _, row := range statuses {
		if !slices.Contains(before.states, row.State) {
			now.states = append(now.states, row.State)
			t.Recorder.RecordStatus(row)
			count++
		}
	}
	if execution != nil {
		if ended := !execution.Running(); !before.began || ended && !before.ended {
			now.began, now.ended = true, ended
			t.Recorder.RecordExecution(*execution)
			count++
		}
	}
	t.rows[key] = now
	return count
}

// pool limits the number of calls under way. The others wait, ordered by priority, job and number.
// Only the loop's goroutine uses it.
type pool struct {
	width, busy int
	timeout     time.Duration // of each call
	waiting     heapOf[request]
	count       int
}

// request is a call to make on its own goroutine.
type request struct {
	priority int
	name     string // of the job
	number   int
	do       func()
}

func (r request) before(o request) bool {
	return cmp.Or(o.priority-r.priority, cmp.Compare(r.name, o.name), r.number-o.number) < 0
}

func (p *pool) add(r request) {
	p.count++
	r.number = p.count
	heap.Push(&p.waiting, r)
}

func (p *pool) next() (request, bool) {
	if p.busy >= p.width || len(p.waiting) == 0 {
		return request{}, false
	}
	p.busy++
	return heap.Pop(&p.waiting).(request), true
}

type heapOf[T ordered[T]] []T

type ordered[T any] interface{ before(than T) bool }

func (h heapOf[T]) Len() int           { return len(h) }
func (h heapOf[T]) Less(i, j int) bool { return h[i].before(h[j]) }
func (h heapOf[T]) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *heapOf[T]) Push(x any)        { *h = append(*h, x.(T)) }

func (h *heapOf[T]) Pop() any {
	at := len(*h) - 1
	last := (*h)[at]
	clear((*h)[at:])
	*h = (*h)[:at]
	return last
}
