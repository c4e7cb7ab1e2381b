package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
)

// readAssignments reads who owns which shard, but only after a resharding: in
// between nothing moves, and own shards are watched one by one.
func (j *Job) readAssignments(ctx context.Context) error {
	c := &j.control
	if _, busy := j.Cache.Flagged(); busy || c.Config == nil {
		return nil
	}
	if c.untouched && j.Cache.Get(j.Nodes.Flags()).Stat.Cversion == 0 {
		c.seen = j.Cache.FlagChanges() // Nobody has assigned since.
	}
	c.untouched = false
	j.mu.Lock()
	again, audit := c.rereadDue, c.auditDue
	c.rereadDue, c.auditDue = false, false
	j.mu.Unlock()
	if c.assigned != nil && c.seen == j.Cache.FlagChanges() && len(c.assigned) == c.Config.Shards && j.stillMine() && !again && !audit && !c.unclaimed {
		return j.refresh(ctx) // What an edit has added is not read yet.
	}
	// Taken before the reading: a flag that comes and goes meanwhile counts as
	// a change, and the next step reads again.
	seen := j.Cache.FlagChanges()
	c.lookedAt = j.Host.Time()
	byHand := c.seen == seen && !j.stillMine() // Not by assigning.
	read, recorded, err := j.Resharding.Read(ctx, c.Config.Shards, audit || byHand || c.unclaimed)
	if err != nil {
		j.mu.Lock()
		c.rereadDue, c.auditDue = c.rereadDue || again, c.auditDue || audit
		j.mu.Unlock()
		if errors.Is(err, reshard.ErrAnnounced) {
			return nil
		}
		return err
	}
	j.noteOwners(read.Owners)
	j.Cache.WatchShards(c.Config, c.mine)
	if err := j.Cache.Refresh(ctx); err != nil {
		return err
	}
	if !j.stillMine() {
		// An owner was changed by hand before the watch was there, of which no event
		// will tell; or the event of an earlier change was lost.
		j.Cache.SuspectIf(func(path string) bool { return !j.Cache.NotOfShard(path) })
		j.Kick()
	}
	if err := j.noteEnabled(ctx); err != nil {
		return fmt.Errorf("account for the time in which a shard was disabled: %w", err)
	}
	if current, err := j.receiveShards(ctx, read, recorded); err != nil || !current {
		return err
	}
	c.assigned, c.latest, c.seen = read.Owners, read, seen
	return nil
}

// noteOwners compares the own shards with those of the step before, and forgets what
// it knows about those that went to others.
func (j *Job) noteOwners(owners []string) {
	c := &j.control
	old := make(map[int]bool, len(c.mine))
	for _, n := range c.mine {
		old[n] = true
	}
	if c.mine = nil; c.gained == nil {
		c.gained = make(map[int]bool)
	}
	for n, owner := range owners {
		if owner != j.id {
			continue
		}
		c.mine = append(c.mine, n)
		if !old[n] || c.returned || c.unclaimed { // Others may have had it while this instance was away.
			c.gained[n] = true
		}
		delete(old, n)
	}
	j.Misfires.Forget(slices.Concat(slices.Collect(maps.Keys(old)), slices.Collect(maps.Keys(c.gained))))
	for n := range old {
		delete(c.gained, n)
		c.held.End(n)
		delete(c.off, n)
		j.Cache.Forget(j.Tree.ItemInstance(n))
		j.Cache.Forget(j.Tree.ItemDisabled(n))
		j.Cache.Forget(j.Tree.ItemFailover(n))
		j.Cache.Forget(j.Tree.ItemMisfire(n))
	}
}

// receiveShards looks at the records of the shards that came here, and at the own ones
// after an absence. It reports false if they were assigned anew meanwhile: what was
// read is out of date then.
func (j *Job) receiveShards(ctx context.Context, read reshard.Assignment, recorded time.Time) (current bool, err error) {
	c := &j.control
	switch reassigned, err := j.adoptRecords(ctx, read, recorded); {
	case err != nil:
		return false, fmt.Errorf("claim fire records: %w", err)
	case reassigned:
		c.assigned, c.latest = nil, reshard.Assignment{}
		j.Kick()
		return false, nil
	}
	if !j.Misfires.Began() && !c.founded && c.Config.Failover {
		if err := j.clearLeftMarkers(ctx, c.mine); err != nil {
			return false, fmt.Errorf("clear the markers of an earlier process: %w", err)
		}
	}
	c.unclaimed, c.rotated = false, false
	j.Misfires.Begin()
	c.arrived = slices.Collect(maps.Keys(c.gained))
	c.gained = nil
	if c.returned {
		if err := j.Misfires.Own(ctx, c.Settings, c.mine, false); err != nil {
			return false, fmt.Errorf("look for interrupted fire times: %w", err)
		}
		c.returned = false
	}
	return true, nil
}

// stillMine reports whether every own shard is still assigned to this instance.
func (j *Job) stillMine() bool {
	for _, n := range j.control.mine {
		if string(j.Cache.Get(j.Tree.ItemInstance(n)).Data) != j.id {
			return false
		}
	}
	return true
}
