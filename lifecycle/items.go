package lifecycle

import (
	"context"
	"errors"
	"fmt"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// DisableItem switches one sharding item off: its instance skips it at the next
// run, and nobody else takes it. Switching it off twice is no error. ErrInvalid
// for a negative item, ErrNotFound if the job has no such item or it was never
// sharded.
func (o *Operator) DisableItem(ctx context.Context, job string, item int) error {
	return o.switchItem(ctx, order{"disable item", job, fmt.Sprint("item ", item)}, item, false)
}

// EnableItem switches an item on again; see DisableItem.
func (o *Operator) EnableItem(ctx context.Context, job string, item int) error {
	return o.switchItem(ctx, order{"enable item", job, fmt.Sprint("item ", item)}, item, true)
}

func (o *Operator) switchItem(ctx context.Context, ord order, item int, enable bool) error {
	job, _, err := o.job(ctx, ord)
	if err != nil {
		return err
	}
	if item < 0 {
		return ord.fail(ErrInvalid, "items are numbered from 0", "%d is no item", item)
	}
	return o.retry(ctx, ord, func() error {
		if err := o.checkItem(ctx, ord, job, item, enable); err != nil {
			return err
		}
		_, disabled, err := o.client.Exists(ctx, job.ItemDisabled(item))
		if err != nil || disabled != enable {
			return err
		}
		if enable {
			return o.client.Delete(ctx, job.ItemDisabled(item), zk.AnyVersion)
		}
		// A plain create needs its parent, so a vanished item refuses it.
		_, err = o.client.Create(ctx, job.ItemDisabled(item), nil, zk.Persistent)
		return err
	})
}

// checkItem makes sure that the item exists. Beyond the configured total an
// item that still has a node may be enabled, to clear an old mark.
func (o *Operator) checkItem(ctx context.Context, ord order, job jobtree.Job, item int, enable bool) error {
	data, _, err := o.client.Get(ctx, job.Config())
	if errors.Is(err, zk.ErrNoNode) {
		return ord.fail(ErrNotFound, "", "the job was removed meanwhile: %w", err)
	}
	if err != nil {
		return err
	}
	config, err := jobtree.DecodeConfig(data)
	if err == nil && item >= config.Shards && !enable {
		return ord.fail(ErrNotFound, "", "the job has the items 0 to %d", config.Shards-1)
	}
	_, exists, err := o.client.Exists(ctx, job.Item(item))
	if err != nil {
		return err
	}
	if !exists {
		return ord.fail(ErrNotFound, "items appear when the job has been sharded; trigger it first", "the item has no node")
	}
	return nil
}
