package run

import (
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/barrier"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/lazymap"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// queue holds the pending requests of a job and the state of its runs. Pending requests of one kind
// become one run, as in ElasticJob.
type queue struct {
	looping   bool      // the run goroutine exists
	executing bool      // shards are being executed, not counting the ones that run next to the queue's run
	ahead     bool      // that run is getting ready for its fire time, or waits for it
	awaiting  bool      // the run has ended, except for waiting for other instances
	overruns  int       // fire times that passed during the run
	passed    time.Time // the newest of these fire times
	awaited   bool      // control must look when the run has ended
	fire      time.Time
	early     bool // requested before its fire time
	trigger   bool
	triggered time.Time // when the trigger was taken; its run may have to wait
	placed    int64     // transaction that placed the trigger
	misfire   bool
	// requested means that shards of a requested run wait to be claimed. Its turn comes between two
	// other runs.
	requested, hadTurn bool
	// misfireAfter delays the next try of a misfire that can't run.
	misfireAfter time.Time
	// refusedUntil delays the next claim after failover shards were refused.
	refusedUntil time.Time
	taken        []*takenShard // failover shards claimed by this instance
	// returned are claimed failover shards that must be offered again.
	returned []int

	// batches are all batches under way in this process: the run, and the shards that run next to
	// it.
	batches    map[*batch]struct{}
	held       map[int]*batch // the batch that holds each shard
	concurrent int            // goroutines that run shards next to the run
	idle       chan struct{}  // closed when nothing is under way
}

func (q *queue) empty() bool {
	return q.fire.IsZero() && !q.trigger && !q.misfire && len(q.taken) == 0 && !q.requested
}

func (q *queue) busy() bool { return q.looping || q.concurrent > 0 }

// begin must be called before something gets under way, and settle after it has ended.
func (q *queue) begin() {
	if !q.busy() {
		q.idle = make(chan struct{})
	}
}

func (q *queue) settle() {
	if !q.busy() {
		close(q.idle)
	}
}

func (q *queue) idleChannel() <-chan struct{} {
	if q.busy() {
		return q.idle
	}
	closed := make(chan struct{})
	close(closed)
	return closed
}

// takenShard is a failover shard that this instance has claimed.
type takenShard struct {
	view.Shard
	epoch uint64 // of the session in which it was claimed
	// reserved is set if the claim itself has marked the shard running. It holds the shard until a
	// batch does.
	reserved *batch
	due      jobtree.Due // the interrupted run's fire time or trigger
	begun    bool        // the record named that run when the shard was claimed
}

// request asks for one run.
type request struct {
	kind       kind
	at         time.Time
	failover   *takenShard // of a failover, else nil
	concurrent bool        // it runs next to the queue's run
	placed     int64       // transaction that placed the trigger; 0 for other requests
	meeting    *barrier.Meeting
	early      bool // the run may get ready before its fire time
}

// kind is the reason for a run.
type kind int

const (
	fireTime   kind = iota // a fire time of the schedule, which may be recorded as completed
	trigger                // an operator's trigger
	misfired               // shards that missed a fire time
	failedOver             // a shard that this instance has claimed as a failover
	claimed                // shards of a requested run in which every shard takes part, in the queue's turn
	slotted                // a shard with its own requested run
)

func (k kind) source() tracing.Source {
	switch k {
	case misfired:
		return tracing.SourceMisfire
	case failedOver:
		return tracing.SourceFailover
	case fireTime, trigger, claimed, slotted:
	}
	return tracing.SourceNormal
}

// next takes the first request from the queue; now is the wall clock.
func (q *queue) next(now time.Time) (request, bool) {
	switch {
	case len(q.taken) > 0:
		taken := q.taken[0]
		q.taken = q.taken[1:]
		return failoverOf(taken, now), true
	case q.requested && (!q.hadTurn || q.fire.IsZero() && !q.trigger && !q.misfire):
		q.requested, q.hadTurn = false, true
		return request{kind: claimed, at: now}, true
	}
	q.hadTurn = false
	switch {
	case !q.fire.IsZero():
		r := request{kind: fireTime, at: q.fire, early: q.early}
		q.fire, q.early = time.Time{}, false
		return r, true
	case q.trigger:
		q.trigger = false
		return request{kind: trigger, at: q.triggered, placed: q.placed}, true
	case q.misfire:
		q.misfire = false
		return request{kind: misfired, at: now}, true
	}
	return request{}, false
}

// failoverOf returns the request for a claimed shard: for the fire time or trigger of the
// interrupted run, or for now if that isn't known.
func failoverOf(s *takenShard, now time.Time) request {
	if s.due.Known() {
		now = s.due.At
	}
	return request{kind: failedOver, at: now, failover: s}
}

// enqueue changes the queue and starts the run goroutine if needed. It reports false if the job is
// stopping.
func (w *Worker) enqueue(change func(q *queue)) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.open {
		return false
	}
	change(&w.queue)
	if w.queue.looping || w.queue.empty() {
		return true
	}
	w.queue.begin()
	w.queue.looping = true
	go w.runQueue()
	return true
}

