package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/barrier"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// queue is what a job has to run, and whether it runs. Requests of one kind
// that wait together become one run: ElasticJob collapses them as well.
type queue struct {
	looping   bool // the run goroutine exists
	executing bool // items of a run are being executed, those beside it not counted
	waits     bool // that run is ready and waits for its fire time
	awaiting  bool // the run has ended, but for waiting for other instances
	overruns  int  // fire times that passed during the run
	awaited   bool // control found something that has to wait for the end of the run
	fire      time.Time
	early     bool      // asked for before the fire time came
	asked     time.Time // when, by the monotonic clock; zero if nothing is to be learned from it
	trigger   bool
	triggered time.Time // when the trigger was taken: its run may have to wait
	placed    int64     // transaction that placed the trigger
	misfire   bool
	// misfireAfter keeps a misfire that cannot be run from being tried again at once.
	misfireAfter time.Time
	// refusedUntil keeps failover items that were refused from being claimed at once.
	refusedUntil time.Time
	taken        []item // failover items claimed by this instance
	// returned are failover items that were claimed and are to be offered again.
	returned []int

	// batches are those under way in this process: the run, and failover items
	// that are run beside it. The value says that every body has returned and
	// only the marks are still being cleared.
	batches map[*batch]bool
	held    map[int]*batch // which of them an item belongs to
	// records are the fire records of own items, as far as they are known; see fence.go.
	records map[int]firerecord.Record
	// completed are the newest fire times that items were run for here.
	completed map[int]time.Time
	beside    int           // goroutines that run failover items beside the run
	idle      chan struct{} // closed when nothing is under way any more
}

func (q *queue) clear() { q.fire, q.trigger, q.misfire, q.taken = time.Time{}, false, false, nil }

func (q *queue) empty() bool { return q.fire.IsZero() && !q.trigger && !q.misfire && len(q.taken) == 0 }

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

// hold reserves the items of b for it and reports which of them another batch
// of this process has: two batches must not take each other's marks for left
// over ones.
func (q *queue) hold(b *batch) (elsewhere []bool, any bool) {
	elsewhere = make([]bool, len(b.items))
	for k, i := range b.items {
		if holder := q.held[i.number]; holder != nil && holder != b && holder != i.reserved {
			elsewhere[k], any = true, true
			continue
		}
		if q.held == nil {
			q.held = make(map[int]*batch)
		}
		q.held[i.number] = b
	}
	return elsewhere, any
}

// reserve keeps every batch from an item that is about to be claimed and marked
// running by one transaction, so that none takes the mark for a left over one.
// It returns nil if the item is held already.
func (j *Job) reserve(n int) *batch {
	j.mu.Lock()
	defer j.mu.Unlock()
	q := &j.queue
	if q.held[n] != nil {
		return nil
	}
	if q.held == nil {
		q.held = make(map[int]*batch)
	}
	q.held[n] = new(batch)
	return q.held[n]
}

// letGo ends the reservations that no batch has taken over.
func (q *queue) letGo(items []item) {
	for _, i := range items {
		if i.reserved != nil && q.held[i.number] == i.reserved {
			delete(q.held, i.number)
		}
	}
}

func (j *Job) letGo(items []item) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.queue.letGo(items)
}

// runningView is the view that the run under way was made by, nil if none is.
func (q *queue) runningView() *view {
	for b := range q.batches {
		if !b.beside {
			return b.view
		}
	}
	return nil
}

// request is one run to make.
type request struct {
	at       time.Time
	source   tracing.Source
	regular  bool // a fire time of the schedule, which may be recorded as completed
	failover []item
	beside   bool  // failover items that do not wait for the run
	placed   int64 // transaction that placed the trigger, 0 for other requests
	meeting  *barrier.Meeting
	early    bool      // a run that may get ready before its fire time
	asked    time.Time // see queue
}

