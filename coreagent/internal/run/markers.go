package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// mark is the fence before a run, and the first of the two requests of a fire. One transaction (more only for thousands of shards) checks that
// every shard is still assigned to this instance and marks it running. As in ElasticJob, the
// markers are persistent if failover is on, so that survivors find them; otherwise they vanish with
// the session.
func (b *batch) mark() error {
	w := b.worker
	ctx, cancel := context.WithTimeout(b.ctx, b.view.Patience())
	defer cancel()
	w.mu.Lock()
	elsewhere, any := w.queue.occupy(b)
	w.mu.Unlock()
	if any { // Another batch of this process runs them.
		if err := b.leaveOut(ctx, elsewhere); err != nil || len(b.shards) == 0 {
			return err
		}
	}
	if b.marked { // The claim has marked it. No request has shown whether the session is still alive.
		if !w.present(b.view) {
			return fmt.Errorf("begin a failover run: %w", zk.ErrUnavailable)
		}
		return nil
	}
	for {
		if err := b.checkRecords(ctx); err != nil || len(b.shards) == 0 {
			return err
		}
		err := b.createMarkers(ctx)
		if guarded(b) && w.refusedByRecord(err) {
			b.Misfires.Forget(b.numbers())
			continue
		}
		if errors.Is(err, zk.ErrNodeExists) {
			if err := b.resolveRunning(ctx); err != nil {
				return err
			}
			if len(b.shards) == 0 {
				return nil
			}
			continue
		}
		if !zk.Retriable(err) && (errors.Is(err, zk.ErrNoNode) || errors.Is(err, zk.ErrBadVersion)) {
			return errStale
		}
		if err != nil {
			return err
		}
		b.marked = true
		b.recordsBegun()
		break
	}
	if b.Cache.Events() == b.view.Events {
		return nil
	}
	// A watch fired before the markers were made. Only changes of the nodes that the markers depend
	// on matter, because an announced resharding waits for this run.
	return b.verify(ctx)
}

// leaveOut drops the shards that run elsewhere, and our claims to them.
func (b *batch) leaveOut(ctx context.Context, elsewhere []bool) error {
	if b.failover != nil {
		if err := b.giveUpClaims(ctx, elsewhere); err != nil {
			return err
		}
	}
	for k, s := range b.shards {
		if elsewhere[k] && (b.kind == fireTime || b.failover != nil && b.fires()) {
			b.missed = append(b.missed, s.Number)
		}
	}
	b.retain(func(k int) bool { return !elsewhere[k] })
	return nil
}

func (b *batch) createMarkers(ctx context.Context) error {
	mode := zk.Ephemeral
	if b.view.Config.Failover {
		mode = zk.Persistent
	}
	ops := append(make([]zk.Op, 0, 3*len(b.shards)+3), b.rotationGuard()...)
	if b.decided.late {
		// An instance that has just reconnected may not know an edit of the settings yet.
		ops = append(ops, zk.CheckOp(b.Tree.Config(), b.view.ConfigVersion))
	}
	if b.decided.noted.Exists {
		// The schedule may have been held and released since, which ends an era.
		ops = append(ops, zk.CheckOp(b.Tree.FireRecords(), b.decided.noted.Version))
	}
	for _, s := range b.shards {
		// If the event was lost, we don't know the renewed token yet.
		assigned := zk.CheckOp(b.Tree.ItemInstance(s.Number), s.Version)
		if b.failover != nil { // The assignment still names the dead instance.
			assigned = zk.CheckOp(b.Tree.ItemFailover(s.Number), zk.AnyVersion)
		}
		ops = append(append(ops, assigned), b.recordGuard(s.Number)...)
		ops = append(ops, zk.CreateOp(b.Tree.ItemRunning(s.Number), []byte(b.view.ID), mode))
	}
	for k, chunk := range nodes.Chunks(nodes.Singly(ops)) {
		if err := b.Host.Client.MultiBatched(ctx, chunk...); err != nil {
			if k > 0 {
				return errors.Join(err, b.unmark(ctx))
			}
			return err
		}
	}
	return nil
}

