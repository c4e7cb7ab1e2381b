package failover

import (
	"context"
	"errors"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// Release removes the markers of a dead owner's run or claim of a shard. If offer is set and
// failover is on, the same transaction offers the shard to other instances, unless a living
// instance already runs it as a failover.
func (f *Failover) Release(ctx context.Context, shard int, owner string, offer bool) error {
	return f.releaseAll(ctx, []markers{f.markersOf(shard, owner)}, offer)
}

func (f *Failover) releaseAll(ctx context.Context, left []markers, offer bool) error {
	return f.nodes.Hold(ctx, f.nodes.Tree.FailoverLatch(), func(ctx context.Context, place *recipe.Place) error {
		for {
			groups, err := f.readRelease(ctx, left, offer)
			if err != nil || len(groups) == 0 {
				return err
			}
			_, err = f.nodes.Commit(ctx, place, groups)
			f.log.DebugContext(ctx, "markers of dead instances released", "shards", len(left), "err", err)
			// Java's survivors don't use the latch for this, so look again.
			if !errors.Is(err, zk.ErrNodeExists) && !errors.Is(err, zk.ErrNoNode) && !errors.Is(err, zk.ErrBadVersion) {
				return err
			}
		}
	})
}

// readRelease rereads the markers of shards and returns the operations that release them, behind
// the fence. Markers that a rejoined owner has made since stay. After a lost session or a container
// restart, it rejoins under the same id.
func (f *Failover) readRelease(ctx context.Context, left []markers, offer bool) ([][]zk.Op, error) {
	tree := f.nodes.Tree
	fence, fenced, err := f.nodes.Client.Exists(ctx, tree.Agents())
	if err != nil {
		return nil, err
	}
	var before offers
	reads := before.reads(f)
	for i := range left {
		reads = append(reads, left[i].reads(f)...)
	}
	if err := nodes.Together(ctx, reads); err != nil {
		return nil, err
	}
	// Read it last: if the owner is missing now, we can't have read any marker that it made after
	// rejoining.
	back := make(map[string]*int64) // the transaction at which owners rejoined; 0 if they didn't
	reads = nil
	for _, m := range left {
		owner := m.owner
		if owner == f.job.ID() || back[owner] != nil || jobtree.ValidateInstanceID(owner) != nil {
			continue // ourselves, requested already, or an invalid id
		}
		at := new(int64)
		back[owner] = at
		reads = append(reads, func(ctx context.Context) error {
			instance, _, err := f.nodes.Client.Exists(ctx, tree.Instance(owner))
			*at = instance.Czxid
			return err
		})
	}
	if err := nodes.Together(ctx, reads); err != nil {
		return nil, err
	}
	var groups [][]zk.Op
	for _, m := range left {
		if at := back[m.owner]; at != nil && *at != 0 {
			m.until(*at)
		}
		ops, _, err := f.releaseOps(ctx, m, offer, before)
		if err != nil {
			return nil, err
		}
		if len(ops) > 0 {
			groups = append(groups, ops)
		}
	}
	if len(groups) > 0 && offer && before.allowed && !before.exist {
		groups = slices.Insert(groups, 0, []zk.Op{zk.CheckOp(tree.Config(), zk.AnyVersion), zk.CreateOp(tree.FailoverItems(), nil, zk.Persistent)})
	}
	if len(groups) > 0 && fenced {
		groups = slices.Insert(groups, 0, []zk.Op{zk.SetOp(tree.Agents(), nil, fence.Version)})
	}
	return groups, nil
}

// releaseOps returns the operations that remove the markers of a shard's dead owner, and whether
// the shard is offered then.
func (f *Failover) releaseOps(ctx context.Context, m markers, offer bool, before offers) (ops []zk.Op, offers bool, err error) {
	runs, runsClaim := false, false // by this instance, under its current session
	if m.owner == f.job.ID() {
		runs, runsClaim = f.job.Runs(m.shard)
	}
	if runsClaim {
		return nil, false, nil // The claim is running and was never in doubt.
	}
	ran, claimed := false, false
	for _, mark := range []marker{m.running, m.failover, m.failovering} {
		if runs && mark == m.running {
			continue // It runs the shard as its owner, and also claimed it.
		}
		if !mark.exists || mark.data != m.owner {
			continue
		}
		if mark == m.running && mark.session {
			// It belongs to a requested run, which runs again because of its record, or to a run
			// from before failover was switched on, which a misfire run makes up for. Only the
			// owner knows that the marker's session is useless.
			if m.owner == f.job.ID() {
				ops = append(ops, zk.DeleteOp(mark.path, mark.version))
			}
			continue
		}
		ops = append(ops, zk.DeleteOp(mark.path, mark.version))
		ran, claimed = ran || mark == m.running, claimed || mark != m.running
	}
	if ran && claimed { // A taker died during the run, and its token is newer than the owner's.
		renew, err := f.RenewOps(ctx, m.shard)
		if err != nil {
			return nil, false, err
		}
		ops = append(ops, renew...)
	}
	if taken := m.failover.exists && m.failover.data != m.owner; !ran && !claimed || taken || runs || !offer || !before.allowed {
		return ops, false, nil
	}
	due, owed := f.interrupted(m)
	if !owed {
		return ops, false, nil
	}
	if !slices.Contains(before.shards, m.shard) {
		ops = slices.Insert(ops, 0, zk.CheckOp(f.nodes.Tree.Config(), before.config),
			zk.CreateOp(f.nodes.Tree.FailoverItem(m.shard), due.Encode(), zk.Persistent))
	}
	return ops, true, nil
}

// DropClaim removes the claim of a shard after failover was switched off. guard checks that; its
// refusal is returned. The taker may still run. We renew the owner's token now, because later the
// taker's running marker will be there without a claim.
func (f *Failover) DropClaim(ctx context.Context, shard int, guard zk.Op) error {
	path := f.nodes.Tree.ItemFailovering(shard)
	for {
		if _, exists, err := f.nodes.Client.Exists(ctx, path); err != nil || !exists {
			return err
		}
		renew, err := f.RenewOps(ctx, shard)
		if err != nil {
			return err
		}
		err = f.nodes.Client.Multi(ctx, append([]zk.Op{guard, zk.DeleteOp(path, zk.AnyVersion)}, renew...)...)
		if refused := zk.RefusedPath(err); refused != "" && refused != guard.Path && zk.Ignore(err, zk.ErrNoNode, zk.ErrBadVersion) == nil {
			continue // The claim has ended or the shard has changed hands, so look again.
		}
		return err
	}
}

// RenewOps makes the token of a shard's owner larger than the token of an instance that ran it as a
// failover, by rewriting the assignment unchanged. The taker's running marker, removed in the same
// transaction, keeps a leader from reassigning the shard between our read and our write.
func (f *Failover) RenewOps(ctx context.Context, shard int) ([]zk.Op, error) {
	path := f.nodes.Tree.ItemInstance(shard)
	owner, stat, err := f.nodes.Client.Get(ctx, path)
	if err != nil {
		return nil, zk.Ignore(err, zk.ErrNoNode)
	}
	return []zk.Op{zk.SetOp(path, owner, stat.Version)}, nil
}
