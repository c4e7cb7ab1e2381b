package engine

import (
	"context"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
)

// handleCrashes offers the shards that a vanished instance was running to the
// others.
func (j *Job) handleCrashes(ctx context.Context, v *view.View, previous []string) error {
	if v.Config == nil || !v.Config.Failover {
		return nil
	}
	present := j.control.instances
	var crashed []string
	for _, id := range previous {
		if id != j.id && !slices.Contains(present, id) {
			crashed = append(crashed, id)
		}
	}
	if len(crashed) == 0 {
		return nil
	}
	departing, err := j.Failover.HandleCrash(ctx, failover.Crash{
		Config: v.Config, Enabled: v.Enabled, Rotates: view.Rotates(v.Config),
		Crashed: crashed, Present: present, Missing: j.Cache.Get(j.Tree.Instances()).Stat.Pzxid, Owners: j.control.assigned,
		Agents: j.Cache.Get(j.Tree.Agents()), OnlyAgents: j.Cache.OnlyAgents(),
	}, j.taker(v))
	j.control.departing = append(j.control.departing, departing...)
	if err != nil {
		// The list of instances must be compared again.
		j.control.instances = previous
	}
	return err
}

// takeFailover takes one offered shard if this instance is free for it, and runs
// it. Busy instances look again when their run has ended, eager ones take what is
// offered at once; see beside.go.
func (j *Job) takeFailover(ctx context.Context, v *view.View) error {
	offered := len(j.Cache.Children(j.Tree.FailoverItems())) > 0
	if v.Config == nil || !v.Config.Failover || !v.Enabled || !offered {
		return nil
	}
	return j.Failover.Take(ctx, v.Config, j.taker(v))
}

// returnClaims offers shards again whose claims this instance has, or may have,
// and does not run. It comes before every claim of a step.
func (j *Job) returnClaims(ctx context.Context) error {
	c := &j.control
	c.doubts = append(c.doubts, j.worker.Returned()...)
	for len(c.doubts) > 0 {
		if err := j.Failover.Release(ctx, c.doubts[0], j.id, true); err != nil {
			return err
		}
		c.doubts = c.doubts[1:]
	}
	return nil
}

// taker claims failover shards by a view.
func (j *Job) taker(v *view.View) failover.Taker {
	return j.worker.Taker(v, func(n int) { j.control.doubts = append(j.control.doubts, n) })
}
