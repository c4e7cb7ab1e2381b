package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
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
	items := j.crashCandidates(itemNumbers(names), present)
	held := make([]string, len(items))
	err = each(ctx, len(items), func(ctx context.Context, i int) error {
		// A dead instance leaves the mark of its run, or that of a claim.
		for _, path := range []string{j.tree.ItemRunning(items[i]), j.tree.ItemFailovering(items[i])} {
			data, _, err := j.env.Client.Get(ctx, path)
			if err := ignore(err, zk.ErrNoNode); err != nil {
				return err
			}
			if enabled[string(data)] {
				held[i] = string(data)
			}
		}
		return nil
	})
	for i, owner := range held {
		if err == nil && owner != "" {
			err = j.release(ctx, items[i], owner, true)
		}
	}
	if err != nil {
		// The list of instances must be compared again.
		j.control.instances = previous
	}
	return err
}

// crashCandidates narrows the items that a crashed instance may have held: of a
// job with many items, those whose owner is not present. What it had claimed
// from another one is among them, as that one's items are not dealt out anew
// while a claim runs.
func (j *Job) crashCandidates(items []int, present []string) []int {
	owners := j.control.assigned
	if len(items) < recordFrom || len(owners) != len(items) {
		return items
	}
	return slices.DeleteFunc(items, func(n int) bool {
		return n < len(owners) && slices.Contains(present, owners[n])
	})
}

// release removes what says that a dead owner runs an item, or has claimed it.
// If the caller wants it, and failover is on, the item is offered to the others
// in the same transaction, unless a living instance already runs it as one.
//
// It works under the failover latch: the mark that a taker makes looks like
// the dead owner's to ZooKeeper, version and all, so a release that comes late
// must look again while nobody can take the item.
func (j *Job) release(ctx context.Context, n int, owner string, failover bool) error {
	return j.latch(ctx, j.tree.FailoverLatch(), func(ctx context.Context) error {
		if owner != j.id {
			// A lost session comes back under the same id: what it runs now is
			// not what its predecessor left, and it clears that itself.
			if _, back, err := j.env.Client.Exists(ctx, j.tree.Instance(owner)); back || err != nil {
				return err
			}
		}
		for {
			ops, err := j.releaseOps(ctx, n, owner, failover)
			if err != nil || len(ops) == 0 {
				return err
			}
			err = j.env.Client.Multi(ctx, ops...)
			j.log.Debug("marks of a dead instance released", "item", n, "instance", owner, "operations", len(ops), "err", err)
			// Java's survivors do not use the latch for this: look again.
			if !errors.Is(err, zk.ErrNodeExists) && !errors.Is(err, zk.ErrNoNode) && !errors.Is(err, zk.ErrBadVersion) {
				return err
			}
		}
	})
}

func (j *Job) releaseOps(ctx context.Context, n int, owner string, failover bool) ([]zk.Op, error) {
	var ops []zk.Op
	taken, ran, claimed := false, false, false
	var runs *batch // of this instance, under its present session
	if owner == j.id {
		runs = j.runsNow(n)
	}
	if runs != nil && runs.failover != nil {
		return nil, nil // The claim is under way and was never in doubt.
	}
	for _, path := range []string{j.tree.ItemRunning(n), j.tree.ItemFailover(n), j.tree.ItemFailovering(n)} {
		data, stat, err := j.env.Client.Get(ctx, path)
		switch {
		case errors.Is(err, zk.ErrNoNode):
		case err != nil:
			return nil, err
		case runs != nil && path == j.tree.ItemRunning(n): // It has the item in order, and claimed it besides.
		case string(data) == owner:
			ops = append(ops, zk.DeleteOp(path, stat.Version))
			ran, claimed = ran || path == j.tree.ItemRunning(n), claimed || path != j.tree.ItemRunning(n)
		case path == j.tree.ItemFailover(n):
			taken = true
		}
	}
	if ran && claimed { // A taker died in the run: its token is newer than the owner's.
		renew, err := j.renewOps(ctx, n)
		if err != nil {
			return nil, err
		}
		ops = append(ops, renew...)
	}
	if len(ops) == 0 || taken || runs != nil || !failover {
		return ops, nil
	}
	// An offer that is made when failover was switched off is nobody's to take,
	// and nobody's to tidy up. The configuration as this instance last read it
	// may be older than the session.
	data, stat, err := j.env.Client.Get(ctx, j.tree.Config())
	if err != nil {
		return ops, ignore(err, zk.ErrNoNode)
	}
	if config, err := jobtree.DecodeConfig(data); err == nil && !config.Failover {
		return ops, nil
	}
	if err := j.ensure(ctx, j.tree.FailoverItems()); err != nil {
		return nil, err
	}
	_, offered, err := j.env.Client.Exists(ctx, j.tree.FailoverItem(n))
	if err == nil && !offered {
		ops = append([]zk.Op{zk.CheckOp(j.tree.Config(), stat.Version), zk.CreateOp(j.tree.FailoverItem(n), nil, zk.Persistent)}, ops...)
	}
	return ops, err
}

// runsNow returns the batch that has an item in this process, if it was begun
// under the present session.
func (j *Job) runsNow(n int) *batch {
	j.mu.Lock()
	defer j.mu.Unlock()
	if b := j.queue.held[n]; b != nil && b.epoch == j.env.Client.Session().Epoch {
		return b
	}
	return nil
}

// takeFailover takes one offered item if this instance is free for it, and runs
// it. Busy instances look again when their run has ended, eager ones take what
// is offered at once; see beside.go.
func (j *Job) takeFailover(ctx context.Context, v *view) error {
	offered := len(j.cache.Get(j.tree.FailoverItems()).Children) > 0 || len(j.control.doubts) > 0
	if v.config == nil || !v.config.Failover || !v.enabled || !offered || !j.freeForFailover(v) {
		return nil
	}
	for len(j.control.doubts) > 0 {
		if err := j.release(ctx, j.control.doubts[0], j.id, true); err != nil {
			return err
		}
		j.control.doubts = j.control.doubts[1:]
	}
	taken := -1
	var token int64
	err := j.latch(ctx, j.tree.FailoverLatch(), func(ctx context.Context) error {
		if !j.freeForFailover(v) {
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
			var held bool
			var stat zk.Stat
			if won {
				stat, held, err = j.env.Client.Exists(ctx, j.tree.ItemFailover(n))
			}
			if err != nil {
				// The claim may have been made although no answer came, or stands
				// and its token is not known.
				j.control.doubts = append(j.control.doubts, n)
				return err
			}
			if held {
				taken, token = n, stat.Czxid
			}
			if won {
				return nil
			}
		}
		return nil
	})
	if taken >= 0 {
		j.log.Info("failover: took an item of an instance that is gone", "item", taken)
		if err := j.onFailover(ctx, item{number: taken, token: token, claimed: v.epoch}); err != nil {
			return err
		}
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
	case errors.Is(err, zk.ErrNodeExists):
		return false, nil // Somebody runs it.
	case errors.Is(err, zk.ErrNoNode):
		return false, j.withdrawOffer(ctx, n)
	}
	return false, err
}

// withdrawOffer removes the offer of an item that does not exist any more.
func (j *Job) withdrawOffer(ctx context.Context, n int) error {
	if _, exists, err := j.env.Client.Exists(ctx, j.tree.Item(n)); err != nil || exists {
		return err
	}
	return ignore(j.env.Client.Delete(ctx, j.tree.FailoverItem(n), zk.AnyVersion), zk.ErrNoNode)
}
