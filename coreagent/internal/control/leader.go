package control

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// leadership is what a leader remembers between steps; it starts empty with
// each term, because what happened before the term is unknown.
type leadership struct {
	leading     bool
	tracked     []string
	tidyMarkers bool // a setting was switched off: markers of it have to go
	knowsClaims bool // claims of takers that died before this term were released
	absent      absentees
	era         int64 // transaction of the configuration whose era is noted
	orphans     orphans
	// unassigned shards, as reported last.
	unassigned int
}

// elect competes for the leadership if nobody leads and this instance may, and
// resigns when the own server is disabled.
func (c *Controller) elect(ctx context.Context, v *view.View) error {
	leader := c.Cache.Get(c.Tree.LeaderInstance())
	switch {
	case leader.Exists && !v.Enabled && string(leader.Data) == c.Self.ID():
		return c.resignDisabled(ctx, v)
	case leader.Exists || !v.Enabled:
		return nil
	}
	err := c.Nodes.Hold(ctx, c.Tree.ElectionLatch(), func(ctx context.Context, place *recipe.Place) error {
		// Conditional on our own instance: a removed job must not appear again.
		_, err := c.Nodes.Commit(ctx, place, [][]zk.Op{{zk.CheckOp(c.Tree.Instance(c.Self.ID()), zk.AnyVersion),
			zk.CreateOp(c.Tree.LeaderInstance(), []byte(c.Self.ID()), zk.Ephemeral)}})
		if errors.Is(err, zk.ErrNodeExists) {
			c.Cache.Suspect() // Elected while we waited, or the watch event was lost.
		}
		return zk.Ignore(zk.Ignore(err, zk.ErrNodeExists), zk.ErrNoNode)
	})
	if err != nil {
		return err
	}
	if c.job.Leaving() {
		// It began to leave meanwhile and has given up a leadership that it did
		// not have yet.
		return c.resign(ctx)
	}
	return c.Cache.Refresh(ctx)
}

// resignDisabled resigns because the own server was disabled. That
// calls for a resharding, which has to be announced first: a Java agent may
// have seen the server's change already, as a follower, and does not look back
// when it is elected.
func (c *Controller) resignDisabled(ctx context.Context, v *view.View) error {
	if v.Config != nil && !v.Config.StaticSharding {
		if err := c.announceResharding(ctx); err != nil {
			return err
		}
	}
	if err := c.resign(ctx); err != nil {
		return err
	}
	return c.Cache.Refresh(ctx) // Or the rest of the step would still lead.
}

// resign deletes the leader node if it is this instance's.
func (c *Controller) resign(ctx context.Context) error {
	return c.Nodes.DeleteIfData(ctx, c.Tree.LeaderInstance(), c.Self.ID())
}

// leads reports whether this instance leads under its present session.
func (c *Controller) leads() bool {
	leader := c.Cache.Get(c.Tree.LeaderInstance())
	return leader.Exists && string(leader.Data) == c.Self.ID() && leader.Stat.EphemeralOwner == c.Host.Client.Session().ID
}

