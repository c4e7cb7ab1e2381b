package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/barrier"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// errLeft says that the job stops serving on this instance.
var errLeft = errors.New("the job stops on this instance")

// once are the listeners of a batch that are notified once per run of the whole
// job, and meet at barriers.
func (b *batch) once() []namedListener {
	if len(b.shards) == 0 || b.source == tracing.SourceMisfire || b.claim != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(b.listeners), func(l namedListener) bool { return l.Once == nil })
}

// beforeOnce meets the other instances before the batch is marked. errStale and
// errLeft say that it must not start now.
func (b *batch) beforeOnce() error {
	j := b.job
	once := b.once()
	if b.failover != nil || len(once) == 0 {
		return nil
	}
	b.moveOn()
	listeners := make([]barrier.Listener, len(once))
	for i, l := range once {
		listeners[i] = barrier.Listener{Name: l.name, Limit: l.Once.Start, Notify: func(ctx context.Context) error { return l.Before(ctx, b.runOf(nil)) }}
	}
	run := meetingRun{j, b}.shown()
	if b.regular {
		run.Newest = b.moveOn
	}
	err := j.barriers.Start(b.ctx, run, listeners, b.meeting)
	switch {
	case errors.Is(err, barrier.ErrStale):
		return errStale
	case errors.Is(err, barrier.ErrLeft):
		return errLeft
	}
	return err
}

// moveOn has a run that hasn't started yet be for the newest fire time that has come, and
// returns that one: several that were missed count as one.
func (b *batch) moveOn() time.Time {
	j := b.job
	j.mu.Lock()
	defer j.mu.Unlock()
	q := &j.queue
	if !b.regular {
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

// passed is the newest fire time that has come since the run began, its own one if none
// has.
func (b *batch) passed() time.Time {
	b.job.mu.Lock()
	defer b.job.mu.Unlock()
	return firetime.Later(b.at, b.job.queue.passed)
}

// afterOnce meets them when the batch has completed. An interrupted batch has
// not.
func (b *batch) afterOnce(failures map[int]error) error {
	j := b.job
	once := b.once()
	if len(once) == 0 || j.env.Client.Session().Epoch != b.epoch {
		return nil // What a lost session has completed is offered to others again, and they notify.
	}
	listeners := make([]barrier.Listener, len(once))
	for i, l := range once {
		listeners[i] = barrier.Listener{Name: l.name, Limit: l.Once.Complete, Notify: func(ctx context.Context) error { return l.After(ctx, b.runOf(failures)) }}
	}
	run := meetingRun{j, b}.shown()
	run.Unmet = b.meeting.Unmet
	if b.regular {
		run.Newest = b.passed
	}
	overtaken, err := j.barriers.Complete(b.ctx, run, listeners)
	if at := b.passed(); overtaken && at.After(b.at) {
		// The others wait for this instance at the next start. A misfire run wouldn't meet them.
		j.enqueue(func(q *queue) { q.fire = firetime.Later(q.fire, at) })
	}
	return err
}

// meetingRun is a batch as the barriers know it.
type meetingRun struct {
	j *Job
	b *batch
}

// shown is the batch as a barrier.Run.
func (m meetingRun) shown() barrier.Run {
	return barrier.Run{
		Job: m, Shards: m.b.numbers(), Total: m.b.view.config.Shards, Instance: m.b.view.id,
		FireTime: m.b.at, Failover: m.b.failover != nil,
	}
}

// Snapshot implements [barrier.Job].
func (m meetingRun) Snapshot() (barrier.Standing, <-chan struct{}) {
	v, changed := m.j.snapshot()
	return barrier.Standing{Leaves: !m.j.serves(), Stale: func() bool { return m.staleBy(v) }}, changed
}

// staleBy reports whether the run would have other shards by a view, or is about to.
func (m meetingRun) staleBy(v *view) bool {
	if v == nil || !v.settled {
		return true
	}
	return !slices.EqualFunc(m.j.newBatch(v, m.b.request).shards, m.b.shards, func(now, then shard) bool {
		return now.number == then.number && now.token == then.token
	})
}

// Watch implements [barrier.Job].
func (m meetingRun) Watch(dir string) (forget func()) {
	m.j.cache.WatchChildren(dir)
	m.j.kick()
	return func() { m.j.cache.Forget(dir) }
}

// Await implements [barrier.Job]: failover shards may be taken meanwhile.
func (m meetingRun) Await(is bool) {
	m.j.mu.Lock()
	m.j.queue.awaiting = is
	m.j.mu.Unlock()
	if is {
		m.j.kick()
	}
}

// Contain implements [barrier.Job].
func (m meetingRun) Contain(ctx context.Context, what string, fn func(ctx context.Context) error) error {
	return m.j.calls.Contain(ctx, what, fn)
}

// Handle implements [barrier.Job].
func (m meetingRun) Handle(ctx context.Context, failure error) error { return m.j.handle(ctx, failure) }
