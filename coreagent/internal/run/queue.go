package run

import (
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/barrier"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// queue is what a job has to run, and whether it runs. Requests of one kind
// that wait together become one run: ElasticJob collapses them as well.
type queue struct {
	looping   bool      // the run goroutine exists
	executing bool      // shards of a run are being executed, those beside it not counted
	ahead     bool      // that run is getting ready for its fire time, or waits for it
	awaiting  bool      // the run has ended, but for waiting for other instances
	overruns  int       // fire times that passed during the run
	passed    time.Time // the newest of them
	awaited   bool      // control has to look when the run has ended
	fire      time.Time
	early     bool // asked for before the fire time came
	trigger   bool
	triggered time.Time // when the trigger was taken: its run may have to wait
	placed    int64     // transaction that placed the trigger
	misfire   bool
	// requested says that shards of a requested run wait to be claimed; its turn comes
	// between two others.
	requested, hadTurn bool
	// misfireAfter keeps a misfire that cannot be run from being tried again at once.
	misfireAfter time.Time
	// refusedUntil keeps failover shards that were refused from being claimed at once.
	refusedUntil time.Time
	taken        []*takenShard // failover shards claimed by this instance
	// returned are failover shards that were claimed and are to be offered again.
	returned []int

	// batches are under way in this process: the run, and shards that run next to it.
	batches map[*batch]struct{}
	held    map[int]*batch // which of them a shard belongs to
	beside  int            // goroutines that run failover shards beside the run
	idle    chan struct{}  // closed when nothing is under way any more
}

func (q *queue) clear() {
	q.fire, q.trigger, q.misfire, q.taken, q.requested = time.Time{}, false, false, nil, false
}

func (q *queue) empty() bool {
	return q.fire.IsZero() && !q.trigger && !q.misfire && len(q.taken) == 0 && !q.requested
}

func (q *queue) busy() bool { return q.looping || q.beside > 0 }

// begin notes that something is about to be under way; settle that less is.
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
	// reserved is set if the claim itself has marked the shard running: it holds the shard
	// until a batch does.
	reserved *batch
	due      jobtree.Due // what the interrupted run was due for
	begun    bool        // the record named that run when the shard was claimed
}

func takenNumbers(shards []*takenShard) []int {
	numbers := make([]int, len(shards))
	for i, s := range shards {
		numbers[i] = s.Number
	}
	return numbers
}

// request is one run to make.
type request struct {
	kind     kind
	at       time.Time
	failover *takenShard // of a failover, else nil
	beside   bool        // it runs next to the queue's run
	placed   int64       // transaction that placed the trigger, 0 for other requests
	meeting  *barrier.Meeting
	early    bool // a run that may get ready before its fire time
}

// kind is the reason for a run.
type kind int

const (
	fireTime   kind = iota // a fire time of the schedule, which may be recorded as completed
	trigger                // an operator's trigger
	misfired               // shards that have missed a fire time
	failedOver             // a shard that this instance has claimed as a failover
	claimed                // shards of the run that each takes part in, in the queue's turn
	slotted                // a shard that has a requested run of its own
)

// source is the kind as handlers and rows have it.
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

// next takes what comes first out of the queue; now is the wall clock.
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

// failoverOf is the run of a claimed shard. It stands for what the interrupted run was
// due for, or for now if that isn't known.
func failoverOf(s *takenShard, now time.Time) request {
	if s.due.Known() {
		now = s.due.At
	}
	return request{kind: failedOver, at: now, failover: s}
}

// enqueue changes the queue and sees to it that somebody works it off. It
// reports false when the job does not serve any more.
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

