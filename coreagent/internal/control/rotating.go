package control

import (
	"context"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// trackRotation watches what the choice of the next instance depends on, or
// stops watching it.
func (c *Controller) trackRotation(ctx context.Context) error {
	var want []string
	switch {
	case view.Rotates(c.Config):
		want = []string{
			c.Tree.NextInstanceIP(), c.Tree.FireRecord(0), c.Tree.ItemInstance(0),
			c.Tree.ItemDisabled(0), c.Tree.ItemFailover(0), c.Tree.ItemMisfire(0),
		}
		for _, id := range c.Cache.Instances() {
			if server := c.Tree.Server(jobtree.InstanceIP(id)); !slices.Contains(want, server) {
				want = append(want, server)
			}
		}
		c.Cache.WatchChildren(c.Tree.Agents())
	case c.rotating == nil:
		return nil
	case !c.Config.Failover:
		c.Cache.Forget(c.Tree.Agents())
	}
	for _, path := range want {
		c.Cache.Watch(path)
	}
	for _, path := range c.rotating {
		if !slices.Contains(want, path) && !slices.Contains(c.lead.tracked, path) && path != c.Tree.Server(c.Host.IP) &&
			!(slices.Contains(c.mine, 0) && path != c.Tree.NextInstanceIP() && path != c.Tree.FireRecord(0)) {
			c.Cache.Forget(path)
		}
	}
	c.rotating = want
	return c.Cache.Refresh(ctx)
}

// catchUp runs a fire time that nobody kept: it came while one instance had
// passed the shard on, and the next one did not know yet.
func (c *Controller) catchUp(ctx context.Context, v *view.View) error {
	r := v.Rotation
	if r == nil || !r.Ours || !r.Record.Exists || !v.Config.Misfire || !firerecord.Kept(v.Config) || v.Schedule == nil || len(v.Shards) == 0 || !v.Shards[0].Runnable() {
		return nil
	}
	now := c.Host.Time()
	last := firetime.Sound(r.Last, now)
	if _, missed := firetime.Missed(v.Schedule, v.Zone, now, last.Through); !missed {
		return nil
	}
	era, err := c.Misfires.Era(ctx, v.Settings)
	if err != nil {
		return err
	}
	served, err := c.Misfires.TurnServedSince(ctx, r)
	if err != nil {
		return err
	}
	since := firetime.Later(firetime.Later(served, era.Since), c.Misfires.WindowSince(now))
	at, missed := firetime.Missed(v.Schedule, v.Zone, now, last.Through, since)
	if !missed {
		return c.Misfires.AccountFor(ctx, 0, since) // Otherwise each step would ask again.
	}
	c.worker.CatchUp(at)
	return nil
}
