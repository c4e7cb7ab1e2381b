package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/barrier"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
)

// errLeft means that the job is stopping on this instance. errStale means that the shards of a run
// no longer belonged to us when they were marked, so the run must look again.
var errLeft, errStale = barrier.ErrLeft, barrier.ErrStale

// once returns the listeners that are notified once per run of the whole job. They meet at
// barriers.
func (b *batch) once() []host.NamedListener {
	if len(b.shards) == 0 || b.kind == misfired || b.claim != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(b.handlers.listeners), func(l host.NamedListener) bool { return l.Once == nil })
}

// beforeOnce meets the other instances before the batch is marked. With errStale or errLeft the
// batch must not start now.
func (b *batch) beforeOnce() error {
	once := b.once()
	if b.failover != nil || len(once) == 0 {
		return nil
	}
	b.moveOn()
	listeners := make([]barrier.Listener, len(once))
	for i, l := range once {
		listeners[i] = barrier.Listener{Name: l.Name, Limit: l.Once.Start, Notify: func(ctx context.Context) error { return b.call(ctx, l.Before, nil) }}
	}
	run := b.barrierRun()
	if b.kind == fireTime {
		run.Newest = b.moveOn
	}
	return b.Barriers.Start(b.ctx, run, listeners, b.meeting)
}

// moveOn moves a run that hasn't started yet to the newest fire time that has come, and returns it.
// Several missed fire times count as one.
func (b *batch) moveOn() time.Time {
	w := b.worker
	w.mu.Lock()
	defer w.mu.Unlock()
	q := &w.queue
	if b.kind != fireTime {
		return b.at
	}
	newest := firetime.Later(b.at, q.passed)
	if !q.early && q.fire.After(newest) {
		newest, q.fire = q.fire, time.Time{}
	}
	if newest.After(b.at) {
		b.at, b.meeting.FireTime = newest, newest
	}
	return b.at
}

// passed returns the newest fire time that has come since the run began, or the run's own one.
func (b *batch) passed() time.Time {
	b.worker.mu.Lock()
	defer b.worker.mu.Unlock()
	return firetime.Later(b.at, b.worker.queue.passed)
}

// afterOnce meets the other instances after the batch has completed, under the next session if this
// one is lost. An interrupted batch doesn't meet them.
func (b *batch) afterOnce(failures map[int]error) error {
	once := b.once()
	if len(once) == 0 {
		return nil
	}
	run := b.barrierRun()
	run.Unmet = b.meeting.Unmet
	if b.fires() {
		run.Newest = b.passed
	}
	lost := b.outlive()
	if lost {
		defer b.joinNext()
		if !b.awaitRecorded() {
			return nil
		}
	}
	failover := b.failover != nil || b.marked && b.view.Config.Failover
	if failover && b.ledger.Beaten.Load() {
		return nil // Another run of these shards was recorded first, and it meets the other instances.
	}
	if interrupted := b.interruptedShards(); lost && len(interrupted) > 0 {
		if !failover {
			return b.reportInterrupted(once)
		}
		// They're offered as failover shards, which meet the others without waiting. So do we.
		if run.Shards, run.Failover = without(run.Shards, interrupted), true; len(run.Shards) == 0 {
			return nil
		}
	}
	listeners := make([]barrier.Listener, len(once))
	for i, l := range once {
		listeners[i] = barrier.Listener{Name: l.Name, Limit: l.Once.Complete, Notify: func(ctx context.Context) error { return b.call(ctx, l.After, failures) }}
	}
	overtaken, err := b.Barriers.Complete(b.ctx, run, listeners)
	if overtaken {
		b.joinNext()
	}
	return err
}

// joinNext makes this instance run for the newest fire time that has come since, like a regular
// one. Others may wait for it at their start barrier, and a misfire run wouldn't meet them.
func (b *batch) joinNext() {
	if at := b.passed(); at.After(b.at) {
		b.worker.enqueue(func(q *queue) { q.fire = firetime.Later(q.fire, at) })
	}
}

