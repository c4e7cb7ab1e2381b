package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// handleCrashes offers the items that a vanished instance was running to the
// others. Every survivor does it; each step leaves nothing to do twice.
func (j *Job) handleCrashes(ctx context.Context, v *view, previous []string) error {
	if v.config == nil || !v.config.Failover {
		return nil
	}
	present := j.control.instances
	var crashed []string
	for _, id := range previous {
		if id != j.id && !slices.Contains(present, id) {
			crashed = append(crashed, id)
		}
	}
	if len(crashed) == 0 {
		return nil
	}
	names, _, err := j.env.Client.Children(ctx, j.tree.Sharding())
	if err != nil {
		return ignore(err, zk.ErrNoNode)
	}
	enabled := make(map[string]bool, len(crashed))
	for _, id := range crashed {
		status, _, err := j.env.Client.Get(ctx, j.tree.Server(jobtree.InstanceIP(id)))
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			return err
		}
		// The items of a server that an operator disabled are not failed over.
		enabled[id] = string(status) == jobtree.ServerEnabled
	}
	items := itemNumbers(names)
	held := make([]string, len(items))
	err = each(ctx, len(items), func(ctx context.Context, i int) error {
		data, _, err := j.env.Client.Get(ctx, j.tree.ItemRunning(items[i]))
		if enabled[string(data)] {
			held[i] = string(data)
		}
		return ignore(err, zk.ErrNoNode)
	})
	for i, owner := range held {
		if err == nil && owner != "" {
			err = j.releaseRunning(ctx, items[i], owner, true)
		}
	}
	if err != nil {
		// The list of instances must be compared again.
		j.control.instances = previous
	}
	return err
}

// releaseRunning removes the running mark of a dead owner. With failover the
// item is offered in the same transaction, unless a living instance already
// runs it as one. It works under the failover latch: the mark that a taker
// makes looks like the dead owner's to ZooKeeper, version and all, so a
// release that comes late must look again while nobody can take the item.
func (j *Job) releaseRunning(ctx context.Context, n int, owner string, failover bool) error {
	return recipe.Latch(ctx, j.env.Client, j.tree.FailoverLatch(), func(ctx context.Context) error {
		data, stat, err := j.env.Client.Get(ctx, j.tree.ItemRunning(n))
		if err != nil || string(data) != owner {
			return ignore(err, zk.ErrNoNode)
		}
		return j.releaseLatched(ctx, n, stat.Version, failover)
	})
}

func (j *Job) releaseLatched(ctx context.Context, n int, version int32, failover bool) error {
	release := []zk.Op{zk.DeleteOp(j.tree.ItemRunning(n), version)}
	if failover {
		_, taken, err := j.env.Client.Exists(ctx, j.tree.ItemFailover(n))
		if err != nil {
			return err
		}
		if !taken {
			if err := j.ensure(ctx, j.tree.FailoverItems(), zk.Persistent); err != nil {
				return err
			}
			release = append([]zk.Op{zk.CreateOp(j.tree.FailoverItem(n), nil, zk.Persistent)}, release...)
		}
	}
	err := j.env.Client.Multi(ctx, release...)
	j.log.Debug("running mark of a dead instance released", "item", n, "offered", len(release) > 1, "err", err)
	if errors.Is(err, zk.ErrNodeExists) {
		// Somebody offered the item; only the mark is left to remove.
		err = j.env.Client.Delete(ctx, j.tree.ItemRunning(n), version)
	}
	return ignore(ignore(err, zk.ErrNoNode), zk.ErrBadVersion)
}

// takeFailover takes one offered item if this instance has nothing to do, and
// queues a run for it. Busy instances look again when their run has ended.
func (j *Job) takeFailover(ctx context.Context, v *view) error {
	if v.config == nil || !v.config.Failover || !v.enabled || len(j.cache.Get(j.tree.FailoverItems()).Children) == 0 || !j.idle() {
		return nil
	}
	taken := -1
	var token int64
	err := recipe.Latch(ctx, j.env.Client, j.tree.FailoverLatch(), func(ctx context.Context) error {
		if !j.idle() {
			return nil
		}
		names, _, err := j.env.Client.Children(ctx, j.tree.FailoverItems())
		if err != nil {
			return ignore(err, zk.ErrNoNode)
		}
		slices.Sort(names)
		for _, name := range slices.Backward(names) { // Descending as text, as in ElasticJob.
			n, ok := jobtree.ParseItem(name)
			if !ok {
				continue
			}
			won, err := j.claimFailover(ctx, n)
			if err != nil {
				return err
			}
			if won {
				taken = n
				stat, _, err := j.env.Client.Exists(ctx, j.tree.ItemFailover(n))
				token = stat.Czxid
				return err
			}
		}
		return nil
	})
	if taken >= 0 {
		j.log.Info("failover: took an item of an instance that is gone", "item", taken)
		j.onFailover(item{number: taken, token: token})
	}
	return err
}

// claimFailover marks an offered item as taken by this instance.
func (j *Job) claimFailover(ctx context.Context, n int) (bool, error) {
	_, marked, err := j.env.Client.Exists(ctx, j.tree.ItemFailovering(n))
	if err != nil {
		return false, err
	}
	failovering := zk.CreateOp(j.tree.ItemFailovering(n), []byte(j.id), zk.Persistent)
	if marked {
		failovering = zk.SetOp(j.tree.ItemFailovering(n), []byte(j.id), zk.AnyVersion)
	}
	err = j.env.Client.Multi(ctx,
		zk.CreateOp(j.tree.ItemFailover(n), []byte(j.id), zk.Ephemeral), failovering,
		zk.DeleteOp(j.tree.FailoverItem(n), zk.AnyVersion))
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, zk.ErrNodeExists), errors.Is(err, zk.ErrNoNode):
		return false, nil // Taken by somebody, or the item is gone.
	}
	return false, err
}
