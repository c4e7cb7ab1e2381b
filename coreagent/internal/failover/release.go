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

// Release removes what says that a dead owner runs a shard, or has claimed it. If
// the caller wants it, and failover is on, the shard is offered to the others in
// the same transaction, unless a living instance already runs it as one.
func (f *Failover) Release(ctx context.Context, shard int, owner string, offer bool) error {
	return f.releaseAll(ctx, []markers{f.markersOf(shard, owner)}, offer)
}

// releaseAll releases shards under the failover latch.
func (f *Failover) releaseAll(ctx context.Context, left []markers, offer bool) error {
	return f.nodes.Hold(ctx, f.nodes.Tree.FailoverLatch(), func(ctx context.Context, place *recipe.Place) error {
		for {
			groups, err := f.readRelease(ctx, left, offer)
			if err != nil || len(groups) == 0 {
				return err
			}
			_, err = f.nodes.Commit(ctx, place, groups)
			f.log.DebugContext(ctx, "markers of dead instances released", "shards", len(left), "err", err)
			// Java's survivors do not use the latch for this: look again.
			if !errors.Is(err, zk.ErrNodeExists) && !errors.Is(err, zk.ErrNoNode) && !errors.Is(err, zk.ErrBadVersion) {
				return err
			}
		}
	})
}

// readRelease reads the markers of shards anew and returns the operations that
// release them, behind the fence. What an owner that rejoined has made since is left
// alone: a lost session is replaced under the same id, and so is a container
// that is started again.
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
	// Afterwards: of an owner that is not there then, nothing was read that it has made
	// since it rejoined.
	back := make(map[string]*int64) // when owners rejoined, by transaction; 0 for those that did not
	reads = nil
	for _, m := range left {
		owner := m.owner
		if owner == f.job.ID() || back[owner] != nil || jobtree.ValidateInstanceID(owner) != nil {
			continue // Itself, asked for already, or nobody who could rejoin.
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

// releaseOps remove the markers of a shard's dead owner. offers says whether the
// shard is offered to everybody then.
func (f *Failover) releaseOps(ctx context.Context, m markers, offer bool, before offers) (ops []zk.Op, offers bool, err error) {
	runs, runsClaim := false, false // by this instance, under its present session
	if m.owner == f.job.ID() {
		runs, runsClaim = f.job.Runs(m.shard)
	}
	if runsClaim {
		return nil, false, nil // The claim is under way and was never in doubt.
	}
	ran, claimed := false, false
	for _, mark := range []marker{m.running, m.failover, m.failovering} {
		if runs && mark == m.running {
			continue // It has the shard in order, and claimed it besides.
		}
		if !mark.exists || mark.data != m.owner {
			continue
		}
		if mark == m.running && mark.session {
			// It is that of a requested run, which its record has somebody run again, or
			// of a run from before failover was switched on, whose fire time is made up
			// for. Nobody but its owner knows that the session behind it is of no use.
			if m.owner == f.job.ID() {
				ops = append(ops, zk.DeleteOp(mark.path, mark.version))
			}
			continue
		}
		ops = append(ops, zk.DeleteOp(mark.path, mark.version))
		ran, claimed = ran || mark == m.running, claimed || mark != m.running
	}
	if ran && claimed { // A taker died in the run: its token is newer than the owner's.
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

// DropClaim removes the claim of a shard when failover was switched off; guard is what
// says so, and the error is that of its refusal. The taker may be at work: the token of the
// owner is renewed now, for who finds the taker's running marker later sees no claim.
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
		if refused, ok := errors.AsType[*zk.MultiError](err); ok && refused.Index > 0 && zk.Ignore(zk.Ignore(err, zk.ErrNoNode), zk.ErrBadVersion) == nil {
			continue // The claim has ended, or the shard has changed hands: look again.
		}
		return err
	}
}

// RenewOps make the token of a shard's owner larger than that of whoever ran it as
// a failover: the assignment is written again as it is. The taker's running marker,
// which is removed in the same transaction, keeps a leader from giving the shard to
// another owner between our reading and our writing.
func (f *Failover) RenewOps(ctx context.Context, shard int) ([]zk.Op, error) {
	path := f.nodes.Tree.ItemInstance(shard)
	owner, stat, err := f.nodes.Client.Get(ctx, path)
	if err != nil {
		return nil, zk.Ignore(err, zk.ErrNoNode)
	}
	return []zk.Op{zk.SetOp(path, owner, stat.Version)}, nil
}