// leadDuties announces and starts reshardings, and repairs what dead instances
// left behind. Only the leader does either.
func (c *Controller) leadDuties(ctx context.Context, v *view.View) error {
	lead := &c.lead
	if !c.leads() {
		if lead.leading {
			c.endTerm()
		}
		return nil
	}
	lead.leading = true
	if v.Config == nil {
		return nil
	}
	available, err := c.available(ctx)
	if err != nil {
		return err
	}
	if lead.tidyMarkers { // Not before the shards are watched.
		tidied, err := c.tidyMarkers(ctx)
		if err != nil {
			return err
		}
		lead.tidyMarkers = !tidied
	}
	if err := c.keepEra(ctx); err != nil {
		return err
	}
	if v.Config.Failover && !lead.knowsClaims { // Before a resharding judges the missed fire times.
		shards := jobtree.ItemNumbers(c.Cache.Children(c.Tree.Sharding()))
		if err := c.Resharding.ReleaseClaims(ctx, shards, c.Cache.Instances()); err != nil {
			return fmt.Errorf("release claims of instances that have left: %w", err)
		}
		lead.knowsClaims = true
	}
	c.observeUnassigned(available)
	_, busy := c.Cache.Flagged()
	if !busy {
		reason := c.reshardReason(v, available)
		if reason != "" && c.Resharding.JustEnded() {
			// The shards were assigned a moment ago by what the server said. If
			// the watched nodes demand it again they may be wrong: an event was
			// lost. Compare them first; what is found changed arrives as a kick.
			// They are not those of shards: what a shard's owner is was read.
			c.Cache.SuspectIf(c.Cache.NotOfShard)
			before := c.Cache.Events()
			if err := c.Cache.Refresh(ctx); err != nil || before != c.Cache.Events() {
				return err
			}
		}
		if reason != "" {
			c.Log.DebugContext(ctx, "resharding announced", "reason", reason)
			if err := c.announceResharding(ctx); err != nil {
				return err
			}
			busy = true
		}
	}
	if busy && len(available) > 0 {
		c.startReshard(v.Epoch)
	}
	if err := c.sweepTriggers(ctx, v); err != nil {
		return fmt.Errorf("look for triggers of instances that have left: %w", err)
	}
	return c.sweepServers(ctx, v)
}

// announceResharding sets the flag that every agent, Java's included, obeys.
func (c *Controller) announceResharding(ctx context.Context) error {
	for {
		err := c.Host.Client.Multi(ctx,
			zk.CheckOp(c.Tree.LeaderInstance(), zk.AnyVersion),
			zk.CreateOp(c.Tree.Necessary(), nil, zk.Persistent))
		refused := (*zk.MultiError)(nil)
		if !errors.As(err, &refused) || refused.Index != 1 || !errors.Is(err, zk.ErrNoNode) {
			return zk.Ignore(err, zk.ErrNodeExists)
		}
		if err := c.Nodes.Ensure(ctx, c.Nodes.Flags()); err != nil {
			return err
		}
	}
}

// available lists the instances that may get shards, descending: those whose
// node names a server that is enabled. The leader watches what it depends on.
func (c *Controller) available(ctx context.Context) ([]string, error) {
	lead := &c.lead
	for {
		var want, ids []string
		status := func(ip string) ([]byte, bool) {
			server := c.Tree.Server(ip)
			if !slices.Contains(want, server) {
				want = append(want, server)
			}
			node := c.Cache.Get(server)
			return node.Data, node.Exists
		}
		for _, id := range c.Cache.Instances() {
			info := jobtree.InstanceInfo{ID: id, ServerIP: c.Host.IP}
			var standing jobtree.Standing
			if id == c.Self.ID() {
				standing = info.Standing(jobconfig.Generation3x, status)
			} else {
				node := c.Tree.Instance(id)
				want = append(want, node)
				info, standing, _ = jobtree.JudgeInstance(id, c.Cache.Get(node).Data, jobconfig.Generation3x, status)
			}
			if standing == jobtree.Serves {
				ids = append(ids, info.ID)
			}
		}
		want = append(want, c.Tree.Sharding())
		changed := false
		for _, path := range want {
			if slices.Contains(lead.tracked, path) {
				continue
			}
			changed = true
			if path == c.Tree.Sharding() {
				c.Cache.WatchChildren(path)
			} else {
				c.Cache.Watch(path)
			}
		}
		c.untrack(want)
		if !changed {
			sharding.SortInstances(ids)
			return ids, nil
		}
		if err := c.Cache.Refresh(ctx); err != nil {
			return nil, err
		}
	}
}