// next takes what comes first out of the queue; now is the wall clock.
func (q *queue) next(now time.Time) (request, bool) {
	switch {
	case len(q.taken) > 0:
		items := q.taken
		q.taken = nil
		return request{at: now, source: tracing.SourceFailover, failover: items}, true
	case !q.fire.IsZero():
		r := request{at: q.fire, source: tracing.SourceNormal, regular: true, early: q.early, asked: q.asked}
		q.fire, q.early, q.asked = time.Time{}, false, time.Time{}
		return r, true
	case q.trigger:
		q.trigger = false
		return request{at: q.triggered, source: tracing.SourceNormal, placed: q.placed}, true
	case q.misfire:
		q.misfire = false
		return request{at: now, source: tracing.SourceMisfire}, true
	}
	return request{}, false
}

// enqueue changes the queue and sees to it that somebody works it off. It
// reports false when the job does not serve any more.
func (j *Job) enqueue(change func(q *queue)) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.phase != serving {
		return false
	}
	change(&j.queue)
	if j.queue.looping || j.queue.empty() {
		return true
	}
	j.queue.begin()
	j.queue.looping = true
	go j.runQueue()
	return true
}

func (j *Job) runQueue() {
	if j.guard("run", j.workQueue) {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if q := &j.queue; q.looping {
		q.looping, q.awaited, q.awaiting = false, false, false
		q.settle()
	}
}

func (j *Job) workQueue() {
	special := false
	for {
		now := j.env.now()
		j.mu.Lock()
		r, ok := request{}, false
		if j.phase == serving {
			r, ok = j.queue.next(now)
		}
		if !ok {
			j.queue.looping = false
			j.queue.settle()
			awaited := j.queue.awaited
			j.queue.awaited = false
			j.mu.Unlock()
			// A misfire may be owed still, and more items be offered.
			if awaited || special {
				j.kick()
			}
			return
		}
		j.mu.Unlock()
		special = special || r.source != tracing.SourceNormal
		if err := j.run(r); err != nil && j.env.life.Err() == nil {
			j.log.Error("run failed", "scheduled", r.at, "source", string(r.source), "err", err)
			if _, ran := errors.AsType[ranError](err); !ran {
				j.holdMisfires()
			}
		}
	}
}

// holdMisfires pauses the making up for missed fire times after a run that
// could not be made: the marks stay, and the next look at them is not now.
func (j *Job) holdMisfires() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.queue.misfireAfter = time.Now().Add(retryLast)
	j.env.timers.Within(j.retry, retryLast)
}

// refuse leaves items that were claimed to others, because this instance's
// clock is off, and claims none for a while.
func (j *Job) refuse(claimed []item) {
	j.mu.Lock()
	j.queue.refusedUntil = time.Now().Add(retryLast)
	j.mu.Unlock()
	j.giveBack(claimed)
	j.holdMisfires()
}

// reschedule replaces the schedule, nil for none, and arms the cron timer.
func (j *Job) reschedule(schedule *quartz.Expression, zone *time.Location) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.schedule, j.zone = schedule, zone
	j.armCron()
}

// currentSchedule is the schedule as last read, nil if there is none, or none
// that can be served.
func (j *Job) currentSchedule() (*quartz.Expression, *time.Location) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.schedule, j.zone
}

// armCron sets the cron timer for the fire time after now, or after the one that
// a run gets ready for, with j.mu held.
func (j *Job) armCron() {
	if j.schedule == nil || j.phase == broken || j.phase == leaving || j.phase == gone {
		j.env.timers.Stop(j.cron)
		return
	}
	after := j.env.timers.Now()
	if taken := j.ahead.taken; after.Before(taken) && mayHaveCome(taken, after) {
		after = taken
	}
	next, ok := j.schedule.Next(after, j.zone)
	if !ok {
		j.env.timers.Stop(j.cron)
		j.log.Warn("the cron expression has no further fire time", "cron", j.schedule.String())
		return
	}
	j.ahead.fire = next
	j.env.timers.Set(j.cron, next.Add(-j.ahead.length()))
}

