package reshard

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/lazymap"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// awaitQuiet returns when none of the shards that move is running. It clears markers of owners that
// have been absent for a session timeout; see clearStale.
func (r *Resharding) awaitQuiet(ctx context.Context, p *plan) error {
	for {
		running, err := nodes.Where(ctx, p.moved, func(ctx context.Context, n int) (marked bool, err error) {
			if p.exists(n) {
				_, marked, err = r.nodes.Client.Exists(ctx, r.nodes.Tree.ItemRunning(n))
			}
			return marked, err
		})
		if err != nil || len(running) == 0 {
			return err
		}
		wait, err := r.clearStale(ctx, running, p.config.Failover)
		if err != nil {
			return err
		}
		if wait > 0 {
			look, cancel := context.WithTimeout(ctx, wait)
			err := r.nodes.Client.AwaitDeletion(look, r.nodes.Tree.ItemRunning(running[0]))
			cancel()
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
		}
	}
}

// ReleaseClaims releases claims on shards that dead instances have left. Survivors do that when
// they see an instance vanish. If they die first, no instance has seen it and the claim would stay,
// so each leader does it when its term begins. present are the instances that the caller knows to
// exist.
func (r *Resharding) ReleaseClaims(ctx context.Context, shards []int, present []string) error {
	takers := make([]string, len(shards))
	if err := nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		data, _, err := r.nodes.Client.Get(ctx, r.nodes.Tree.ItemFailovering(shards[i]))
		if id := string(data); err == nil && jobtree.ValidateInstanceID(id) == nil && !slices.Contains(present, id) {
			takers[i] = id
		}
		return zk.Ignore(err, zk.ErrNoNode)
	}); err != nil {
		return err
	}
	for i, taker := range takers {
		if taker == "" {
			continue
		}
		there, err := r.isThere(ctx, taker)
		if err != nil {
			return err
		}
		if there {
			continue
		}
		if err := r.releaseStale(ctx, shards[i], taker, true); err != nil {
			return err
		}
	}
	return nil
}

// isThere reports whether an instance is registered, or still runs something after an operator has
// shut the job down on it.
func (r *Resharding) isThere(ctx context.Context, id string) (bool, error) {
	for _, path := range []string{r.nodes.Tree.Instance(id), r.nodes.Agent(id)} {
		if _, exists, err := r.nodes.Client.Exists(ctx, path); exists || err != nil {
			return exists, err
		}
	}
	return false, nil
}

// releaseStale releases the markers of an instance that left. With failover the shard is offered to
// others, as after a crash that was seen, unless the instance's server is disabled.
func (r *Resharding) releaseStale(ctx context.Context, n int, owner string, failover bool) error {
	if failover = failover && jobtree.ValidateInstanceID(owner) == nil; failover {
		status, _, err := r.nodes.Client.Get(ctx, r.nodes.Tree.Server(jobtree.InstanceIP(owner)))
		if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
			return err
		}
		failover = string(status) != jobtree.ServerDisabled
	}
	r.log.WarnContext(ctx, "a marker of an instance that has left is removed", "shard", n, "instance", owner)
	for {
		// A resharding has no deadline, and we might miss the event that we're waiting for.
		attempt, cancel := context.WithTimeout(ctx, nodes.StepTimeout)
		err := r.failover.Release(attempt, n, owner, failover)
		again := attempt.Err() != nil && ctx.Err() == nil
		cancel()
		if !again {
			return err
		}
	}
}

// ClearStale releases shards that a running marker keeps from their owner, if the instance that set
// the marker has been absent for a session timeout since we first found it here. Survivors do that
// when they see an instance vanish, but this covers a crash that no survivor has seen.
func (r *Resharding) ClearStale(ctx context.Context, marked []int, failover bool) error {
	if len(marked) == 0 {
		return nil
	}
	_, err := r.clearStale(ctx, marked, failover)
	return err
}

// clearStale removes the running markers of shards if the marker's owner has been absent for a
// session timeout. With failover it first offers the shards to others. It returns how long to wait
// before the next look, or 0 to look now.
func (r *Resharding) clearStale(ctx context.Context, running []int, failover bool) (time.Duration, error) {
	alive, err := r.nodes.Children(ctx, r.nodes.Tree.Instances())
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return 0, err
	}
	owners := make([]string, len(running)) // of stale markers
	waits := make([]time.Duration, len(running))
	if err := nodes.Each(ctx, len(running), func(ctx context.Context, i int) error {
		var err error
		owners[i], waits[i], err = r.judgeMark(ctx, running[i], alive)
		return err
	}); err != nil {
		return 0, err
	}
	for i, owner := range owners {
		if owner == "" {
			continue
		}
		if err := r.releaseStale(ctx, running[i], owner, failover); err != nil {
			return 0, err
		}
	}
	return slices.Min(waits), nil
}

// judgeMark returns the owner of a shard's running marker if the marker is stale, and otherwise how
// long to wait. We wait a session timeout because an instance that restarts in that time clears its
// own markers.
func (r *Resharding) judgeMark(ctx context.Context, n int, alive []string) (staleOwner string, wait time.Duration, err error) {
	data, stat, err := r.nodes.Client.Get(ctx, r.nodes.Tree.ItemRunning(n))
	if err != nil {
		return "", 0, zk.Ignore(err, zk.ErrNoNode)
	}
	patience := r.nodes.Client.Session().Timeout
	owner := string(data)
	if owner == "" || stat.EphemeralOwner != 0 {
		return "", patience, nil // An ephemeral marker is removed with its session.
	}
	here := jobtree.ValidateInstanceID(owner) == nil
	if here {
		node := r.nodes.Tree.Instance(owner)
		if !slices.Contains(alive, owner) {
			node = r.nodes.Agent(owner) // If an operator has shut the job down on it, its run may still go on.
		}
		// A restarted container has the same address and process number as before. If a marker is
		// older than the instance's node, the container's previous process left it.
		sign, exists, err := r.nodes.Client.Exists(ctx, node)
		if err != nil {
			return "", 0, err
		}
		here = exists && sign.Czxid < stat.Czxid
	}
	key := strconv.Itoa(n) + " " + owner + " " + strconv.FormatInt(stat.Czxid, 10)
	r.mu.Lock()
	defer r.mu.Unlock()
	if here {
		delete(r.stale, key)
		return "", patience, nil
	}
	since, known := r.stale[key]
	if !known {
		since = time.Now()
		maps.DeleteFunc(r.stale, func(_ string, at time.Time) bool { return time.Since(at) > time.Hour })
		lazymap.Put(&r.stale, key, since)
	}
	if left := patience - time.Since(since); left > 0 {
		return "", left, nil
	}
	delete(r.stale, key)
	return owner, 0, nil
}
