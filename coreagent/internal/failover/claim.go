package failover

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Take claims one offered shard if taker is free for it, and has taker run it. Busy
// instances look again when their run has ended, eager ones take what is offered at
// once.
func (f *Failover) Take(ctx context.Context, config *jobconfig.Config, taker Taker) error {
	if !taker.Free() {
		return nil
	}
	tree := f.nodes.Tree
	won, token := -1, int64(0)
	err := f.nodes.Hold(ctx, tree.FailoverLatch(), func(ctx context.Context, place *recipe.Place) error {
		if !taker.Free() {
			return nil
		}
		names, err := f.nodes.Children(ctx, tree.FailoverItems())
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		slices.Sort(names)
		for _, name := range slices.Backward(names) { // Descending as text, as in ElasticJob.
			n, ok := jobtree.ParseItem(name)
			if !ok {
				continue
			}
			if n >= config.Shards { // Nobody can run it; a resharding removes what is left of it.
				if err := f.withdrawOffer(ctx, n); err != nil {
					return err
				}
				continue
			}
			token, err = f.claim(ctx, place, n)
			if err != nil {
				// The claim may have been made although no answer came.
				taker.Doubt(n)
				return err
			}
			if token != 0 {
				won = n
				return nil
			}
		}
		return nil
	})
	if won < 0 {
		return err
	}
	f.take(won, token, taker)
	return nil
}

// take has taker run a shard that it has claimed.
func (f *Failover) take(shard int, token int64, taker Taker) {
	f.log.Info("failover: took a shard of an instance that has left", "shard", shard)
	taker.Take(shard, token)
}

// claim marks an offered shard as taken by this instance. It returns the
// transaction, the shard's token; 0 if the shard cannot be taken.
func (f *Failover) claim(ctx context.Context, place *recipe.Place, shard int) (int64, error) {
	_, marked, err := f.nodes.Client.Exists(ctx, f.nodes.Tree.ItemFailovering(shard))
	if err != nil {
		return 0, err
	}
	stats, err := f.nodes.Commit(ctx, place, [][]zk.Op{f.claimOps(shard, marked)})
	switch {
	case err == nil:
		return slices.MaxFunc(stats, func(a, b zk.Stat) int { return cmp.Compare(a.Mzxid, b.Mzxid) }).Mzxid, nil
	case errors.Is(err, zk.ErrNodeExists):
		return 0, nil // Somebody runs it.
	case errors.Is(err, zk.ErrNoNode):
		return 0, f.withdrawOffer(ctx, shard)
	}
	return 0, err
}

// claimOps mark an offered shard as taken by this instance. The last of the claim's
// nodes is written twice because the reply tells which transaction wrote it, and not
// which one created it.
func (f *Failover) claimOps(shard int, marked bool) []zk.Op {
	tree, id := f.nodes.Tree, []byte(f.job.ID())
	ops := []zk.Op{zk.CreateOp(tree.ItemFailover(shard), id, zk.Ephemeral)}
	if !marked {
		ops = append(ops, zk.CreateOp(tree.ItemFailovering(shard), id, zk.Persistent))
	}
	return append(ops, zk.SetOp(tree.ItemFailovering(shard), id, zk.AnyVersion),
		zk.DeleteOp(tree.FailoverItem(shard), zk.AnyVersion))
}

// withdrawOffer removes the offer of a shard that no longer exists.
func (f *Failover) withdrawOffer(ctx context.Context, shard int) error {
	if _, exists, err := f.nodes.Client.Exists(ctx, f.nodes.Tree.Item(shard)); err != nil || exists {
		return err
	}
	return zk.Ignore(f.nodes.Client.Delete(ctx, f.nodes.Tree.FailoverItem(shard), zk.AnyVersion), zk.ErrNoNode)
}
