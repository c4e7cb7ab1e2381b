package run

import (
	"context"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/schedule"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// The next methods implement [failover.Job] and [places.Holder].

func (w *Worker) Runs(n int) (runs, claimed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if b := w.queue.held[n]; b != nil && b.epoch == w.Host.Client.Session().Epoch {
		return true, b.failover != nil
	}
	return false, false
}

func (w *Worker) Missed(after, until time.Time) (newest time.Time, scheduled bool) {
	fires, zone := w.Fires.Current()
	if fires == nil {
		return newest, false
	}
	newest, _ = firetime.Missed(fires, zone, until, after)
	return newest, true
}

func (w *Worker) Newest(marked time.Time) time.Time {
	now := w.Host.Time()
	v, _ := w.Latest.Get()
	if v == nil {
		return now
	}
	most, checked := v.Config.MaxTimeDiff()
	if latest := marked.Add(most + schedule.HeadStart); checked && latest.Before(now) {
		return latest
	}
	return now
}

func (w *Worker) Rotates() bool {
	v, _ := w.Latest.Get()
	return v != nil && view.Rotates(v.Config)
}

func (w *Worker) OnlyAgents() bool { return w.Cache.OnlyAgents() }

func (w *Worker) ID() string { return w.Self.ID() }

func (w *Worker) Name() string { return w.Tree.Name() }

func (w *Worker) Now() time.Time { return w.Host.Time() }

// claimer implements [failover.Taker].
type claimer struct {
	w        *Worker
	v        *view.View
	doubt    func(n int) // takes a shard that may have been claimed
	reserved *batch      // holds a shard that is claimed and marked in one transaction
}

// Taker claims shards according to a view. It calls doubt with each shard that may have been
// claimed.
func (w *Worker) Taker(v *view.View, doubt func(n int)) failover.Taker {
	return &claimer{w: w, v: v, doubt: doubt}
}

func (c *claimer) Free() bool { return c.w.freeForFailover(c.v) }

func (c *claimer) Reserve(n int) bool {
	if c.reserved = new(batch); !c.w.reserveShard(n, c.reserved) {
		c.reserved = nil
	}
	return c.reserved != nil
}

func (c *claimer) Unreserve(n int) {
	c.w.releaseShard(n, c.reserved)
}

func (c *claimer) Take(t failover.Claim) {
	taken := &takenShard{Shard: view.Shard{Number: t.Shard, Token: t.Token}, epoch: c.v.Epoch, reserved: c.reserved, due: t.Due, begun: t.Begun}
	if !c.w.onFailover(taken) {
		c.w.releaseShard(t.Shard, c.reserved)
		c.doubt(t.Shard) // The job is stopping.
	}
}

func (c *claimer) Doubt(n int) { c.doubt(n) }

// reassigned reports whether a transaction was refused because the leader has removed the
// assignment that it would renew.
func (b *batch) reassigned(err error) bool {
	refused := zk.RefusedPath(err)
	return b.failover != nil && slices.ContainsFunc(b.shards, func(s view.Shard) bool {
		return refused == b.Tree.ItemInstance(s.Number)
	})
}

// As in ElasticJob, idle instances claim the shards of crashed instances; a busy instance takes
// them after its run. An eager job takes them at once and runs each in a batch of its own, next to
// the run:
//
//	offered ──▶ claimed ──▶ queue ──▶ run        (idle, the default)
//	                   └──▶ concurrent: mark ▸ execute ▸ clear
//
// Both write the same nodes, so other instances see no difference. No two batches of a process hold
// the same shard; see queue.occupy.

// freeForFailover reports whether a shard may be claimed now. Eager jobs run at most as many
// failover shards at once as a run would.
func (w *Worker) freeForFailover(v *view.View) bool {
	able := w.emptyBatch(v, request{})
	if v.Broken != nil || able.ResolveNames() != nil {
		// The shards wait for a valid configuration and for an agent that knows every name in it.
		// If we claimed them now, we'd release them at once.
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !w.open || time.Now().Before(w.queue.refusedUntil):
		return false
	case w.Def.EagerFailover || w.queue.awaiting:
		return w.queue.concurrent < able.handlers.parallel
	}
	w.queue.awaited = w.queue.looping
	return !w.queue.looping
}

// onFailover runs a claimed shard. It reports false if the job is stopping.
func (w *Worker) onFailover(s *takenShard) bool {
	w.mu.Lock()
	concurrent := w.Def.EagerFailover || w.queue.awaiting
	w.mu.Unlock()
	if concurrent {
		return w.startConcurrent(s)
	}
	return w.enqueue(func(q *queue) {
		q.taken = append(q.taken, s)
		w.Latest.Signal() // A run that was queued since and is waiting gives way.
	})
}

// startConcurrent runs a claimed shard at once, next to any other run.
func (w *Worker) startConcurrent(s *takenShard) bool {
	w.mu.Lock()
	open := w.open
	if open {
		w.startBeside("failover run", func() {
			r := failoverOf(s, w.Host.Time())
			r.concurrent = true
			if err := w.run(r); err != nil && w.Host.Life.Err() == nil {
				w.Log.Error("failover run failed", "shard", s.Number, "err", err)
			}
		}, w.job.Kick) // More shards may be waiting for a free place.
	}
	w.mu.Unlock()
	if open {
		w.job.Kick() // There may be more shards, so control looks again.
	}
	return open
}

// startBeside starts a run next to the queue's run, and calls ended after it. w.mu must be held.
func (w *Worker) startBeside(activity string, run, ended func()) {
	w.queue.begin()
	w.queue.concurrent++
	go func() {
		w.job.Guard(activity, run)
		w.mu.Lock()
		w.queue.concurrent--
		w.queue.settle()
		w.mu.Unlock()
		ended()
	}()
}

// offerAgain offers a claimed shard again that was not begun. Control does it, because control also
// claims shards and retries unanswered requests; a leftover claim would keep the shard from every
// other instance while this one lives. While the job stops there are no control steps. If the
// release fails then, the other instances offer the shard when this one is gone.
func (w *Worker) offerAgain(s *takenShard) {
	if s == nil {
		return
	}
	w.mu.Lock()
	serves := w.open
	if serves {
		w.queue.returned = append(w.queue.returned, s.Number)
	}
	w.mu.Unlock()
	if serves {
		w.job.Kick()
		return
	}
	ctx, cancel := context.WithTimeout(w.Host.Life, nodes.StepTimeout)
	defer cancel()
	if err := w.Failover.Release(ctx, s.Number, w.Self.ID(), true); err != nil {
		w.Log.Warn("a claimed failover shard could not be released", "shard", s.Number, "err", err)
	}
}
