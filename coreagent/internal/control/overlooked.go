package control

import (
	"context"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

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
	if c.share.claims == 0 || !v.Settled || jobtree.ValidateInstanceID(v.Leader) != nil || c.leads() || c.share.judged == c.seen+1 {
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
	strategy, err := c.strategies.ByName(v.Config.StrategyType)
	if err != nil {
		return nil // Only the leader knows it.
	}
	wanted, err := strategy.Assign(available, c.Tree.Name(), v.Config.Shards)
	if err != nil || len(wanted[c.Self.ID()]) == 0 {
		return nil
	}
	c.share.claims--
	c.Log.DebugContext(ctx, "resharding announced", "reason", "the leader has assigned the shards without this instance", "leader", v.Leader)
	return c.announceResharding(ctx)
}
