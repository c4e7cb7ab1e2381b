package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// covers is the fire time that a run was made for, of a failover run the newest
// one that it has made up for: those that came before its bodies began.
func (b *batch) covers() time.Time {
	if b.failover == nil || b.view.schedule == nil {
		return b.at
	}
	if at, ok := firetime.Missed(b.view.schedule, b.view.zone, b.began, b.at.AddDate(0, 0, -1)); ok {
		return at
	}
	return b.at
}

// renewOps make the token of an item's owner larger than that of whoever ran
// it as a failover: the assignment is written again as it is. The taker's
// running mark, which is removed in the same transaction, keeps a leader from
// giving the item to another owner between our reading and our writing.
func (j *Job) renewOps(ctx context.Context, n int) ([]zk.Op, error) {
	path := j.tree.ItemInstance(n)
	owner, stat, err := j.env.Client.Get(ctx, path)
	if err != nil {
		return nil, zk.Ignore(err, zk.ErrNoNode)
	}
	return []zk.Op{zk.SetOp(path, owner, stat.Version)}, nil
}

// reassigned reports whether a transaction was refused because an assignment
// it would renew has been taken away by a leader.
func (j *Job) reassigned(b *batch, err error) bool {
	refused := (*zk.MultiError)(nil)
	return b.failover != nil && errors.As(err, &refused) && slices.ContainsFunc(b.items, func(i item) bool {
		return refused.Op.Path == j.tree.ItemInstance(i.number)
	})
}
