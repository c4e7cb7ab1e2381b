package fleetsim_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// actionOfHours draws and takes an action of an operator. Half of the edits come from our console,
// the others are written directly to the node.
func (w *world) actionOfHours(kind faultKind) {
	w.counts.add(kind)
	job := pick(w.random, w.plan.edited...).job.Name
	op := lifecycle.NewOperator(treetest.Registry(w.operator, namespace()))
	switch kind {
	case schedules:
		w.editHours(job, w.newSchedule())
		if chance(w.random, 30) { // and back soon after
			w.later(w.longFor(), func() { w.editHours(job, w.newSchedule()) })
		}
	case switches:
		change := w.newSwitch()
		w.editHours(job, change)
		if chance(w.random, 60) {
			w.later(w.longFor(), func() { w.editHours(job, change) })
		}
	case numbers:
		shards := 1 + w.random.IntN(5)
		if job != "turns" {
			w.editHours(job, func(c *jobconfig.Config) { c.Shards = shards })
		}
	case edges:
		w.editEdge(job)
	case closings:
		w.close(op, job)
	case shardOff:
		shard := w.random.IntN(max(1, w.tree.settings(job).Items))
		w.act(job, "disables a shard", func(ctx context.Context) error { return op.DisableShard(ctx, job, shard) })
		if chance(w.random, 80) {
			w.later(w.longFor(), func() {
				w.act(job, "enables a shard", func(ctx context.Context) error { return op.EnableShard(ctx, job, shard) })
			})
		}
	case triggers:
		w.act(job, "triggers the job", func(ctx context.Context) error { return w.trigger(ctx, op, job) })
	}
}

func (w *world) act(job, what string, do func(ctx context.Context) error) {
	w.note(job, "operator", "%s", what)
	w.disturb(reconnection)
	if err := do(w.life); !expected(err) {
		w.fail("operator %s: %v", what, err)
	}
}

// close disables one or all servers of a job, and enables them later.
func (w *world) close(op *lifecycle.Operator, job string) {
	address := address(pick(w.random, w.processes...).slot) // maybe of a process that is away
	var off, on func(ctx context.Context) error
	switch w.random.IntN(4) {
	case 0, 3:
		off = func(ctx context.Context) error { _, err := op.DisableServer(ctx, job, address); return err }
		on = func(ctx context.Context) error { _, err := op.EnableServer(ctx, job, address); return err }
	case 1:
		off = func(ctx context.Context) error { _, err := op.DisableForGood(ctx, job); return err }
		on = func(ctx context.Context) error { _, err := op.EnableForGood(ctx, job); return err }
	default:
		off = func(ctx context.Context) error { _, err := op.Disable(ctx, job); return err }
		on = func(ctx context.Context) error { _, err := op.Enable(ctx, job); return err }
	}
	w.act(job, "disables servers", off)
	w.later(w.longFor(), func() { w.act(job, "enables servers", on) })
}

func (w *world) newSchedule() func(*jobconfig.Config) {
	cron, zone := pick(w.random, w.plan.crons...), pick(w.random, zones...)
	both := w.random.IntN(3)
	return func(c *jobconfig.Config) {
		if both != 0 {
			c.Cron = cron
		}
		if both != 1 {
			c.TimeZone = zone
		}
	}
}

func (w *world) newSwitch() func(*jobconfig.Config) {
	switch w.random.IntN(6) {
	case 0, 1:
		return func(c *jobconfig.Config) { c.Misfire = !c.Misfire }
	case 2:
		return func(c *jobconfig.Config) { c.Failover = !c.Failover && c.MonitorExecution }
	case 3, 4:
		return func(c *jobconfig.Config) {
			if c.MonitorExecution = !c.MonitorExecution; !c.MonitorExecution {
				c.Failover = false
			}
		}
	}
	strategy := pick(w.random, "AVG_ALLOCATION", "ODEVITY", "ROUND_ROBIN", sharding.NameSingleShardingBalance)
	return func(c *jobconfig.Config) {
		if strategy != sharding.NameSingleShardingBalance || c.Shards == 1 {
			c.StrategyType = strategy
		}
	}
}

