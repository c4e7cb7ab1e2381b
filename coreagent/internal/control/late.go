package control

import (
	"context"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/misfire"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
)

// overlooked are the shards of a view that came here in this step, when a fire
// time was still to come for which a run had looked for its shards already.
func (c *Controller) overlooked(v *view.View) []int {
	arrived := c.arrived
	c.arrived = nil
	if len(arrived) == 0 || !v.Settled {
		return nil
	}
	came := slices.DeleteFunc(v.EnabledShards(), func(n int) bool { return !slices.Contains(arrived, n) })
	return c.Fires.Overlooked(came, c.lookedAt)
}

// heedLateNews looks for fire times that passed before this instance learned of an edit, a switch
// or a release.
func (c *Controller) heedLateNews(ctx context.Context) error {
	suppressed := c.worker.Suppressed()
	err := c.Misfires.Late(ctx, c.Settings, misfire.News{Config: c.configAt, Server: c.Cache.OwnServer().Stat.Mzxid}, c.mine, suppressed)
	if err != nil && !suppressed.IsZero() {
		c.worker.Doubt(suppressed)
	}
	return err
}