// runQueue works the queue off. If a handler ends the goroutine, another one goes on.
func (w *Worker) runQueue() {
	exited := true
	defer func() {
		if exited {
			go w.runQueue()
			w.job.Kick() // What the end of its loop would ask for.
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
			// A misfire may still wait, and more shards be offered.
			if awaited || special {
				w.job.Kick()
			}
			return
		}
		looks := r.kind == claimed && w.queue.awaited
		w.queue.awaited = w.queue.awaited && !looks
		w.mu.Unlock()
		if looks { // What the run before left to be made up for comes after this one.
			w.job.Kick()
		}
		special = special || r.kind == misfired || r.kind == failedOver
		make := w.run
		if r.kind == claimed {
			make = w.runEach
		}
		switch err := make(r); {
		case errors.Is(err, errGivesWay):
			again := r // Else each request would be one of the heap.
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

// Trigger takes an operator's trigger. ElasticJob drops it during a run, and one that
// is ahead of its fire time has yet to begin.
func (w *Worker) Trigger(placed int64) {
	w.enqueue(func(q *queue) {
		if q.executing && !q.ahead {
			w.Log.Info("trigger dropped: the job is running on this instance")
			return
		}
		q.trigger, q.triggered, q.placed = true, w.Host.Time(), placed
	})
}

// Misfire asks for a run of the shards that have missed a fire time.
func (w *Worker) Misfire() {
	w.enqueue(func(q *queue) {
		running := q.executing && !q.claiming() // It may have what was missed.
		q.awaited = q.awaited || running
		switch {
		case running:
		case time.Now().Before(q.misfireAfter):
			// Whatever else set the timer to an earlier time has used it up.
			w.job.Retry(time.Until(q.misfireAfter))
		default:
			q.misfire = true
		}
	})
}

// pauseMisfires pauses the making up for missed fire times after a run that
// could not be made: the markers stay, and the next look at them is not now.
func (w *Worker) pauseMisfires() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue.misfireAfter = time.Now().Add(nodes.RetryLast)
	w.job.Retry(nodes.RetryLast)
}

// refuse leaves shards that were claimed to others, because this instance's
// clock is off, and claims none for a while.
func (w *Worker) refuse(claimed *takenShard) {
	w.mu.Lock()
	w.queue.refusedUntil = time.Now().Add(nodes.RetryLast)
	w.mu.Unlock()
	w.offerAgain(claimed)
	w.pauseMisfires()
}

// occupy reserves the shards of b for it and reports which of them another batch
// of this process has: two batches must not take each other's markers for left
// over ones.
func (q *queue) occupy(b *batch) (elsewhere []bool, any bool) {
	elsewhere = make([]bool, len(b.shards))
	for k, s := range b.shards {
		if q.held[s.Number] != nil && !q.holds(b, s.Number) {
			elsewhere[k], any = true, true
			continue
		}
		if q.held == nil {
			q.held = make(map[int]*batch)
		}
		q.held[s.Number] = b
	}
	return elsewhere, any
}

// holds reports whether a shard belongs to a batch, or is reserved for it.
func (q *queue) holds(b *batch, n int) bool {
	holder := q.held[n]
	return holder != nil && (holder == b || b.failover != nil && holder == b.failover.reserved)
}

// hold keeps every other batch from a shard that is about to be claimed and marked running by one
// transaction; otherwise another batch would take the marker for one that was left over. It reports
// false if the shard is held already.
func (w *Worker) hold(n int, b *batch) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	q := &w.queue
	if q.held[n] != nil {
		return false
	}
	if q.held == nil {
		q.held = make(map[int]*batch)
	}
	q.held[n] = b
	return true
}

// unhold undoes hold, unless another batch has picked the shard up.
func (w *Worker) unhold(n int, b *batch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue.release(n, b)
}

func (q *queue) release(n int, b *batch) {
	if b != nil && q.held[n] == b {
		delete(q.held, n)
	}
}

// dropTaken empties the list of claimed failover shards, and ends their reservations.
func (q *queue) dropTaken() {
	for _, s := range q.taken {
		q.release(s.Number, s.reserved)
	}
	q.taken = nil
}

// add notes that a batch is under way.
func (q *queue) add(b *batch) {
	if q.batches == nil {
		q.batches = make(map[*batch]struct{})
	}
	q.batches[b] = struct{}{}
}

// outlivesItsInstance reports whether something is under way whose markers outlive the
// session, as failover wants them: without the instance they would be taken for those of
// a crash, also if failover was switched off since.
func (q *queue) outlivesItsInstance() bool {
	for b := range q.batches {
		if b.failover != nil || b.claim != nil || b.view.Config.Failover {
			return true
		}
	}
	return false
}

// claiming reports whether the run under way is a requested one.
func (q *queue) claiming() bool {
	for b := range q.batches {
		if b.kind == claimed {
			return true
		}
	}
	return false
}

// runningView is the view that the run under way was made by, nil if none is.
func (q *queue) runningView() *view.View {
	for b := range q.batches {
		if !b.beside {
			return b.view
		}
	}
	return nil
}

// CatchUp asks for a run for a fire time that has passed, unless a run works: it may be that one.
func (w *Worker) CatchUp(at time.Time) {
	w.enqueue(func(q *queue) {
		if !q.looping {
			q.fire = at
		}
	})
}
