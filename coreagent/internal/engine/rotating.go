package engine

import (
	"context"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// trackRotation watches what the choice of the next instance depends on, or
// stops watching it.
func (j *Job) trackRotation(ctx context.Context) error {
	c := &j.control
	var want []string
	switch {
	case view.Rotates(c.Config):
		want = []string{
			j.Tree.NextInstanceIP(), j.Tree.FireRecord(0), j.Tree.ItemInstance(0),
			j.Tree.ItemDisabled(0), j.Tree.ItemFailover(0), j.Tree.ItemMisfire(0),
		}
		for _, id := range j.Cache.Instances() {
			if server := j.Tree.Server(jobtree.InstanceIP(id)); !slices.Contains(want, server) {
				want = append(want, server)
			}
		}
		j.Cache.WatchChildren(j.Tree.Agents())
	case c.rotating == nil:
		return nil
	case !c.Config.Failover:
		j.Cache.Forget(j.Tree.Agents())
	}
	for _, path := range want {
		j.Cache.Watch(path)
	}
	for _, path := range c.rotating {
		if !slices.Contains(want, path) && !slices.Contains(c.lead.tracked, path) && path != j.Tree.Server(j.Host.IP) &&
			!(slices.Contains(c.mine, 0) && path != j.Tree.NextInstanceIP() && path != j.Tree.FireRecord(0)) {
			j.Cache.Forget(path)
		}
	}
	c.rotating = want
	return j.Cache.Refresh(ctx)
}

// catchUp runs a fire time that nobody kept: it came while one instance had
// passed the shard on, and the next one did not know yet.
func (j *Job) catchUp(ctx context.Context, v *view.View) error {
	r := v.Rotation
	if r == nil || !r.Ours || !r.Record.Exists || !v.Config.Misfire || !firerecord.Kept(v.Config) || v.Schedule == nil || len(v.Shards) == 0 || !v.Shards[0].Runnable() {
		return nil
	}
	now := j.Host.Time()
	last := firetime.Sound(r.Last, now)
	if _, missed := firetime.Missed(v.Schedule, v.Zone, now, last.Through); !missed {
		return nil
	}
	era, err := j.Misfires.Era(ctx, v.Settings)
	if err != nil {
		return err
	}
	served, err := j.Misfires.TurnServedSince(ctx, r)
	if err != nil {
		return err
	}
	since := firetime.Later(firetime.Later(served, era.Since), j.Misfires.WindowSince(now))
	at, missed := firetime.Missed(v.Schedule, v.Zone, now, last.Through, since)
	if !missed {
		return j.Misfires.AccountFor(ctx, 0, since) // Otherwise each step would ask again.
	}
	j.worker.CatchUp(at)
	return nil
}
