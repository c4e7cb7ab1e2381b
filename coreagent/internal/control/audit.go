package control

import (
	"math/rand/v2"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// publish replaces the view.
func (c *Controller) publish(v *view.View) {
	var coming []int
	for _, n := range c.mine {
		if !v.Settled && !c.Cache.Get(c.Tree.ItemDisabled(n)).Exists {
			coming = append(coming, n)
		}
	}
	c.Latest.Publish(v, coming)
}

// onAudit compares everything watched with the server, jittered, at the pace
// of the job's reconcile interval.
func (c *Controller) onAudit() {
	c.mu.Lock()
	c.auditDue = true
	c.mu.Unlock()
	c.Cache.Suspect()
	c.Requested.Suspect()
	c.job.Kick()
	v, _ := c.Latest.Get()
	if v == nil {
		c.scheduleAudit(nil)
	} else {
		c.scheduleAudit(v.Config)
	}
}

// scheduleAudit sets the timer of the next audit by a configuration; nil, where none
// could be served yet, goes by what the code declares.
func (c *Controller) scheduleAudit(config *jobconfig.Config) {
	if config == nil {
		config = c.Def.Config
	}
	interval := config.ReconcileInterval()
	if interval == 0 {
		c.Host.Timers.Stop(c.audit)
		return
	}
	c.Host.Timers.After(c.audit, interval*9/10+rand.N(interval/5))
}
