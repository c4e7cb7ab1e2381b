package control

import (
	"context"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
)

// handleCrashes offers the shards that a vanished instance was running to the
// others.
func (c *Controller) handleCrashes(ctx context.Context, v *view.View, previous []string) error {
	if v.Config == nil || !v.Config.Failover {
		return nil
	}
	present := c.instances
	var crashed []string
	for _, id := range previous {
		if id != c.Self.ID() && !slices.Contains(present, id) {
			crashed = append(crashed, id)
		}
	}
	if len(crashed) == 0 {
		return nil
	}
	departing, err := c.Failover.HandleCrash(ctx, failover.Crash{
		Config: v.Config, Enabled: v.Enabled, Rotates: view.Rotates(v.Config),
		Crashed: crashed, Present: present, Missing: c.Cache.Get(c.Tree.Instances()).Stat.Pzxid, Owners: c.assigned,
		Agents: c.Cache.Get(c.Tree.Agents()), OnlyAgents: c.Cache.OnlyAgents(),
	}, c.taker(v))
	c.departing = append(c.departing, departing...)
	if err != nil {
		// The list of instances must be compared again.
		c.instances = previous
	}
	return err
}

// takeFailover takes one offered shard if this instance is free for it, and runs
// it. Busy instances look again when their run has ended, eager ones take what is
// offered at once; see beside.go.
func (c *Controller) takeFailover(ctx context.Context, v *view.View) error {
	offered := len(c.Cache.Children(c.Tree.FailoverItems())) > 0
	if v.Config == nil || !v.Config.Failover || !v.Enabled || !offered {
		return nil
	}
	return c.Failover.Take(ctx, v.Config, c.taker(v))
}

// returnClaims offers shards again whose claims this instance has, or may have,
// and does not run. It comes before every claim of a step.
func (c *Controller) returnClaims(ctx context.Context) error {
	c.doubts = append(c.doubts, c.worker.Returned()...)
	for len(c.doubts) > 0 {
		if err := c.Failover.Release(ctx, c.doubts[0], c.Self.ID(), true); err != nil {
			return err
		}
		c.doubts = c.doubts[1:]
	}
	return nil
}

// taker claims failover shards by a view.
func (c *Controller) taker(v *view.View) failover.Taker {
	return c.worker.Taker(v, func(n int) { c.doubts = append(c.doubts, n) })
}
