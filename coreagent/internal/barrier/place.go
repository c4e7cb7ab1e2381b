package barrier

import (
	"context"
	"errors"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

func (v *visit) arrive(ctx context.Context) error {
	notice, stat, err := v.nodes.Client.Get(ctx, v.dir)
	again := v.starting && v.meeting.came
	switch {
	case err != nil || !isNotice(notice) || again:
	case stat.NumChildren == 0:
		// All instances of that round have left.
		err = v.nodes.Client.Delete(ctx, v.dir, stat.Version)
		err = zk.Ignore(err, zk.ErrNotEmpty, zk.ErrBadVersion)
	case noticeFor(notice) < v.run.FireTime.UnixMilli():
		err = v.removeBarrier(ctx) // The listener was notified, but that instance could not remove the barrier.
	}
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return err
	}
	if v.run.Unmet && !v.starting {
		if err := v.removeOlder(ctx); err != nil {
			return err
		}
	}
	v.meeting.came = v.starting
	return nodes.Each(ctx, len(v.run.Shards), func(ctx context.Context, i int) error {
		return v.createNode(ctx, v.shard(v.run.Shards[i]))
	})
}

// createNode creates one node of the barrier. An existing one is fine if it lives as long.
func (v *visit) createNode(ctx context.Context, path string) error {
	for {
		err := v.nodes.Create(ctx, path, v.label(), v.mode)
		if !errors.Is(err, zk.ErrNodeExists) {
			return err
		}
		if v.mode == zk.Persistent {
			return v.relabel(ctx, path)
		}
		stat, exists, err := v.nodes.Client.Exists(ctx, path)
		if err != nil {
			return err
		}
		if exists && stat.EphemeralOwner == v.nodes.Client.Session().ID {
			return v.relabel(ctx, path)
		}
		// Its creator owned the shard before this instance.
		if err := zk.Ignore(v.nodes.Client.Delete(ctx, path, zk.AnyVersion), zk.ErrNoNode); err != nil {
			return err
		}
	}
}

func (v *visit) look(ctx context.Context) (state, error) {
	names, err := v.nodes.Children(ctx, v.dir)
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return waiting, err
	}
	present := slices.DeleteFunc(jobtree.ItemNumbers(names), func(n int) bool { return n >= v.run.Total })
	for _, n := range v.run.Shards {
		if _, there := slices.BinarySearch(present, n); !there {
			return released, nil
		}
	}
	if len(present) == v.run.Total {
		return complete, nil
	}
	return waiting, nil
}

// removeBarrier removes the barrier in one transaction, so that no instance sees half of it.
func (v *visit) removeBarrier(ctx context.Context) error {
	for {
		names, _, err := v.nodes.Client.Children(ctx, v.dir)
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		ops := make([]zk.Op, 0, len(names)+1)
		for _, name := range names {
			ops = append(ops, zk.DeleteOp(v.dir+"/"+name, zk.AnyVersion))
		}
		list := nodes.Chunks(nodes.Singly(append(ops, zk.DeleteOp(v.dir, zk.AnyVersion))))
		for _, chunk := range list {
			if err = v.nodes.Client.Multi(ctx, chunk...); err != nil {
				break
			}
		}
		if refused := zk.RefusedPath(err); errors.Is(err, zk.ErrNotEmpty) && refused != v.dir {
			// A stranger has put nodes below a node of the barrier.
			if err := v.nodes.Client.DeleteAll(ctx, refused); err != nil {
				return err
			}
		}
		// An instance came or left, so look again.
		if err == nil || !errors.Is(err, zk.ErrNoNode) && !errors.Is(err, zk.ErrNotEmpty) {
			return err
		}
	}
}

// stepBack removes our shards from the barrier unless it's released.
func (v *visit) stepBack(ctx context.Context) (state, error) {
	result := waiting
	err := v.nodes.Hold(ctx, v.latch, func(ctx context.Context, _ *recipe.Place) error {
		s, err := v.look(ctx)
		if result = s; err != nil || s == released {
			return err
		}
		session := v.nodes.Client.Session().ID
		return nodes.Each(ctx, len(v.run.Shards), func(ctx context.Context, i int) error {
			path := v.shard(v.run.Shards[i])
			stat, exists, err := v.nodes.Client.Exists(ctx, path)
			if err != nil || !exists || v.starting && stat.EphemeralOwner != session {
				return err
			}
			return zk.Ignore(v.nodes.Client.Delete(ctx, path, stat.Version), zk.ErrNoNode)
		})
	})
	return result, err
}