// resolveRunning handles shards that are marked running already. Our own marker comes from a
// transaction with a lost reply, because no two batches of a process hold the same shard, so we
// remove it. As in ElasticJob, a shard that another instance runs is left out, until that instance
// has been gone for long.
func (b *batch) resolveRunning(ctx context.Context) error {
	elsewhere := make([]bool, len(b.shards))
	err := nodes.Each(ctx, len(b.shards), func(ctx context.Context, i int) error {
		path := b.Tree.ItemRunning(b.shards[i].Number)
		data, stat, err := b.Host.Client.Get(ctx, path)
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		if string(data) != b.view.ID {
			b.Log.DebugContext(ctx, "shard skipped: it runs elsewhere", "shard", b.shards[i].Number, "instance", string(data))
			elsewhere[i] = true
			return nil
		}
		return zk.Ignore(b.Host.Client.Delete(ctx, path, stat.Version), zk.ErrNoNode, zk.ErrBadVersion)
	})
	if err != nil {
		return err
	}
	var marked []int
	for k, s := range b.shards {
		if elsewhere[k] {
			marked = append(marked, s.Number)
		}
	}
	if err := b.Resharding.ClearStale(ctx, marked, b.view.Config.Failover); err != nil {
		return err
	}
	return b.leaveOut(ctx, elsewhere)
}

// giveUpClaims gives up failover shards that run elsewhere. Their owner has rejoined and runs them,
// or the leader will soon find it dead and offer the shards again. A leftover claim would keep the
// shard from every instance.
//
// The claim itself goes last, because after its removal no instance cleans up the rest, for example
// after a lost reply.
func (b *batch) giveUpClaims(ctx context.Context, elsewhere []bool) error {
	for k, s := range b.shards {
		if !elsewhere[k] {
			continue
		}
		for _, path := range []string{b.Tree.ItemFailovering(s.Number), b.Tree.ItemFailover(s.Number)} {
			if err := b.Nodes.DeleteIfData(ctx, path, b.view.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// verify checks, after the markers were made, that each shard whose watch fired is assigned to this
// instance and enabled. If one isn't, it removes the markers.
func (b *batch) verify(ctx context.Context) error {
	if b.failover != nil {
		return nil // The claim itself was checked in the transaction.
	}
	fine := make([]bool, len(b.shards))
	err := nodes.Each(ctx, len(b.shards), func(ctx context.Context, i int) error {
		n := b.shards[i].Number
		if fine[i] = b.view.Rotation == nil && !b.Cache.Touched(b.view, n); fine[i] {
			return nil
		}
		owner, stat, err := b.Host.Client.Get(ctx, b.Tree.ItemInstance(n))
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		_, disabled, err := b.Host.Client.Exists(ctx, b.Tree.ItemDisabled(n))
		if err != nil {
			return err
		}
		_, taken, err := b.Host.Client.Exists(ctx, b.Tree.ItemFailover(n))
		if err != nil {
			return err
		}
		mine := string(owner) == b.view.ID && max(stat.Mzxid, b.view.Born) == b.shards[i].Token
		if b.view.Rotation != nil {
			mine, err = b.verifyRotation(ctx)
		}
		fine[i] = mine && !disabled && !taken
		return err
	})
	if err != nil {
		return errors.Join(err, b.unmark(ctx))
	}
	for _, ok := range fine {
		if !ok {
			if err := b.unmark(ctx); err != nil {
				return err
			}
			return errStale
		}
	}
	return nil
}

func (b *batch) unmark(ctx context.Context) error {
	return nodes.Each(ctx, len(b.shards), func(ctx context.Context, i int) error {
		return b.Nodes.DeleteIfData(ctx, b.Tree.ItemRunning(b.shards[i].Number), b.view.ID)
	})
}