// onTrigger takes an operator's order. ElasticJob drops it during a run.
func (j *Job) onTrigger(placed int64) {
	j.enqueue(func(q *queue) {
		if q.executing && !q.waits {
			j.log.Info("trigger dropped: the job is running on this instance")
			return
		}
		q.trigger, q.triggered, q.placed = true, j.env.now(), placed
	})
}

func (j *Job) onMisfire() {
	j.enqueue(func(q *queue) {
		q.awaited = q.awaited || q.executing
		switch {
		case q.executing:
		case time.Now().Before(q.misfireAfter):
			// Whatever else set the timer to an earlier time has used it up.
			j.env.timers.Within(j.retry, time.Until(q.misfireAfter))
		default:
			q.misfire = true
		}
	})
}

// markMisfired leaves a mark on each of the items, for this instance when its
// run has ended, or for whoever owns the item then. A lost session ends it: who
// returns looks for what it owes. What the settings say now counts, and not what
// they said when the run began.
func (j *Job) markMisfired(v *view, items []int) {
	if latest, _ := j.snapshot(); len(items) == 0 || latest == nil || latest.config == nil || !latest.config.Misfire || !latest.config.MonitorExecution {
		return
	}
	slices.Sort(items)
	items = slices.Compact(items)
	j.env.tasks.Go(func() {
		j.guard("missed mark", func() {
			err := j.untilAnswered(&batch{view: v}, func(ctx context.Context) error {
				var errs []error
				for _, n := range items {
					errs = append(errs, j.markMisfire(ctx, n))
				}
				return errors.Join(errs...)
			})
			if err != nil && j.life.Err() == nil {
				j.log.Warn("a fire time was missed and could not be marked as misfired", "items", items, "err", err)
			}
		})
	})
}

// cancelRun ends the contexts of everything under way.
func (j *Job) cancelRun(cause error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for b := range j.queue.batches {
		b.cancel(cause)
	}
}

// awaitSettled returns a view to run by: registered in the present session and
// with no resharding announced. It waits for that as long as the job serves.
func (j *Job) awaitSettled(failover bool) (*view, error) {
	logAfter := time.NewTimer(5 * time.Second)
	defer logAfter.Stop()
	for {
		v, changed := j.snapshot()
		waiting := "the registration"
		switch {
		case j.env.Client.State() != zk.Connected:
			waiting = "ZooKeeper"
		case v == nil || v.epoch != j.env.Client.Session().Epoch:
		case v.broken != nil:
			return nil, v.broken
		case v.settled || failover || !v.enabled:
			return v, nil // A disabled instance runs nothing, whatever the leader is about to do.
		case v.stuck != nil:
			return nil, v.stuck
		default:
			waiting = v.waiting
		}
		select {
		case <-changed:
		case <-logAfter.C:
			if j.env.Client.State() == zk.Connected { // An outage has its own line in the log, one for all jobs.
				j.log.Warn("a run is waiting", "for", waiting)
			}
		case <-j.life.Done():
			return nil, context.Cause(j.life)
		}
		j.mu.Lock()
		phase := j.phase
		j.mu.Unlock()
		if phase != serving {
			return nil, ErrStopping
		}
	}
}

// errStale says that the items of a run were not ours any more when they were
// marked: look again.
var errStale = errors.New("assignment changed before the run was marked")