func (b *batch) interruptedShards() []int {
	return slices.DeleteFunc(b.numbers(), func(n int) bool { return !b.handlers.interrupted[n] })
}

// reportInterrupted notifies the error handler that the listeners won't be called.
func (b *batch) reportInterrupted(once []host.NamedListener) error {
	var errs []error
	for _, l := range once {
		errs = append(errs, b.Handle(b.ctx, fmt.Errorf("listener %s: completed: the run was interrupted: %w", l.Name, host.ErrSessionLost)))
	}
	return errors.Join(errs...)
}

// reportSuperseded notifies the error handler that a listener won't be called for the end of an
// earlier run, because this run replaces it.
func (b *batch) reportSuperseded(l host.NamedListener) error {
	if b.decided.superseded.IsZero() {
		return nil
	}
	return b.Handle(b.ctx, fmt.Errorf("listener %s: completed: the run for %s was interrupted, and the run for %s replaces it",
		l.Name, b.decided.superseded.Format(time.RFC3339), b.at.Format(time.RFC3339)))
}

// awaitRecorded waits until a batch that could not be recorded has been recorded under the next
// session. It reports false if the job is stopping.
func (b *batch) awaitRecorded() bool {
	w := b.worker
	for {
		_, changed := b.Latest.Get() // First, so that the end of the recording isn't missed.
		pending := b.Misfires.Pending(&b.ledger, b.numbers())
		if !pending || !w.serves() {
			return !pending
		}
		select {
		case <-changed:
		case <-b.ctx.Done():
			return false
		}
	}
}

// outlive lets the batch wait for the others even if its session ends, and reports whether the
// session is lost already. Only handlers must stop with the session.
func (b *batch) outlive() (lost bool) {
	w := b.worker
	w.mu.Lock()
	defer w.mu.Unlock()
	b.outlives = true
	if !errors.Is(context.Cause(b.ctx), host.ErrSessionLost) {
		return b.Host.Client.Session().Epoch != b.epoch
	}
	b.ctx, b.cancel = context.WithCancelCause(b.Host.Life)
	return true
}

// barrierRun returns the batch as a run that meets others.
func (b *batch) barrierRun() barrier.Run {
	return barrier.Run{
		Job: b, Shards: b.numbers(), Total: b.view.Config.Shards, Instance: b.view.ID, FireTime: b.at, Failover: b.failover != nil,
	}
}

// The remaining methods implement [barrier.Job], as do Contain and Handle.

func (b *batch) Snapshot() (barrier.Standing, <-chan struct{}) {
	v, changed := b.Latest.Get()
	return barrier.Standing{Leaves: !b.worker.serves(), Stale: func() bool { return b.staleBy(v) }}, changed
}

// staleBy reports whether the run would have other shards according to a view, or soon will.
func (b *batch) staleBy(v *view.View) bool {
	if v == nil || !v.Settled {
		return true
	}
	if len(b.shards) < len(b.decided.picked) && b.at.After(b.decided.checkedFor) {
		return true // It has moved on to a fire time for which it must also run the shards that were left out.
	}
	// Don't compare shards: the next attempt would leave out the same ones and begin again forever.
	return !slices.EqualFunc(b.worker.newBatch(v, b.request).decided.picked, b.decided.picked, func(now, then view.Shard) bool {
		return now.Number == then.Number && now.Token == then.Token
	})
}

func (b *batch) Watch(dir string) (forget func()) {
	b.Cache.WatchChildren(dir)
	b.worker.job.Kick()
	return func() { b.Cache.Forget(dir) }
}

// Await lets failover shards be claimed while the batch waits.
func (b *batch) Await(is bool) {
	b.worker.mu.Lock()
	b.worker.queue.awaiting = is
	b.worker.mu.Unlock()
	if is {
		b.worker.job.Kick()
	}
}
