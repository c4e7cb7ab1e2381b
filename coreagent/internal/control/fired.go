package control

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/misfire"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/lazymap"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// createInstance creates the ephemeral instance node together with the node that marks it as an
// agent that keeps records. Otherwise a leader that assigns shards in between would think that the
// new owner keeps none.
func (c *Controller) createInstance(ctx context.Context, info []byte) error {
	for {
		err := c.Host.Client.Multi(ctx, zk.CheckOp(c.Tree.Config(), zk.AnyVersion),
			zk.CreateOp(c.Tree.Instance(c.Self.ID()), info, zk.Ephemeral), zk.CreateOp(c.Nodes.Agent(c.Self.ID()), c.Host.Announcement(), zk.Ephemeral))
		refused := zk.RefusedPath(err)
		switch {
		case refused == "" || refused == c.Tree.Config():
			return err
		case errors.Is(err, zk.ErrNoNode):
			err = c.Nodes.Ensure(ctx, nodes.Parent(refused))
		case errors.Is(err, zk.ErrNodeExists) && refused == c.Nodes.Agent(c.Self.ID()):
			// The instance id is free, so this node is from an earlier session.
			err = zk.Ignore(c.Host.Client.Delete(ctx, c.Nodes.Agent(c.Self.ID()), zk.AnyVersion), zk.ErrNoNode)
		}
		if err != nil {
			return err
		}
	}
}

// inherit remembers the fire times that previous owners of shards have completed.
func (c *Controller) inherit(shards []int, records []firerecord.Record) {
	for i, n := range shards {
		lazymap.Put(&c.inherited, n, records[i].Completed)
	}
}

// adoptRecords reads the fire records of shards that came to this instance. It reports true if the
// shards were assigned again since, so everything must be read again.
//
// If the leader recorded the assignment, it has already put our name on the records. Then they're
// read only if a fire time may have come since.
func (c *Controller) adoptRecords(ctx context.Context, read reshard.Assignment, recorded time.Time) (reassigned bool, err error) {
	shards := slices.Sorted(maps.Keys(c.gained))
	if len(shards) == 0 || !firerecord.Enabled(c.Config) {
		return false, nil
	}
	if !recorded.IsZero() {
		if c.Schedule == nil {
			return false, nil
		}
		if _, fired := firetime.Missed(c.Schedule, c.Zone, c.Host.Time().Add(firetime.MostLead), recorded.Add(-misfire.ClockSkew)); !fired {
			return false, nil
		}
	}
	records := make([]firerecord.Record, len(shards))
	var missing atomic.Bool
	if err := nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		var ok bool
		var err error
		if records[i], ok, err = c.Records.Last(ctx, shards[i]); !ok {
			missing.Store(true)
		}
		return err
	}); err != nil {
		return false, err
	}
	if missing.Load() {
		if err := c.Records.Ensure(ctx, shards); err != nil {
			return false, err
		}
	}
	c.inherit(shards, records)
	if err := c.Misfires.MarkArrived(ctx, c.Settings, shards, records, func(last firerecord.Record) bool { return last.Owner == c.Self.ID() || c.ranInTurns(last) }); err != nil {
		return false, err
	}
	return c.claimFired(ctx, read, shards, records)
}

// ranInTurns reports whether a record names another instance because the shard has rotated until
// now among agents that keep records. Such a record shows the completed fire times.
func (c *Controller) ranInTurns(record firerecord.Record) bool {
	return c.rotated && record.Owner != "" && c.Cache.OnlyAgents()
}

// claimFired puts this instance's name on the records of our shards after a leader of another kind
// has assigned them. After a resharding of ours there's nothing to do. If a record names another
// instance then, the assignment was out of date, and claimFired reports true.
func (c *Controller) claimFired(ctx context.Context, read reshard.Assignment, shards []int, records []firerecord.Record) (reassigned bool, err error) {
	var ops []zk.Op
	for i, n := range shards {
		if records[i].Owner != "" && view.Rotates(c.Config) {
			// The record names the instance that ran the shard last. We ask ZooKeeper for the
			// agents, because a process that has just started doesn't watch them yet.
			if passed, err := c.Records.AllKeep(ctx); passed || err != nil {
				return false, err
			}
		}
		if records[i].Owner != c.Self.ID() {
			record := records[i].FireRecord
			if record.Owner = c.Self.ID(); !c.ranInTurns(records[i]) {
				record.Through = firetime.Later(record.Through, c.Host.Time())
			}
			ops = append(ops, zk.SetOp(c.Tree.FireRecord(n), record.Encode(), records[i].Version))
		}
	}
	if len(ops) == 0 {
		return false, nil
	}
	// No resharding happened before the records were read, and their versions show that none has
	// happened since.
	if now, _, err := c.Resharding.ReadFlags(ctx); err != nil || now != read.At {
		return err == nil, err
	}
	for _, chunk := range nodes.Chunks(nodes.Singly(ops)) {
		if err := c.Host.Client.Multi(ctx, chunk...); err != nil {
			return errors.Is(err, zk.ErrBadVersion), zk.Ignore(err, zk.ErrBadVersion)
		}
	}
	return false, nil
}

// overlooked returns the shards of a view that came here in this step, after a run for a coming
// fire time had already listed its shards.
func (c *Controller) overlooked(v *view.View) []int {
	arrived := c.arrived
	c.arrived = nil
	if len(arrived) == 0 || !v.Settled {
		return nil
	}
	came := slices.DeleteFunc(v.EnabledShards(), func(n int) bool { return !slices.Contains(arrived, n) })
	return c.Fires.Overlooked(came, c.lookedAt)
}

// markLateMisfires looks for fire times that passed before this instance learned of an edit, a disabled
// or enabled server, or a release.
func (c *Controller) markLateMisfires(ctx context.Context) error {
	suppressed := c.worker.Suppressed()
	err := c.Misfires.MarkLate(ctx, c.Settings, misfire.News{Config: c.configAt, Server: c.Cache.OwnServer().Stat.Mzxid}, c.mine, suppressed)
	if err != nil && !suppressed.IsZero() {
		c.worker.Doubt(suppressed)
	}
	return err
}

// noteEnabled moves the records of shards forward when they're enabled again, because fire times
// missed while disabled are not made up for. Nothing in the tree shows it later.
func (c *Controller) noteEnabled(ctx context.Context) error {
	if c.Config == nil {
		return nil
	}
	shards := c.mine
	if view.Rotates(c.Config) {
		shards = []int{0}
	}
	for _, n := range shards {
		node := c.Cache.Get(c.Tree.ItemDisabled(n))
		switch {
		case node.Exists:
			lazymap.Put(&c.off, n, true)
		case c.off[n]:
			now := c.Host.Time()
			if firerecord.Enabled(c.Config) {
				if err := c.Misfires.AccountFor(ctx, n, now); err != nil {
					return err
				}
				// The watched record decides for a rotating shard.
				c.Cache.SuspectIf(func(path string) bool { return path == c.Tree.FireRecord(n) })
				if err := c.Cache.Refresh(ctx); err != nil {
					return err
				}
			}
			delete(c.off, n)
			lazymap.Put(&c.on, n, now)
		}
	}
	return nil
}