// run makes one run, beginning again when the assignment changes under it.
func (j *Job) run(r request) error {
	r.meeting = new(barrier.Meeting)
	defer j.letGo(r.failover)
	for waited, again := false, false; ; waited, again = true, true {
		before := time.Now()
		v, err := j.awaitSettled(r.failover != nil)
		waited = waited || time.Since(before) > time.Millisecond || j.env.now().Sub(r.at) > lateRun
		if waited {
			r.asked = time.Time{} // It did not take that long to get ready.
		}
		if err != nil {
			j.giveBack(r.failover)
		}
		if errors.Is(err, ErrStopping) || errors.Is(err, ErrShutdown) {
			return nil
		}
		if err != nil {
			return err
		}
		if r.failover != nil && r.failover[0].claimed != v.epoch {
			return nil // The claim went with its session.
		}
		b := j.newBatch(v, r)
		b.marked = b.marked && !again // An attempt that failed has taken the marks back.
		if err := j.equip(b); err != nil {
			j.giveBack(r.failover)
			return err
		}
		if err := j.checkClock(v); zk.Retriable(err) {
			j.awaitChange() // No server has told its time.
			continue
		} else if err != nil {
			if err := j.handle(j.life, err); err != nil {
				j.refuse(r.failover)
				return err
			}
		}
		late := j.env.now().Sub(r.at)
		if r.regular && late < -timers.ClockSet {
			// To run it now would count for those until then, which are to come.
			j.log.Info("fire time put off: the clock was set back while it waited", "scheduled", r.at, "early", -late)
			return nil
		}
		if r.regular && !v.config.Misfire && late > j.env.Client.Session().Timeout {
			j.log.Info("fire time skipped: it could not be kept, and misfire is off", "scheduled", r.at, "late", late)
			return nil
		}
		if r.regular && waited {
			at, still, err := j.stillFires(v, r.at)
			if zk.Retriable(err) {
				j.awaitChange()
				continue
			}
			if err != nil || !still {
				return err
			}
			b.at, r.at = at, at
		}
		if r.regular && firerecord.Kept(v.config) {
			err := j.dropKept(b, waited)
			if zk.Retriable(err) {
				j.awaitChange()
				continue
			}
			if err != nil {
				return err
			}
		}
		if r.source == tracing.SourceMisfire {
			if err := j.dropSettledMisfires(b); err != nil {
				return err
			}
			if len(b.items) == 0 {
				return nil
			}
		}
		err = j.runBatch(b)
		if errors.Is(err, errLeft) {
			if r.early {
				j.keepFireTime(r.at)
			}
			return nil
		}
		if errors.Is(err, errOutdated) {
			if !j.fires(r.at) {
				return nil // There is another schedule now.
			}
			continue
		}
		if r.failover != nil && (errors.Is(err, errStale) || v.epoch != j.env.Client.Session().Epoch) {
			return nil // The claim is gone, with the session or by an operator.
		}
		if !errors.Is(err, errStale) && !zk.Retriable(err) {
			if err != nil {
				err = errors.Join(err, j.drop(b))
			}
			return err
		}
		j.log.Debug("run begins again", "scheduled", r.at, "err", err)
		if !errors.Is(err, errStale) && (v.config.MonitorExecution || b.marked) {
			// The marks may have been made although no answer came. A leader
			// that is about to reshard would wait for them, and we for the leader.
			if err := j.untilAnswered(b, func(ctx context.Context) error { return j.unmark(ctx, b) }); err != nil {
				return err
			}
		}
		// Whatever made it stale is on its way to the view, unless its watch
		// event was lost: have everything compared.
		j.cache.Suspect()
		j.awaitChange()
	}
}

// awaitChange has control look again and waits until it has seen something, or
// some time has passed.
func (j *Job) awaitChange() {
	_, changed := j.snapshot()
	j.kick()
	pause := time.NewTimer(retryLast)
	defer pause.Stop()
	select {
	case <-changed:
	case <-pause.C:
	case <-j.life.Done():
	}
}

// checkClock compares the clocks if the job asks for it, by ElasticJob's rule:
// the error is reported, and the run goes on unless the error handler throws.
func (j *Job) checkClock(v *view) error {
	most, checked := v.config.MaxTimeDiff()
	if !checked {
		return nil
	}
	ctx, cancel := context.WithTimeout(j.life, stepTimeout)
	defer cancel()
	path := j.tree.SystemTime()
	if err := j.nodes.Ensure(ctx, path); err != nil {
		return err
	}
	stat, err := j.env.Client.Set(ctx, path, nil, zk.AnyVersion)
	if err != nil {
		return err
	}
	if diff := j.env.now().Sub(stat.Mtime).Abs(); diff > most {
		return fmt.Errorf("Time different between job server and register center exceed '%d' seconds, max time different is '%d' seconds.",
			int(diff.Seconds()), v.config.MaxTimeDiffSeconds)
	}
	return nil
}
