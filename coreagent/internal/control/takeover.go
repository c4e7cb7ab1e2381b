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

// handleCrashes offers the shards that a vanished instance was running.
func (c *Controller) handleCrashes(ctx context.Context, v *view.View, previous []string) error {
	if v.Config == nil || !v.Config.Failover {
		return nil
	}
	present := c.instances
	crashed := slices.DeleteFunc(slices.Clone(previous), func(id string) bool {
		return id == c.Self.ID() || slices.Contains(present, id)
	})
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
		// The next step must compare the instances again.
		c.instances = previous
	}
	return err
}

// takeFailover claims an offered shard if this instance is free for it, and runs it. Busy instances
// look again after their run; eager jobs take offered shards at once.
func (c *Controller) takeFailover(ctx context.Context, v *view.View) error {
	offered := len(c.Cache.Children(c.Tree.FailoverItems())) > 0
	if v.Config == nil || !v.Config.Failover || !v.Enabled || !offered {
		return nil
	}
	return c.Failover.Take(ctx, v.Config, c.taker(v))
}

// returnClaims offers shards again that this instance has claimed, or may have claimed, but doesn't
// run. It comes before every claim of a step.
func (c *Controller) returnClaims(ctx context.Context) error {
	c.Doubts = append(c.Doubts, c.worker.Returned()...)
	for len(c.Doubts) > 0 {
		if err := c.Failover.Release(ctx, c.Doubts[0], c.Self.ID(), true); err != nil {
			return err
		}
		c.Doubts = c.Doubts[1:]
	}
	return nil
}

func (c *Controller) taker(v *view.View) failover.Taker {
	return c.worker.Taker(v, func(n int) { c.Doubts = append(c.Doubts, n) })
}

// claimLimit is how often a new instance asks a leader of another kind for shards. If a user's
// strategy assigns differently there and here, the two must not reshard forever.
const claimLimit = 3

// share is the state of a new instance until it has shards or knows that it gets none.
type share struct {
	claims int    // how often it may still ask
	judged uint64 // the assignment that was checked: flag changes when it was read, plus 1
}

// claimShare requests a resharding if a leader of another kind assigned the shards without this
// instance. Java's leader reads the instances, assigns, and removes the flag. An instance that
// joins in between gets no shards, and its own flag is removed, too. Then nothing triggers a
// resharding until Java's reconciler runs. Our own leaders compare facts and need no reminder.
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
	wanted, err := c.leader.Assign(v.Config.StrategyType, available, v.Config.Shards)
	if err != nil || len(wanted[c.Self.ID()]) == 0 {
		return nil // Only the leader may know the strategy.
	}
	c.share.claims--
	c.Log.DebugContext(ctx, "resharding announced", "reason", "the leader has assigned the shards without this instance", "leader", v.Leader)
	return c.leader.AnnounceResharding(ctx)
}

// ErrNoInstances means that no living instance could take a trigger.
var ErrNoInstances = errors.New("no instance of the job is alive")

// TriggerAll makes every living instance of the job run its shards once. It writes the same nodes
// as ElasticJob's one-off bootstrap and consoles, and replaces triggers that no instance has taken.
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
		return nil // Another caller wrote the same trigger.
	}
	return err
}

// takeTrigger takes the operator's trigger. As in ElasticJob, it's dropped if shards of this
// instance are running.
func (c *Controller) takeTrigger(ctx context.Context) error {
	trigger := c.Cache.Get(c.Tree.Trigger(c.Self.ID()))
	if !trigger.Exists {
		return nil
	}
	if config := c.Cache.Get(c.Tree.Config()); config.Exists && config.Stat.Mzxid != c.configAt {
		// Both were read after the view was built. A configuration from before the trigger must
		// apply to it. Its event has requested the next step, which will use it.
		return nil
	}
	err := c.Host.Client.Delete(ctx, c.Tree.Trigger(c.Self.ID()), zk.AnyVersion)
	if errors.Is(err, zk.ErrNoNode) {
		return nil // We saw it twice, but took it once.
	}
	if err != nil {
		return err
	}
	c.worker.Trigger(trigger.Stat.Czxid)
	return nil
}
