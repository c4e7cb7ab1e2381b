package control

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// ErrNoInstances says that no living instance could take a trigger.
var ErrNoInstances = errors.New("no instance of the job is alive")

// TriggerAll has every living instance of the job run its shards once,
// by the nodes that ElasticJob's one-off bootstrap and consoles write. Triggers
// that nobody took are replaced.
func (c *Controller) TriggerAll(ctx context.Context) error {
	ids, err := c.Nodes.Children(ctx, c.Tree.Instances())
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return err
	}
	if len(ids) == 0 {
		return ErrNoInstances
	}
	if err := c.Host.Client.DeleteAll(ctx, c.Tree.Triggers()); err != nil {
		return err
	}
	ops := []zk.Op{zk.CreateOp(c.Tree.Triggers(), nil, zk.Persistent)}
	for _, id := range ids {
		ops = append(ops, zk.CreateOp(c.Tree.Trigger(id), nil, zk.Persistent))
	}
	err = c.Host.Client.Multi(ctx, ops...)
	if errors.Is(err, zk.ErrNodeExists) {
		return nil // Somebody wrote the same trigger at this moment.
	}
	return err
}

// takeTrigger consumes the operator's trigger. As in ElasticJob it
// is dropped when shards of this instance are running.
func (c *Controller) takeTrigger(ctx context.Context) error {
	trigger := c.Cache.Get(c.Tree.Trigger(c.Self.ID()))
	if !trigger.Exists {
		return nil
	}
	if config := c.Cache.Get(c.Tree.Config()); config.Exists && config.Stat.Mzxid != c.configAt {
		// Both were read after the view was built. What was configured before
		// the trigger counts for it, and the next step, which that event has
		// called for, knows it.
		return nil
	}
	err := c.Host.Client.Delete(ctx, c.Tree.Trigger(c.Self.ID()), zk.AnyVersion)
	if errors.Is(err, zk.ErrNoNode) {
		return nil // Seen twice, taken once.
	}
	if err != nil {
		return err
	}
	c.worker.Trigger(trigger.Stat.Czxid)
	return nil
}

// orphans are what a leader remembers of triggers that stand for
// instances that are not there.
type orphans struct {
	looked    bool                // in this term
	at        time.Time           // when it was looked for them last
	instances []string            // who was there then
	since     map[string]orphaned // by instance
}

type orphaned struct {
	placed int64 // transaction
	since  time.Time
}

// sweepTriggers removes the triggers that stand for instances that
// have been absent for a session timeout, which is what one gets that reconnects:
// nobody else takes them, and an instance of the same name would run much later.
// The leader looks when its term begins, when instances change, and at the pace of
// the reconciler.
func (c *Controller) sweepTriggers(ctx context.Context, v *view.View) error {
	o := &c.lead.orphans
	interval := v.Config.ReconcileInterval()
	idle := o.looked && len(o.since) == 0 && slices.Equal(o.instances, c.instances)
	if idle && (interval == 0 || time.Since(o.at) < interval*8/10) {
		return nil
	}
	ids, err := c.Nodes.Children(ctx, c.Tree.Triggers())
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return err
	}
	patience := c.Host.Client.Session().Timeout
	waiting := make(map[string]orphaned)
	for _, id := range ids {
		if slices.Contains(c.instances, id) {
			continue
		}
		trigger, placed, err := c.Host.Client.Exists(ctx, c.Tree.Trigger(id))
		if err != nil {
			return err
		}
		if !placed {
			continue
		}
		known := o.since[id]
		if known.placed != trigger.Czxid {
			known = orphaned{trigger.Czxid, time.Now()}
		}
		if time.Since(known.since) < patience {
			waiting[id] = known
			continue
		}
		if _, there, err := c.Host.Client.Exists(ctx, c.Tree.Instance(id)); err != nil || there {
			return err // An event is on its way.
		}
		if err := c.Host.Client.Delete(ctx, c.Tree.Trigger(id), trigger.Version); zk.Ignore(zk.Ignore(err, zk.ErrNoNode), zk.ErrBadVersion) != nil {
			return err
		}
		c.Log.InfoContext(ctx, "a trigger was dropped: the instance has left", "instance", id)
	}
	*o = orphans{looked: true, at: time.Now(), instances: slices.Clone(c.instances), since: waiting}
	if len(waiting) > 0 {
		c.job.Retry(patience)
	}
	return nil
}
