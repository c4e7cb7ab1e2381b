package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// DisableShard switches one shard off: its instance skips it at the next
// run, and nobody else takes it. Switching it off twice is no error. ErrInvalid
// for a negative shard, ErrNotFound if the job has no such shard or it was never
// sharded.
func (o *Operator) DisableShard(ctx context.Context, job string, item int) error {
	return o.switchShard(ctx, action{"disable shard", job, fmt.Sprint("shard ", item)}, item, false)
}

// EnableShard switches a shard on again; see DisableShard.
func (o *Operator) EnableShard(ctx context.Context, job string, item int) error {
	return o.switchShard(ctx, action{"enable shard", job, fmt.Sprint("shard ", item)}, item, true)
}

func (o *Operator) switchShard(ctx context.Context, act action, item int, enable bool) error {
	job, _, err := o.job(ctx, act)
	if err != nil {
		return err
	}
	if item < 0 {
		return act.fail(ErrInvalid, "shards are numbered from 0", "%d is no shard", item)
	}
	return o.retry(ctx, act, func() error {
		if err := o.checkShard(ctx, act, job, item, enable); err != nil {
			return err
		}
		_, disabled, err := o.client.Exists(ctx, job.ItemDisabled(item))
		if err != nil || disabled != enable {
			return err
		}
		if enable {
			return o.enableShard(ctx, job, item)
		}
		// A plain create needs its parent, so a vanished shard refuses it.
		_, err = o.client.Create(ctx, job.ItemDisabled(item), nil, zk.Persistent)
		return err
	})
}

// enableShard removes the marker and, in the same transaction, that of a missed fire
// time, and moves the shard's fire record forward: what the shard missed while it
// was off is not made up for, also if no instance lives that could see it.
func (o *Operator) enableShard(ctx context.Context, job jobtree.Job, item int) error {
	ops := []zk.Op{zk.DeleteOp(job.ItemDisabled(item), zk.AnyVersion)}
	if _, missed, err := o.client.Exists(ctx, job.ItemMisfire(item)); err != nil {
		return err
	} else if missed {
		ops = append(ops, zk.DeleteOp(job.ItemMisfire(item), zk.AnyVersion))
	}
	data, stat, err := o.client.Get(ctx, job.FireRecord(item))
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return err
	}
	record, kept := jobtree.DecodeFireRecord(data)
	if now := time.Now(); kept && now.After(record.Through) {
		record.Through = now
		ops = append(ops, zk.SetOp(job.FireRecord(item), record.Encode(), stat.Version))
	}
	return o.client.Multi(ctx, ops...)
}

// checkShard makes sure that the shard exists. Beyond the configured total a
// shard that still has a node may be enabled, to clear an old marker.
func (o *Operator) checkShard(ctx context.Context, act action, job jobtree.Job, item int, enable bool) error {
	data, _, err := o.client.Get(ctx, job.Config())
	if errors.Is(err, zk.ErrNoNode) {
		return act.fail(ErrNotFound, "", "the job was removed meanwhile: %w", err)
	}
	if err != nil {
		return err
	}
	config, err := jobconfig.Decode(data)
	if err == nil && item >= config.Shards && !enable {
		return act.fail(ErrNotFound, "", "the job has the shards 0 to %d", config.Shards-1)
	}
	_, exists, err := o.client.Exists(ctx, job.Item(item))
	if err != nil {
		return err
	}
	if !exists {
		return act.fail(ErrNotFound, "shards appear when the job has been sharded; trigger it first", "the shard has no node")
	}
	return nil
}

// leastMarkerAge is how old a running marker must be before it can be taken for one
// that was left.
const leastMarkerAge = time.Minute

// ClearRunning removes the running marker of a shard that an agent of Java's, which
// is alive, has left: upstream's next release does that when a shard fails, and
// everybody waits for that process to end. Nothing in ZooKeeper tells such a marker
// from that of a run that goes on, so the caller must have looked into the process,
// and says so by naming the instance that the marker names. If the shard runs after
// all, another instance may run it a second time at the same time.
//
// ErrConflict if the marker is another instance's, younger than a minute, or that
// of an agent of this repository, which clears its markers itself; ErrNotFound if
// there is none.
func (o *Operator) ClearRunning(ctx context.Context, job string, item int, instance string) error {
	act := action{"clear the running marker of", job, fmt.Sprint("shard ", item)}
	tree, _, err := o.job(ctx, act)
	if err != nil {
		return err
	}
	switch {
	case item < 0:
		return act.fail(ErrInvalid, "shards are numbered from 0", "%d is no shard", item)
	case jobtree.ValidateInstanceID(instance) != nil:
		return act.fail(ErrInvalid, "name the instance of the marker, as Explain shows it, once you know that it does not run the shard", "%q is no instance", jobtree.Shown(instance))
	}
	return o.retry(ctx, act, func() error {
		owner, marker, err := o.client.Get(ctx, tree.ItemRunning(item))
		if errors.Is(err, zk.ErrNoNode) {
			return act.fail(ErrNotFound, "", "the shard is not marked as running")
		}
		if err != nil {
			return err
		}
		if string(owner) != instance {
			return act.fail(ErrConflict, "look at Explain again", "the marker is that of %q", jobtree.Shown(string(owner)))
		}
		if age := time.Since(marker.Ctime); age < leastMarkerAge {
			return act.fail(ErrConflict, "wait until it is a minute old", "the marker was made %v ago", age.Round(time.Second))
		}
		_, ours, err := o.client.Exists(ctx, tree.Agent(instance))
		if err != nil {
			return err
		}
		if ours {
			return act.fail(ErrConflict, "stop that process if the run does not end", "the instance is an agent written in Go, which clears its markers itself: the shard runs")
		}
		return o.client.Delete(ctx, tree.ItemRunning(item), marker.Version)
	})
}
