package control

import (
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
)

// startReshard begins a resharding unless one is under way.
func (c *Controller) startReshard(epoch uint64) {
	known := c.latest
	if known.Owners == nil && c.founded {
		// Assigned by the transaction that founded the job, with the flags' parent;
		// no flag has been set before the one that is now.
		known = reshard.Assignment{Owners: c.assigned, At: reshard.FlagHistory{Czxid: c.Cache.Get(c.Tree.Server(c.Host.IP)).Stat.Czxid}}
	}
	if !c.Resharding.Begin() {
		return
	}
	c.Host.Tasks.Go(func() {
		if !c.job.Guard("resharding", func() { c.workReshard(epoch, known) }) {
			c.Resharding.Abort()
		}
	})
}

func (c *Controller) workReshard(epoch uint64, known reshard.Assignment) {
	o := c.Resharding.Run(c.Life, epoch, known, func(o reshard.Outcome) {
		if o.Assigned || o.Err != nil && c.Life.Err() == nil {
			c.Host.Report(c.Tree.Name(), host.Observation{Event: host.Resharded, Took: o.Took, Err: o.Err})
		}
	})
	switch {
	case o.Err == nil:
		c.Obstacles.Clear(obstacle.Assign)
		// Look again: the instances may have changed meanwhile, and the
		// events of our own writes may have been lost.
		c.mu.Lock()
		c.rereadDue = true
		c.mu.Unlock()
		if !o.Assigned { // There was nothing to do, which the watches may not know for a while.
			c.job.Retry(nodes.RetryFirst)
			return
		}
		c.job.Kick()
	case o.Passing:
		c.job.Retry(nodes.RetryFirst)
	default:
		if !o.Repeated {
			c.Log.Error("resharding failed; the job does not run until it succeeds", "err", o.Err)
		}
		c.job.Hinder(obstacle.Assign, o.Err)
		c.job.Retry(nodes.RetryLast)
	}
}

// resharded is a job as resharding knows it.
type resharded struct{ c *Controller }

// Resharded is the job as resharding knows it.
func (c *Controller) Resharded() reshard.Job { return resharded{c} }

// Strategy implements [reshard.Job].
func (r resharded) Strategy(name string) (reshard.Strategy, error) {
	return r.c.strategies.ByName(name)
}

// Now implements [reshard.Job].
func (r resharded) Now() time.Time { return r.c.Host.Time() }

// LedSince implements [reshard.Job].
func (r resharded) LedSince() time.Time { return r.c.Cache.Get(r.c.Tree.LeaderInstance()).Stat.Ctime }

// Held implements [reshard.Job].
func (r resharded) Held() bool { return r.c.Cache.Held().Schedule() }

// FlagChanges implements [reshard.Job].
func (r resharded) FlagChanges() uint64 { return r.c.Cache.FlagChanges() }

// Suspect implements [reshard.Job].
func (r resharded) Suspect(shards bool) {
	if shards {
		r.c.Cache.Suspect()
	} else {
		r.c.Cache.SuspectIf(r.c.Cache.NotOfShard)
	}
}
