package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// handleCrashes offers the shards that a vanished instance was running to the
// others.
func (j *Job) handleCrashes(ctx context.Context, v *view.View, previous []string) error {
	if v.Config == nil || !v.Config.Failover {
		return nil
	}
	present := j.control.instances
	var crashed []string
	for _, id := range previous {
		if id != j.id && !slices.Contains(present, id) {
			crashed = append(crashed, id)
		}
	}
	if len(crashed) == 0 {
		return nil
	}
	departing, err := j.failover.HandleCrash(ctx, failover.Crash{
		Config: v.Config, Enabled: v.Enabled, Rotates: view.Rotates(v.Config),
		Crashed: crashed, Present: present, Missing: j.cache.Get(j.tree.Instances()).Stat.Pzxid, Owners: j.control.assigned,
		Agents: j.cache.Get(j.tree.Agents()), OnlyAgents: j.cache.OnlyAgents(),
	}, &claimer{j: j, v: v})
	j.control.departing = append(j.control.departing, departing...)
	if err != nil {
		// The list of instances must be compared again.
		j.control.instances = previous
	}
	return err
}

// takeFailover takes one offered shard if this instance is free for it, and runs
// it. Busy instances look again when their run has ended, eager ones take what is
// offered at once; see beside.go.
func (j *Job) takeFailover(ctx context.Context, v *view.View) error {
	offered := len(j.cache.Children(j.tree.FailoverItems())) > 0
	if v.Config == nil || !v.Config.Failover || !v.Enabled || !offered {
		return nil
	}
	return j.failover.Take(ctx, v.Config, &claimer{j: j, v: v})
}

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
