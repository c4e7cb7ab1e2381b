package run

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Runs implements [failover.Job].
func (w *Worker) Runs(n int) (runs, claimed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if b := w.queue.held[n]; b != nil && b.epoch == w.Host.Client.Session().Epoch {
		return true, b.failover != nil
	}
	return false, false
}

// Missed implements [failover.Job].
func (w *Worker) Missed(after, until time.Time) (newest time.Time, scheduled bool) {
	schedule, zone := w.Fires.Current()
	if schedule == nil {
		return newest, false
	}
	newest, _ = firetime.Missed(schedule, zone, until, after)
	return newest, true
}

// Rotates implements [failover.Job].
func (w *Worker) Rotates() bool {
	v, _ := w.Latest.Get()
	return v != nil && view.Rotates(v.Config)
}

// OnlyAgents implements [failover.Job].
func (w *Worker) OnlyAgents() bool { return w.Cache.OnlyAgents() }

// ID implements [failover.Job].
func (w *Worker) ID() string { return w.Self.ID() }

// Name implements [places.Holder].
func (w *Worker) Name() string { return w.Tree.Name() }

// Now implements [failover.Job].
func (w *Worker) Now() time.Time { return w.Host.Time() }

// claimer claims shards in a control step.
type claimer struct {
	w        *Worker
	v        *view.View
	doubt    func(n int) // notes a shard that may have been claimed
	reserved *batch      // holds the shard that is claimed and marked at once
}

// Taker claims shards by a view. Doubt notes a shard that may have been claimed.
func (w *Worker) Taker(v *view.View, doubt func(n int)) failover.Taker {
	return &claimer{w: w, v: v, doubt: doubt}
}

// Free implements [failover.Taker].
func (c *claimer) Free() bool { return c.w.freeForFailover(c.v) }

// Reserve implements [failover.Taker].
func (c *claimer) Reserve(n int) bool {
	if c.reserved = new(batch); !c.w.hold(n, c.reserved) {
		c.reserved = nil
	}
	return c.reserved != nil
}

// Unreserve implements [failover.Taker].
func (c *claimer) Unreserve(n int) {
	c.w.unhold(n, c.reserved)
}

// Take implements [failover.Taker].
func (c *claimer) Take(t failover.Claim) {
	taken := &takenShard{Shard: view.Shard{Number: t.Shard, Token: t.Token}, epoch: c.v.Epoch, reserved: c.reserved, due: t.Due, begun: t.Begun}
	if !c.w.onFailover(taken) {
		c.w.unhold(t.Shard, c.reserved)
		c.doubt(t.Shard) // The job has begun to leave.
	}
}

// Doubt implements [failover.Taker].
func (c *claimer) Doubt(n int) { c.doubt(n) }

// reassigned reports whether a transaction was refused because an assignment it
// would renew has been taken away by a leader.
func (b *batch) reassigned(err error) bool {
	w := b.worker
	refused := (*zk.MultiError)(nil)
	return b.failover != nil && errors.As(err, &refused) && slices.ContainsFunc(b.shards, func(s view.Shard) bool {
		return refused.Op.Path == w.Tree.ItemInstance(s.Number)
	})
}

// Shards of crashed instances are, as in ElasticJob, claimed by instances that
// have nothing to do; who runs takes them when its run has ended. A job that is
// eager takes them at once and runs each in a batch of its own beside the run:
//
//	offered ──▶ claimed ──▶ queue ──▶ run        (idle, the default)
//	                   └──▶ beside: mark ▸ execute ▸ clear
//
// The same nodes are written, so other instances see no difference. No shard is
// held by two batches of a process; see queue.occupy.

// freeForFailover reports whether a shard may be claimed now. Eager jobs run as
// many failover shards at once as a run would.
func (w *Worker) freeForFailover(v *view.View) bool {
	able := &batch{worker: w, view: v}
	if v.Broken != nil || able.equip() != nil {
		// The shards wait for a configuration that can be served, and an agent that
		// knows every name of the job. Claimed now they would be released at once.
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !w.open || time.Now().Before(w.queue.refusedUntil):
		return false
	case w.Def.EagerFailover || w.queue.awaiting:
		return w.queue.beside < able.handlers.parallel
	}
	w.queue.awaited = w.queue.looping
	return !w.queue.looping
}

// onFailover has a claimed shard run. It reports false if the job has begun to leave.
func (w *Worker) onFailover(s *takenShard) bool {
	w.mu.Lock()
	beside := w.Def.EagerFailover || w.queue.awaiting
	w.mu.Unlock()
	if beside {
		return w.startBeside(s)
	}
	return w.enqueue(func(q *queue) {
		q.taken = append(q.taken, s)
		w.Latest.Signal() // A run that came meanwhile, and waits, gives way.
	})
}

// startBeside runs a claimed shard at once, whatever else runs.
func (w *Worker) startBeside(s *takenShard) bool {
	w.mu.Lock()
	open := w.open
	if open {
		w.queue.begin()
		w.queue.beside++
		go w.runBeside(s)
	}
	w.mu.Unlock()
	if open {
		w.job.Kick() // There may be more: control, whose step this is, looks again.
	}
	return open
}

func (w *Worker) runBeside(s *takenShard) {
	w.job.Guard("failover run", func() {
		r := failoverOf(s, w.Host.Time())
		r.beside = true
		if err := w.run(r); err != nil && w.Host.Life.Err() == nil {
			w.Log.Error("failover run failed", "shard", s.Number, "err", err)
		}
	})
	w.mu.Lock()
	w.queue.beside--
	w.queue.settle()
	w.mu.Unlock()
	w.job.Kick() // More shards may be waiting for a free place.
}

// offerAgain offers a shard again that was claimed and not begun. control does it,
// for it claims as well and repeats what no server has answered: a claim that
// stayed would keep the shard from everybody for as long as this instance lives.
// Once the job leaves there are no steps any more; where it fails then, the
// others do it when the instance has left.
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
