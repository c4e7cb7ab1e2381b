package run

import (
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
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
