package engine

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
func (j *Job) elect(ctx context.Context, v *view.View) error {
	leader := j.Cache.Get(j.Tree.LeaderInstance())
	switch {
	case leader.Exists && !v.Enabled && string(leader.Data) == j.id:
		return j.resignDisabled(ctx, v)
	case leader.Exists || !v.Enabled:
		return nil
	}
	err := j.Nodes.Hold(ctx, j.Tree.ElectionLatch(), func(ctx context.Context, place *recipe.Place) error {
		// Conditional on our own instance: a removed job must not appear again.
		_, err := j.Nodes.Commit(ctx, place, [][]zk.Op{{zk.CheckOp(j.Tree.Instance(j.id), zk.AnyVersion),
			zk.CreateOp(j.Tree.LeaderInstance(), []byte(j.id), zk.Ephemeral)}})
		if errors.Is(err, zk.ErrNodeExists) {
			j.Cache.Suspect() // Elected while we waited, or the watch event was lost.
		}
		return zk.Ignore(zk.Ignore(err, zk.ErrNodeExists), zk.ErrNoNode)
	})
	if err != nil {
		return err
	}
	if j.isLeaving() {
		// It began to leave meanwhile and has given up a leadership that it did
		// not have yet.
		return j.resign(ctx)
	}
	return j.Cache.Refresh(ctx)
}

// resignDisabled resigns because the own server was disabled. That
// calls for a resharding, which has to be announced first: a Java agent may
// have seen the server's change already, as a follower, and does not look back
// when it is elected.
func (j *Job) resignDisabled(ctx context.Context, v *view.View) error {
	if v.Config != nil && !v.Config.StaticSharding {
		if err := j.announceResharding(ctx); err != nil {
			return err
		}
	}
	if err := j.resign(ctx); err != nil {
		return err
	}
	return j.Cache.Refresh(ctx) // Or the rest of the step would still lead.
}

// resign deletes the leader node if it is this instance's.
func (j *Job) resign(ctx context.Context) error {
	return j.Nodes.DeleteIfData(ctx, j.Tree.LeaderInstance(), j.id)
}

// leads reports whether this instance leads under its present session.
func (j *Job) leads() bool {
	leader := j.Cache.Get(j.Tree.LeaderInstance())
	return leader.Exists && string(leader.Data) == j.id && leader.Stat.EphemeralOwner == j.Host.Client.Session().ID
}

// leadDuties announces and starts reshardings, and repairs what dead instances
// left behind. Only the leader does either.
func (j *Job) leadDuties(ctx context.Context, v *view.View) error {
	lead := &j.control.lead
	if !j.leads() {
		if lead.leading {
			j.endTerm()
		}
		return nil
	}
	lead.leading = true
	if v.Config == nil {
		return nil
	}
	available, err := j.available(ctx)
	if err != nil {
		return err
	}
	if lead.tidyMarkers { // Not before the shards are watched.
		tidied, err := j.tidyMarkers(ctx)
		if err != nil {
			return err
		}
		lead.tidyMarkers = !tidied
	}
	if err := j.keepEra(ctx); err != nil {
		return err
	}
	if v.Config.Failover && !lead.knowsClaims { // Before a resharding judges the missed fire times.
		shards := jobtree.ItemNumbers(j.Cache.Children(j.Tree.Sharding()))
		if err := j.Resharding.ReleaseClaims(ctx, shards, j.Cache.Instances()); err != nil {
			return fmt.Errorf("release claims of instances that have left: %w", err)
		}
		lead.knowsClaims = true
	}
	j.observeUnassigned(available)
	_, busy := j.Cache.Flagged()
	if !busy {
		reason := j.reshardReason(v, available)
		if reason != "" && j.Resharding.JustEnded() {
			// The shards were assigned a moment ago by what the server said. If
			// the watched nodes demand it again they may be wrong: an event was
			// lost. Compare them first; what is found changed arrives as a kick.
			// They are not those of shards: what a shard's owner is was read.
			j.Cache.SuspectIf(j.Cache.NotOfShard)
			before := j.Cache.Events()
			if err := j.Cache.Refresh(ctx); err != nil || before != j.Cache.Events() {
				return err
			}
		}
		if reason != "" {
			j.Log.DebugContext(ctx, "resharding announced", "reason", reason)
			if err := j.announceResharding(ctx); err != nil {
				return err
			}
			busy = true
		}
	}
	if busy && len(available) > 0 {
		j.startReshard(v.Epoch)
	}
	if err := j.sweepTriggers(ctx, v); err != nil {
		return fmt.Errorf("look for triggers of instances that have left: %w", err)
	}
	return j.sweepServers(ctx, v)
}

// announceResharding sets the flag that every agent, Java's included, obeys.
func (j *Job) announceResharding(ctx context.Context) error {
	for {
		err := j.Host.Client.Multi(ctx,
			zk.CheckOp(j.Tree.LeaderInstance(), zk.AnyVersion),
			zk.CreateOp(j.Tree.Necessary(), nil, zk.Persistent))
		refused := (*zk.MultiError)(nil)
		if !errors.As(err, &refused) || refused.Index != 1 || !errors.Is(err, zk.ErrNoNode) {
			return zk.Ignore(err, zk.ErrNodeExists)
		}
		if err := j.Nodes.Ensure(ctx, j.Nodes.Flags()); err != nil {
			return err
		}
	}
}

