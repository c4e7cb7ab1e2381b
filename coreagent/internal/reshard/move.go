package reshard

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// move assigns the shards of a job without monitorExecution in a single transaction, because
// without running markers there's nothing to wait for between take and give. It does nothing and
// returns false if that isn't possible, because there are too many shards or some must be removed.
func (r *Resharding) move(ctx context.Context, p *plan) (bool, error) {
	if p.config.MonitorExecution || p.rotates() || len(p.existing) > p.config.Shards {
		return false, nil
	}
	ops := []zk.Op{zk.CheckOp(r.nodes.Tree.Config(), p.configVersion), zk.CheckOp(r.nodes.Tree.LeaderInstance(), zk.AnyVersion)}
	for _, n := range p.moved {
		if n >= p.config.Shards { // Few shards exist, but this one must be removed.
			return false, nil
		}
		owner, id := r.nodes.Tree.ItemInstance(n), []byte(p.to[n])
		_, owned := p.owners[n]
		switch {
		case owned:
			ops = append(ops, zk.SetOp(owner, id, zk.AnyVersion))
			continue
		case !p.exists(n):
			ops = append(ops, zk.CreateOp(r.nodes.Tree.Item(n), nil, zk.Persistent))
		}
		ops = append(ops, zk.CreateOp(owner, id, zk.Persistent))
	}
	record, err := r.assignmentOps(ctx, p)
	if err != nil {
		return false, err
	}
	ops = append(append(ops, record...), zk.DeleteOp(r.nodes.Tree.Necessary(), zk.AnyVersion))
	if p.processing {
		ops = append(ops, zk.DeleteOp(r.nodes.Tree.Processing(), zk.AnyVersion))
	}
	if len(nodes.Chunks(nodes.Singly(ops))) > 1 {
		return false, nil
	}
	if len(p.existing) == 0 {
		if err := r.nodes.Ensure(ctx, r.nodes.Tree.Sharding()); err != nil {
			return false, err
		}
	}
	if err := r.nodes.Client.Multi(ctx, ops...); err != nil {
		return false, r.again(err)
	}
	r.noteAssigned(p, fires{})
	return true, nil
}

// take is the first transaction. It marks processing, takes the shards that move from their owners,
// and creates new shards. Creating and deleting a running marker in the same transaction proves
// that there was none. Shards beyond the count are deleted later; without an owner they can't
// start. Each part checks the flag that announced the resharding. Otherwise a leader that has
// resigned could take shards after the next leader has assigned them, and no flag would announce
// that they need a new owner.
func (r *Resharding) take(ctx context.Context, p *plan) error {
	r.noteTaken(p)
	groups := [][]zk.Op{{zk.CreateOp(r.nodes.Tree.Processing(), nil, zk.Ephemeral)}}
	if p.processing {
		groups[0] = slices.Insert(groups[0], 0, zk.DeleteOp(r.nodes.Tree.Processing(), zk.AnyVersion))
	}
	if len(p.existing) == 0 {
		if err := r.nodes.Ensure(ctx, r.nodes.Tree.Sharding()); err != nil {
			return err
		}
	}
	for _, n := range p.moved {
		var group []zk.Op
		_, owned := p.owners[n]
		switch {
		case !p.exists(n):
			group = append(group, zk.CreateOp(r.nodes.Tree.Item(n), nil, zk.Persistent))
		case p.config.MonitorExecution:
			running := r.nodes.Tree.ItemRunning(n)
			group = append(group, zk.CreateOp(running, nil, zk.Persistent), zk.DeleteOp(running, zk.AnyVersion))
		}
		if owned {
			group = append(group, zk.DeleteOp(r.nodes.Tree.ItemInstance(n), zk.AnyVersion))
		}
		if len(group) > 0 {
			groups = append(groups, group)
		}
	}
	list := nodes.Chunks(groups)
	guard := []zk.Op{zk.CheckOp(r.nodes.Tree.LeaderInstance(), zk.AnyVersion), zk.CheckOp(r.nodes.Tree.Necessary(), zk.AnyVersion)}
	if len(p.existing) == 0 {
		// The job has no shards yet, so nothing can run and we needn't wait.
		if err := r.nodes.Client.Multi(ctx, slices.Concat(guard, list[0])...); err != nil {
			return r.again(err)
		}
		return r.again(r.multis(ctx, list[1:], guard...))
	}
	for _, chunk := range list {
		for {
			err := r.nodes.Client.Multi(ctx, slices.Concat(guard, chunk)...)
			if err == nil {
				break
			}
			if !errors.Is(err, zk.ErrNodeExists) || !r.nodes.Tree.IsItemRunning(zk.RefusedPath(err)) {
				return r.again(err)
			}
			if err := r.awaitQuiet(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// give is the second transaction. Only its last part removes the flags, so half an assignment is
// never mistaken for a complete one.
func (r *Resharding) give(ctx context.Context, p *plan, f fires) error {
	kept, _ := slices.BinarySearch(p.existing, p.config.Shards)
	beyond := p.existing[kept:]
	r.noteRemoved(beyond)
	if err := nodes.Each(ctx, len(beyond), func(ctx context.Context, i int) error {
		for _, path := range []string{r.nodes.Tree.Item(beyond[i]), r.nodes.Tree.FailoverItem(beyond[i]), r.nodes.Tree.FireRecord(beyond[i])} {
			if err := r.nodes.Client.DeleteAll(ctx, path); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	var groups [][]zk.Op
	for _, n := range p.moved {
		if n < len(p.to) {
			groups = append(groups, []zk.Op{zk.CreateOp(r.nodes.Tree.ItemInstance(n), []byte(p.to[n]), zk.Persistent)})
		}
	}
	for _, op := range r.fireOps(f) {
		groups = append(groups, []zk.Op{op})
	}
	last, err := r.assignmentOps(ctx, p)
	if err != nil {
		return err
	}
	if p.next {
		last = append(last, zk.DeleteOp(r.nodes.Tree.NextInstanceIP(), zk.AnyVersion))
	}
	last = append(last, zk.DeleteOp(r.nodes.Tree.Necessary(), zk.AnyVersion), zk.DeleteOp(r.nodes.Tree.Processing(), zk.AnyVersion))
	guard := []zk.Op{
		zk.CheckOp(r.nodes.Tree.Config(), p.configVersion),
		zk.CheckOp(r.nodes.Tree.LeaderInstance(), zk.AnyVersion),
	}
	list := nodes.Chunks(append(groups, last))
	end := len(list) - 1
	if err := r.multis(ctx, list[:end], guard...); err != nil {
		return r.again(err)
	}
	if err := r.nodes.Client.Multi(ctx, append(guard, list[end]...)...); err != nil {
		return r.again(err)
	}
	r.noteAssigned(p, f)
	return nil
}

// multis makes independent transactions, each with the checks in guard.
func (r *Resharding) multis(ctx context.Context, list [][]zk.Op, guard ...zk.Op) error {
	return nodes.Each(ctx, len(list), func(ctx context.Context, i int) error {
		return r.nodes.Client.Multi(ctx, slices.Concat(guard, list[i])...)
	})
}

// again returns errMoved for a refused transaction. We don't need to pause, because the tree
// already shows the change.
func (r *Resharding) again(err error) error {
	if refused := zk.RefusedPath(err); refused != "" && !errors.Is(err, zk.ErrNoAuth) {
		r.log.Debug("resharding begins again", "err", err)
		if refused == r.nodes.Tree.LeaderInstance() {
			return fmt.Errorf("%w: no longer the leader", zk.ErrSessionLost)
		}
		return errMoved
	}
	return err
}
