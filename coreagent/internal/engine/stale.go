package engine

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// awaitQuiet returns when none of the items that move runs. Marks whose owner
// has been absent for a session timeout are cleared; see clearStale.
func (j *Job) awaitQuiet(ctx context.Context, p *plan) error {
	for {
		marked := make([]bool, len(p.moved))
		if err := nodes.Each(ctx, len(p.moved), func(ctx context.Context, i int) (err error) {
			if p.exists(p.moved[i]) {
				_, marked[i], err = j.env.Client.Exists(ctx, j.tree.ItemRunning(p.moved[i]))
			}
			return err
		}); err != nil {
			return err
		}
		var running []int
		for i, n := range p.moved {
			if marked[i] {
				running = append(running, n)
			}
		}
		if len(running) == 0 {
			return nil
		}
		wait, err := j.clearStale(ctx, running, p.config.Failover)
		if err != nil {
			return err
		}
		if wait > 0 {
			look, cancel := context.WithTimeout(ctx, wait)
			err := j.env.Client.AwaitGone(look, j.tree.ItemRunning(running[0]))
			cancel()
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
		}
	}
}

// releaseClaims releases what dead takers have left of shards whose owners have left
// as well. Survivors do it when they see a taker vanish; if they die first, nobody
// is left who has seen it, and the claim would stay.
func (j *Job) releaseClaims(ctx context.Context, p *plan) error {
	if !p.config.Failover {
		return nil
	}
	orphaned := slices.DeleteFunc(slices.Clone(p.moved), func(n int) bool { return !p.exists(n) || slices.Contains(p.alive, p.owners[n]) })
	takers := make([]string, len(orphaned))
	if err := nodes.Each(ctx, len(orphaned), func(ctx context.Context, i int) error {
		data, _, err := j.env.Client.Get(ctx, j.tree.ItemFailovering(orphaned[i]))
		if id := string(data); err == nil && jobtree.ValidateInstanceID(id) == nil && !slices.Contains(p.alive, id) {
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
		there, err := j.isThere(ctx, taker)
		if err != nil {
			return err
		}
		if there {
			continue
		}
		if err := j.releaseStale(ctx, orphaned[i], taker, true); err != nil {
			return err
		}
	}
	return nil
}

// isThere reports whether an instance is registered, or still runs something
// after an operator has shut the job down there.
func (j *Job) isThere(ctx context.Context, id string) (bool, error) {
	for _, path := range []string{j.tree.Instance(id), j.nodes.Agent(id)} {
		if _, exists, err := j.env.Client.Exists(ctx, path); exists || err != nil {
			return exists, err
		}
	}
	return false, nil
}

// releaseStale releases the marks of an instance that has left. With failover the
// shard is offered to others as after a crash that somebody saw: not those of a
// disabled server.
func (j *Job) releaseStale(ctx context.Context, n int, owner string, failover bool) error {
	if failover = failover && jobtree.ValidateInstanceID(owner) == nil; failover {
		status, _, err := j.env.Client.Get(ctx, j.tree.Server(jobtree.InstanceIP(owner)))
		if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
			return err
		}
		failover = string(status) != jobtree.ServerDisabled
	}
	j.log.Warn("a mark of an instance that has left is removed", "item", n, "instance", owner)
	for {
		// A resharding has no deadline, and what is waited for may have come unheard.
		attempt, cancel := context.WithTimeout(ctx, stepTimeout)
		err := j.failover.Release(attempt, n, owner, failover)
		again := attempt.Err() != nil && ctx.Err() == nil
		cancel()
		if !again {
			return err
		}
	}
}

// clearStale removes the running marks of items whose owner has been absent
// for a session timeout, and hands the items to failover first when that is
// on. It returns how long to wait before looking again; 0 says look now.
func (j *Job) clearStale(ctx context.Context, running []int, failover bool) (time.Duration, error) {
	alive, err := j.nodes.Children(ctx, j.tree.Instances())
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return 0, err
	}
	owners := make([]string, len(running)) // of marks that are stale
	waits := make([]time.Duration, len(running))
	if err := nodes.Each(ctx, len(running), func(ctx context.Context, i int) error {
		var err error
		owners[i], waits[i], err = j.judgeMark(ctx, running[i], alive)
		return err
	}); err != nil {
		return 0, err
	}
	for i, owner := range owners {
		if owner == "" {
			continue
		}
		if err := j.releaseStale(ctx, running[i], owner, failover); err != nil {
			return 0, err
		}
	}
	return slices.Min(waits), nil
}

// judgeMark names the owner of an item's running mark if the mark is stale,
// and says otherwise how long it may stay. A session timeout is also what an
// instance gets that comes back and clears its own marks.
func (j *Job) judgeMark(ctx context.Context, n int, alive []string) (staleOwner string, wait time.Duration, err error) {
	data, stat, err := j.env.Client.Get(ctx, j.tree.ItemRunning(n))
	if err != nil {
		return "", 0, zk.Ignore(err, zk.ErrNoNode)
	}
	patience := j.env.Client.Session().Timeout
	owner := string(data)
	if owner == "" || stat.EphemeralOwner != 0 {
		return "", patience, nil // An ephemeral mark goes with its session.
	}
	here := jobtree.ValidateInstanceID(owner) == nil
	if here {
		node := j.tree.Instance(owner)
		if !slices.Contains(alive, owner) {
			node = j.nodes.Agent(owner) // Its run may go on after an operator has shut the job down there.
		}
		// A container that is started again has the address and the process number
		// of the one before. What that one left is older than the new instance.
		sign, exists, err := j.env.Client.Exists(ctx, node)
		if err != nil {
			return "", 0, err
		}
		here = exists && sign.Czxid < stat.Czxid
	}
	key := strconv.Itoa(n) + " " + owner + " " + strconv.FormatInt(stat.Czxid, 10)
	task := &j.control.reshard
	task.mu.Lock()
	defer task.mu.Unlock()
	if here {
		delete(task.stale, key)
		return "", patience, nil
	}
	since, known := task.stale[key]
	if !known {
		since = time.Now()
		if task.stale == nil {
			task.stale = make(map[string]time.Time)
		}
		task.stale[key] = since
	}
	if left := patience - time.Since(since); left > 0 {
		return "", left, nil
	}
	delete(task.stale, key)
	return owner, 0, nil
}