// available lists the instances that may get shards, descending: those whose
// node names a server that is enabled. The leader watches what it depends on.
func (j *Job) available(ctx context.Context) ([]string, error) {
	lead := &j.control.lead
	for {
		var want, ids []string
		status := func(ip string) ([]byte, bool) {
			server := j.Tree.Server(ip)
			if !slices.Contains(want, server) {
				want = append(want, server)
			}
			node := j.Cache.Get(server)
			return node.Data, node.Exists
		}
		for _, id := range j.Cache.Instances() {
			info := jobtree.InstanceInfo{ID: id, ServerIP: j.Host.IP}
			var standing jobtree.Standing
			if id == j.id {
				standing = info.Standing(jobconfig.Generation3x, status)
			} else {
				node := j.Tree.Instance(id)
				want = append(want, node)
				info, standing, _ = jobtree.JudgeInstance(id, j.Cache.Get(node).Data, jobconfig.Generation3x, status)
			}
			if standing == jobtree.Serves {
				ids = append(ids, info.ID)
			}
		}
		want = append(want, j.Tree.Sharding())
		changed := false
		for _, path := range want {
			if slices.Contains(lead.tracked, path) {
				continue
			}
			changed = true
			if path == j.Tree.Sharding() {
				j.Cache.WatchChildren(path)
			} else {
				j.Cache.Watch(path)
			}
		}
		j.untrack(want)
		if !changed {
			sharding.SortInstances(ids)
			return ids, nil
		}
		if err := j.Cache.Refresh(ctx); err != nil {
			return nil, err
		}
	}
}

// untrack stops watching what only a leader needs, but for what it keeps. The
// own server stays: every instance watches it.
func (j *Job) untrack(keep []string) {
	lead := &j.control.lead
	for _, path := range lead.tracked {
		if !slices.Contains(keep, path) && path != j.Tree.Server(j.Host.IP) {
			j.Cache.Forget(path)
		}
	}
	lead.tracked = keep
}

// endTerm forgets what only a leader needs.
func (j *Job) endTerm() {
	j.untrack(nil)
	j.tellUnassigned(0) // From now on it is another's to tell.
	j.control.lead = leadership{tidyMarkers: j.control.lead.tidyMarkers}
	j.Resharding.Forget()
}

// reshardReason says why the shards must be assigned anew, "" if they need not.
// It judges by facts, so that a flag that a dying leader did not set, or a
// watch that was lost, costs nothing.
func (j *Job) reshardReason(v *view.View, available []string) string {
	c := &j.control
	if c.assigned == nil {
		return ""
	}
	return sharding.State{
		Shards: v.Config.Shards, Strategy: v.Config.StrategyType, Static: v.Config.StaticSharding,
		Existing: len(jobtree.ItemNumbers(j.Cache.Children(j.Tree.Sharding()))), Owners: c.assigned, Instances: available,
		NextLeft: j.Cache.StuckRotation(v.Config), Basis: j.Resharding.Basis(),
		Wanted: func() (map[string][]int, error) { // A new leader asks it once: an instance may have come just before the term.
			strategy, err := j.strategies.ByName(v.Config.StrategyType)
			if err != nil {
				return nil, err
			}
			return strategy.Assign(available, j.Name(), v.Config.Shards)
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
func (j *Job) tidyMarkers(ctx context.Context) (bool, error) {
	config := j.control.Config
	shards := jobtree.ItemNumbers(j.Cache.Children(j.Tree.Sharding()))
	withdrawn := make([]bool, len(shards))
	var outdated atomic.Bool
	unedited := zk.CheckOp(j.Tree.Config(), j.control.ConfigVersion)
	removed := func(err error) (bool, error) {
		if errors.Is(err, zk.ErrBadVersion) {
			outdated.Store(true)
			return false, nil
		}
		return err == nil, zk.Ignore(err, zk.ErrNoNode)
	}
	remove := func(ctx context.Context, path string) (bool, error) {
		return removed(j.Host.Client.Multi(ctx, unedited, zk.DeleteOp(path, zk.AnyVersion)))
	}
	err := nodes.Each(ctx, len(shards), func(ctx context.Context, i int) (err error) {
		var paths []string
		if !config.Failover {
			paths = append(paths, j.Tree.ItemFailover(shards[i]))
			if _, err := removed(j.Failover.DropClaim(ctx, shards[i], unedited)); err != nil {
				return err
			}
			if withdrawn[i], err = remove(ctx, j.Tree.FailoverItem(shards[i])); err != nil {
				return err
			}
		}
		if !config.MonitorExecution {
			paths = append(paths, j.Tree.ItemRunning(shards[i]))
		}
		if !config.Misfire {
			paths = append(paths, j.Tree.ItemMisfire(shards[i]))
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
	return !outdated.Load(), j.Misfires.Withdrawn(ctx, j.control.Settings, waited)
}