// untrack stops watching what only a leader needs, but for what it keeps. The
// own server stays: every instance watches it.
func (c *Controller) untrack(keep []string) {
	lead := &c.lead
	for _, path := range lead.tracked {
		if !slices.Contains(keep, path) && path != c.Tree.Server(c.Host.IP) {
			c.Cache.Forget(path)
		}
	}
	lead.tracked = keep
}

// endTerm forgets what only a leader needs.
func (c *Controller) endTerm() {
	c.untrack(nil)
	c.tellUnassigned(0) // From now on it is another's to tell.
	c.lead = leadership{tidyMarkers: c.lead.tidyMarkers}
	c.Resharding.Forget()
}

// reshardReason says why the shards must be assigned anew, "" if they need not.
// It judges by facts, so that a flag that a dying leader did not set, or a
// watch that was lost, costs nothing.
func (c *Controller) reshardReason(v *view.View, available []string) string {
	if c.assigned == nil {
		return ""
	}
	return sharding.State{
		Shards: v.Config.Shards, Strategy: v.Config.StrategyType, Static: v.Config.StaticSharding,
		Existing: len(jobtree.ItemNumbers(c.Cache.Children(c.Tree.Sharding()))), Owners: c.assigned, Instances: available,
		NextLeft: c.Cache.StuckRotation(v.Config), Basis: c.Resharding.Basis(),
		Wanted: func() (map[string][]int, error) { // A new leader asks it once: an instance may have come just before the term.
			strategy, err := c.strategies.ByName(v.Config.StrategyType)
			if err != nil {
				return nil, err
			}
			return strategy.Assign(available, c.Tree.Name(), v.Config.Shards)
		},
	}.Reason()
}

// tidyMarkers removes the markers of settings that were switched off: failover
// markers with failover, running markers with monitorExecution, markers of missed fire
// times with misfire. A shard that waited for a taker has missed its fire time then.
//
// Each transaction checks the configuration that says so. Without that a setting that
// was switched on again a moment later would find its markers removed, and a run that
// has just been marked would not be seen by the next leader. It reports false if the
// configuration has changed meanwhile: the next step goes by the new one.
func (c *Controller) tidyMarkers(ctx context.Context) (bool, error) {
	config := c.Config
	shards := jobtree.ItemNumbers(c.Cache.Children(c.Tree.Sharding()))
	withdrawn := make([]bool, len(shards))
	var outdated atomic.Bool
	unedited := zk.CheckOp(c.Tree.Config(), c.ConfigVersion)
	removed := func(err error) (bool, error) {
		if errors.Is(err, zk.ErrBadVersion) {
			outdated.Store(true)
			return false, nil
		}
		return err == nil, zk.Ignore(err, zk.ErrNoNode)
	}
	remove := func(ctx context.Context, path string) (bool, error) {
		return removed(c.Host.Client.Multi(ctx, unedited, zk.DeleteOp(path, zk.AnyVersion)))
	}
	err := nodes.Each(ctx, len(shards), func(ctx context.Context, i int) (err error) {
		var paths []string
		if !config.Failover {
			paths = append(paths, c.Tree.ItemFailover(shards[i]))
			if _, err := removed(c.Failover.DropClaim(ctx, shards[i], unedited)); err != nil {
				return err
			}
			if withdrawn[i], err = remove(ctx, c.Tree.FailoverItem(shards[i])); err != nil {
				return err
			}
		}
		if !config.MonitorExecution {
			paths = append(paths, c.Tree.ItemRunning(shards[i]))
		}
		if !config.Misfire {
			paths = append(paths, c.Tree.ItemMisfire(shards[i]))
		}
		var errs []error
		for _, path := range paths {
			_, err := remove(ctx, path)
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	})
	if err != nil {
		return false, err
	}
	var waited []int
	for i, n := range shards {
		if withdrawn[i] {
			waited = append(waited, n)
		}
	}
	return !outdated.Load(), c.Misfires.Withdrawn(ctx, c.Settings, waited)
}