// runQueue works off the queue. If a handler ends the goroutine, it starts another one.
func (w *Worker) runQueue() {
	exited := true
	defer func() {
		if exited {
			go w.runQueue()
			w.job.Kick() // The end of the loop would do this, too.
		}
	}()
	sound := w.job.Guard("run", w.workQueue)
	exited = false
	if sound {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if q := &w.queue; q.looping {
		q.looping, q.awaited, q.awaiting = false, false, false
		q.settle()
	}
}

func (w *Worker) workQueue() {
	special := false
	var waiting *request // gave way to failover shards
	for {
		now := w.Host.Time()
		w.mu.Lock()
		r, ok := request{}, false
		switch {
		case !w.open:
		case waiting != nil && len(w.queue.taken) == 0:
			r, ok, waiting = *waiting, true, nil
		default:
			r, ok = w.queue.next(now)
		}
		if !ok {
			w.queue.looping = false
			w.queue.settle()
			awaited := w.queue.awaited
			w.queue.awaited = false
			w.mu.Unlock()
			// A misfire may still wait, and more shards may be offered.
			if awaited || special {
				w.job.Kick()
			}
			return
		}
		looks := r.kind == claimed && w.queue.awaited
		w.queue.awaited = w.queue.awaited && !looks
		w.mu.Unlock()
		if looks { // Fire times missed during the previous run come after this one.
			w.job.Kick()
		}
		special = special || r.kind == misfired || r.kind == failedOver
		make := w.run
		if r.kind == claimed {
			make = w.runEach
		}
		switch err := make(r); {
		case errors.Is(err, errGivesWay):
			again := r // Otherwise each request would be allocated on the heap.
			waiting = &again
		case err != nil && w.Host.Life.Err() == nil:
			w.Log.Error("run failed", "scheduled", r.at, "source", string(r.kind.source()), "err", err)
			if _, ran := errors.AsType[ranError](err); !ran {
				w.pauseMisfires()
				w.job.Hinder(obstacle.Run, err)
			}
		}
	}
}

// Trigger takes an operator's trigger. As in ElasticJob, it's dropped during a run. A run that
// waits for its fire time hasn't begun.
func (w *Worker) Trigger(placed int64) {
	w.enqueue(func(q *queue) {
		if q.executing && !q.ahead {
			w.Log.Info("trigger dropped: the job is running on this instance")
			return
		}
		q.trigger, q.triggered, q.placed = true, w.Host.Time(), placed
	})
}

// Misfire asks for a run of the shards that missed a fire time.
func (w *Worker) Misfire() {
	w.enqueue(func(q *queue) {
		claiming := q.find(func(b *batch) bool { return b.kind == claimed }) != nil
		running := q.executing && !claiming // It may run the missed shards.
		q.awaited = q.awaited || running
		switch {
		case running:
		case time.Now().Before(q.misfireAfter):
			// Another retry with an earlier time has used up the timer.
			w.job.Retry(time.Until(q.misfireAfter))
		default:
			q.misfire = true
		}
	})
}

// pauseMisfires delays misfire runs after a run that could not be made. The markers stay, and we
// look at them again later.
func (w *Worker) pauseMisfires() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue.misfireAfter = time.Now().Add(nodes.RetryLast)
	w.job.Retry(nodes.RetryLast)
}

// refuse leaves claimed shards to other instances because our clock is off, and claims none for a
// while.
func (w *Worker) refuse(claimed *takenShard) {
	w.mu.Lock()
	w.queue.refusedUntil = time.Now().Add(nodes.RetryLast)
	w.mu.Unlock()
	w.offerAgain(claimed)
	w.pauseMisfires()
}

// occupy reserves the shards of b and reports which of them another batch of this process holds.
// Otherwise two batches could mistake each other's markers for leftovers.
func (q *queue) occupy(b *batch) (elsewhere []bool, any bool) {
	elsewhere = make([]bool, len(b.shards))
	for k, s := range b.shards {
		if q.held[s.Number] != nil && !q.holds(b, s.Number) {
			elsewhere[k], any = true, true
			continue
		}
		lazymap.Put(&q.held, s.Number, b)
	}
	return elsewhere, any
}

// holds reports whether a batch holds a shard, or a reservation of it.
func (q *queue) holds(b *batch, n int) bool {
	holder := q.held[n]
	return holder != nil && (holder == b || b.failover != nil && holder == b.failover.reserved)
}

// reserveShard keeps every other batch from a shard that one transaction is about to claim and mark
// running; otherwise another batch would mistake the marker for a leftover. It reports false if the
// shard is held already.
func (w *Worker) reserveShard(n int, b *batch) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	q := &w.queue
	if q.held[n] != nil {
		return false
	}
	lazymap.Put(&q.held, n, b)
	return true
}

// releaseShard undoes reserveShard, unless another batch holds the shard now.
func (w *Worker) releaseShard(n int, b *batch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue.release(n, b)
}

func (q *queue) release(n int, b *batch) {
	if b != nil && q.held[n] == b {
		delete(q.held, n)
	}
}

func (q *queue) dropTaken() {
	for _, s := range q.taken {
		q.release(s.Number, s.reserved)
	}
	q.taken = nil
}

func (q *queue) add(b *batch) { lazymap.Put(&q.batches, b, struct{}{}) }

// outlivesItsInstance reports whether a run under way has markers that outlive the session, as
// failover needs. Without the instance they would look like the markers of a crash, even if
// failover was switched off since. A requested run counts even before its claim is confirmed.
func (q *queue) outlivesItsInstance() bool {
	return q.find(func(b *batch) bool {
		return b.failover != nil || b.kind == claimed || b.kind == slotted || b.view.Config.Failover
	}) != nil
}

// find returns a batch under way for which is returns true, or nil if there is none.
func (q *queue) find(is func(b *batch) bool) *batch {
	for b := range q.batches {
		if is(b) {
			return b
		}
	}
	return nil
}

// CatchUp asks for a run for a fire time that has passed, unless a run is under way, which may be
// the one for it.
func (w *Worker) CatchUp(at time.Time) {
	w.enqueue(func(q *queue) {
		if !q.looping {
			q.fire = at
		}
	})
}