// editEdge writes a number at the limit of its type directly to the tree, which no operation of
// ours does, and restores the old one later.
func (w *world) editEdge(job string) {
	number := pick(w.random, 0, -1, math.MaxInt32, math.MinInt32, 2_000_000_000)
	edge := func(c *jobconfig.Config) { c.ReconcileMinutes = number }
	if w.plan.drop > 0 {
		edge = func(c *jobconfig.Config) { c.Shards = number } // nothing else repairs the effects of lost events
	}
	switch w.random.IntN(4) {
	case 0:
		edge = func(c *jobconfig.Config) { c.Shards = number }
	case 1:
		if slices.Contains(w.plan.faults, clockFar) {
			break // the jobs must check their clocks
		}
		seconds := pick(w.random, math.MaxInt32, -1, math.MinInt32)
		edge = func(c *jobconfig.Config) { c.MaxTimeDiffSeconds = seconds }
	}
	w.edited(job, edge)
	w.later(w.longFor(), func() {
		planned := w.planned(job).job
		w.edited(job, func(c *jobconfig.Config) {
			c.Shards, c.ReconcileMinutes, c.MaxTimeDiffSeconds = planned.Shards, int(planned.ReconcileInterval/time.Minute), -1
			if planned.MaxTimeDiff > 0 {
				c.MaxTimeDiffSeconds = int(planned.MaxTimeDiff / time.Second)
			}
		})
	})
}

// cleanUp removes permanent obstacles left by an operator's lost commands: invalid numbers and
// foreign nodes.
func (w *world) cleanUp() {
	for _, planned := range w.plan.jobs {
		tree := namespace().Job(planned.job.Name)
		w.insist("corrects the configuration", func() error {
			data, stat, err := w.operator.Get(w.life, tree.Config())
			if err != nil {
				return err
			}
			config, err := jobconfig.Decode(data)
			if err != nil || config.Usable() == nil {
				return err
			}
			config.Shards = planned.job.Shards
			if data, err = config.Encode(); err != nil {
				return err
			}
			_, err = w.operator.Set(w.life, tree.Config(), data, stat.Version)
			return err
		})
		w.insist("removes junk", func() error {
			names, _, err := w.operator.Children(w.life, tree.Instances())
			if errors.Is(err, zk.ErrNoNode) {
				return nil
			}
			for _, name := range names {
				if jobtree.ValidateInstanceID(name) != nil {
					err = errors.Join(err, w.operator.Delete(w.life, tree.Instances()+"/"+name, zk.AnyVersion))
				}
			}
			return err
		})
	}
}

func (w *world) planned(job string) *jobPlan {
	return w.plan.jobs[slices.IndexFunc(w.plan.jobs, func(j *jobPlan) bool { return j.job.Name == job })]
}

// editHours changes a configuration with our operations, or directly.
func (w *world) editHours(job string, change func(*jobconfig.Config)) {
	if chance(w.random, 50) {
		w.edited(job, change)
		return
	}
	op := lifecycle.NewOperator(treetest.Registry(w.operator, namespace()))
	w.act(job, "edits the configuration", func(ctx context.Context) error { return w.reconfigure(ctx, op, job, change) })
}

// edited writes a changed configuration to the tree, as Java's console does.
func (w *world) edited(job string, change func(*jobconfig.Config)) {
	path := namespace().Job(job).Config()
	w.act(job, "writes the configuration", func(ctx context.Context) error {
		for {
			data, stat, err := w.operator.Get(ctx, path)
			if err != nil {
				return err
			}
			config, err := jobconfig.Decode(data)
			if err != nil {
				return err
			}
			change(config)
			if data, err = config.Encode(); err != nil {
				return err
			}
			if _, err = w.operator.Set(ctx, path, data, stat.Version); !errors.Is(err, zk.ErrBadVersion) {
				return err
			}
		}
	})
}
