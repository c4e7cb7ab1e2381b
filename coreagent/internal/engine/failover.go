package engine

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
func (j *Job) Runs(n int) (runs, claimed bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if b := j.queue.held[n]; b != nil && b.epoch == j.env.Client.Session().Epoch {
		return true, b.failover != nil
	}
	return false, false
}

// Missed implements [failover.Job].
func (j *Job) Missed(after, until time.Time) (newest time.Time, scheduled bool) {
	schedule, zone := j.schedule.Current()
	if schedule == nil {
		return newest, false
	}
	newest, _ = firetime.Missed(schedule, zone, until, after)
	return newest, true
}

// Rotates implements [failover.Job].
func (j *Job) Rotates() bool {
	v, _ := j.snapshot()
	return v != nil && view.Rotates(v.Config)
}

// OnlyAgents implements [failover.Job].
func (j *Job) OnlyAgents() bool { return j.cache.OnlyAgents() }

// Now implements [failover.Job].
func (j *Job) Now() time.Time { return j.env.Time() }

// claimer claims shards in a control step.
type claimer struct {
	j        *Job
	v        *view.View
	reserved *batch // holds the shard that is claimed and marked at once
}

// Free implements [failover.Taker].
func (c *claimer) Free() bool { return c.j.freeForFailover(c.v) }

// Reserve implements [failover.Taker].
func (c *claimer) Reserve(n int) bool {
	if c.reserved = new(batch); !c.j.hold(n, c.reserved) {
		c.reserved = nil
	}
	return c.reserved != nil
}

// Unreserve implements [failover.Taker].
func (c *claimer) Unreserve(n int) {
	c.j.unhold(n, c.reserved)
}

// Take implements [failover.Taker].
func (c *claimer) Take(t failover.Claim) {
	c.j.onFailover(&takenShard{Shard: view.Shard{Number: t.Shard, Token: t.Token}, epoch: c.v.Epoch, reserved: c.reserved, due: t.Due, begun: t.Begun})
}

// Doubt implements [failover.Taker].
func (c *claimer) Doubt(n int) { c.j.control.doubts = append(c.j.control.doubts, n) }

// reassigned reports whether a transaction was refused because an assignment it
// would renew has been taken away by a leader.
func (b *batch) reassigned(err error) bool {
	j := b.job
	refused := (*zk.MultiError)(nil)
	return b.failover != nil && errors.As(err, &refused) && slices.ContainsFunc(b.shards, func(s view.Shard) bool {
		return refused.Op.Path == j.tree.ItemInstance(s.Number)
	})
}
