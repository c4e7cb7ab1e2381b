package control

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
)

// readAssignments reads the owners of all shards, but only after a resharding. Between reshardings
// nothing moves, and our shards are watched one by one.
func (c *Controller) readAssignments(ctx context.Context) error {
	if _, busy := c.Cache.Flagged(); busy || c.Config == nil {
		return nil
	}
	if c.untouched && c.Cache.Get(c.Nodes.Flags()).Stat.Cversion == 0 {
		c.seen = c.Cache.FlagChanges() // No resharding has happened since.
	}
	c.untouched = false
	again := c.leader.Asked()
	c.mu.Lock()
	audit := c.auditDue
	c.auditDue = false
	c.mu.Unlock()
	if c.assigned != nil && c.seen == c.Cache.FlagChanges() && len(c.assigned) == c.Config.Shards && c.ownsAllShards() && !again && !audit && !c.unclaimed {
		return c.refresh(ctx) // The nodes that an edit has added haven't been read yet.
	}
	// Take it before reading. A flag that comes and goes in between counts as a change, and the
	// next step reads again.
	seen := c.Cache.FlagChanges()
	c.lookedAt = c.Host.Time()
	byHand := c.seen == seen && !c.ownsAllShards() // not by a resharding
	read, recorded, err := c.Resharding.Read(ctx, c.Config.Shards, audit || byHand || c.unclaimed)
	if err != nil {
		if again {
			c.leader.AskAgain()
		}
		c.mu.Lock()
		c.auditDue = c.auditDue || audit
		c.mu.Unlock()
		if errors.Is(err, reshard.ErrAnnounced) {
			return nil
		}
		return err
	}
	c.noteOwners(read.Owners)
	c.Cache.WatchShards(c.Config, c.mine)
	if err := c.Cache.Refresh(ctx); err != nil {
		return err
	}
	if !c.ownsAllShards() {
		// An owner was changed by hand before the watch was set, so no event will come, or the
		// event of an earlier change was lost.
		c.Cache.SuspectIf(func(path string) bool { return !c.Cache.NotOfShard(path) })
		c.job.Kick()
	}
	if err := c.noteEnabled(ctx); err != nil {
		return fmt.Errorf("skip the fire times of a disabled shard: %w", err)
	}
	if current, err := c.receiveShards(ctx, read, recorded); err != nil || !current {
		return err
	}
	c.assigned, c.latest, c.seen = read.Owners, read, seen
	return nil
}

// noteOwners compares our shards with the previous step's, and drops the state of shards
// that went to other instances.
func (c *Controller) noteOwners(owners []string) {
	old := make(map[int]bool, len(c.mine))
	for _, n := range c.mine {
		old[n] = true
	}
	if c.mine = nil; c.gained == nil {
		c.gained = make(map[int]bool)
	}
	for n, owner := range owners {
		if owner != c.Self.ID() {
			continue
		}
		c.mine = append(c.mine, n)
		if !old[n] || c.returned || c.unclaimed { // Others may have owned it while this instance was away.
			c.gained[n] = true
		}
		delete(old, n)
	}
	c.Misfires.Forget(slices.Concat(slices.Collect(maps.Keys(old)), slices.Collect(maps.Keys(c.gained))))
	for n := range old {
		delete(c.gained, n)
		c.held.End(n)
		delete(c.off, n)
		c.Cache.Forget(c.Tree.ItemInstance(n))
		c.Cache.Forget(c.Tree.ItemDisabled(n))
		c.Cache.Forget(c.Tree.ItemFailover(n))
		c.Cache.Forget(c.Tree.ItemMisfire(n))
	}
}

// receiveShards checks the records of the shards that came here, and of all our shards after an
// absence. It reports false if they were assigned again since, which makes the assignment out of
// date.
func (c *Controller) receiveShards(ctx context.Context, read reshard.Assignment, recorded time.Time) (current bool, err error) {
	switch reassigned, err := c.adoptRecords(ctx, read, recorded); {
	case err != nil:
		return false, fmt.Errorf("claim fire records: %w", err)
	case reassigned:
		c.assigned, c.latest = nil, reshard.Assignment{}
		c.job.Kick()
		return false, nil
	}
	if !c.Misfires.Began() && !c.founded && c.Config.Failover {
		if err := c.clearLeftMarkers(ctx, c.mine); err != nil {
			return false, fmt.Errorf("clear the markers of an earlier process: %w", err)
		}
	}
	c.unclaimed, c.rotated = false, false
	c.Misfires.Begin()
	c.arrived = slices.Collect(maps.Keys(c.gained))
	c.gained = nil
	if c.returned {
		if err := c.Misfires.MarkOwn(ctx, c.Settings, c.mine, false); err != nil {
			return false, fmt.Errorf("look for interrupted fire times: %w", err)
		}
		c.returned = false
	}
	return true, nil
}

func (c *Controller) ownsAllShards() bool {
	return !slices.ContainsFunc(c.mine, func(n int) bool { return string(c.Cache.Get(c.Tree.ItemInstance(n)).Data) != c.Self.ID() })
}
