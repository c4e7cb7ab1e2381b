package control

import (
	"context"
	"errors"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
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
// offered at once.
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

// claimLimit is how often a newcomer demands shards of a leader of another kind.
// A strategy of the user's own that assigns differently there than here must not
// make the two of them reshard for ever.
const claimLimit = 3

// share is what a newcomer remembers until it has shards, or knows that none are
// meant for it.
type share struct {
	claims int    // how often it may still demand some
	judged uint64 // the distribution that was looked at: flag changes when it was read, plus 1
}

// claimShare has the shards assigned again if a leader of another kind assigned
// them without this instance. Java's leader reads the instances, assigns, and
// removes the flag; an instance that joined in between is not among the owners, its
// flag was removed with the other, and until Java's reconciler looks nothing calls for it
// again. Our own leaders judge by facts and need no reminder.
func (c *Controller) claimShare(ctx context.Context, v *view.View) error {
	if c.share.claims == 0 || !v.Settled || jobtree.ValidateInstanceID(v.Leader) != nil || c.leader.Leads() || c.share.judged == c.seen+1 {
		return nil
	}
	if len(v.Shards) > 0 || v.Config.StaticSharding || view.Rotates(v.Config) {
		c.share.claims = 0
		return nil
	}
	if _, ours, err := c.Host.Client.Exists(ctx, c.Nodes.Agent(v.Leader)); ours || err != nil {
		return err
	}
	_, available, err := c.Resharding.Available(ctx)
	if err != nil {
		return err
	}
	c.share.judged = c.seen + 1
	strategy, err := c.leader.Strategy(v.Config.StrategyType)
	if err != nil {
		return nil // Only the leader knows it.
	}
	wanted, err := strategy.Assign(available, c.Tree.Name(), v.Config.Shards)
	if err != nil || len(wanted[c.Self.ID()]) == 0 {
		return nil
	}
	c.share.claims--
	c.Log.DebugContext(ctx, "resharding announced", "reason", "the leader has assigned the shards without this instance", "leader", v.Leader)
	return c.leader.AnnounceResharding(ctx)
}

// ErrNoInstances says that no living instance could take a trigger.
var ErrNoInstances = errors.New("no instance of the job is alive")

// TriggerAll has every living instance of the job run its shards once,
// by the nodes that ElasticJob's one-off bootstrap and consoles write. Triggers
// that nobody took are replaced.
func (c *Controller) TriggerAll(ctx context.Context) error {
	ids, err := c.Nodes.Children(ctx, c.Tree.Instances())
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return err
	}
	if len(ids) == 0 {
		return ErrNoInstances
	}
	if err := c.Host.Client.DeleteAll(ctx, c.Tree.Triggers()); err != nil {
		return err
	}
	ops := []zk.Op{zk.CreateOp(c.Tree.Triggers(), nil, zk.Persistent)}
	for _, id := range ids {
		ops = append(ops, zk.CreateOp(c.Tree.Trigger(id), nil, zk.Persistent))
	}
	err = c.Host.Client.Multi(ctx, ops...)
	if errors.Is(err, zk.ErrNodeExists) {
		return nil // Somebody wrote the same trigger at this moment.
	}
	return err
}

// takeTrigger consumes the operator's trigger. As in ElasticJob it
// is dropped when shards of this instance are running.
func (c *Controller) takeTrigger(ctx context.Context) error {
	trigger := c.Cache.Get(c.Tree.Trigger(c.Self.ID()))
	if !trigger.Exists {
		return nil
	}
	if config := c.Cache.Get(c.Tree.Config()); config.Exists && config.Stat.Mzxid != c.configAt {
		// Both were read after the view was built. What was configured before
		// the trigger counts for it, and the next step, which that event has
		// called for, knows it.
		return nil
	}
	err := c.Host.Client.Delete(ctx, c.Tree.Trigger(c.Self.ID()), zk.AnyVersion)
	if errors.Is(err, zk.ErrNoNode) {
		return nil // Seen twice, taken once.
	}
	if err != nil {
		return err
	}
	c.worker.Trigger(trigger.Stat.Czxid)
	return nil
}
