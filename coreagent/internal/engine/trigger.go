package engine

import (
	"context"
	"errors"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// ErrNoInstances says that no living instance could take a trigger.
var ErrNoInstances = errors.New("no instance of the job is alive")

// TriggerAll orders every living instance of the job to run its items once,
// by the nodes that ElasticJob's one-off bootstrap and consoles write. Orders
// that nobody took are replaced.
func (j *Job) TriggerAll(ctx context.Context) error {
	ids, err := j.children(ctx, j.tree.Instances())
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return err
	}
	if len(ids) == 0 {
		return ErrNoInstances
	}
	if err := j.env.Client.DeleteAll(ctx, j.tree.Triggers()); err != nil {
		return err
	}
	ops := []zk.Op{zk.CreateOp(j.tree.Triggers(), nil, zk.Persistent)}
	for _, id := range ids {
		ops = append(ops, zk.CreateOp(j.tree.Trigger(id), nil, zk.Persistent))
	}
	err = j.env.Client.Multi(ctx, ops...)
	if errors.Is(err, zk.ErrNodeExists) {
		return nil // Somebody placed the same order at this moment.
	}
	return err
}

// takeTrigger consumes the operator's order to run once. As in ElasticJob it
// is dropped when items of this instance are running.
func (j *Job) takeTrigger(ctx context.Context) error {
	order := j.cache.Get(j.tree.Trigger(j.id))
	if !order.Exists {
		return nil
	}
	if config := j.cache.Get(j.tree.Config()); config.Exists && config.Stat.Mzxid != j.control.configAt {
		// Both were read after the view was built. What was configured before
		// the order counts for it, and the next step, which that event has
		// called for, knows it.
		return nil
	}
	err := j.env.Client.Delete(ctx, j.tree.Trigger(j.id), zk.AnyVersion)
	if errors.Is(err, zk.ErrNoNode) {
		return nil // Seen twice, taken once.
	}
	if err != nil {
		return err
	}
	j.onTrigger(order.Stat.Czxid)
	return nil
}
