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
			j.tree.NextInstanceIP(), j.tree.FireRecord(0), j.tree.ItemInstance(0),
			j.tree.ItemDisabled(0), j.tree.ItemFailover(0), j.tree.ItemMisfire(0),
		}
		for _, id := range j.cache.Instances() {
			if server := j.tree.Server(jobtree.InstanceIP(id)); !slices.Contains(want, server) {
				want = append(want, server)
			}
		}
		j.cache.WatchChildren(j.tree.Agents())
	case c.rotating == nil:
		return nil
	case !c.Config.Failover:
		j.cache.Forget(j.tree.Agents())
	}
	for _, path := range want {
		j.cache.Watch(path)
	}
	for _, path := range c.rotating {
		if !slices.Contains(want, path) && !slices.Contains(c.lead.tracked, path) && path != j.tree.Server(j.env.IP) &&
			!(slices.Contains(c.mine, 0) && path != j.tree.NextInstanceIP() && path != j.tree.FireRecord(0)) {
			j.cache.Forget(path)
		}
	}
	c.rotating = want
	return j.cache.Refresh(ctx)
}

// catchUp runs a fire time that nobody kept: it came while one instance had
// passed the shard on, and the next one did not know yet.
func (j *Job) catchUp(ctx context.Context, v *view.View) error {
	r := v.Rotation
	if r == nil || !r.Ours || !r.Record.Exists || !v.Config.Misfire || !firerecord.Kept(v.Config) || v.Schedule == nil || len(v.Shards) == 0 || !v.Shards[0].Runnable() {
		return nil
	}
	now := j.env.Time()
	last := firetime.Sound(r.Last, now)
	if _, missed := firetime.Missed(v.Schedule, v.Zone, now, last.Through); !missed {
		return nil
	}
	era, err := j.misfires.Era(ctx, v.Settings)
	if err != nil {
		return err
	}
	served, err := j.misfires.TurnServedSince(ctx, r)
	if err != nil {
		return err
	}
	since := firetime.Later(firetime.Later(served, era.Since), j.misfires.WindowSince(now))
	at, missed := firetime.Missed(v.Schedule, v.Zone, now, last.Through, since)
	if !missed {
		return j.misfires.AccountFor(ctx, 0, since) // Otherwise each step would ask again.
	}
	j.enqueue(func(q *queue) {
		if !q.looping {
			q.fire = at
		}
	})
	return nil
}
