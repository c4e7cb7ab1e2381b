package failover

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Take claims one offered shard if taker is free, and passes it to taker. Busy instances look again
// after their run; eager jobs take offered shards at once.
func (f *Failover) Take(ctx context.Context, config *jobconfig.Config, taker Taker) error {
	if !taker.Free() {
		return nil
	}
	tree := f.nodes.Tree
	var won Claim
	err := f.nodes.Hold(ctx, tree.FailoverLatch(), func(ctx context.Context, place *recipe.Place) error {
		if !taker.Free() {
			return nil
		}
		names, err := f.nodes.Children(ctx, tree.FailoverItems())
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		slices.Sort(names)
		for _, name := range slices.Backward(names) { // descending as text, as in ElasticJob
			n, ok := jobtree.ParseItem(name)
			if !ok {
				continue
			}
			if n >= config.Shards { // No instance can run it; a resharding removes its other nodes.
				if err := f.withdrawOffer(ctx, n); err != nil {
					return err
				}
				continue
			}
			won, err = f.claim(ctx, place, n)
			if err != nil {
				// The claim may have succeeded although no reply came.
				taker.Doubt(n)
				return err
			}
			if won.Token != 0 {
				return nil
			}
		}
		return nil
	})
	if won.Token == 0 {
		return err
	}
	f.take(won, taker)
	return nil
}

func (f *Failover) take(c Claim, taker Taker) {
	f.rememberClaim(c.Shard, c.Due)
	f.log.Info("failover: took a shard of an instance that has left", "shard", c.Shard, "scheduled", c.Due.At)
	taker.Take(c)
}

// claim marks an offered shard as taken by this instance. The token of the claim is 0 if the shard
// can't be taken. If another transaction completes the fire time first, the claim fails, because
// both depend on the version of the shard's record.
func (f *Failover) claim(ctx context.Context, place *recipe.Place, shard int) (Claim, error) {
	for {
		offered, err := f.readOffer(ctx, shard)
		if err != nil || !offered.exists {
			return Claim{}, err
		}
		if offered.settled {
			err := f.nodes.Client.Delete(ctx, f.nodes.Tree.FailoverItem(shard), offered.version)
			return Claim{}, zk.Ignore(err, zk.ErrNoNode, zk.ErrBadVersion)
		}
		ops := f.claimOps(shard, offered.claimed)
		if offered.recorded {
			ops = append(ops, zk.CheckOp(f.nodes.Tree.FireRecord(shard), offered.record.Version))
		}
		f.rememberClaim(shard, jobtree.Due{})
		stats, err := f.nodes.Commit(ctx, place, [][]zk.Op{ops})
		switch {
		case err == nil:
			token := slices.MaxFunc(stats, func(a, b zk.Stat) int { return cmp.Compare(a.Mzxid, b.Mzxid) }).Mzxid
			return Claim{shard, token, offered.due, offered.recorded && offered.record.Begun.Equal(offered.due)}, nil
		case errors.Is(err, zk.ErrBadVersion):
			continue // The record has changed since it was read.
		case errors.Is(err, zk.ErrNodeExists):
			return Claim{}, nil // Another instance runs it.
		case errors.Is(err, zk.ErrNoNode):
			return Claim{}, f.withdrawOffer(ctx, shard)
		}
		return Claim{}, err
	}
}

// offer is an offered shard as read.
type offer struct {
	due      jobtree.Due
	version  int32
	exists   bool
	claimed  bool // the shard has the persistent node of a claim
	settled  bool // the interrupted run's fire time or trigger has been completed since
	record   firerecord.Record
	recorded bool
}

// readOffer reads the offer of a shard. An offer by a Java agent or an older version names no fire
// time. It counts for the newest fire time before it.
func (f *Failover) readOffer(ctx context.Context, shard int) (o offer, err error) {
	var made zk.Stat
	err = nodes.Together(ctx, []func(ctx context.Context) error{
		func(ctx context.Context) error {
			data, stat, err := f.nodes.Client.Get(ctx, f.nodes.Tree.FailoverItem(shard))
			o.due, o.version, o.exists, made = f.records.Offered(data), stat.Version, err == nil, stat
			return zk.Ignore(err, zk.ErrNoNode)
		},
		func(ctx context.Context) (err error) {
			_, o.claimed, err = f.nodes.Client.Exists(ctx, f.nodes.Tree.ItemFailovering(shard))
			return err
		},
		func(ctx context.Context) (err error) {
			o.record, o.recorded, err = f.records.Last(ctx, shard)
			return err
		},
	})
	if !o.due.Known() {
		o.due.At, _ = f.job.Missed(made.Ctime.AddDate(-1, 0, 0), made.Ctime)
		// A record from before the offer can't show whether the interrupted run is done.
		o.settled = o.recorded && o.record.Written > made.Czxid
	} else {
		o.settled = o.recorded
	}
	o.settled = o.settled && firetime.Settled(o.record.FireRecord, o.due)
	return o, err
}

// WithdrawOps returns the operations that withdraw the offer of a shard after a run has completed
// due. There are none if there's no offer, or if it's for a later fire time or another trigger.
func (f *Failover) WithdrawOps(ctx context.Context, shard int, due jobtree.Due) ([]zk.Op, error) {
	o, err := f.readOffer(ctx, shard)
	settled := o.due.Equal(due) || !due.Trigger && firetime.Settled(jobtree.FireRecord{Completed: due.At}, o.due)
	if err != nil || !o.exists || !settled {
		return nil, err
	}
	return []zk.Op{zk.DeleteOp(f.nodes.Tree.FailoverItem(shard), o.version)}, nil
}

// claimOps returns operations that mark an offered shard as taken by this instance. The last node
// of the claim is created and set, because a reply contains the transaction id of a set but not of
// a create.
func (f *Failover) claimOps(shard int, marked bool) []zk.Op {
	tree, id := f.nodes.Tree, []byte(f.job.ID())
	ops := []zk.Op{zk.CreateOp(tree.ItemFailover(shard), id, zk.Ephemeral)}
	if !marked {
		ops = append(ops, zk.CreateOp(tree.ItemFailovering(shard), id, zk.Persistent))
	}
	return append(ops, zk.SetOp(tree.ItemFailovering(shard), id, zk.AnyVersion),
		zk.DeleteOp(tree.FailoverItem(shard), zk.AnyVersion))
}

func (f *Failover) withdrawOffer(ctx context.Context, shard int) error {
	if _, exists, err := f.nodes.Client.Exists(ctx, f.nodes.Tree.Item(shard)); err != nil || exists {
		return err
	}
	return zk.Ignore(f.nodes.Client.Delete(ctx, f.nodes.Tree.FailoverItem(shard), zk.AnyVersion), zk.ErrNoNode)
}
