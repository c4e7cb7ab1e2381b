package control

import (
	"context"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

func (c *Controller) buildView(epoch, events uint64) *view.View {
	v := &view.View{
		Epoch: epoch, ID: c.Self.ID(), Born: c.born, Events: events, Settings: c.Settings,
		Enabled: string(c.Cache.Get(c.Tree.Server(c.Host.IP)).Data) == jobtree.ServerEnabled,
		Leader:  string(c.Cache.Get(c.Tree.LeaderInstance()).Data),
		Stuck:   c.Resharding.Stuck(),
		Hold:    c.Cache.Held(),
	}
	why, busy := c.Cache.Flagged()
	switch {
	case busy:
		v.Waiting = why
		if v.Leader != "" {
			v.Waiting = strings.TrimSpace(why + " " + v.Leader)
		}
		return v
	case c.assigned == nil || c.Config == nil || len(c.assigned) != c.Config.Shards:
		v.Waiting = "the shards are not assigned yet"
		return v
	case c.seen != c.Cache.FlagChanges():
		// The shards changed hands while they were read. That event has requested the next step. A
		// trigger seen in this step would find no shards.
		v.Waiting = "the shards have just been assigned again"
		return v
	case slices.Contains(c.assigned, ""):
		// A Java leader announces a resharding only some time after its cause. A run in between
		// would find nothing to do and end.
		v.Waiting = "a shard has no owner yet"
		return v
	case v.Leader == "" && v.Enabled && !slices.Contains(c.assigned, c.Self.ID()):
		// The elected leader checks which instances are there. ElasticJob also waits for that
		// before a run, because the owners may be from an earlier start.
		v.Waiting = "there is no leader yet, and no shard is assigned to this instance"
		return v
	}
	v.Settled = true
	if view.Rotates(c.Config) {
		c.viewRotation(v)
		return v
	}
	for _, n := range c.mine {
		owner := c.Cache.Get(c.Tree.ItemInstance(n))
		if string(owner.Data) != c.Self.ID() {
			continue
		}
		v.Shards = append(v.Shards, view.Shard{
			Number: n, Token: max(owner.Stat.Mzxid, c.born), Version: owner.Stat.Version, Since: c.held.Since(n, owner.Stat.Mzxid, c.Host.Time()),
			Disabled: c.Cache.Get(c.Tree.ItemDisabled(n)).Exists, Enabled: c.on[n],
			Taken:    c.Cache.Get(c.Tree.ItemFailover(n)).Exists,
			Misfired: c.Cache.Get(c.Tree.ItemMisfire(n)).Exists,
			Fired:    c.inherited[n],
		})
	}
	return v
}

// viewRotation completes a settled view of a job with a rotating shard. The shard belongs to this
// instance, to another one, or to none yet.
func (c *Controller) viewRotation(v *view.View) {
	next := c.Cache.Get(c.Tree.NextInstanceIP())
	owner := c.Cache.Get(c.Tree.ItemInstance(0))
	record := c.Cache.Get(c.Tree.FireRecord(0))
	r := &view.Rotation{
		Next:   view.StampOf(next),
		Owner:  owner.Stat.Czxid,
		Record: view.StampOf(record),
		Ours:   c.Cache.OnlyAgents(),
	}
	if last, ok := jobtree.DecodeFireRecord(record.Data); ok {
		r.Last = last
	}
	r.Named = c.turn.Named(next, c.Host.Time())
	v.Rotation, v.Shards = r, nil
	mine := string(owner.Data) == v.ID
	if ip := string(next.Data); next.Exists && ip != "" {
		holders := c.Cache.Holders(ip)
		switch {
		case len(holders) > 0:
			mine = holders[int(next.Stat.Czxid%int64(len(holders)))] == v.ID
		case next.Stat.Czxid > owner.Stat.Czxid:
			v.Settled, v.Waiting = false, "the next instance in the rotation has left"
			return
		}
	}
	if !mine {
		return
	}
	if r.Successor = c.Cache.Successor(); r.Successor == c.Host.IP && (!next.Exists || string(next.Data) == c.Host.IP) {
		r.Successor = "" // It's the only instance.
	}
	v.Shards = []view.Shard{{
		Number: 0, Token: max(v.Born, owner.Stat.Czxid, next.Stat.Czxid, record.Stat.Mzxid), Version: zk.AnyVersion,
		Disabled: c.Cache.Get(c.Tree.ItemDisabled(0)).Exists, Enabled: c.on[0],
		Taken:    c.Cache.Get(c.Tree.ItemFailover(0)).Exists,
		Misfired: c.Cache.Get(c.Tree.ItemMisfire(0)).Exists,
	}}
}

// trackRotation watches the nodes that decide which instance is next, or stops watching them.
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
		if !slices.Contains(want, path) && !c.leader.Tracks(path) && path != c.Tree.Server(c.Host.IP) &&
			!(slices.Contains(c.mine, 0) && path != c.Tree.NextInstanceIP() && path != c.Tree.FireRecord(0)) {
			c.Cache.Forget(path)
		}
	}
	c.rotating = want
	return c.Cache.Refresh(ctx)
}

// catchUp runs a fire time that no instance ran, because one had passed the shard on and the next
// one didn't know yet.
func (c *Controller) catchUp(ctx context.Context, v *view.View) error {
	r := v.Rotation
	if r == nil || !r.Ours || !r.Record.Exists || !v.Config.Misfire || !firerecord.Enabled(v.Config) || v.Schedule == nil || len(v.Shards) == 0 || !v.Shards[0].Runnable() {
		return nil
	}
	now := c.Host.Time()
	last := firetime.Sound(r.Last, now)
	if _, missed := firetime.Missed(v.Schedule, v.Zone, now, last.Through); !missed {
		return nil
	}
	era, _, err := c.Misfires.ReadEra(ctx, v.Settings)
	if err != nil {
		return err
	}
	served, err := c.Misfires.TurnServedSince(ctx, r, false)
	if err != nil {
		return err
	}
	since := firetime.Later(served, era.Since, c.Misfires.WindowSince(now))
	at, missed := firetime.Missed(v.Schedule, v.Zone, now, last.Through, since)
	if !missed {
		return c.Misfires.AccountFor(ctx, 0, since) // Otherwise each step would check again.
	}
	c.worker.CatchUp(at)
	return nil
}
