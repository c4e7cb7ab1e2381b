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

// DisableShard disables one shard: its instance skips it from the next run on, and no other
// instance takes it. Repeating it isn't an error. It returns ErrInvalid for a negative shard, and
// ErrNotFound if the job doesn't have the shard or was never sharded.
func (o *Operator) DisableShard(ctx context.Context, job string, item int) error {
	return o.switchShard(ctx, action{"disable shard", job, fmt.Sprint("shard ", item)}, item, false)
}

// EnableShard enables a shard again; see DisableShard.
func (o *Operator) EnableShard(ctx context.Context, job string, item int) error {
	return o.switchShard(ctx, action{"enable shard", job, fmt.Sprint("shard ", item)}, item, true)
}

func (o *Operator) switchShard(ctx context.Context, act action, item int, enable bool) error {
	job, _, err := o.job(ctx, act)
	if err != nil {
		return err
	}
	if item < 0 {
		return act.fail(ErrInvalid, "shards are numbered from 0", "%d is not a shard", item)
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
		// Create needs the parent, so it fails if the shard has disappeared.
		_, err = o.client.Create(ctx, job.ItemDisabled(item), nil, zk.Persistent)
		return err
	})
}

// enableShard removes the disabled and misfire markers and moves the shard's fire record forward,
// in one transaction. So fire times missed while disabled aren't made up, even if no live instance
// sees the change.
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

// checkShard checks that the shard exists. A shard beyond the configured total can be enabled if it
// still has a node, to clear an old marker.
func (o *Operator) checkShard(ctx context.Context, act action, job jobtree.Job, item int, enable bool) error {
	data, _, err := o.client.Get(ctx, job.Config())
	if errors.Is(err, zk.ErrNoNode) {
		return act.fail(ErrNotFound, "", "the job was removed: %w", err)
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

// leastMarkerAge is the minimum age of a running marker before it can count as left behind.
const leastMarkerAge = time.Minute

// ClearRunning removes the running marker that a live Java agent left behind. Upstream's next
// release leaves markers when a shard fails, and the job waits until that process ends. ZooKeeper
// doesn't show whether the run still goes on. So the caller should check the process first, and
// pass the instance in the marker as confirmation. If the shard does run, another instance may run
// it a second time concurrently.
//
// It returns ErrConflict if the marker is another instance's, is younger than a minute, or belongs
// to one of our agents, which clear their markers themselves. It returns ErrNotFound if there's no
// marker.
func (o *Operator) ClearRunning(ctx context.Context, job string, item int, instance string) error {
	act := action{"clear the running marker of", job, fmt.Sprint("shard ", item)}
	tree, _, err := o.job(ctx, act)
	if err != nil {
		return err
	}
	switch {
	case item < 0:
		return act.fail(ErrInvalid, "shards are numbered from 0", "%d is not a shard", item)
	case jobtree.ValidateInstanceID(instance) != nil:
		return act.fail(ErrInvalid, "name the instance of the marker, as Explain shows it, once you know that it does not run the shard", "%q is not an instance id", jobtree.Shown(instance))
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
			return act.fail(ErrConflict, "reload Explain", "the marker belongs to %q", jobtree.Shown(string(owner)))
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
